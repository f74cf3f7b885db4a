package placement

import (
	"math"
	"slices"
	"sort"

	"schedsweep/sim"
)

// Alone has the plan be of running jobs alone, and of one place that is kept apart. Running jobs free more and more with time. So a job has
// room for its walltime where it has room now and at the start of that place, and no plan of a node is needed.
func (c *Nodes) Alone() {
	c.alone, c.apart = true, held{}
	c.marks, c.later = c.marks.Resized(len(c.nodes)), make([]amount, len(c.nodes))
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
			c.last = 0
			return math.Inf(1)
		}
		start = c.endOf(running[k])
		c.roomAhead(start, running[:ended(start)])
	}
	h := &c.apart
	h.start, h.end, h.licences = start, start+j.Walltime(), c.ask.licences
	c.licence(h, h.start, h.end, -1)
	return start
}

// Sure reports whether j has room at the first time at which enough processors are free, on any nodes. It has if memory cannot run out
// before processors do: no running job takes more memory for a processor than its part of a node has, and neither does j.
func (c *Nodes) Sure(j *sim.Job) bool {
	c.about(j)
	k, of := &c.ask.Chunk, &c.on.Clusters[c.classes[0]]
	return c.fat == 0 && len(c.classes) == 1 && len(c.licences) == 0 && !k.Apart && !k.Whole && k.GPUs == 0 && k.Features&^of.Features == 0 &&
		k.Memory <= of.Memory/int64(of.Cores)
}

// Unreserve takes the place back, if there is one.
func (c *Nodes) Unreserve() {
	h := &c.apart
	c.licence(h, max(h.start, c.now), h.end, 1)
	*h, c.last, c.refused = held{}, 0, c.refused[:0]
}

// Behind reports whether the place keeps its nodes when the running job j ends. It does if those of j are free at its start in any case,
// or are behind its last.
func (c *Nodes) Behind(j *sim.Job) bool {
	o := c.place(j.Slot())
	return o.end <= c.apart.start || c.last > 0 && len(c.classes) == 1 && o.nodes[0].node >= c.last
}

// Beside returns the number of processors that are free both now and, beside the place, at its start.
func (c *Nodes) Beside() int32 { return int32(c.idle + c.less) }

// endOf returns the expected end of a running job.
func (c *Nodes) endOf(slot int32) float64 { return c.state.ExpectedEnd(c.places[slot].end) }

// roomAhead reports whether the job of the search has room at t, when these jobs have ended. It makes c.later the amounts of that time.
func (c *Nodes) roomAhead(t float64, ended []int32) bool {
	c.marks.Clear()
	for _, slot := range ended {
		for i := range c.places[slot].nodes {
			o := &c.places[slot].nodes[i]
			c.mark(o.node).add(&o.amount, 1)
			if o.end < c.of[c.nodes[o.node].class][1] {
				c.mark(o.end).add(&o.amount, -1)
			}
		}
	}
	c.soon = append(c.soon[:0], c.open...)
	c.soon.Join(c.marks)
	return c.licensed(t) && slices.ContainsFunc(c.ask.classes, c.ahead)
}

// mark returns the amount at a mark, nothing where it is new.
func (c *Nodes) mark(node int) *amount {
	if !c.marks.has(node) {
		c.marks.Add(node)
		c.later[node] = amount{}
	}
	return &c.later[node]
}

// ahead looks for nodes of a class for the place. It turns c.later from differences between neighbours into amounts up to the last of these
// nodes, and takes the place from them.
func (c *Nodes) ahead(class int) bool {
	k, of, end, left := &c.ask.Chunk, &c.on.Clusters[class], c.of[class][1], c.ask.Count
	var sum amount
	c.first, c.last, c.less, c.spare = c.of[class][0], 0, 0, 0
	for i := c.first; i < end; {
		sum.add(c.mark(i), 1)
		c.later[i] = sum
		n := &c.nodes[c.head(i)]
		if n.really.cores+sum.cores <= 0 {
			i = c.soon.seek(i+1, 0)
			continue
		}
		l, next := n.really, min(n.end, c.marks.seek(i+1, 0))
		l.add(&sum, 1)
		if most := min(of.Holds(k, l.cores, l.gpus, l.memory), left); most > 0 {
			if all := int(left / most); next-i > all { // the last node has few chunks
				next = i + all
			}
			x := c.amount(class, most)
			c.later[i].add(&x, -1)
			c.less += int(min(c.later[i].cores, 0)) * (next - i)
			if left -= int32(next-i) * most; left == 0 {
				c.last = next
				return true
			}
		}
		i = next
	}
	return false
}

// shift changes the difference between the free amounts of some nodes later and now.
func (c *Nodes) shift(all []taken, sign int32) {
	for i := range all {
		t := &all[i]
		lo, hi := max(t.node, c.first), min(t.end, c.last)
		if lo >= hi {
			continue
		}
		for _, k := range [2]int{lo, hi} {
			if k < c.last && !c.marks.has(k) {
				c.later[k] = c.later[c.marks.last(k)]
				c.marks.Add(k)
			}
		}
		for k := lo; k < hi; {
			o, next := &c.later[k], min(c.marks.seek(k+1, 0), hi)
			before := min(o.cores, 0)
			o.add(&t.amount, sign)
			c.less += int(min(o.cores, 0)-before) * (next - k)
			k = next
		}
	}
}

// fromAlone takes nodes of a class, as from does. With beside, they are free at the start of the place too.
func (c *Nodes) fromAlone(class int, left int32) int32 {
	k, of, end, clear := &c.ask.Chunk, &c.on.Clusters[class], c.of[class][1], false
	i := c.of[class][0]
	if c.beside && i <= c.spare && c.spare < end {
		i, clear = c.head(c.spare), true
	}
	var n *node
	var o amount // of later, none that is more than now
	for run, mark := i, i; left > 0; {
		if i == run {
			if i = c.open.seek(i, 0); i >= end {
				break
			}
			n = &c.nodes[i]
			run = n.end
		}
		next, l := run, n.really
		if c.beside {
			if i >= mark {
				if o, mark = (amount{}), end; i >= c.first && i < c.last {
					o.least(&c.later[c.marks.last(i)])
					mark = min(c.marks.seek(i+1, 0), c.last)
				}
			}
			next = min(run, mark)
			l.add(&o, 1)
		}
		if most := min(of.Holds(k, l.cores, l.gpus, l.memory), k.Count); most > 0 {
			left = c.fill(i, next, most, left)
		}
		if clear = clear && l.cores <= 0; clear {
			c.spare = next
		}
		i = next
	}
	return left
}
