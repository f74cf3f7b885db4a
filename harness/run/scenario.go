package run

import (
	"context"
	"fmt"
	"math/rand/v2"

	"schedsweep/harness"
	"schedsweep/harness/input"
	"schedsweep/sim"
	"schedsweep/sim/platform"
	"schedsweep/sim/progress"
	"schedsweep/sweep"
	"schedsweep/sweep/params"
)

// maxParts bounds the policies, progress models and platforms that a builder
// keeps for reuse; a sweep over more variants makes them anew.
const maxParts = 64

// builder prepares the scenarios of one worker. It has an engine and all that can be reused from instance to instance. It is not safe
// for concurrent use.
type builder struct {
	workloads *input.Workloads
	engine    sim.Engine
	listed    sim.JobList
	platforms map[platformKey]*sim.Platform
	policies  map[*params.Resolved]sim.Policy
	progress  map[*params.Resolved]sim.Progress
	host      computer
}

type platformKey struct {
	section *params.Resolved
	procs   int
	clock   platform.Clock // where the platform changes with time
}

func newBuilder(ws *input.Workloads) *builder {
	return &builder{workloads: ws, host: computer{commands: ws.Files.Commands, locate: ws.Files.Find},
		platforms: map[platformKey]*sim.Platform{},
		policies:  map[*params.Resolved]sim.Policy{}, progress: map[*params.Resolved]sim.Progress{}}
}

// scenario is an instance made ready to run, but for its source of jobs.
type scenario struct {
	cfg      sim.Config
	played   *input.Workload
	engine   *harness.EngineParams
	policy   sim.Kind[sim.NewPolicy]
	progress sim.Kind[sim.NewProgress]
	// failures makes the failures of nodes, the same ones each time; it gives nil where there are none.
	failures func() func(*sim.Outage) bool
	// switching makes the draws of the times of boots and shutdowns in the same way.
	switching func() func() float64
}

func (b *builder) prepare(inst *sweep.Instance) (scenario, error) {
	b.host.streams, b.host.asked = input.Streams(inst, inst.Replication), 0
	sc := scenario{engine: inst.Sections[harness.SectionEngine].Params.(*harness.EngineParams)}
	var err error
	if sc.played, err = b.workloads.Get(inst); err != nil {
		return sc, err
	}
	if sc.cfg.Platform, err = b.platform(inst.Sections[harness.SectionPlatform], sc.played); err != nil {
		return sc, err
	}
	if err := sc.events(inst, b.workloads.Files); err != nil {
		return sc, err
	}
	if sc.cfg.Failures != nil || sc.cfg.Switching != nil {
		b.host.asked++
	}
	if sc.cfg.Order, err = sim.EventOrderByName(sc.engine.EventOrder); err != nil {
		return sc, fmt.Errorf("engine.event_order: %w", err)
	}
	if sc.cfg.Policy, sc.policy, err = part(b.policies, &sim.Policies, &b.host, inst.Sections[harness.SectionPolicy]); err != nil {
		return sc, err
	}
	if sc.cfg.Platform.Divided() && !sc.policy.Partitioned {
		return sc, fmt.Errorf("policy %s knows no node classes and partitions (platform.nodes): take one that runs on them (list policy "+
			"shows which), or describe the machine by processors or clusters", sc.policy.Name)
	}
	if sc.cfg.Progress, sc.progress, err = part(b.progress, &sim.ProgressModels, &b.host,
		inst.Sections[harness.SectionProgress]); err != nil {
		return sc, err
	}
	sc.cfg.KillAtWalltime = sc.engine.AtWalltime == "kill"
	if r := &sc.engine.Requeue; r.After != "never" {
		sc.cfg.Requeue = sim.Requeue{After: r.After, AtMost: r.AtMost, Last: r.Keep == "nothing", WalltimeFactor: r.WalltimeFactor}
	}
	sc.cfg.MaxEvents, sc.cfg.Records, sc.cfg.Requests = sc.engine.MaxEvents, sc.played.Info.Records, sc.played.Info.Requests
	return sc, nil
}

// events fills in the events of the platform, which are the same for all policies of a replication, and the times of boots.
func (sc *scenario) events(inst *sweep.Instance, files *input.Files) error {
	section := inst.Sections[harness.SectionPlatform].Params.(*platform.Params)
	sc.failures = func() func(*sim.Outage) bool { return nil }
	sc.switching = func() func() float64 {
		if !sc.cfg.Platform.SwitchingVaries() {
			return nil
		}
		return input.Streams(inst, inst.Replication).New("platform.off").ExpFloat64
	}
	sc.cfg.Switching = sc.switching()
	if len(section.Events) == 0 {
		return nil
	}
	in := sc.surroundings(files)
	var err error
	if sc.cfg.Outages, err = section.Outages(in); err != nil {
		return harness.Unusable("%w", err)
	}
	stream := func() *rand.Rand { return input.Streams(inst, inst.Replication).New("platform.events") }
	drawn, err := section.Failures(sc.cfg.Platform, stream)
	if err != nil {
		return harness.Unusable("platform.events: %w", err)
	}
	if drawn != nil {
		sc.cfg.Failures = drawn
		sc.failures = func() func(*sim.Outage) bool {
			again, _ := section.Failures(sc.cfg.Platform, stream) // it was fine before
			return again
		}
	}
	return nil
}

func (sc *scenario) surroundings(files *input.Files) platform.Surroundings {
	info := &sc.played.Info
	in := platform.Surroundings{On: sc.cfg.Platform, Clock: sc.played.Clock(), User: sc.played.HasUser(), Read: files.Read}
	if r := info.Records; r != nil {
		in.Names = r.Names()
	}
	return in
}

func (b *builder) platform(section *params.Resolved, of *input.Workload) (*sim.Platform, error) {
	given := section.Params.(*platform.Params)
	key := platformKey{section: section, procs: given.Procs(of.Info.Procs)}
	if given.Timed() {
		key.clock = of.Clock()
	}
	if p := b.platforms[key]; p != nil {
		return p, nil
	}
	p, err := platform.Build(*given, of.Info.Procs)
	if err != nil {
		return nil, err
	}
	if err := given.Follow(p, key.clock, b.workloads.Files.Read); err != nil {
		return nil, harness.Unusable("%w", err)
	}
	remember(b.platforms, key, p)
	return p, nil
}

// part returns the policy or progress model of a section, made once, and its
// kind.
func part[P any](known map[*params.Resolved]P, catalog *sim.Catalog[func(any, sim.Env) (P, error)], host *computer,
	section *params.Resolved) (P, sim.Kind[func(any, sim.Env) (P, error)], error) {
	kind, ok := catalog.Get(section.Kind)
	p, made := known[section]
	if made {
		return p, kind, nil
	}
	if !ok {
		return p, kind, fmt.Errorf("%s kind %q is not registered", section.Section, section.Kind)
	}
	streams := func() sim.Streams { return host.streams.Noting(&host.asked) }
	p, err := kind.New(section.Params, sim.NewEnv(streams, host).Within(section.Section))
	if err != nil {
		return p, kind, fmt.Errorf("%s %s: %w", section.Section, section.Kind, err)
	}
	remember(known, section, p)
	return p, kind, nil
}

func remember[K comparable, V any](known map[K]V, key K, v V) {
	if len(known) >= maxParts {
		clear(known)
	}
	known[key] = v
}

// forget drops the parts that a panic may have left in an unknown state.
func (b *builder) forget() {
	b.engine = sim.Engine{}
	clear(b.policies)
	clear(b.progress)
}

// rehearse plays the instance under another progress model first, where its own
// asks for that; see [progress.Rehearsing]. Limits hold for each of the two runs; only
// the second is audited and counted.
func (b *builder) rehearse(ctx context.Context, sc *scenario) error {
	r, ok := sc.cfg.Progress.(progress.Rehearsing)
	if !ok {
		return nil
	}
	model := r.Rehearsal()
	if model == nil {
		return nil
	}
	cfg := sc.cfg
	cfg.Progress, cfg.Source, cfg.Failures, cfg.Switching = model, sc.played.Source(&b.listed), sc.failures(), sc.switching()
	if _, err := b.engine.Run(ctx, cfg); err != nil {
		return fmt.Errorf("rehearsal: %w", err)
	}
	r.Rehearsed()
	return nil
}
