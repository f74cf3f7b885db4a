package audit

import (
	"context"
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// pausing starts each job at its submission, preempts it at 4 s and resumes it at 6 s.
type pausing struct {
	job  *sim.Job
	kill bool // in place of the preemption
}

func (p *pausing) Reset(s *sim.State) error {
	s.WakeAt(4)
	s.WakeAt(6)
	return nil
}
func (p *pausing) Submitted(_ *sim.State, j *sim.Job) { p.job = j }
func (p *pausing) Ended(*sim.State, *sim.Job)         {}
func (p *pausing) Pass(s *sim.State) {
	switch s.Now() {
	case 0:
		s.Start(p.job)
	case 4:
		switch {
		case !p.kill:
			s.Preempt(p.job)
		case p.job.State() == sim.Running:
			s.Kill(p.job)
		}
	case 6:
		if !p.kill {
			s.Resume(p.job)
		}
	}
}

func TestPreemptionsAreWatched(t *testing.T) {
	p, err := sim.NewPlatform("four", []sim.Cluster{{Nodes: 4, Cores: 1, Speed: 1}}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		lie  func(event string, j *sim.Job) bool
		want string
	}{
		"the truth": {func(string, *sim.Job) bool { return true }, ""},
		"other processors": {func(e string, j *sim.Job) bool {
			if e == "resume" {
				j.Alloc().Procs[0].Lo++
				j.Alloc().Procs[0].Hi++
			}
			return true
		}, "audit A8: job 1 was preempted on the processors 0-1 and resumed on 1-2"},
		"other counts": {func(e string, j *sim.Job) bool {
			if e == "resume" {
				j.Alloc().Counts[0]++
			}
			return true
		}, "audit A8: job 1 was preempted on"},
		"never preempted": {func(e string, _ *sim.Job) bool { return e != "preempt" }, "audit A8: job 1 was resumed at 6 s without being " +
			"suspended"},
		"never resumed":       {func(e string, _ *sim.Job) bool { return e != "resume" }, "audit A8: job 1 ended at 12 s while it was suspended"},
		"the truth of a kill": {func(string, *sim.Job) bool { return true }, ""},
		"another end of a kill": {func(e string, j *sim.Job) bool {
			if become(e, j, sim.Finished); e == "end" {
				*simtest.Field[float64](j, "total") = 4
			}
			return true
		}, "audit A7: job 1, which the policy killed at 4 s, was finished at 4 s"},
		"at full rate": {func(e string, j *sim.Job) bool {
			*simtest.Field[float64](j, "rate") += map[string]float64{"preempt": 1}[e]
			return true
		}, "audit A8: job 1 was preempted and keeps the rate 1"},
		"never started": {func(e string, _ *sim.Job) bool { return e != "start" }, "audit A8: job 1 was preempted at 4 s without running"},
	} {
		a := New(p)
		src := simtest.List{{ID: 1, RunTime: 10, Walltime: 10, Procs: 2}}
		var e sim.Engine
		policy := &pausing{kill: strings.HasSuffix(name, "kill")}
		if _, err := e.Run(context.Background(), sim.Config{Platform: p, Source: &src, Policy: policy, Progress: progress.Isolated{},
			Observers: []sim.Observer{&liar{Audit: a, lie: c.lie}}, TrackProcs: true, KillAtWalltime: true}); err != nil {
			t.Fatal(err)
		}
		got := a.Verdict(true)
		if c.want == "" && got != nil || c.want != "" && (got == nil || !strings.Contains(got.Error(), c.want)) {
			t.Errorf("%s: verdict %v, want %q", name, got, c.want)
		}
	}
}

// restless forgets at resumption what the job has done.
type restless struct{ progress.Isolated }

func (restless) Resumed(s *sim.Rates, j *sim.Job) {
	s.SetWork(j, j.RunTime()) // as if it had done nothing yet
	s.SetRate(j, 1)
}

func TestForgottenWorkIsNoticed(t *testing.T) {
	p, err := sim.NewPlatform("four", []sim.Cluster{{Nodes: 4, Cores: 1, Speed: 1}}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	a := New(p)
	src := simtest.List{{ID: 1, RunTime: 10, Walltime: 10, Procs: 2}}
	var e sim.Engine
	if _, err := e.Run(context.Background(),
		sim.Config{Platform: p, Source: &src, Policy: &pausing{}, Progress: restless{}, Observers: []sim.Observer{a}}); err != nil {
		t.Fatal(err)
	}
	if got := a.Verdict(true); got == nil || !strings.Contains(got.Error(), "audit A5: job 1 finished after 14 of 10 units of work") {
		t.Errorf("verdict %v", got)
	}
}
