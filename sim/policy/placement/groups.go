package placement

import (
	"math"
	"math/bits"
	"slices"

	"schedsweep/sim"
)

// A grouped plan numbers groups of neighbouring processors. All processors of a group are in the same sets of the plan: of
// free, busy and closed processors. A set then has a bit for each group, and not for each processor. The number of groups
// depends on the jobs and on the nodes that boot or shut down together, and not on the size of the machine.
//
// A place that begins within a group divides it, which inserts a bit into each set. Where the groups fill the words of a set, neighbours
// join that no set separates any more. If too few do so, the sets get longer.

// Group has the plan number groups from the next Reset on, if its rule allows it. Places and starts are the same.
func (c *Plan) Group(on bool) { c.wanted = on }

// words is the length of a set.
func (c *Plan) words() int {
	all := (c.rule.total + 63) / 64
	if c.grouped {
		return min(all, max(1, len(c.busy)))
	}
	return all
}

// regroup has all processors be one group.
func (c *Plan) regroup() {
	c.busy, c.ownOf = c.busy[:0], nil
	c.number++
	if c.lo = c.lo[:0]; c.grouped {
		c.lo = append(c.lo, c.first, c.first+int32(c.rule.total))
	}
}

// numbers returns the number of numbers in the sets.
func (c *Plan) numbers() int {
	if c.grouped {
		return len(c.lo) - 1
	}
	return c.rule.total
}

// weigh returns the number of processors of the groups of word i of a set.
func (c *Plan) weigh(i int, w uint64) (n int) {
	for at := 64 * i; w != 0; {
		skip := bits.TrailingZeros64(w)
		run := bits.TrailingZeros64(^(w >> skip))
		n += int(c.lo[at+skip+run] - c.lo[at+skip])
		if skip+run == 64 {
			return n
		}
		w, at = w>>(skip+run), at+skip+run
	}
	return n
}

// keep removes from s, of n processors, the groups that are not in o. It returns how many processors are left.
func (c *Plan) keep(s Set, n int, o Set) int {
	for i, w := range o[:len(s)] {
		if gone := s[i] &^ w; gone != 0 {
			s[i] &= w
			n -= c.weigh(i, gone)
		}
	}
	return n
}

// remove removes the groups of o from s, of n processors. It returns how many processors are left.
func (c *Plan) remove(s Set, n int, o Set) int {
	for i, w := range o[:len(s)] {
		if gone := s[i] & w; gone != 0 {
			s[i] &^= w
			n -= c.weigh(i, gone)
		}
	}
	return n
}

// groupHole is [Plan.hole] in a grouped plan.
func (c *Plan) groupHole(j *sim.Job, i int, start, end float64, q, node int) bool {
	p, s, n := &c.profile, c.scratch, int(c.profile.intervals[i].free)
	copy(s, p.of(i))
	if i == 0 && c.twice {
		n = 0
		for k, w := range s {
			n += c.weigh(k, w)
		}
	}
	if c.lit || start < c.lights {
		n = c.remove(s, n, c.dark)
	} else {
		n = c.remove(s, n, c.shut(c.passed))
	}
	for k := range c.closed {
		if o := &c.closed[k]; c.others && !o.Dark && o.Bars(j, start) {
			n = c.remove(s, n, o.Set)
		}
	}
	first, _ := slices.BinarySearch(p.falls, math.Nextafter(p.intervals[i].start, math.Inf(1)))
	for _, fall := range p.falls[first:] {
		if fall >= end || n < q {
			break
		}
		for i++; p.intervals[i].start < fall; i++ {
		}
		n = c.keep(s, n, p.of(i))
	}
	return n >= q && c.pick(s, q, node)
}

// shut is the groups of dark processors that are closed at the starts of a search after the first n times of c.starts.
func (c *Plan) shut(n int) Set {
	words := c.profile.words
	if len(c.shuts) == 0 {
		c.shuts = slices.Grow(c.shuts, (len(c.starts)+1)*words)[:(len(c.starts)+1)*words]
		clear(c.shuts)
		for i := range c.closed {
			if o := &c.closed[i]; o.Dark && o.Until > c.from {
				k, _ := slices.BinarySearch(c.starts, o.Until)
				Set(c.shuts[k*words : (k+1)*words]).Join(o.Set)
			}
		}
		for k := len(c.shuts) - words - 1; k >= 0; k-- {
			c.shuts[k] |= c.shuts[k+words]
		}
	}
	return c.shuts[n*words : (n+1)*words]
}

// pick chooses q processors of s by the rule, in whole nodes where node is not 0, and reports whether the rule allows it.
func (c *Plan) pick(s Set, q, node int) bool {
	c.picked = c.picked[:0]
	switch c.rule.name {
	case PoweredFirst:
		return c.poweredFirst(s, q, node)
	case "contiguous", "best-effort-contiguous":
		return c.contiguous(s, q, node)
	}
	return c.lowest(s, q, node) == 0
}

// contiguous chooses processors of the first run that is long enough, or of the longest runs, as [rule.firstRun] and [rule.longestRuns] do.
func (c *Plan) contiguous(s Set, q, node int) bool {
	c.rule.runs = c.rule.runs[:0]
	var longest run
	for a, b := s.nextRun(0); a < b; a, b = s.nextRun(b) {
		u := c.whole(a, b, node)
		if u.hi-u.lo >= int32(q) && c.rule.name == "contiguous" {
			longest = u
			break
		} else if u.hi-u.lo > longest.hi-longest.lo {
			longest = u
		}
		c.rule.runs = append(c.rule.runs, u)
	}
	if longest.hi-longest.lo >= int32(q) {
		c.picked = append(c.picked, sim.Span{Lo: longest.lo, Hi: longest.lo + int32(q) - 1})
		return true
	}
	if c.rule.name == "contiguous" {
		return false
	}
	c.rule.longestFirst()
	for _, u := range c.rule.runs {
		if n := min(int32(q), u.hi-u.lo); n > 0 {
			c.picked, q = append(c.picked, sim.Span{Lo: u.lo, Hi: u.lo + n - 1}), q-int(n)
		}
	}
	slices.SortFunc(c.picked, func(a, b sim.Span) int { return int(a.Lo - b.Lo) })
	return q == 0
}

// poweredFirst chooses the lowest processors of nodes that are on or boot, and then those of other nodes.
func (c *Plan) poweredFirst(s Set, q, node int) bool {
	some := append(c.rule.later[:0], s...)
	c.rule.later = some
	some.Drop(c.off)
	if q = c.lowest(some, q, node); q == 0 {
		return true
	}
	copy(some, s)
	some.intersect(c.off)
	if q = c.lowest(some, q, node); q > 0 {
		return false
	}
	slices.SortFunc(c.picked, func(a, b sim.Span) int { return int(a.Lo - b.Lo) })
	n := 0
	for _, sp := range c.picked {
		n = len(sim.Joined(c.picked[:n], sp))
	}
	c.picked = c.picked[:n]
	return true
}

// lowest adds the q lowest processors of s to c.picked, and returns the number that is missing.
func (c *Plan) lowest(s Set, q, node int) int {
	for a, b := s.nextRun(0); a < b && q > 0; a, b = s.nextRun(b) {
		u := c.whole(a, b, node)
		if hi := min(u.hi, u.lo+int32(q)); u.lo < hi {
			q -= int(hi - u.lo)
			c.picked = sim.Joined(c.picked, sim.Span{Lo: u.lo, Hi: hi - 1})
		}
	}
	return q
}

// whole is the processors of a run of groups. Where node is above 1, it leaves out nodes that the run does not have as a whole.
func (c *Plan) whole(a, b, node int) run {
	lo, hi := c.lo[a], c.lo[b]
	if node > 1 {
		lo += (int32(node) - (lo-c.first)%int32(node)) % int32(node)
		hi -= (hi - c.first) % int32(node)
	}
	return run{lo, max(lo, hi)}
}

// groupFrom is the group of a processor, which is not before the group lo. It takes the fewer steps the nearer it is.
func (c *Plan) groupFrom(lo int, proc int32) int {
	hi, step := lo+1, 1
	for ; hi < len(c.lo) && c.lo[hi] <= proc; step *= 2 {
		lo, hi = hi, hi+2*step
	}
	for hi = min(hi, len(c.lo)); hi-lo > 1; {
		if m := int(uint(lo+hi) / 2); c.lo[m] <= proc {
			lo = m
		} else {
			hi = m
		}
	}
	return lo
}

// Boots reports whether nodes of the place of j are off or shut down.
func (c *Plan) Boots(j *sim.Job) bool { return c.has(j, c.off) }

// Lit reports whether all nodes of the place of j are on.
func (c *Plan) Lit(j *sim.Job) bool { return !c.has(j, c.dark) }

// has reports whether the place of j has processors of a set.
func (c *Plan) has(j *sim.Job, s Set) bool {
	w := &c.places[j.Slot()]
	return c.grouped && c.touches(s, w.spans) || !c.grouped && w.set.Meets(s)
}

// touches reports whether a set has one of these processors.
func (c *Plan) touches(s Set, procs []sim.Span) bool {
	at := 0
	for _, sp := range procs { // ascending
		at = c.groupFrom(at, sp.Lo)
		for g := at; g < len(c.lo)-1 && c.lo[g] <= sp.Hi; g++ {
			if s[g>>6]>>(g&63)&1 != 0 {
				return true
			}
		}
	}
	return false
}

// offAmong returns the number of nodes of these processors that are off or shut down.
func (c *Plan) offAmong(procs []sim.Span) (nodes int) {
	last, cores, at := int32(-1), int32(1), 0
	for _, sp := range procs {
		at = c.groupFrom(at, sp.Lo)
		for g := at; g < len(c.lo)-1 && c.lo[g] <= sp.Hi; g++ {
			if c.off[g>>6]>>(g&63)&1 == 0 {
				continue
			}
			cores = int32(c.on.Clusters[c.class-1].Cores)
			from, to := (max(sp.Lo, c.lo[g])-c.first)/cores, (min(sp.Hi, c.lo[g+1]-1)-c.first)/cores
			nodes += int(to - max(from, last+1) + 1)
			last = to
		}
	}
	return nodes
}

// grouping makes s the groups of the processors that are this plan's, which it divides where it has to. They are ascending.
func (c *Plan) grouping(s Set, procs []sim.Span) Set {
	end := c.first + int32(c.rule.total)
	for done := false; !done; {
		done, s = true, s.Resized(64*len(c.busy))
		at := 0
		for _, sp := range procs {
			lo, hi := max(sp.Lo, c.first), min(sp.Hi+1, end)
			if lo >= hi {
				continue
			}
			a, b := c.begin(at, lo), -1
			if a >= 0 {
				b = c.begin(a, hi)
			}
			if done = b >= 0; !done { // no room for the groups that this set needs
				c.unite(2 * len(procs))
				break
			}
			for i := a / 64; i*64 < b; i++ {
				s[i] |= mask(i, a, b)
			}
			at = b
		}
	}
	return s
}

// begin returns the group that begins with a processor, which divides a group where it has to, -1 where the words are full. The search
// begins with group from.
func (c *Plan) begin(from int, proc int32) int {
	if c.lo[from] == proc {
		return from
	}
	if from+1 < len(c.lo) && c.lo[from+1] == proc {
		return from + 1
	}
	g := c.groupFrom(from, proc) + 1
	if c.lo[g-1] == proc {
		return g - 1
	}
	if len(c.lo)-1 == 64*len(c.busy) {
		return -1
	}
	c.lo = slices.Insert(c.lo, g, proc)
	c.profile.version++
	c.number++
	i, low, top := (g-1)>>6, uint64(1)<<((g-1)&63), (len(c.lo)-2)>>6
	c.sets(func(s Set) {
		for k := top; k > i; k-- {
			s[k] = s[k]<<1 | s[k-1]>>63
		}
		w := s[i]
		s[i] = w&(2*low-1) | (w&^(low-1))<<1
	})
	return g
}

// sets calls do with each set that outlives a search.
func (c *Plan) sets(do func(s Set)) {
	for i := range c.profile.intervals {
		do(c.profile.of(i))
	}
	do(c.busy)
	do(c.dark)
	do(c.off)
	for i := range c.closed {
		do(c.closed[i].Set)
	}
}

// unite joins neighbours that no set separates, and makes sets longer if that leaves little room: for a third, and for more.
func (c *Plan) unite(more int) {
	c.profile.version++
	c.number++
	between := c.scratch // bit g: groups g and g+1 are apart
	between.Clear()
	c.sets(func(s Set) {
		for i, w := range s {
			next := w >> 1
			if i+1 < len(s) {
				next |= s[i+1] << 63
			}
			between[i] |= w ^ next
		}
	})
	first := []int{0} // new group -> the first old one
	for g := range len(c.lo) - 2 {
		if between[g>>6]>>(g&63)&1 != 0 {
			first = append(first, g+1)
		}
	}
	c.sets(func(s Set) {
		for k, g := range first {
			s[k>>6] = s[k>>6]&^(1<<(k&63)) | s[g>>6]>>(g&63)&1<<(k&63)
		}
		for k := len(first); k < 64*len(s); k++ {
			s[k>>6] &^= 1 << (k & 63)
		}
	})
	for k, g := range first {
		c.lo[k] = c.lo[g]
	}
	c.lo = append(c.lo[:len(first)], c.lo[len(c.lo)-1])
	words := len(c.busy)
	for want := min(c.rule.total, len(first)+max(len(first)/3, more)); 64*words < want; {
		words = min(2*words, (c.rule.total+63)/64)
	}
	if words > len(c.busy) {
		c.lengthen(words)
	}
}

// lengthen gives sets more words.
func (c *Plan) lengthen(words int) {
	longer := func(s Set) Set { return append(s, make(Set, words-len(s))...) }
	p := &c.profile
	old, n := slices.Clone(p.arena), p.words
	p.words, p.arena, p.idle = words, p.arena[:0], p.idle[:0]
	for i := range p.intervals {
		from := int(p.intervals[i].set) * n
		p.intervals[i].set = p.fresh()
		to := p.of(i)
		to.Clear()
		copy(to, old[from:from+n])
	}
	c.busy, c.dark, c.off, c.scratch = longer(c.busy), longer(c.dark), longer(c.off), longer(c.scratch)
	c.rule.last = c.off
	for i := range c.closed {
		c.closed[i].Set = longer(c.closed[i].Set)
	}
}
