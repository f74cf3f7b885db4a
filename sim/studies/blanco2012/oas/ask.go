package oas

import (
	"fmt"
	"math"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/host"
	"schedsweep/sim/studies/blanco2012/oas/solver"
)

// grace is for how many seconds a program may outstay its time limit before it is
// killed.
const grace = .9

// solve asks the solver for a plan and chooses among the shortest.
func (p *Policy) solve(q *solver.Problem) (solver.Plan, error) {
	began := p.env.Seconds()
	var e *solver.Exact
	var r solver.Result
	version := solver.Version
	if p.p.Solver == "builtin" {
		e = solver.NewExact(q, p.limits())
		r = e.Solve()
	} else {
		var err error
		if r, version, err = p.run(q, solver.ProgramByName(p.p.Solver)); err != nil {
			return nil, err
		}
	}
	p.enter(&r, q.Slot, p.p.Solver, version, p.env.Seconds()-began)
	if p.p.Tie == "first" {
		return r.Plan, nil
	}
	if limits := p.limits(); e == nil { // after the program, whose time is its own
		e = solver.NewExact(q, limits)
	}
	return p.choose(q, e, r.Plan), nil
}

// limits are those of a search that begins now, and of its solver from now on.
func (p *Policy) limits() solver.Limits {
	l := solver.Limits{Nodes: p.p.Nodes}
	if p.p.TimeLimit > 0 {
		p.until = p.env.Seconds() + p.p.TimeLimit
		l.Stop = func() bool { return p.env.Seconds() > p.until }
	}
	return l
}

// run solves by a program.
func (p *Policy) run(q *solver.Problem, program *solver.Program) (solver.Result, string, error) {
	known := solver.Greedy(q)
	call := program.Call(q, solver.Form(p.p.Model), known.Slots(), p.p.TimeLimit, p.p.Nodes)
	command := host.Command{Program: call.Program, Args: call.Args, Files: call.Files, Read: []string{call.Result}}
	if p.p.TimeLimit > 0 {
		command.Limit = p.p.TimeLimit + grace
	}
	out, err := p.env.Run(command)
	if err != nil {
		return solver.Result{}, "", fmt.Errorf("solver %s: %w", program.Name, err)
	}
	solution, left := out.Files[call.Result]
	r, version, err := program.Read(q, known.Slots(),
		solver.Answer{Stdout: string(out.Stdout), Solution: string(solution), Missing: !left, Exit: out.Exit})
	switch {
	case err != nil:
		return r, version, err
	case r.Status == solver.Infeasible:
		return r, version, fmt.Errorf("solver %s (version %s) says that there is no plan; there is one of %s", program.Name, version,
			sim.Counted(known.Slots(), "slot"))
	case r.Status == solver.TimeLimit: // the best that is known
		r.Plan = known
	}
	return r, version, nil
}

// choose takes one of the plans that are as short.
func (p *Policy) choose(q *solver.Problem, e *solver.Exact, plan solver.Plan) solver.Plan {
	switch p.p.Tie {
	case "min-sum-finish":
		if least := e.LeastSum(plan.Slots()); least != nil {
			return least
		}
	case "best-of":
		best, first, tried := plan, math.Inf(1), 0
		e.Each(plan.Slots(), func(other solver.Plan) bool {
			if end := p.carriedOut(q, other); end < first {
				best, first = other, end
			}
			tried++
			return tried < p.p.BestOf
		})
		if p.carriedOut(q, plan) >= first { // it need not be one of those
			return best
		}
	}
	return plan
}

// carriedOut returns the end of the last job of a plan, in s from now, if all jobs keep their times. This is what the
// engine would say, without an engine, unless links are saturated.
func (p *Policy) carriedOut(q *solver.Problem, plan solver.Plan) float64 {
	type taken struct {
		*solver.Mode
		end float64
	}
	var running []taken
	for i := range q.Held {
		running = append(running, taken{&q.Held[i].Mode, q.Held[i].Time})
	}
	now, last := 0.0, 0.0
	for _, i := range sim.Ranked(len(plan), func(a, b int) int { return plan[a].Start - plan[b].Start }) {
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
				carries := p.p.Execution == "asap-without-links" || m.Load[k] == 0 || solver.Fits(load, q.Clusters[k].Link)
				fits = fits && carries && int(nodes) <= q.Clusters[k].Nodes
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
