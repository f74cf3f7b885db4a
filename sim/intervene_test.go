package sim_test

import (
	"context"
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/audit"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

func intervene(t *testing.T, kill bool, jobs []sim.JobSpec, p *script) (string, sim.Result, error) {
	t.Helper()
	m := simtest.Machine(t, 4)
	l, books := &trace{}, audit.New(m)
	var e sim.Engine
	res, err := e.Run(context.Background(), sim.Config{Platform: m, Source: simtest.Source(jobs), Policy: p,
		Progress: progress.Isolated{}, Observers: []sim.Observer{simtest.Watch(l), books}, TrackProcs: true, KillAtWalltime: kill})
	if err == nil {
		if err := books.Verdict(true); err != nil {
			t.Error(err)
		}
	}
	return strings.Join(l.log, ","), res, err
}

func kill(id int64) func(*script, *sim.State) {
	return func(p *script, s *sim.State) { s.Kill(p.jobs[id]) }
}

// Job 1 is killed at 4 s, twice in one pass; job 2 gets its processors at that
// very instant.
func TestPolicyKills(t *testing.T) {
	for _, atWalltime := range []bool{true, false} {
		p := &script{at: []float64{0, 4}, do: []func(*script, *sim.State){start(1), func(p *script, s *sim.State) {
			if s.Free() == 4 {
				s.Start(p.jobs[2])
			} else {
				s.Kill(p.jobs[1])
				s.Kill(p.jobs[1])
			}
		}}}
		got, res, err := intervene(t, atWalltime, []sim.JobSpec{job(1, 0, 10, 3), job(2, 1, 3, 4)}, p)
		if want := "submit 1,start 1 on 0-2,submit 2,killed 1,start 2 on 0-3,finished 2"; err != nil || got != want {
			t.Errorf("got %s (%v), want %s", got, err, want)
		}
		if res.Killed != 1 || res.Finished != 1 || res.End != 7 {
			t.Errorf("result %+v", res)
		}
	}
}

// rash is a model that changes the rates of the jobs that run as soon as another starts.
type rash struct {
	progress.Isolated
	running []*sim.Job
}

func (m *rash) Started(s *sim.Rates, j *sim.Job) {
	m.Isolated.Started(s, j)
	for _, k := range m.running {
		s.SetRate(k, .5)
	}
	m.running = append(m.running, j)
}
func (m *rash) Stopped(*sim.Rates, *sim.Job) { m.running = m.running[1:] }

// TestKilledJobsEndNow: job 1 is killed at 4 s, before job 2 starts in the same pass and changes its rate.
func TestKilledJobsEndNow(t *testing.T) {
	p := &script{at: []float64{0, 4}, do: []func(*script, *sim.State){start(1), func(p *script, s *sim.State) {
		if p.jobs[1].State() == sim.Running {
			s.Kill(p.jobs[1])
			s.Start(p.jobs[2])
		}
	}}}
	var got simtest.Outcomes
	if _, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: simtest.Machine(t, 4), Policy: p, Progress: &rash{},
		Source: simtest.Source([]sim.JobSpec{job(1, 0, 10, 3), job(2, 4, 10, 1)}), Observers: []sim.Observer{&got}}); err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].Finish != 4 {
		t.Errorf("got %+v, want the end of job 1 at 4 s", got)
	}
}

func TestOnlyRunningJobsAreKilled(t *testing.T) {
	p := &script{at: []float64{0}, do: []func(*script, *sim.State){kill(1)}}
	if _, _, err := intervene(t, true, []sim.JobSpec{job(1, 0, 10, 3)}, p); err == nil ||
		!strings.Contains(err.Error(), "kills job 1, which is waiting") {
		t.Errorf("error %v", err)
	}
}

func TestKilledJobsAreNotPreempted(t *testing.T) {
	p := &script{at: []float64{0, 4}, do: []func(*script, *sim.State){start(1), func(p *script, s *sim.State) {
		s.Kill(p.jobs[1])
		s.Preempt(p.jobs[1])
	}}}
	if _, _, err := intervene(t, true, []sim.JobSpec{job(1, 0, 10, 3)}, p); err == nil ||
		!strings.Contains(err.Error(), "preempts job 1, which it has killed") {
		t.Errorf("error %v", err)
	}
}

// A job that a policy registers after all others have left keeps the run going. It is submitted at that instant, and its own
// submit time does not matter.
func TestPolicyRegistersJobs(t *testing.T) {
	for _, stays := range []bool{true, false} {
		p := &script{at: []float64{0, 20}, do: []func(*script, *sim.State){
			func(p *script, s *sim.State) { s.Stay(stays); s.Start(p.jobs[1]) },
			func(_ *script, s *sim.State) { s.Start(s.Register(job(7, 3, 5, 2))) }}}
		got, res, err := intervene(t, true, []sim.JobSpec{job(1, 0, 10, 3)}, p)
		want, end := "submit 1,start 1 on 0-2,finished 1", 10.
		if stays {
			want, end = want+",submit 7,start 7 on 0-1,finished 7", 25
		}
		if err != nil || got != want || res.End != end {
			t.Errorf("stays %v: got %s, %+v (%v), want %s", stays, got, res, err, want)
		}
	}
}

func TestRegisteredJobsAreChecked(t *testing.T) {
	p := &script{at: []float64{0}, do: []func(*script, *sim.State){func(_ *script, s *sim.State) {
		if s.Register(job(7, 0, 5, 5)) != nil {
			t.Error("a job too wide was registered")
		}
	}}}
	if _, _, err := intervene(t, true, []sim.JobSpec{job(1, 0, 10, 3)}, p); err == nil ||
		!strings.Contains(err.Error(), "job 7 needs 5 processors, the platform has 4") {
		t.Errorf("error %v", err)
	}
}
