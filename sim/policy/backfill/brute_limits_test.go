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

// over reports whether j would exceed a limit beside the running jobs.
func (b *brute) over(l *sim.Limit, j *bruteJob) bool {
	procs, gpus, planned, uses := 0, 0, j.count, j.uses
	for _, c := range b.classes(j) {
		if b.place(j, c, never*2); j.count > 0 { // else what it uses is a part of what it needs
			procs, gpus = max(procs, j.count), max(gpus, b.gpus(j))
		}
	}
	j.count, j.uses = planned, uses
	return l.Running.Jobs > 0 && b.have(l, j, b.running, nil)+1 > l.Running.Jobs ||
		l.Running.Procs > 0 && b.have(l, j, b.running, func(k *bruteJob) int { return k.count })+int64(procs) > l.Running.Procs ||
		l.Running.GPUs > 0 && b.have(l, j, b.running, b.gpus)+int64(gpus) > l.Running.GPUs
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
	return slices.ContainsFunc(b.limits, func(l sim.Limit) bool { return b.over(&l, j) })
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
