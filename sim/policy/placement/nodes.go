package placement

import (
	"errors"
	"math"
	"slices"

	"schedsweep/sim"
)

// Nodes is the plan of each node over time, where jobs request memory, GPUs, features or licences ([sim.Request]), or
// may span classes. A place is nodes on which the chunks of a job ([sim.Chunk]) have room for its walltime: the job
// keeps to them.
//
// A job takes the lowest nodes of one class: of the classes of its partition the one with the earliest start, the first of the list among
// equals. Where it may span classes it takes the leaf switch with the fewest usable nodes that has enough. Where none has, it takes the one
// with most usable nodes, and then the rest in the same way. Among equals the switch comes first whose class is first in the list.
//
// Neighbours of one class with the same plan form a run. Starts, ends and searches cost a step for each run and change, and none for each
// node. A search for room now looks at runs with a free core alone. Other searches go through all runs of the job's classes, and mostly
// twice: each run tells when it has room for a chunk first, and there is no start before enough nodes have it. With [Nodes.Alone] runs have
// no plans, and a search for a later time adds up the nodes of the jobs that end until then.
type Nodes struct {
	classes  []int
	reserve  bool
	state    *sim.State
	on       *sim.Platform
	nodes    []node
	heads    Set      // nodes that begin a run
	open     Set      // the first nodes of runs with a free core by now
	opening  float64  // no other run has a free core before this time
	refused  []chunks // that found no room at the time of the plan, which has had less since
	of       [][2]int // class -> its nodes
	licences []line
	unused   []int32 // licences that no running job holds
	idle     int     // processors that no running job holds
	now      float64
	closed   []Closed
	places   []held   // by slot
	alone    bool     // the plan is of running jobs alone, see [Nodes.Alone]
	apart    held     // of the job of [Nodes.Reserve], but for its nodes; no job where it does not start before its end
	later    []amount // with alone: from a mark on, how much more is free beside that job at its start than now
	less     int      // processors that later takes from the free ones, 0 or less
	first    int      // the place and later are about nodes from this one on
	last     int      // the node behind those of the place; 0 for none
	spare    int      // nodes before this have no core that is free both now and then
	fat      int      // running jobs that take more memory for a processor than its part of a node has
	marks    Set      // first nodes of equal neighbours in later
	soon     Set      // scratch: nodes that may have room then
	beside   bool     // the search is for room beside that place too
	chosen   []taken  // by the last search
	busy     Set      // processors of running jobs
	spans    []sim.Span
	firsts   []first // scratch
	rooms    []room  // scratch: of classes
	best     []taken // scratch
	kept     []taken // scratch: the nodes of a place
	ask      chunks  // of the job of the search

	only func(j *sim.Job) []int // see [NewNodes]
}

// chunks is the request of a search.
type chunks struct {
	sim.Chunk
	job      *sim.Job
	walltime float64
	licences [sim.MaxLicences]int32
	span     bool
	part     int32
	classes  []int
}

// exceeds reports whether chunks need all that others of the partition need, on the same classes.
func (a *chunks) exceeds(o *chunks) bool {
	return a.part == o.part && a.walltime >= o.walltime && a.Count >= o.Count && a.Cores >= o.Cores && a.GPUs >= o.GPUs &&
		a.Memory >= o.Memory && o.Features&^a.Features == 0 && a.Apart == o.Apart && a.Whole == o.Whole && slices.Equal(a.classes, o.classes)
}

// taken is a job's part of each of some neighbouring nodes.
type taken struct {
	node, end int // the first, and the one behind the last
	amount
}

type held struct {
	start, end float64
	nodes      []taken
	licences   [sim.MaxLicences]int32
}

type first struct {
	at   float64
	most int32
}

type room struct {
	class, nodes int
	count        int32
}

// NewNodes returns a plan of these node classes, ascending. Where reserve is set, places that start later than now take nodes as a whole.
// Only returns the classes of its partition on which a job may run; nil for all.
func NewNodes(classes []int, reserve bool, only func(j *sim.Job) []int) *Nodes {
	return &Nodes{classes: classes, reserve: reserve, only: only}
}

// Within does nothing: the plan knows its classes.
func (c *Nodes) Within(int) {}

// Reset makes all nodes free.
func (c *Nodes) Reset(s *sim.State, strict bool) error {
	if strict {
		return errors.New("jobs with requests go with the rules plain (policy.rules, by default those of engine.event_order)")
	}
	s.TrackProcs()
	on := s.Platform()
	c.state, c.on, c.now, c.closed, c.licences, c.idle, c.apart = s, on, s.Now(), nil, c.licences[:0], 0, held{}
	c.alone, c.fat = false, 0
	c.lay()
	c.unused = c.unused[:0]
	for _, l := range on.Licences {
		c.licences, c.unused = append(c.licences, nil), append(c.unused, l.Count)
	}
	c.busy = c.busy.Resized(on.Procs())
	c.Clear(s.Now())
	return nil
}

// Clear makes all nodes free from now on, for a plan that is made anew.
func (c *Nodes) Clear(now float64) {
	c.now, c.refused, c.opening, c.apart, c.last = now, c.refused[:0], math.Inf(1), held{}, 0
	for i := 0; i < len(c.nodes) && !c.alone; {
		n := &c.nodes[i]
		n.line = append(n.line[:0], level{now, c.all(i)})
		c.measure(i)
		next := n.end
		c.merge(i)
		i = next
	}
	for i := range c.licences {
		c.licences[i] = append(c.licences[i][:0], level{now, amount{cores: c.on.Licences[i].Count}})
	}
}

// Cut forgets the time before now, that of each node when the node changes.
func (c *Nodes) Cut(now float64) {
	if now != c.now {
		c.now, c.refused = now, c.refused[:0]
	}
	if now >= c.opening {
		c.opening = math.Inf(1)
		for i := 0; i < len(c.nodes); i = c.nodes[i].end {
			c.file(i)
		}
	}
	for i := range c.licences {
		c.licences[i].forget(now)
	}
}

// change adds what a place holds to the plan, or takes it out.
func (c *Nodes) change(h *held, from, to float64, sign int32) {
	if sign > 0 {
		c.refused = c.refused[:0]
	}
	if c.licence(h, from, to, sign); c.alone {
		return
	}
	for i := range h.nodes {
		t := &h.nodes[i]
		c.split(t.node)
		c.split(t.end)
		for k := t.node; k < t.end; k = c.nodes[k].end {
			n := &c.nodes[k]
			n.line.forget(c.now)
			n.line.change(from, to, &t.amount, sign)
			c.measure(k)
		}
	}
	if sign > 0 || from > c.now { // the nodes of a start differ from their neighbours
		c.join(h.nodes)
	}
}

// licence adds the licences of a place to the plan, or takes them out.
func (c *Nodes) licence(h *held, from, to float64, sign int32) {
	for i := range c.licences {
		if n := h.licences[i]; n > 0 {
			c.licences[i].change(from, to, &amount{cores: n}, sign)
		}
	}
}

func (c *Nodes) place(slot int32) *held {
	return sim.Entry(&c.places, slot)
}

// Hold takes what a running job has from now to its end.
func (c *Nodes) Hold(slot int32, now, end float64) { c.change(c.place(slot), now, end, -1) }

// Adopt never comes: no policy hands over a divided platform.
func (c *Nodes) Adopt(*sim.Job) float64 { return c.now }

// End returns the planned end of a job with a place.
func (c *Nodes) End(j *sim.Job) float64 { return c.place(j.Slot()).end }

// Take gives j the nodes that the last search chose for it, from start on.
func (c *Nodes) Take(j *sim.Job, start float64) {
	h := c.place(j.Slot())
	h.start, h.end = start, start+j.Walltime()
	h.nodes, h.licences = append(h.nodes[:0], c.chosen...), c.ask.licences
	for i := range h.nodes {
		if t := &h.nodes[i]; c.reserve && start > c.now {
			t.amount = c.all(t.node)
		}
	}
	c.change(h, h.start, h.end, -1)
}

// Release gives back what j has from a time on.
func (c *Nodes) Release(j *sim.Job, from float64) {
	h := c.place(j.Slot())
	c.change(h, max(from, c.now), h.end, 1)
}

// Advance takes the waiting job j out and gives it its earliest place anew, which it returns.
func (c *Nodes) Advance(j *sim.Job) float64 {
	c.Release(j, c.place(j.Slot()).start)
	start := c.Earliest(j, c.now)
	c.Take(j, start)
	return start
}

// Keep remembers the nodes of the place of j.
func (c *Nodes) Keep(j *sim.Job) { c.kept = append(c.kept[:0], c.place(j.Slot()).nodes...) }

// ChooseKept has [Nodes.Take] give j the nodes that [Nodes.Keep] remembered last.
func (c *Nodes) ChooseKept(j *sim.Job) {
	c.about(j)
	c.chosen = append(c.chosen[:0], c.kept...)
}

// Class is the node class of the place of j, the first where it has several.
func (c *Nodes) Class(j *sim.Job) int { return c.nodes[c.place(j.Slot()).nodes[0].node].class }

// Start starts j on its nodes and reports whether all that it needs there is free.
func (c *Nodes) Start(s *sim.State, j *sim.Job) bool {
	h := c.place(j.Slot())
	if !c.isFree(h.nodes, &h.licences) {
		return false
	}
	c.hold(h, -1)
	c.spans = c.spans[:0]
	for i := range h.nodes {
		c.pick(&h.nodes[i])
	}
	c.ordered()
	for _, sp := range c.spans {
		c.busy.addRange(int(sp.Lo), int(sp.Hi)+1)
		c.idle -= sp.Len()
	}
	for i := range c.unused {
		c.unused[i] -= h.licences[i]
	}
	s.StartOn(j, c.spans)
	return true
}

// hold changes what no running job holds, at the start or end of one.
func (c *Nodes) hold(h *held, sign int32) {
	for i := range h.nodes {
		t := &h.nodes[i]
		c.split(t.node)
		c.split(t.end)
		for k := t.node; k < t.end; k = c.nodes[k].end {
			n := &c.nodes[k]
			if n.really.add(&t.amount, sign); c.alone && n.really.cores > 0 {
				c.open.Add(k)
			} else if c.alone {
				c.open.drop(k)
			}
		}
	}
	if of := &c.on.Clusters[c.nodes[h.nodes[0].node].class]; h.nodes[0].memory > int64(h.nodes[0].cores)*(of.Memory/int64(of.Cores)) {
		c.fat -= int(sign)
	}
	if h.end <= c.apart.start {
		c.shift(h.nodes, -sign)
	}
}

// isFree reports whether no running job holds any of this.
func (c *Nodes) isFree(all []taken, licences *[sim.MaxLicences]int32) bool {
	for i, n := range c.unused {
		if licences[i] > n {
			return false
		}
	}
	for i := 0; i < len(all) && !c.alone; i++ {
		t := &all[i]
		for k := c.head(t.node); k < t.end; k = c.nodes[k].end {
			if r := &c.nodes[k].really; r.cores < t.cores || r.gpus < t.gpus || r.memory < t.memory {
				return false
			}
		}
	}
	return true
}

// Ended notes that what a job that ran has is free.
func (c *Nodes) Ended(j *sim.Job) {
	h := c.place(j.Slot())
	c.hold(h, 1)
	c.spare = min(c.spare, h.nodes[0].node)
	if c.alone || h.end <= c.state.Now() { // else Release follows
		c.join(h.nodes)
	}
	for i := range c.unused {
		c.unused[i] += h.licences[i]
	}
	for _, sp := range j.Alloc().Procs {
		c.busy.dropRange(int(sp.Lo), int(sp.Hi)+1)
		c.idle += sp.Len()
	}
}

// Close has searches keep off these processors, and off these alone, from now on. A node with one of them is closed as a whole.
func (c *Nodes) Close(all []Closed) {
	c.closed, c.refused = all, c.refused[:0]
	for i := range c.nodes {
		c.nodes[i].closed = c.nodes[i].closed[:0]
	}
	for i := range all {
		for _, class := range c.classes {
			first, of := c.on.First(class), &c.on.Clusters[class]
			for _, sp := range all[i].Procs {
				lo, hi := max(int(sp.Lo)-first, 0), min(int(sp.Hi)+1-first, of.Nodes*of.Cores)
				for k := lo / of.Cores; k*of.Cores < hi; k++ {
					n := &c.nodes[c.of[class][0]+k]
					n.closed = append(n.closed, int32(i))
				}
			}
		}
	}
	for i := range c.nodes {
		if len(all) > 0 {
			c.split(i)
		} else if c.heads.has(i) {
			c.merge(i)
		}
	}
}
