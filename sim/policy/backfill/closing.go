package backfill

import (
	"math"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/policy/placement"
)

// known is the key that tells an event of the platform from others.
type known struct {
	kind        sim.OutageKind
	from, until float64
	first       *sim.Span
}

// learn has the plan keep off the events of the platform that planners know now. It reports whether that changes anything for this plan,
// and whether one of the events is new to it.
//
// A job is planned so that it has ended by its walltime before its nodes go down or are reserved for others. Before a drain it may start
// and run into it. Nothing is planned to start while an event lasts.
func (p *Plan) learn(s *sim.State) (changed, more bool) {
	if p.switches { // no event goes with it, but a cap
		return true, p.watts.inForce(s.Now())
	}
	all := p.old[:0]
	for i := range p.parts {
		p.parts[i].closed = p.parts[i].closed[:0]
	}
	p.lends, p.begins = false, false
	for o := range s.Outages() {
		hit := false
		for i := range p.parts {
			hit = p.parts[i].close(s, o) || hit
		}
		if hit {
			all = append(all, known{o.Kind, o.From, o.Until, &o.Procs[0]})
			p.lends, p.begins = p.lends || o.Kind == sim.Reserved, p.begins || o.From == s.Now()
		}
	}
	for i := range p.parts {
		if q := &p.parts[i]; q.sets != nil {
			q.sets.Close(q.closed)
		}
	}
	rest := p.known
	more = slices.ContainsFunc(all, func(k known) bool { // both lists have the same order
		i := slices.Index(rest, k)
		rest = rest[i+1:]
		return i < 0
	})
	changed = more || len(all) != len(p.known)
	p.known, p.old = all, p.known
	if w := p.watts; w != nil { // the cap may be why it was called
		before := w.was
		w.was = s.Cap()
		changed, more = changed || w.was != before, w.inForce(s.Now()) || more
	}
	return changed, more
}

// close notes the event, and reports whether it is about processors of this part.
func (p *part) close(s *sim.State, o *sim.Outage) bool {
	if !sim.Overlap(o.Procs, p.own) {
		return false
	}
	c := placement.Closed{From: o.From, Until: o.Until, Holds: o.Kind != sim.Drained, Procs: o.Procs,
		Dark: o.Kind != sim.Reserved && o.From <= s.Now()}
	if n := len(p.closed); n < cap(p.closed) {
		c.Set = p.closed[:n+1][n].Set // its memory
	}
	if o.Kind == sim.Reserved {
		members := o.For
		c.Open = func(j *sim.Job) bool { return s.Lends(&members, j) }
	}
	p.closed = append(p.closed, c)
	return true
}

// procs are the processors of this part.
func (p *part) procs(on *sim.Platform) (all []sim.Span) {
	classes := []int{p.class}
	if p.class < 0 {
		if classes = p.all; classes == nil {
			return []sim.Span{{Lo: 0, Hi: int32(on.Procs()) - 1}}
		}
	}
	for _, c := range classes {
		all = append(all, sim.Span{Lo: int32(on.First(c)), Hi: int32(on.First(c+1)) - 1})
	}
	return all
}

// barred reports whether j may not start at a time here, where processors are counted: what closes some then closes all.
func (p *part) barred(j *sim.Job, start float64) bool {
	return slices.ContainsFunc(p.closed, func(c placement.Closed) bool { return c.Bars(j, start) })
}

// opens is the first time from t on at which j may start here, +Inf where that never comes.
func (p *part) opens(j *sim.Job, t float64) float64 {
	for i := 0; i < len(p.closed); i++ {
		if c := &p.closed[i]; c.Bars(j, t) {
			if t = c.Until; math.IsInf(t, 1) {
				return t
			}
			i = -1
		}
	}
	return t
}
