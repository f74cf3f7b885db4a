package scojo

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"schedsweep/sim"
)

var metrics = []sim.Metric{
	{Name: "reservations", Doc: "cross-site jobs whose start was fixed beforehand"},
	{Name: "overruns", Doc: "jobs that went on in the kept share because they had used up what was reserved for them", Better: sim.Lower},
	{Name: "promotions", Doc: "times that a job got the larger share of one that had ended"},
}

// Policy is SCOJO.
type Policy struct {
	p       Params
	site    site
	since   float64 // up to when the site has been played
	fresh   []*task // cross-site tasks whose start is to be agreed
	started []*task
	alarm   float64
	counts  struct{ reservations, overruns, promotions int }
}

// New returns the policy.
func New(p Params) *Policy { return &Policy{p: p} }

// AbsoluteTimes says that classes have bounds of their own.
func (p *Policy) AbsoluteTimes() bool { return true }

// Values gives the metrics of the last run.
func (p *Policy) Values(dst []float64) []float64 {
	return append(dst, float64(p.counts.reservations), float64(p.counts.overruns), float64(p.counts.promotions))
}

// Reset refuses what has no shares.
func (p *Policy) Reset(s *sim.State) error {
	sharing := s.TimeSharing()
	if sharing == nil {
		return errors.New("policy scojo gives jobs shares of processors' time, of which the progress model knows nothing: take progress {kind: shares}")
	}
	if n := len(s.Platform().Clusters); n > 1 {
		return fmt.Errorf("policy scojo needs a platform of one cluster; platform %q has %d", s.Platform().Name, n)
	}
	*p = Policy{p: p.p, alarm: math.Inf(-1)}
	p.site = site{p: &p.p, sharing: sharing}
	s.TrackProcs()
	return nil
}

// Submitted enters the job into the queue, or among those whose start is to be agreed.
func (p *Policy) Submitted(_ *sim.State, j *sim.Job) {
	t := &task{job: j, base: p.p.priority(j), crossSite: j.Sites() > 1 || j.ReservedStart() > 0, at: math.NaN(), after: j.ReservedStart(), position: unplaced, left: j.Walltime()}
	if t.crossSite {
		p.fresh = append(p.fresh, t)
		return
	}
	p.site.waiting = append(p.site.waiting, t)
}

// Ended forgets the job.
func (p *Policy) Ended(_ *sim.State, j *sim.Job) {
	p.site.running = slices.DeleteFunc(p.site.running, func(t *task) bool { return t.job == j })
}

// Pass starts what should start, and gives everybody a share.
func (p *Policy) Pass(s *sim.State) {
	x, now := &p.site, s.Now()
	x.advance(now - p.since)
	p.since = now
	for _, r := range x.running {
		r.left = r.job.Walltime() - (r.job.Work() - r.job.WorkLeft(now))
	}
	for _, t := range p.fresh {
		x.agree(t, now)
		p.counts.reservations++
	}
	p.fresh = p.fresh[:0]
	p.started = p.started[:0]
	x.pass(now, func(t *task) { p.started = append(p.started, t) }, p.changed)
	p.carryOut(s, now)
	if at := x.alarm(now); at != p.alarm && !math.IsInf(at, 1) {
		p.alarm = at
		s.WakeAt(at)
	}
}

func (p *Policy) changed(_ *task, promoted bool) {
	if promoted {
		p.counts.promotions++
	} else {
		p.counts.overruns++
	}
}

// carryOut makes the machine what the site is: who loses share first, then who starts,
// then who gains.
func (p *Policy) carryOut(s *sim.State, now float64) {
	old := p.site.running[:len(p.site.running)-len(p.started)]
	for _, r := range old {
		if r.now <= r.job.Grant().Share {
			s.Regrant(r.job, p.grant(r, now))
		}
	}
	for _, t := range p.started {
		s.StartShared(t.job, []sim.Span{{Lo: 0, Hi: t.job.Procs() - 1}}, p.grant(t, now))
	}
	for _, r := range old {
		if r.now > r.job.Grant().Share {
			s.Regrant(r.job, p.grant(r, now))
		}
	}
}

// grant is what the task has from now on. The promise of one that runs already stands.
func (p *Policy) grant(t *task, now float64) sim.Grant {
	g := t.job.Grant()
	if !t.job.Shares() || g.Promise != t.share {
		g = sim.Grant{Promise: t.share, Until: t.until(now), Effective: p.p.effective()}
	}
	if t.position == kept {
		g.Promise = 0
	}
	g.Share = min(1, t.now)
	return g
}
