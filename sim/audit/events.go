package audit

import (
	"cmp"
	"math"
	"slices"

	"schedsweep/sim"
)

// events are the audit's own books of processors out of service. They come from the lists of outages, not from the engine's messages.
type events struct {
	coming   []sim.Outage // in order of their begin
	failures func(*sim.Outage) bool
	next     sim.Outage // of the failures, if drawn
	drawn    bool
	inForce  []sim.Outage
	procs    []standing // by processor; nil where there are no outages at all
	gone     []int      // cluster -> processors that are down
	out      []int      // cluster -> processors that outages are about and no job holds
	used     []int      // cluster -> processors that jobs hold
	at       float64    // when inForce was brought up to date
	wrong    int        // processors that are down and held by jobs
}

// standing counts the outages in force that are about a processor, the outages among these that put it down, and the jobs that hold it.
type standing struct{ cover, downs, jobs int16 }

// Expect has the audit hold the run to these outages, until the next Reset. It uses failures up: the run has its own.
func (a *Audit) Expect(p *sim.Platform, outages []sim.Outage, failures func(*sim.Outage) bool) {
	if len(outages) == 0 && failures == nil {
		return
	}
	a.simple = false
	e := &a.events
	e.coming = slices.Clone(outages)
	slices.SortStableFunc(e.coming, func(a, b sim.Outage) int { return cmp.Compare(a.From, b.From) })
	e.failures, e.drawn, e.inForce = failures, false, nil
	e.procs = make([]standing, p.Procs())
	e.gone, e.out, e.used, e.wrong = make([]int, len(p.Clusters)), make([]int, len(p.Clusters)), make([]int, len(p.Clusters)), 0
	e.at = -1
	if e.drawn = failures != nil; e.drawn {
		e.drawn = failures(&e.next)
	}
}

// change adds to the counts of each of the processors, and keeps the sums.
func (e *events) change(s *sim.View, procs []sim.Span, cover, downs, jobs int16) {
	on := s.Platform()
	for _, sp := range procs {
		for q := int(sp.Lo); q <= int(sp.Hi); {
			c, was, first := on.ClusterOf(q), e.procs[q], q
			is := standing{was.cover + cover, was.downs + downs, was.jobs + jobs}
			for end := min(int(sp.Hi)+1, on.First(c+1)); q < end && e.procs[q] == was; q++ {
				e.procs[q] = is
			}
			e.count(c, was, first-q)
			e.count(c, is, q-first)
		}
	}
}

// count adds processors of a cluster to the sums, or takes them out.
func (e *events) count(c int, of standing, by int) {
	if of.downs > 0 {
		e.gone[c] += by
	}
	switch {
	case of.jobs > 0:
		e.used[c] += by
		if of.downs > 0 {
			e.wrong += by
		}
	case of.cover > 0:
		e.out[c] += by
	}
}

// advance begins and ends the outages that are due.
func (e *events) advance(s *sim.View) {
	now := s.Now()
	e.at = now
	e.inForce = slices.DeleteFunc(e.inForce, func(o sim.Outage) bool {
		if o.Until <= now {
			e.change(s, o.Procs, -1, -downOf(&o), 0)
			return true
		}
		return false
	})
	begin := func(o sim.Outage) {
		if o.Until > now {
			e.change(s, o.Procs, 1, downOf(&o), 0)
			e.inForce = append(e.inForce, o)
		}
	}
	for len(e.coming) > 0 && e.coming[0].From <= now {
		begin(e.coming[0])
		e.coming = e.coming[1:]
	}
	for e.drawn && e.next.From <= now {
		begin(e.next)
		e.drawn = e.failures(&e.next)
	}
}

func downOf(o *sim.Outage) int16 {
	if o.Kind == sim.Down {
		return 1
	}
	return 0
}

// starts checks A14 for a job that gets processors.
func (a *Audit) starts(s *sim.View, h *sim.Hold) {
	for i := range a.events.inForce {
		o := &a.events.inForce[i]
		// What passes come before the event of an instant is up to the event order.
		if o.From == s.Now() && s.Order().Pass != sim.PassPerInstant || !sim.Overlap(o.Procs, h.Alloc.Procs) ||
			o.Kind == sim.Reserved && o.For.Has(s, h.Job) {
			continue
		}
		a.violate("A14", "job %d starts at %g s on processors %s, and some are in the event %s of %s from %g to %g s", h.Job.ID(), s.Now(),
			sim.AppendSpans(nil, h.Alloc.Procs), o.Kind, sim.AppendSpans(nil, o.Procs), o.From, o.Until)
	}
}

// settle checks A12, A14 and A17 at the end of an instant.
func (a *Audit) settle(s *sim.View) {
	e := &a.events
	for c := range e.gone {
		if most := a.clusters[c].Procs() - e.gone[c]; e.used[c] > most {
			a.violate("A12", "at %g s jobs hold %s of cluster %d, which has %d in service", s.Now(), sim.Counted(e.used[c], "processor"), c, most)
		}
	}
	if e.wrong > 0 {
		a.violate("A14", "at %g s jobs hold %s", s.Now(), sim.Counted(e.wrong, "down processor"))
	}
	for c := range e.out {
		if all := a.clusters[c].Procs(); e.used[c]+s.FreeOn(c)+e.out[c] != all {
			a.violate("A17", "at %g s cluster %d has %d processors in use, %d idle and %d down, drained or reserved, which are not its %d",
				s.Now(), c, e.used[c], s.FreeOn(c), e.out[c], all)
		}
	}
}

// Requeued checks that the job that waits again is the one that ran, and begins its next attempt.
func (a *Audit) Requeued(s *sim.View, j *sim.Job) {
	a.tick(s)
	b := &a.books[j.Slot()]
	is, was := j.Spec(), b.spec
	is.Walltime = was.Walltime
	switch {
	case !b.open || !b.ran || b.share > 0:
		a.violate("A16", "job %d is requeued at %g s and did not run, or holds processors", j.ID(), s.Now())
	case is != was || j.Walltime() < was.Walltime:
		a.violate("A9", "job %d was submitted as %+v and requeued as %+v", was.ID, was, j.Spec())
	}
	a.requeues++
	b.spec.Walltime = j.Walltime()
	b.account = account{seq: j.Seq(), open: true, area: b.area, wasted: b.area, killed: math.NaN()}
	a.wasted(j, b)
	if a.order.policy != nil {
		a.order.submitted(s, j)
	}
}

// wasted checks that lost work is counted (A16): all of the attempts before the last one, and the last where an event ended it.
func (a *Audit) wasted(j *sim.Job, b *book) {
	if lost := j.Lost(); math.Abs(lost-b.wasted) > tolerance*(b.area+1) {
		a.violate("A16", "job %d lost %g processor-seconds, and the engine says %g", j.ID(), b.wasted, lost)
	}
}

// ran counts the end of a job that ran.
func (a *Audit) ran(s *sim.View, j *sim.Job, b *book) {
	a.ends++
	if b.killed == s.Now() && (a.forEvent(s, b) || a.forCap(s)) {
		b.wasted = b.area
	}
	a.wasted(j, b)
}

// forEvent reports whether a job that was killed now was killed for an event.
func (a *Audit) forEvent(s *sim.View, b *book) bool {
	return slices.ContainsFunc(a.events.inForce, func(o sim.Outage) bool {
		return o.Kind == sim.Down && o.From == s.Now() && sim.Overlap(o.Procs, b.held.Procs)
	})
}
