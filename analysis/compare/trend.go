package compare

import (
	"errors"
	"fmt"
	"slices"

	"schedsweep/analysis/claim"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

// Trend is one trendline through the instances of a group.
type Trend struct {
	study.Trend
	Point        []frame.Value // the values of By
	XUnit, YUnit string
	frame.Counts
	claim.Fitted
}

// Trends fits one line to each group. Groups come in the order of the values of By. Each says how many instances of the whole run have no
// row yet.
func Trends(f *frame.Frame, d frame.Design, t study.Trend) ([]Trend, error) {
	d, err := d.Resolved(f)
	if err != nil {
		return nil, fmt.Errorf("trend: %w", err)
	}
	x, errX := f.NeedNumbers("x", t.X)
	y, errY := f.NeedNumbers("y", t.Y)
	errs := []error{errX, errY}
	for _, by := range t.By {
		if !slices.Contains(d.Axes, by) {
			errs = append(errs, fmt.Errorf("%q is no axis of the design", by))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("trend of %q over %q: %w", t.Y, t.X, err)
	}
	if t.By == nil {
		t.By = d.Without(t.X)
	}
	pooled := f.Columns(d.Without(append(slices.Clone(t.By), t.X)...))
	fitter, ok := claim.NewFitter(f, d), d.Answered(f)
	var missing []stats.Warning
	for _, w := range frame.Count(frame.Every(f), ok, d.PlannedTotal).Lost() {
		if w.Code == stats.Missing {
			missing = append(missing, stats.Warnf(stats.Missing, "of the whole run, %s", w))
		}
	}
	var out []Trend
	for _, g := range frame.GroupBy(f, t.By, d.Order).Groups {
		r := Trend{Trend: t, Point: g.Key, XUnit: x.Unit, YUnit: y.Unit, Counts: frame.Count(g.Rows, ok, frame.Amount{}),
			Fitted: fitter.Fit(g.Rows, x, y, t.Fit)}
		r.Warnings = slices.Concat(missing, r.Counts.Lost(), r.Warnings)
		if names := differing(g.Rows, pooled); len(names) > 0 {
			r.Warnings = append(r.Warnings, stats.Warnf(stats.Pooled, "rows that differ in %s are in one line", frame.List(names)))
		}
		out = append(out, r)
	}
	return out, nil
}

// differing names the columns in which the rows do not all agree.
func differing(rows []int32, columns []*frame.Column) []string {
	var names []string
	for _, c := range columns {
		for _, r := range rows[1:] {
			if frame.Compare(c.At(int(r)), c.At(int(rows[0]))) != 0 {
				names = append(names, c.Name)
				break
			}
		}
	}
	return names
}
