package audit

import (
	"fmt"
	"math"
	"slices"

	"schedsweep/sim"
)

// tolerance is the share of a job's work that rounding may lose or gain (A5). A rate changes at
// most a few thousand times in a job's life, each with one rounding of 1e-16.
const tolerance = 1e-9

// slack is the rounding error of the shares of a processor and of promises.
const slack = 1e-9

// Audit is the observer. One Audit serves any number of runs, one after another.
type Audit struct {
	first     error
	violated  int64
	policy    Promising // nil where it promises nothing
	clock     float64
	submitted int64
	ended     int64
	began     int64 // starts of jobs
	ends      int64 // ends of jobs that ran
	requeues  int64
	events    events
	supply    supply
	cap       capped
	switches  switches
	simple    bool          // the machine has no partitions, no power and no events
	machine   *sim.Platform // as the run shows it
	clusters  []sim.Cluster // of the machine, as they were before the run
	begins    []int32       // cluster -> its first processor then
	divided   divided
	requests  requests
	bounds    bounds
	order     order
	delay     delay
	inUse     []float64 // cluster -> shares of processors that are held
	limits    []float64 // cluster -> largest sum of these
	sum       []float64 // processor -> shares of it that are held, as far as one was
	books     []book    // by slot
}

// book holds the audit's notes on a job in the system.
type book struct {
	account
	promise promise
	spec    sim.JobSpec    // as submitted
	held    sim.Allocation // now, or when it was suspended
	energy                 // where the platform has power
	request sim.Request    // a copy of its own, where the job has one
}

// energy is the energy that a job took until account.since, in all attempts.
type energy struct {
	joules  float64
	charges charges
}

type account struct {
	seq     int64
	open    bool
	ran     bool
	start   float64
	idle    bool    // suspended
	share   float64 // of the processors that are held
	size    int32   // number of these processors
	changed float64 // when the job's rate last changed
	done    float64 // work done until then
	lost    float64 // seconds suspended, up to the last resumption
	left    float64 // when it was suspended last
	killed  float64 // when the policy killed it, NaN before
	area    float64 // processor-seconds until since, in all attempts
	wasted  float64 // of earlier attempts
	since   float64 // time of the last change of its hold
}

// New returns an audit that is ready for a run on p.
func New(p *sim.Platform) *Audit {
	a := &Audit{}
	a.Reset(p)
	return a
}

// Reset makes the audit ready for a run on p. It keeps its memory.
func (a *Audit) Reset(p *sim.Platform) {
	a.first, a.violated, a.policy, a.clock, a.submitted, a.ended = nil, 0, nil, 0, 0, 0
	a.began, a.ends, a.requeues, a.events = 0, 0, 0, events{}
	a.bounds, a.order, a.delay = bounds{}, order{lines: a.order.lines[:0]}, delay{}
	a.books = a.books[:0]
	a.machine, a.clusters = nil, append(a.clusters[:0], p.Clusters...)
	a.divided.reset(p)
	a.requests.reset(p)
	a.supply.reset(p)
	a.cap.reset(p)
	a.switches.reset(p)
	a.begins = a.begins[:0]
	a.simple = !a.divided.on() && !a.supply.on && !a.cap.on && !a.switches.rule.On
	a.inUse = slices.Grow(a.inUse[:0], len(p.Clusters))[:len(p.Clusters)]
	clear(a.inUse)
	a.limits = a.limits[:0]
	for i := range p.Clusters {
		a.limits = append(a.limits, float64(p.Clusters[i].Procs())*(1+slack))
		a.begins = append(a.begins, int32(p.First(i)))
	}
	a.sum = a.sum[:0]
}

// Verdict is nil when every invariant held, and otherwise an error that names
// the first violation and counts the others. complete says that the run came to
// its end, so that all jobs must have ended (A4).
func (a *Audit) Verdict(complete bool) error {
	if complete && a.submitted != a.ended {
		a.violate("A4", "%d jobs were submitted and %d ended", a.submitted, a.ended)
	}
	if complete && a.began != a.ends+a.requeues {
		a.violate("A16", "jobs started %d times, ended %d times and were requeued %d times", a.began, a.ends, a.requeues)
	}
	if took, busy := a.supply.jobs, a.supply.busy; complete && math.Abs(took-busy) > tolerance*(busy+1) {
		a.violate("A22", "jobs took %g J, and the engine says that the machine spent %g J on jobs", took, busy)
	}
	if a.machine != nil && !slices.Equal(a.clusters, a.machine.Clusters) {
		a.violate("A9", "platform %q is no longer what it was before the run", a.machine.Name)
	}
	if a.violated > 1 {
		return fmt.Errorf("%w (and %d more violations)", a.first, a.violated-1)
	}
	return a.first
}

func (a *Audit) violate(invariant, format string, args ...any) {
	if a.violated++; a.first == nil {
		a.first = fmt.Errorf("audit %s: "+format, append([]any{invariant}, args...)...)
	}
}

// tick checks that the clock has not gone back.
func (a *Audit) tick(s *sim.View) {
	now := s.Now()
	if !(now >= a.clock) {
		a.violate("A6", "the clock went from %g s back to %g s", a.clock, now)
	}
	if a.events.procs != nil && now > a.events.at {
		a.events.advance(s)
	}
	a.clock = now
}

func (a *Audit) Submitted(s *sim.View, j *sim.Job) {
	a.tick(s)
	a.machine = s.Platform()
	a.submitted++
	b := a.entry(j.Slot())
	if b.open {
		a.violate("A4", "job %d was submitted in the place of a job that has not ended", j.ID())
	}
	if s.Now() != j.Submit() {
		a.violate("A1", "job %d was submitted at %g s instead of %g s", j.ID(), s.Now(), j.Submit())
	}
	b.account, b.promise, b.spec = account{seq: j.Seq(), open: true, killed: math.NaN()}, promise{}, j.Spec()
	if b.spec.Request != nil {
		b.request = *b.spec.Request
	}
	if a.supply.on {
		b.energy = energy{}
	}
	b.held.Procs, b.held.Counts = b.held.Procs[:0], b.held.Counts[:0]
	if a.bounds.policy != nil {
		a.bounds.enters(s, j, 1)
	}
	if a.order.policy != nil {
		a.order.submitted(s, j)
	}
}

// RateChanged adds up the work done at the rate until now.
func (a *Audit) RateChanged(s *sim.View, j *sim.Job, from, _ float64) {
	b := a.bookOf(j)
	if b == nil {
		return
	}
	if b.idle && from != 0 {
		a.violate("A8", "job %d had the rate %g while it was suspended", j.ID(), from)
	}
	b.done += from * (s.Now() - b.changed)
	b.changed = s.Now()
	if b.promise.job != nil {
		a.kept(s, j, b, from)
	}
}

// Ended closes the job's book and checks its sums.
func (a *Audit) Ended(s *sim.View, j *sim.Job) {
	a.tick(s)
	b := a.bookOf(j)
	if b == nil {
		return
	}
	a.ended++
	b.open = false
	if a.bounds.policy != nil {
		a.bounds.enters(s, j, -1)
	}
	if j.Spec() != b.spec || b.spec.Request != nil && *b.spec.Request != b.request {
		a.violate("A9", "job %d was submitted as %+v and ended as %+v", b.spec.ID, b.spec, j.Spec())
	}
	if j.State().Refused() {
		if b.ran {
			a.violate("A4", "job %d was rejected after it had run", j.ID())
		}
		if a.supply.on {
			a.spent(j, b) // earlier attempts may have taken energy
		}
		return
	}
	if !b.ran || j.Finish() < j.Start() {
		a.violate("A1", "job %d ended at %g s without having started before", j.ID(), j.Finish())
	}
	if b.idle {
		a.violate("A8", "job %d ended at %g s while it was suspended", j.ID(), s.Now())
	}
	if j.Start() != b.start || !same(&b.held, j.Alloc()) {
		a.violate("A9", "job %d started at %g s on %v processors of the clusters (%s) and ended as if at %g s on %v (%s)", j.ID(),
			b.start, b.held.Counts, sim.AppendSpans(nil, b.held.Procs), j.Start(), j.Alloc().Counts, sim.AppendSpans(nil, j.Alloc().Procs))
	}
	if b.share > 0 {
		a.violate("A4", "job %d ended at %g s and still holds processors", j.ID(), s.Now())
	}
	if math.Abs(b.area-j.Area()) > tolerance*(b.area+float64(b.size)*s.Now()) {
		a.violate("A5", "job %d held %g processor-seconds and the engine says %g", j.ID(), b.area, j.Area())
	}
	if a.supply.on {
		a.spent(j, b)
	}
	a.ran(s, j, b)
	a.work(s, j, b)
	a.walltime(s, j, b)
}

// Settled reads the promises of the policy at the end of each instant.
func (a *Audit) Settled(s *sim.View) {
	if !a.simple {
		a.settledMachine(s)
	}
	if a.bounds.policy != nil {
		a.bounds.settled(a, s)
	}
	if a.order.policy != nil {
		a.order.look(nil)
	}
	if a.policy == nil {
		return
	}
	for i := range a.books {
		if b := &a.books[i]; b.open && b.promise.job != nil {
			a.kept(s, b.promise.job, b, b.promise.job.Rate())
			a.promised(s, b.promise.job, b)
		}
	}
}

// settledMachine checks a machine that is not simple at the end of an instant.
func (a *Audit) settledMachine(s *sim.View) {
	if a.events.procs != nil {
		a.tick(s)
		a.settle(s)
	}
	if a.supply.on {
		a.conserved(s)
	}
	if a.cap.on {
		a.underCap(s, false)
	}
	if a.switches.rule.On {
		a.states(s.Now())
	}
}

// work checks A5.
func (a *Audit) work(s *sim.View, j *sim.Job, b *book) {
	done := b.done + j.Rate()*(s.Now()-b.changed)
	// A rate times a difference of times cannot be more exact than the clock.
	clock := j.Rate() * 4 * (math.Nextafter(s.Now(), math.Inf(1)) - s.Now())
	margin := tolerance*j.Work() + clock
	switch {
	case j.State() == sim.Finished && math.Abs(done-j.Work()) > margin:
		a.violate("A5", "job %d finished after %g of %g units of work", j.ID(), done, j.Work())
	case j.State() == sim.Killed && done > j.Work()+margin:
		a.violate("A5", "job %d was killed with %g of %g units of work done", j.ID(), done, j.Work())
	}
}

// walltime checks A7.
func (a *Audit) walltime(s *sim.View, j *sim.Job, b *book) {
	dead, limit := j.State() == sim.Killed, math.Inf(1)
	if s.KillsAtWalltime() {
		limit = j.Start() + j.Walltime() + b.lost
	}
	if j.Finish() > limit {
		a.violate("A7", "job %d ran until %g s, past its walltime at %g s", j.ID(), j.Finish(), limit)
	}
	switch byPolicy := !math.IsNaN(b.killed); {
	case byPolicy && (!dead || j.Finish() != b.killed):
		a.violate("A7", "job %d, which the policy killed at %g s, was %s at %g s", j.ID(), b.killed, j.State(), j.Finish())
	case dead && !byPolicy && math.IsInf(limit, 1):
		a.violate("A7", "job %d was killed, and the run kills no jobs", j.ID())
	case dead && !byPolicy && j.Finish() != limit:
		a.violate("A7", "job %d was killed at %g s, not at its walltime at %g s", j.ID(), j.Finish(), limit)
	}
}

// entry returns the book of a slot. One of an earlier run keeps the memory of its lists.
func (a *Audit) entry(slot int32) *book {
	for n := len(a.books); n <= int(slot); n++ {
		if n == cap(a.books) {
			a.books = append(a.books, book{})
			continue
		}
		a.books = a.books[:n+1]
		b := &a.books[n]
		*b = book{held: sim.Allocation{Procs: b.held.Procs[:0], Counts: b.held.Counts[:0]}}
	}
	return &a.books[slot]
}

// bookOf returns the job's open book, or nil after noting that there is none.
func (a *Audit) bookOf(j *sim.Job) *book {
	if i := int(j.Slot()); i < len(a.books) {
		if b := &a.books[i]; b.open && b.seq == j.Seq() {
			return b
		}
	}
	a.violate("A4", "job %d is heard of outside its time in the system", j.ID())
	return nil
}

// each visits the nodes of processors, with how many these are of each.
func (a *Audit) each(procs []sim.Span, visit func(class int, node, n int32)) {
	for _, sp := range procs {
		for p := sp.Lo; p <= sp.Hi; {
			c := len(a.begins) - 1
			for a.begins[c] > p {
				c--
			}
			cores := int32(a.clusters[c].Cores)
			node := (p - a.begins[c]) / cores
			next := min(sp.Hi+1, a.begins[c]+(node+1)*cores)
			visit(c, node, next-p)
			p = next
		}
	}
}
