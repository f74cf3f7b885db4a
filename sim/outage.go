package sim

import (
	"fmt"
	"slices"
)

// Outage takes processors out of service for a time. Jobs that run on them when it
// begins are killed.
type Outage struct {
	// Procs are ascending and disjoint.
	Procs []Span
	// From and Until are in seconds; 0 <= From < Until.
	From, Until float64
}

// Elastic is implemented by a policy that copes with a capacity that changes during
// the run. A run with outages is refused under other policies.
type Elastic interface {
	// CapacityChanged tells that s.Capacity() is another from now on; a pass follows.
	CapacityChanged(s *State)
}

// prepareOutages checks the outages and enters their begins.
func (e *Engine) prepareOutages() error {
	s := &e.state
	if len(e.cfg.Outages) == 0 {
		return nil
	}
	if _, ok := e.cfg.Policy.(Elastic); !ok {
		return fmt.Errorf("the run has %d outages, and its policy plans with a machine that never changes: take another policy, or no outages",
			len(e.cfg.Outages))
	}
	s.tracked = true
	for i := range e.cfg.Outages {
		if err := e.checkOutage(i); err != nil {
			return fmt.Errorf("outage %d (from %g to %g s): %w", i+1, e.cfg.Outages[i].From, e.cfg.Outages[i].Until, err)
		}
		s.heap.push(event{time: e.cfg.Outages[i].From, rank: rankDown, seq: int64(i)})
	}
	return nil
}

// checkOutage checks outage i, also against those before it.
func (e *Engine) checkOutage(i int) error {
	o := &e.cfg.Outages[i]
	if !(o.From >= 0 && o.From < o.Until) {
		return fmt.Errorf("it must begin at 0 s or later and end after that")
	}
	if len(o.Procs) == 0 {
		return fmt.Errorf("it has no processors")
	}
	last := int32(-1)
	for _, sp := range o.Procs {
		if sp.Lo <= last || sp.Hi < sp.Lo || int(sp.Hi) >= e.state.platform.Procs() {
			return fmt.Errorf("processors %s are not ascending, disjoint numbers from 0 to %d", AppendSpans(nil, o.Procs),
				e.state.platform.Procs()-1)
		}
		last = sp.Hi
	}
	for k := range i {
		if p := &e.cfg.Outages[k]; p.From < o.Until && o.From < p.Until && overlap(p.Procs, o.Procs) {
			return fmt.Errorf("it takes processors that outage %d (from %g to %g s) has at the same time", k+1, p.From, p.Until)
		}
	}
	return nil
}

// overlap reports whether two sets of processors have one in common.
func overlap(a, b []Span) bool {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].Hi < b[0].Lo:
			a = a[1:]
		case b[0].Hi < a[0].Lo:
			b = b[1:]
		default:
			return true
		}
	}
	return false
}

// down begins outage i: it kills the jobs in its way and takes their processors.
func (e *Engine) down(i int) {
	s, o := &e.state, &e.cfg.Outages[i]
	var hit []*Job
	for k := range s.heap.a {
		if j := s.heap.a[k].job; j != nil && j.state == Running && overlap(j.alloc.Procs, o.Procs) {
			hit = append(hit, j)
		}
	}
	slices.SortFunc(hit, func(a, b *Job) int { return int(a.seq - b.seq) })
	for _, j := range hit {
		s.Kill(j)
		s.heap.remove(int(j.pos))
		e.end(j)
	}
	if s.err != nil {
		return
	}
	s.procs.takeAll(o.Procs)
	e.resize(o, 1)
	s.heap.push(event{time: o.Until, rank: rankUp, seq: int64(i)})
}

// up ends outage i.
func (e *Engine) up(i int) {
	o := &e.cfg.Outages[i]
	e.state.procs.giveAll(o.Procs)
	e.resize(o, -1)
}

// resize takes the processors of an outage out of service, by = 1, or gives them back.
func (e *Engine) resize(o *Outage, by int32) {
	s := &e.state
	alloc := Allocation{Counts: s.countsOf(nil, o.Procs), Procs: o.Procs}
	s.after, s.before = Hold{Alloc: alloc, Share: 1, From: o.From, Until: o.Until}, Hold{}
	for c, n := range alloc.Counts {
		s.free[c] -= by * n
		s.total -= int(by * n)
		s.out[c] += by * n
	}
	if by < 0 {
		s.after, s.before = s.before, s.after
	}
	s.tell()
	e.cfg.Policy.(Elastic).CapacityChanged(s)
	e.pass = true
}
