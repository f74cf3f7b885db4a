package analysis

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/text"
)

// Summary is the statistics of one metric over one point of the sweep (all axes fixed, all replications).
type Summary struct {
	Point        []frame.Value // the values of Design.Axes
	Metric, Unit string
	frame.Counts
	N            int           // replications used: the ones that ended well and have a finite metric
	NotFinite    int           // ended well but without a finite metric
	Sharing      frame.Sharing // of the jobs of a log; zero where models draw them
	RepeatedRows int           // rows that repeat an instance of the point
	Mean         stats.Interval
	Rule         stats.Rule // of Mean
	SD           float64
	Min, Max     float64
	Median       stats.Interval // of the law of the values, by order statistics
	Quantiles    []float64      // at Design.Quantiles
	Log          float64        // value of the log itself, which is in none of the above; NaN where it is not known
	Warnings     []stats.Warning
}

// eachSummary groups the rows by all axes and calls fn with a summary of each point and metric, in the order of the axes' values
// and of these metrics; nil: all of the design. O(rows log rows) in all, and the memory of [Frame.EachGroup].
func eachSummary(f *frame.Frame, d frame.Design, only []string, fn func(Summary)) error {
	d, err := d.Resolved(f)
	if err != nil {
		return fmt.Errorf("statistics: %w", err)
	}
	replications := frame.NewReplications(f, &d)
	shares, drifts := frame.NewSharers(f, &d, replications), frame.NewDrifts(f, &d, replications)
	log := frame.NewLogItself(&d)
	metrics, described := d.Only(only)
	drifts.Read(metrics[:described])
	point := make([]Summary, described)
	return f.EachGroup(frame.GroupBy(f, d.Axes, d.Order).Groups, metrics, described, func(g *frame.Group, values frame.ValuesOf) {
		counts := frame.Count(g.Rows, replications.OK, d.PlannedAt(g.Key))
		again := len(g.Rows) - replications.Distinct(g.Rows)
		sharing := shares.Of(g.Rows)
		var all stats.Agreement
		for k, metric := range metrics {
			if k >= described && all.Differ {
				break // the others cannot change that
			}
			each := replications.Averaged(g.Rows, values(k))
			if all.Add(len(each), func(i int) float64 { return each[i] }); k >= described {
				continue
			}
			point[k] = describe(stats.TakeSample(each), g.Key, f.Head(metric), counts, again, sharing.Most, &d)
		}
		same, remarks := all.Whole() || sharing.Same(), sharing.Remarks()
		if same { // they are about intervals
			remarks = nil
		}
		for _, s := range point {
			s.Sharing = sharing
			s.Warnings = slices.Concat(s.Warnings, remarks, drifts.Of(s.Metric, g.Rows))
			s.Log = log.At(g.Key, s.Metric)
			if same && s.N > 1 {
				s.Mean, s.Median = stats.NoInterval(s.Mean.Estimate), stats.NoInterval(s.Median.Estimate)
				s.Warnings = append(s.Warnings, frame.IdenticalRemark())
			}
			if !d.Sums[s.Metric] {
				s.Warnings = append(s.Warnings, log.Remark(s.Mean, s.Log)...)
			}
			fn(s)
		}
	})
}

func describe(s stats.Sample, point []frame.Value, c *frame.Column, counts frame.Counts, again, most int,
	d *frame.Design) Summary {
	r := Summary{
		Point: point, Metric: c.Name, Unit: c.Unit, Counts: counts, N: s.N(), NotFinite: s.NotFinite(), RepeatedRows: again,
		Mean: s.MeanInterval(d.Confidence), Rule: s.MeanRule(), SD: s.SD(),
		Min: s.Min(), Median: s.QuantileInterval(0.5, d.Confidence), Max: s.Max(), Quantiles: make([]float64, len(d.Quantiles)),
	}
	for i, p := range d.Quantiles {
		r.Quantiles[i] = s.Quantile(p)
	}
	r.Warnings = append(counts.Lost(), s.Warnings()...)
	r.Warnings = append(r.Warnings, imprecise(r.Mean, r.N, most, d.Precision[c.Name], d.Confidence)...)
	if again > 0 {
		r.Warnings = append(r.Warnings, stats.Warnf(stats.Duplicate, "%d %s averaged with it: an axis is missing from the design, or the rows "+
			"hold an instance twice", again, text.Either(again, "row repeats a replication of this point and was",
			"rows repeat a replication of this point and were")))
	}
	return r
}

// imprecise warns where the half-width of the mean of n values is above this share of the mean. It says how many values would bring
// it down, unless the log has no more than most (0: no bound). A share of 0 requests nothing. Fewer than two values have a warning
// of their own, and a mean of 0 has no relative precision: neither has a warning here.
func imprecise(mean stats.Interval, n, most int, share, confidence float64) []stats.Warning {
	is := mean.HalfWidth() / math.Abs(mean.Estimate)
	if share == 0 || n < 2 || !(is > share) || math.IsInf(is, 1) {
		return nil
	}
	enough := float64(stats.ReplicationsFor(n, share/is, confidence))
	takes := fmt.Sprintf("about %.0f replications", enough)
	if most > 0 && enough > float64(most) {
		takes = fmt.Sprintf("more than the %d replications that share no jobs of the log", most)
	}
	known, wanted := twoDigits(100*is), number(100*share)
	if known == wanted {
		known = number(100 * is)
	}
	return []stats.Warning{stats.Warnf(stats.Imprecise, "the mean is known to %s %% only, not to %s %%: that takes %s, or runs %s times as "+
		"long", known, wanted, takes, twoDigits(math.Max(enough/float64(n), 1.1)))}
}

// twoDigits prints a number with two significant digits and without an exponent; all digits before the point stay.
func twoDigits(v float64) string {
	if math.Abs(v) >= 10 {
		return strconv.FormatFloat(math.Round(v), 'f', 0, 64)
	}
	short, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 2, 64), 64)
	return strconv.FormatFloat(short, 'f', -1, 64)
}
