package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"schedsweep/analysis/compare"
	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

func init() {
	Add(Kind{
		FigureKind: ranking(study.FigureKind{
			Name: "pareto", Doc: "the means of two metrics, x and y, of each level of series, and their Pareto front", Required: []string{"y"},
		}),
		Prepare: prepareRanking,
		Draw:    drawPareto,
	})
}

// drawPareto draws the means of two metrics of each level of the series, with their intervals, and the front of the
// levels that no other beats in both. Pairs of replications (common random numbers) decide whether a level is
// dominated, and not its intervals: in both metrics the other's mean is better at the design's confidence, by Holm over
// all pairs of levels of the panel.
func drawPareto(p *plotter, _ any) error {
	p.anyX = true
	p.ofOneLook()
	told, err := p.dominance()
	if err != nil {
		return err
	}
	for _, g := range p.ofPanels() {
		var front, all []*figure.Crosses
		for level, rows := range p.byLevel(g.Rows) {
			x, y := p.sample(rows, p.x), p.sample(rows, p.y)
			if x.N() == 0 || y.N() == 0 {
				continue
			}
			p.lineN.see(min(x.N(), y.N()))
			ix, iy := p.intervalOf(p.spec.X, rows, x), p.interval(rows, y)
			m := &figure.Crosses{Series: int(level),
				At: []figure.Cross{{Point: figure.Point{X: ix.Estimate, Y: iy.Estimate}, XLow: ix.Low, XHigh: ix.High, YLow: iy.Low, YHigh: iy.High}},
				N:  []int{min(x.N(), y.N())}}
			p.meanOf(rows[0], ix.Estimate, iy.Estimate, rows)
			all = append(all, m)
			p.add(rows[0], m)
		}
		for _, m := range all {
			at := &m.At[0]
			better := slices.ContainsFunc(all, func(o *figure.Crosses) bool {
				x, y := p.cost(p.spec.X, o.At[0].X)-p.cost(p.spec.X, at.X), p.cost(p.spec.Y, o.At[0].Y)-p.cost(p.spec.Y, at.Y)
				return x <= 0 && y <= 0 && (x < 0 || y < 0)
			})
			switch {
			case !better:
				at.Name = "on the front"
				front = append(front, m)
			case told[[2]int32{p.panelOf(g.Rows[0]), int32(m.Series)}]:
				at.Name, at.Fill = "dominated", figure.Hollow
			default:
				at.Name, at.Fill = "dominated by its means only", figure.Pale
			}
		}
		p.add(g.Rows[0], p.front(front))
	}
	intervals := ""
	if hasCrosses(p) {
		intervals = fmt.Sprintf(", with %s confidence intervals", p.confidence())
	}
	p.said = append(p.said, fmt.Sprintf("Means over replications, %s%s. Filled: on the Pareto front of the means (dashed); hollow: "+
		"dominated, another level is better in both metrics (by pairs of replications, Holm); pale: dominated by its mean, but "+
		"inconclusive", p.lineN, intervals))
	return nil
}

// front joins the places on the front by a staircase.
func (p *plotter) front(on []*figure.Crosses) *figure.Front {
	slices.SortFunc(on, func(a, b *figure.Crosses) int {
		return cmp.Compare(p.cost(p.spec.X, a.At[0].X), p.cost(p.spec.X, b.At[0].X))
	})
	f := &figure.Front{}
	worst := func(metric string) float64 { return p.cost(metric, math.Inf(1)) }
	for i, m := range on {
		at := m.At[0].Point
		before := worst(p.spec.Y)
		if i > 0 {
			before = on[i-1].At[0].Y
		}
		f.Corners = append(f.Corners, figure.Point{X: at.X, Y: before}, at)
	}
	if n := len(on); n > 0 {
		f.Corners = append(f.Corners, figure.Point{X: worst(p.spec.X), Y: on[n-1].At[0].Y})
	}
	return f
}

// dominance marks the levels, by panel, that some other dominates.
func (p *plotter) dominance() (map[[2]int32]bool, error) {
	type pair struct{ panel, level, other int32 }
	worse := map[pair]float64{} // p-values that the level is worse than the other in both
	for other := range p.series.Values {
		c := compare.Contrast{Axes: []string{p.spec.Series}, Baseline: p.series.Values[other : other+1], Metrics: []string{p.spec.X, p.spec.Y},
			Over: p.design.Without(dividing(&p.spec)...)}
		comparisons, err := compare.Paired(p.frame, p.design, c)
		if err != nil {
			return nil, err
		}
		for both := range slices.Chunk(comparisons, len(c.Metrics)) {
			x, y := &both[0], &both[1]
			worse[pair{p.panelAt(x.By, x.Point), int32(p.series.Of(x.Level[0])), int32(other)}] = max(p.worse(x), p.worse(y))
		}
	}
	families := map[int32][]float64{}
	for at, v := range worse {
		// Of two that are held against each other at most one is worse: that is one test.
		if reverse, ok := worse[pair{at.panel, at.other, at.level}]; ok && at.level < at.other {
			families[at.panel] = append(families[at.panel], min(v, reverse))
		}
	}
	told := map[[2]int32]bool{}
	for panel, ps := range families {
		family := stats.NewFamily(ps)
		for at, v := range worse {
			if at.panel == panel && family.Adjusted(v) < 1-p.design.Confidence {
				told[[2]int32{panel, at.level}] = true
			}
		}
	}
	return told, nil
}

// worse is the p-value that the level is worse than its baseline; NaN where there is no verdict, as where pairs are lost.
func (p *plotter) worse(c *compare.Comparison) float64 {
	switch {
	case math.IsNaN(c.P) || c.Lost > 0:
		return math.NaN()
	case p.design.Better[c.Metric] == "higher":
		return c.Tested.PBelow(0)
	default:
		return c.Tested.PAbove(0)
	}
}

func (p *plotter) panelAt(axes []string, values []frame.Value) int32 {
	return codeAt(axes, values, p.spec.Rows, &p.rows)*int32(len(p.panels.Values)) + codeAt(axes, values, p.spec.Panels, &p.panels)
}

// codeAt is the code of one of the axes, 0 where it is none of them.
func codeAt(axes []string, values []frame.Value, axis string, l *frame.Levels) int32 {
	if i := slices.Index(axes, axis); i >= 0 {
		return int32(l.Of(values[i]))
	}
	return 0
}
