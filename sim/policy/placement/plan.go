package placement

import (
	"math"
	"math/bits"

	"schedsweep/sim"
)

// Plan is the plan of each processor over time: jobs that run, until their planned ends, and jobs that wait. A rule of
// placement chooses the processors. A policy that uses a plan starts and ends all its jobs through it.
type Plan struct {
	rule    rule
	class   int           // whose processors these are, from 1; 0: the whole platform's
	on      *sim.Platform // of a class
	first   int32         // its first processor; sets count from it
	strict  bool          // the rules of cbf2015
	closed  []Closed
	starts  []float64 // of the last search: when processors open
	shuts   Set       // of the last search in a grouped plan: the groups closed up to each of them, and after the last; made when needed
	from    float64   // when the last search begins
	passed  int       // number of these times before the start that it looks at
	profile profile
	places  []place // by sim.Job.Slot
	busy    Set     // processors of running jobs
	dark    Set     // processors that are [Closed.Dark]
	off     Set     // of these, those of nodes that do not boot
	others  bool    // some closed processors are not dark
	lights  float64 // when the first of them comes on
	lit     bool    // the search is for a start now, which takes nodes that are on
	grouped bool    // sets number groups of processors
	wanted  bool    // grouped, if the rule allows it
	lo      []int32 // group -> its first processor; one more entry for the end of the last
	ladder  ladder  // times for which processors stay free from now on
	now     reach   // from now on, of a grouped plan
	later   reach   // from a later time on
	reaches []reach // from the begin of each interval on
	scratch Set     // the free processors of a hole
	chosen  Set     // processors chosen in it
	since   int64   // starts before before fail if no interval has changed since then; -1 for none
	before  float64
	changed int        // the last interval that the search has found to have
	twice   bool       // the first interval counts processors twice: the place of a job has begun that an overrun does not let start
	picked  []sim.Span // the same in a grouped plan
	kept    place      // scratch: the processors of a place
	own     Set        // groups of a place
	ownOf   *place     // the place of own; nil where it has other processors since
	ownAt   int64      // number then
	number  int64      // counts changes of the numbers of groups
	spans   []sim.Span
}

// place is a job's planned time and processors, waiting or running.
type place struct {
	start, end float64
	set        Set
	spans      []sim.Span // in place of set in a grouped plan
	q          int
	node       int   // processors of a node, where the job gets whole nodes; else 0
	stamp      int64 // of the profile when the place was last found to be the best
}

// NewPlan returns a plan for a whole platform with a rule of placement, one of [Names].
func NewPlan(rule string) (*Plan, error) {
	r, err := newRule(rule)
	return &Plan{rule: r}, err
}

// Within has the plan be that of one node class of a divided platform, from the next Reset on.
func (c *Plan) Within(class int) { c.class = class + 1 }

// Reset makes all processors free, or refuses the platform. Strict plans find holes as the simulator of cbf2015 does.
func (c *Plan) Reset(s *sim.State, strict bool) error {
	clusters := s.Platform().Clusters
	c.on, c.first = nil, 0
	if c.class > 0 {
		c.on, c.first, clusters = s.Platform(), int32(s.Platform().First(c.class-1)), clusters[c.class-1:c.class]
	}
	if err := c.rule.reset(s.Platform().Name, clusters); err != nil {
		return err
	}
	s.TrackProcs()
	c.grouped = c.wanted && !c.rule.local()
	c.strict, c.since, c.before, c.profile.grouped = strict, -1, math.Inf(-1), c.grouped
	c.regroup()
	words := c.words()
	for _, set := range []*Set{&c.busy, &c.scratch, &c.chosen} {
		*set = set.Resized(64 * words)
	}
	c.Clear(s.Now())
	c.ladder.reset(c.profile.words)
	c.Close(nil)
	return nil
}

// Cut forgets the time before now.
func (c *Plan) Cut(now float64) {
	c.profile.advance(now)
	c.ladder.valid = false
}

// Clear makes all processors free from now on, for a plan that is made anew.
func (c *Plan) Clear(now float64) {
	c.twice = false
	c.profile.reset(c.words(), c.numbers(), c.rule.total, now)
}

// Hold takes the processors of a running job from now to its end.
func (c *Plan) Hold(slot int32, now, end float64) {
	w := &c.places[slot]
	if end > now {
		set := c.setOf(w)
		for i, free := range c.profile.of(c.profile.find(now)) {
			c.twice = c.twice || set[i]&^free != 0
		}
		c.profile.take(now, end, set, w.q)
	}
}

// Adopt notes the processors of a job that runs already, without taking them, and returns its planned end.
func (c *Plan) Adopt(j *sim.Job) float64 {
	w := c.of(j)
	if c.ownOf = nil; c.grouped {
		w.spans = append(w.spans[:0], j.Alloc().Procs...)
	} else {
		w.set = c.Of(w.set, j.Alloc().Procs)
	}
	c.busy.Join(c.setOf(w))
	w.start, w.end = j.Start(), j.PlannedEnd()
	return w.end
}

// of returns the place of j, in which its width is right.
func (c *Plan) of(j *sim.Job) *place {
	w := sim.Entry(&c.places, j.Slot())
	if w.q, w.node = c.need(j); !c.grouped && len(w.set) != len(c.busy) {
		w.set = w.set.Resized(c.rule.total)
	}
	return w
}

// setOf is the set of a place, valid until the next call.
func (c *Plan) setOf(w *place) Set {
	if !c.grouped {
		return w.set
	}
	if c.ownOf != w || c.ownAt != c.number {
		c.own = c.grouping(c.own, w.spans)
		c.ownOf, c.ownAt = w, c.number
	}
	return c.own
}

// need returns the number of processors that j gets, and the processors of a node where it gets whole nodes; else 0.
func (c *Plan) need(j *sim.Job) (procs, node int) {
	if c.on == nil {
		return int(j.Procs()), 0
	}
	if c.on.Partition(j.Partition()).Whole {
		node = c.on.Clusters[c.class-1].Cores
	}
	return int(c.on.Need(j.Partition(), c.class-1, j.Procs())), node
}

// choose makes c.chosen q processors of s, in whole nodes where node is not 0, and reports whether the rule allows it.
func (c *Plan) choose(s Set, q, node int) bool {
	c.chosen.Clear()
	if node > 1 && s.wholeNodes(node, c.rule.total) < q {
		return false
	}
	return c.rule.choose(c.chosen, s, q)
}

// End returns the planned end of a job with a place.
func (c *Plan) End(j *sim.Job) float64 { return c.places[j.Slot()].end }

// Take gives j the processors that the last search chose for it, from start on.
func (c *Plan) Take(j *sim.Job, start float64) {
	w := c.of(j)
	w.start, w.end = start, start+j.Walltime()
	if c.ownOf = nil; c.grouped {
		w.spans, c.picked = c.picked, w.spans
	} else {
		w.set, c.chosen = c.chosen, w.set
	}
	c.profile.take(w.start, w.end, c.setOf(w), w.q)
	w.stamp = c.profile.stamp
}

// Keep remembers the processors of the place of j.
func (c *Plan) Keep(j *sim.Job) {
	w := &c.places[j.Slot()]
	c.kept.set, c.kept.spans = append(c.kept.set[:0], w.set...), append(c.kept.spans[:0], w.spans...)
}

// ChooseKept has [Plan.Take] give the processors to a job that [Plan.Keep] remembered last.
func (c *Plan) ChooseKept(*sim.Job) {
	copy(c.chosen, c.kept.set)
	c.picked = append(c.picked[:0], c.kept.spans...)
}

// Release gives back what j has from a time on. What lies before the plan's beginning is left out: a place may have begun that a job in its
// way, past its planned end, did not let start.
func (c *Plan) Release(j *sim.Job, from float64) {
	from = max(from, c.profile.intervals[0].start)
	if w := &c.places[j.Slot()]; w.end > from {
		c.profile.give(from, w.end, c.setOf(w), w.q)
	}
}

// Start starts j on its processors and reports whether all of them are free.
func (c *Plan) Start(s *sim.State, j *sim.Job) bool {
	set := c.setOf(&c.places[j.Slot()])
	if set.Meets(c.busy) || set.Meets(c.dark) {
		return false
	}
	c.busy.Join(set)
	s.StartOn(j, c.Procs(j))
	return true
}

// Ended notes that the processors of a job that ran are free.
func (c *Plan) Ended(j *sim.Job) { c.busy.Drop(c.setOf(&c.places[j.Slot()])) }

// Beside returns the number of free processors that are not among those of j.
func (c *Plan) Beside(j *sim.Job) int32 {
	own := c.setOf(&c.places[j.Slot()]) // may number groups anew
	free, n := c.profile.of(0), 0
	for i, w := range own {
		if w = free[i] &^ w; c.grouped {
			n += c.weigh(i, w)
		} else {
			n += bits.OnesCount64(w)
		}
	}
	return int32(n)
}
