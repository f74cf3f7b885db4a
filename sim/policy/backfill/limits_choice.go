package backfill

import (
	"slices"

	"schedsweep/sim"
)

// all reports whether something is true of all choices.
func all(choices []sim.Choice, is func(sim.Choice) bool) bool {
	return !slices.ContainsFunc(choices, func(c sim.Choice) bool { return !is(c) })
}

// only returns the classes on which j may have a place now, in the order of its partition; nil for all.
func (l *limits) only(j *sim.Job) (classes []int) {
	if l.anywhere(j) {
		return nil
	}
	x, closed := &l.jobs[j.Slot()], l.closed(j)
	for _, c := range x.on {
		if closed == 0 || x.exceeds(c.Uses) == nil {
			classes = append(classes, c.Class)
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
func (x *ofJob) choice(class int) *sim.Choice {
	for i := range x.on {
		if x.on[i].Class == class {
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
