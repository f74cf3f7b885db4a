package analysis

import (
	"math"
	"slices"

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

// addUnstable shows a point at which runs have no steady state by a hollow mark at the upper edge: there is no mean.
func (p *plotter) addUnstable(row int32, x float64) {
	if math.IsNaN(x) {
		return // a warning of values that are not finite tells
	}
	l := p.layer(row)
	l.BeyondName = "unstable"
	if len(l.Beyond) == 0 {
		panel := &p.figure.Panels[p.panels.codes[row]]
		if note := (figure.Note{Series: -1, Text: "hollow: unstable"}); !slices.Contains(panel.Notes, note) {
			panel.Notes = append(panel.Notes, note)
		}
	}
	l.Beyond = append(l.Beyond, x)
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
