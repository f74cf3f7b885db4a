package sim

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"schedsweep/sim/power"
)

// switches is the engine's book of nodes that are switched on and off.
type switches struct {
	platform *Platform
	used     []int32   // node -> processors that jobs hold
	since    []float64 // node -> idle since then; NaN where it is not idle, or not on
	idle     []int     // class -> idle nodes that are on; one entry where they are kept together
	queue    []idling  // nodes in the order in which they became idle; entries may be void
	head     int       // of the queue
	over     []int32   // nodes that have been idle for long enough, ascending; entries may be void
	off      []outage  // class -> its nodes that are off
	ways     []outage  // boots and shutdowns; those of no processors are over
	timer    float64   // when the engine looks at the queue next, +Inf for never
	look     bool      // something has changed since the engine looked at over
}

type idling struct {
	node  int32
	since float64
}

// prepareSwitches makes all nodes idle, or refuses the run.
func (e *Engine) prepareSwitches() error {
	s, w, on := &e.state, &e.switches, &e.machine
	if s.switches = nil; !on.Off.On {
		return nil
	}
	if _, ok := e.cfg.Policy.(SitePolicy); !ok {
		return fmt.Errorf("the platform switches idle nodes off (platform.off), and the policy plans with nodes that are on: take another " +
			"policy (easy and conservative can do it), or drop platform.off")
	}
	if len(e.cfg.Outages) > 0 || e.cfg.Failures != nil {
		return errors.New("the platform has events and switches idle nodes off, which do not go together: drop platform.events, or platform.off")
	}
	if !(on.Off.After >= 0) || on.Off.Keep < 0 {
		return fmt.Errorf("idle nodes are switched off after %g s, but for %d: both must be at least 0", on.Off.After, on.Off.Keep)
	}
	if on.SwitchingVaries() && e.cfg.Switching == nil {
		return errors.New("the times of boots or shutdowns vary, and nothing draws them")
	}
	*w = switches{platform: on, idle: make([]int, len(on.Clusters)), timer: math.Inf(1), look: true,
		queue: w.queue[:0], over: w.over[:0], ways: w.ways[:0]}
	s.switches, s.tracked = w, true
	for range on.Clusters {
		w.off = append(w.off, outage{Outage: Outage{Kind: Off, Until: math.Inf(1)}})
	}
	n := on.FirstNode(len(on.Clusters))
	w.used, w.since = make([]int32, n), make([]float64, n)
	for i := range n {
		w.rests(w.class(int32(i)), int32(i), 0)
	}
	return nil
}

// class is that of a node.
func (w *switches) class(node int32) int {
	c := 0
	for w.platform.FirstNode(c+1) <= int(node) {
		c++
	}
	return c
}

// group returns the counter of idle nodes of a class.
func (w *switches) group(class int) *int {
	if w.platform.Off.Together {
		class = 0
	}
	return &w.idle[class]
}

// span is the processors of a node.
func (w *switches) span(class int, node int32) Span {
	cores := w.platform.Clusters[class].Cores
	lo := w.platform.First(class) + (int(node)-w.platform.FirstNode(class))*cores
	return Span{int32(lo), int32(lo+cores) - 1}
}

// rests enters that a node of a class is idle from now on.
func (w *switches) rests(class int, node int32, now float64) {
	w.since[node] = now
	*w.group(class)++
	w.queue = append(w.queue, idling{node, now})
}

// leaves enters that an idle node is idle no more.
func (w *switches) leaves(class int, node int32) {
	w.since[node] = math.NaN()
	*w.group(class)--
}

// uses enters that a job holds processors, by = 1, or has given them back.
func (w *switches) uses(now float64, procs []Span, by int32) {
	w.look = true
	w.platform.EachNode(procs, func(class int, node, n int32) {
		if w.used[node] == 0 {
			w.leaves(class, node)
		}
		if w.used[node] += by * n; w.used[node] == 0 {
			w.rests(class, node, now)
		}
	})
}

// due moves nodes that have been idle for long enough from the queue to the others of them, and returns when the next one will be.
func (w *switches) due(now float64) float64 {
	for ; w.head < len(w.queue); w.head++ {
		q := w.queue[w.head]
		if w.since[q.node] != q.since {
			continue
		}
		if at := q.since + w.platform.Off.After; at > now {
			return at
		}
		w.look = true
		if i, there := slices.BinarySearch(w.over, q.node); !there {
			w.over = slices.Insert(w.over, i, q.node)
		}
	}
	w.queue, w.head = w.queue[:0], 0
	return math.Inf(1)
}

// switchOff begins to shut down nodes that may be off, and reports whether it did anything. It comes at the end of an instant.
func (e *Engine) switchOff() bool {
	s, w := &e.state, &e.switches
	after := w.platform.Off.After
	next := w.due(s.now)
	did := next < w.timer || w.timer <= s.now && next < math.Inf(1)
	if did {
		w.timer = next
		s.heap.push(event{time: next, rank: rankPower, seq: -1})
	}
	if w.head > len(w.queue)/2 { // those before are done with
		w.queue, w.head = w.queue[:copy(w.queue, w.queue[w.head:])], 0
	}
	if !w.look {
		return did
	}
	w.look = false
	w.over = slices.DeleteFunc(w.over, func(n int32) bool { return !(w.since[n]+after <= s.now) })
	for end := len(w.over); end > 0; {
		class := w.class(w.over[end-1])
		begin, _ := slices.BinarySearch(w.over, int32(w.platform.FirstNode(class)))
		did = e.shutDown(class, w.over[begin:end]) || did
		end = begin
	}
	return did
}

// shutDown begins the shutdown of nodes of a class that may be off, the last ones first, and reports whether it does.
func (e *Engine) shutDown(class int, over []int32) bool {
	s, w := &e.state, &e.switches
	idle, keep, p := w.group(class), w.platform.Off.Keep, &w.platform.Clusters[class].Power
	if *idle <= keep {
		return false
	}
	var gone []Span
	spare, most := e.cfg.Policy.(SitePolicy).Spare(s, class, s.now+p.Shutdown.Time+p.Boot.Time)
	k := len(spare) - 1 // the spare span that the node may be in
	for _, n := range slices.Backward(over) {
		if most <= 0 || *idle <= keep {
			break
		}
		sp := w.span(class, n)
		for k >= 0 && spare[k].Lo > sp.Lo {
			k--
		}
		if k >= 0 && sp.Hi <= spare[k].Hi {
			most--
			w.leaves(class, n)
			gone = append(gone, sp)
		}
	}
	if len(gone) == 0 {
		return false
	}
	slices.Reverse(gone)
	e.goes(ShutsDown, p.Shutdown, gone)
	e.repower()
	return true
}

// goes begins a boot or a shutdown: of all nodes together, or of each node for a time of its own.
func (e *Engine) goes(kind OutageKind, way power.Transition, nodes []Span) {
	if !way.Exponential {
		e.underWay(kind, e.state.now+way.Time, nodes)
		return
	}
	for i := range nodes {
		until := e.state.now + way.Time*e.cfg.Switching()
		e.underWay(kind, max(until, math.Nextafter(e.state.now, math.Inf(1))), nodes[i:i+1])
	}
}

// underWay begins a boot or a shutdown that lasts until a time.
func (e *Engine) underWay(kind OutageKind, until float64, nodes []Span) {
	s, w := &e.state, &e.switches
	i := slices.IndexFunc(w.ways, func(o outage) bool { return o.Procs == nil })
	if i < 0 {
		i = len(w.ways)
		w.ways = append(w.ways, outage{})
	}
	var joined spanSet
	joined.giveAll(nodes)
	o := &w.ways[i]
	*o = outage{Outage: Outage{Procs: joined.spans, From: s.now, Until: until, Kind: kind}}
	e.move(o, o.Procs, 1)
	s.heap.push(event{time: o.Until, rank: rankPower, seq: int64(i)})
}

// powered ends boot or shutdown i, or is the time to look at idle nodes, i < 0.
func (e *Engine) powered(i int) {
	s, w := &e.state, &e.switches
	if i < 0 {
		return
	}
	o := w.ways[i]
	w.ways[i] = outage{}
	e.move(&o, o.Procs, -1)
	if o.Kind == ShutsDown {
		e.move(&w.off[s.platform.ClusterOf(int(o.Procs[0].Lo))], o.Procs, 1)
	} else {
		w.platform.EachNode(o.Procs, func(class int, node, _ int32) { w.rests(class, node, s.now) })
	}
	e.repower()
}

// repower tells the policy.
func (e *Engine) repower() {
	e.cfg.Policy.(SitePolicy).PowerChanged(&e.state)
	e.pass = true
}

// Switches reports whether idle nodes are switched off.
func (s *State) Switches() bool { return s.platform.Off.On }

// SwitchingVaries reports whether idle nodes are switched off, and the times of boots or shutdowns are drawn.
func (p *Platform) SwitchingVaries() bool {
	varies := func(c Cluster) bool { return c.Power.Boot.Exponential || c.Power.Shutdown.Exponential }
	return p.Off.On && slices.ContainsFunc(p.Clusters, varies)
}

// Dark is nodes of one class that are not on.
type Dark struct {
	Procs []Span
	Class int
	// From is the time from which jobs can have them, if nodes that are off boot as soon as they can.
	From float64
	// Off reports that the nodes are off, Goes that they shut down.
	Off, Goes bool
	// Moves reports that From is later by Boot than now, whenever now is: the nodes are off, or the rest of their way is expected to take
	// the mean of its law.
	Moves bool
	Boot  float64
	// Ends is the end of a boot or shutdown under way.
	Ends float64
}

// sooner has a plan prefer a node that boots to one that is off, where both are expected to take the mean time.
const sooner = 1 - 1e-6

// Dark yields the nodes that are not on, class by class and boot by boot.
func (s *State) Dark() iter.Seq[Dark] {
	return func(yield func(Dark) bool) {
		w := s.switches
		for c := range w.off {
			d := Dark{Procs: w.off[c].held.spans, Class: c, Off: true, Moves: true, Boot: s.platform.Clusters[c].Power.Boot.Time}
			if d.From = s.now + d.Boot; len(d.Procs) > 0 && !yield(d) {
				return
			}
		}
		for i := range w.ways {
			d := Dark{Procs: w.ways[i].Procs, From: w.ways[i].Until, Goes: w.ways[i].Kind == ShutsDown, Ends: w.ways[i].Until}
			if d.Procs == nil {
				continue
			}
			d.Class = s.platform.ClusterOf(int(d.Procs[0].Lo))
			p := &s.platform.Clusters[d.Class].Power
			way, then := p.Boot, 0.
			if d.Goes {
				way, then = p.Shutdown, p.Boot.Time
			}
			d.From += then
			if way.Exponential {
				d.Moves, d.Boot = true, sooner*way.Time+then
				d.From = s.now + d.Boot
			}
			if !yield(d) {
				return
			}
		}
	}
}

// Boot switches the nodes of these processors on, so that they are on at a time and no sooner than necessary. It boots the nodes that are
// off and due, and returns the time of the next call for the others, +Inf for never. The policy calls it again after each change of states.
// Nodes of a class that the cap in force does not let boot at once stay off until a call after a change of the power or of the cap.
func (s *State) Boot(procs []Span, by float64) (again float64) {
	again = math.Inf(1)
	w := s.switches
	for c := range w.off {
		off, takes := &w.off[c], s.platform.Clusters[c].Power.Boot.Time
		part := Common(off.held.spans, procs)
		if len(part) == 0 {
			continue
		}
		at := by - takes
		for at+takes > by {
			at = math.Nextafter(at, math.Inf(-1))
		}
		if by > s.now+takes && at > s.now {
			again = min(again, at)
			continue
		}
		var nodes []Span
		w.platform.EachNode(part, func(_ int, node, _ int32) {
			if sp := w.span(c, node); len(nodes) == 0 || nodes[len(nodes)-1] != sp {
				nodes = append(nodes, sp)
			}
		})
		if !s.admitsBoot(c, nodes) {
			continue
		}
		s.engine.move(off, nodes, -1)
		s.engine.goes(Boots, s.platform.Clusters[c].Power.Boot, nodes)
		s.engine.repower()
	}
	return again
}
