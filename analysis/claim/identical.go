package claim

import (
	"cmp"
	"math"
	"slices"

	"schedsweep/analysis/frame"
)

// identical reports whether all replications that the test uses are the same bit for bit, in what the test reads and in
// every other metric of the study: then nothing in them is random, and their agreement is no evidence.
func (t *test) identical(all []activity) bool {
	for _, s := range t.samples {
		i := slices.IndexFunc(all, func(a activity) bool { return a.run == s.run })
		if i < 0 {
			return false
		}
		uses := slices.Clone(all[i].replications)
		for rep, n := range s.whole {
			uses[rep] = uses[rep] && n > 0
		}
		if !s.identical(uses) {
			return false
		}
	}
	return true
}

func (s *sample) identical(uses []bool) bool {
	if s.active == nil && !s.evenSums(uses) {
		return false // as nearly always, and without a look at every row
	}
	f := s.run.Frame
	var columns [][]float64
	for _, m := range s.run.Design.Metrics {
		if c := f.Column(m); c != nil && !c.IsText() {
			columns = append(columns, c.Numbers)
		}
	}
	var axes []string
	for _, a := range s.run.Design.Axes {
		if f.Column(a) != nil {
			axes = append(axes, a)
		}
	}
	points := frame.GroupBy(f, axes, nil).Of
	obs := slices.Clone(s.obs)
	slices.SortStableFunc(obs, func(a, b observation) int {
		return cmp.Or(cmp.Compare(points[a.row], points[b.row]), cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y))
	})
	same := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
	if s.active != nil {
		return s.identicalPoints(points, columns, same)
	}
	byReplication := make([][]observation, len(uses))
	for _, o := range obs {
		byReplication[o.replication] = append(byReplication[o.replication], o)
	}
	first := -1
	for rep, ok := range uses {
		switch {
		case !ok:
			continue
		case first < 0:
			first = rep
			continue
		}
		a, b := byReplication[first], byReplication[rep]
		if len(a) != len(b) {
			return false
		}
		for k := range a {
			if points[a[k].row] != points[b[k].row] || !same(a[k].x, b[k].x) || !same(a[k].y, b[k].y) {
				return false
			}
			for _, c := range columns {
				if !same(c[a[k].row], c[b[k].row]) {
					return false
				}
			}
		}
	}
	return true
}

// identicalPoints reports whether all replications of each point are the same, where points have unequal numbers of them.
func (s *sample) identicalPoints(points []int32, columns [][]float64, same func(a, b float64) bool) bool {
	first := map[int32]*observation{}
	for i := range s.obs {
		o := &s.obs[i]
		f := first[points[o.row]]
		if f == nil {
			first[points[o.row]] = o
			continue
		}
		if !same(f.x, o.x) || !same(f.y, o.y) || slices.ContainsFunc(columns, func(c []float64) bool { return !same(c[f.row], c[o.row]) }) {
			return false
		}
	}
	return true
}

// evenSums reports whether the sums of all replications are the same; observations of replications that are the same come
// in the same order.
func (s *sample) evenSums(uses []bool) bool {
	sums := make([]float64, len(uses))
	for _, o := range s.obs {
		sums[o.replication] += o.y
	}
	first := slices.Index(uses, true)
	for rep, ok := range uses {
		if ok && sums[rep] != sums[first] {
			return false
		}
	}
	return true
}
