package analysis

import (
	"strings"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/analysis/table"
)

// Controls are properties of the workloads of rows, which no policy changes: control variates of means.
type Controls struct {
	Names  []string
	Values [][]float64 // of each row of the frame, in the order of Names
	// Beyond has for each row the properties of further draws of its workload, which nobody plays. The rows of a point
	// share them.
	Beyond [][][]float64
}

// controlsTable has beside each plain mean the one by controls; nil where there are none.
func controlsTable(f *frame.Frame, d frame.Design, c *Controls) (*table.Table, error) {
	if c == nil {
		return nil, nil
	}
	t := &table.Table{ID: "controls", Title: "Means by the controls " + strings.Join(c.Names, ", ")}
	t.Columns = append(axisColumns(d, d.Axes), table.Column{Name: "metric"}, table.Column{Name: "unit"}, table.Column{Name: "n"},
		table.Column{Name: "mean", Head: "plain mean"}, low(d, "mean"), high(d, "mean"),
		table.Column{Name: "controlled", Head: "controlled"}, low(d, "controlled"), high(d, "controlled"), table.CSVOnly("interval"),
		table.Column{Name: "used", Head: "controls"}, table.Column{Name: "df"}, table.Column{Name: "draws"}, table.Column{Name: "r2", Head: "R²"}, table.Column{Name: "gain"})
	replications := newReplicated(f, &d)
	err := f.EachGroup(frame.GroupBy(f, d.Axes, d.Order).Groups, d.Metrics, func(g *frame.Group, values frame.ValuesOf) {
		counts := frame.Count(g.Rows, replications.ok, d.PlannedAt(g.Key))
		for k, metric := range d.Metrics {
			var y []float64
			var x [][]float64
			for i, v := range values(k) {
				if row := g.Rows[i]; stats.Finite(v) && (replications.ok == nil || replications.ok[row]) {
					y, x = append(y, v), append(x, c.Values[row])
				}
			}
			draws := c.Beyond[g.Rows[0]]
			var controlled stats.Controlled
			warnings := counts.Lost()
			if replications.distinct(g.Rows) == len(g.Rows) {
				controlled = stats.Control(y, x, draws)
			} else {
				controlled = stats.Control(nil, nil, nil)
				warnings = append(warnings, stats.Warnf(stats.Duplicate, "rows repeat a replication of this point: no controls"))
			}
			switch less := len(c.Names) - controlled.Used; {
			case len(y) > 0 && controlled.DF < 2:
				warnings = append(warnings, stats.Warnf(stats.TooFew, "too few replications for %d controls: at least %d", max(controlled.Used, 1), max(controlled.Used, 1)+3))
			case less > 0 && len(y) > 0:
				warnings = append(warnings, stats.Warnf(stats.Degenerate, "%d of %d controls do not vary here, or say what those before them do", less, len(c.Names)))
			}
			plain := stats.TakeSample(y).MeanInterval(d.Confidence)
			dec := table.Decimals(plain.HalfWidth())
			unit := f.Head(metric).Unit
			cells := append(pointCells(d, d.Axes, g.Key), table.Text(metric), table.Text(table.Dash(unit)), table.Count(len(y)))
			cells = append(append(cells, table.IntervalCells(plain, dec)...), table.IntervalCells(controlled.Interval(d.Confidence), dec)...)
			cells = append(cells, table.Text(string(controlled.Rule)), table.Count(controlled.Used), table.Count(controlled.DF), table.Count(len(draws)), table.Number(controlled.R2, 3), table.Number(controlled.Gain, 3))
			t.Add(table.Row{Cells: cells, Notes: notes(warnings)})
		}
	})
	return t, err
}
