package sim

import "slices"

// Grant is what a job has of the time of each of its processors.
type Grant struct {
	// Share is what it has now, in [0, 1].
	Share float64
	// Promise is what it will not fall below before the time Until, in s, or until
	// it has had as much since the promise as that comes to.
	Promise, Until float64
	// Effective says that the promise is about the job's rate, the share less what
	// the jobs beside it cost, in place of the share.
	Effective bool
}

// Whole is the grant of a job that shares its processors with nobody.
var Whole = Grant{Share: 1}

// shareSlack is what the shares of a processor may sum to above 1 by rounding: a
// share is added and taken back a few thousand times while it is never unshared.
const shareSlack = 1e-9

// TimeSharing is implemented by a progress model under which jobs run on shares of
// processors. Without it [State.StartShared] is refused.
type TimeSharing interface {
	// ShareChanged tells that j runs on another share from now on. Its rate is set
	// here or in Update.
	ShareChanged(s *Rates, j *Job)
	// Slowdown is by how much j's rate is smaller than its share beside these jobs:
	// rate = share / slowdown.
	Slowdown(j *Job, beside []*Job) float64
}

// ShareObserver is implemented by an observer that also wants to see every change
// of a running job's grant, with the one that it had until now.
type ShareObserver interface {
	ShareChanged(s *View, j *Job, from Grant)
}

// timeShare is what the engine keeps of a job that runs on a share.
type timeShare struct {
	grant       Grant
	used, since float64 // share-seconds of each processor until since
}

// Shares reports whether the job shares its processors.
func (j *Job) Shares() bool { return j.shared != nil }

// Grant is what the job has of its processors' time: [Whole] where they are not
// shared.
func (j *Job) Grant() Grant {
	if j.shared == nil {
		return Whole
	}
	return j.shared.grant
}

// Used is what the ended job used of each of its processors, in share-seconds: as
// [Job.Held], with the time weighted by the share.
func (j *Job) Used() float64 {
	if j.shared == nil {
		return j.Held()
	}
	return j.shared.used + j.shared.grant.Share*(j.finish-j.shared.since)
}

// sharedProcs is who shares which processors; empty until somebody does.
type sharedProcs struct {
	jobs []int32   // processor -> jobs that share it
	sum  []float64 // processor -> their shares
}

// TimeSharing is the progress model as one of shares, or nil where it knows none. A
// policy that gives shares asks in Reset.
func (s *State) TimeSharing() TimeSharing {
	m, _ := s.model.(TimeSharing)
	return m
}

// StartShared starts j now on these processors, which are ascending and disjoint,
// with a share of each. They are free, or others share them and leave enough. It
// needs [State.TrackProcs].
func (s *State) StartShared(j *Job, procs []Span, g Grant) {
	if !s.mayStart(j) {
		return
	}
	n, last, fit := 0, int32(-1), s.tracked
	for _, sp := range procs {
		fit = fit && sp.Lo > last && sp.Hi >= sp.Lo && int(sp.Hi) < s.platform.Procs()
		n += sp.Len()
		last = sp.Hi
	}
	if len(s.shared.jobs) == 0 {
		s.shared = sharedProcs{make([]int32, s.platform.Procs()), make([]float64, s.platform.Procs())}
	}
	switch {
	case s.TimeSharing() == nil:
		s.fail("starts job %d on a share of processors under a progress model that knows no shares", j.spec.ID)
	case !fit || n != int(j.spec.Procs):
		s.fail("starts job %d, which needs %d processors, on a share of %s", j.spec.ID, j.spec.Procs, AppendSpans(nil, procs))
	case s.room(j, procs, g, true):
		j.alloc.Procs = append(j.alloc.Procs, procs...)
		s.count(j)
		j.shared = &timeShare{grant: g, since: s.now}
		s.started(j)
	}
}

// Regrant gives the running job j, which was started by [State.StartShared],
// another share or promise of the same processors. Who takes from one job and
// gives to another takes first.
func (s *State) Regrant(j *Job, g Grant) {
	if j.state != Running || j.shared == nil {
		s.fail("gives job %d, which is %s and has no share, another", j.spec.ID, j.state)
		return
	}
	from := j.shared.grant
	if g == from || s.err != nil || !s.room(j, j.alloc.Procs, g, false) {
		return
	}
	j.shared.used += from.Share * (s.now - j.shared.since)
	j.shared.grant, j.shared.since = g, s.now
	for _, o := range s.shares {
		o.ShareChanged(&s.view, j, from)
	}
	if g.Share == from.Share {
		return
	}
	for _, sp := range j.alloc.Procs {
		for p := sp.Lo; p <= sp.Hi; p++ {
			s.shared.sum[p] += g.Share - from.Share
		}
	}
	s.changed = true
	s.TimeSharing().ShareChanged(&s.rates, j)
}

// room reports whether the processors have the share for j, and ends the run where
// they have not.
func (s *State) room(j *Job, procs []Span, g Grant, fresh bool) bool {
	if !(g.Share >= 0 && g.Share <= 1) {
		s.fail("gives job %d the share %g of its processors; it must be in [0, 1]", j.spec.ID, g.Share)
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
				has -= j.shared.grant.Share
			}
			if has+g.Share > 1+shareSlack {
				s.fail("gives job %d the share %g of processor %d, of which others have %g", j.spec.ID, g.Share, p, has)
				return false
			}
		}
	}
	return true
}

// share enters that j has its share of its processors, by = 1, or gives it back,
// by = -1. Those that somebody shares are not free.
func (v *View) share(j *Job, by int32) {
	c := 0
	for _, sp := range j.alloc.Procs {
		for p := sp.Lo; p <= sp.Hi; p++ {
			was := v.shared.jobs[p]
			v.shared.jobs[p] += by
			v.shared.sum[p] += float64(by) * j.shared.grant.Share
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
				v.shared.sum[p] = 0 // what rounding left
			}
		}
	}
	v.running += int(by)
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
