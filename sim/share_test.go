package sim_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/audit"
	"schedsweep/sim/metrics"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/sodan2003/shares"
)

// sharer is a policy of one function, called in each pass.
type sharer struct {
	jobs  []*sim.Job
	ended int
	pass  func(p *sharer, s *sim.State)
}

func (p *sharer) Reset(s *sim.State) error           { p.jobs, p.ended = nil, 0; s.TrackProcs(); return nil }
func (p *sharer) Submitted(_ *sim.State, j *sim.Job) { p.jobs = append(p.jobs, j) }
func (p *sharer) Ended(_ *sim.State, j *sim.Job) {
	p.ended++
	p.jobs = slices.DeleteFunc(p.jobs, func(o *sim.Job) bool { return o == j })
}
func (p *sharer) Pass(s *sim.State) { p.pass(p, s) }
func span(lo, hi int32) []sim.Span  { return []sim.Span{{Lo: lo, Hi: hi}} }
func sharing() *shares.Model        { return shares.New(shares.Defaults) }
func one(t *testing.T, procs int, p sim.Policy, m sim.Progress, jobs []sim.JobSpec, watch ...sim.Observer) error {
	t.Helper()
	machine := simtest.Machine(t, procs)
	books := audit.New(machine)
	if _, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: machine, Source: simtest.Source(jobs), Policy: p, Progress: m,
		Observers: append(watch, books)}); err != nil {
		return err
	}
	return books.Verdict(true)
}

// Job 1 of 100 s has both processors for itself until 10 s, when job 2 of 20 s gets half of them. Together both are slower by
// 1.2, so job 2 runs for 20 / (.5 / 1.2) = 48 s, until 58 s. Meanwhile job 1 does 20 s of its work. It then has 70 s left, alone
// again. The processors are always in use, so the utilisation is 1.
func TestTwoJobsShareProcessors(t *testing.T) {
	p := &sharer{pass: func(p *sharer, s *sim.State) {
		switch {
		case s.Now() == 0:
			s.StartShared(p.jobs[0], span(0, 1), 1)
		case s.Now() == 10:
			s.SetShare(p.jobs[0], .5)
			s.StartShared(p.jobs[1], span(0, 1), .5)
			if s.Free() != 0 || s.FreeOn(0) != 0 || s.Running() != 2 {
				t.Errorf("%d processors are free and %d jobs run", s.Free(), s.Running())
			}
		case p.ended == 1:
			s.SetShare(p.jobs[0], 1)
		case s.Free() != 2:
			t.Errorf("%d processors are free at the end", s.Free())
		}
	}}
	var out simtest.Outcomes
	var values metrics.Collector
	values.Reset(metrics.Setting{Platform: simtest.Machine(t, 2), Threshold: 10})
	err := one(t, 2, p, sharing(), []sim.JobSpec{{ID: 1, RunTime: 100, Walltime: 100, Procs: 2},
		{ID: 2, Submit: 10, RunTime: 20, Walltime: 20, Procs: 2}}, &out, &values)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{128, 58} {
		if !(math.Abs(out[i].Finish-want) <= 1e-9) {
			t.Errorf("job %d ended at %g s, want %g s", i+1, out[i].Finish, want)
		}
	}
	for i, v := range values.Values(nil) {
		if m := metrics.Catalog()[i].Name; (m == "utilisation" || m == "core_utilisation" || m == "node_utilisation") &&
			!(math.Abs(v-1) <= 1e-12) {
			t.Errorf("%s is %g, want 1", m, v)
		}
	}
}

// TestWrongShares: wrong actions change nothing and end the run.
func TestWrongShares(t *testing.T) {
	jobs := []sim.JobSpec{{ID: 1, RunTime: 9, Walltime: 9, Procs: 2}, {ID: 2, RunTime: 9, Walltime: 9, Procs: 2}}
	half := .5
	for want, pass := range map[string]func(p *sharer, s *sim.State){
		"gives job 2 the share 0.6 of processor 0, where others have 0.5": func(p *sharer, s *sim.State) {
			s.StartShared(p.jobs[0], span(0, 1), half)
			s.StartShared(p.jobs[1], span(0, 1), .6)
		},
		"gives job 1 the share 1 of processor 0, where others have 0.5": func(p *sharer, s *sim.State) {
			s.StartShared(p.jobs[0], span(0, 1), half)
			s.StartShared(p.jobs[1], span(0, 1), half)
			s.SetShare(p.jobs[0], 1)
		},
		"gives job 1 the share 1.5 of its processors": func(p *sharer, s *sim.State) { s.StartShared(p.jobs[0], span(0, 1), 1.5) },
		"on a share of processor 1, which another has for itself": func(p *sharer, s *sim.State) {
			s.Start(p.jobs[0])
			s.StartShared(p.jobs[1], span(1, 2), half)
		},
		"starts job 2 on processors 1-2, not all of them free": func(p *sharer, s *sim.State) {
			s.StartShared(p.jobs[0], span(0, 1), half)
			s.StartOn(p.jobs[1], span(1, 2))
		},
		"starts job 1, which needs 2 processors, on a share of 2-3": func(p *sharer, s *sim.State) { s.StartShared(p.jobs[0], span(2, 3), half) },
		"gives job 1, which is running and has no share, another": func(p *sharer, s *sim.State) {
			s.Start(p.jobs[0])
			s.SetShare(p.jobs[0], half)
		},
		"preempts job 1, which shares its processors": func(p *sharer, s *sim.State) {
			s.StartShared(p.jobs[0], span(0, 1), half)
			s.Preempt(p.jobs[0])
		},
	} {
		if err := one(t, 3, &sharer{pass: pass}, sharing(), jobs); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	const unshared = "starts job 1 on a share of processors under a progress model that knows no shares"
	p := &sharer{pass: func(p *sharer, s *sim.State) { s.StartShared(p.jobs[0], span(0, 1), half) }}
	if err := one(t, 3, p, progress.Isolated{}, jobs); err == nil || !strings.Contains(err.Error(), unshared) {
		t.Errorf("want %q, got %v", unshared, err)
	}
}

// TestRandomShares: a policy that shares at random, and leaves some jobs their
// processors for themselves, gives the audit no cause.
func TestRandomShares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		machine := rapid.SampledFrom(simtest.Machines()).Draw(t, "machine")
		left := make([]float64, machine.Procs())
		draw := func() float64 { return float64(rapid.IntRange(1, 8).Draw(t, "eighths")) / 8 }
		p := &sharer{}
		p.pass = func(p *sharer, s *sim.State) {
			for q := range left {
				left[q] = 1
			}
			idle := true
			for _, j := range p.jobs {
				if j.State() == sim.Running {
					idle = false
					for _, sp := range j.Alloc().Procs {
						for q := sp.Lo; q <= sp.Hi; q++ {
							left[q] -= j.HeldShare()
						}
					}
				}
			}
			for _, j := range p.jobs {
				lo := int32(rapid.IntRange(0, machine.Procs()-int(j.Procs())).Draw(t, "first"))
				room := 1.0
				for q := lo; q < lo+j.Procs(); q++ {
					room = min(room, left[q])
				}
				share := draw()
				switch {
				case j.State() == sim.Running && j.Shares() && share <= j.HeldShare():
					s.SetShare(j, share)
				case j.State() != sim.Waiting:
				case int(j.Procs()) <= s.Free() && rapid.Bool().Draw(t, "for itself"):
					s.Start(j)
					return
				case room >= share:
					s.StartShared(j, span(lo, lo+j.Procs()-1), share)
					return
				case idle:
					s.StartShared(j, span(lo, lo+j.Procs()-1), 1)
					return
				}
			}
		}
		books := audit.New(machine)
		if _, err := new(sim.Engine).Run(context.Background(),
			sim.Config{Platform: machine, Source: simtest.Source(simtest.DrawJobs(t, machine)), Policy: p,
				Progress: sharing(), Observers: []sim.Observer{books}}); err != nil {
			t.Fatal(err)
		}
		if err := books.Verdict(true); err != nil {
			t.Fatal(err)
		}
	})
}
