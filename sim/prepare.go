package sim

import (
	"errors"
	"fmt"
	"io"
	"slices"
)

// Check reports whether policy, progress model and platform of cfg go together,
// without running anything; cfg needs no source.
func (e *Engine) Check(cfg Config) (err error) {
	defer func() { err = closed(cfg, err) }()
	cfg.Source = nothing{}
	return e.prepare(cfg)
}

// closed closes what wants it at the end of a run that gave err.
func closed(cfg Config, err error) error {
	for _, part := range []any{cfg.Policy, cfg.Progress} {
		if c, ok := part.(io.Closer); ok {
			if e := c.Close(); e != nil {
				err = errors.Join(err, fmt.Errorf("at the end of the run: %w", e))
			}
		}
	}
	return err
}

// nothing is a source without jobs.
type nothing struct{}

func (nothing) Next(*JobSpec) (bool, error) { return false, nil }

func (e *Engine) prepare(cfg Config) error {
	e.cfg, e.res, e.pass, e.last = cfg, Result{}, false, 0
	e.lookAfter(0)
	e.pool.reset(len(cfg.Platform.Clusters))
	e.machine.copy(cfg.Platform)
	s := &e.state
	e.wakes, e.settled, e.requeued, e.behind = e.wakes[:0], e.settled[:0], e.requeued[:0], 0
	free, out, dark, rates, listeners := s.free[:0], s.out[:0], s.dark[:0], s.rates.observers[:0], s.listeners[:0]
	*s = State{view: View{heap: s.heap, procs: s.procs, shared: s.shared, meters: s.meters, platform: &e.machine, order: cfg.Order,
		killing: cfg.KillAtWalltime, records: cfg.Records, requests: cfg.Requests},
		model: cfg.Progress, observers: cfg.Observers, rejected: s.rejected[:0], engine: e}
	s.heap.reset()
	s.resetShares(cfg.Platform)
	s.resetMeters(cfg.Platform)
	s.procs.spans = s.procs.spans[:0]
	for i := range cfg.Platform.Clusters {
		n := cfg.Platform.Clusters[i].Procs()
		free, out, dark = append(free, int32(n)), append(out, 0), append(dark, 0)
		s.total += n
	}
	s.free, s.out, s.dark = free, out, dark
	for _, o := range cfg.Observers {
		enter(&rates, o)
		enter(&listeners, o)
		enter(&e.wakes, o)
		enter(&e.settled, o)
		enter(&e.requeued, o)
	}
	s.rates, s.listeners = Rates{&s.view, rates}, listeners
	e.woken, _ = cfg.Policy.(Woken)
	e.adv, _ = cfg.Progress.(Advanced)
	e.hears, _ = cfg.Source.(Responsive)
	s.responsive = e.hears != nil
	if err := cfg.Progress.Reset(&s.rates); err != nil {
		return err
	}
	if err := cfg.Policy.Reset(s); err != nil {
		return err
	}
	if _, ok := cfg.Policy.(SitePolicy); !ok && cfg.Platform.Divided() {
		return fmt.Errorf("platform %q has partitions, and the policy knows no node classes: take another policy, or no partitions",
			cfg.Platform.Name)
	}
	if err := e.prepareCap(); err != nil {
		return err
	}
	s.numbered = s.tracked
	if err := errors.Join(e.prepareOutages(), e.prepareSwitches()); err != nil {
		return err
	}
	if s.tracked = s.tracked || cfg.TrackProcs; s.tracked {
		s.procs.reset(s.total)
	}
	if slices.ContainsFunc(e.outages, func(o outage) bool { return o.known }) {
		e.news()
	}
	return e.fetch()
}

// stay tells the observers that things stay as they are until the next instant.
func (e *Engine) stay() {
	for _, o := range e.settled {
		o.Settled(&e.state.view)
	}
}

// enter puts an observer on the list of those who want to see something, if it does.
func enter[T any](list *[]T, o Observer) {
	if x, ok := o.(T); ok {
		*list = append(*list, x)
	}
}
