package oas

import (
	"math"
	"slices"

	"schedsweep/sim/studies/blanco2012/oas/solver"
)

// carriedOut is when the last job of a plan ends, in s from now, if all jobs keep
// their times: what the engine would say, without an engine.
func (p *Policy) carriedOut(q *solver.Problem, plan solver.Plan) float64 {
	order := make([]int, len(plan))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return plan[a].Start - plan[b].Start })
	type taken struct {
		*solver.Mode
		end float64
	}
	var running []taken
	for i := range q.Held {
		running = append(running, taken{&q.Held[i].Mode, float64(q.Held[i].Slots) * q.Slot})
	}
	now, last := 0.0, 0.0
	for _, i := range order {
		m := &plan[i].Mode
		if p.p.Execution == "slots" {
			now = max(now, float64(plan[i].Start)*q.Slot)
		}
		for {
			running = slices.DeleteFunc(running, func(t taken) bool { return t.end <= now })
			fits, next := true, math.Inf(1)
			for k := range q.Clusters {
				nodes, load := m.Counts[k], m.Load[k]
				for _, t := range running {
					nodes, load = nodes+t.Counts[k], load+t.Load[k]
					next = min(next, t.end)
				}
				fits = fits && int(nodes) <= q.Clusters[k].Nodes && (m.Load[k] == 0 || solver.Fits(load, q.Clusters[k].Link))
			}
			if fits {
				break
			}
			now = next
		}
		running = append(running, taken{m, now + m.Time})
		last = max(last, now+m.Time)
	}
	return last
}
