package frame

import (
	"fmt"
	"math"
	"strconv"

	"schedsweep/analysis/stats"
	"schedsweep/analysis/table"
	"schedsweep/sweep"
	"schedsweep/sweep/params"
)

// Counts holds the number of instances of a statistic.
type Counts struct {
	Planned Amount
	OK      int // ended well
	Failed  int // ended otherwise; in no statistic
}

// Amount is a number of instances that may be unknown, as its zero value is.
type Amount struct {
	N     int
	Known bool
}

// Exactly returns a known number.
func Exactly(n int) Amount { return Amount{n, true} }

// Count splits the rows of a group by outcome.
func Count(rows []int32, ok []bool, planned Amount) Counts {
	c := Counts{Planned: planned}
	for _, r := range rows {
		if ok == nil || ok[r] {
			c.OK++
		}
	}
	c.Failed = len(rows) - c.OK
	return c
}

// Lost tells of failed and missing instances.
func (c Counts) Lost() []stats.Warning {
	var ws []stats.Warning
	if c.Failed > 0 {
		ws = append(ws, stats.Warnf(stats.Failed, "%d of %d instances failed and are in no statistic", c.Failed, c.OK+c.Failed))
	}
	if missing := c.Planned.N - c.OK - c.Failed; c.Planned.Known && missing > 0 {
		ws = append(ws, stats.Warnf(stats.Missing, "%d of %d planned instances have no row yet", missing, c.Planned.N))
	}
	return ws
}

// Gather takes the values of the rows that ended well.
func Gather(rows []int32, ok []bool, from func(row int32) float64) (values []float64) {
	for _, r := range rows {
		if ok == nil || ok[r] {
			values = append(values, from(r))
		}
	}
	return values
}

// CountColumns head the cells of [CountCells].
func CountColumns() []table.Column {
	return []table.Column{{Name: "done", Head: "ok/planned", ReadOnly: true, Extra: true}, table.CSVOnly("planned"), table.CSVOnly("ok"),
		{Name: "failed", Extra: true}}
}

// CountCells returns the cells with the number of instances of a row.
func CountCells(c Counts) []table.Cell {
	done, planned := strconv.Itoa(c.OK), table.Number(math.NaN(), 0)
	if c.Planned.Known {
		done += "/" + strconv.Itoa(c.Planned.N)
		planned = table.Count(c.Planned.N)
	}
	return []table.Cell{table.Text(done), planned, table.Count(c.OK), table.Count(c.Failed)}
}

// PlannedColumn is the column of [PlannedPoints] that has the number of replications of each point.
const PlannedColumn = "replications"

// PlannedPoints is a frame of the points of a manifest, the axes and PlannedColumn its columns: what a run holds when it is
// whole. O(points).
func PlannedPoints(m *sweep.Manifest) (*Frame, error) {
	plan, err := m.Plan()
	if err != nil {
		return nil, fmt.Errorf("analysis: %w", err)
	}
	axes := plan.Axes()
	numbers, texts := make([][]float64, len(axes)), make([][]string, len(axes))
	null := make([][]bool, len(axes))
	var in sweep.Instance
	var replications []float64
	for i := 0; i < plan.Len(); i += in.Replications {
		plan.At(i, &in)
		replications = append(replications, float64(in.Replications))
		for k, v := range in.Values {
			value := ValueOf(v)
			null[k] = append(null[k], value.IsNull)
			if axes[k].Type == params.Float || axes[k].Type == params.Int {
				numbers[k] = append(numbers[k], value.Number)
			} else {
				texts[k] = append(texts[k], value.Text)
			}
		}
	}
	columns := make([]Column, len(axes))
	for k, a := range axes {
		if numbers[k] != nil {
			columns[k] = NumberColumn(a.Path, a.Unit, numbers[k])
			continue
		}
		columns[k] = TextColumn(a.Path, texts[k])
		for i, is := range null[k] {
			if is {
				columns[k].Codes[i] = -1
			}
		}
	}
	f, err := NewFrame(append(columns, NumberColumn(PlannedColumn, "", replications))...)
	if err != nil {
		return nil, fmt.Errorf("analysis: %w", err)
	}
	return f, nil
}
