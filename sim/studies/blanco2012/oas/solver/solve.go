package solver

import (
	"cmp"
	"maps"

	"schedsweep/sim"
)

// Version of the builtin solver. It is raised when answers change: a plan, or what
// a limit of nodes leaves.
const Version = "1"

// Exact is the builtin solver with its knowledge of a problem.
type Exact struct {
	in  *instance
	s   *search
	low int // a number of slots below which there is no plan
}

// NewExact prepares the solver. All jobs of p have modes ([Problem.Modes]).
func NewExact(p *Problem, limits Limits) *Exact {
	in := newInstance(p)
	if len(p.Jobs) > 0 {
		in.price(limits.Stop)
		in.sort()
	}
	e := &Exact{in: in, s: newSearch(in, limits)}
	worth := int64(0)
	for i, w := range in.worth {
		worth += w
		e.low = max(e.low, in.least[i])
	}
	if len(in.held) > 0 {
		for i := range p.Jobs { // no job ends earlier than it would alone beside the held modes
			alone := *p
			alone.Jobs = p.Jobs[i : i+1]
			e.low = max(e.low, Greedy(&alone).Slots())
		}
	}
	if worth > 0 {
		e.low = max(e.low, int((worth+in.full-1)/in.full))
	}
	return e
}

// Solve raises the number of slots from the bound until there is a plan. When a
// limit comes first, it is the best plan of [Greedy].
func (e *Exact) Solve() Result {
	r := Result{Status: Optimal, Bound: e.low}
	for ; ; r.Bound++ {
		ok := e.s.decide(r.Bound, func() bool { r.Plan = e.s.plan(); return true })
		r.Nodes = e.s.visited
		if ok {
			return r
		}
		if e.s.over {
			r.Plan = Greedy(e.in.problem)
			if r.Status = Feasible; r.Plan.Slots() == r.Bound {
				r.Status = Optimal
			}
			return r
		}
	}
}

// Each hands plans of at most that many slots to yield until it returns false,
// the limit is met or there are no others. Of plans that differ only in a job
// that could start earlier, or in the order of identical jobs, it knows one.
func (e *Exact) Each(slots int, yield func(Plan) bool) {
	e.fresh()
	e.s.decide(slots, func() bool { return !yield(e.s.plan()) })
}

// LeastSum returns the plan of at most that many slots with the least sum of
// finish times in slots, or the best that it found within the limit; nil: none.
func (e *Exact) LeastSum(slots int) Plan {
	var best Plan
	e.fresh()
	e.s.sumBelow = 1 << 62
	e.s.decide(slots, func() bool {
		best, e.s.sumBelow = e.s.plan(), e.s.sum
		return false
	})
	e.s.sumBelow = 0
	maps.DeleteFunc(e.s.failed, func(_ string, f failure) bool { return f.sum != anySum })
	return best
}

// fresh lets a search begin with the whole limit.
func (e *Exact) fresh() { e.s.visited, e.s.over = 0, false }

func (s *search) plan() Plan {
	plan := make(Plan, len(s.order))
	for at, i := range s.order {
		plan[i] = Placed{s.start[at], *s.chosen[at].mode}
	}
	return plan
}

// byDensity returns the positions in order of their worth per node and slot, the most first.
func (in *instance) byDensity() []int {
	return sim.Ranked(len(in.dense), func(a, b int) int { return cmp.Compare(in.dense[b], in.dense[a]) })
}

// sort puts the positions in order of their worth per node and slot, and finds
// identical jobs.
func (in *instance) sort() {
	old := *in
	in.order, in.options, in.least, in.worth, in.dense = nil, nil, nil, nil, nil
	last := map[Job]int{}
	for at, i := range old.byDensity() {
		in.order = append(in.order, old.order[i])
		in.options = append(in.options, old.options[i])
		in.least = append(in.least, old.least[i])
		in.worth = append(in.worth, old.worth[i])
		in.dense = append(in.dense, old.dense[i])
		j := in.problem.Jobs[old.order[i]]
		j.ID = 0
		twin, ok := last[j]
		if !ok {
			twin = -1
		}
		in.twin = append(in.twin, twin)
		last[j] = at
	}
}
