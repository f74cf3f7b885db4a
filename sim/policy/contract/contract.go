package contract

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"reflect"
	"strconv"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"schedsweep/sim"
	"schedsweep/sim/audit"
	"schedsweep/sim/simtest"
)

// Absolute is implemented by a policy that may have times of its own, such as a
// quantum or a threshold in seconds, so that it does not scale with its jobs.
type Absolute interface {
	// AbsoluteTimes reports whether it has.
	AbsoluteTimes() bool
}

// Test checks the policy that newPolicy makes from params; name is that of its kind,
// which says in the catalog whether it is clairvoyant.
func Test(t rapid.TB, name string, params any, newPolicy sim.NewPolicy) {
	t.Helper()
	build, end := simtest.Suite(t, "policy "+name, params, func() (sim.Policy, error) { return newPolicy(params, sim.Env{}) }, optional...)
	settings := accepted(build)
	if len(settings) == 0 {
		t.Fatalf("policy %s refuses every platform and event order of the suite", name)
	}
	kind, _ := sim.Policies.Get(name)
	t.Logf("policy %s accepts %d of %d settings", name, len(settings), len(allSettings()))
	rapid.Check(t, func(t *rapid.T) {
		reused := &trial{policy: build()}
		set := rapid.SampledFrom(settings).Draw(t, "setting")
		jobs := simtest.DrawJobs(t, set.platform)
		first := reused.run(t, set, jobs)
		// What a run leaves behind when it is broken off must not reach the next.
		other := rapid.SampledFrom(settings).Draw(t, "setting of the aborted run")
		reused.abort(t, other, simtest.DrawJobs(t, other.platform))
		if again := reused.run(t, set, jobs); !cmp.Equal(first, again) {
			t.Fatalf("an engine and policy that are used again, after a run that was aborted, give another schedule:\n%s", cmp.Diff(first, again))
		}
		fresh := &trial{policy: build()}
		if again := fresh.run(t, set, jobs); !cmp.Equal(first, again) {
			t.Fatalf("a new engine and policy give another schedule:\n%s", cmp.Diff(first, again))
		}
		heard := &trial{policy: build(), listener: &listener{}}
		if again := heard.run(t, set, jobs); !cmp.Equal(first, again) {
			t.Fatalf("if an observer listens to its messages, the policy gives another schedule:\n%s", cmp.Diff(first, again))
		}
		if bad := heard.listener.bad; bad != "" {
			t.Fatal(bad)
		}
		if set.kill {
			reused.requeue(t, set, jobs)
		}
		if !kind.Clairvoyant {
			reused.foresees(t, set, jobs, first)
		}
		if a, ok := reused.policy.(Absolute); !ok || !a.AbsoluteTimes() {
			twice := reused.run(t, set, simtest.Scaled(jobs, 2))
			if want := doubled(first); !cmp.Equal(want, twice) {
				t.Fatalf("twice the times do not give twice the results:\n%s", cmp.Diff(want, twice))
			}
		}
	})
	end()
}

// optional are the interfaces that a policy may have.
var optional = []reflect.Type{reflect.TypeFor[sim.Woken](), reflect.TypeFor[interface{ Adopt(*sim.State, *sim.Job) }](),
	reflect.TypeFor[io.Closer](),
	reflect.TypeFor[sim.Meter](), reflect.TypeFor[Absolute](), reflect.TypeFor[Planner]()}

// trial runs one policy in one engine many times.
type trial struct {
	engine   sim.Engine
	policy   sim.Policy
	listener *listener // or nil
}

// listener hears messages.
type listener struct {
	simtest.Outcomes
	bad string // the error in one of the messages
}

// Checks sets the number of cases of each property, until restore is called. Tests that run many suites need fewer cases of each.
func Checks(cases int) (restore func()) {
	of := flag.Lookup("rapid.checks").Value
	before := of.String()
	_ = of.Set(strconv.Itoa(cases)) // a number it takes
	return func() { _ = of.Set(before) }
}

// Reported checks the message.
func (l *listener) Reported(s *sim.View, m *sim.Message) {
	if n := len(s.Platform().Clusters); m.Name == "" || m.From < -1 || m.From >= n || m.To < -1 || m.To >= n {
		l.bad = fmt.Sprintf("the policy reports a message %q from cluster %d to %d of %d; it needs a name, and clusters that there are or -1",
			m.Name, m.From, m.To, n)
	}
}

// run plays the jobs, checks what every run must fulfil and returns what became
// of each job.
func (b *trial) run(t *rapid.T, set setting, jobs []sim.JobSpec) simtest.Outcomes {
	t.Helper()
	books := audit.New(set.platform)
	books.Watch(b.policy)
	var outcomes simtest.Outcomes
	cfg := set.config(b.policy)
	var seen *witness
	if p, ok := b.policy.(Planner); ok && set.kill {
		seen = &witness{Policy: b.policy, planner: p}
		cfg.Policy = seen
	}
	source := simtest.List(jobs)
	cfg.Source = &source
	cfg.Observers = []sim.Observer{books, &outcomes}
	if b.listener != nil {
		cfg.Observers = append(cfg.Observers, b.listener)
	}
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
		seen.check(t, set, outcomes)
	}
	return outcomes
}

// requeue plays the jobs. Jobs that are killed at their walltime go back to the queue with longer walltimes.
func (b *trial) requeue(t *rapid.T, set setting, jobs []sim.JobSpec) {
	t.Helper()
	books := audit.New(set.platform)
	cfg := set.config(b.policy)
	source := simtest.List(jobs)
	cfg.Source, cfg.Observers = &source, []sim.Observer{books}
	cfg.Requeue = sim.Requeue{After: "kill", AtMost: 3, WalltimeFactor: 2, Last: rapid.Bool().Draw(t, "behind all others")}
	cfg.MaxEvents = 1000 * int64(len(jobs)+1)
	res, err := b.engine.Run(context.Background(), cfg)
	if err == nil {
		err = books.Verdict(true)
	}
	if err != nil {
		t.Fatalf("%s, with requeued jobs: %v", set, err)
	}
	if n := int64(len(jobs)); res.Finished+res.Killed+res.Rejected != n {
		t.Fatalf("%s, with requeued jobs: of %d jobs %+v", set, n, res)
	}
}

// abort plays the jobs for some events.
func (b *trial) abort(t *rapid.T, set setting, jobs []sim.JobSpec) {
	t.Helper()
	cfg := set.config(b.policy)
	source := simtest.List(jobs)
	cfg.Source, cfg.MaxEvents = &source, int64(rapid.IntRange(1, 2*len(jobs)).Draw(t, "events until the abort"))
	if _, err := b.engine.Run(context.Background(), cfg); err != nil && !errors.Is(err, sim.ErrEventBudget) {
		t.Fatalf("%s: %v", set, err)
	}
}

// doubled returns the outcomes with all times doubled.
func doubled(outcomes simtest.Outcomes) simtest.Outcomes {
	var twice simtest.Outcomes
	for _, o := range outcomes {
		if o.State != sim.Rejected.String() {
			o.Start, o.Finish = 2*o.Start, 2*o.Finish
		}
		twice = append(twice, o)
	}
	return twice
}
