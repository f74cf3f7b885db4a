package analysis

import (
	"fmt"

	"schedsweep/analysis/stats"
)

// Summary is the statistics of one metric over one point of the sweep (all axes fixed, all replications).
type Summary struct {
	Point        []Value // the values of Design.Axes
	Metric, Unit string
	Counts
	N                int // values used: instances that ended well and have a finite metric
	NotFinite        int // ended well but without a finite metric
	RepeatedRows     int // rows that repeat an instance of the point
	Mean             stats.Interval
	SD               float64
	Min, Median, Max float64
	Quantiles        []float64 // at Design.Quantiles
	Warnings         []stats.Warning
}

// Summarise groups the rows by all axes and describes every metric: one result a point and metric, in the order of the
// axes' values and of Design.Metrics. O(rows log rows) in all.
func Summarise(f *Frame, d Design) ([]Summary, error) {
	d, err := d.resolved(f)
	if err != nil {
		return nil, fmt.Errorf("statistics: %w", err)
	}
	g := groupBy(f, d.Axes, d.Order)
	ok := d.ok(f)
	var replication levels
	if d.Replication != "" {
		replication = levelsOf(f.Column(d.Replication), nil)
	}
	seen := make([]int32, len(replication.values))
	columns := make([]*Column, len(d.Metrics))
	for i, m := range d.Metrics {
		columns[i] = f.Column(m)
	}
	out := make([]Summary, 0, len(g.groups)*len(d.Metrics))
	var scratch []float64
	for i := range g.groups {
		gr := &g.groups[i]
		counts := counted(gr.rows, ok, d.planned(gr.key))
		again := 0
		if d.Replication != "" {
			again = repeated(gr.rows, replication.codes, seen, int32(i)+1)
		}
		for _, c := range columns {
			scratch = gather(scratch[:0], gr.rows, ok, c.Numbers)
			out = append(out, describe(stats.TakeSample(scratch), gr.key, c, counts, again, &d))
		}
	}
	return out, nil
}

func describe(s stats.Sample, point []Value, c *Column, counts Counts, again int, d *Design) Summary {
	r := Summary{
		Point: point, Metric: c.Name, Unit: c.Unit, Counts: counts, N: s.N(), NotFinite: s.NotFinite(), RepeatedRows: again,
		Mean: s.MeanInterval(d.Confidence), SD: s.SD(),
		Min: s.Min(), Median: s.Median(), Max: s.Max(), Quantiles: make([]float64, len(d.Quantiles)),
	}
	for i, p := range d.Quantiles {
		r.Quantiles[i] = s.Quantile(p)
	}
	r.Warnings = append(counts.warnings(), s.Warnings()...)
	r.Warnings = append(r.Warnings, imprecise(r.Mean, r.N, d.Precision[c.Name])...)
	if again > 0 {
		r.Warnings = append(r.Warnings, stats.Warnf(stats.Duplicate, again, "%d rows repeat a replication of this point: an axis is missing from the design, or the rows hold an instance twice", again))
	}
	return r
}
