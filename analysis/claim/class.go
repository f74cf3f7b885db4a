package claim

import (
	"slices"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
)

func (r *prepared) planned(points []int32) int {
	counts := r.Planned.Column(frame.PlannedColumn)
	if counts == nil {
		return len(points) * r.Design.PlannedPerPoint.N
	}
	n := 0.0
	for _, p := range points {
		n += counts.Numbers[p]
	}
	return int(n)
}

// classify finds the class of each row where points have unequal numbers of replications: how many its point has, or -1
// where the axes do not tell points with different numbers apart.
func (r *prepared) classify() {
	r.class = make([]int32, r.Frame.Rows)
	rows := make([]int, len(r.replication.Values))
	for _, g := range r.points().Groups {
		clear(rows)
		for _, row := range g.Rows {
			rows[r.replication.Codes[row]]++
		}
		class, most := int32(0), slices.Max(rows)
		for _, n := range rows {
			switch n {
			case 0:
			case most:
				class++
			default:
				class = int32(-len(rows) - 1) // stays negative after any addition
			}
		}
		for _, row := range g.Rows {
			r.class[row] = max(class, -1)
		}
	}
}

func (r *prepared) points() frame.Grouping {
	axes := slices.DeleteFunc(slices.Clone(r.Design.Axes), func(a string) bool { return r.Frame.Head(a) == nil })
	return frame.GroupBy(r.Frame, axes, nil)
}

// named puts the name of a run that is not the claims' own before a text about it.
func (r *prepared) named(text string) string {
	if r.Name == "" {
		return text
	}
	return "run " + r.Name + ": " + text
}

func (r *prepared) classOf(row int32) int32 {
	if r.class == nil {
		return 0
	}
	return r.class[row]
}

// common tells that only replications count which all points have.
func (t *test) common() bool { return t.paired || t.pairs }

// present returns the replications of a run that some sample has, all where their number is unknown.
func (t *test) present(run *prepared) []bool {
	out := slices.Repeat([]bool{run.class == nil}, len(run.replication.Values))
	for _, s := range t.samples {
		if s.run == run && s.reason == "" {
			for rep, n := range s.whole {
				out[rep] = out[rep] || n > 0
			}
		}
	}
	return out
}

// everywhere reports whether all points of the run's samples have the replication.
func (t *test) everywhere(run *prepared, rep int32) bool {
	return !slices.ContainsFunc(t.samples, func(s *sample) bool {
		return s.run == run && run.class != nil && s.reason == "" && s.whole[rep] != slices.Max(s.whole)
	})
}

// classes splits the replications that a test uses of a run by the classes of its points, in ascending order.
func (t *test) classes(a activity) []activity {
	found := map[int32][]bool{}
	for _, s := range t.samples {
		if s.run != a.run || a.run.class == nil || t.common() {
			continue
		}
		for _, o := range s.obs {
			c := a.run.class[o.row]
			if found[c] == nil {
				found[c] = make([]bool, len(a.replications))
			}
			found[c][o.replication] = true
		}
	}
	if len(found) < 2 {
		return []activity{a}
	}
	var out []activity
	for c, replications := range found {
		out = append(out, activity{run: a.run, class: c, replications: replications})
	}
	slices.SortFunc(out, func(x, y activity) int { return int(x.class - y.class) })
	return out
}

// weighClasses tells the samples of a run how many replications the points of each class have left. Replications are no
// weights: a statistic over several points is the same however many each has.
func (t *test) weighClasses(a activity) {
	classes := t.classes(a)
	for _, s := range t.samples {
		if s.run != a.run || len(classes) < 2 {
			continue
		}
		s.active = map[int32]int{}
		for _, o := range s.obs {
			s.active[a.run.class[o.row]] = 0
		}
		for _, c := range classes {
			if _, ok := s.active[c.class]; ok {
				s.active[c.class] = c.used()
			}
		}
		if len(s.active) < 2 {
			s.active = nil
		}
	}
}

// weightOf returns the weight of an observation when a replication is left out.
func (s *sample) weightOf(class int32, l left) float64 {
	if s.active == nil {
		return 1
	}
	n := s.active[class]
	if l.run == s.run && l.class == class {
		n--
	}
	return 1 / float64(n)
}

func (s *sample) weigh(weights []float64, o *observation, l left) []float64 {
	if s.active == nil {
		return weights
	}
	return append(weights, s.weightOf(s.run.classOf(o.row), l))
}

// meanBy is the mean with weights, or without where there are none. It may sort the values.
func meanBy(values, weights []float64) float64 {
	if len(weights) > 0 {
		return stats.WeightedMean(values, weights)
	}
	return stats.TakeSample(values).Mean()
}
