package lomarc

import "schedsweep/sim/policy/timeslice"

// matches is what is known of a waiting job as the primary of others that wait.
// Nothing of that changes while they do, so each pair is considered once, and
// groups are formed anew only after some candidate came or went or when another
// number of idle nodes bounds them.
type matches struct {
	of     int64   // number of the primary; its slot may be another's by now
	upTo   int64   // jobs up to this number have been considered
	found  []match // those that pass step 1, in the order of submission
	most   int     // nodes of all matched of which groups were formed; -1: none were
	groups []group
	sets   []member // of groups
}

// match is a candidate, and the number of its job.
type match struct {
	member
	seq int64
}

// recall finds the candidates for a primary that waits. It takes time in the jobs
// submitted since it was asked about this primary last, and in those that were
// found then.
func (l *Policy) recall(v *timeslice.VM, primary *member) *matches {
	p := primary.job
	for int(p.Slot) >= len(l.known) {
		l.known = append(l.known, matches{of: -1})
	}
	k := &l.known[p.Slot]
	if k.of != p.Seq {
		*k = matches{of: p.Seq, upTo: -1, most: -1, found: k.found[:0], groups: k.groups, sets: k.sets}
	}
	n := 0
	for i := range k.found {
		if m := &k.found[i]; m.job.Seq == m.seq && m.job.Unit == nil {
			if n < i {
				k.found[n] = *m
			}
			n++
		}
	}
	if n < len(k.found) {
		k.found, k.most = k.found[:n], -1
	}
	i := len(v.Waiting)
	for i > 0 && v.Waiting[i-1].Seq > k.upTo {
		i--
	}
	for _, w := range v.Waiting[i:] {
		if w == p {
			continue
		}
		m := l.waitingMember(w)
		if l.suits(primary, &m) {
			k.found, k.most = append(k.found, match{m, w.Seq}), -1
		}
	}
	k.upTo = v.Waiting[len(v.Waiting)-1].Seq
	return k
}

// formWaiting forms the groups of a waiting primary with others that wait, of no
// more nodes than are idle.
func (l *Policy) formWaiting(v *timeslice.VM, primary *member, idle int) {
	k := l.recall(v, primary)
	l.count(len(k.found))
	if len(k.found) == 0 {
		return
	}
	if most := min(idle, l.limit(primary)); most != k.most {
		l.candidates = l.candidates[:0]
		for i := range k.found {
			l.candidates = append(l.candidates, k.found[i].member)
		}
		n := len(l.groups)
		l.form(*primary, nil, room{most: most})
		k.groups, k.sets, k.most = k.groups[:0], k.sets[:0], most
		for _, g := range l.groups[n:] {
			i := len(k.sets)
			k.sets = append(k.sets, g.matched...)
			g.matched = k.sets[i:]
			k.groups = append(k.groups, g)
		}
		return
	}
	for _, g := range k.groups {
		g.matched = l.copied(g.matched)
		l.groups = append(l.groups, g)
	}
}
