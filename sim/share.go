package sim

import "slices"

// shareSlack is the excess over 1 that the shares of a processor may have by rounding: a share is
// added and taken back a few thousand times while it is never unshared.
const shareSlack = 1e-9

// TimeSharing is implemented by a progress model under which jobs run on shares of
// processors. Without it [State.StartShared] is refused.
type TimeSharing interface {
	// ShareChanged reports that j runs on another share from now on. Its rate is set
	// here or in Update.
	ShareChanged(s *Rates, j *Job)
}

// timeShare is the engine's state of a job that runs on a share.
type timeShare struct {
	share       float64 // in [0, 1]
	used, since float64 // share-seconds of each processor until since
}

// Shares reports whether the job shares its processors.
func (j *Job) Shares() bool { return j.shared != nil }

// HeldShare is the share of the time of its processors that the job has while it runs,
// in [0, 1]; 1 where it shares them with none.
func (j *Job) HeldShare() float64 {
	if j.shared == nil {
		return 1
	}
	return j.shared.share
}

// Area returns the processor-seconds of the ended job: the integral of processors times share over the time for which
// it held them, of attempts after which it was requeued too.
func (j *Job) Area() float64 { return j.lost + j.Attempt() }

// Attempt returns the processor-seconds of the last attempt, which is over.
func (j *Job) Attempt() float64 {
	used := j.Held()
	if j.shared != nil {
		used = j.shared.used + j.shared.share*(j.finish-j.shared.since)
	}
	return float64(j.width) * used
}

// sharedProcs holds the jobs that share processors; empty until jobs do.
type sharedProcs struct {
	jobs []int32   // processor -> jobs that share it
	sum  []float64 // processor -> their shares
}

// timeSharing is the progress model as one of shares, or nil where it knows none.
func (s *State) timeSharing() TimeSharing {
	m, _ := s.model.(TimeSharing)
	return m
}

// StartShared starts j now on these processors, which are ascending and disjoint,
// with a share of each. They are free, or others share them and leave enough. It
// needs [State.TrackProcs].
func (s *State) StartShared(j *Job, procs []Span, share float64) {
	if !s.mayStart(j) || !s.anywhere(j) {
		return
	}
	n, fit := s.platform.count(procs)
	if len(s.shared.jobs) == 0 {
		s.shared = sharedProcs{make([]int32, s.platform.Procs()), make([]float64, s.platform.Procs())}
	}
	switch {
	case s.timeSharing() == nil:
		s.fail("starts job %d on a share of processors under a progress model that knows no shares", j.spec.ID)
	case !fit || !s.tracked || n != int(j.spec.Procs):
		s.fail("starts job %d, which needs %s, on a share of %s", j.spec.ID, Counted(j.spec.Procs, "processor"), AppendSpans(nil, procs))
	case s.room(j, procs, share, true):
		j.alloc.Procs = append(j.alloc.Procs, procs...)
		s.count(j)
		j.shared = &timeShare{share: share, since: s.now}
		s.started(j)
	}
}

// SetShare gives the running job j, which was started by [State.StartShared], a share
// of the same processors from now on. A policy that takes from one job and gives to
// another takes first.
func (s *State) SetShare(j *Job, share float64) {
	if j.state != Running || j.shared == nil {
		s.fail("gives job %d, which is %s and has no share, another", j.spec.ID, j.state)
		return
	}
	if s.err != nil || !s.room(j, j.alloc.Procs, share, false) {
		return
	}
	s.changing(j)
	from := j.shared.share
	j.shared.used += from * (s.now - j.shared.since)
	j.shared.share, j.shared.since = share, s.now
	s.hold(float64(j.spec.Procs) * (share - from))
	s.draws(j, from, share)
	if s.held(j); share == from {
		return
	}
	for _, sp := range j.alloc.Procs {
		for p := sp.Lo; p <= sp.Hi; p++ {
			s.shared.sum[p] += share - from
		}
	}
	s.changed = true
	s.timeSharing().ShareChanged(&s.rates, j)
}

// room reports whether the processors have the share for j, and ends the run where
// they have not.
func (s *State) room(j *Job, procs []Span, share float64, fresh bool) bool {
	if !(share >= 0 && share <= 1) {
		s.fail("gives job %d the share %g of its processors; it must be in [0, 1]", j.spec.ID, share)
		return false
	}
	for _, sp := range procs {
		for p := sp.Lo; p <= sp.Hi; p++ {
			has := s.shared.sum[p]
			switch {
			case fresh && s.shared.jobs[p] == 0 && !s.procs.has(Span{p, p}):
				s.fail("starts job %d on a share of processor %d, which another has for itself", j.spec.ID, p)
				return false
			case !fresh:
				has -= j.shared.share
			}
			if has+share > 1+shareSlack {
				s.fail("gives job %d the share %g of processor %d, where others have %g", j.spec.ID, share, p, has)
				return false
			}
		}
	}
	return true
}

// share enters that j has its share of its processors, by = 1, or gives it back,
// by = -1. Shared processors are not free.
func (v *View) share(j *Job, by int32) {
	c := 0
	for _, sp := range j.alloc.Procs {
		for p := sp.Lo; p <= sp.Hi; p++ {
			was := v.shared.jobs[p]
			v.shared.jobs[p] += by
			v.shared.sum[p] += float64(by) * j.shared.share
			if was > 0 && was+by > 0 {
				continue
			}
			for int(p) >= v.platform.First(c+1) {
				c++
			}
			v.free[c] -= by
			v.total -= int(by)
			if by > 0 {
				v.procs.take(Span{p, p})
			} else {
				v.procs.give(Span{p, p})
				v.shared.sum[p] = 0 // rounding left a rest
			}
		}
	}
	v.running += int(by)
	v.hold(float64(by) * float64(j.spec.Procs) * j.shared.share)
	if by > 0 {
		v.draws(j, 0, j.shared.share)
	} else {
		v.draws(j, j.shared.share, 0)
	}
	v.changed = true
}

// resetShares forgets who shared, for another run on p.
func (v *View) resetShares(p *Platform) {
	if len(v.shared.jobs) > 0 {
		v.shared.jobs = slices.Grow(v.shared.jobs[:0], p.Procs())[:p.Procs()]
		v.shared.sum = slices.Grow(v.shared.sum[:0], p.Procs())[:p.Procs()]
		clear(v.shared.jobs)
		clear(v.shared.sum)
	}
}
