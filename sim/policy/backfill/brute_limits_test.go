package backfill_test

import (
	"slices"

	"schedsweep/sim"
)

// have counts the jobs among these that a limit counts with j, or adds up something of them.
func (b *brute) have(l *sim.Limit, j *bruteJob, of []*bruteJob, what func(*bruteJob) int) (n int64) {
	about := func(k *bruteJob) bool { return len(l.Of) == 0 || k.User == l.Of[0].Number }
	if !about(j) {
		return -never
	}
	for _, k := range of {
		switch {
		case !about(k) || l.Each == sim.OfUser && k.User != j.User:
		case what == nil:
			n++
		default:
			n += int64(what(k))
		}
	}
	return n
}

// over reports whether j, with what it gets on its class, would exceed a limit beside the jobs of a list.
func (b *brute) over(l *sim.Limit, j *bruteJob, beside []*bruteJob) bool {
	return l.Running.Jobs > 0 && b.have(l, j, beside, nil)+1 > l.Running.Jobs ||
		l.Running.Procs > 0 && b.have(l, j, beside, func(k *bruteJob) int { return k.count })+int64(j.count) > l.Running.Procs ||
		l.Running.GPUs > 0 && b.have(l, j, beside, b.gpus)+int64(b.gpus(j)) > l.Running.GPUs
}

// admitted reports whether a class is large enough for j, and limits admit it there beside the jobs of a list. With reject other limits
// than rejecting ones do not count.
func (b *brute) admitted(j *bruteJob, class int, beside []*bruteJob, reject bool) bool {
	try := *j
	b.place(&try, class, never*2)
	return try.count > 0 && !slices.ContainsFunc(b.limits, func(l sim.Limit) bool {
		return (l.Reject || !reject) && b.over(&l, &try, beside)
	})
}

// classes returns the classes on which j may run, -1 for a machine that is not divided. On whole nodes these are the classes where limits
// admit the job if nothing else runs: where there are some.
func (b *brute) classes(j *bruteJob) []int {
	if j.open != nil {
		return j.open
	}
	if j.open = []int{-1}; len(b.on.Partitions) > 0 {
		if j.open = b.on.Partition(j.Partition).Classes; b.on.Partition(j.Partition).Whole && b.limits != nil {
			barred := func(c int) bool { return !b.admitted(j, c, nil, false) }
			if open := slices.DeleteFunc(slices.Clone(j.open), barred); len(open) > 0 {
				j.open = open
			}
		}
	}
	return j.open
}

// gpus are the GPUs of the job's place: what it uses, or those of its whole nodes.
func (b *brute) gpus(j *bruteJob) (n int) {
	for _, u := range j.uses {
		if b.on.Partition(j.Partition).Whole {
			n += int(b.on.Clusters[u.class].GPUs)
		} else {
			n += u.gpus
		}
	}
	return n
}

// admitting returns the classes of j on which no limit would be exceeded if it started now.
func (b *brute) admitting(j *bruteJob) []int {
	if b.limits == nil {
		return b.classes(j)
	}
	return slices.DeleteFunc(slices.Clone(b.classes(j)), func(c int) bool { return !b.admitted(j, c, b.running, false) })
}

// tries returns the classes on which a place for j is sought now: those where no limit holds it, or all where limits hold it on all.
func (b *brute) tries(j *bruteJob) []int {
	if open := b.admitting(j); len(open) > 0 {
		return open
	}
	return b.classes(j)
}

// closed reports whether a limit keeps j off the class of its place, and admits it on another.
func (b *brute) closed(j *bruteJob) bool {
	return b.limits != nil && !b.nodesOfAll(j) && !slices.Contains(b.tries(j), j.class)
}

// nodesOfAll reports whether j may have nodes of several classes.
func (b *brute) nodesOfAll(j *bruteJob) bool {
	return len(b.on.Partitions) > 0 && b.on.Partition(j.Partition).Span
}

func (b *brute) limited(j *bruteJob) bool { return len(b.admitting(j)) == 0 }

// hold takes a waiting job out if a limit holds it.
func (b *brute) hold(j *bruteJob) bool {
	if !b.limited(j) {
		return false
	}
	gone := func(k *bruteJob) bool { return k == j }
	b.waiting, b.places, b.held = slices.DeleteFunc(b.waiting, gone), slices.DeleteFunc(b.places, gone), append(b.held, j)
	return true
}

// release lets jobs wait again that no limit holds any more.
func (b *brute) release() {
	b.held = slices.DeleteFunc(b.held, func(j *bruteJob) bool {
		if b.limited(j) {
			return false
		}
		if b.hopeless(j) { // by now
			return true
		}
		j.start = -1
		b.waiting, b.fresh = append(b.waiting, j), append(b.fresh, j)
		return true
	})
}
