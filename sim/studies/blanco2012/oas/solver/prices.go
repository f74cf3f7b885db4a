package solver

import (
	"math"
	"slices"
)

// worthUnit is the approximate worth of the most worthy slot of the machine, in the whole numbers
// in which worth is counted.
const worthUnit = 1 << 24

// pricingNodes limits the searches for the worthiest set of jobs that run at once: each alone, and ten times as much
// all together. What the last search has not seen by then counts by its upper bound.
const pricingNodes = 100_000

// price finds what each job is worth, so that no set of jobs that can run at once earns more than in.full a slot: the
// dual solution of the linear program over all such sets, in which jobs may be interrupted and change their options at
// will. It is solved by generating columns; for any duals, the rates are made valid by a last exact search for the
// worthiest set.
func (in *instance) price(stop func() bool) {
	n, visited := len(in.order), 0
	basis := make([][]float64, n) // the inverse
	x, cost := make([]float64, n), make([]float64, n)
	for i := range basis {
		basis[i] = make([]float64, n)
		basis[i][i] = float64(in.least[i])
		x[i], cost[i] = float64(in.least[i]), 1
	}
	dual, column, dir := make([]float64, n), make([]float64, n), make([]float64, n)
	for visited < 10*pricingNodes && (stop == nil || !stop()) {
		for k := range dual {
			dual[k] = 0
			for i := range basis {
				dual[k] += cost[i] * basis[i][k]
			}
		}
		clear(column)
		enter := 0.0
		if k := slices.Index(dual, slices.Min(dual)); dual[k] < -1e-9 {
			visited++
			column[k] = -1 // done more often than needed, at no cost
		} else {
			in.rates(dual)
			set, earned, _, nodes := in.worthiest()
			visited += nodes + 1
			if float64(earned) <= worthUnit*(1+1e-6) {
				break
			}
			for _, c := range set {
				column[c.job] = 1 / float64(in.options[c.job][c.option].slots)
			}
			enter = 1
		}
		out := -1
		for i := range dir {
			dir[i] = 0
			for k := range column {
				dir[i] += basis[i][k] * column[k]
			}
			if dir[i] > 1e-9 && (out < 0 || x[i]/dir[i] < x[out]/dir[out]) {
				out = i
			}
		}
		if out < 0 {
			break
		}
		cost[out] = enter
		step := x[out] / dir[out]
		for i := range x {
			if i == out {
				continue
			}
			x[i] -= step * dir[i]
			for k := range basis[i] {
				basis[i][k] -= dir[i] / dir[out] * basis[out][k]
			}
		}
		x[out] = step
		for k := range basis[out] {
			basis[out][k] /= dir[out]
		}
	}
	for k := range dual {
		dual[k] = max(0, dual[k])
	}
	in.rates(dual)
	_, _, in.full, _ = in.worthiest()
	in.full = max(in.full, 1)
}

// rates gives options and jobs their worth by the duals.
func (in *instance) rates(dual []float64) {
	in.worth = make([]int64, len(dual))
	in.dense = make([]float64, len(dual))
	for i, w := range dual {
		worth := int64(max(0, w) * worthUnit)
		in.worth[i] = math.MaxInt64
		for k := range in.options[i] {
			o := &in.options[i][k]
			o.rate = worth / int64(o.slots)
			in.worth[i] = min(in.worth[i], o.rate*int64(o.slots))
			in.dense[i] = max(in.dense[i], float64(o.rate)/float64(o.nodes))
		}
		for k := range in.options[i] {
			o := &in.options[i][k]
			o.extra = o.rate*int64(o.slots) - in.worth[i]
		}
	}
}

// choice is an option of a job.
type choice struct{ job, option int }

// worthiest finds the set of options that fit together with the largest sum of rates, and that sum. The upper bound
// of the sum differs from it only where the search met its limit. visited counts the sets that it looked at.
func (in *instance) worthiest() (best []choice, earned, bound int64, visited int) {
	byDensity := in.byDensity()
	free := in.room()
	var set []choice
	var try func(at int, sum int64)
	try = func(at int, sum int64) {
		if sum > earned {
			earned, best = sum, slices.Clone(set)
			bound = max(bound, earned)
		}
		for ; at < len(byDensity); at++ {
			// The rest fills the free nodes by its best worth per node at most.
			most, left := float64(sum), free.total
			for _, i := range byDensity[at:] {
				n := min(left, in.options[i][0].nodes)
				most += in.dense[i] * float64(n)
				if left -= n; left == 0 {
					break
				}
			}
			most = math.Ceil(most * (1 + 1e-12))
			if int64(most) <= earned {
				return
			}
			if visited++; visited > pricingNodes {
				bound = max(bound, int64(most))
				return
			}
			i := byDensity[at]
			for k := range in.options[i] {
				if o := &in.options[i][k]; free.fits(o) {
					free.take(o, 1)
					set = append(set, choice{i, k})
					try(at+1, sum+o.rate)
					set = set[:len(set)-1]
					free.take(o, -1)
				}
			}
		}
	}
	try(0, 0)
	return best, earned, bound, visited
}
