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
	need, planned, uses := 0, j.count, j.uses
	for _, c := range b.classes(j) {
		b.place(j, c, never*2)
		need = max(need, j.count)
	}
	j.count, j.uses = planned, uses
	return l.Jobs > 0 && b.have(l, j, b.running, nil)+1 > l.Jobs ||
		l.Procs > 0 && b.have(l, j, b.running, func(k *bruteJob) int { return k.count })+int64(need) > l.Procs
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
