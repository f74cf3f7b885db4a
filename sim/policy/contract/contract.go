package contract

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"schedsweep/sim"
	"schedsweep/sim/audit"
)

// Absolute is implemented by a policy that may have times of its own, such as a
// quantum or a threshold in seconds, so that it does not scale with its jobs.
type Absolute interface {
	// AbsoluteTimes reports whether it has.
	AbsoluteTimes() bool
}

// Test checks the policy that newPolicy makes from params; name is for messages.
func Test(t *testing.T, name string, params any, newPolicy sim.NewPolicy) {
	t.Helper()
	build := func() sim.Policy {
		p, err := newPolicy(params, sim.Env{})
		if err != nil {
			t.Fatalf("policy %s: %v", name, err)
		}
		return p
	}
	settings := accepted(build)
	if len(settings) == 0 {
		t.Fatalf("policy %s refuses every platform and event order of the suite", name)
	}
	t.Logf("policy %s accepts %d of %d settings", name, len(settings), len(allSettings()))
	reused := &bench{policy: build()}
	rapid.Check(t, func(t *rapid.T) {
		set := rapid.SampledFrom(settings).Draw(t, "setting")
		jobs := drawJobs(t, set.platform)
		first := reused.run(t, set, jobs)
		if again := reused.run(t, set, jobs); !cmp.Equal(first, again) {
			t.Fatalf("an engine and policy that are used again give another schedule:\n%s", cmp.Diff(first, again))
		}
		fresh := &bench{policy: build()}
		if again := fresh.run(t, set, jobs); !cmp.Equal(first, again) {
			t.Fatalf("a new engine and policy give another schedule:\n%s", cmp.Diff(first, again))
		}
		if a, ok := reused.policy.(Absolute); !ok || !a.AbsoluteTimes() {
			twice := reused.run(t, set, scaled(jobs, 2))
			if want := doubled(first); !cmp.Equal(want, twice) {
				t.Fatalf("twice the times do not give twice the results:\n%s", cmp.Diff(want, twice))
			}
		}
	})
}

// bench is an engine with a policy, to be used for many runs.
type bench struct {
	engine sim.Engine
	policy sim.Policy
}

// outcome is what became of a job.
type outcome struct {
	ID            int64
	State         string
	Start, Finish float64
	Procs         string
}

// run plays the jobs, checks what every run must fulfil and returns what became
// of each job.
func (b *bench) run(t *rapid.T, set setting, jobs []sim.JobSpec) []outcome {
	t.Helper()
	books := audit.New(set.platform)
	log := &log{outcomes: make([]outcome, len(jobs))}
	cfg := set.config(b.policy)
	var seen *witness
	if p, ok := b.policy.(Planner); ok && set.kill {
		seen = &witness{Policy: b.policy, planner: p}
		cfg.Policy = seen
	}
	if w, ok := b.policy.(sim.Woken); ok {
		cfg.Policy = woken{cfg.Policy, w}
	}
	cfg.Source = &list{jobs: jobs}
	cfg.Observers = []sim.Observer{books, log}
	cfg.MaxEvents = 1000 * int64(len(jobs)+1)
	res, err := b.engine.Run(context.Background(), cfg)
	if err != nil {
		t.Fatalf("%s: %v", set, err)
	}
	if err := books.Verdict(true); err != nil {
		t.Fatalf("%s: %v", set, err)
	}
	if n := int64(len(jobs)); res.Submitted != n || res.Finished+res.Killed+res.Rejected != n {
		t.Fatalf("%s: of %d jobs %+v", set, n, res)
	}
	if seen != nil {
		seen.check(t, set, log.outcomes)
	}
	return log.outcomes
}

// log records outcomes by the jobs' numbers in the run.
type log struct{ outcomes []outcome }

func (l *log) Submitted(*sim.View, *sim.Job) {}
func (l *log) Started(*sim.View, *sim.Job)   {}
func (l *log) Ended(_ *sim.View, j *sim.Job) {
	o := outcome{ID: j.ID(), State: j.State().String(), Start: j.Start(), Finish: j.Finish(), Procs: string(sim.AppendSpans(nil, j.Alloc().Procs))}
	if j.State() == sim.Rejected {
		o.Start, o.Finish = -1, -1
	}
	l.outcomes[j.Seq()] = o
}

// doubled returns the outcomes with all times doubled.
func doubled(outcomes []outcome) []outcome {
	var twice []outcome
	for _, o := range outcomes {
		if o.State != sim.Rejected.String() {
			o.Start, o.Finish = 2*o.Start, 2*o.Finish
		}
		twice = append(twice, o)
	}
	return twice
}

// woken adds the wake-ups of a wrapped policy.
type woken struct {
	sim.Policy
	inner sim.Woken
}

func (w woken) Woken(s *sim.State) { w.inner.Woken(s) }
