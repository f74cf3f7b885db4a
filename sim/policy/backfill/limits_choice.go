package backfill

import (
	"slices"

	"schedsweep/sim"
)

// choice is the least that a job gets on a class, or on any class.
type choice struct {
	sim.Uses
	class int
}

// all reports whether something is true of all choices.
func all(choices []choice, is func(choice) bool) bool {
	return !slices.ContainsFunc(choices, func(c choice) bool { return !is(c) })
}

// choose fills x.on with the least that j gets: on whole nodes an entry for each class that has enough of them, else one.
func (x *ofJob) choose(s *sim.State, j *sim.Job) {
	x.on = x.on[:0]
	on := s.Platform()
	if !on.Divided() {
		x.on = append(x.on, choice{sim.Uses{Jobs: 1, Procs: int64(j.Procs())}, -1})
		return
	}
	k := s.ChunkOf(j)
	for _, c := range on.Partition(j.Partition()).Classes {
		class := &on.Clusters[c]
		if w := int64(class.WidthOn(&k)); !k.Whole {
			x.on = append(x.on, choice{sim.Uses{Jobs: 1, Procs: w, GPUs: int64(k.Count) * int64(k.GPUs)}, -1})
			return
		} else if w > 0 {
			x.on = append(x.on, choice{sim.Uses{Jobs: 1, Procs: w, GPUs: w / int64(class.Cores) * int64(class.GPUs)}, c})
		}
	}
}

// only returns the classes on which j may have a place now, in the order of its partition; nil for all.
func (l *limits) only(j *sim.Job) (classes []int) {
	if l.anywhere(j) {
		return nil
	}
	x, closed := &l.jobs[j.Slot()], l.closed(j)
	for _, c := range x.on {
		if closed == 0 || x.exceeds(c.Uses) == nil {
			classes = append(classes, c.class)
		}
	}
	return classes
}

// anywhere reports whether j may have a place on all classes of its partition now.
func (l *limits) anywhere(j *sim.Job) bool {
	return l == nil || !l.jobs[j.Slot()].barred && l.closed(j) == 0
}

// never reports whether limits never admit j on a class of its partition, and admit it on another.
func (l *limits) never(j *sim.Job, class int) bool {
	return l != nil && l.jobs[j.Slot()].barred && l.jobs[j.Slot()].choice(class) == nil
}

// bars reports whether j may have no place on a class now: limits never admit it there, or it would exceed one there, and not on another.
func (l *limits) bars(j *sim.Job, class int) bool {
	if l == nil || class < 0 {
		return false
	}
	x := &l.jobs[j.Slot()]
	c := x.choice(class)
	if c == nil || x.exceeds(c.Uses) == nil {
		return c == nil && x.barred
	}
	return l.closed(j) > 0
}

// stops reports whether a limit keeps j from a start now on a class, or on all classes.
func (l *limits) stops(j *sim.Job, class int) bool { return l.over(j) || l.bars(j, class) }

// choice is the one of a class, nil for none.
func (x *ofJob) choice(class int) *choice {
	for i := range x.on {
		if x.on[i].class == class {
			return &x.on[i]
		}
	}
	return nil
}

// closed is the number of classes on which j would exceed a limit now. It is 0 where it would on all.
func (l *limits) closed(j *sim.Job) (n int) {
	if l == nil || len(l.jobs[j.Slot()].on) < 2 {
		return 0
	}
	x := &l.jobs[j.Slot()]
	for i := range x.on {
		if x.exceeds(x.on[i].Uses) != nil {
			n++
		}
	}
	return n % len(x.on)
}
