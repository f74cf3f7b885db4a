package analysis

import (
	"fmt"
	"math"
	"slices"

	"schedsweep/analysis/compare"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/table"
	"schedsweep/sweep/text"
)

func (r *Result) ofKnobs(metrics []string) []*table.Table {
	var tables []*table.Table
	for _, m := range metrics {
		list := slices.DeleteFunc(slices.Clone(r.Sensitivities), func(s compare.Sensitivity) bool { return s.Metric != m })
		if len(list) == 0 {
			continue
		}
		t := sensitivityTable(r.Design, list, false)
		if t.ID, t.Title = m, m; list[0].Unit != "" {
			t.Title += " (" + list[0].Unit + ")"
		}
		t.Title += ": " + text.Counted(list[0].Replications, "replication")
		if n := list[0].Units; n > 0 {
			t.Title += fmt.Sprintf(", %d %s", n, map[bool]string{true: "trajectories", false: "scrambles"}[r.Design.Sample.Design.Steps != nil])
		}
		tables = append(tables, t)
	}
	return tables
}

// sensitivityTable has one row a point, metric and knob, those of a metric by size; named has columns of the metric.
func sensitivityTable(d frame.Design, list []compare.Sensitivity, named bool) *table.Table {
	t := &table.Table{ID: "sensitivity", Title: "Sensitivity"}
	t.Columns = axisColumns(d, list[0].By)
	if named {
		t.Columns = append(t.Columns, table.Column{Name: "metric"}, table.Column{Name: "unit"})
	}
	t.Columns = append(t.Columns, table.Column{Name: "knob", Key: true})
	for _, m := range list[0].Moments {
		t.Columns = append(t.Columns, table.Column{Name: m.Name, Head: frame.Words(m.Name)})
		if named {
			t.Columns = append(t.Columns, low(d, m.Name), high(d, m.Name))
		}
	}
	t.Columns = append(t.Columns, table.Column{Name: "noise", CSVOnly: math.IsNaN(list[0].Noise)}, table.CSVOnly("units"),
		table.CSVOnly("replications"))
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].Metric == list[0].Metric && slices.EqualFunc(list[n].Point, list[0].Point, frame.Value.Equal) {
			n++
		}
		for _, s := range compare.BySize(list[:n]) {
			cells := pointCells(d, s.By, s.Point)
			if named {
				cells = append(cells, table.Text(s.Metric), table.Text(table.Dash(s.Unit)))
			}
			cells = append(cells, table.Text(s.Knob))
			decimals := func(m compare.Moment) int { // digits below six of the effect are rounding
				return table.Decimals(max(m.HalfWidth(), 1e-5*math.Abs(s.Moments[0].Estimate)))
			}
			for _, m := range s.Moments {
				of := table.IntervalCells(m.Interval, decimals(m))
				if !named {
					of[0].Aside = asideInterval(m.Interval, 1, of[0].Decimals)
					of = of[:1]
				}
				cells = append(cells, of...)
			}
			cells = append(cells, table.Number(s.Noise, decimals(s.Moments[0])), table.Count(s.Units), table.Count(s.Replications))
			t.Rows = append(t.Rows, table.Row{Cells: cells, Notes: notes(s.Warnings)})
		}
		list = list[n:]
	}
	return t
}
