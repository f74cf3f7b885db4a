package gantt

import (
	"cmp"
	"slices"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/stats"
)

// mostChanges is up to how many changes of a step function are drawn one by one; averages over as many parts are drawn of
// more.
const mostChanges = 1000

// change is what is added to a step function at a time.
type change struct{ at, by float64 }

func (s *Schedule) waiting() []change {
	var all []change
	for _, w := range s.Waits {
		all = append(all, change{w[0], 1}, change{w[1], -1})
	}
	return all
}

func (s *Schedule) busy() []change {
	var all []change
	for i := range s.Jobs {
		j := &s.Jobs[i]
		n := 0.0
		for _, r := range j.Rows {
			n += r[1] - r[0]
		}
		all = append(all, change{j.Start, n}, change{j.Finish, -n})
	}
	return all
}

// stepsOf draws the step function up to its end.
func stepsOf(name string, all []change, end float64) *figure.Steps {
	slices.SortFunc(all, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	s := &figure.Steps{Series: -1, Name: name}
	value := 0.0
	for i, c := range all {
		if value += c.by; i+1 == len(all) || all[i+1].at > c.at {
			s.At = append(s.At, figure.Point{X: c.at, Y: value})
		}
	}
	if len(s.At) <= mostChanges {
		return s
	}
	parts := stats.NewParts(0, end, mostChanges)
	for _, p := range s.At {
		parts.Until(p.X, p.Y)
	}
	parts.Until(end, 0)
	s.At = nil
	for i := range mostChanges {
		s.At = append(s.At, figure.Point{X: parts.Left(i), Y: parts.Mean(i)})
	}
	s.At = append(s.At, figure.Point{X: end})
	return s
}
