package oas

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/blanco2012/oas/solver"
	"schedsweep/sim/studies/blanco2012/saturation"
)

// reference is an instance of the oracle with its answers; see the README there.
// What an instance without a plan lacks is nil.
type reference struct {
	ID       string
	Clusters []struct {
		Nodes int
		Power float64
		Link  float64 `json:"link_mbit_per_s"`
	}
	Slot float64 `json:"slot_s"`
	Jobs []struct {
		ID        int64
		Tasks     int
		Base      float64 `json:"base_s"`
		Bandwidth float64 `json:"ptbw_mbit_per_s"`
		Sigma     float64
	}
	Optimal  *int     `json:"optimal_slots"`
	OptimalS *float64 `json:"optimal_slots_s"`
	Solution []struct {
		Job    int64
		Start  int     `json:"start_slot"`
		Slots  int     `json:"slots"`
		Counts []int32 `json:"tasks_per_cluster"`
	}
	Executed map[string]*executed
	Listed   map[string]*executed `json:"heuristics"`
	Avoiding map[string]*executed `json:"heuristics_avoiding_saturation"`
	submit   float64              // of all jobs
}

// executed is the result of a schedule.
type executed struct {
	Makespan   float64   `json:"makespan_s"`
	Compaction float64   `json:"compaction"`
	Saturated  bool      `json:"saturation_met"`
	Start      []float64 `json:"start_s"`
	End        []float64 `json:"end_s"`
	Counts     [][]int32 `json:"tasks_per_cluster"`
}

const mbit = 125e3 // B/s

// solvable reports whether the oracle has an optimum.
func (r *reference) solvable() bool { return r.Optimal != nil && *r.Optimal > 0 }

func (r *reference) problem() *solver.Problem {
	p := &solver.Problem{Slot: r.Slot}
	for _, c := range r.Clusters {
		p.Clusters = append(p.Clusters, solver.Cluster{Name: "c", Nodes: c.Nodes, Power: c.Power, Link: c.Link})
	}
	for _, j := range r.Jobs {
		p.Jobs = append(p.Jobs, solver.Job{ID: j.ID, Tasks: j.Tasks, Base: j.Base, Sigma: j.Sigma, Bandwidth: j.Bandwidth})
	}
	return p
}

func (r *reference) specs() *simtest.List {
	l := &simtest.List{}
	for _, j := range r.Jobs {
		*l = append(*l, sim.JobSpec{ID: j.ID, Submit: r.submit, RunTime: j.Base, Walltime: j.Base, Procs: int32(j.Tasks), User: -1,
			Bandwidth: j.Bandwidth * mbit, Communication: 1 - j.Sigma})
	}
	return l
}

func (r *reference) platform(t testing.TB) *sim.Platform {
	var cs []sim.Cluster
	for _, c := range r.Clusters {
		cs = append(cs, sim.Cluster{Name: "c", Nodes: c.Nodes, Cores: 1, Speed: c.Power, Uplink: sim.Link{Bandwidth: c.Link * mbit}})
	}
	p, err := sim.NewPlatform("oracle", cs, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// watch writes down what becomes of the jobs.
type watch map[int64]outcome

type outcome struct {
	start, finish float64
	state         sim.JobState
	counts        []int32
}

func (watch) Submitted(*sim.View, *sim.Job) {}
func (watch) Started(*sim.View, *sim.Job)   {}
func (w watch) Ended(_ *sim.View, j *sim.Job) {
	w[j.ID()] = outcome{j.Start(), j.Finish(), j.State(), slices.Clone(j.Alloc().Counts)}
}

// play runs the instance under a policy.
func (r *reference) play(t testing.TB, p sim.Policy) executed {
	t.Helper()
	var e sim.Engine
	w, m := watch{}, &saturation.Model{}
	if _, err := e.Run(context.Background(),
		sim.Config{Platform: r.platform(t), Source: r.specs(), Policy: p, Progress: m, Observers: []sim.Observer{simtest.Watch(w)}}); err != nil {
		t.Fatalf("%s: %v", r.ID, err)
	}
	var got executed
	busy, nodes := 0.0, 0
	for _, j := range r.Jobs {
		o := w[j.ID]
		if o.state != sim.Finished {
			t.Fatalf("%s: job %d is %s", r.ID, j.ID, o.state)
		}
		got.Start, got.End, got.Counts = append(got.Start, o.start), append(got.End, o.finish), append(got.Counts, o.counts)
		got.Makespan = max(got.Makespan, o.finish-r.submit)
		busy += float64(j.Tasks) * (o.finish - o.start)
	}
	for _, c := range r.Clusters {
		nodes += c.Nodes
	}
	values := m.Values(nil)
	got.Compaction, got.Saturated = busy/(got.Makespan*float64(nodes)), values[len(values)-1] > 1+1e-9
	return got
}

// replay carries out the plan that the oracle gives.
func (r *reference) replay(t testing.TB, execution string) sim.Policy {
	p := DefaultParams
	p.Execution = execution
	return &replay{Policy: New(p, sim.Env{}), r: r}
}

// replay is the policy with a given plan.
type replay struct {
	*Policy
	r *reference
}

func (p *replay) Pass(s *sim.State) {
	if p.plan == nil {
		for i, at := range p.r.plan() {
			t := task(p.waiting[i])
			m, _ := p.machine.Mode(&t, at.Counts) // links in B/s
			p.plan = append(p.plan, placed{p.waiting[i], float64(at.Start) * p.r.Slot, float64(at.Start+at.Slots) * p.r.Slot, m})
		}
		inOrder(p.plan)
		p.waiting = nil
	}
	p.carryOut(s)
}

func (r *reference) plan() solver.Plan {
	q := r.problem()
	plan := make(solver.Plan, len(r.Jobs))
	for i, s := range r.Solution {
		m, _ := q.Mode(&q.Jobs[i], s.Counts)
		m.Slots = s.Slots
		plan[i] = solver.Placed{Start: s.Start, Mode: m}
	}
	return plan
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) }

func nearAll(a, b []float64) bool { return slices.EqualFunc(a, b, near) }

// compare reports how an execution differs from the oracle's.
func compare(t *testing.T, r *reference, what string, got executed, want *executed) {
	t.Helper()
	if !near(got.Makespan, want.Makespan) || !near(got.Compaction, want.Compaction) || got.Saturated != want.Saturated ||
		!nearAll(got.Start, want.Start) || !nearAll(got.End, want.End) {
		t.Errorf("%s %s:\n got %+v\nwant %+v", r.ID, what, got, *want)
	}
	if want.Counts != nil && !slices.EqualFunc(got.Counts, want.Counts, slices.Equal) {
		t.Errorf("%s %s: counts %v, want %v", r.ID, what, got.Counts, want.Counts)
	}
}

func references(t *testing.T) []*reference {
	t.Helper()
	var all []*reference
	for _, path := range simtest.Oracles(t, "oas", "*.json") {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		r := &reference{}
		if err := json.Unmarshal(b, r); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		r.ID = filepath.Base(path)
		all = append(all, r)
	}
	return all
}

// TestOracleOAS: the optimum in slots of every instance, and to 1e-9 what becomes
// of the given plans and under the heuristics. An instance without an optimum has
// no plan.
// possible reports whether every job of a problem has a mode.
func possible(p *solver.Problem) bool {
	return !slices.ContainsFunc(p.Jobs, func(j solver.Job) bool { return len(p.Modes(&j)) == 0 })
}

func TestOracleOAS(t *testing.T) {
	executions := map[string]string{"asap": "asap", "slots": "slots", "asapnobw": "asap-without-links"}
	plans, lists, impossible := 0, 0, 0
	all := references(t)
	for _, r := range all {
		q := r.problem()
		if !r.solvable() {
			impossible++
			if possible(q) {
				t.Errorf("%s: all jobs have modes; the oracle has no plan", r.ID)
			}
		} else {
			got := solver.NewExact(q, solver.Limits{}).Solve()
			if got.Status != solver.Optimal || got.Plan.Slots() != *r.Optimal {
				t.Errorf("%s: %s in %d slots, want %d", r.ID, got.Status, got.Plan.Slots(), *r.Optimal)
			}
			if r.OptimalS != nil && !near(float64(got.Plan.Slots())*r.Slot, *r.OptimalS) {
				t.Errorf("%s: %g s, want %g", r.ID, float64(got.Plan.Slots())*r.Slot, *r.OptimalS)
			}
			for _, plan := range []solver.Plan{got.Plan, r.plan()} {
				if err := q.Check(plan); err != nil || plan.Slots() != *r.Optimal {
					t.Errorf("%s: %d slots: %v", r.ID, plan.Slots(), err)
				}
			}
			own := r.play(t, New(Params{Slot: r.Slot, Tie: "best-of", BestOf: 20, Execution: "asap", Solver: "builtin"}, sim.Env{}))
			if own.Saturated || own.Makespan > float64(*r.Optimal)*r.Slot*(1+1e-9) {
				t.Errorf("%s: carried out, our plan ends at %g s, saturation %v", r.ID, own.Makespan, own.Saturated)
			}
		}
		for name, want := range r.Executed {
			if executions[name] == "" {
				t.Errorf("%s: nothing here executes a plan %q", r.ID, name)
			} else if want != nil {
				compare(t, r, name, r.play(t, r.replay(t, executions[name])), want)
				plans++
			}
		}
		for avoid, table := range map[bool]map[string]*executed{false: r.Listed, true: r.Avoiding} {
			for order, want := range table {
				if !slices.Contains([]string{"fcfs", "sjf", "bjf", "fpfs", "spt", "lpt"}, order) {
					t.Errorf("%s: nothing here lists jobs by %q", r.ID, order)
				} else if want != nil {
					compare(t, r, order, r.play(t, NewList(ListParams{Order: order, AvoidSaturation: avoid})), want)
					lists++
				}
			}
		}
	}
	t.Logf("compared %d instances (%d without a plan), %d executions of plans, %d of heuristics", len(all), impossible, plans, lists)
}

// CBC agrees where it proves, and never contradicts: on instances with large slots
// or few jobs, which it decides in seconds.
func TestOracleOASByCBC(t *testing.T) {
	cbc := solver.ProgramByName("cbc")
	if _, err := exec.LookPath(cbc.Command); err != nil {
		t.Skipf("%v: CI installs coinor-cbc", err)
	}
	compared, proved := 0, 0
	for _, r := range references(t) {
		q := r.problem()
		mean := 0.0
		for i := range q.Jobs {
			mean += q.Jobs[i].Base / float64(len(q.Jobs))
		}
		if !r.solvable() || q.Slot < .999*mean && len(q.Jobs) > 4 {
			continue
		}
		horizon := solver.Greedy(q).Slots()
		call := cbc.Call(q, solver.UsedSlots, horizon, 10, 0)
		dir := t.TempDir()
		for name, content := range call.Files {
			if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command(call.Program, call.Args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		solution, err := os.ReadFile(filepath.Join(dir, call.Result))
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := cbc.Read(q, horizon, solver.Answer{Stdout: string(out), Solution: string(solution)})
		if err != nil {
			t.Errorf("%s: %v", r.ID, err)
			continue
		}
		compared++
		if got.Status == solver.Optimal {
			proved++
		}
		if got.Status == solver.Infeasible || got.Bound > *r.Optimal || got.Plan != nil && got.Plan.Slots() < *r.Optimal ||
			got.Status == solver.Optimal && got.Plan.Slots() != *r.Optimal {
			t.Errorf("%s: cbc is %s in %d slots with the bound %d; the optimum is %d", r.ID, got.Status, got.Plan.Slots(), got.Bound, *r.Optimal)
		}
	}
	t.Logf("compared %d instances, of which cbc proved %d", compared, proved)
}
