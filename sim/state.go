package sim

import (
	"fmt"
	"math"
)

// State is the machine as policies and progress models see it, and the way in
// which they act on it. A wrong action (a job started twice, processors that
// are not free) is the actor's bug: it changes nothing, and the run ends with an
// error that says what was tried.
type State struct {
	now      float64
	platform *Platform
	order    EventOrder
	killing  bool

	heap    eventHeap
	seq     int64
	free    []int32 // per cluster
	total   int     // free on all clusters
	tracked bool
	procs   spanSet

	progress      Progress
	observers     []Observer
	rateObservers []RateObserver
	preemptions   []PreemptionObserver

	waiting, running, suspended int
	changed                     bool // running jobs changed since the last Update
	rejected                    []*Job
	err                         error
}

// Now is the simulated time in seconds.
func (s *State) Now() float64 { return s.now }

// Platform is the machine; read only.
func (s *State) Platform() *Platform { return s.platform }

// Order is the event order of the run. Its name is also the preset by which a
// policy chooses among published variants of its rules.
func (s *State) Order() EventOrder { return s.order }

// Free is the number of free processors.
func (s *State) Free() int { return s.total }

// FreeOn is the number of free processors of cluster c.
func (s *State) FreeOn(c int) int { return int(s.free[c]) }

// Waiting is the number of jobs that wait.
func (s *State) Waiting() int { return s.waiting }

// Running is the number of jobs that run.
func (s *State) Running() int { return s.running }

// Suspended is the number of jobs that are suspended.
func (s *State) Suspended() int { return s.suspended }

// KillsAtWalltime reports whether jobs are ended at their walltime, so that a
// plan by walltimes is never overrun.
func (s *State) KillsAtWalltime() bool { return s.killing }

// TrackProcs asks that the processors of each job be known, not only their
// number on each cluster. It is called from Reset by a policy that uses
// [State.StartOn] or a progress model that goes by processors.
func (s *State) TrackProcs() { s.tracked = true }

// FreeProcs is the set of free processors as ascending spans, valid until the
// next action. It is empty unless processors are tracked.
func (s *State) FreeProcs() []Span { return s.procs.spans }

// Start starts j now on the lowest-numbered free processors.
func (s *State) Start(j *Job) {
	if !s.mayStart(j) {
		return
	}
	n := int(j.Procs)
	if n > s.total {
		s.fail("starts job %d on %d processors with %d free", j.ID, n, s.total)
		return
	}
	if s.tracked {
		j.Alloc.Procs = s.procs.takeLowest(n, j.Alloc.Procs)
		s.count(j)
	} else {
		// Filling clusters in their order is what lowest numbers come to.
		j.Alloc.Counts = j.Alloc.Counts[:0]
		for _, f := range s.free {
			c := min(int32(n), f)
			j.Alloc.Counts = append(j.Alloc.Counts, c)
			n -= int(c)
		}
	}
	s.started(j)
}

// StartOn starts j now on exactly the given processors, which are ascending and
// disjoint.
func (s *State) StartOn(j *Job, procs []Span) {
	if !s.mayStart(j) {
		return
	}
	n, last, fit := 0, int32(-1), s.tracked
	for _, sp := range procs {
		fit = fit && sp.Lo > last && sp.Hi >= sp.Lo
		n += sp.Len()
		last = sp.Hi
	}
	if fit && n != int(j.Procs) {
		s.fail("starts job %d, which needs %d processors, on %d", j.ID, j.Procs, n)
		return
	}
	if !fit || !s.procs.takeAll(procs) {
		s.fail("starts job %d on processors %s, not all of them free", j.ID, AppendSpans(nil, procs))
		return
	}
	j.Alloc.Procs = append(j.Alloc.Procs, procs...)
	s.count(j)
	s.started(j)
}

// StartCounts starts j now on counts[c] processors of each cluster c, the
// lowest-numbered free ones there.
func (s *State) StartCounts(j *Job, counts []int32) {
	if !s.mayStart(j) {
		return
	}
	n := 0
	for c, k := range counts {
		if k < 0 || k > s.free[c] {
			s.fail("starts job %d on %d processors of cluster %d with %d free there", j.ID, k, c, s.free[c])
			return
		}
		n += int(k)
	}
	if n != int(j.Procs) || len(counts) != len(s.free) {
		s.fail("starts job %d, which needs %d processors, on %d of %d clusters", j.ID, j.Procs, n, len(counts))
		return
	}
	j.Alloc.Counts = append(j.Alloc.Counts, counts...)
	if s.tracked {
		for c, k := range counts {
			j.Alloc.Procs = s.takeOn(c, int(k), j.Alloc.Procs)
		}
	}
	s.started(j)
}

// takeOn moves the n lowest free processors of cluster c to dst.
func (s *State) takeOn(c, n int, dst []Span) []Span {
	lo, hi := int32(s.platform.First(c)), int32(s.platform.First(c+1))-1
	for n > 0 {
		sp := s.procs.spans[s.procs.find(lo)]
		sp.Lo = max(sp.Lo, lo)
		sp.Hi = min(sp.Hi, hi, sp.Lo+int32(n)-1)
		s.procs.take(sp)
		dst = append(dst, sp)
		n -= sp.Len()
	}
	return dst
}

// count fills in j's processors per cluster from their numbers.
func (s *State) count(j *Job) {
	j.Alloc.Counts = j.Alloc.Counts[:0]
	i := 0
	for c := range s.free {
		n, end := int32(0), int32(s.platform.First(c+1))
		for i < len(j.Alloc.Procs) {
			sp := j.Alloc.Procs[i]
			lo := max(sp.Lo, int32(s.platform.First(c)))
			if lo >= end {
				break
			}
			n += min(sp.Hi, end-1) - lo + 1
			if sp.Hi >= end {
				break
			}
			i++
		}
		j.Alloc.Counts = append(j.Alloc.Counts, n)
	}
}

func (s *State) mayStart(j *Job) bool {
	if j.State != Waiting {
		s.fail("starts job %d, which is %s", j.ID, j.State)
		return false
	}
	return s.err == nil
}

// started does what every start has in common once j.Alloc is filled in and the
// tracked processors are taken.
func (s *State) started(j *Job) {
	for c, n := range j.Alloc.Counts {
		s.free[c] -= n
	}
	s.total -= int(j.Procs)
	s.waiting--
	s.running++
	j.State, j.Start, j.since = Running, s.now, s.now
	s.seq++
	s.heap.push(event{time: s.limit(j), rank: s.endRank(), seq: s.seq, job: j})
	j.kill = true
	s.changed = true
	for _, o := range s.observers {
		o.Started(s, j)
	}
	s.progress.Started(s, j)
}

// limit is when the walltime ends j.
func (s *State) limit(j *Job) float64 {
	if s.killing {
		return j.PlannedEnd()
	}
	return math.Inf(1)
}

func (s *State) endRank() uint8 {
	if s.order.SubmitFirst {
		return rankSecond
	}
	return rankFirst
}

func (s *State) submitRank() uint8 {
	if s.order.SubmitFirst {
		return rankFirst
	}
	return rankSecond
}

// Reject refuses the waiting job j for good.
func (s *State) Reject(j *Job) {
	if j.State != Waiting {
		s.fail("rejects job %d, which is %s", j.ID, j.State)
		return
	}
	s.waiting--
	j.State = Rejected
	s.rejected = append(s.rejected, j)
	for _, o := range s.observers {
		o.Ended(s, j)
	}
}

// WakeAt asks for a pass at time t, which is not before now.
func (s *State) WakeAt(t float64) { s.wake(t, rankWake) }

// UpdateAt asks for an Update of the progress model at time t.
func (s *State) UpdateAt(t float64) { s.wake(t, rankPhase) }

func (s *State) wake(t float64, rank uint8) {
	if !(t >= s.now) {
		s.fail("asks to be woken at %g, before now (%g)", t, s.now)
		return
	}
	s.seq++
	s.heap.push(event{time: t, rank: rank, seq: s.seq})
}

// SetWork gives j its work, from the progress model's Started.
func (s *State) SetWork(j *Job, work float64) {
	j.total, j.work, j.since = work, work, s.now
}

// SetRate makes the running job j advance by rate units of work a second from
// now on, and moves its end accordingly.
func (s *State) SetRate(j *Job, rate float64) {
	if j.State != Running || !(rate >= 0) {
		s.fail("gives job %d, which is %s, the rate %g", j.ID, j.State, rate)
		return
	}
	if rate == j.rate {
		return
	}
	for _, o := range s.rateObservers {
		o.RateChanged(s, j, j.rate, rate)
	}
	j.work -= j.rate * (s.now - j.since)
	j.rate, j.since = rate, s.now
	finish := math.Inf(1)
	if rate > 0 {
		finish = s.now + max(j.work, 0)/rate
	}
	limit := s.limit(j)
	j.kill = limit < finish
	s.heap.move(int(j.pos), min(limit, finish))
}

// EndNow ends the running job j at this instant as finished: a progress model
// calls it from Advanced when rounding alone keeps j from its end.
func (s *State) EndNow(j *Job) {
	j.kill = false
	s.heap.move(int(j.pos), s.now)
}

// Fail ends the run with an error: an actor calls it when it meets a job that it
// cannot treat. The first error counts.
func (s *State) Fail(err error) {
	if s.err == nil {
		s.err = fmt.Errorf("at %g s: %w", s.now, err)
	}
}

// fail remembers the first wrong action; the engine ends the run with it.
func (s *State) fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf("at %g s the scheduler "+format, append([]any{s.now}, args...)...)
	}
}
