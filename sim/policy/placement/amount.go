package placement

import (
	"math"
	"slices"
)

// amount is an amount of the resources of a node.
type amount struct {
	cores, gpus int32
	memory      int64
}

// level holds the free resources of a node from a time on.
type level struct {
	at float64
	amount
}

func (l *amount) add(o *amount, sign int32) {
	l.cores, l.gpus, l.memory = l.cores+sign*o.cores, l.gpus+sign*o.gpus, l.memory+int64(sign)*o.memory
}

// least makes l the least of both.
func (l *amount) least(o *amount) {
	l.cores, l.gpus, l.memory = min(l.cores, o.cores), min(l.gpus, o.gpus), min(l.memory, o.memory)
}

// line is levels in order of time. The first holds from the beginning of the plan on, the last for ever.
type line []level

// find is the level in force at t.
func (l line) find(t float64) int {
	i := len(l) - 1
	for i > 0 && l[i].at > t {
		i--
	}
	return i
}

// change adds something, with a sign, from one time to another.
func (l *line) change(from, to float64, by *amount, sign int32) {
	if !(to > from) {
		return
	}
	i := l.cut(from)
	end := len(*l)
	if !math.IsInf(to, 1) {
		end = l.cut(to)
	}
	for k := i; k < end; k++ {
		(*l)[k].add(by, sign)
	}
	for _, k := range [2]int{end, i} {
		if k > 0 && k < len(*l) && (*l)[k].amount == (*l)[k-1].amount {
			*l = slices.Delete(*l, k, k+1)
		}
	}
}

// cut makes a level begin at t and returns its place.
func (l *line) cut(t float64) int {
	i := l.find(t)
	if (*l)[i].at >= t {
		return i
	}
	next := (*l)[i]
	next.at = t
	*l = slices.Insert(*l, i+1, next)
	return i + 1
}

// forget drops the levels before now.
func (l *line) forget(now float64) {
	*l = slices.Delete(*l, 0, l.find(now))
	(*l)[0].at = max((*l)[0].at, now)
}

// full is the time until which no core is free from the first level on, +Inf for ever, and -Inf where one is free at first.
func (l line) full() float64 {
	until := math.Inf(-1)
	for i := range l {
		if l[i].cores > 0 {
			return until
		}
		if until = math.Inf(1); i+1 < len(l) {
			until = l[i+1].at
		}
	}
	return until
}

// within is the least between two times.
func (l line) within(from, to float64) amount {
	i := l.find(from)
	out := l[i].amount
	for i++; i < len(l) && l[i].at < to; i++ {
		out.least(&l[i].amount)
	}
	return out
}
