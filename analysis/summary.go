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
	N            int     // replications used: those that ended well and have a finite metric
	NotFinite    int     // ended well but without a finite metric
	Sharing      Sharing // of the jobs of a log; zero where models draw them
	RepeatedRows int     // rows that repeat an instance of the point
	Mean         stats.Interval
	Rule         stats.Rule // of Mean
	SD           float64
	Min, Max     float64
	Median       stats.Interval // of the law of the values, by order statistics
	Quantiles    []float64      // at Design.Quantiles
	Warnings     []stats.Warning
}

// Summarise groups the rows by all axes and describes every metric: one result a point and metric, in the order of the
// axes' values and of Design.Metrics. O(rows log rows) in all.
func Summarise(f *Frame, d Design) ([]Summary, error) {
	var out []Summary
	err := eachSummary(f, d, func(s Summary) { out = append(out, s) })
	return out, err
}

// eachSummary calls fn with what Summarise returns, one after the other. Memory: what [Frame.eachGroup] takes.
func eachSummary(f *Frame, d Design, fn func(Summary)) error {
	d, err := d.resolved(f)
	if err != nil {
		return fmt.Errorf("statistics: %w", err)
	}
	replications, shares := newReplicated(f, &d), newSharers(f, &d)
	point := make([]Summary, len(d.Metrics))
	return f.eachGroup(groupBy(f, d.Axes, d.Order).groups, d.Metrics, func(g *group, values valuesOf) {
		counts := counted(g.rows, replications.ok, d.planned(g.key))
		again := len(g.rows) - replications.distinct(g.rows)
		sharing := shares.of(g.rows)
		var all agreement
		for k, metric := range d.Metrics {
			sample := stats.TakeSample(replications.averaged(g.rows, values(k)))
			point[k] = describe(sample, g.key, f.column(metric), counts, again, &d)
			all.add(sample)
		}
		same := all.whole() || sharing.same()
		for _, s := range point {
			s.Sharing = sharing
			s.Warnings = append(s.Warnings, sharing.remarks()...)
			if same && s.N > 1 {
				s.Mean, s.Median = noInterval(s.Mean.Estimate), noInterval(s.Median.Estimate)
				s.Warnings = append(s.Warnings, identicalRemark(s.N))
			}
			fn(s)
		}
	})
}

func describe(s stats.Sample, point []Value, c *Column, counts Counts, again int, d *Design) Summary {
	r := Summary{
		Point: point, Metric: c.Name, Unit: c.Unit, Counts: counts, N: s.N(), NotFinite: s.NotFinite(), RepeatedRows: again,
		Mean: s.MeanInterval(d.Confidence), Rule: s.MeanRule(), SD: s.SD(),
		Min: s.Min(), Median: s.QuantileInterval(0.5, d.Confidence), Max: s.Max(), Quantiles: make([]float64, len(d.Quantiles)),
	}
	for i, p := range d.Quantiles {
		r.Quantiles[i] = s.Quantile(p)
	}
	r.Warnings = append(counts.warnings(), s.Warnings()...)
	r.Warnings = append(r.Warnings, imprecise(r.Mean, r.N, d.Precision[c.Name], d.Confidence)...)
	if again > 0 {
		r.Warnings = append(r.Warnings, stats.Warnf(stats.Duplicate, again, "%d rows repeat a replication of this point and were averaged with it: an axis is missing from the design, or the rows hold an instance twice", again))
	}
	return r
}
