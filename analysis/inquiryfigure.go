package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/plot"
	"schedsweep/analysis/question"
	"schedsweep/analysis/stats"
	"schedsweep/analysis/table"
)

// figure shows the curves on which a question finds its place, or the replications of candidates; nil where there is one point.
func (q *Inquired) figure() *plot.Drawing {
	if len(q.Points) < 2 {
		return nil
	}
	f := &figure.Figure{ID: "question-" + q.ID, Title: q.ID, Caption: q.String() + "."}
	if q.Chosen >= 0 {
		q.drawCurves(f)
	} else {
		q.drawReplications(f)
	}
	return &plot.Drawing{Figure: f}
}

func (q *Inquired) drawReplications(f *figure.Figure) {
	f.Title += ": where the instances are"
	f.X.Label, f.Y = q.Asked.Among, figure.Axis{Label: "replications", Zero: true}
	bars := &figure.Bars{}
	for _, p := range q.Points {
		f.X.Categories = append(f.X.Categories, q.SideName(p.Side))
		bars.At = append(bars.At, figure.Point{X: float64(len(bars.At)), Y: float64(p.Replications)})
	}
	f.Panels = []figure.Panel{{Marks: []figure.Mark{bars}}}
}

// drawCurves draws the mean of the metric along the axis on which the place is, for each side, with the bound and the interval
// of the place.
func (q *Inquired) drawCurves(f *figure.Figure) {
	f.X = figure.Axis{Label: q.axisName(q.Chosen), Unit: q.axes[q.Chosen].Unit}
	if q.Asked.X != "" {
		f.X = figure.Axis{Label: frame.Words(q.Asked.X), Unit: q.units[q.Asked.X]}
	}
	f.Y = figure.Axis{Label: frame.Words(q.Asked.Metric), Unit: q.units[q.Asked.Metric], Log: q.Asked.Scale == "log"}
	f.Title += ": " + f.Y.Label + " over " + f.X.Label
	var marks []figure.Mark
	if q.Kind == "threshold" {
		marks = append(marks, &figure.Reference{Y: q.Asked.AtMost + q.Asked.AtLeast, Label: q.bound()})
	}
	first, last := math.Inf(1), math.Inf(-1)
	for _, p := range q.Points {
		if q.Question.Sides[p.Side][q.Chosen].Null {
			first, last = min(first, q.place(p)), max(last, q.place(p))
		}
	}
	least, most, hidden := math.MaxInt, 0, false
	for side, values := range q.Question.Sides {
		name, by := cmp.Or(q.SideName(side), f.X.Label), 1.0
		if side == 1 {
			name, by = table.Dash(q.target()), 1+q.Asked.Growth
		}
		line, band := &figure.Line{Series: side, Name: "mean"}, &figure.Band{Series: side}
		f.Series = append(f.Series, name)
		for i, p := range q.Points {
			if p.Side != side {
				continue
			}
			least, most = min(least, p.Replications), max(most, p.Replications)
			x, y := q.place(p), q.Means[i].Y
			y.Estimate, y.Low, y.High = by*y.Estimate, by*y.Low, by*y.High
			better := func(o question.Demand) bool {
				return o.Side == side && o.Replications > p.Replications && math.Abs(q.place(o)-x) < (last-first)/100
			}
			switch {
			case !values[q.Chosen].Null: // one point, which all of the axis is compared with
				marks = append(marks, &figure.Reference{Y: y.Estimate, Label: name, N: p.Replications})
				band.Spans = append(band.Spans, figure.Span{X: first, Low: y.Low, High: y.High}, figure.Span{X: last, Low: y.Low, High: y.High})
				band.N = append(band.N, p.Replications, p.Replications)
			case slices.ContainsFunc(q.Points, better):
				hidden = true
			default:
				line.At, line.N = append(line.At, figure.Point{X: x, Y: y.Estimate}), append(line.N, p.Replications)
				band.Spans, band.N = append(band.Spans, figure.Span{X: x, Low: y.Low, High: y.High}), append(band.N, p.Replications)
			}
		}
		if marks = append(marks, band); len(line.At) > 0 {
			marks = append(marks, line)
		}
	}
	f.Caption += fmt.Sprintf(" Means over %s replications; band: 95 %% confidence interval.", table.Span(least, most))
	if hidden {
		f.Caption += " Points closer than 1 % of the range to one with more replications are not drawn."
	}
	if ends, what := q.ends(); len(ends) > 0 {
		marks = append(marks, &figure.Rules{X: ends})
		f.Caption += " Dotted: " + what + "."
	}
	f.Panels = []figure.Panel{{Marks: marks}}
	if f.NotDrawn() > 0 {
		f.Caption += " Means that are undefined, or 0 on a logarithmic axis, are not drawn."
	}
}

// place returns the position of a point on the horizontal axis: if x is a metric, its mean of the first side, NaN without a row.
func (q *Inquired) place(p question.Demand) float64 {
	if q.Asked.X == "" {
		return p.At
	}
	if k := slices.IndexFunc(q.Points, func(o question.Demand) bool { return o.Side == 0 && o.At == p.At }); k >= 0 {
		return q.Means[k].X
	}
	return math.NaN()
}

// ends are the known bounds of the place, and their meaning.
func (q *Inquired) ends() (at []float64, what string) {
	switch {
	case q.State == question.None:
		return nil, ""
	case q.State == question.Several:
		for _, p := range q.Places {
			at = append(at, p[:]...)
		}
		return at, "the values between which the crossings are"
	case stats.Finite(q.Estimate) && (stats.Finite(q.Low) || stats.Finite(q.High)):
		at, what = []float64{q.Low, q.High}, "the ends of the answer's interval"
		if q.State == question.Open || q.State == question.Undecided {
			what = "the ends of the interval so far"
		}
	default:
		at, what = q.Bracket[:], "the values between which a crossing may be"
	}
	return slices.DeleteFunc(slices.Clone(at), func(v float64) bool { return !stats.Finite(v) }), what
}
