package backfill

import (
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/policy/placement"
	"schedsweep/sim/policy/profile"
)

// part is the processors in one account of a plan: those of the whole platform, or of one node class.
type part struct {
	class  int             // -1: the whole platform, or all classes of the component
	all    []int           // where jobs have requests: the classes of the component
	on     *sim.Platform   // of a class
	counts profile.Profile // number of free processors, without a placement
	sets   places          // which are free, with one
	own    []sim.Span      // its processors
	closed []placement.Closed
	before []placement.Closed // scratch: before the last change of nodes that are off
	same   int                // number of these that are compared with the new ones
	boots  surplus            // additional power of the last place's nodes while they boot, under a cap
}

// places is the plan by processors: the jobs on each of them, over time.
type places interface {
	Within(class int)
	Reset(s *sim.State, strict bool) error
	Cut(now float64)
	Clear(now float64)
	Hold(slot int32, now, end float64)
	Adopt(j *sim.Job) float64
	End(j *sim.Job) float64
	Take(j *sim.Job, start float64)
	Release(j *sim.Job, from float64)
	Advance(j *sim.Job) float64
	Keep(j *sim.Job)
	ChooseKept(j *sim.Job)
	Earliest(j *sim.Job, from float64) float64
	Fits(j *sim.Job, now float64) bool
	Start(s *sim.State, j *sim.Job) bool
	Ended(j *sim.Job)
	Close(all []placement.Closed)
}

// chosen is the places that a rule of placement chooses.
func (p *part) chosen() *placement.Plan { return p.sets.(*placement.Plan) }

// need is the number of processors that j gets here.
func (p *part) need(j *sim.Job) int32 {
	if p.class < 0 {
		return j.Procs()
	}
	return p.on.Need(j.Partition(), p.class, j.Procs())
}

// free is the number of processors that are free now.
func (p *part) free(s *sim.State) int {
	if p.class < 0 {
		return s.Free()
	}
	return s.FreeOn(p.class)
}

// dark is the number of processors of nodes that are not on.
func (p *part) dark(s *sim.State) int {
	if p.class < 0 {
		return s.Unpowered()
	}
	return s.UnpoweredOn(p.class)
}

// size is the number of processors. What events take of them is not left out: it is in closed.
func (p *part) size() int {
	if p.class < 0 {
		return p.on.Procs()
	}
	return p.on.Clusters[p.class].Procs()
}

// start starts j here, on the lowest free processors.
func (p *part) start(s *sim.State, j *sim.Job) {
	if p.class < 0 {
		s.Start(j)
		return
	}
	s.StartIn(j, p.class)
}

// cut forgets the time before now.
func (p *part) cut(now float64) {
	if p.sets != nil {
		p.sets.Cut(now)
		return
	}
	p.counts.Cut(now)
}

// clear makes all processors free from now on.
func (p *part) clear(s *sim.State) {
	if p.sets != nil {
		p.sets.Clear(s.Now())
		return
	}
	p.counts.Reset(p.size(), s.Now())
}

// hold takes the processors of a running job from now to its expected end.
func (p *part) hold(e *end, now, until float64) {
	if p.sets != nil {
		p.sets.Hold(e.slot, now, until)
		return
	}
	p.counts.Reserve(now, until, int(e.procs))
}

// take gives j the place that starts then; with a placement it is the last one that was found.
func (p *part) take(j *sim.Job, start float64) {
	if p.sets != nil {
		p.sets.Take(j, start)
		return
	}
	p.counts.Reserve(start, start+j.Walltime(), int(p.need(j)))
}

// release gives back the processors of j from now to its end.
func (p *part) release(j *sim.Job, now, end float64) {
	if p.sets != nil {
		p.sets.Release(j, now)
		return
	}
	p.counts.Release(now, end, int(p.need(j)))
}

// earliest is the first start from t on at which processors are free for j.
func (p *part) earliest(j *sim.Job, t float64) float64 {
	if p.sets != nil {
		return p.sets.Earliest(j, t)
	}
	if len(p.closed) == 0 {
		return p.counts.Earliest(t, int(p.need(j)), j.Walltime())
	}
	return profile.Agree(t, func(t float64) float64 { return p.counts.Earliest(t, int(p.need(j)), j.Walltime()) },
		func(t float64) float64 { return p.opens(j, t) })
}

// fits reports whether j may start now.
func (p *part) fits(s *sim.State, j *sim.Job) bool {
	if p.sets != nil {
		return p.sets.Fits(j, s.Now())
	}
	need := int(p.need(j))
	return need <= p.free(s) && !p.barred(j, s.Now()) && need <= p.counts.Least(s.Now(), s.Now()+j.Walltime())
}

// component is node classes that partitions join: two classes are in one component if a partition has both, and all if jobs of all
// partitions share licences, a cap, limits or bounds on planning.
// Jobs in one component never delay jobs in another.
type component struct {
	classes    []int   // ascending
	partitions []int32 // numbers from 1, ascending
}

// plain reports whether the component is one class with one partition.
func (c *component) plain() bool { return len(c.classes) == 1 && len(c.partitions) == 1 }

// mixed reports whether a class of the component serves partitions that allocate whole nodes and others that allocate processors:
// then it matters on which nodes jobs run, and a number of free processors says too little.
func (c *component) mixed(p *sim.Platform) bool {
	for _, class := range c.classes {
		whole, cores := false, false
		for _, n := range c.partitions {
			if q := p.Partition(n); slices.Contains(q.Classes, class) {
				whole, cores = whole || q.Whole, cores || !q.Whole
			}
		}
		if whole && cores && p.Clusters[class].Cores > 1 {
			return true
		}
	}
	return false
}

// components are those of a divided platform, in order of their first class: one where all partitions share something. Classes without a
// partition are in none.
func components(p *sim.Platform, share bool) []component {
	var all []component
	for i := range p.Partitions {
		joined := component{classes: slices.Clone(p.Partitions[i].Classes), partitions: []int32{int32(i + 1)}}
		all = slices.DeleteFunc(all, func(c component) bool {
			if !share && !slices.ContainsFunc(c.classes, func(class int) bool {
				return slices.Contains(joined.classes, class)
			}) {
				return false
			}
			joined.classes, joined.partitions = append(joined.classes, c.classes...), append(joined.partitions, c.partitions...)
			return true
		})
		slices.Sort(joined.classes)
		slices.Sort(joined.partitions)
		joined.classes = slices.Compact(joined.classes)
		all = append(all, joined)
	}
	slices.SortFunc(all, func(a, b component) int { return a.classes[0] - b.classes[0] })
	return all
}
