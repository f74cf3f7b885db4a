package plot

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

func init() {
	Add(Kind{
		FigureKind: study.FigureKind{
			Name: "parallel", Params: ParallelParams{},
			Doc:     "parallel coordinates: a line for each point of the sweep, across all axes to the mean of x, a metric; grey if not selected",
			Without: []string{"y", "y_scale", "y_label", "x_limits", "y_limits", "scales", "published"}, Check: checkParallel,
		},
		Prepare: func(p *plotter, _ any) error { p.grouped = true; return nil },
		Draw:    drawParallel,
	})
}

// ParallelParams are the fields of parallel coordinates.
type ParallelParams struct {
	Means []float64 `sweep:"means" doc:"the two ends between which means are selected, in the unit of x; all when empty"`
}

func checkParallel(c *study.FigureCheck) {
	if m := c.Params.(*ParallelParams).Means; len(m) > 0 && (len(m) != 2 || !(m[0] < m[1])) {
		c.Refuse("means", "give two numbers, the lower one first", "means %v is no range", m)
	}
	c.NotByClass()
	if !c.IsMetric(c.X) && c.IsAxis(c.X) {
		c.Refuse("x", "give the metric; all axes are drawn", "a %s is of a metric, and %s is an axis", c.Kind, c.X)
	}
}

// mostTracks is the most lines that a figure draws: readers cannot follow more, and they take time to draw.
const mostTracks = 1000

// track is a point of the sweep: one of its rows, and its mean.
type track struct {
	row  int32
	mean float64
	n    int // the replications behind it
}

func drawParallel(p *plotter, params any) error {
	means := params.(*ParallelParams).Means
	over, levels := p.coordinates()
	made := ofPlace(p, func(series int) *figure.Tracks { return &figure.Tracks{Series: series, Over: over} })
	of := func(panel, series int, t track) {
		m := made(int32(panel), int32(series))
		line := make([]float64, len(over.Axes))
		for i, l := range levels {
			if line[i] = float64(l.Codes[t.row]); len(over.Axes[i].Categories) == 0 {
				line[i] = l.Values[l.Codes[t.row]].Number
			}
		}
		line[len(levels)] = t.mean
		m.Lines, m.N = append(m.Lines, line), append(m.N, t.n)
	}
	origin := func(row int32) int32 { return row }
	if p.chosen != nil {
		origin = func(row int32) int32 { return p.chosen[row] }
	}
	var shown, others []track
	low, high := math.Inf(1), math.Inf(-1)
	is := make([]bool, p.whole.Rows)
	for _, g := range frame.GroupBy(p.frame, p.design.Axes, p.design.Order).Groups {
		t := track{row: origin(g.Rows[0]), mean: math.NaN()}
		for _, r := range g.Rows {
			is[origin(r)] = true
		}
		var y stats.Sample
		if !p.isUnstable(p.frame, p.ok, g.Rows) {
			if y = p.sample(g.Rows, p.y); y.N() > 0 {
				t.mean, t.n = y.Mean(), y.N()
			}
		}
		if len(means) > 0 && !(t.mean >= means[0] && t.mean <= means[1]) {
			others = append(others, t)
			continue
		}
		if !math.IsNaN(t.mean) {
			p.repeated(p.spec.Y, g.Rows)
			p.lineN.see(y.N())
		}
		shown = append(shown, t)
		p.selected = append(p.selected, text.Each(g.Rows, origin)...)
	}
	others = append(others, p.leftOut(is)...)
	metric, lacking := &over.Axes[len(levels)], false
	for _, t := range slices.Concat(shown, others) {
		if lacking = lacking || math.IsNaN(t.mean); metric.Possible(t.mean) {
			low, high = min(low, t.mean), max(high, t.mean)
		}
	}
	metric.Low, metric.High = low, high
	metric.Levels = levelsBetween(low, high, metric.Log)
	rows, panels := p.placesOf(p.whole, p.spec.Rows, &p.rows), p.placesOf(p.whole, p.spec.Panels, &p.panels)
	series := p.placesOf(p.whole, p.spec.Series, &p.series)
	for _, t := range p.fewer(others) {
		if rows[t.row] >= 0 && panels[t.row] >= 0 {
			of(rows[t.row]*len(p.panels.Values)+panels[t.row], -1, t)
		}
	}
	for _, t := range p.fewer(shown) {
		of(rows[t.row]*len(p.panels.Values)+panels[t.row], series[t.row], t)
	}
	for i := range p.figure.Panels {
		p.addTo(int32(i), over)
	}
	says := "Lines: points of the sweep, to their means over replications"
	if p.lineN.most > 0 {
		says += ", " + p.lineN.String()
	}
	if lacking {
		says += "; a line that ends early has no mean"
	}
	if len(others) > 0 {
		says += "; grey: not selected"
	}
	p.said = append(p.said, says)
	return nil
}

// leftOut are the points of the sweep without any row that the figure selects.
func (p *plotter) leftOut(selected []bool) (out []track) {
	if p.chosen == nil {
		return nil
	}
	all, c := frame.NewReplications(p.whole, &p.design), p.whole.Column(p.spec.X)
	for _, g := range frame.GroupBy(p.whole, p.design.Axes, p.design.Order).Groups {
		if slices.ContainsFunc(g.Rows, func(r int32) bool { return selected[r] }) {
			continue
		}
		t := track{row: g.Rows[0], mean: math.NaN()}
		if values, _ := all.Values(g.Rows, c.Number); !p.isUnstable(p.whole, all.OK, g.Rows) {
			t.mean = stats.TakeSample(values).Mean()
		}
		out = append(out, t)
	}
	return out
}

// levelsBetween are about 32 round numbers between two means, and around them, for a reader to choose among.
func levelsBetween(low, high float64, log bool) (all []figure.Level) {
	const steps = 32
	step := math.Pow(10, math.Floor(math.Log10((high-low)/steps)))
	for _, by := range []float64{5, 2} {
		if (high-low)/(step*by) >= steps/2 {
			step *= by
			break
		}
	}
	if !(low < high) || step == 0 {
		return nil
	}
	add := func(v float64) {
		text := strconv.FormatFloat(v, 'g', 12, 64)
		all = append(all, figure.Level{Text: text, Place: min(max(v, low), high)})
	}
	if log {
		for i := range steps + 1 {
			digits := math.Pow(10, math.Floor(math.Log10(low))-3)
			v := low * math.Pow(high/low, float64(i)/steps)
			switch i {
			case 0:
				v = math.Floor(v/digits) * digits
			case steps:
				v = math.Ceil(v/digits) * digits
			default:
				v = math.Round(v/digits) * digits
			}
			add(v)
		}
		return all
	}
	first := math.Floor(low / step)
	for i := range int(math.Ceil(high/step)-first) + 1 { // counted, as first + 1 may round to first
		add((first + float64(i)) * step)
	}
	return all
}

// fewestScaled is from how many numbers on the values of an axis are on a scale. Fewer are at equal distances.
const fewestScaled = 13

// coordinates are the axes that vary within a panel, and the metric behind them; levels are those of all rows, on each.
func (p *plotter) coordinates() (over *figure.Coordinates, levels []frame.Levels) {
	over = &figure.Coordinates{}
	var names []string
	for _, axis := range p.design.Axes {
		c := p.whole.Column(axis)
		l := frame.LevelsOf(c, p.design.Order[axis])
		if len(l.Values) < 2 || axis == p.spec.Panels || axis == p.spec.Rows {
			continue
		}
		title := label("", axis, p.design.Axes)
		o := figure.Coordinate{Axis: figure.Axis{Label: title, Unit: c.Unit}}
		named := slices.ContainsFunc(l.Values, func(v frame.Value) bool { return v.IsText || v.Label != "" || v.IsNull })
		scaled := len(l.Values) >= fewestScaled && !named
		for i, v := range l.Values {
			at := figure.Level{Text: v.String(), Place: float64(i)}
			if scaled {
				at.Place = v.Number
			} else if !named {
				o.Values = append(o.Values, v.Number)
			}
			o.Levels = append(o.Levels, at)
		}
		switch {
		case scaled:
			o.Low, o.High = l.Values[0].Number, l.Values[len(l.Values)-1].Number
		case named:
			o.Unit, o.Categories = "", frame.Printed(l.Values)
		default:
			o.Unit, o.Categories = "", numbersOf(l, c.Unit)
		}
		maps.Copy(p.figure.Written, p.design.Written[axis])
		p.figure.Written[axis] = title
		names, levels, over.Axes = append(names, axis), append(levels, l), append(over.Axes, o)
	}
	x := p.figure.X
	over.Axes = append(over.Axes, figure.Coordinate{Axis: figure.Axis{Label: x.Label, Unit: x.Unit, Log: x.Log}})
	p.figure.Bare, p.figure.Y = true, figure.Axis{}
	title := "Axes of the sweep, and " + cmp.Or(p.spec.XLabel, frame.Words(p.spec.X))
	p.figure.X = figure.Axis{Label: title, Categories: append(names, p.spec.X)}
	return over, levels
}

// fewer are lines that are few enough, evenly chosen from the lowest mean to the highest.
func (p *plotter) fewer(all []track) []track {
	if len(all) <= mostTracks {
		return all
	}
	slices.SortStableFunc(all, func(a, b track) int { return cmp.Compare(a.mean, b.mean) })
	out := make([]track, mostTracks)
	for i := range out {
		out[i] = all[i*(len(all)-1)/(mostTracks-1)]
	}
	p.remark(stats.Warnf(stats.NotDrawn, "%d of %d lines are drawn, evenly chosen from the lowest mean to the highest", mostTracks, len(all)))
	return out
}
