package question

import (
	"cmp"
	"math"
	"slices"

	"schedsweep/analysis/stats"
	"schedsweep/sweep/text"
)

// Best asks which of several sides has the best mean. Replications of equal number are
// pairs.
type Best struct {
	Sides  int
	Names  []string // of the sides
	Higher bool
	// Margin is the share of the best mean up to which two means are alike; 0 for none.
	Margin      float64
	Least, Most int // replications
}

// lookGrowth is the ratio of the replications of two looks.
const lookGrowth = 1.3

func (b Best) looks() []int {
	var out []int
	for n := float64(min(b.Least, b.Most)); int(n) < b.Most; n = math.Ceil(n * lookGrowth) {
		out = append(out, int(n))
	}
	return append(out, b.Most)
}

// Decide drops at each look the sides that another is better than by the paired t-test.
// The 5 % are spent evenly over all looks and the k-1 pairs that the best is in (union
// bound): an error needs one of these to err.
func (b Best) Decide(ask Ask) Answer {
	return b.race(ask, 1-0.05/float64(len(b.looks())*max(b.Sides-1, 1)))
}

func (b Best) race(ask Ask, confidence float64) Answer {
	a := unasked()
	for s := range b.Sides {
		a.Sides = append(a.Sides, s)
	}
	for _, n := range b.looks() {
		demands := text.Each(a.Sides, func(s int) Demand { return Demand{Point{Side: s}, n} })
		rows, ok := a.ask(ask, b.Most, demands...)
		if !ok {
			return a
		}
		a.Grid = b.Sides * n
		if i := slices.IndexFunc(a.Sides, func(s int) bool { return a.short[Point{Side: s}] }); i >= 0 {
			a.State, a.More, a.Why = Undecided, 0, tooShort(" of "+b.Names[a.Sides[i]])
			return a
		}
		if n < b.Least {
			break // no side is dropped
		}
		near := b.look(&a, rows, n, confidence)
		if near && a.State == Open && n == b.Most { // there is no more to decide
			a.State, a.Sides, a.More = Answered, a.Sides[:1], 0
		}
		if a.State != Open {
			return a
		}
	}
	a.State, a.Why = Undecided, exhausted(b.Most, b.Least)
	return a
}

// look drops sides, and ends the question where one is left or all that are left are alike. It reports that the mean of the
// first of these is shown to be worse than no other by more than the margin.
func (b Best) look(a *Answer, rows [][]Row, n int, confidence float64) (near bool) {
	values, means := map[int][]float64{}, map[int]float64{}
	for i, s := range a.Sides {
		values[s] = metric(rows[i])
		if b.Higher {
			for k := range values[s] {
				values[s][k] *= -1
			}
		}
		means[s] = stats.NewSample(values[s]).Mean()
	}
	// beyond is the interval of by how much side s is worse than side o. Replications that differ by rounding only are equal.
	apart := make([]float64, n) // in the order of replications, which takes no sorting
	beyond := func(s, o int) stats.Interval {
		for k, v := range values[s] {
			apart[k] = stats.Change(values[o][k], v)
		}
		mean := stats.Sum(apart) / float64(n)
		var squares stats.Total
		for _, d := range apart {
			squares.Add((d - mean) * (d - mean))
		}
		se := math.Sqrt(squares.Value() / float64(n) / float64(n-1))
		return stats.Estimate{Value: mean, SE: se, DF: n - 1}.Student(confidence)
	}
	left := slices.DeleteFunc(slices.Clone(a.Sides), func(s int) bool {
		return slices.ContainsFunc(a.Sides, func(o int) bool { return o != s && beyond(s, o).Low > 0 })
	})
	slices.SortStableFunc(left, func(s, o int) int { return cmp.Or(cmp.Compare(means[s], means[o]), s-o) })
	a.Sides, a.More = left, 0
	own := slices.Clone(values[left[0]])
	if b.Higher {
		scale(own, -1) // the rule of the interval is that of the values as they are
	}
	best := stats.NewSample(own)
	a.Interval = best.MeanInterval(0.95)
	if a.Within = 0; len(left) == 1 {
		a.State = Answered
		return true
	}
	margin, alike, want := b.Margin*math.Abs(best.Mean()), true, n
	near = true
	for i, s := range left {
		for _, o := range left[:i] {
			d := beyond(s, o)
			alike = alike && d.Low >= -margin && d.High <= margin
			if o == left[0] { // the most by which it may be worse
				near = near && -d.Low <= margin
			}
			a.Within = max(a.Within, -d.Low/math.Abs(best.Mean()), d.High/math.Abs(best.Mean()))
			apart := math.Abs(d.Estimate)
			if d.HalfWidth() == 0 {
				continue // they are the same
			}
			want = max(want, wanted(n, d.HalfWidth()/max(apart, margin-apart)))
		}
	}
	if alike {
		a.State = Alike
		return near
	}
	a.More = more(n, want) * len(left)
	return near
}

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
		rows, ok := a.ask(ask, m.Most, Demand{Point{}, n})
		if !ok {
			return a
		}
		if a.short[Point{}] {
			a.State, a.More, a.Interval, a.Why = Undecided, 0, unasked().Interval, tooShort("")
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
