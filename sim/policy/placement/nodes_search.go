package placement

import (
	"cmp"
	"math"
	"slices"

	"schedsweep/sim"
)

// about has the searches be about j.
func (c *Nodes) about(j *sim.Job) {
	q, a := c.on.Partition(j.Partition()), &c.ask
	a.Chunk, a.job, a.walltime, a.span, a.part, a.classes = c.state.ChunkOf(j), j, j.Walltime(), q.Span, j.Partition(), q.Classes
	if of := c.only(j); of != nil {
		a.classes = of
	}
	if len(c.licences) > 0 {
		r, _ := j.Request()
		a.licences = r.Licences
	}
}

// Earliest is the earliest start of j, not before from, and chooses its nodes for [Nodes.Take]. It is +Inf where events leave none.
func (c *Nodes) Earliest(j *sim.Job, from float64) float64 {
	c.about(j)
	best := math.Inf(1)
	if c.ask.span {
		return c.earliest(c.ask.classes, from, best)
	}
	for i := range c.ask.classes {
		if t := c.earliest(c.ask.classes[i:i+1], from, best); t < best {
			best = t
			c.best = append(c.best[:0], c.chosen...)
		}
	}
	c.chosen = append(c.chosen[:0], c.best...)
	return best
}

// Fits reports whether j may start now, beside all that have places and all that runs, and chooses its nodes for [Nodes.Take].
func (c *Nodes) Fits(j *sim.Job, now float64) bool {
	if int(j.Procs()) > c.idle {
		return false
	}
	if c.about(j); !c.licensed(now) {
		return false
	}
	for i := range c.refused {
		if c.ask.exceeds(&c.refused[i]) {
			return false
		}
	}
	h := &c.apart
	c.beside = h.start < h.end && now < h.end && (h.start <= now || h.start < now+c.ask.walltime)
	room := false
	for i := range c.ask.classes {
		of := c.ask.classes[i : i+1]
		if c.ask.span {
			of = c.ask.classes
		}
		if c.choose(of, now) {
			if room = true; c.isFree(c.chosen, &c.ask.licences) {
				return true
			}
		}
		if c.ask.span {
			break
		}
	}
	if !room && len(c.closed) == 0 && now == c.now {
		c.refused = append(c.refused, c.ask)
	}
	return false
}

// licensed reports whether the job's licences are free for its walltime.
func (c *Nodes) licensed(t float64) bool {
	for i := range c.licences {
		if n := c.ask.licences[i]; n > 0 && c.licences[i].within(t, t+c.ask.walltime).cores < n {
			return false
		}
	}
	return true
}

// earliest is the earliest start on nodes of these classes, from a time on and before another; +Inf for none.
func (c *Nodes) earliest(classes []int, from, before float64) float64 {
	for t := from; t < before; {
		bound := c.notBefore(classes, t)
		if bound > t {
			t = bound
			continue
		}
		if c.licensed(t) && c.choose(classes, t) {
			return t
		}
		t = c.after(classes, t)
	}
	return math.Inf(1)
}

// notBefore is a time before which too few nodes have room, not before t.
func (c *Nodes) notBefore(classes []int, t float64) float64 {
	k := &c.ask.Chunk
	c.firsts = c.firsts[:0]
	soon := int32(0)
	for _, class := range classes {
		of := &c.on.Clusters[class]
		most := min(of.Holds(k, int32(of.Cores), of.GPUs, of.Memory), k.Count)
		if most == 0 {
			continue
		}
		for i := c.of[class][0]; i < c.of[class][1]; i = c.nodes[i].end {
			n := &c.nodes[i]
			at, most := n.full, int32(min(int64(most)*int64(n.end-i), int64(k.Count)))
			if !n.empties || at <= t || len(c.closed) > 0 {
				at = c.opens(i, of, t)
			}
			if last := len(c.firsts) - 1; at > t && last >= 0 && c.firsts[last].at == at {
				c.firsts[last].most = min(c.firsts[last].most+most, k.Count)
			} else if at > t {
				c.firsts = append(c.firsts, first{at, most})
			} else if soon += most; soon >= k.Count {
				return t
			}
		}
	}
	slices.SortFunc(c.firsts, func(a, b first) int { return cmp.Compare(a.at, b.at) })
	for _, f := range c.firsts {
		if soon += f.most; soon >= k.Count {
			return f.at
		}
	}
	return math.Inf(1)
}

// opens is the first time from t on at which the node has room for a chunk.
func (c *Nodes) opens(node int, of *sim.Cluster, t float64) float64 {
	n, k, at := &c.nodes[node], &c.ask.Chunk, max(t, c.nodes[node].full)
	if math.IsInf(at, 1) {
		return at
	}
	for {
		since := at
		for i := n.line.find(at); i < len(n.line); i++ {
			if l := &n.line[i]; l.at >= at+c.ask.walltime {
				break
			} else if of.Holds(k, l.cores, l.gpus, l.memory) == 0 {
				if i+1 == len(n.line) {
					return math.Inf(1)
				}
				at = n.line[i+1].at
			}
		}
		if until := c.shut(node, at); until > at {
			at = until
		}
		if at == since || math.IsInf(at, 1) {
			return at
		}
	}
}

// shut returns the earliest time at which the node is open to a start at t; t where nothing does.
func (c *Nodes) shut(node int, t float64) float64 {
	until := t
	for _, i := range c.nodes[node].closed {
		if o := &c.closed[i]; o.Bars(c.ask.job, t) {
			until = max(until, o.Until)
		}
	}
	return until
}

// after is the first time after t at which there may be more room.
func (c *Nodes) after(classes []int, t float64) float64 {
	next := math.Inf(1)
	look := func(l line) {
		if i := l.find(t) + 1; i < len(l) {
			next = min(next, l[i].at)
		}
	}
	for _, class := range classes {
		for i := c.of[class][0]; i < c.of[class][1]; i = c.nodes[i].end {
			look(c.nodes[i].line)
		}
	}
	for i := range c.licences {
		look(c.licences[i])
	}
	for i := range c.closed {
		if until := c.closed[i].Until; until > t {
			next = min(next, until)
		}
	}
	return next
}

// usable returns the number of chunks that fit on each node of a run from t on.
func (c *Nodes) usable(node int, t float64) int32 {
	n := &c.nodes[node]
	if n.full > t || len(c.closed) > 0 && c.shut(node, t) > t {
		return 0
	}
	l := n.line.within(t, t+c.ask.walltime)
	return min(c.on.Clusters[n.class].Holds(&c.ask.Chunk, l.cores, l.gpus, l.memory), c.ask.Count)
}

// choose makes c.chosen the nodes of a job that starts at t on nodes of these classes, and reports whether they have room.
func (c *Nodes) choose(classes []int, t float64) bool {
	k := &c.ask.Chunk
	c.rooms, c.chosen = c.rooms[:0], c.chosen[:0]
	if c.alone {
		return c.fromAlone(classes[0], k.Count) == 0
	} else if len(classes) == 1 {
		return c.from(classes[0], t, k.Count) == 0
	}
	left := int32(0)
	for _, class := range classes {
		of := -1 // the room of its switch
		for i := range c.rooms {
			if c.on.SameSwitch(c.rooms[i].class, class) {
				of = i
			}
		}
		if of < 0 {
			of = len(c.rooms)
			c.rooms = append(c.rooms, room{class: class})
		}
		r := &c.rooms[of]
		end := c.of[class][1]
		for i := c.next(c.of[class][0], end, t); i < end; i = c.next(c.nodes[i].end, end, t) {
			if n := c.usable(i, t); n > 0 {
				many := c.nodes[i].end - i
				r.nodes, r.count = r.nodes+many, int32(min(int64(r.count)+int64(n)*int64(many), int64(k.Count)))
			}
		}
		left = min(left+r.count, k.Count) // at least where there is room
	}
	if left < k.Count {
		return false
	}
	for left > 0 {
		best := 0
		for i := range c.rooms {
			if c.rooms[i].before(&c.rooms[best], left) {
				best = i
			}
		}
		r := &c.rooms[best]
		if r.count == 0 {
			return false
		}
		for _, class := range classes {
			if c.on.SameSwitch(r.class, class) {
				left = c.from(class, t, left)
			}
		}
		r.nodes, r.count = 0, 0
	}
	return true
}

// before reports whether nodes of r are taken before those of o, where this number of chunks is left: fewest nodes that
// have room for all, or else most nodes.
func (r *room) before(o *room, left int32) bool {
	enough, also := r.count >= left, o.count >= left
	if enough != also {
		return enough
	}
	if enough {
		return r.nodes < o.nodes
	}
	return r.nodes > o.nodes
}

// from takes nodes of a class, and returns how many chunks are left.
func (c *Nodes) from(class int, t float64, left int32) int32 {
	end := c.of[class][1]
	for i := c.next(c.of[class][0], end, t); i < end && left > 0; {
		run := c.nodes[i].end
		if n := c.usable(i, t); n > 0 {
			left = c.fill(i, run, n, left)
		}
		i = c.next(run, end, t)
	}
	return left
}

// fill takes neighbouring nodes with room for some chunks on each, and returns how many chunks are left.
func (c *Nodes) fill(node, end int, most, left int32) int32 {
	if int64(end-node)*int64(most) <= int64(left) {
		c.take(node, end, most)
		return left - int32(end-node)*most
	}
	full := node + int(left/most)
	c.take(node, full, most)
	if left %= most; left > 0 {
		c.take(full, full+1, left)
	}
	return 0
}

// take adds nodes to c.chosen, with a number of chunks on each.
func (c *Nodes) take(node, end int, chunks int32) {
	if node == end {
		return
	}
	class := c.nodes[node].class
	x := taken{node, end, c.amount(class, chunks)}
	if n := len(c.chosen) - 1; n >= 0 && c.chosen[n].end == node && node > c.of[class][0] && c.chosen[n].amount == x.amount {
		c.chosen[n].end = end
		return
	}
	c.chosen = append(c.chosen, x)
}

// amount returns the part of a node of a class that chunks take.
func (c *Nodes) amount(class int, chunks int32) amount {
	k := &c.ask.Chunk
	x := amount{cores: chunks * k.Cores, gpus: chunks * k.GPUs, memory: int64(chunks) * k.Memory}
	if k.Whole {
		x.cores = int32(c.on.Clusters[class].Cores)
	}
	return x
}
