package sim

import (
	"fmt"
	"math"
)

// Metric is the definition of one number of a run.
type Metric struct {
	// Name is the column's name in the instances dataset.
	Name string
	// Unit is "s", "" for pure numbers, and so on.
	Unit string
	// Doc is the definition, with when a run does not define the number. "Jobs" are the jobs that ran: finished or
	// killed.
	Doc string
	// Better is [Lower] or [Higher] where a schedule is the better for it, "" where
	// it says nothing about that.
	Better string
	// Source is the publication of the definition, "" where it is as in any textbook.
	Source string
	// Measured reports that it differs from run to run, such as how long a program
	// took: it is no part of the answer.
	Measured bool
	// OfJobs reports that it is of a set of jobs, whichever: classes of jobs have it too.
	OfJobs bool
	// Sum reports that it adds up over the run, or is its length: a window of a log has less of it than the log.
	Sum bool
	// Share reports that it is a share of 1, so that a percentage can only mean it.
	Share bool
	// Note reports that a note beside means needs it, so that it is computed whenever any metric is.
	Note bool
	// Text reports that the values are texts of few kinds, from [TextMeter]. They are
	// columns beside the metrics and nothing is computed of them.
	Text bool
}

// Which values of a metric are better.
const (
	Lower  = "lower"
	Higher = "higher"
)

// Meter gives the values of metrics. What computes those of all runs is an
// observer of package metrics; a policy or progress model whose kind has metrics
// of its own is a Meter for them.
type Meter interface {
	// Values appends the values of the last run to dst, in the order in which the
	// metrics are listed; NaN where the run does not define one.
	Values(dst []float64) []float64
}

// TextMeter is a [Meter] whose kind has metrics that are texts.
type TextMeter interface {
	// Texts appends those of the last run to dst, in the order in which the metrics
	// are listed; "" where the run does not define one.
	Texts(dst []string) []string
}

// ValuesOf appends the values of the defined metrics, none a text, to dst. It panics where m
// does not give as many, for then they would stand under the names of others.
func ValuesOf(m Meter, defined []Metric, dst []float64) []float64 {
	n := len(dst)
	if dst = m.Values(dst); len(dst)-n != len(defined) {
		panic(fmt.Sprintf("sim: %T gives %d values for %d metrics", m, len(dst)-n, len(defined)))
	}
	return dst
}

// Bounds sort jobs and load for metrics that tell short, medium and long jobs
// and high load apart. A policy that treats jobs differently by bounds of its own has a method Bounds() Bounds,
// and metrics use these.
type Bounds struct {
	// Short and Long are walltimes in seconds: jobs up to Short are short, those
	// above Long long, the others medium.
	Short, Long float64
	// Least is the run time in seconds below which run times count as this in
	// relative response times.
	Least float64
	// HighLoad is the number of waiting jobs from which on the load is high.
	HighLoad int
}

// DefaultBounds are those of X. Zeng and A. Sodan (JSSPP 2009).
var DefaultBounds = Bounds{Short: 600, Long: 10800, Least: 600, HighLoad: 12}

// Quantile interpolates linearly between sorted values (type 7 of R. J. Hyndman
// and Y. Fan, The American Statistician 50(4), 1996: the default of R and NumPy).
// p is in [0, 1]. NaN where there are no values.
func Quantile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	h := p * float64(len(sorted)-1)
	i := int(h)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (h-float64(i))*(sorted[i+1]-sorted[i])
}
