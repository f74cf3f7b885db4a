package plot

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"

	"schedsweep/analysis/compare"
	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

// What a paired figure shows of each pair of means.
const (
	pairedDifference = "difference"
	pairedRatio      = "ratio"
)

func checkPaired(c *study.FigureCheck, m *MeansParams) {
	c.NotByClass()
	if !c.Baseline {
		c.Refuse("paired", "give analysis.baseline", "the figure compares with a baseline, and there is none")
	}
	if !c.IsAxis(c.X) && c.IsMetric(c.X) {
		c.Refuse("x", "draw it over an axis", "paired comparisons have no %s of their own", c.X)
	}
	for _, other := range []struct {
		key   string
		asked bool
	}{{"points", m.Points}, {"trend", m.Trend}, {"band", m.Band}, {"line", m.Line != lineMean}} {
		if other.asked {
			c.RefuseOut(other.key, "a paired figure shows means with their intervals")
		}
	}
	if m.Paired == pairedDifference && c.YScale == logarithmic {
		c.Refuse("y_scale", "draw ratios, or a linear scale", "differences may be negative, which a logarithmic axis cannot show")
	}
}

// PairedFirst sorts figures so that those of paired comparisons come first: they tell levels apart that intervals of means do not.
func PairedFirst(a, b *Drawing) int {
	switch {
	case a.Paired == b.Paired:
		return 0
	case a.Paired:
		return -1
	}
	return 1
}

func prepareMeans(p *plotter, params any) error {
	if params.(*MeansParams).Paired == "" {
		return nil
	}
	if len(p.contrasts) == 0 {
		return errors.New("a paired figure compares with a baseline, and there is none: give analysis.baseline")
	}
	p.contrast = &p.contrasts[0]
	p.ofOneLook()
	return nil
}

// baselineName returns the name of the baseline, that of the legend where the series are its axis, and as people write it.
func (p *plotter) baselineName(c compare.Contrast) (name, written string) {
	if len(c.Axes) == 1 && c.Axes[0] == p.spec.Series {
		if i := p.series.Of(c.Baseline[0]); i >= 0 {
			name = p.figure.Series[i]
			return p.quantity(c.Axes[0], c.Baseline[0], name, cmp.Or(p.figure.Written[name], name))
		}
	}
	key := c.Baseline
	for _, g := range frame.GroupBy(p.frame, c.Axes, p.design.Order).Groups {
		if slices.EqualFunc(g.Key, c.Baseline, frame.Value.Equal) {
			key = g.Key // with labels
		}
	}
	names := frame.Printed(key)
	people := slices.Clone(names)
	for i, n := range names {
		names[i], people[i] = p.quantity(c.Axes[i], key[i], n, cmp.Or(p.design.Written[c.Axes[i]][n], n))
	}
	return frame.List(names), frame.List(people)
}

// quantity names a number of an axis with the axis and its unit, so that its name is that of no number of another axis. Other values keep
// their names.
func (p *plotter) quantity(axis string, v frame.Value, name, written string) (string, string) {
	column := p.frame.Column(axis)
	if column.Categorical() || v.IsText || v.IsNull {
		return name, written
	}
	value := strings.ReplaceAll(figure.Names([]float64{v.Number}, column.Unit)[0], " ", "\u00a0")
	name = frame.Words(frame.AxisName(axis, p.design.Axes)) + " = " + value
	return name, name
}

// mostWhiskers is the number of places on an axis of numbers from which bands tell more than whiskers.
const mostWhiskers = 12

// over are the axes that the figure does not show, nor its contrast, if it has one.
func (p *plotter) over(c *compare.Contrast) []string {
	shown := append(dividing(&p.spec), p.spec.X)
	if c != nil {
		shown = append(shown, c.Axes...)
	}
	return p.design.Without(shown...)
}

// addPaired draws the differences or ratios of the table of comparisons, and a line where there would be none.
func (p *plotter) addPaired(c compare.Contrast, what string) error {
	c.Metrics = []string{p.spec.Y}
	c.Over = p.over(&c)
	all, err := compare.Paired(p.frame, p.design, c)
	var missing *compare.NoBaselineError
	if errors.As(err, &missing) {
		p.pairedWarnings = append(p.pairedWarnings, stats.Warnf(stats.NoBaseline, "%v", err))
		return nil
	}
	if err != nil {
		return err
	}
	baseline, written := p.baselineName(c)
	p.baseline, p.figure.Written[baseline] = written, written
	none := 0.0
	if what == pairedRatio {
		none = 1
		p.figure.Y.Unit = ""
		p.figure.Y.Log = p.logRatios(all)
	}
	if p.spec.YLabel == "" {
		p.figure.Y.Label += ", " + map[string]string{pairedDifference: "difference from ", pairedRatio: "ratio to "}[what] + p.baseline
	}
	banded := p.category == nil && len(p.levelsOf(p.spec.X).Values) > mostWhiskers
	line := ofPlace(p, func(series int) *figure.Line { return &figure.Line{Series: series, Name: what} })
	band := ofPlace(p, func(series int) *figure.Band { return &figure.Band{Series: series, Name: "interval"} })
	whiskers := ofPlace(p, func(series int) *figure.Whiskers { return &figure.Whiskers{Series: series, Name: "interval"} })
	most, lacking := 0, 0
	for _, r := range all {
		p.noted.See(r.Warnings)
		alone := r.Unpaired > 0 && r.Lost == 0
		if alone {
			most, lacking = max(most, r.Unpaired), lacking+1
		}
		for _, w := range r.Warnings {
			known := slices.ContainsFunc(p.pairedWarnings, func(v stats.Warning) bool { return v.Text == w.Text })
			counted := slices.Contains([]stats.Code{stats.Failed, stats.Missing, stats.Drift, stats.Unfinished, stats.OtherJobs,
				stats.LogItself}, w.Code)
			other := w.Code == stats.NearZero && what == pairedDifference // it is about the ratio
			counted = counted || alone && w.Code == stats.Unpaired
			if !counted && !known && !other && len(p.pairedWarnings) < mostRemarks {
				p.pairedWarnings = append(p.pairedWarnings, w)
			}
		}
		interval := r.Difference
		if what == pairedRatio {
			interval = r.Ratio
		}
		axes, values := slices.Concat(c.Axes, r.By), slices.Concat(r.Level, r.Point)
		x := values[slices.Index(axes, p.spec.X)].Number
		if p.category != nil {
			x = float64(codeAt(axes, values, p.spec.X, p.category))
		}
		panel, series := p.panelAt(axes, values), codeAt(axes, values, p.spec.Series, &p.series)
		at := [2]int32{panel, series}
		if r.N == 0 {
			p.empty[at] = append(p.empty[at], x)
			continue
		}
		p.lineN.see(r.N)
		l, span := line(panel, series), figure.Span{X: x, Low: interval.Low, High: interval.High}
		var parting []float64
		if p.category == nil {
			parting = p.empty.before(at, l, x)
		}
		l.At, l.N = append(l.At, figure.Point{X: x, Y: interval.Estimate}), append(l.N, r.N)
		if banded {
			b := band(panel, series)
			for _, x := range parting {
				b.Spans, b.N = append(b.Spans, figure.Span{X: x, Low: math.NaN(), High: math.NaN()}), append(b.N, 0)
			}
			b.Spans, b.N = append(b.Spans, span), append(b.N, r.N)
		} else {
			w := whiskers(panel, series)
			w.Spans, w.N = append(w.Spans, span), append(w.N, r.N)
		}
	}
	if lacking > 0 {
		w := stats.Warnf(stats.Unpaired, "%d of %d comparisons leave out instances without a partner, up to %d of them", lacking, len(all), most)
		p.pairedWarnings, p.saidLast = append(p.pairedWarnings, w), append(p.saidLast, w.Text)
	}
	for i := range p.figure.Panels {
		p.figure.Panels[i].Marks = append(p.figure.Panels[i].Marks, &figure.Reference{Y: none, Label: baseline})
	}
	return nil
}

// logRatios reports whether ratios are on a logarithmic axis: so they are unless the manifest says otherwise or a value
// has no logarithm.
func (p *plotter) logRatios(all []compare.Comparison) bool {
	if p.spec.YScale != study.ScaleAuto {
		return p.spec.YScale == logarithmic
	}
	return !(len(p.spec.YLimits) == 2 && p.spec.YLimits[0] <= 0) &&
		!slices.ContainsFunc(all, func(r compare.Comparison) bool { return r.Ratio.Estimate <= 0 })
}

// withoutBaseline drops the baseline's own value of an axis that is shown by place: it has nothing to be compared with. See placed.
func (p *plotter) withoutBaseline(l frame.Levels, axis string) frame.Levels {
	c := p.contrast
	if c == nil || len(c.Axes) != 1 || c.Axes[0] != axis {
		return l
	}
	rest := frame.Levels{Values: slices.DeleteFunc(slices.Clone(l.Values), func(v frame.Value) bool { return v.Equal(c.Baseline[0]) })}
	for _, at := range rest.Places(l) {
		rest.Codes = append(rest.Codes, int32(at))
	}
	return rest
}

// placed reports whether the figure has a place for the row, as it has none for the baseline's own rows where levels are places.
func (p *plotter) placed(row int32) bool {
	return p.rows.Codes[row] >= 0 && p.panels.Codes[row] >= 0 && (p.category == nil || p.category.Codes[row] >= 0)
}
