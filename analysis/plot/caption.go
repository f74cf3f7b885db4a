package plot

import (
	"fmt"
	"slices"
	"strings"

	"schedsweep/analysis/figure"
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
	if p.drifting > 0 {
		sentences = append(sentences, fmt.Sprintf("%d of %d means depend on how long runs are", p.drifting, p.seen))
	}
	if sentences = append(sentences, p.saidLast...); len(sentences) == 0 {
		return ""
	}
	return strings.Join(sentences, ". ") + "."
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
