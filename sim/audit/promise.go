package audit

import "schedsweep/sim"

// Promising is implemented by a policy that promises running jobs a share of the
// time of their processors (A11).
type Promising interface {
	// Promised returns below which share j does not fall before the time until, in s,
	// or until it has had as much since the promise as that comes to. An effective
	// promise is about the job's rate, the share less what the jobs beside it cost.
	Promised(j *sim.Job) (share, until float64, effective bool)
}

// promise is a promise that the audit remembers.
type promise struct {
	job       *sim.Job // nil where nothing is promised
	share     float64
	until     float64
	effective bool
	made      float64 // when the promise was
	counted   float64 // got is counted up to this time
	got       float64 // the part of the promise that the job has received
}

// Watch has the audit hold the policy to its promises, limits, order and delays until the next Reset.
func (a *Audit) Watch(policy any) {
	a.policy, _ = policy.(Promising)
	a.bounds.policy, _ = policy.(sim.SitePolicy)
	a.order.policy, _ = policy.(Ranked)
	if p := a.bounds.policy; p != nil && p.Shift() != nil {
		a.delay.policy = p
	}
}

// promised reads the policy's promise to the job from now on. It checks that a promise
// is no less than the rest of the one before, and that the job has a promised share.
func (a *Audit) promised(s *sim.View, j *sim.Job, b *book) {
	was := b.promise
	is := was
	is.job = j
	if is.share, is.until, is.effective = a.policy.Promised(j); is.share != was.share || is.until != was.until ||
		is.effective != was.effective {
		left := was.share*(was.until-was.made)*(1-slack) - was.got
		if was.lasts(s.Now()) && (is.share < was.share || is.share*(is.until-s.Now()) < left || is.effective != was.effective) {
			a.violate("A11", "job %d was promised %g until %g s and is left with a promise of %g until %g s", j.ID(), was.share, was.until, is.share,
				is.until)
		}
		is.made, is.counted, is.got = s.Now(), s.Now(), 0
	}
	b.promise = is
	if !is.effective && b.share < is.share-slack && is.lasts(s.Now()) {
		a.violate("A11", "job %d was promised the share %g until %g s and has %g", j.ID(), is.share, is.until, b.share)
	}
}

// lasts reports whether the promise still holds.
func (p *promise) lasts(now float64) bool {
	return now < p.until && p.got < p.share*(p.until-p.made)*(1-slack)
}

// kept adds what the job got until now at this rate, and checks an effective promise.
func (a *Audit) kept(s *sim.View, j *sim.Job, b *book, rate float64) {
	p, got := &b.promise, b.share
	if p.effective {
		if got = rate; rate < p.share*(1-slack) && s.Now() > p.counted && p.lasts(p.counted) {
			a.violate("A11", "job %d was promised progress at %g until %g s and had %g from %g to %g s", j.ID(), p.share, p.until, rate, p.counted,
				s.Now())
		}
	}
	p.got += got * (s.Now() - p.counted)
	p.counted = s.Now()
}
