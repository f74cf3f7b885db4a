package lomarc

import (
	"math"
	"math/bits"

	"schedsweep/sim/studies/zeng2009/timeslice"
)

// matches is what is known of a waiting job as the primary of others that wait.
// Nothing of that changes while they do, so each pair is considered once. Groups
// are formed anew only after one of those candidates left that they were formed
// of, a block or two of many, or when the idle nodes allow others.
//
// In a long queue candidates are many, and so are primaries. A candidate is a bit
// here, and what it is like is computed again when groups are formed: the
// candidates of all that wait take an eighth of a byte for a pair, and what has
// become of them since the last time is seen 64 at once. Pairs are as many as
// candidates: they are formed anew whenever they are asked about one by one.
type matches struct {
	of     int64 // number of the primary; its slot may be another's by now
	upTo   int   // jobs up to this number of the class have been considered
	base   int   // of the first word of found
	found  []uint64
	count  int       // of candidates
	formed bool      // groups have been,
	read   int       // of the candidates up to this number,
	fits   startable // with as many idle nodes as were asked for
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
		*k = matches{of: p.Seq(), upTo: -1, base: q.base, found: k.found[:0], groups: k.groups, sets: k.sets}
	}
	k.follow(q)
	i := len(v.Waiting)
	for i > 0 && v.Waiting[i-1].Number > k.upTo {
		i--
	}
	for _, w := range v.Waiting[i:] {
		if w == p {
			continue
		}
		m := l.waitingMember(w)
		if l.suits(primary, &m) {
			at := w.Number - k.base<<6
			k.found[at>>6] |= 1 << (at & 63)
			k.count++
			k.formed = k.formed && w.Number > k.read
		}
	}
	k.upTo = v.Waiting[len(v.Waiting)-1].Number
	return k
}

// follow drops the candidates that have left the line.
func (k *matches) follow(q *line) {
	k.count = 0
	for i, f := range k.found {
		stay := uint64(0)
		if at := k.base + i - q.base; at >= 0 && at < len(q.set) {
			stay = f & q.set[at]
		}
		if left := f &^ stay; left != 0 && (k.base+i)<<6+bits.TrailingZeros64(left) <= k.read {
			k.formed = false
		}
		k.found[i] = stay
		k.count += bits.OnesCount64(stay)
	}
	k.found = k.found[:copy(k.found, k.found[min(q.base-k.base, len(k.found)):])]
	k.base, k.found = q.base, k.found[:min(len(k.found), len(q.set))]
	for len(k.found) < len(q.set) {
		k.found = append(k.found, 0)
	}
}

// has reports whether the waiting job is a candidate.
func (k *matches) has(j *timeslice.Job) bool {
	i := j.Number - k.base<<6
	return i>>6 < len(k.found) && k.found[i>>6]>>(i&63)&1 == 1
}

// readOn makes the next candidates members of l.candidates, until there are n.
func (k *matches) readOn(l *Policy, primary *member, n int) {
	for len(l.candidates) < n {
		j := l.line.next(k.found, k.read+1)
		if j == nil {
			k.read = math.MaxInt - 1 // later ones, too, would have been read
			return
		}
		m := l.waitingMember(j)
		l.consider(primary, &m)
		k.read = j.Number
	}
}

// formWaiting finds the groups of a waiting primary with others that wait, of no
// more nodes than are idle.
func (l *Policy) formWaiting(v *timeslice.VM, primary *member, idle int) *matches {
	k := l.recall(v, primary)
	l.count(k.count)
	if !k.formed || idle < k.fits.held || idle >= k.fits.failed {
		l.formAnew(k, primary, idle)
	}
	return k
}

// formAnew notes the groups of a primary with its candidates.
func (l *Policy) formAnew(k *matches, primary *member, idle int) {
	n := len(l.groups)
	l.formOf(k, primary, idle)
	formed := l.groups[n:]
	l.groups = l.groups[:n]
	if !l.first && !l.pairs { // no two pairs are the same
		byGain(formed)
	}
	k.formed, k.groups, k.sets, k.asked, k.lasts = true, k.groups[:0], k.sets[:0], 0, math.Inf(1)
	for i := range formed {
		g := &formed[i]
		if g.lay(); i == 0 || !g.same(&formed[i-1]) {
			k.asked++
		}
		k.lasts = min(k.lasts, l.lasts(g))
		if l.pairs {
			continue
		}
		at := len(k.sets)
		k.sets = append(k.sets, g.matched...)
		k.groups = append(k.groups, *g)
		k.groups[i].matched = k.sets[at:]
	}
}

// formOf adds the groups of a primary with its candidates to l.groups.
func (l *Policy) formOf(k *matches, primary *member, idle int) {
	l.candidates, k.read = l.candidates[:0], -1
	b := builder{primary: *primary, fits: startable{most: idle, failed: math.MaxInt}, more: k}
	l.form(&b)
	k.fits = b.fits
}

// propose adds the groups to those to choose from.
func (l *Policy) propose(k *matches, primary *member, idle int) {
	if l.pairs && k.asked > 0 {
		l.formOf(k, primary, idle)
	}
	for _, g := range k.groups {
		g.matched = l.copied(g.matched)
		l.groups = append(l.groups, g)
	}
}
