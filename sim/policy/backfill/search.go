package backfill

import (
	"math"

	"schedsweep/sim"
	"schedsweep/sim/policy/profile"
)

// find is the part and the start of the earliest place of j, from now on. The caller knows that j has none before a time from.
func (p *Plan) find(j *sim.Job, now, from float64) (at int32, start float64) {
	if start, p.least = math.Inf(1), math.Inf(1); p.tries == nil {
		start = p.earliest(&p.parts[0], j, now, from)
	} else {
		for _, i := range p.tries[j.Partition()] {
			if q := &p.parts[i]; int(q.need(j)) > q.on.Clusters[q.class].Procs() || p.limits.bars(j, q.class) {
				continue
			} else if t := p.earliest(q, j, now, from); t < start {
				at, start = i, t
			}
		}
	}
	return at, start
}

// earliest is the earliest start of j in a part, from now on. There is none before from.
func (p *Plan) earliest(q *part, j *sim.Job, now, from float64) float64 {
	if p.watts != nil && p.watts.size > 0 && p.eligible == nil && len(q.closed) == 0 {
		t := p.watts.earliest(q, j, from)
		if from < t && t < math.Inf(1) { // by rounding, the cap alone may leave too little from then on
			t = p.watts.earliest(q, j, t)
		}
		p.least = min(p.least, t)
		return t
	}
	// The cheap searches come first: they shorten the last one. Appending would allocate them.
	searches, n := [4]func(float64) float64{}, 0
	if p.watts != nil && (p.eligible != nil || p.dim) {
		searches[n] = within(p.idleFrom(now) + p.span() + j.Walltime())
		n++
	}
	if p.watts != nil {
		searches[n] = func(t float64) float64 { return p.watts.earliest(q, j, t) }
		n++
	}
	if p.eligible != nil {
		searches[n] = func(t float64) float64 { return p.eligible.Earliest(t, j.Walltime()) }
		n++
	}
	searches[n] = func(t float64) float64 { return q.earliest(j, t) }
	for next := from; ; {
		t := profile.Agree(next, searches[:n+1]...)
		if next == from {
			p.least = min(p.least, t)
		}
		if q.boots = (surplus{}); p.watts == nil || !p.dim || math.IsInf(t, 1) {
			return t
		}
		units, boot := times(int64(q.chosen().OffChosen()), p.watts.boot[q.class]), q.on.Clusters[q.class].Power.Boot.Time
		if units == 0 || boot == 0 {
			return t
		}
		begin, on := p.watts.begins(units, boot, now, t)
		if on == t {
			q.boots = surplus{begin, t, units}
			return t
		}
		next = min(on, q.chosen().NextChoice(j, t))
	}
}

// idleFrom is a time, not before now, from which on no place and no event takes processors.
func (p *Plan) idleFrom(now float64) float64 {
	last := max(now, p.latest)
	for i := range p.parts {
		for _, c := range p.parts[i].closed {
			if !math.IsInf(c.Until, 1) {
				last = max(last, c.Until)
			}
		}
	}
	return last
}

// awaitSession asks for a pass when another session begins: under a cap as long as that may change anything.
func (p *Plan) awaitSession(s *sim.State, alarm *alarm) {
	if _, until := p.eligible.At(s.Now()); p.watts == nil || until <= p.moved+p.span() {
		alarm.at(s, until)
	}
}

// span is a time within which all starts that cap and sessions admit come again, if the steps of the cap come again by days. It is in
// seconds; after it, a cap that does not come again has changed for the last time.
func (p *Plan) span() float64 {
	steps := p.watts.cap.Watts
	span := p.boots + 3*steps.Every
	if steps.Every == 0 {
		span += max(0, steps.From[len(steps.From)-1])
	}
	if p.eligible != nil {
		span += 2 * week
	}
	return span
}

// within is a search that finds nothing after a time: what others do not agree on by then they never do.
func within(last float64) func(float64) float64 {
	return func(t float64) float64 {
		if t > last {
			return math.Inf(1)
		}
		return t
	}
}
