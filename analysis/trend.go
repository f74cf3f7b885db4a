package analysis

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"schedsweep/analysis/stats"
)

// TrendSpec asks for the least-squares line of a metric over a numeric column.
type TrendSpec struct {
	X, Y string
	// By are the axes that are fixed for each line; nil means all but X. Axes that are neither fixed nor X are pooled, and
	// a warning says so.
	By []string
}

// Trend is one line through all instances of a group, all replications.
type Trend struct {
	TrendSpec
	Point        []Value // the values of By
	XUnit, YUnit string
	Counts
	stats.Line
	SlopeInterval stats.Interval
	// ReplicationSlope is the mean over replications of the slope within each, with Student's interval. Instances of one
	// replication share their workload; this interval stays right where that makes the residuals of a replication alike.
	// Where points have unequal numbers of replications it is about those that all points of the line have. NaN without a replication column or where no replication has two abscissas.
	ReplicationSlope stats.Interval
}

// Trends fits one line to each group. Groups come in the order of the values of By.
func Trends(f *Frame, d Design, t TrendSpec) ([]Trend, error) {
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
	ok := d.ok(f)
	var replication levels
	if d.Replication != "" {
		replication = levelsOf(f.Column(d.Replication), nil)
	}
	var out []Trend
	for _, g := range groupBy(f, t.By, d.Order).groups {
		r := Trend{TrendSpec: t, Point: g.key, XUnit: x.Unit, YUnit: y.Unit, Counts: counted(g.rows, ok, -1)}
		points := make([]stats.XY, 0, len(g.rows))
		within := make([][]stats.XY, len(replication.values))
		for _, row := range g.rows {
			if ok == nil || ok[row] {
				p := stats.XY{X: x.Numbers[row], Y: y.Numbers[row]}
				points = append(points, p)
				if len(within) > 0 {
					code := replication.codes[row]
					within[code] = append(within[code], p)
				}
			}
		}
		r.Line = stats.FitLine(points)
		r.SlopeInterval = r.Line.SlopeInterval(d.Confidence)
		r.Warnings = append(r.Counts.warnings(), r.Warnings...)
		if d.PlannedOf != nil {
			if lost, of := removePartial(within, g.rows, replication); lost > 0 {
				r.Warnings = append(r.Warnings, stats.Warnf(stats.Unpaired, lost, "the slope by replication leaves out %d of %d replications, which not all points have", lost, of))
			}
		}
		r.ReplicationSlope = slopes(within).MeanInterval(d.Confidence)
		if names := differing(f, g.rows, pooled); len(names) > 0 {
			r.Warnings = append(r.Warnings, stats.Warnf(stats.Pooled, len(g.rows), "rows that differ in %s are in one line", commas(names)))
		}
		out = append(out, r)
	}
	return out, nil
}

// removePartial empties the replications that have fewer rows than others, and tells how many these are and of how many that
// have rows: their slopes would be of another range of x.
func removePartial(within [][]stats.XY, rows []int32, replication levels) (lost, of int) {
	n := make([]int, len(within))
	for _, row := range rows {
		if len(n) > 0 {
			n[replication.codes[row]]++
		}
	}
	for i := range within {
		if n[i] == 0 {
			continue
		}
		if of++; n[i] < slices.Max(n) {
			within[i] = nil
			lost++
		}
	}
	return lost, of
}

// slopes is the sample of the slopes within replications, those that have one.
func slopes(within [][]stats.XY) stats.Sample {
	var s []float64
	for _, points := range within {
		if l := stats.FitLine(points); l.N >= 2 && l.MinX < l.MaxX {
			s = append(s, l.Slope)
		}
	}
	return stats.TakeSample(s)
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
