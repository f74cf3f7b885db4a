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

// over reports whether j would exceed a limit on these classes beside the jobs of a list. It counts what the job gets where it gets most.
func (b *brute) over(l *sim.Limit, j *bruteJob, classes []int, beside []*bruteJob) bool {
	procs, gpus, planned, uses := 0, 0, j.count, j.uses
	for _, c := range classes {
		if b.place(j, c, never*2); j.count > 0 { // else what it uses is a part of what it needs
			procs, gpus = max(procs, j.count), max(gpus, b.gpus(j))
		}
	}
	j.count, j.uses = planned, uses
	return l.Running.Jobs > 0 && b.have(l, j, beside, nil)+1 > l.Running.Jobs ||
		l.Running.Procs > 0 && b.have(l, j, beside, func(k *bruteJob) int { return k.count })+int64(procs) > l.Running.Procs ||
		l.Running.GPUs > 0 && b.have(l, j, beside, b.gpus)+int64(gpus) > l.Running.GPUs
}

// admitted reports whether a class is large enough for j, and limits admit it there beside the jobs of a list. With reject other limits
// than rejecting ones do not count.
func (b *brute) admitted(j *bruteJob, class int, beside []*bruteJob, reject bool) bool {
	try := *j
	b.place(&try, class, never*2)
	return try.count > 0 && !slices.ContainsFunc(b.limits, func(l sim.Limit) bool {
		return (l.Reject || !reject) && b.over(&l, j, []int{class}, beside)
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

func (b *brute) limited(j *bruteJob) bool {
	return slices.ContainsFunc(b.limits, func(l sim.Limit) bool { return b.over(&l, j, b.classes(j), b.running) })
}

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
