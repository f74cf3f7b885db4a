package backfill_test

import "slices"

// plan brings the plan up to date and starts the jobs that are due.
func (b *brute) plan(learned bool) {
	take := func(j *bruteJob, last int) {
		if b.earliest(j, last) {
			b.places = append(b.places, j)
		}
	}
	switch {
	case learned:
		b.places = nil
		for _, j := range b.waiting {
			take(j, never)
		}
	default:
		moved := false
		for _, j := range b.waiting {
			if old := j.start; b.early && !slices.Contains(b.fresh, j) && (j.start > b.now || j.start < 0 || !b.counted) {
				b.again(j)
				moved = moved || j.start != old
			}
		}
		for _, j := range b.waiting { // others may have left room for a job that the caps did not admit beside them
			if moved && j.start < 0 && !slices.Contains(b.fresh, j) {
				b.again(j)
			}
		}
		for _, j := range b.fresh {
			take(j, never)
		}
	}
	for again := true; again; {
		again = false
		for _, j := range slices.Clone(b.waiting) {
			if j.start != b.now || b.within && b.order.SubmitFirst && (b.limited(j) || b.closed(j)) { // an end at this instant may help
				continue
			}
			held := b.hold(j)
			if again = again || held; !held && b.closed(j) { // another class
				again, b.places = true, slices.DeleteFunc(b.places, func(k *bruteJob) bool { return k == j })
				take(j, never)
			}
			if !held && j.start == b.now && b.lit(j) && b.vacant(j) {
				b.start(j)
			}
		}
		for _, j := range b.waiting {
			if again && (j.start > b.now || j.start < 0 || !b.counted) {
				b.again(j)
			}
		}
	}
}

// again gives j its earliest place anew, and leaves it where it is if others are later.
func (b *brute) again(j *bruteJob) {
	old := *j
	b.places = slices.DeleteFunc(b.places, func(k *bruteJob) bool { return k == j })
	if b.earliest(j, never) && (old.start < 0 || j.start <= old.start) {
		b.places = append(b.places, j)
	} else if old.start >= 0 {
		if (b.on.Cap == nil || b.dark == nil) && b.limits == nil {
			panic("a job has lost its place")
		}
		*j = old
		b.places = append(b.places, j)
	}
}
