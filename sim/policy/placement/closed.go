package placement

import (
	"math"
	"math/bits"
	"slices"

	"schedsweep/sim"
)

// Closed is processors that are closed to jobs for a time: no job may start on them from From to before Until. Where Holds is set, no job
// may hold them then either, so that earlier jobs must have ended by their walltimes.
type Closed struct {
	From, Until float64
	Holds       bool
	// Procs is the processors. [Plan.Close] makes Set of them, in place, unless it is made already: for the same plan, which has known it
	// since. A plan that only counts closes all that it has.
	Procs []sim.Span
	Set   Set
	Made  bool
	// Open reports whether a job may have them all the same; nil: none may.
	Open func(j *sim.Job) bool
	// Dark is of nodes that are not on, and of an event that has begun and is Open to none. Off says that nodes are off, Goes that they shut
	// down. Where it Moves, Until is Boot from now on.
	Dark, Off, Goes, Moves bool
	Boot                   float64
}

// Bars reports whether j, starting at a time, would come into its way.
func (o *Closed) Bars(j *sim.Job, start float64) bool {
	return start < o.Until && (o.From <= start || o.Holds && o.From < start+j.Walltime()) && (o.Open == nil || !o.Open(j))
}

// Close has searches keep off these processors, and off these alone, from now on. The plan keeps the slice.
func (c *Plan) Close(all []Closed) {
	c.profile.version++
	c.dark, c.off = c.dark.Resized(64*len(c.busy)), c.off.Resized(64*len(c.busy))
	for i := range all {
		if o := &all[i]; !o.Made {
			o.Set = o.Set.Resized(64 * len(c.busy))
		}
	}
	c.closed, c.others = all, false
	for i := range all {
		o := &all[i]
		if !o.Made {
			o.Set = c.Of(o.Set, o.Procs)
		}
		if c.others = c.others || !o.Dark; o.Dark {
			c.dark.Join(o.Set)
			if o.Off || o.Goes {
				c.off.Join(o.Set)
			}
		}
	}
	c.rule.last = c.off
}

// Spare appends the processors to dst that no place holds until a time.
func (c *Plan) Spare(dst []sim.Span, until float64) []sim.Span {
	p, s := &c.profile, c.scratch
	copy(s, p.of(0))
	for i := 1; i < len(p.intervals) && p.intervals[i].start < until; i++ {
		s.intersect(p.of(i))
	}
	if !c.grouped {
		return s.appendSpans(dst, c.first)
	}
	for lo, hi := s.nextRun(0); lo < hi; lo, hi = s.nextRun(hi) {
		dst = append(dst, sim.Span{Lo: c.lo[lo], Hi: c.lo[hi] - 1})
	}
	return dst
}

// Move has the place of the waiting job j begin at another time. The plan must be made anew then.
func (c *Plan) Move(j *sim.Job, start float64) {
	w := &c.places[j.Slot()]
	w.start, w.end = start, start+j.Walltime()
}

// Procs returns the processors of the place of j, valid until the next call.
func (c *Plan) Procs(j *sim.Job) []sim.Span {
	w := &c.places[j.Slot()]
	if c.grouped {
		return w.spans
	}
	c.spans = w.set.appendSpans(c.spans[:0], c.first)
	return c.spans
}

// MayWait is [Plan.Earliest] if the earliest place of j, not before from, may be one for which [Plan.Waits] holds, or begins by a time, and
// +Inf otherwise. A place of the first kind is no later than the time at which all nodes under way are on. The search ends there, or at the
// later time, so that it costs little in a long plan.
func (c *Plan) MayWait(j *sim.Job, from, by float64) float64 {
	last := by
	for i := range c.closed {
		if o := &c.closed[i]; o.Dark {
			last = max(last, o.Until)
		}
	}
	if q, node := c.need(j); last >= from && c.roomBy(j, from, last, q) {
		return c.earliestOpen(j, from, last, q, node)
	}
	return math.Inf(1)
}

// OffNodes returns the number of nodes of the place of j that are off or shut down, so that they boot before it.
func (c *Plan) OffNodes(slot int32) int {
	if w := &c.places[slot]; c.grouped {
		return c.offAmong(w.spans)
	}
	return c.offIn(c.places[slot].set)
}

// OffChosen returns the number of such nodes that the last search chose.
func (c *Plan) OffChosen() int {
	if c.grouped {
		return c.offAmong(c.picked)
	}
	return c.offIn(c.chosen)
}

func (c *Plan) offIn(s Set) (nodes int) {
	if !s.Meets(c.off) {
		return 0
	}
	cores, last := c.on.Clusters[c.class-1].Cores, -1
	for i, w := range s {
		for w &= c.off[i]; w != 0; w &= w - 1 {
			if n := (64*i + bits.TrailingZeros64(w)) / cores; n != last {
				nodes, last = nodes+1, n
			}
		}
	}
	return nodes
}

// NextChoice returns the first time after t at which a search for j may choose other processors than at t, +Inf for never.
func (c *Plan) NextChoice(j *sim.Job, t float64) float64 {
	p, next := &c.profile, math.Inf(1)
	for _, of := range [2]float64{0, j.Walltime()} { // an interval begins, or a job that starts then lasts into it
		if i := p.find(t+of) + 1; i < len(p.intervals) {
			next = min(next, max(p.intervals[i].start-of, math.Nextafter(t, math.Inf(1))))
		}
	}
	for i := range c.closed {
		if until := c.closed[i].Until; until > t {
			next = min(next, until)
		}
	}
	return next
}

// Waits reports whether a job that gets the processors that the last search chose waits for boots and nothing else: no job runs there, and
// it starts when one of the nodes is on.
func (c *Plan) Waits(start float64) bool {
	on := func(o Closed) bool { return o.Dark && o.Until == start && c.meetsChosen(o.Set) }
	return !c.meetsChosen(c.busy) && slices.ContainsFunc(c.closed, on)
}

// meetsChosen reports whether a set has processors that the last search chose.
func (c *Plan) meetsChosen(s Set) bool {
	if c.grouped {
		return c.touches(s, c.picked)
	}
	return s.Meets(c.chosen)
}

// NextBoot returns the first time after now at which nodes that are off have to boot to be on at start, among the processors that the last
// search chose. It is +Inf for none.
func (c *Plan) NextBoot(start, now float64) float64 {
	first := math.Inf(1)
	for i := range c.closed {
		o := &c.closed[i]
		at := start - o.Boot
		for at+o.Boot < start { // by rounding
			at = math.Nextafter(at, math.Inf(1))
		}
		if o.Off && at > now && c.meetsChosen(o.Set) {
			first = min(first, at)
		}
	}
	return first
}

// Of returns those of the processors that are this plan's, in the memory of s.
func (c *Plan) Of(s Set, procs []sim.Span) Set {
	if c.grouped {
		return c.grouping(s, procs)
	}
	s = s.Resized(c.rule.total)
	for _, sp := range procs {
		lo, hi := int(max(sp.Lo, c.first)-c.first), int(min(sp.Hi-c.first+1, int32(c.rule.total)))
		for i := lo / 64; i*64 < hi; i++ {
			s[i] |= mask(i, lo, hi)
		}
	}
	return s
}

// dropClosed takes out of s the processors closed to j when it starts then, and returns the size of the rest.
func (c *Plan) dropClosed(s Set, j *sim.Job, start float64) int {
	lights := math.Inf(1) // when the first node comes on: until then all of them are dropped at once
	for i := range c.closed {
		if o := &c.closed[i]; o.Dark {
			lights = min(lights, o.Until)
		}
	}
	all := (c.lit || start < lights) && !math.IsInf(lights, 1)
	if all {
		s.Drop(c.dark)
	}
	for i := range c.closed {
		if o := &c.closed[i]; !(all && o.Dark) && o.Bars(j, start) {
			s.Drop(o.Set)
		}
	}
	return s.Len()
}

// roomy returns the first interval from i on that has less than q processors free, or does not begin before end. It
// reports whether the interval is crowded: the former.
func (c *Plan) roomy(i, q int, end float64) (low int, crowded bool) {
	p := c.profile.intervals
	for ; i < len(p) && p[i].start < end; i++ {
		if int(p[i].free) < q {
			return i, true
		}
		if p[i].stamp > c.since {
			c.changed = i
		}
	}
	return i, false
}

// earliestOpen is [Plan.Earliest] where processors are closed at times. Room for a job that starts ever later shrinks, except where a
// interval begins or processors open again: only these times are looked at. It is +Inf where the processors do not open by last.
func (c *Plan) earliestOpen(j *sim.Job, from, last float64, q, node int) float64 {
	p := &c.profile
	opens := c.starts[:0]
	c.lights = math.Inf(1)
	for i := range c.closed {
		until := c.closed[i].Until
		c.lights = min(c.lights, until)
		if until > from && until <= last && until < math.Inf(1) {
			opens = append(opens, until)
		}
	}
	slices.Sort(opens)
	c.starts, c.shuts, c.from, c.passed, c.changed = opens, c.shuts[:0], from, 0, -1
	for i, low, t := p.find(from), 0, from; ; {
		crowded := false
		if low, crowded = c.roomy(max(low, i), q, t+j.Walltime()); crowded { // a start before the end of that interval meets it
			i, t = low, math.Inf(1)
		} else if (c.changed >= i || t >= c.before) && c.hole(j, i, t, q, node) {
			return t
		} else if t = math.Inf(1); len(opens) > 0 {
			t = opens[0]
		}
		if i+1 < len(p.intervals) && p.intervals[i+1].start <= min(t, last) {
			i++
			t = p.intervals[i].start
		}
		if math.IsInf(t, 1) {
			return t
		}
		for len(opens) > 0 && opens[0] <= t {
			opens = opens[1:]
			c.passed++
		}
	}
}
