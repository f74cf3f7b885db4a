package audit

import (
	"fmt"
	"math"
	"slices"

	"schedsweep/sim"
)

// tolerance is how much work, relative to a job's own, rounding may lose or
// gain (A5). A rate changes at most a few thousand times in a job's life, each
// with one rounding of 1e-16.
const tolerance = 1e-9

// Audit is the observer. One Audit serves any number of runs, one after another.
type Audit struct {
	first     error
	violated  int64
	clock     float64
	submitted int64
	ended     int64
	inUse     []int32   // per cluster
	owner     []int64   // processor -> Seq+1 of the job that holds it, or 0, or several
	sum       []float64 // processor -> shares of it that jobs have
	sharers   []int32   // processor -> jobs that share it
	books     []book    // by slot
}

// book is what is remembered of a job in the system.
type book struct {
	account
	shareBook
	spec sim.JobSpec // as submitted
	held []sim.Span
	on   []int32 // processors held by cluster
}

type account struct {
	seq    int64
	open   bool
	ran    bool
	start  float64
	idle   bool    // suspended
	since  float64 // when its rate last changed
	done   float64 // work done until then
	lost   float64 // seconds suspended, up to the last resumption
	left   float64 // when it was suspended last
	doomed float64 // when the policy killed it, NaN before
}

// New returns an audit that is ready for a run on p.
func New(p *sim.Platform) *Audit {
	a := &Audit{}
	a.Reset(p)
	return a
}

// Reset makes the audit ready for a run on p. It keeps its memory.
func (a *Audit) Reset(p *sim.Platform) {
	a.first, a.violated, a.clock, a.submitted, a.ended = nil, 0, 0, 0, 0
	a.books = a.books[:0]
	a.inUse = resized(a.inUse, len(p.Clusters))
	a.owner = resized(a.owner, p.Procs())
	a.sum, a.sharers = a.sum[:0], a.sharers[:0]
}

func resized[T int32 | int64](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// Verdict is nil when every invariant held, and otherwise an error that names
// the first violation and counts the others. complete says that the run came to
// its end, so that all jobs must have ended (A4).
func (a *Audit) Verdict(complete bool) error {
	if complete && a.submitted != a.ended {
		a.violate("A4", "%d jobs were submitted and %d ended", a.submitted, a.ended)
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
	if !(s.Now() >= a.clock) {
		a.violate("A6", "the clock went from %g s back to %g s", a.clock, s.Now())
	}
	a.clock = s.Now()
}

// Submitted opens the job's book.
func (a *Audit) Submitted(s *sim.View, j *sim.Job) {
	a.tick(s)
	a.submitted++
	for int(j.Slot()) >= len(a.books) {
		a.books = append(a.books, book{})
	}
	b := &a.books[j.Slot()]
	if b.open {
		a.violate("A4", "job %d was submitted in the place of a job that has not ended", j.ID())
	}
	if s.Now() != j.Submit() {
		a.violate("A1", "job %d was submitted at %g s instead of %g s", j.ID(), s.Now(), j.Submit())
	}
	b.account, b.shareBook, b.spec = account{seq: j.Seq(), open: true, doomed: math.NaN()}, shareBook{}, j.Spec()
	b.held, b.on = b.held[:0], b.on[:0]
}

// Started enters the processors that the job takes.
func (a *Audit) Started(s *sim.View, j *sim.Job) {
	a.tick(s)
	b := a.bookOf(j)
	if b == nil {
		return
	}
	if b.ran {
		a.violate("A4", "job %d was started twice", j.ID())
	}
	b.ran, b.account.since, b.start = true, s.Now(), j.Start()
	b.held, b.on = append(b.held, j.Alloc().Procs...), append(b.on, j.Alloc().Counts...)
	if s.Now() < j.Submit() {
		a.violate("A1", "job %d started at %g s, before its submission at %g s", j.ID(), s.Now(), j.Submit())
	}
	b.shareBook = shareBook{shares: j.Shares(), grant: j.Grant(), made: s.Now(), since: s.Now()}
	a.take(s, j, b)
	a.promised(s, j, b)
}

// take enters the job's processors. Those that are shared have numbers, which say it
// all.
func (a *Audit) take(s *sim.View, j *sim.Job, b *book) {
	total := int32(0)
	for c, n := range j.Alloc().Counts {
		if total += n; b.shares {
			continue
		}
		a.inUse[c] += n
		if limit := s.Platform().Clusters[c].Procs(); int(a.inUse[c]) > limit {
			a.violate("A2", "job %d brings cluster %d to %d of %d processors in use", j.ID(), c, a.inUse[c], limit)
		}
	}
	if total != j.Procs() {
		a.violate("A3", "job %d of %d processors got %d", j.ID(), j.Procs(), total)
	}
	a.number(s.Platform(), j, b)
}

// number enters the numbers of the job's processors, where they are known.
func (a *Audit) number(p *sim.Platform, j *sim.Job, b *book) {
	if len(j.Alloc().Procs) == 0 {
		return
	}
	n := int32(0)
	for _, sp := range j.Alloc().Procs {
		n += int32(sp.Len())
		for q := sp.Lo; q <= sp.Hi; q++ {
			if b.shares {
				a.share(q, j, b.grant.Share)
				continue
			}
			if a.owner[q] != 0 {
				a.violate("A2", "processor %d was given to job %d while another job held it", q, j.ID())
			}
			a.owner[q] = j.Seq() + 1
		}
	}
	if n != j.Procs() {
		a.violate("A3", "job %d of %d processors got the %d processors %s", j.ID(), j.Procs(), n, sim.AppendSpans(nil, j.Alloc().Procs))
	}
	for c := range j.Alloc().Counts {
		lo, hi, on := int32(p.First(c)), int32(p.First(c+1))-1, int32(0)
		for _, sp := range j.Alloc().Procs {
			on += max(0, min(sp.Hi, hi)-max(sp.Lo, lo)+1)
		}
		if on != j.Alloc().Counts[c] {
			a.violate("A3", "job %d holds %d processors of cluster %d by number and %d by count", j.ID(), on, c, j.Alloc().Counts[c])
		}
	}
}

// RateChanged integrates the rate that the job had until now.
func (a *Audit) RateChanged(s *sim.View, j *sim.Job, from, _ float64) {
	if b := a.bookOf(j); b != nil {
		if b.idle && from != 0 {
			a.violate("A8", "job %d had the rate %g while it was suspended", j.ID(), from)
		}
		b.done += from * (s.Now() - b.account.since)
		b.account.since = s.Now()
		if b.shares {
			a.kept(s, j, b, from)
		}
	}
}

// Ended checks the job's account and closes its book.
func (a *Audit) Ended(s *sim.View, j *sim.Job) {
	a.tick(s)
	b := a.bookOf(j)
	if b == nil {
		return
	}
	a.ended++
	b.open = false
	if j.Spec() != b.spec {
		a.violate("A9", "job %d was submitted as %+v and ended as %+v", b.spec.ID, b.spec, j.Spec())
	}
	if j.State() == sim.Rejected {
		if b.ran {
			a.violate("A4", "job %d was rejected after it had run", j.ID())
		}
		return
	}
	if !b.ran || j.Finish() < j.Start() {
		a.violate("A1", "job %d ended at %g s without having started before", j.ID(), j.Finish())
	}
	if b.idle {
		a.violate("A8", "job %d ended at %g s while it was suspended", j.ID(), s.Now())
	}
	if j.Start() != b.start || !slices.Equal(b.held, j.Alloc().Procs) || !slices.Equal(b.on, j.Alloc().Counts) {
		a.violate("A9", "job %d started at %g s on %v processors of the clusters (%s) and ended as if at %g s on %v (%s)", j.ID(), b.start, b.on, sim.AppendSpans(nil, b.held), j.Start(), j.Alloc().Counts, sim.AppendSpans(nil, j.Alloc().Procs))
	}
	if a.kept(s, j, b, j.Rate()); b.shares != j.Shares() || b.grant != j.Grant() {
		a.violate("A9", "job %d had the share %+v and ended as if with %+v", j.ID(), b.grant, j.Grant())
	}
	a.leave(b)
	a.work(s, j, b)
	a.walltime(s, j, b)
}

// leave strikes out what the job held by its book.
func (a *Audit) leave(b *book) {
	if b.shares {
		a.unshare(b)
		return
	}
	for c, n := range b.on {
		a.inUse[c] -= n
	}
	for _, sp := range b.held {
		clear(a.owner[sp.Lo : sp.Hi+1])
	}
}

// work checks A5.
func (a *Audit) work(s *sim.View, j *sim.Job, b *book) {
	done := b.done + j.Rate()*(s.Now()-b.account.since)
	// A rate times a difference of times cannot be more exact than the clock.
	clock := j.Rate() * 4 * (math.Nextafter(s.Now(), math.Inf(1)) - s.Now())
	slack := tolerance*j.Work() + clock
	switch {
	case j.State() == sim.Finished && math.Abs(done-j.Work()) > slack:
		a.violate("A5", "job %d finished after %g of %g units of work", j.ID(), done, j.Work())
	case j.State() == sim.Killed && done > j.Work()+slack:
		a.violate("A5", "job %d was killed with %g of %g units of work done", j.ID(), done, j.Work())
	}
}

// Killing notes that the policy kills the job now.
func (a *Audit) Killing(s *sim.View, j *sim.Job) {
	a.tick(s)
	if b := a.bookOf(j); b != nil {
		b.doomed = s.Now()
	}
}

// walltime checks A7.
func (a *Audit) walltime(s *sim.View, j *sim.Job, b *book) {
	killed, limit := j.State() == sim.Killed, math.Inf(1)
	if s.KillsAtWalltime() {
		limit = j.Start() + j.Walltime() + b.lost
	}
	if j.Finish() > limit {
		a.violate("A7", "job %d ran until %g s, past its walltime at %g s", j.ID(), j.Finish(), limit)
	}
	switch doomed := !math.IsNaN(b.doomed); {
	case doomed && (!killed || j.Finish() != b.doomed):
		a.violate("A7", "job %d, which the policy killed at %g s, was %s at %g s", j.ID(), b.doomed, j.State(), j.Finish())
	case killed && !doomed && math.IsInf(limit, 1):
		a.violate("A7", "job %d was killed where nobody is", j.ID())
	case killed && !doomed && j.Finish() != limit:
		a.violate("A7", "job %d was killed at %g s, not at its walltime at %g s", j.ID(), j.Finish(), limit)
	}
}

// bookOf returns the job's open book, or nil after noting that there is none.
func (a *Audit) bookOf(j *sim.Job) *book {
	if int(j.Slot()) >= len(a.books) || !a.books[j.Slot()].open || a.books[j.Slot()].seq != j.Seq() {
		a.violate("A4", "job %d is heard of outside its time in the system", j.ID())
		return nil
	}
	return &a.books[j.Slot()]
}
