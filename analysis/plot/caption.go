package plot

import (
	"cmp"
	"fmt"
	"strings"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/table"
	"schedsweep/sweep/study"
)

// replicationsSeen is the range of the numbers of replications that some statistics rest on.
type replicationsSeen struct{ fewest, most int }

func (r *replicationsSeen) see(n int) {
	if r.most == 0 {
		r.fewest = n
	}
	r.fewest, r.most = min(r.fewest, n), max(r.most, n)
}

func (r replicationsSeen) String() string { return "n\u00a0=\u00a0" + table.Span(r.fewest, r.most) }

// caption says what the marks of the figure are.
func (p *plotter) caption() string {
	has := map[string]bool{}
	for _, panel := range p.figure.Panels {
		for _, m := range panel.Marks {
			kind := strings.TrimPrefix(fmt.Sprintf("%T", m), "*figure.")
			if b, ok := m.(*figure.Band); ok && b.Name != "" {
				kind = "trend band"
			}
			has[kind] = true
		}
	}
	level := p.confidence()
	sentences := p.said
	if has["Line"] && p.lineN.most > 0 {
		s := p.statistic() + " over replications, " + p.lineN.String()
		switch {
		case has["Whiskers"]:
			s += "; whiskers: " + level + " confidence interval"
		case has["Band"]:
			s += "; band: " + level + " confidence interval"
		}
		sentences = append(sentences, s)
	}
	switch {
	case has["Violins"]:
		sentences = append(sentences, "Densities over replications, "+p.lineN.String()+"; box: quartiles and median")
	case has["Boxes"]:
		sentences = append(sentences, "Boxes: quartiles and median over replications, "+p.lineN.String()+"; whiskers to the last within 1.5 quartile distances")
	case has["Steps"] && !p.spec.Ranking() && p.spec.Dataset() == "":
		sentences = append(sentences, "Shares of replications, "+p.lineN.String())
	}
	if has["Published"] && p.spec.Shares() {
		sentences = append(sentences, "Dotted: published")
	} else if has["Published"] {
		sentences = append(sentences, "Diamonds: published")
	}
	if has["Cloud"] {
		sentences = append(sentences, "Points: single instances")
	}
	if has["Trend"] {
		s := map[string]string{study.FitQuadratic: "parabola of least squares over all instances", study.FitTheilSen: "by Theil and Sen in each replication, the median over replications"}[p.spec.Fit]
		s = cmp.Or(s, "least squares over all instances")
		if has["Line"] {
			s = "Thin dash-dotted: " + s
		} else {
			s = "Trend: " + s
		}
		if p.trendN.most > 1 {
			s += "; [ ]"
			if has["trend band"] {
				s += " and band"
			}
			s += ": " + level + " confidence interval over replications, " + p.trendN.String()
		}
		sentences = append(sentences, s)
	}
	if has["Beyond"] {
		sentences = append(sentences, "Arrow: unstable, without a steady state")
	}
	if len(sentences) == 0 {
		return ""
	}
	return strings.Join(sentences, ". ") + "."
}

// confidence is the level of intervals, such as 95 %.
func (p *plotter) confidence() string {
	return strings.TrimSuffix(table.Percent(p.design.Confidence), "%") + "\u00a0%"
}

// equalsP says what a p-value is.
func equalsP(p float64) string {
	if text, small := strings.CutPrefix(table.ReadP(p), "<"); small {
		return "p < " + text
	}
	return "p = " + table.ReadP(p)
}

// statistic is what stands at each place of a line.
func (p *plotter) statistic() string {
	switch {
	case p.spec.Paired == pairedDifference:
		return "Mean paired difference to " + p.baseline
	case p.spec.Paired == pairedRatio:
		return "Ratio of means to " + p.baseline + ", paired"
	case p.spec.Line == lineMedian:
		return "Median"
	default:
		return "Mean"
	}
}
