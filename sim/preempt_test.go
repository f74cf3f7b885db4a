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

// script is a policy that does one thing at each of its times.
type script struct {
	jobs map[int64]*sim.Job
	at   []float64
	do   []func(p *script, s *sim.State)
}

func (p *script) Reset(s *sim.State) error {
	p.jobs = map[int64]*sim.Job{}
	for _, t := range p.at {
		s.WakeAt(t)
	}
	return nil
}
func (p *script) Submitted(_ *sim.State, j *sim.Job) { p.jobs[j.ID()] = j }
func (p *script) Ended(*sim.State, *sim.Job)         {}
func (p *script) Pass(s *sim.State) {
	for i, t := range p.at {
		if t == s.Now() {
			p.do[i](p, s)
		}
	}
}

func start(id int64) func(*script, *sim.State) {
	return func(p *script, s *sim.State) { s.Start(p.jobs[id]) }
}
func preempt(id int64) func(*script, *sim.State) {
	return func(p *script, s *sim.State) { s.Preempt(p.jobs[id]) }
}
func resume(id int64) func(*script, *sim.State) {
	return func(p *script, s *sim.State) { s.Resume(p.jobs[id]) }
}

// stops records preemptions beside all else.
type stops struct{ trace }

func (l *stops) Preempted(s *sim.View, j *sim.Job) { l.add("preempt " + id(j)) }
func (l *stops) Resumed(s *sim.View, j *sim.Job) {
	l.add("resume " + id(j) + " on " + string(sim.AppendSpans(nil, j.Alloc().Procs)))
}

// Job 1 of 10 s on processors 0 and 1 is preempted at 4 s. Job 2 of 3 s uses them from 5 to 8 s. Job 1 resumes at 9 s and ends
// at 15 s. Without the 5 s of suspension its walltime of 12 s would end at 12 s.
func TestPreemptAndResume(t *testing.T) {
	for _, track := range []bool{true, false} {
		for _, kill := range []bool{true, false} {
			j1 := job(1, 0, 10, 2)
			j1.Walltime = 12
			p := &script{at: []float64{0, 4, 5, 9}, do: []func(*script, *sim.State){start(1), preempt(1), start(2), resume(1)}}
			m := simtest.Machine(t, 3)
			l, books := &stops{}, audit.New(m)
			var e sim.Engine
			res, err := e.Run(context.Background(), sim.Config{Platform: m, Source: simtest.Source([]sim.JobSpec{j1, job(2, 1, 3, 3)}), Policy: p,
				Progress: progress.Isolated{}, Observers: []sim.Observer{simtest.Watch(l), books}, TrackProcs: track, KillAtWalltime: kill})
			if err != nil {
				t.Fatal(err)
			}
			if err := books.Verdict(true); err != nil {
				t.Error(err)
			}
			if res.Finished != 2 || res.End != 15 {
				t.Errorf("result %+v, want 2 jobs finished by 15 s", res)
			}
			want := "submit 1,start 1 on 0-1,submit 2,preempt 1,start 2 on 0-2,finished 2,resume 1 on 0-1,finished 1"
			if !track {
				want = strings.NewReplacer("0-1", "", "0-2", "").Replace(want)
			}
			if got := strings.Join(l.log, ","); got != want {
				t.Errorf("got %s\nwant %s", got, want)
			}
		}
	}
}

// A walltime of 8 s ends job 1 after 4 + 4 s of running, at 13 s.
func TestSuspensionStopsTheWalltime(t *testing.T) {
	j1 := job(1, 0, 10, 2)
	j1.Walltime = 8
	p := &script{at: []float64{0, 4, 9}, do: []func(*script, *sim.State){start(1), preempt(1), resume(1)}}
	m := simtest.Machine(t, 3)
	books := audit.New(m)
	var e sim.Engine
	res, err := e.Run(context.Background(), sim.Config{Platform: m, Source: simtest.Source([]sim.JobSpec{j1}), Policy: p,
		Progress:  progress.Isolated{},
		Observers: []sim.Observer{books}, KillAtWalltime: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := books.Verdict(true); err != nil {
		t.Error(err)
	}
	if res.Killed != 1 || res.End != 13 {
		t.Errorf("result %+v, want job 1 killed at 13 s", res)
	}
}

// stubborn is a progress model that cannot suspend jobs.
type stubborn struct{ sim.Progress }

func TestWrongPreemptions(t *testing.T) {
	for _, c := range []struct {
		name     string
		progress sim.Progress
		at       []float64
		do       []func(*script, *sim.State)
		want     string
	}{
		{"twice", progress.Isolated{}, []float64{0, 1, 2}, []func(*script, *sim.State){start(1), preempt(1), preempt(1)},
			"preempts job 1, which is suspended"},
		{"waiting", progress.Isolated{}, []float64{0}, []func(*script, *sim.State){preempt(1)}, "preempts job 1, which is waiting"},
		{"resumed while running", progress.Isolated{}, []float64{0, 1}, []func(*script, *sim.State){start(1), resume(1)},
			"resumes job 1, which is running"},
		{"started again", progress.Isolated{}, []float64{0, 1, 2}, []func(*script, *sim.State){start(1), preempt(1), start(1)},
			"starts job 1, which is suspended"},
		{"taken", progress.Isolated{}, []float64{0, 1, 2, 3}, []func(*script, *sim.State){start(1), preempt(1), start(2), resume(1)},
			"resumes job 1 on"},
		{"model", stubborn{progress.Isolated{}}, []float64{0, 1}, []func(*script, *sim.State){start(1), preempt(1)}, "cannot suspend"},
		{"left suspended", progress.Isolated{}, []float64{0, 1}, []func(*script, *sim.State){start(1), preempt(1)}, "1 suspended"},
	} {
		for _, track := range []bool{true, false} {
			var e sim.Engine
			_, err := e.Run(context.Background(), sim.Config{Platform: simtest.Machine(t, 3),
				Source: simtest.Source([]sim.JobSpec{job(1, 0, 10, 2), job(2, 0, 50, 3)}),
				Policy: &script{at: c.at, do: c.do}, Progress: c.progress, TrackProcs: track})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, tracked %v: error %v, want one with %q", c.name, track, err, c.want)
			}
		}
	}
}
