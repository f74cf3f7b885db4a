package solver

import (
	"cmp"
	"slices"
)

// exchanged is the number of jobs up to which exchanges are tried: they take time
// in its fifth power.
const exchanged = 24

// Greedy returns the shortest of some plans. Each plan takes the jobs in another order: by tasks, by time, by both,
// or as they are. It gives each job the place and start with which the job ends first. Greedy then improves the best
// order of few jobs: it exchanges two of them as long as that helps. All jobs of p have modes.
func Greedy(p *Problem) Plan {
	n := len(p.Jobs)
	modes := make([][]Mode, n)
	order := make([]int, n)
	for i := range p.Jobs {
		modes[i], order[i] = p.Modes(&p.Jobs[i]), i
	}
	area := func(i int) float64 { return float64(p.Jobs[i].Tasks) * p.Jobs[i].Base }
	keys := []func(i int) float64{
		area,
		func(i int) float64 { return float64(p.Jobs[i].Tasks) },
		func(i int) float64 { return p.Jobs[i].Base },
	}
	best := p.list(order, modes)
	for _, key := range keys {
		by := slices.Clone(order)
		slices.SortStableFunc(by, func(a, b int) int { return cmp.Compare(key(b), key(a)) })
		if plan := p.list(by, modes); plan.Slots() < best.Slots() {
			best, order = plan, by
		}
	}
	for again := n <= exchanged; again; {
		again = false
		for i := range order {
			for k := i + 1; k < n; k++ {
				order[i], order[k] = order[k], order[i]
				if plan := p.list(order, modes); plan.Slots() < best.Slots() {
					best, again = plan, true
					continue
				}
				order[i], order[k] = order[k], order[i]
			}
		}
	}
	return best
}

// list places the jobs in that order, each where it ends first.
func (p *Problem) list(order []int, modes [][]Mode) Plan {
	plan := make(Plan, len(order))
	var taken []Placed
	for _, h := range p.Held {
		taken = append(taken, Placed{0, h.Mode})
		taken[len(taken)-1].Slots = h.Slots
	}
	for _, i := range order {
		best := Placed{Start: -1}
		for _, m := range modes[i] {
			// A start at 0 or at an end is as good as any.
			for at := -1; at < len(taken); at++ {
				start := 0
				if at >= 0 {
					start = taken[at].Start + taken[at].Slots
				}
				if (best.Start < 0 || start+m.Slots < best.Start+best.Slots) && p.fits(taken, start, &m) {
					best = Placed{start, m}
				}
			}
		}
		plan[i] = best
		taken = append(taken, best)
	}
	return plan
}

// fits reports whether m, begun in slot start, fits beside the jobs in taken.
func (p *Problem) fits(taken []Placed, start int, m *Mode) bool {
	end := start + m.Slots
	full := func(t int) bool {
		for k := range p.Clusters {
			nodes, load := m.Counts[k], m.Load[k]
			for i := range taken {
				if q := &taken[i]; q.Start <= t && t < q.Start+q.Slots {
					nodes, load = nodes+q.Counts[k], load+q.Load[k]
				}
			}
			if int(nodes) > p.Clusters[k].Nodes || !Fits(load, p.Clusters[k].Link) {
				return true
			}
		}
		return false
	}
	if full(start) {
		return false
	}
	for i := range taken {
		if s := taken[i].Start; start < s && s < end && full(s) {
			return false
		}
	}
	return true
}
