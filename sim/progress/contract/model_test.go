// Package contract is the suite that every progress model passes. It uses random workloads, and every platform and rule for
// walltimes that the model accepts. The policy is first come first served. If the model can suspend jobs, some are suspended.
// It checks:
//
//   - the audit of package sim/audit finds nothing: finished jobs have done their work,
//     killed jobs have not, and suspended jobs do nothing;
//   - runs repeat: with a model that has been used before, also for an aborted run,
//     and with a new one;
//   - it changes neither the platform nor its parameters;
//   - its methods with the names of optional interfaces have their signatures too.
//
// The kinds of package progress are tested with their default parameters. The package is for tests only. It says nothing about
// whether jobs advance as published: tests against reference answers do that.
package contract

import (
	"context"
	"errors"
	"io"
	"reflect"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"schedsweep/sim"
	"schedsweep/sim/audit"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/zeng2009/slowdowns"
)

// optional are the interfaces that a progress model may have.
var optional = []reflect.Type{reflect.TypeFor[sim.Advanced](), reflect.TypeFor[sim.Suspending](), reflect.TypeFor[progress.Rehearsing](),
	reflect.TypeFor[io.Closer](), reflect.TypeFor[sim.Meter]()}

// testModel checks the model that newModel makes from params; name is for messages.
func testModel(t rapid.TB, name string, params any, newModel sim.NewProgress) {
	t.Helper()
	build, end := simtest.Suite(t, "progress model "+name, params, func() (sim.Progress, error) { return newModel(params, sim.Env{}) },
		optional...)
	var accepted []sim.Config
	for _, p := range machines() {
		for _, kill := range []bool{true, false} {
			cfg := sim.Config{Platform: p, KillAtWalltime: kill, TrackProcs: true, Policy: &pausing{}, Progress: build()}
			if new(sim.Engine).Check(cfg) == nil {
				accepted = append(accepted, cfg)
			}
		}
	}
	if len(accepted) == 0 {
		t.Fatalf("progress model %s refuses every platform of the suite", name)
	}
	t.Logf("progress model %s accepts %d settings", name, len(accepted))
	rapid.Check(t, func(t *rapid.T) {
		cfg := rapid.SampledFrom(accepted).Draw(t, "setting")
		jobs := drawJobs(t, cfg.Platform)
		used := &trial{model: build()}
		first := used.run(t, cfg, jobs)
		other := rapid.SampledFrom(accepted).Draw(t, "setting of the aborted run")
		used.abort(t, other, drawJobs(t, other.Platform))
		if again := used.run(t, cfg, jobs); !cmp.Equal(first, again) {
			t.Fatalf("a model that is used again, after a run that was aborted, gives other times:\n%s", cmp.Diff(first, again))
		}
		if again := (&trial{model: build()}).run(t, cfg, jobs); !cmp.Equal(first, again) {
			t.Fatalf("a new model gives other times:\n%s", cmp.Diff(first, again))
		}
	})
	end()
}

// machines are of relative speeds, and of speeds in flop/s.
func machines() []*sim.Platform {
	all := simtest.Machines()
	for _, p := range simtest.Machines() {
		p.Name += " in flop/s"
		for i := range p.Clusters {
			p.Clusters[i].Speed = 1e9
		}
		all = append(all, p)
	}
	return all
}

// drawJobs draws jobs that compute, communicate and bear neighbours.
func drawJobs(t *rapid.T, p *sim.Platform) []sim.JobSpec {
	jobs := simtest.DrawJobs(t, p)
	for i := range jobs {
		jobs[i].Flops = p.Clusters[0].Speed * float64(rapid.IntRange(0, 12).Draw(t, "flop"))
		jobs[i].Bytes = 1e8 * float64(rapid.IntRange(0, 12).Draw(t, "1e8 B"))
		jobs[i].Traits = slowdowns.Slowdowns{Node: rapid.SampledFrom([]float64{0, .9, 1.25}).Draw(t, "slowdown on a node"),
			Core: rapid.SampledFrom([]float64{0, 1, 1.5}).Draw(t, "slowdown on a CPU"), Key: rapid.Uint64().Draw(t, "key")}.Traits()
	}
	return jobs
}

// trial runs one progress model in one engine many times.
type trial struct {
	engine sim.Engine
	model  sim.Progress
}

// prepare completes cfg, and plays the rehearsal of a model that wants one.
func (b *trial) prepare(t *rapid.T, cfg sim.Config, jobs []sim.JobSpec) sim.Config {
	t.Helper()
	fresh := func() sim.Source { l := simtest.List(jobs); return &l }
	cfg.Policy, cfg.Progress, cfg.Source = &pausing{}, b.model, fresh()
	if r, ok := b.model.(progress.Rehearsing); ok && r.Rehearsal() != nil {
		first := cfg
		first.Progress = r.Rehearsal()
		if _, err := b.engine.Run(context.Background(), first); err != nil {
			t.Fatalf("rehearsal on platform %s: %v", cfg.Platform.Name, err)
		}
		r.Rehearsed()
		cfg.Source = fresh()
	}
	return cfg
}

// run plays the jobs, checks what every run must fulfil and returns what became
// of each job.
func (b *trial) run(t *rapid.T, cfg sim.Config, jobs []sim.JobSpec) simtest.Outcomes {
	t.Helper()
	cfg = b.prepare(t, cfg, jobs)
	books := audit.New(cfg.Platform)
	var outcomes simtest.Outcomes
	cfg.Observers, cfg.MaxEvents = []sim.Observer{books, &outcomes}, 1000*int64(len(jobs)+1)
	if _, err := b.engine.Run(context.Background(), cfg); err != nil {
		t.Fatalf("platform %s, kill at walltime %v: %v", cfg.Platform.Name, cfg.KillAtWalltime, err)
	}
	if err := books.Verdict(true); err != nil {
		t.Fatalf("platform %s, kill at walltime %v: %v", cfg.Platform.Name, cfg.KillAtWalltime, err)
	}
	return outcomes
}

// abort plays the jobs for some events.
func (b *trial) abort(t *rapid.T, cfg sim.Config, jobs []sim.JobSpec) {
	t.Helper()
	cfg = b.prepare(t, cfg, jobs)
	cfg.MaxEvents = int64(rapid.IntRange(1, 2*len(jobs)).Draw(t, "events until the abort"))
	if _, err := b.engine.Run(context.Background(), cfg); err != nil && !errors.Is(err, sim.ErrEventBudget) {
		t.Fatalf("platform %s: %v", cfg.Platform.Name, err)
	}
}
