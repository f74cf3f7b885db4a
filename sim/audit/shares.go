package audit

import "schedsweep/sim"

// shareSlack is what rounding may add to the shares of a processor or take from a
// promise.
const shareSlack = 1e-9

// several stands for the owner of a processor that is shared.
const several = -1

// shareBook is what is remembered of a job that shares its processors.
type shareBook struct {
	shares bool
	grant  sim.Grant
	made   float64 // when the promise was
	since  float64 // when grant or rate last changed
	got    float64 // of what was promised, until then
}

// share enters the job's share of a processor.
func (a *Audit) share(q int32, j *sim.Job, share float64) {
	for int(q) >= len(a.sum) {
		a.sum, a.sharers = append(a.sum, 0), append(a.sharers, 0)
	}
	if a.owner[q] != 0 && a.owner[q] != several {
		a.violate("A2", "a share of processor %d was given to job %d while another job held it", q, j.ID())
	}
	a.owner[q] = several
	a.sharers[q]++
	a.change(q, j, share)
}

// change adds to the shares of a processor.
func (a *Audit) change(q int32, j *sim.Job, by float64) {
	if a.sum[q] += by; a.sum[q] > 1+shareSlack {
		a.violate("A10", "job %d brings the shares of processor %d to %g", j.ID(), q, a.sum[q])
	}
}

// unshare strikes out what the job shared by its book.
func (a *Audit) unshare(b *book) {
	for _, sp := range b.held {
		for q := sp.Lo; q <= sp.Hi; q++ {
			a.sum[q] -= b.grant.Share
			if a.sharers[q]--; a.sharers[q] == 0 {
				a.owner[q], a.sum[q] = 0, 0
			}
		}
	}
}

// ShareChanged moves the job's shares, and checks that no promise is broken.
func (a *Audit) ShareChanged(s *sim.View, j *sim.Job, from sim.Grant) {
	a.tick(s)
	b := a.bookOf(j)
	if b == nil {
		return
	}
	is := j.Grant()
	if !b.shares || from != b.grant {
		a.violate("A9", "job %d had the share %+v and is said to have had %+v", j.ID(), b.grant, from)
	}
	a.kept(s, j, b, j.Rate())
	if from.Promise != is.Promise || from.Until != is.Until || from.Effective != is.Effective {
		all := from.Promise * (from.Until - b.made)
		if b.lasts(s.Now()) && (is.Promise < from.Promise || is.Promise*(is.Until-s.Now()) < all*(1-shareSlack)-b.got || is.Effective != from.Effective) {
			a.violate("A11", "job %d was promised %g until %g s and is left with a promise of %g until %g s", j.ID(), from.Promise, from.Until, is.Promise, is.Until)
		}
		b.made, b.got = s.Now(), 0
	}
	for _, sp := range b.held {
		for q := sp.Lo; q <= sp.Hi; q++ {
			a.change(q, j, is.Share-b.grant.Share)
		}
	}
	b.grant = is
	a.promised(s, j, b)
}

// lasts reports whether the promise still holds.
func (b *shareBook) lasts(now float64) bool {
	g := &b.grant
	return now < g.Until && b.got < g.Promise*(g.Until-b.made)*(1-shareSlack)
}

// promised checks that a share that is reserved is given, from now on.
func (a *Audit) promised(s *sim.View, j *sim.Job, b *book) {
	if g := b.grant; !g.Effective && g.Share < g.Promise-shareSlack && b.lasts(s.Now()) {
		a.violate("A11", "job %d was promised the share %g until %g s and has %g", j.ID(), g.Promise, g.Until, g.Share)
	}
}

// kept enters what the job got until now at this rate, and checks that it was what an
// effective promise says.
func (a *Audit) kept(s *sim.View, j *sim.Job, b *book, rate float64) {
	x, g, got := &b.shareBook, b.grant, b.grant.Share
	if g.Effective {
		if got = rate; rate < g.Promise*(1-shareSlack) && s.Now() > x.since && x.lasts(x.since) {
			a.violate("A11", "job %d was promised progress at %g until %g s and had %g from %g to %g s", j.ID(), g.Promise, g.Until, rate, x.since, s.Now())
		}
	}
	x.got += got * (s.Now() - x.since)
	x.since = s.Now()
}
