package frame

import (
	"math"
	"slices"
	"strings"
	"sync"

	"schedsweep/analysis/stats"
)

// UnstableColumn is 1 for runs without a steady state.
const UnstableColumn = "unstable"

// queueGrowth is the column with the growth of the queue from the run-up to the measured jobs.
const queueGrowth = "queue_growth"

// growths are the columns that tell how a mean grows within a run, by what the names of such means contain.
var growths = [...]struct{ of, column string }{
	{"wait_time", "wait_growth"}, {"queue_length", "wait_growth"}, {"waited_share", "wait_growth"},
	{"slowdown", "slowdown_growth"}, {"response", ResponseGrowth},
}

// DriftColumns are the columns by which [Drifts] judges.
var DriftColumns = []string{UnstableColumn, "wait_growth", "slowdown_growth", ResponseGrowth, queueGrowth, ColumnRejected, ColumnKilled}

// growthOf is the column that tells of a metric, "" where the metric does not depend on the length of a run by its definition.
func growthOf(metric string) string {
	name, _, _ := strings.Cut(metric, "__") // of a class
	if OfSteadyState(name) || strings.Contains(name, "error") || strings.HasPrefix(name, "mean_recorded") {
		return ""
	}
	for _, g := range growths {
		if strings.Contains(name, g.of) {
			return g.column
		}
	}
	return ""
}

// Drifts marks the means that are no property of the system, because they depend on how long its runs are, and the ones with
// jobs that were rejected or killed. The zero value tells of none.
type Drifts struct {
	frame        *Frame
	replications *Replications
	points       func() []int32 // of each row a code of its point; only means over several points need it
}

// NewDrifts looks at the rows of a frame of the design, whose replications these are.
func NewDrifts(f *Frame, d *Design, r *Replications) Drifts {
	return Drifts{f, r, sync.OnceValue(func() []int32 {
		points, _ := CodesBy(f, d.Axes)
		return points
	})}
}

// The level of the test on growth is such that few of many means are called by chance. Then come the least growth that is reported,
// and the share of runs that the metric unstable may call so by its own error.
const (
	driftConfidence   = .99
	leastGrowth       = .1
	toleratedUnstable = .1
)

// Read takes into memory what Of needs of these metrics, in one reading of the files. Else Of reads each of them by itself.
func (d Drifts) Read(metrics []string) {
	if d.frame != nil {
		d.frame.hold(slices.DeleteFunc(slices.Clone(metrics), func(name string) bool { return growthOf(name) == "" || !ofSome(name) }))
	}
}

// Of returns the warnings about the mean of a metric over some rows. Of the rows of several points, one point that grows can hide
// behind others: then the warning counts the means of points.
func (d Drifts) Of(metric string, rows []int32) []stats.Warning {
	if d.frame == nil {
		return nil
	}
	return append(d.unfinished(metric, rows), d.growing(metric, rows)...)
}

// growing returns the warnings about the length of runs.
func (d Drifts) growing(metric string, rows []int32) []stats.Warning {
	if !OfSteadyState(metric) && growthOf(metric) == "" {
		return nil
	}
	if all := d.ofAll(metric, rows); len(all) > 0 || d.replications.most(rows) < 2 {
		return all
	}
	byPoint, points := map[int32][]int32{}, d.points()
	for _, row := range rows {
		byPoint[points[row]] = append(byPoint[points[row]], row)
	}
	var noted stats.Noted
	for _, rows := range byPoint {
		noted.See(d.ofAll(metric, rows))
	}
	return noted.Of("mean")
}

// ofAll returns the warnings about a mean over all of some rows alike.
func (d Drifts) ofAll(metric string, rows []int32) []stats.Warning {
	if OfSteadyState(metric) {
		growths := d.values(ResponseGrowth, rows)
		if len(growths) == 1 {
			return []stats.Warning{stats.Warnf(stats.Drift, "one run does not show whether it is long enough for a steady state: it may depend "+
				"on how long the run is")}
		}
		if by, spread := stats.Transient(growths); by+spread > stats.MostTransient {
			longer := "are longer by"
			if by <= stats.MostTransient {
				longer, by = "may be longer by up to", by+spread
			}
			return []stats.Warning{stats.Warnf(stats.Drift, "undefined: the runs are too short for a steady state, as response times behind "+
				"their first eighth %s %.0f %% of the mean. Let them have more jobs, or take the mean behind a warm_up", longer, 100*by)}
		}
	}
	column := growthOf(metric)
	if column == "" {
		return nil
	}
	if ofSome(metric) && d.frame.Head(metric) != nil && len(d.values(metric, rows)) == 0 {
		return nil
	}
	if flags := d.values(UnstableColumn, rows); len(flags) > 0 {
		unstable := len(flags) - len(slices.DeleteFunc(slices.Clone(flags), func(v float64) bool { return v > 0 }))
		if float64(unstable) > toleratedUnstable*float64(len(flags)) {
			return []stats.Warning{stats.Warnf(stats.Drift, "%d of %d runs are unstable: it depends on how long a run is", unstable, len(flags))}
		}
	}
	if by := d.growth(column, rows); by != 0 {
		way := "grows"
		if by < 0 {
			way = "shrinks"
		}
		return []stats.Warning{stats.Warnf(stats.Drift, "%s by %.0f %% within a run: it depends on how long a run is", way, 100*math.Abs(by))}
	}
	if by := d.growth(queueGrowth, rows); by > 0 {
		return []stats.Warning{stats.Warnf(stats.Drift, "the queue grows by %.0f %% of its length from the run-up on: it depends on how long a "+
			"run is", 100*by)}
	}
	return nil
}

// ofSome reports whether a metric can lack a value where growth, which is of all jobs, has one: it is of a class of jobs, or of
// users. Only such metrics are read to see whether they have a value. All others stay in their files.
func ofSome(metric string) bool {
	return strings.Contains(metric, "__") || strings.Contains(metric, "_user_") || strings.HasPrefix(metric, "relative_response")
}

// growth is the mean of a column of growths, 0 where it does not differ significantly from 0 or is small.
func (d Drifts) growth(column string, rows []int32) float64 {
	s := stats.TakeSample(d.values(column, rows))
	if s.N() < 2 {
		return 0
	}
	if i := s.Estimate().Student(driftConfidence); math.Abs(i.Estimate) >= leastGrowth && (i.Low > 0 || i.High < 0) {
		return i.Estimate
	}
	return 0
}

// values are one value a replication; none where the rows do not have the column.
func (d Drifts) values(name string, rows []int32) []float64 {
	c := d.frame.Held(name)
	if c == nil || c.IsText() {
		return nil
	}
	values, _ := d.replications.Values(rows, c.Number)
	return slices.DeleteFunc(values, func(v float64) bool { return !stats.Finite(v) })
}
