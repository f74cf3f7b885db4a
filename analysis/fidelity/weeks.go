package fidelity

import (
	"math"
	"slices"

	"schedsweep/analysis/stats"
)

// fewestWeeks is the least number of weeks for an interval.
const fewestWeeks = 5

// weekOf is the week of a job's submission: from a Monday 00:00 on by the log's clock if all jobs have a date, else from
// time 0 of the workload.
func weekOf(j *Job, clock bool) int {
	if clock {
		return int(math.Floor((j.Clock - 4*day) / week)) // 1970-01-05 was a Monday
	}
	return int(math.Floor(j.Submit / week))
}

// overWeeks estimates a function of what weeks bring by leaving each out; some weeks bring nothing. weeks is how many do. What one
// week alone gives a value has no standard error.
func overWeeks[T any](all []T, some func(*T) bool, value func(without int) float64) (e stats.Estimate, weeks int) {
	v := value(-1)
	var left, brings []float64
	var which []int
	for i := range all {
		if some(&all[i]) {
			x := value(i)
			left, brings, which = append(left, x), append(brings, v-x), append(which, i)
		}
	}
	if len(left) < fewestWeeks || slices.ContainsFunc(left, math.IsNaN) {
		return stats.Estimate{Value: v, SE: math.NaN()}, len(left)
	}
	e = stats.Jackknife(v, []stats.Class{{LeftOut: left}})
	mean := stats.Sum(brings) / float64(len(brings))
	var squares, products stats.Total
	for i, b := range brings {
		squares.Add((b - mean) * (b - mean))
		if i > 0 && which[i] == which[i-1]+1 {
			products.Add((b - mean) * (brings[i-1] - mean))
		}
	}
	if r := products.Value() / squares.Value(); r > 0 {
		n := max(2, float64(len(left))*(1-r)/(1+r))
		e.SE *= math.Sqrt(float64(len(left)) / n)
		e.DF = min(e.DF, int(n)-1)
	}
	return e, len(left)
}

// moments are of two values of jobs, each less its mean over all.
type moments struct {
	n                int
	x, y, xx, yy, xy float64
}

func (m *moments) add(x, y float64) {
	m.n++
	m.x += x
	m.y += y
	m.xx += x * x
	m.yy += y * y
	m.xy += x * y
}

func (m moments) without(o moments) moments {
	return moments{m.n - o.n, m.x - o.x, m.y - o.y, m.xx - o.xx, m.yy - o.yy, m.xy - o.xy}
}

// fisher is the inverse hyperbolic tangent of the correlation, NaN where there is none, as of values that are all alike but for
// rounding.
func (m moments) fisher() float64 {
	const rounding = 1e-12
	n := float64(m.n)
	xx, yy := m.xx-m.x*m.x/n, m.yy-m.y*m.y/n
	if !(xx > rounding*m.xx) || !(yy > rounding*m.yy) {
		return math.NaN()
	}
	r := (m.xy - m.x*m.y/n) / math.Sqrt(xx*yy)
	return math.Atanh(max(-1, min(1, r)))
}

// correlation is Pearson's of two values of jobs, with the interval of its Fisher transform over weeks.
func correlation(xs, ys []float64, weekOf []int32, weeks int, confidence float64) stats.Interval {
	n := float64(len(xs))
	meanX, meanY := stats.Sum(xs)/n, stats.Sum(ys)/n
	each, all := make([]moments, weeks), moments{}
	for i := range xs {
		each[weekOf[i]].add(xs[i]-meanX, ys[i]-meanY)
		all.add(xs[i]-meanX, ys[i]-meanY)
	}
	e, _ := overWeeks(each, func(m *moments) bool { return m.n > 0 }, func(without int) float64 {
		if without < 0 {
			return all.fisher()
		}
		return all.without(each[without]).fisher()
	})
	i := e.Interval(confidence)
	if !stats.Finite(i.Estimate) { // none, or exactly 1
		return stats.NoInterval(math.Tanh(i.Estimate))
	}
	i.Estimate, i.Low, i.High = math.Tanh(i.Estimate), math.Tanh(i.Low), math.Tanh(i.High)
	if !stats.Finite(e.SE) {
		i = stats.NoInterval(i.Estimate)
	}
	return i
}

// window is the length of a moving mean in days, its own day included.
const window = 14

const (
	day  = 24 * 3600.0 // s
	week = 7 * day
)

type sums struct {
	n                   int
	recorded, wait, off stats.Total // off: absolute errors
}

func (s *sums) add(j *Job) {
	s.n++
	s.recorded.Add(j.Recorded)
	s.wait.Add(j.Wait)
	s.off.Add(math.Abs(j.err()))
}

func (s *sums) merge(o *sums) {
	s.n += o.n
	s.recorded.Add(o.recorded.Value())
	s.wait.Add(o.wait.Value())
	s.off.Add(o.off.Value())
}

// Moving is the two moving means at the end of a day, in seconds.
type Moving struct{ At, Recorded, Wait float64 }

// moving are the moving means of those jobs that count, and their distance; NaN where there are none.
func moving(jobs []Job, counts func(i int) bool) (means []Moving, distance float64) {
	first, last := math.Inf(1), math.Inf(-1)
	for i := range jobs {
		d := math.Floor(jobs[i].Submit / day)
		first, last = min(first, d), max(last, d)
	}
	if !(last-first >= window-1) || last-first > 1<<21 {
		return nil, math.NaN()
	}
	days := make([]sums, int(last-first)+1)
	for i := range jobs {
		if counts == nil || counts(i) {
			days[int(math.Floor(jobs[i].Submit/day)-first)].add(&jobs[i])
		}
	}
	for k := window - 1; k < len(days); k++ {
		var all sums
		for i := range days[k-window+1 : k+1] {
			all.merge(&days[k-window+1+i])
		}
		if all.n == 0 {
			continue
		}
		n := float64(all.n)
		m := Moving{(first + float64(k) + 1) * day, all.recorded.Value() / n, all.wait.Value() / n}
		means = append(means, m)
	}
	return means, apart(means)
}

// apart is the distance of moving means over the sum of the recorded ones; NaN where there are none.
func apart(means []Moving) float64 {
	var distance, of stats.Total
	for _, m := range means {
		distance.Add(math.Abs(m.Wait - m.Recorded))
		of.Add(m.Recorded)
	}
	return distance.Value() / of.Value()
}
