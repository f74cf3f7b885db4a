package question

import (
	"math"

	"schedsweep/analysis/stats"
)

type Mean struct {
	// HalfWidth is that of the interval, in the metric's unit or, if Relative, as a share of the mean.
	HalfWidth   float64
	Relative    bool
	Least, Most int // replications
}

// meanConfidence is that of the interval that ends the asking where 95 % are promised:
// who stops when an interval is narrow stops when it happens to be too narrow.
const meanConfidence = 0.99

func (m Mean) Decide(ask Ask) Answer {
	a := unasked()
	for n := min(m.Least, m.Most); ; {
		rows, ok := a.ask(ask, Demand{Point{}, n})
		if !ok {
			return a
		}
		a.Interval = stats.TakeSample(metric(rows[0])).MeanInterval(meanConfidence)
		half := m.HalfWidth
		if m.Relative {
			half *= math.Abs(a.Estimate)
		}
		a.Grid, a.More = n, 0
		if n >= m.Least && a.HalfWidth() <= half {
			a.State = Answered
			return a
		}
		want := max(wanted(n, a.HalfWidth()/half), m.Least)
		a.More = more(n, want)
		if n >= m.Most {
			a.State, a.Why = Undecided, exhausted(m.Most, m.Least)
			return a
		}
		n = next(n, want, m.Most)
	}
}
