package analysis

import (
	"fmt"
	"math"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/stats"
)

// isUnstable tells whether one of the rows is of a run without a steady state.
func (p *plotter) isUnstable(rows []int32) bool {
	if p.design.Unstable == "" {
		return false
	}
	flag := p.frame.Column(p.design.Unstable).Numbers
	for _, r := range rows {
		if (p.ok == nil || p.ok[r]) && flag[r] == 1 {
			return true
		}
	}
	return false
}

// addUnstable shows a point at which some runs have no steady state by a hollow mark at the mean of the others: it is
// too low, and no line may lead there. Where no run has one there is nothing to show but a note.
func (p *plotter) addUnstable(row int32, x float64, y stats.Sample) {
	at := p.panels.codes[row]
	if y.N() == 0 || math.IsNaN(x) {
		p.lost[at]++
		return
	}
	p.opened[at] = true
	l := p.layer(row)
	l.OpenName = "unstable in some runs"
	l.Open = append(l.Open, figure.Point{X: x, Y: p.centre(y)})
}

// noteUnstable says in each panel's header what hollow marks mean and how many points are missing.
func (p *plotter) noteUnstable() {
	for i := range p.figure.Panels {
		panel, at := &p.figure.Panels[i], int32(i)
		note := func(format string, args ...any) {
			panel.Notes = append(panel.Notes, figure.Note{Series: -1, Text: fmt.Sprintf(format, args...)})
		}
		if p.opened[at] {
			note("hollow: some runs unstable")
		}
		switch n := p.lost[at]; n {
		case 0:
		case 1:
			note("1 point unstable")
		default:
			note("%d points unstable", n)
		}
	}
}

// ownX tells whether the sweep varies x over another range in each panel, so that one scale for all would squeeze some.
func (p *plotter) ownX() bool {
	if p.category != nil || len(p.panels.values) < 2 {
		return false
	}
	first := true
	var low, high float64
	for _, g := range groupBy(p.frame, []string{p.spec.Panels}, p.design.Order).groups {
		s := stats.TakeSample(gather(nil, g.rows, nil, p.x.Numbers))
		if s.N() == 0 {
			continue
		}
		if !first && (s.Min() != low || s.Max() != high) {
			return true
		}
		first, low, high = false, s.Min(), s.Max()
	}
	return false
}
