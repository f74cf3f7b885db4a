package plot

import (
	"fmt"
	"slices"
	"strings"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/analysis/table"
	"schedsweep/sweep/text"
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
	if axes := p.unvaried(); len(axes) > 0 {
		sentences = append(sentences, "\"-\": runs in which "+strings.Join(axes, " or ")+" does not vary")
	}
	if axes, alike := p.pooled(); len(axes) > 0 {
		named := frame.List(text.Each(axes, func(axis string) string { return frame.Words(frame.AxisName(axis, p.design.Axes)) }))
		how := "Rows that differ in " + named + " are put together"
		if p.averages() {
			how = "Averaged within each replication over " + named
		}
		if sentences = append(sentences, how); !alike {
			sentences = append(sentences, unlikeMarks)
		}
	}
	sentences = append(sentences, text.Each(slices.Concat(p.lost(), p.incomplete(), p.notes()), func(w stats.Warning) string {
		return strings.ToUpper(w.Text[:1]) + w.Text[1:]
	})...)
	if sentences = append(sentences, p.saidLast...); len(sentences) == 0 {
		return ""
	}
	return strings.Join(sentences, ". ") + "."
}

// unvaried names the axes that the figure shows by names and that do not apply to some of its rows.
func (p *plotter) unvaried() (names []string) {
	shown := dividing(&p.spec)
	if p.category != nil {
		shown = append(shown, p.spec.X)
	}
	if has[*figure.Tracks](p) {
		shown = p.design.Axes
	}
	for _, axis := range p.design.Axes {
		l := frame.LevelsOf(p.frame.Column(axis), nil)
		if slices.Contains(shown, axis) && len(l.Values) > 1 && l.Values[0].IsNull {
			names = append(names, frame.Words(frame.AxisName(axis, p.design.Axes)))
		}
	}
	return names
}

// noteMeans counts a mean at each point of the sweep, with the warnings of all metrics that the figure is about. Axes are no metrics.
func (p *plotter) noteMeans(names ...string) {
	names = slices.DeleteFunc(names, func(name string) bool { return name == "" || slices.Contains(p.design.Axes, name) })
	if len(names) == 0 {
		return
	}
	for _, g := range frame.GroupBy(p.frame, p.design.Axes, p.design.Order).Groups {
		warnings := p.shares.Of(g.Rows).Remarks()
		for _, name := range names {
			warnings = append(warnings, p.drifts.Of(name, g.Rows)...)
		}
		p.noted.See(warnings)
	}
}

// notes count the means or comparisons with a warning about their estimand.
func (p *plotter) notes() []stats.Warning {
	if p.contrast != nil {
		return p.noted.Of("comparison")
	}
	return p.noted.Of("mean")
}

func has[M figure.Mark](p *plotter) bool { return hasOne(p, func(M) bool { return true }) }

func hasOne[M figure.Mark](p *plotter, is func(M) bool) bool {
	return p.figure.Has(func(m figure.Mark) bool { own, ok := m.(M); return ok && is(own) })
}

// hasBand, hasWhiskers and hasCrosses report whether the figure shows an interval of the kind: replications may be too few for any.
func hasBand(p *plotter, name string) bool {
	return hasOne(p, func(b *figure.Band) bool { return b.Name == name && p.shows(b.Spans) })
}

func hasWhiskers(p *plotter) bool {
	return hasOne(p, func(w *figure.Whiskers) bool { return p.shows(w.Spans) })
}

func hasCrosses(p *plotter) bool {
	return hasOne(p, func(c *figure.Crosses) bool {
		return slices.ContainsFunc(c.At, func(x figure.Cross) bool {
			upright, across := x.Spans()
			return p.shows([]figure.Span{upright, across})
		})
	})
}

func (p *plotter) shows(spans []figure.Span) bool {
	return slices.ContainsFunc(spans, func(s figure.Span) bool { return !s.Hidden(p.figure.Y.Log) })
}

// say adds a sentence to the caption, about the marks.
func (p *plotter) say(sentence string) {
	if p.lineN.most > 0 {
		p.said = append(p.said, sentence)
	}
}

// ofOneLook makes tests and intervals of a comparison those of the last look with its confidence, where verdicts are looked at
// several times.
func (p *plotter) ofOneLook() {
	looks := p.design.Looks
	if len(looks) < 2 {
		return
	}
	p.design.Confidence = 1 - (1-p.design.Confidence)/float64(len(looks))
	p.saidLast = append(p.saidLast, fmt.Sprintf("%s is the confidence of one of %d looks", p.confidence(), len(looks)))
	at, rows, ahead := p.design.LastLook(p.frame)
	if p.design = at; ahead == 0 {
		return
	}
	p.frame = p.frame.Take(rows)
	if p.chosen != nil {
		rows = text.Each(rows, func(row int32) int32 { return p.chosen[row] })
	}
	p.chosen = rows
	p.saidLast = append(p.saidLast, fmt.Sprintf("The %s after the look at %d %s in none yet", text.Counted(ahead, "replication"),
		at.PlannedPerPoint.N, text.Either(ahead, "is", "are")))
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
