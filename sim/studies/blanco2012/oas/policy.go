package oas

import (
	"cmp"
	"fmt"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/studies/blanco2012/oas/solver"
)

func init() {
	sim.Policies.Add(sim.Kind[sim.NewPolicy]{
		Name: "oas",
		Doc: "order and allocation of a set of jobs by a solver, in slots of time, for the earliest last end without a saturated " +
			"uplink (Blanco 2012)",
		Params:  DefaultParams,
		Metrics: metrics,
		Version: 1, // 1: jobs that come into the window by starts of others are planned at once
		New:     func(params any, env sim.Env) (sim.Policy, error) { return New(*params.(*Params), env), nil },
	})
}

// Params are the parameters of the policy oas.
type Params struct {
	Slot        float64 `sweep:"slot" unit:"s" min:"0" doc:"length of a slot; 0: by slot_percent"`
	SlotPercent float64 `sweep:"slot_percent" above:"0" doc:"length of a slot in percent of the mean walltime (base time) of the jobs to be placed"`
	Window      int     `sweep:"window" min:"0" max:"64" doc:"number of jobs at the head of the queue that are planned whenever a job ends or comes among them. Jobs planned for now start. 0: plan all waiting jobs, and plan again when these have started"`
	Tie         string  `sweep:"tie" enum:"first: the first plan found|min-sum-finish: the plan with the least sum of finish times in slots|best-of: of the plan found first and best_of plans, the one that ends first when it is carried out without slowdowns" doc:"choice among the shortest plans"`
	BestOf      int     `sweep:"best_of" min:"1" doc:"number of the shortest plans that tie: best-of compares"`
	// Execution is the rule for the start times of the jobs of an offline plan. In all three they
	// start in order of their slots and numbers.
	Execution string  `sweep:"execution" enum:"asap: as soon as processors and uplinks have room|slots: at the beginning of their slots|asap-without-links: as soon as processors are free, which can saturate an uplink" doc:"start times of the jobs of an offline plan"`
	Solver    string  `sweep:"solver" enum:"builtin: our own, exact|cbc: of COIN-OR (Debian: coinor-cbc)|glpk: glpsol (Debian: glpk-utils)|highs: highs" doc:"the solver; all but builtin are programs to be installed"`
	Model     string  `sweep:"model" enum:"used-slots: a variable for each slot that is used|last-slot: one for the last" doc:"form of the linear program; builtin uses none"`
	Nodes     int64   `sweep:"nodes" min:"0" doc:"limit of each search in nodes of the search tree, not for glpk; 0: none"`
	TimeLimit float64 `sweep:"time_limit" min:"0" unit:"s" doc:"limit of the wall-clock time of each search; a search that it ends may give another plan when repeated; 0: none"`
}

// Needs refuses fields of another choice or solver where neither is given.
func (p *Params) Needs(report func(missing, field, message string)) {
	if p.Tie != "best-of" && p.BestOf != DefaultParams.BestOf {
		report("tie", "best_of", fmt.Sprintf("is %d, and no plans are compared; add tie: best-of, or drop it", p.BestOf))
	}
	if p.Solver == "builtin" && p.Model != DefaultParams.Model {
		report("solver", "model", "is "+p.Model+", and the solver builtin uses no linear program; add solver, or drop it")
	}
}

// Version sets best-of apart where it did not compare the plan found first, unless that was one of the best_of plans that it looked at.
func (p *Params) Version() int {
	if p.Tie == "best-of" {
		return 1
	}
	return 0
}

// DefaultParams is the paper's second experiment.
var DefaultParams = Params{SlotPercent: 50, Tie: "first", BestOf: 20, Execution: "asap", Solver: "builtin", Model: "used-slots",
	Nodes: 1_000_000}

// placed is a job of a plan.
type placed struct {
	job   *sim.Job
	begin float64 // of its slot, in s
	last  float64 // end of its last slot, in s
	mode  solver.Mode
}

// Policy is the policy oas.
//
// Offline, a plan is carried out in order of slots and numbers: a job starts after
// its predecessor or at the same instant. Then no job ends after its last slot as
// long as no job outlives its time in the plan: when a job's slot begins, its predecessors have started by the same
// argument. Jobs whose slots are over have ended. So the processors and links that it needs are free. The policy
// checks that in each run and ends it with an error where it does not hold.
type Policy struct {
	p       Params
	env     sim.Env
	machine machine
	waiting []*sim.Job // in order of submission
	plan    []placed   // offline: what of it has not started, in order
	ends    []placed   // offline: what of it runs
	late    bool       // a job has outlived its time
	changed bool       // online: something ended or came
	until   float64    // wall-clock time at which the present search has to end
	tally
}

func New(p Params, env sim.Env) *Policy { return &Policy{p: p, env: env} }

func (p *Policy) Reset(s *sim.State) error {
	*p = Policy{p: p.p, env: p.env, machine: p.machine}
	if err := p.machine.reset(s.Platform()); err != nil {
		return fmt.Errorf("policy oas: %w", err)
	}
	return nil
}

// Submitted puts the job into the queue, or refuses one that would saturate a link at any place.
func (p *Policy) Submitted(s *sim.State, j *sim.Job) {
	if t := task(j); len(p.machine.Modes(&t)) == 0 {
		p.infeasible++
		s.Reject(j)
		return
	}
	at, _ := slices.BinarySearchFunc(p.waiting, j, func(a, b *sim.Job) int { return cmp.Compare(a.Seq(), b.Seq()) })
	p.waiting = slices.Insert(p.waiting, at, j) // behind the others, unless it was requeued
	p.changed = p.changed || p.p.Window == 0 || len(p.waiting) <= p.p.Window
}

// Ended forgets the job, and checks that it ended within its slots.
func (p *Policy) Ended(s *sim.State, j *sim.Job) {
	p.changed = true
	h := p.machine.ended(j)
	outlived := func(h held) bool { return s.Now() > h.end+1e-9*(h.end+h.mode.Time) }
	p.late = p.late || outlived(h) || slices.ContainsFunc(p.machine.running, outlived)
	i := slices.IndexFunc(p.ends, func(e placed) bool { return e.job == j })
	if i < 0 {
		return
	}
	if e := p.ends[i]; !p.late && p.p.Execution != "asap-without-links" && s.Now() > e.last*(1+1e-9) {
		s.Fail(fmt.Errorf("policy oas: job %d ended at %g s, after its last slot (%g s), though no job outlived its time: the plan was carried "+
			"out wrongly", j.ID(), s.Now(), e.last))
	}
	p.ends = slices.Delete(p.ends, i, i+1)
}

func (p *Policy) Pass(s *sim.State) {
	if p.p.Window > 0 {
		p.online(s)
		return
	}
	for p.carryOut(s); len(p.plan) == 0 && len(p.waiting) > 0; p.carryOut(s) {
		if !p.prepare(s, p.waiting) {
			return
		}
		p.waiting = nil
	}
}

// online plans the first jobs that wait and starts those of the first slot; others
// may move into the window then.
func (p *Policy) online(s *sim.State) {
	for p.changed && len(p.waiting) > 0 {
		n := min(p.p.Window, len(p.waiting))
		more := len(p.waiting) > n
		p.changed = false
		if !p.prepare(s, p.waiting[:n]) {
			return
		}
		for i, e := range p.plan {
			now := e.begin <= s.Now() && p.machine.has(s, &e.mode) && p.machine.carries(&e.mode)
			if now || i == 0 && s.Running() == 0 { // a plan that begins late may not stop everything
				p.machine.start(s, e.job, e.mode)
				p.waiting = slices.DeleteFunc(p.waiting, func(j *sim.Job) bool { return j == e.job })
				p.changed = more
			}
		}
		p.plan = nil
	}
}

// carryOut starts what may start of the offline plan.
func (p *Policy) carryOut(s *sim.State) {
	for len(p.plan) > 0 {
		e := p.plan[0]
		if p.p.Execution == "slots" && s.Now() < e.begin {
			s.WakeAt(e.begin)
			return
		}
		if !p.machine.has(s, &e.mode) || p.p.Execution != "asap-without-links" && !p.machine.carries(&e.mode) {
			return
		}
		p.machine.start(s, e.job, e.mode)
		p.ends, p.plan = append(p.ends, e), p.plan[1:]
	}
}

// prepare makes p.plan for the jobs, beside the running ones.
func (p *Policy) prepare(s *sim.State, jobs []*sim.Job) bool {
	q := &p.machine.Problem
	q.Jobs, q.Held = nil, nil
	mean := 0.0
	for _, j := range jobs {
		q.Jobs = append(q.Jobs, task(j))
		mean += j.Walltime() / float64(len(jobs))
	}
	if q.Slot = p.p.Slot; q.Slot == 0 {
		q.Slot = p.p.SlotPercent / 100 * mean
	}
	for _, h := range p.machine.running {
		left := h.mode
		left.Time = h.end - s.Now()
		q.Held = append(q.Held, solver.Hold{Slots: max(1, solver.Slots(left.Time, q.Slot)), Mode: left})
	}
	plan, err := p.solve(q)
	if err != nil {
		s.Fail(fmt.Errorf("policy oas: %w", err))
		return false
	}
	p.plan = nil
	for i, at := range plan {
		begin := s.Now() + float64(at.Start)*q.Slot
		p.plan = append(p.plan, placed{jobs[i], begin, s.Now() + float64(at.Start+at.Slots)*q.Slot, at.Mode})
	}
	inOrder(p.plan)
	return true
}

// inOrder sorts a plan by slots, then by submission.
func inOrder(plan []placed) {
	slices.SortStableFunc(plan, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.job.Seq(), b.job.Seq()))
	})
}
