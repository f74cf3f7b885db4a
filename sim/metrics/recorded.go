package metrics

import (
	"math"

	"schedsweep/sim"
)

func init() {
	Add(Kind{Place: 10, New: func() Observer { return &recorded{} }, Metrics: []sim.Metric{
		{Name: "mean_recorded_wait", Unit: "s", Doc: "mean recorded wait, over the jobs that ran and have one in the log; this and " +
			"the errors are undefined where the workload is no log with waits", OfJobs: true},
		{Name: "mean_wait_error", Unit: "s", Doc: "mean of wait - recorded wait", OfJobs: true},
		{Name: "mean_absolute_wait_error", Unit: "s", Doc: "mean of the absolute value of wait - recorded wait", Better: sim.Lower, OfJobs: true},
		{Name: "moving_wait_error", Doc: "error of the two-week moving mean wait: sum over days of |mean wait - mean recorded wait| of the " +
			"jobs submitted on the day and the 13 before it, over the sum of the recorded means. Days have 24 h from time 0. The sum is over the " +
			"14th day from that of the first such job, and later ones. Undefined without such days", Better: sim.Lower, OfJobs: true},
	}})
}

// movingDays is the length of a moving mean in days, its own day included.
const movingDays = 14

// mostDays bounds the days that are kept: 5,700 years, and 80 MB.
const mostDays = 1 << 21

// recorded compares waits with those of the log. It keeps sums for each day.
type recorded struct {
	all   waitSums
	error total // sum of the absolute differences
	first int   // the day of days[0]
	days  []waitSums

	beyond bool // some day is not in days
}

// waitSums are of some jobs with recorded waits.
type waitSums struct {
	n              int64
	wait, recorded total
}

func (r *recorded) Reset(Setting) { *r = recorded{days: r.days[:0]} }

func (r *recorded) Ended(s *sim.View, j *sim.Job) {
	of := s.RecordedWait(j)
	if of < 0 {
		return
	}
	wait := j.Start() - j.Submit()
	r.all.add(wait, of)
	r.error.Add(math.Abs(wait - of))
	if day := j.Submit() / (24 * 3600); day < mostDays {
		r.day(int(day)).add(wait, of)
	} else {
		r.beyond = true
	}
}

func (s *waitSums) add(wait, recorded float64) {
	s.n++
	s.wait.Add(wait)
	s.recorded.Add(recorded)
}

// day is the sums of a day. Jobs do not end in order of submission.
func (r *recorded) day(n int) *waitSums {
	if len(r.days) == 0 {
		r.first = n
	}
	if n < r.first {
		r.days = append(make([]waitSums, r.first-n), r.days...)
		r.first = n
	}
	for len(r.days) <= n-r.first {
		r.days = append(r.days, waitSums{})
	}
	return &r.days[n-r.first]
}

// moving is the error of the moving mean.
func (r *recorded) moving() float64 {
	if r.beyond {
		return math.NaN()
	}
	var apart, of total
	for last := movingDays - 1; last < len(r.days); last++ {
		var n int64
		var wait, recorded total
		for _, d := range r.days[last-movingDays+1 : last+1] {
			n += d.n
			wait.Add(d.wait.Value())
			recorded.Add(d.recorded.Value())
		}
		if n > 0 {
			apart.Add(math.Abs(wait.Value()-recorded.Value()) / float64(n))
			of.Add(recorded.Value() / float64(n))
		}
	}
	return apart.Value() / of.Value()
}

func (r *recorded) Values(dst []float64) []float64 {
	n := float64(r.all.n)
	return append(dst, r.all.recorded.Value()/n, (r.all.wait.Value()-r.all.recorded.Value())/n, r.error.Value()/n, r.moving())
}
