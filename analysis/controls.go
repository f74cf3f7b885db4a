package analysis

import (
	"slices"
	"strings"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/analysis/table"
	"schedsweep/sweep/text"
)

// Controls are properties of the workloads of rows, which no policy changes: control variates of means.
type Controls struct {
	Names  []string
	Values [][]float64 // of each row of the frame, in the order of Names
	// Beyond has for each row the properties of further draws of its workload, which are not simulated. The rows of a point
	// share them.
	Beyond [][][]float64
}

// ControlledMean is the mean of a metric at a point, plain and by controls.
type ControlledMean struct {
	Point        []frame.Value // by the design's axes
	Metric, Unit string
	frame.Counts
	N     int            // replications
	Plain stats.Interval // of the plain mean
	stats.Controlled
	Interval stats.Interval // by the controls
	Draws    int            // further draws of the workload
	Warnings []stats.Warning
}

func controlled(f *frame.Frame, d frame.Design, c *Controls) (means []ControlledMean, err error) {
	replications := frame.NewReplications(f, &d)
	shares, drifts := frame.NewSharers(f, &d, replications), frame.NewDrifts(f, &d, replications)
	err = f.EachGroup(frame.GroupBy(f, d.Axes, d.Order).Groups, d.Metrics, len(d.Metrics), func(g *frame.Group, values frame.ValuesOf) {
		draws, remarks := c.Beyond[g.Rows[0]], shares.Of(g.Rows).Remarks()
		for k, metric := range d.Metrics {
			var y []float64
			var x [][]float64
			for i, v := range values(k) {
				if row := g.Rows[i]; stats.Finite(v) && (replications.OK == nil || replications.OK[row]) {
					y, x = append(y, v), append(x, c.Values[row])
				}
			}
			m := ControlledMean{Point: g.Key, Metric: metric, Unit: f.Head(metric).Unit,
				Counts: frame.Count(g.Rows, replications.OK, d.PlannedAt(g.Key)), N: len(y), Draws: len(draws)}
			m.Warnings = slices.Concat(m.Lost(), remarks, drifts.Of(metric, g.Rows))
			if left := m.OK - len(y); left > 0 {
				m.Warnings = append(m.Warnings, stats.Warnf(stats.NotFinite, "%d of %d values are missing or not finite and were left out, but the "+
					"controls are those of all workloads", left, m.OK))
			}
			if replications.Distinct(g.Rows) == len(g.Rows) {
				m.Controlled = stats.Control(y, x, draws)
			} else {
				m.Controlled = stats.Control(nil, nil, nil)
				m.Warnings = append(m.Warnings, stats.Warnf(stats.Duplicate, "rows repeat a replication of this point: no controls"))
			}
			switch less := len(c.Names) - m.Used; {
			case len(y) > 0 && m.DF < 2:
				m.Warnings = append(m.Warnings, stats.Warnf(stats.TooFew, "too few replications for %s: at least %d",
					text.Counted(max(m.Used, 1), "control"), max(m.Used, 1)+3))
			case less > 0 && len(y) > 0:
				m.Warnings = append(m.Warnings, stats.Warnf(stats.Degenerate, "%d of %d controls do not vary here, or say what those before them do",
					less, len(c.Names)))
			}
			m.Plain, m.Interval = stats.TakeSample(y).MeanInterval(d.Confidence), m.Controlled.Interval(d.Confidence)
			means = append(means, m)
		}
	})
	return means, err
}

func controlsTable(d frame.Design, names []string, means []ControlledMean) *table.Table {
	t := &table.Table{ID: "controls", Title: "Means by the controls " + strings.Join(names, ", ")}
	t.Columns = append(axisColumns(d, d.Axes), table.Column{Name: "metric", Key: true}, table.Column{Name: "unit"}, table.Column{Name: "n"},
		table.Column{Name: "mean", Head: "plain mean"}, low(d, "mean"), high(d, "mean"),
		table.Column{Name: "controlled", Head: "controlled"}, low(d, "controlled"), high(d, "controlled"), table.CSVOnly("interval"),
		table.Column{Name: "used", Head: "controls"}, table.Column{Name: "df"}, table.Column{Name: "draws"},
		table.Column{Name: "r2", Head: "R²"},
		table.Column{Name: "gain"})
	for i := range means {
		m := &means[i]
		dec := table.Decimals(m.Plain.HalfWidth())
		cells := append(pointCells(d, d.Axes, m.Point), table.Text(m.Metric), table.Text(table.Dash(m.Unit)), table.Count(m.N))
		cells = append(append(cells, table.IntervalCells(m.Plain, dec)...), table.IntervalCells(m.Interval, dec)...)
		cells = append(cells, table.Text(string(m.Rule)), table.Count(m.Used), table.Count(m.DF), table.Count(m.Draws), table.Number(m.R2, 3),
			table.Number(m.Gain, 3))
		t.Add(table.Row{Cells: cells, Notes: notes(m.Warnings)})
	}
	return t
}
