package backfill_test

import (
	"math"
	"slices"

	"schedsweep/sim"
)

func has(procs []sim.Span, p int) bool {
	return slices.ContainsFunc(procs, func(sp sim.Span) bool { return int(sp.Lo) <= p && p <= int(sp.Hi) })
}

// open reports whether j may hold a processor from start to its walltime, for all that is known of events.
func (b *brute) open(j *bruteJob, p, start int) bool {
	if b.dark != nil && (start < b.dark.ready(p, b.now) || b.dark.lit && b.dark.nodes[b.dark.of[p]].is != "on") {
		return false
	}
	for i := range b.events {
		o := &b.events[i]
		if !b.known[i] || b.gone[i] || !has(o.Procs, p) || o.Kind == sim.Reserved && slices.Contains(o.For.Users, j.User) {
			continue
		}
		end := b.from(start) + j.Walltime
		if b.after && o.Kind != sim.Drained && o.From < end && o.Until > float64(start) {
			return false
		}
		for t := start; t < start+int(j.Walltime); t++ {
			if int(o.From) <= t && t < int(o.Until) && (t == start || o.Kind != sim.Drained) {
				return false
			}
		}
	}
	return true
}

// eligible reports whether j may start at an instant of the first day: its walltime ends it before the next session.
func (b *brute) eligible(j *bruteJob, start int) bool {
	if b.sessions == nil {
		return true
	}
	const day = 24 * 3600
	begin, longest, until := math.Inf(-1), 0., math.Inf(1)
	for d := -1.; d <= 1; d++ {
		for _, s := range b.sessions {
			switch at := d*day + s.Begin; {
			case at > float64(start):
				until = min(until, at)
			case at > begin:
				begin, longest = at, s.Longest
			}
		}
	}
	left := until - b.from(start)
	return j.Walltime <= left && (longest == 0 || j.Walltime <= longest)
}

// from returns the start of a place: an instant, or the next moment after it.
func (b *brute) from(start int) float64 {
	if b.after {
		return math.Nextafter(float64(start), math.Inf(1))
	}
	return float64(start)
}

// free reports whether processor p is free of other jobs from start on for the walltime of j, according to walltimes.
func (b *brute) free(j *bruteJob, p, start int) bool {
	for _, k := range b.running {
		if start == b.now && !b.after && b.late(k) && slices.Contains(k.procs, p) {
			return false
		}
	}
	for _, k := range slices.Concat(b.running, b.places) {
		if k != j && slices.Contains(k.procs, p) && float64(k.start) < b.from(start)+j.Walltime && start < k.start+int(k.Walltime) {
			return false
		}
	}
	return true
}

// place finds room for j on a class from start on: processors, or as many numbers as it takes where they are alike.
func (b *brute) place(j *bruteJob, class, start int) ([]int, bool) {
	if b.nodes {
		classes := b.on.Partitions[j.Partition-1].Classes
		if !b.on.Partitions[j.Partition-1].Span {
			classes = []int{class}
		}
		return nil, b.vectors(j, classes, start)
	}
	lo, hi, need, node, whole := 0, b.on.Procs(), int(j.Procs), 1, false
	if class >= 0 {
		lo, hi = b.on.First(class), b.on.First(class+1)
		if whole = b.on.Partitions[j.Partition-1].Whole; whole {
			node = b.on.Clusters[class].Cores
			need = (need + node - 1) / node * node
		}
	}
	if j.count = 0; need > hi-lo && whole { // the class is too small for j, so no limit counts its nodes
		return nil, false
	}
	j.count = need
	if b.counted {
		return nil, b.room(j, lo, hi, need, start)
	}
	var got []int
	if b.dark != nil && b.dark.first {
		for _, off := range []bool{false, true} {
			for n := lo; n < hi && len(got) < need; n += node {
				is := b.dark.nodes[b.dark.of[n]].is
				if off == (is == "off" || is == "shutdown") {
					b.node(j, n, node, need, start, &got)
				}
			}
		}
		return got, len(got) == need
	}
	if b.rule == "" {
		for n := lo; n < hi && len(got) < need; n += node {
			b.node(j, n, node, need, start, &got)
		}
		return got, len(got) == need
	}
	for n := lo; n < hi; n += node {
		b.node(j, n, node, hi-lo, start, &got)
	}
	return b.choose(got, need, class)
}

// choose takes as many of the free processors, in ascending order, as the rule of placement allows.
func (b *brute) choose(free []int, need, class int) ([]int, bool) {
	var groups [][]int // of neighbours, or by cluster
	near := b.rule == "contiguous" || b.rule == "best-effort-contiguous"
	for i, p := range free {
		switch {
		case i > 0 && near && p == free[i-1]+1, i > 0 && !near && (class >= 0 || b.on.ClusterOf(p) == b.on.ClusterOf(free[i-1])):
			groups[len(groups)-1] = append(groups[len(groups)-1], p)
		default:
			groups = append(groups, []int{p})
		}
	}
	switch b.rule {
	case "contiguous":
		groups = slices.DeleteFunc(groups, func(g []int) bool { return len(g) < need })
	case "best-effort-contiguous", "best-effort-local", "local":
		slices.SortStableFunc(groups, func(x, y []int) int { return len(y) - len(x) })
	}
	if size := b.on.Clusters[0].Procs(); b.rule == "local" && class < 0 {
		groups = groups[:min(len(groups), (need+size-1)/size)]
	}
	all := slices.Concat(groups...)
	if len(all) < need {
		return nil, false
	}
	return all[:need], true
}

// node takes processors of a node, or one processor, if all are free.
func (b *brute) node(j *bruteJob, n, node, need, start int, got *[]int) {
	all := true
	for p := n; p < n+node; p++ {
		all = all && b.open(j, p, start) && b.free(j, p, start)
	}
	for p := n; all && p < n+node && len(*got) < need; p++ {
		*got = append(*got, p)
	}
}

// room reports whether enough processors of lo to hi-1 are free at each instant. If the job starts now, it also looks at the next moment:
// late jobs have gone then, and places that wait for their ends begin.
func (b *brute) room(j *bruteJob, lo, hi, need, start int) bool {
	free := func(t int, next bool) (n int) {
		n = hi - lo
		for _, k := range slices.Concat(b.running, b.places) {
			if k != j && b.first(k) == lo && k.start <= t && t < k.start+int(k.Walltime) && (next || !k.after) {
				n -= k.count
			}
		}
		for _, k := range b.running {
			if !next && b.late(k) && b.first(k) == lo {
				n -= k.count
			}
		}
		return n
	}
	if start == b.now && !b.after && free(start, false) < need {
		return false
	}
	for t := start; t < start+int(j.Walltime); t++ {
		if free(t, true) < need {
			return false
		}
	}
	return b.open(j, lo, start)
}

func (b *brute) first(j *bruteJob) int {
	if j.class < 0 {
		return 0
	}
	return b.on.First(j.class)
}

// earliest gives j the earliest place, from now to last.
func (b *brute) earliest(j *bruteJob, last int) bool {
	if j.start = -1; b.on.Cap != nil {
		last = min(last, b.now+300) // a longer search finds nothing
	}
	classes := b.tries(j)
	j.after = false
	for t := b.now; t <= last; t++ {
		if b.earliestAt(j, classes, t, last) {
			return true
		}
		if t == b.now && last > t && slices.ContainsFunc(b.running, b.late) {
			b.after = true // the next moment that there is
			j.after = b.earliestAt(j, classes, t, last)
			if b.after = false; j.after {
				return true
			}
		}
	}
	return false
}

// late reports whether EASY, which sees a job that is to end now and still runs, expects its end at the next moment.
func (b *brute) late(j *bruteJob) bool { return !b.conservative && j.start+int(j.Walltime) == b.now }

// earliestAt gives j a place on one of these classes at a time if there is one.
func (b *brute) earliestAt(j *bruteJob, classes []int, t, last int) bool {
	for _, c := range classes {
		procs, ok := b.place(j, c, t)
		j.class, j.procs = c, procs
		if ok && b.eligible(j, t) && b.capped(j, c, t, procs) && (t > b.now || last > b.now || b.vacant(j)) {
			j.start = t
			for i, u := range j.uses {
				if i == 0 || u.class < j.class {
					j.class = u.class
				}
			}
			return true
		}
	}
	return false
}

// soonest returns the time when j can start on nodes that are on: now, or never.
func (b *brute) soonest(j *bruteJob) int {
	if b.dark != nil {
		b.dark.lit = true
		defer func() { b.dark.lit = false }()
	}
	if b.earliest(j, b.now) {
		return j.start
	}
	return never
}

// vacant reports whether no job has the place of j that has not ended yet at this instant.
func (b *brute) vacant(j *bruteJob) bool {
	if b.nodes || b.order.Pass == sim.PassPerInstant {
		return true
	}
	if !b.counted {
		return !slices.ContainsFunc(j.procs, b.busy)
	}
	n := b.on.Procs()
	if j.class >= 0 {
		n = b.on.Clusters[j.class].Procs()
	}
	for _, k := range b.running {
		if b.first(k) == b.first(j) {
			n -= k.count
		}
	}
	return n >= j.count
}

// busy reports whether a job runs on a processor.
func (b *brute) busy(p int) bool {
	return slices.ContainsFunc(b.running, func(k *bruteJob) bool { return slices.Contains(k.procs, p) })
}

// lit reports whether all nodes of the place of j are on.
func (b *brute) lit(j *bruteJob) bool {
	return b.dark == nil || !slices.ContainsFunc(j.procs, func(p int) bool { return b.dark.nodes[b.dark.of[p]].is != "on" })
}
