package plot

import (
	"math"
	"slices"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
)

// addLine adds the mean or median of y at each x, or of each point of the sweep where x is a metric.
func (p *plotter) addLine(line func(row int32) *figure.Line) {
	by := p.design.Axes
	if slices.Contains(p.design.Axes, p.spec.X) {
		by = append([]string{p.spec.X}, slices.DeleteFunc(dividing(&p.spec), func(a string) bool { return a == p.spec.X })...)
	}
	band := ofSeries(p, func(series int) *figure.Band { return &figure.Band{Series: series} })
	whiskers := ofSeries(p, func(series int) *figure.Whiskers { return &figure.Whiskers{Series: series, Name: "band"} })
	beyond := ofSeries(p, func(series int) *figure.Beyond { return &figure.Beyond{Series: series, Name: "unstable"} })
	for _, g := range frame.GroupBy(p.frame, by, p.design.Order).Groups {
		row := g.Rows[0]
		y := p.sample(g.Rows, p.y)
		unstable := p.isUnstable(g.Rows)
		if y.N() == 0 && !unstable {
			continue
		}
		x := p.at(row)
		if !slices.Contains(p.design.Axes, p.spec.X) {
			x = p.centre(p.sample(g.Rows, p.x))
			p.stands(row, x, g.Rows)
		}
		if unstable {
			if !math.IsNaN(x) { // else a warning of values that are not finite tells
				m := beyond(row)
				m.X = append(m.X, x)
			}
			continue
		}
		if math.IsNaN(x) {
			p.refer(row, y)
			continue
		}
		p.lineN.see(y.N())
		l := line(row)
		l.At = append(l.At, figure.Point{X: x, Y: p.centre(y)})
		if !p.spec.Band {
			continue
		}
		i := p.interval(g.Rows, y)
		span := figure.Span{X: x, Low: i.Low, High: i.High}
		if p.category != nil {
			w := whiskers(row)
			w.Spans = append(w.Spans, span)
		} else {
			b := band(row)
			b.Spans = append(b.Spans, span)
		}
	}
}

// refer draws a series that does not vary along x, such as a baseline of another block of the sweep, as a labelled
// horizontal line.
func (p *plotter) refer(row int32, y stats.Sample) {
	p.add(row, &figure.Reference{Y: p.centre(y), Label: p.figure.Series[p.series.Codes[row]]})
}

// sample is the values of replications; those that were left out are remembered for a warning.
func (p *plotter) sample(rows []int32, c *frame.Column) stats.Sample {
	values, partial := p.replications.Values(rows, c.Numbers)
	p.partial = max(p.partial, partial)
	return stats.TakeSample(values)
}

// interval is that of what the line shows.
func (p *plotter) interval(rows []int32, y stats.Sample) stats.Interval {
	if p.repeated(rows) || y.N() > 1 && y.Min() == y.Max() && p.agree(rows) {
		p.identical = true
		return stats.NoInterval(p.centre(y))
	}
	if p.spec.Line == lineMedian {
		return y.QuantileInterval(0.5, p.design.Confidence)
	}
	return y.MeanInterval(p.design.Confidence)
}

// repeated tells whether replications played the same jobs, and remarks on those that share some.
func (p *plotter) repeated(rows []int32) bool {
	sharing := p.shares.Of(rows)
	for _, w := range sharing.Remarks() {
		if i := slices.IndexFunc(p.sharing, func(v stats.Warning) bool { return v.Text == w.Text }); i < 0 && len(p.sharing) < mostRemarks {
			p.sharing = append(p.sharing, w)
		}
	}
	return sharing.Same()
}

// agree tells whether the replications of some rows, of which there are several, are the same in every metric.
func (p *plotter) agree(rows []int32) bool {
	var all stats.Agreement
	f, replications := p.frame, p.replications
	if p.unmelted != nil {
		f, replications, rows = p.unmelted, frame.NewReplications(p.unmelted, &p.design), p.frame.Origin(rows)
	}
	for _, m := range p.design.Metrics {
		values, _ := replications.Values(rows, f.Column(m).Numbers)
		all.Add(len(values), func(i int) float64 { return values[i] })
	}
	return !all.Differ
}

func (p *plotter) centre(s stats.Sample) float64 {
	if p.spec.Line == lineMedian {
		return s.Median()
	}
	return s.Mean()
}

// isUnstable tells whether one of the rows is of a run without a steady state.
func (p *plotter) isUnstable(rows []int32) bool {
	if p.design.Unstable == "" {
		return false
	}
	flag := p.frame.Column(p.design.Unstable).Numbers
	return slices.ContainsFunc(rows, func(r int32) bool { return (p.ok == nil || p.ok[r]) && flag[r] == 1 })
}

// ownX tells whether the sweep varies x over another range in each panel, so that one scale for all would squeeze some.
func (p *plotter) ownX() bool {
	if p.category != nil || len(p.panels.Values)*len(p.rows.Values) < 2 {
		return false
	}
	first := true
	var low, high float64
	for _, g := range p.ofPanels() {
		s := stats.TakeSample(frame.Gather(g.Rows, nil, p.x.Numbers))
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
