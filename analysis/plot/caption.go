package plot

import (
	"fmt"
	"slices"
	"strings"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/stats"
	"schedsweep/analysis/table"
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

func (p *plotter) caption() string {
	sentences := p.said
	if has[*figure.Published](p) {
		sentences = append(sentences, map[bool]string{true: "Dotted: published", false: "Diamonds: published"}[p.alongX])
	}
	if has[*figure.Log](p) {
		sentences = append(sentences, "Hollow diamonds: the log itself, simulated once")
	}
	if has[*figure.Cloud](p) {
		sentences = append(sentences, "Points: single instances")
	}
	if p.noted.drift > 0 {
		sentences = append(sentences, p.dependent())
	}
	if p.noted.apart > 0 {
		sentences = append(sentences, p.far())
	}
	if p.noted.sharing > 0 {
		sentences = append(sentences, p.of(p.noted.sharing, "are of replications that share jobs"))
	}
	if sentences = append(sentences, p.saidLast...); len(sentences) == 0 {
		return ""
	}
	return strings.Join(sentences, ". ") + "."
}

// noted counts the means or comparisons of a figure, and those with a warning about what they estimate.
type noted struct{ seen, drift, sharing, apart int }

func (n *noted) see(warnings []stats.Warning) {
	n.seen++
	for count, code := range map[*int]stats.Code{&n.drift: stats.Drift, &n.sharing: stats.Sharing, &n.apart: stats.LogItself} {
		if slices.ContainsFunc(warnings, func(w stats.Warning) bool { return w.Code == code }) {
			*count++
		}
	}
}

// of is a sentence about some of the means or comparisons.
func (p *plotter) of(n int, sentence string) string {
	what := "means"
	if p.contrast != nil {
		what = "comparisons"
	}
	return fmt.Sprintf("%d of %d %s %s", n, p.noted.seen, what, sentence)
}

func (p *plotter) dependent() string { return p.of(p.noted.drift, "depend on how long runs are") }

func (p *plotter) far() string {
	return p.of(p.noted.apart, "have a mean that is far from the log itself")
}

func has[M figure.Mark](p *plotter) bool {
	return slices.ContainsFunc(p.figure.Panels, func(panel figure.Panel) bool {
		return slices.ContainsFunc(panel.Marks, func(m figure.Mark) bool { _, is := m.(M); return is })
	})
}

func hasBand(p *plotter, name string) bool {
	return slices.ContainsFunc(p.figure.Panels, func(panel figure.Panel) bool {
		return slices.ContainsFunc(panel.Marks, func(m figure.Mark) bool { b, is := m.(*figure.Band); return is && b.Name == name })
	})
}

// say adds a sentence to the caption, about the marks.
func (p *plotter) say(sentence string) {
	if p.lineN.most > 0 {
		p.said = append(p.said, sentence)
	}
}

func (p *plotter) confidence() string {
	return strings.TrimSuffix(table.Percent(p.design.Confidence), "%") + "\u00a0%"
}

func equalsP(p float64) string {
	if text, small := strings.CutPrefix(table.ReadP(p), "<"); small {
		return "p < " + text
	}
	return "p = " + table.ReadP(p)
}
