package lomarc

import (
	"math"
	"math/bits"

	"schedsweep/sim/policy/timeslice"
)

// matches is what is known of a waiting job as the primary of others that wait.
// Nothing of that changes while they do, so each pair is considered once, and
// groups are formed anew only after some candidate came or went or when another
// number of idle nodes bounds them.
//
// In a long queue candidates are many, and so are primaries. A candidate is a bit
// here, and what it is like is computed again when groups are formed: the
// candidates of all that wait take an eighth of a byte for a pair, and what has
// become of them since the last time is seen 64 at once.
type matches struct {
	of     int64 // number of the primary; its slot may be another's by now
	upTo   int   // jobs up to this number of the class have been considered
	base   int   // of the first word of found
	found  []uint64
	count  int // of candidates
	most   int // nodes of all matched of which groups were formed; -1: none were
	groups []group
	sets   []member // of groups
	asked  int      // groups that are asked about when all are refused
	lasts  float64  // for how many s each of them takes the primary's nodes at least
}

// recall finds the candidates for a primary that waits. It takes time in the jobs
// submitted since it was asked about this primary last, and a 64th of it in those
// of the line.
func (l *Policy) recall(v *timeslice.VM, primary *member) *matches {
	p := primary.job
	for int(p.Slot()) >= len(l.known) {
		l.known = append(l.known, matches{of: -1})
	}
	l.line.update(v)
	q, k := &l.line, &l.known[p.Slot()]
	if k.of != p.Seq() {
		*k = matches{of: p.Seq(), upTo: -1, base: q.base, most: -1, found: k.found[:0], groups: k.groups, sets: k.sets}
	}
	k.found = k.found[:copy(k.found, k.found[min(q.base-k.base, len(k.found)):])]
	k.base, k.found = q.base, k.found[:min(len(k.found), len(q.set))]
	for len(k.found) < len(q.set) {
		k.found = append(k.found, 0)
	}
	count := 0
	for i, w := range q.set {
		k.found[i] &= w
		count += bits.OnesCount64(k.found[i])
	}
	i := len(v.Waiting)
	for i > 0 && v.Waiting[i-1].Number > k.upTo {
		i--
	}
	fresh := count != k.count
	for _, w := range v.Waiting[i:] {
		if w == p {
			continue
		}
		m := l.waitingMember(w)
		if l.suits(primary, &m) {
			at := w.Number - k.base<<6
			k.found[at>>6] |= 1 << (at & 63)
			count++
			fresh = true
		}
	}
	if k.count = count; fresh {
		k.most = -1
	}
	k.upTo = v.Waiting[len(v.Waiting)-1].Number
	return k
}

// has reports whether the waiting job is a candidate.
func (k *matches) has(j *timeslice.Job) bool {
	i := j.Number - k.base<<6
	return i>>6 < len(k.found) && k.found[i>>6]>>(i&63)&1 == 1
}

// formWaiting forms the groups of a waiting primary with others that wait, of no
// more nodes than are idle.
func (l *Policy) formWaiting(v *timeslice.VM, primary *member, idle int) *matches {
	k := l.recall(v, primary)
	l.count(k.count)
	most := min(idle, l.limit(primary))
	if most == k.most {
		return k
	}
	l.candidates = l.candidates[:0]
	l.line.each(k.found, func(j *timeslice.Job) {
		m := l.waitingMember(j)
		l.consider(primary, &m)
	})
	n := len(l.groups)
	l.form(*primary, nil, room{most: most})
	formed := l.groups[n:]
	l.groups = l.groups[:n]
	if !l.first && !l.pairs { // of pairs, which are many, no two are the same
		byGain(formed)
	}
	k.groups, k.sets, k.most, k.asked, k.lasts = k.groups[:0], k.sets[:0], most, 0, math.Inf(1)
	for i := range formed {
		g := &formed[i]
		if g.lay(); i == 0 || !g.same(&formed[i-1]) {
			k.asked++
		}
		k.lasts = min(k.lasts, l.lasts(g))
		at := len(k.sets)
		k.sets = append(k.sets, g.matched...)
		k.groups = append(k.groups, *g)
		k.groups[i].matched = k.sets[at:]
	}
	return k
}

// propose adds the groups to those to choose from.
func (l *Policy) propose(k *matches) {
	for _, g := range k.groups {
		g.matched = l.copied(g.matched)
		l.groups = append(l.groups, g)
	}
}
