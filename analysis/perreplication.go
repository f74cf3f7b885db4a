package analysis

import (
	"fmt"
	"math"
	"slices"

	"schedsweep/analysis/stats"
)

// Columns of the frame that [TrendsByReplication] makes.
const (
	SlopeColumn      = "slope"
	InterceptColumn  = "intercept"
	ResidualSDColumn = "residual_sd"
	R2Column         = "r2"
)

// TrendsByReplication fits the line within each replication of each group and returns them as rows: the axes of By, the
// replication, slope, intercept, residual_sd and r2 (NaN where the points do not suffice), with the design of that frame.
// [Summarise] and [Compare] then say whether one slope, or one spread around the trend, exceeds another on the same
// workloads. Failed instances leave their points out of the line; see [Trends] for their number.
func TrendsByReplication(f *Frame, d Design, t TrendSpec) (*Frame, Design, error) {
	d, err := d.resolved(f)
	if err == nil && d.Replication == "" {
		err = fmt.Errorf("the design has no replication column")
	}
	if t.By == nil {
		t.By = d.without(t.X)
	}
	for _, by := range t.By {
		if err == nil && !slices.Contains(d.Axes, by) {
			err = fmt.Errorf("%q is no axis of the design", by)
		}
	}
	if err != nil {
		return nil, Design{}, fmt.Errorf("trend of %q over %q by replication: %w", t.Y, t.X, err)
	}
	x, errX := f.needNumbers("x", t.X)
	if errX != nil {
		return nil, Design{}, fmt.Errorf("trend by replication: %w", errX)
	}
	y, errY := f.needNumbers("y", t.Y)
	if errY != nil {
		return nil, Design{}, fmt.Errorf("trend by replication: %w", errY)
	}
	by := append(slices.Clone(t.By), d.Replication)
	groups := groupBy(f, by, d.Order).groups
	fits := make([][]float64, 4)
	ok := d.ok(f)
	for _, g := range groups {
		var points []stats.XY
		for _, row := range g.rows {
			if ok == nil || ok[row] {
				points = append(points, stats.XY{X: x.Numbers[row], Y: y.Numbers[row]})
			}
		}
		l := stats.FitLine(points)
		for i, v := range []float64{l.Slope, l.Intercept, l.ResidualSD, l.R2} {
			fits[i] = append(fits[i], v)
		}
	}
	var columns []Column
	for i, name := range by {
		columns = append(columns, columnOf(f.Column(name), groups, i))
	}
	units := []string{slopeUnit(y.Unit, x.Unit), y.Unit, y.Unit, ""}
	metrics := []string{SlopeColumn, InterceptColumn, ResidualSDColumn, R2Column}
	for i, name := range metrics {
		columns = append(columns, NumberColumn(name, units[i], fits[i]))
	}
	out, err := NewFrame(columns...)
	if err != nil {
		return nil, Design{}, fmt.Errorf("trend by replication: %w", err)
	}
	return out, Design{Axes: t.By, Replication: d.Replication, Metrics: metrics, Order: d.Order, Confidence: d.Confidence, Quantiles: d.Quantiles}, nil
}

// columnOf holds the i-th value of the keys of groups, in the form of the column that they came from.
func columnOf(from *Column, groups []group, i int) Column {
	if from.IsText() {
		texts := make([]string, len(groups))
		for k, g := range groups {
			texts[k] = g.key[i].Text
		}
		c := TextColumn(from.Name, texts)
		for k, g := range groups {
			if g.key[i].IsNull {
				c.Codes[k] = -1
			}
		}
		return c
	}
	numbers := make([]float64, len(groups))
	for k, g := range groups {
		numbers[k] = g.key[i].Number
		if g.key[i].IsNull {
			numbers[k] = math.NaN()
		}
	}
	return NumberColumn(from.Name, from.Unit, numbers)
}
