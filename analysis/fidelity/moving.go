package fidelity

import (
	"math"

	"schedsweep/analysis/stats"
)

// window is how many days a moving mean goes back, its own included.
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
func moving(jobs []Job, counts func(i int) bool) (means []Moving, apart float64) {
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
	var distance, of stats.Total
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
		distance.Add(math.Abs(m.Wait - m.Recorded))
		of.Add(m.Recorded)
	}
	return means, distance.Value() / of.Value()
}
