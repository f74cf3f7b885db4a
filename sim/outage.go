package sim

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"

	"schedsweep/sim/power"
)

// OutageKind is the effect of an event of the platform on its processors.
type OutageKind uint8

// The kinds.
const (
	Down      OutageKind = iota // out of service: jobs that run there when it begins are killed
	Drained                     // no job starts there; jobs running at its begin run on
	Reserved                    // as drained, but some jobs may start there
	Off                         // switched off; see [power.SwitchOff] for this and the next ones
	Boots                       // on the way from off to on
	ShutsDown                   // on the way from on to off
)

// Unpowered reports whether nodes in this state are neither on nor out of service: the engine switches them.
func (k OutageKind) Unpowered() bool { return k >= Off }

// String returns the kind's name in traces.
func (k OutageKind) String() string {
	return [...]string{"down", "drain", "reserve", "off", "boot", "shutdown"}[k]
}

// Outage is an event of the platform: it takes processors out of service for a time. Nodes that are not on are one too, of their own kinds.
type Outage struct {
	// Procs are ascending and disjoint.
	Procs []Span
	// From and Until are in seconds; 0 <= From < Until, which may be +Inf.
	From, Until float64
	// Kind is the effect on jobs.
	Kind OutageKind
	// Ahead reports that planners know the event before it begins, from the time Announced on. Otherwise they know it, and when it ends,
	// from its begin on.
	Ahead     bool
	Announced float64
	// For lists who may start jobs on processors that are reserved.
	For Members
}

// Members are jobs by whose they are, or where they wait. Users and accounts have the numbers of records ([Record]), users also those of
// jobs; partitions are those of the platform.
type Members struct{ Users, Accounts, Partitions []int32 }

// Has reports whether a job is a member.
func (m *Members) Has(s *View, j *Job) bool {
	r, known := s.Record(j)
	return slices.Contains(m.Users, j.User()) || slices.Contains(m.Partitions, j.Partition()) ||
		known && (slices.Contains(m.Users, r.User) || slices.Contains(m.Accounts, r.Account))
}

// Elastic is implemented by a policy that copes with a capacity that changes during
// the run. A run with outages is refused under other policies.
type Elastic interface {
	// CapacityChanged reports that s.Capacity() or its known future ([State.Outages]) is another from now on. A pass follows.
	CapacityChanged(s *State)
}

// outage is one that is in force, or is to come.
type outage struct {
	Outage
	held  spanSet // of its processors the ones that it has; jobs or other outages have the rest
	known bool
	drawn bool // it comes from [Config.Failures]
}

// Outages yields the outages that planners know: those in force, and those announced.
func (s *State) Outages() iter.Seq[*Outage] {
	return func(yield func(*Outage) bool) {
		for i := range s.engine.outages {
			if o := &s.engine.outages[i]; o.known && !yield(&o.Outage) {
				return
			}
		}
	}
}

// HasEvents reports whether the run may have events of the platform, known or not, so that a policy can choose how it keeps its plan.
func (s *State) HasEvents() bool {
	return len(s.engine.cfg.Outages) > 0 || s.HasPartialEvents()
}

// HasPartialEvents reports whether some of these events may be about a part of a node class, or of a platform that is not divided,
// or reserve it. All others put down or drain the whole.
func (s *State) HasPartialEvents() bool {
	cfg := &s.engine.cfg
	return cfg.Failures != nil || s.platform.Off.On || // a node that is off is a part of its class
		slices.ContainsFunc(cfg.Outages, func(o Outage) bool { return o.Kind == Reserved || !s.wholeClasses(o.Procs) })
}

// Reserves reports whether some of these events reserve processors.
func (s *State) Reserves() bool {
	return slices.ContainsFunc(s.engine.cfg.Outages, func(o Outage) bool { return o.Kind == Reserved })
}

// wholeClasses reports whether these are all processors of some classes, or of the platform where it is not divided.
func (s *State) wholeClasses(procs []Span) bool {
	counts := s.countsOf(nil, procs)
	n := 0
	for c, k := range counts {
		if n += int(k); s.platform.Divided() && k > 0 && int(k) < s.platform.Clusters[c].Procs() {
			return false
		}
	}
	return s.platform.Divided() || n == s.platform.Procs()
}

// Lends reports whether j may start on the processors that an event reserves.
func (s *State) Lends(m *Members, j *Job) bool { return m.Has(&s.view, j) }

// prepareOutages checks the outages and enters their begins.
func (e *Engine) prepareOutages() error {
	s := &e.state
	e.outages, e.inForce = e.outages[:0], e.inForce[:0]
	if len(e.cfg.Outages) == 0 && e.cfg.Failures == nil {
		return nil
	}
	if _, ok := e.cfg.Policy.(Elastic); !ok {
		return fmt.Errorf("the platform has events, and the policy plans with a machine that never changes: take another policy " +
			"(easy, conservative, fcfs, queue, scan and first-fit can do it), or no events")
	}
	s.tracked = true
	for i := range e.cfg.Outages {
		if err := e.checkOutage(i); err != nil {
			return fmt.Errorf("outage %d (from %g to %g s): %w", i+1, e.cfg.Outages[i].From, e.cfg.Outages[i].Until, err)
		}
		e.expect(outage{Outage: e.cfg.Outages[i]})
	}
	return e.draw()
}

// expect enters an outage that is to come.
func (e *Engine) expect(o outage) {
	i := slices.IndexFunc(e.outages, func(o outage) bool { return o.Procs == nil })
	if i < 0 {
		i = len(e.outages)
		e.outages = append(e.outages, outage{})
	}
	if o.Ahead {
		if o.known = o.Announced <= e.state.now; !o.known && o.Announced < o.From {
			e.state.heap.push(event{time: o.Announced, rank: rankKnown, seq: int64(i)})
		}
	}
	e.outages[i] = o
	e.state.heap.push(event{time: o.From, rank: rankDown, seq: int64(i)})
}

// draw asks for the next failure.
func (e *Engine) draw() error {
	var next Outage
	if e.cfg.Failures == nil || !e.cfg.Failures(&next) {
		return nil
	}
	if !(next.From >= e.state.now && next.From < next.Until) || len(next.Procs) == 0 {
		return fmt.Errorf("a failure of %d spans from %g to %g s comes at %g s: failures come in order of their begin", len(next.Procs),
			next.From, next.Until, e.state.now)
	}
	e.expect(outage{Outage: next, drawn: true})
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
	if _, fit := e.state.platform.count(o.Procs); !fit {
		return fmt.Errorf("processors %s are not ascending, disjoint numbers from 0 to %d", AppendSpans(nil, o.Procs),
			e.state.platform.Procs()-1)
	}
	for k := range i {
		if p := &e.cfg.Outages[k]; p.From < o.Until && o.From < p.Until && Overlap(p.Procs, o.Procs) {
			return fmt.Errorf("it takes processors that outage %d (from %g to %g s) has at the same time", k+1, p.From, p.Until)
		}
	}
	return nil
}

// down begins outage i. One that puts nodes down kills the jobs in its way, and takes processors from drains and reservations.
func (e *Engine) down(i int) {
	s, o := &e.state, &e.outages[i]
	o.known = true
	procs := o.Procs
	e.inForce = append(e.inForce, i)
	if o.Kind == Down {
		for _, k := range e.inForce {
			if p := &e.outages[k]; p.Kind != Down {
				if part := Common(p.held.spans, procs); len(part) > 0 {
					e.move(p, part, -1)
				}
			}
		}
		e.kill(procs)
	}
	if s.err != nil {
		return
	}
	e.claim(procs)
	until, drawn := e.outages[i].Until, e.outages[i].drawn
	if !math.IsInf(until, 1) {
		s.heap.push(event{time: until, rank: s.upRank(), seq: int64(i)})
	}
	if drawn {
		if err := e.draw(); err != nil {
			s.stop(err)
			return
		}
	}
	e.news()
}

// kill ends the jobs that run on these processors.
func (e *Engine) kill(procs []Span) {
	hit := func(j *Job) bool { return Overlap(j.alloc.Procs, procs) }
	for _, j := range e.running(hit, func(a, b *Job) int { return cmp.Compare(a.seq, b.seq) }) {
		e.fail(j)
	}
}

// running returns some of the running jobs in order.
func (e *Engine) running(some func(*Job) bool, compare func(a, b *Job) int) (all []*Job) {
	for k := range e.state.heap.a {
		if j := e.state.heap.a[k].job; j != nil && j.state == Running && some(j) {
			all = append(all, j)
		}
	}
	slices.SortFunc(all, compare)
	return all
}

// fail ends the running job j for an event of the platform.
func (e *Engine) fail(j *Job) {
	j.failed = true
	e.state.Kill(j)
	e.state.heap.remove(int(j.pos))
	e.end(j)
}

// claim gives free ones of these processors to the outages in force that are about them, first to the ones that put
// nodes down. It reports whether any were free.
func (e *Engine) claim(procs []Span) bool {
	some := false
	for _, down := range [2]bool{true, false} {
		for _, k := range e.inForce {
			o := &e.outages[k]
			if (o.Kind == Down) != down || !Overlap(o.Procs, procs) {
				continue
			}
			if part := Common(Common(o.Procs, procs), e.state.procs.spans); len(part) > 0 {
				e.move(o, part, 1)
				some = true
			}
		}
	}
	return some
}

// up ends outage i. Others that are about its processors have them next.
func (e *Engine) up(i int) {
	o := &e.outages[i]
	e.inForce = slices.DeleteFunc(e.inForce, func(k int) bool { return k == i })
	freed := slices.Clone(o.held.spans)
	if len(freed) > 0 {
		e.move(o, freed, -1)
	}
	*o = outage{}
	e.claim(freed)
}

// move takes processors out of service for an outage, by = 1, or gives them back.
func (e *Engine) move(o *outage, part []Span, by int32) {
	s := &e.state
	e.counts = s.countsOf(e.counts[:0], part)
	alloc := Allocation{Counts: e.counts, Procs: part}
	if by > 0 {
		s.procs.takeAll(part)
		o.held.giveAll(part)
	} else {
		s.procs.giveAll(part)
		o.held.takeAll(part)
	}
	s.after, s.before = Hold{Outage: &o.Outage, Alloc: alloc, Share: 1, From: s.now, Until: o.Until}, Hold{Outage: &o.Outage}
	for c, n := range alloc.Counts {
		s.free[c] -= by * n
		s.total -= int(by * n)
		s.away += int(by * n)
		if o.Kind.Unpowered() {
			s.dark[c] += by * n
		} else {
			s.out[c] += by * n
		}
		if to := metering[o.Kind]; to != (power.Energy{}) && len(s.meters) > 0 {
			s.move(c, float64(by*n), to)
		}
	}
	if by < 0 {
		s.after, s.before = s.before, s.after
	}
	s.tell()
}

// metering are the kinds whose processors draw another power than idle ones.
var metering = [...]power.Energy{Down: {Down: 1}, Off: {Off: 1}, Boots: {Boot: 1}, ShutsDown: {Shutdown: 1}}

// news tells the policy.
func (e *Engine) news() {
	e.cfg.Policy.(Elastic).CapacityChanged(&e.state)
	e.pass = true
	e.reap()
}

// reserved yields the events in force that reserve processors for j.
func (s *State) reserved(j *Job) iter.Seq[*outage] {
	return func(yield func(*outage) bool) {
		for _, k := range s.engine.inForce {
			if o := &s.engine.outages[k]; o.Kind == Reserved && o.For.Has(&s.view, j) && !yield(o) {
				return
			}
		}
	}
}

// FreeFor is the number of processors on which j may start: free ones, and the ones that events in force reserve for it.
func (s *State) FreeFor(j *Job) int {
	n := s.total
	for o := range s.reserved(j) {
		held, _ := s.platform.count(o.held.spans)
		n += held
	}
	return n
}

// lend frees n of the processors that are reserved for j, or as many as there are: the lowest of each event.
func (s *State) lend(j *Job, n int) {
	for o := range s.reserved(j) {
		held, _ := s.platform.count(o.held.spans)
		rest := spanSet{spans: slices.Clone(o.held.spans)}
		if part := rest.takeLowest(min(n, held), nil); len(part) > 0 {
			s.engine.move(o, part, -1)
		}
		n -= min(n, held)
	}
}

// borrow frees those of these processors that are reserved for j, and reports whether all are free then.
func (s *State) borrow(j *Job, procs []Span) bool {
	for o := range s.reserved(j) {
		if part := Common(o.held.spans, procs); len(part) > 0 {
			s.engine.move(o, part, -1)
		}
	}
	return s.procs.takeAll(procs)
}
