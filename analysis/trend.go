package analysis

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

// Trend is one line through all instances of a group, all replications; where points have unequal numbers of them, each
// point weighs the same.
type Trend struct {
	study.Trend
	Point        []Value // the values of By
	XUnit, YUnit string
	Counts
	Fitted
}

// Trends fits one line to each group. Groups come in the order of the values of By.
func Trends(f *Frame, d Design, t study.Trend) ([]Trend, error) {
	d, err := d.resolved(f)
	if err != nil {
		return nil, fmt.Errorf("trend: %w", err)
	}
	x, errX := f.needNumbers("x", t.X)
	y, errY := f.needNumbers("y", t.Y)
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
		t.By = d.without(t.X)
	}
	pooled := poolable(f, d, append(slices.Clone(t.By), t.X))
	fitter, ok := NewFitter(f, d), d.ok(f)
	var out []Trend
	for _, g := range groupBy(f, t.By, d.Order).groups {
		r := Trend{Trend: t, Point: g.key, XUnit: x.Unit, YUnit: y.Unit, Counts: counted(g.rows, ok, -1), Fitted: fitter.Fit(g.rows, x, y)}
		r.Warnings = append(r.Counts.warnings(), r.Warnings...)
		if names := differing(f, g.rows, pooled); len(names) > 0 {
			r.Warnings = append(r.Warnings, stats.Warnf(stats.Pooled, len(g.rows), "rows that differ in %s are in one line", commas(names)))
		}
		out = append(out, r)
	}
	return out, nil
}

// poolable is the axes of the design that are not named: rows may differ in them unseen.
func poolable(f *Frame, d Design, named []string) []*Column {
	var out []*Column
	for _, a := range d.without(named...) {
		out = append(out, f.Column(a))
	}
	return out
}

// differing names the columns in which the rows do not all agree.
func differing(f *Frame, rows []int32, columns []*Column) []string {
	var names []string
	for _, c := range columns {
		for _, r := range rows[1:] {
			if compareValues(c.At(int(r)), c.At(int(rows[0]))) != 0 {
				names = append(names, c.Name)
				break
			}
		}
	}
	return names
}

func commas(names []string) string { return strings.Join(names, ", ") }
