package audit

import (
	"math"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/power"
)

// switches is the audit's own book of the states of nodes, on a machine that switches idle ones off. It hears that a state changes; when it
// may, for how long and from which state to which is compared with the machine as it was before the run.
type switches struct {
	rule    power.SwitchOff
	nodes   [][]nodeState
	idle    []int    // class -> nodes that are on and idle
	nowhere int      // nodes that have left a state and are not on
	way     [][2]int // classes and numbers of the nodes that boot or shut down
	due     float64  // none of them is to end that before
	draw    func() float64
}

// nodeState is the state of a node by the audit's own book.
type nodeState struct {
	is    string
	left  bool    // it has left this state, and is not on
	since float64 // the state began or was left; of a node that is on, it has been idle
	takes float64 // the time in this state, +Inf where it may be any
	used  int32   // processors that jobs hold
}

func (w *switches) reset(p *sim.Platform) {
	*w = switches{rule: p.Off, due: math.Inf(1)}
	if !w.rule.On {
		return
	}
	for c := range p.Clusters {
		w.nodes = append(w.nodes, slices.Repeat([]nodeState{{is: "on", takes: math.Inf(1)}}, p.Clusters[c].Nodes))
		w.idle = append(w.idle, p.Clusters[c].Nodes)
	}
}

// ExpectSwitching has the audit hold boots and shutdowns to these draws of their times over the mean, until the next Reset: in the order in
// which the nodes begin. It uses them up: the run has its own.
func (a *Audit) ExpectSwitching(draw func() float64) { a.switches.draw = draw }

// spends returns the time that a node of a class spends in a state that it gets into now, +Inf where it may be any.
func (a *Audit) spends(now float64, class int, state string) float64 {
	way := power.Transition{Time: math.Inf(1)}
	switch p := &a.clusters[class].Power; state {
	case "boot":
		way = p.Boot
	case "shutdown":
		way = p.Shutdown
	}
	switch {
	case !way.Exponential:
		return way.Time
	case a.switches.draw == nil:
		return math.Inf(1)
	}
	return max(way.Time*a.switches.draw(), math.Nextafter(now, math.Inf(1))-now)
}

// switched enters that a job or nodes that are not on have processors, by = 1, or have them no more.
func (a *Audit) switched(now float64, h *sim.Hold, procs []sim.Span, by int32) {
	w := &a.switches
	if !w.rule.On {
		return
	}
	a.each(procs, func(c int, node, count int32) {
		i, cores := int(node), int32(a.clusters[c].Cores)
		switch n := &w.nodes[c][i]; {
		case h.Job != nil:
			a.uses(now, h, c, i, by*count)
		case count < cores:
			a.violate("A21", "at %g s %d of %d processors of node %d of class %q are in the state %s: nodes change as a whole", now, count,
				cores, i, a.clusters[c].Name, h.Outage.Kind)
		case by > 0:
			a.enters(now, h.Outage.Kind.String(), c, i)
		case n.is != h.Outage.Kind.String() || n.left:
			a.violate("A21", "at %g s node %d of class %q leaves the state %s, and was in the state %s", now, i, a.clusters[c].Name,
				h.Outage.Kind, n.is)
		default:
			a.leaves(now, c, i)
		}
	})
}

// uses checks A20 for processors of a node that a job gets or gives back.
func (a *Audit) uses(now float64, h *sim.Hold, c, i int, by int32) {
	w := &a.switches
	n := &w.nodes[c][i]
	if by > 0 && n.is != "on" {
		a.violate("A20", "job %d starts at %g s on node %d of class %q, which is not on but in the state %s since %g s", h.Job.ID(), now, i,
			a.clusters[c].Name, n.is, n.since)
	}
	if n.used == 0 {
		w.idle[c]--
	}
	if n.used += by; n.used == 0 {
		w.idle[c]++
		n.since = now
	}
}

// enters checks A20 and A21 for a node that gets into a state.
func (a *Audit) enters(now float64, state string, c, i int) {
	w := &a.switches
	n, name := &w.nodes[c][i], a.clusters[c].Name
	if n.used > 0 {
		a.violate("A20", "at %g s node %d of class %q gets into the state %s, and jobs hold %d processors of it", now, i, name, state, n.used)
	}
	if n.left {
		w.nowhere--
	}
	switch {
	case state == "shutdown" && n.is == "on":
		left := w.idle[c]
		if w.rule.Together {
			left = 0
			for _, idle := range w.idle {
				left += idle
			}
		}
		if now < n.since+w.rule.After || left <= w.rule.Keep {
			a.violate("A21", "at %g s node %d of class %q shuts down: it is idle since %g s, which must be %g s at least, and %d idle nodes "+
				"stay on, which must be %d at least", now, i, name, n.since, w.rule.After, left-1, w.rule.Keep)
		}
		w.idle[c]--
	case !n.left || n.since != now || state+n.is != "offshutdown" && state+n.is != "bootoff":
		a.violate("A21", "at %g s node %d of class %q gets from the state %s, which it has had since %g s, into the state %s", now, i, name,
			n.is, n.since, state)
	}
	n.is, n.left, n.since, n.takes = state, false, now, a.spends(now, c, state)
	if end := now + n.takes; !math.IsInf(end, 1) {
		w.way, w.due = append(w.way, [2]int{c, i}), min(w.due, end)
	}
}

// leaves checks A21 for a node that has been in a state until now.
func (a *Audit) leaves(now float64, c, i int) {
	w := &a.switches
	n := &w.nodes[c][i]
	if t := n.takes; !math.IsInf(t, 1) && now != n.since+t {
		a.violate("A21", "node %d of class %q is in the state %s from %g to %g s, which takes %g s", i, a.clusters[c].Name, n.is, n.since, now, t)
	}
	if n.since = now; n.is == "boot" {
		n.is, n.takes = "on", math.Inf(1)
		w.idle[c]++
		return
	}
	n.left = true
	w.nowhere++
}

// states checks A21 at the end of an instant: every node is in a state, and what takes a time is over then.
func (a *Audit) states(now float64) {
	w := &a.switches
	if w.nowhere > 0 {
		a.violate("A21", "at %g s %d nodes have left a state and are in no other", now, w.nowhere)
	}
	if now < w.due {
		return
	}
	w.due = math.Inf(1)
	w.way = slices.DeleteFunc(w.way, func(at [2]int) bool {
		c, i := at[0], at[1]
		n := &w.nodes[c][i]
		end := n.since + n.takes
		if now >= end {
			a.violate("A21", "at %g s node %d of class %q is still in the state %s since %g s", now, i, a.clusters[c].Name, n.is, n.since)
		}
		w.due = min(w.due, end)
		return math.IsInf(end, 1)
	})
}
