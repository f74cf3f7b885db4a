package sim

import "fmt"

// State is the machine as a policy sees it, with all of [View], and the way in
// which it acts. A wrong action (a job started twice, processors that are not
// free) is the policy's bug: it changes nothing, and the run ends with an error
// that describes the action.
type State struct {
	view
	rates     Rates // the progress model's
	model     Progress
	observers []Observer
	engine    *Engine
	stays     bool
	listeners []messageObserver
	rejected  []*Job
	before    Hold // of the change that observers hear
	after     Hold
}

// Progress is the progress model of the run, for policies that ask it what a study's
// models can tell beforehand: they look for the methods that they need.
func (s *State) Progress() Progress { return s.model }

// TrackProcs asks that the processors of each job be known, not only their
// number on each cluster. A policy that uses [State.StartOn] calls it from Reset.
func (s *State) TrackProcs() { s.tracked = true }

// Fail ends the run with an error: a policy calls it when it meets a job that it
// cannot treat, or when a program that it needs fails. The first error counts.
func (s *State) Fail(err error) { s.stop(err) }

// HasHome reports whether j's home is a cluster of the platform, and ends the run
// where it is not: the policy of this name uses it.
func (s *State) HasHome(policy string, j *Job) bool {
	n := len(s.platform.Clusters)
	if j.spec.Home >= 0 && int(j.spec.Home) < n {
		return true
	}
	s.Fail(fmt.Errorf("policy %s: the home cluster of job %d is number %d (counted from 0); platform %q has %d clusters", policy, j.spec.ID,
		j.spec.Home, s.platform.Name, n))
	return false
}

// Start starts j now on the lowest-numbered free processors. Where too few are free, it also takes processors that events
// reserve for j.
func (s *State) Start(j *Job) {
	if !s.mayStart(j) || !s.anywhere(j) {
		return
	}
	n := int(j.spec.Procs)
	if n > s.total {
		s.lend(j, n-s.total)
	}
	if n > s.total {
		s.fail("starts job %d on %s with %d free", j.spec.ID, Counted(n, "processor"), s.total)
		return
	}
	if s.tracked {
		j.alloc.Procs = s.procs.takeLowest(n, j.alloc.Procs)
		s.count(j)
	} else {
		// Filling clusters in their order is what lowest numbers come to.
		j.alloc.Counts = j.alloc.Counts[:0]
		for _, f := range s.free {
			c := min(int32(n), f)
			j.alloc.Counts = append(j.alloc.Counts, c)
			n -= int(c)
		}
	}
	s.started(j)
}

// StartOn starts j now on exactly the given processors, which are ascending and
// disjoint. On a divided platform they are of one class of its partition, as many as [Platform.Need] says. Where jobs have requests,
// they are as many as the request takes on nodes of its partition.
func (s *State) StartOn(j *Job, procs []Span) {
	if !s.mayStart(j) {
		return
	}
	n, fit := s.platform.count(procs)
	fit = fit && s.tracked
	need := j.spec.Procs
	if fit && n > 0 && s.Requests() && s.platform.Divided() {
		if need = int32(n); !s.mayHold(j, procs) {
			return
		}
	} else if fit && n > 0 && s.platform.Divided() {
		class := s.platform.ClusterOf(int(procs[0].Lo))
		if int(procs[len(procs)-1].Hi) >= s.platform.First(class+1) {
			s.fail("starts job %d on processors %s, which are of several classes", j.spec.ID, AppendSpans(nil, procs))
			return
		}
		if !s.mayRun(j, class) {
			return
		}
		need = s.platform.Need(j.spec.Partition, class, need)
	}
	if fit && n != int(need) {
		s.fail("starts job %d, which needs %s, on %d", j.spec.ID, Counted(need, "processor"), n)
		return
	}
	if !fit || !s.procs.takeAll(procs) && (len(s.engine.inForce) == 0 || !s.borrow(j, procs)) {
		s.fail("starts job %d on processors %s, not all of them free", j.spec.ID, AppendSpans(nil, procs))
		return
	}
	j.alloc.Procs = append(j.alloc.Procs, procs...)
	j.width = need
	s.count(j)
	s.started(j)
}

// StartCounts starts j now on counts[c] processors of each cluster c, the
// lowest-numbered free ones there.
func (s *State) StartCounts(j *Job, counts []int32) {
	if !s.mayStart(j) || !s.anywhere(j) {
		return
	}
	n := 0
	for c, k := range counts {
		if k < 0 || k > s.free[c] {
			s.fail("starts job %d on %s of cluster %d with %d free there", j.spec.ID, Counted(k, "processor"), c, s.free[c])
			return
		}
		n += int(k)
	}
	if n != int(j.spec.Procs) || len(counts) != len(s.free) {
		s.fail("starts job %d, which needs %s, on %d of %s", j.spec.ID, Counted(j.spec.Procs, "processor"), n,
			Counted(len(counts), "cluster"))
		return
	}
	j.alloc.Counts = append(j.alloc.Counts, counts...)
	if s.tracked {
		for c, k := range counts {
			j.alloc.Procs = s.takeOn(c, int(k), j.alloc.Procs)
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
	if j.alloc.Counts = j.alloc.Counts[:0]; len(s.free) == 1 {
		j.alloc.Counts = append(j.alloc.Counts, j.width)
		return
	}
	j.alloc.Counts = s.countsOf(j.alloc.Counts, j.alloc.Procs)
}

// countsOf appends the number of these processors on each cluster to dst.
func (s *State) countsOf(dst []int32, procs []Span) []int32 {
	for c := range s.free {
		n, first, end := int32(0), int32(s.platform.First(c)), int32(s.platform.First(c+1))
		for len(procs) > 0 && procs[0].Lo < end {
			n += min(procs[0].Hi, end-1) - max(procs[0].Lo, first) + 1
			if procs[0].Hi >= end {
				break
			}
			procs = procs[1:]
		}
		dst = append(dst, n)
	}
	return dst
}

// anywhere gives j its processors at any place, and ends the run where the platform is divided.
func (s *State) anywhere(j *Job) bool {
	if s.platform.Divided() {
		s.fail("starts job %d anywhere, and the platform has partitions", j.spec.ID)
		return false
	}
	j.width = j.spec.Procs
	return true
}

func (s *State) mayStart(j *Job) bool {
	if j.state != Waiting {
		s.fail("starts job %d, which is %s", j.spec.ID, j.state)
		return false
	}
	return s.err == nil
}

// started does what every start has in common once j.alloc is filled in and the
// tracked processors are taken.
func (s *State) started(j *Job) {
	if s.platform.Cap != nil && !s.admits(j) {
		return
	}
	s.take(j)
	s.queue(j, -1)
	j.state, j.start, j.since = Running, s.now, s.now
	s.seq++
	s.heap.push(event{time: s.limit(j), rank: s.endRank(), seq: s.seq, job: j})
	j.kill = true
	s.before = Hold{}
	s.held(j)
	s.model.Started(&s.rates, j)
}

// Reject refuses the waiting job j for good.
func (s *State) Reject(j *Job) { s.refuse(j, Rejected, "rejects") }

// refuse ends a waiting job. It never ran, or was requeued.
func (s *State) refuse(j *Job, as JobState, does string) {
	if j.state != Waiting {
		s.fail("%s job %d, which is %s", does, j.spec.ID, j.state)
		return
	}
	s.queue(j, -1)
	j.state = as
	s.rejected = append(s.rejected, j)
	for _, o := range s.observers {
		o.Ended(&s.view, j)
	}
}

// WakeAt asks for a pass at time t, which is not before now.
func (s *State) WakeAt(t float64) { s.wake(t, rankWake) }

// ForgetWakeUps takes back all requests of WakeAt: another policy decides from now on.
func (s *State) ForgetWakeUps() { s.heap.drop(rankWake) }
