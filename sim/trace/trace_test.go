package trace_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"schedsweep/sim"
	"schedsweep/sim/policy/queue"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
	"schedsweep/sim/trace"
)

// scripted starts job 1, has job 2 interrupt it from 4 to 7 s, refuses job 3, and
// kills job 1 at 9 s.
type scripted struct{ jobs []*sim.Job }

func (p *scripted) Reset(s *sim.State) error {
	p.jobs = nil
	s.WakeAt(4)
	s.WakeAt(9)
	return nil
}

func (p *scripted) Submitted(s *sim.State, j *sim.Job) {
	p.jobs = append(p.jobs, j)
	switch j.ID() {
	case 1:
		s.Start(j)
	case 3:
		s.Reject(j)
	}
}

func (p *scripted) Woken(s *sim.State) {
	if s.Now() == 9 {
		s.Kill(p.jobs[0])
		return
	}
	if s.Listening() {
		s.Report(sim.Message{Name: "Query", From: 0, To: 1, Job: p.jobs[1],
			Fields: []sim.Field{{Name: "share", Value: .5}, {Name: "fate", Value: "it was lost"}}})
		s.Report(sim.Message{Name: "Silence", From: -1, To: -1, Fields: []sim.Field{{Name: "until", Value: math.Inf(1)}}})
	}
	s.Preempt(p.jobs[0])
	s.Start(p.jobs[1])
}

func (p *scripted) Ended(s *sim.State, j *sim.Job) {
	if j.ID() == 2 {
		s.Resume(p.jobs[0])
	}
}
func (p *scripted) Pass(*sim.State) {}

var scriptedJobs = []sim.JobSpec{
	{ID: 1, Submit: 0, RunTime: 10, Walltime: 12, Procs: 3, User: 7, Home: 1},
	{ID: 2, Submit: 1, RunTime: 3, Walltime: math.Inf(1), Procs: 4, User: -1},
	{ID: 3, Submit: 2, RunTime: 1, Walltime: 1, Procs: 1, User: -1, Application: "cfd", Share: .5, ReservedStart: 9, Priority: -2, Sites: 2},
}

// events runs the scripted policy on clusters of two processors each.
func events(t *testing.T, text bool) string {
	t.Helper()
	var out bytes.Buffer
	w := trace.New(&out, text)
	w.Begin(sim.Field{Name: "id", Value: "abc"})
	var e sim.Engine
	res, err := e.Run(context.Background(), sim.Config{Platform: simtest.Machine(t, 2, 2), Source: simtest.Source(scriptedJobs),
		Policy: &scripted{}, Progress: progress.Isolated{}, Observers: []sim.Observer{w}, TrackProcs: true})
	if err != nil {
		t.Fatal(err)
	}
	w.End(sim.Field{Name: "outcome", Value: "ok"}, sim.Field{Name: "error", Value: ""}, sim.Field{Name: "end", Value: res.End})
	if w.Err() != nil {
		t.Fatal(w.Err())
	}
	return out.String()
}

// TestLines compares the lines with those written by hand, from the script.
func TestLines(t *testing.T) {
	const want = `{"event":"instance","trace":2,"id":"abc"}
{"t":0,"event":"submit","job":1,"seq":0,"processors":3,"walltime":12,"run_time":10,"home":1,"user":7}
{"t":0,"event":"start","job":1,"seq":0,"wait":0,"counts":[2,1],"allocated":"0-2"}
{"t":1,"event":"submit","job":2,"seq":1,"processors":4,"walltime":null,"run_time":3,"home":0,"user":-1}
{"t":2,"event":"submit","job":3,"seq":2,"processors":1,"walltime":1,"run_time":1,"home":0,"user":-1,"application":"cfd","share":0.5,"reserved_start":9,"priority":-2,"sites":2}
{"t":2,"event":"reject","job":3,"seq":2}
{"t":4,"event":"wake"}
{"t":4,"event":"message","job":2,"seq":1,"name":"Query","from":0,"to":1,"fields":{"share":0.5,"fate":"it was lost"}}
{"t":4,"event":"message","name":"Silence","from":null,"to":null,"fields":{"until":null}}
{"t":4,"event":"preempt","job":1,"seq":0,"counts":[2,1],"allocated":"0-2"}
{"t":4,"event":"start","job":2,"seq":1,"wait":3,"counts":[2,2],"allocated":"0-3"}
{"t":7,"event":"end","job":2,"seq":1,"state":"finished","start":4,"counts":[2,2],"allocated":"0-3"}
{"t":7,"event":"resume","job":1,"seq":0,"counts":[2,1],"allocated":"0-2"}
{"t":9,"event":"wake"}
{"t":9,"event":"kill","job":1,"seq":0}
{"t":9,"event":"end","job":1,"seq":0,"state":"killed","start":0,"counts":[2,1],"allocated":"0-2"}
{"event":"outcome","outcome":"ok","error":"","end":9}
`
	got := events(t, false)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for line := range strings.Lines(got) {
		if !json.Valid([]byte(line)) {
			t.Errorf("this is no JSON: %s", line)
		}
	}
}

func TestTextLines(t *testing.T) {
	got := events(t, true)
	for _, want := range []string{
		"               instance            trace=2 id=abc\n",
		"            0  submit    job 1     processors=3 walltime=12 run_time=10 home=1 user=7\n",
		"            4  wake               \n",
		"            4  message   job 2     name=Query from=0 to=1 share=0.5 fate=\"it was lost\"\n",
		"            4  message             name=Silence until=+Inf\n",
		"            9  end       job 1     state=killed start=0 counts=[2 1] allocated=0-2\n",
		"               outcome             outcome=ok end=9\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no line %q in\n%s", want, got)
		}
	}
}

// broken takes left bytes and then fails.
type broken struct{ left int }

func (b *broken) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, errors.New("disk full")
	}
	return len(p), nil
}

// A value without a JSON form and a broken writer are errors, and the trace does not recover.
func TestErrors(t *testing.T) {
	w := trace.New(&broken{20}, false)
	w.Begin()
	w.End()
	if w.Err() == nil || w.Err().Error() != "disk full" {
		t.Errorf("error %v, want that of the writer", w.Err())
	}
	var out bytes.Buffer
	w = trace.New(&out, false)
	w.Begin(sim.Field{Name: "bad", Value: func() {}})
	w.End()
	if w.Err() == nil || out.Len() > 0 {
		t.Errorf("error %v and %q, want an error and nothing written", w.Err(), out.String())
	}
}

// TestTraceIsTheSchedule: on random jobs the trace tells the schedule that another
// observer saw, in order of time, and the run is the same without it.
func TestTraceIsTheSchedule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		machine := rapid.SampledFrom(simtest.Machines()).Draw(t, "machine")
		jobs := simtest.DrawJobs(t, machine)
		run := func(watching ...sim.Observer) (out simtest.Outcomes, res sim.Result) {
			var e sim.Engine
			res, err := e.Run(context.Background(), sim.Config{Platform: machine, Source: simtest.Source(jobs), Policy: &queue.FCFS{},
				Progress: progress.Isolated{}, Observers: append(watching, &out), TrackProcs: true, KillAtWalltime: true})
			if err != nil {
				t.Fatal(err)
			}
			return out, res
		}
		var text bytes.Buffer
		w := trace.New(&text, false)
		seen, with := run(w)
		if w.Err() != nil {
			t.Fatal(w.Err())
		}
		if alone, without := run(); with != without || !slices.Equal(seen, alone) {
			t.Fatalf("with a trace %+v, without %+v", with, without)
		}
		traced := make(simtest.Outcomes, len(jobs))
		clock := 0.0
		for d := json.NewDecoder(&text); d.More(); {
			var l struct {
				T                       float64
				Event, State, Allocated string
				Job, Seq                int64
				Start                   float64
			}
			if err := d.Decode(&l); err != nil {
				t.Fatal(err)
			}
			if l.T < clock {
				t.Fatalf("%s at %g s comes after %g s", l.Event, l.T, clock)
			}
			if clock = l.T; l.Event == "end" {
				traced[l.Seq] = simtest.Outcome{ID: l.Job, State: l.State, Start: l.Start, Finish: l.T, Procs: l.Allocated}
			}
		}
		if !slices.Equal(traced, seen) {
			t.Fatal(cmp.Diff(seen, traced))
		}
	})
}
