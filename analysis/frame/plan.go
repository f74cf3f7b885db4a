package frame

import (
	"fmt"

	"schedsweep/sweep"
	"schedsweep/sweep/params"
)

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
