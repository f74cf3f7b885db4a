package placement

import (
	"math"
	"sort"

	"schedsweep/sim"
)

// look is the time of a search, with alone.
type look int8

const (
	lookNow    look = iota // free now
	lookBeside             // free now, and at the start of the place that is kept apart beside it
	lookAhead              // free at the start of that place
)

// Alone has the plan be of running jobs alone, and of one place that is kept apart. Running jobs free more and more with time. So a job has
// room for its walltime where it has room now and at the start of that place, and no plan of a node is needed.
func (c *Nodes) Alone() {
	c.alone, c.apart = true, held{}
	c.marks, c.later = c.marks.Resized(len(c.nodes)), make([]level, len(c.nodes))
}

// Reserve gives j its earliest place and returns its start, +Inf for none. No start is possible before from. Running are the slots of all
// running jobs, in order of planned ends. The place is kept apart: [Nodes.Fits] keeps off it.
func (c *Nodes) Reserve(j *sim.Job, from float64, running []int32) float64 {
	c.about(j)
	ended := func(by float64) int {
		return sort.Search(len(running), func(k int) bool { return c.endOf(running[k]) > by })
	}
	start, k := from, ended(from)
	if !c.roomAhead(start, running[:k]) {
		if k += sort.Search(len(running)-k, func(i int) bool {
			return c.roomAhead(c.endOf(running[k+i]), running[:k+i+1])
		}); k == len(running) {
			return math.Inf(1)
		}
		start = c.endOf(running[k])
		c.roomAhead(start, running[:ended(start)])
	}
	h := &c.apart
	h.start, h.end, h.licences = start, start+j.Walltime(), c.ask.licences
	if c.less = 0; h.start < h.end {
		c.shift(c.chosen, -1)
	}
	c.last = c.chosen[len(c.chosen)-1].end
	c.licence(h, h.start, h.end, -1)
	return start
}

// Unreserve takes the place back, if there is one.
func (c *Nodes) Unreserve() {
	h := &c.apart
	c.licence(h, max(h.start, c.now), h.end, 1)
	*h, c.refused = held{}, c.refused[:0]
}

// Behind reports whether the place keeps its nodes when the running job j ends. It does if those of j are free at its start in any case,
// or are behind its last.
func (c *Nodes) Behind(j *sim.Job) bool {
	o, last := c.place(j.Slot()), c.last
	return o.end <= c.apart.start || last > 0 && len(c.classes) == 1 && o.nodes[0].node >= last
}

// Beside returns how many processors are free both now and, beside the place, at its start.
func (c *Nodes) Beside() int32 { return int32(c.idle + c.less) }

// endOf is when a running job is expected to end.
func (c *Nodes) endOf(slot int32) float64 { return c.state.ExpectedEnd(c.places[slot].end) }

// roomAhead reports whether the job of the search has room at t, when these jobs have ended, and chooses its nodes.
func (c *Nodes) roomAhead(t float64, ended []int32) bool {
	if !c.licensed(t) {
		return false
	}
	c.look = lookAhead
	c.marks.Clear()
	c.mark(0)
	for _, slot := range ended {
		for i := range c.places[slot].nodes {
			o := &c.places[slot].nodes[i]
			c.mark(o.node).add(&o.level, 1)
			if o.end < len(c.nodes) {
				c.mark(o.end).add(&o.level, -1)
			}
		}
	}
	var sum level
	for i := 0; i < len(c.nodes); i = c.marks.seek(i+1, 0) { // from differences between neighbours to levels
		sum.add(&c.later[i], 1)
		c.later[i] = sum
	}
	c.soon = append(c.soon[:0], c.open...)
	c.soon.Join(c.marks)
	for i := range c.ask.classes {
		if c.choose(c.ask.classes[i:i+1], t) {
			return true
		}
	}
	return false
}

// mark returns the level of a mark, nothing where it is new.
func (c *Nodes) mark(node int) *level {
	if !c.marks.has(node) {
		c.marks.Add(node)
		c.later[node] = level{}
	}
	return &c.later[node]
}

// shift changes how much more of some nodes is free later than now.
func (c *Nodes) shift(all []taken, sign int32) {
	for i := range all {
		t := &all[i]
		for _, k := range [2]int{t.node, t.end} {
			if k < len(c.nodes) && !c.marks.has(k) {
				c.later[k] = c.later[c.marks.last(k)]
				c.marks.Add(k)
			}
		}
		for k := t.node; k < t.end; {
			l, next := &c.later[k], c.marks.seek(k+1, 0)
			before := min(l.cores, 0)
			l.add(&t.level, sign)
			c.less += int(min(l.cores, 0)-before) * (min(next, t.end) - k)
			k = next
		}
	}
}

// lookBeside has the search be about a start now: beside the place that is kept apart, if the job runs into it.
func (c *Nodes) lookBeside(now float64) {
	c.look = lookNow
	if h := &c.apart; h.start < h.end && now < h.end && (h.start <= now || h.start < now+c.ask.walltime) {
		c.look = lookBeside
	}
}

// alike returns the free resources that the search looks for, and the end of the neighbours that have the same.
func (c *Nodes) alike(node int) (level, int) {
	n := &c.nodes[c.head(node)]
	l, end := n.really, n.end
	if c.look == lookNow {
		return l, end
	}
	o := c.later[c.marks.last(node)]
	if c.look == lookBeside {
		o.least(&level{})
	}
	l.add(&o, 1)
	return l, min(end, c.marks.seek(node+1, 0))
}

// nextAlone is the first node from a node on at which a core may be free, or a node not before end. It begins a run or has a mark.
func (c *Nodes) nextAlone(node, end int) int {
	switch {
	case node < end && c.look == lookAhead && c.later[c.marks.last(node)].cores > 0, node < end && c.look == lookBeside && !c.heads.has(node):
		return node
	case c.look == lookAhead:
		return c.soon.seek(node, 0)
	}
	return c.open.seek(node, 0)
}
