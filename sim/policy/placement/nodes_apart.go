package placement

import (
	"math"

	"schedsweep/sim"
)

// Reserve gives j its earliest place and returns its start. No start is possible before from. The plan must hold running jobs alone. It
// keeps the place apart: the plans of the nodes do not change, and [Nodes.Fits] keeps off the place. One job may have such a place.
func (c *Nodes) Reserve(j *sim.Job, from float64) float64 {
	start := from
	if c.about(j); c.ask.span || len(c.ask.classes) > 1 || !c.licensed(from) || !c.choose(c.ask.classes, from) {
		start = c.Earliest(j, from)
	}
	h := &c.apart
	if h.nodes = h.nodes[:0]; math.IsInf(start, 1) {
		return start
	}
	h.start, h.end, h.licences = start, start+j.Walltime(), c.ask.licences
	h.nodes = append(h.nodes, c.chosen...)
	c.mark(1)
	c.licence(h, h.start, h.end, -1)
	return start
}

// Unreserve takes the place back, if there is one.
func (c *Nodes) Unreserve() {
	h := &c.apart
	if len(h.nodes) == 0 {
		return
	}
	c.mark(0)
	c.licence(h, max(h.start, c.now), h.end, 1)
	c.join(h.nodes[len(h.nodes)-1:]) // the place divided a run there alone
	h.nodes, c.refused = h.nodes[:0], c.refused[:0]
}

// mark notes the runs of the place, for times 1, or removes these notes, for times 0.
func (c *Nodes) mark(times int) {
	for i := range c.apart.nodes {
		t := &c.apart.nodes[i]
		c.split(t.node)
		c.split(t.end)
		for k := t.node; k < t.end; k = c.nodes[k].end {
			c.nodes[k].apart = times * (i + 1)
		}
	}
}

// beside reduces l, which a run has for the job of the search from t on, to the part that the place leaves.
func (c *Nodes) beside(n *node, l *level, t float64) {
	h := &c.apart
	if to := t + c.ask.walltime; h.start < h.end && t < h.end && (h.start <= t || h.start < to) {
		o := n.line.within(max(t, h.start), min(to, h.end))
		o.add(&h.nodes[n.apart-1].level, -1)
		l.least(&o)
	}
}

// Beside returns a bound: no more processors are free both now and, beside the place, at its start.
func (c *Nodes) Beside() int32 {
	sum := 0
	for i := c.open.seek(0, 0); i < len(c.nodes); i = c.open.seek(c.nodes[i].end, 0) {
		n := &c.nodes[i]
		free := n.line[n.line.find(c.now)].cores
		if h := &c.apart; n.apart > 0 && h.start < h.end {
			free = min(free, n.line[n.line.find(h.start)].cores-h.nodes[n.apart-1].cores)
		}
		sum += int(max(free, 0)) * (n.end - i)
	}
	return int32(sum)
}
