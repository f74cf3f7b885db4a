package lomarc

import (
	"cmp"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/policy/placement"
	"schedsweep/sim/studies/zeng2009/timeslice"
)

// startBest starts the group of the greatest gain that is fair, or the first
// that is, of variants that take the first match. It reports whether there was
// one.
func (l *Policy) startBest(s *sim.State, v *timeslice.VM, t float64) bool {
	if !l.first {
		byGain(l.groups)
	}
	for i := range l.groups {
		g := &l.groups[i]
		if len(g.matched) == 0 {
			v.Resize(g.primary.job, g.primary.ppn)
			l.Start(s, v, g.primary.job)
			return true
		}
		if g.lay(); i > 0 && g.same(&l.groups[i-1]) {
			continue // another window, purified to the same group
		}
		if l.fair(v, g, s.Now(), t) {
			l.start(s, v, g)
			return true
		}
		l.stats.unfair++
	}
	l.groups = l.groups[:0] // refused ones are not checked again
	return false
}

// byGain sorts groups, the greatest gain first.
func byGain(groups []group) {
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(b.gain, a.gain) })
}

// start gives the group its nodes: those of its running jobs, and idle nodes in place of missing ones. The matched
// jobs lie one after the other on the primary's.
func (l *Policy) start(s *sim.State, v *timeslice.VM, g *group) {
	nodes := l.spots[:0]
	list := func(on placement.Set) {
		on.Each(func(n int) bool { nodes = append(nodes, n); return true })
	}
	g.lay()
	p := g.primary.job
	jobs := l.jobs[:0]
	for i := range g.matched {
		j := g.matched[i].job
		if jobs = append(jobs, j); j.Unit != nil {
			list(j.On)
		}
	}
	l.jobs = jobs
	if p.Unit != nil {
		list(p.On)
	}
	if need := max(g.primary.nodes, g.nodes) - len(nodes); need > 0 {
		l.extra = l.extra.Resized(l.Nodes())
		l.Claim(v, need, l.extra)
		list(l.extra)
	}
	l.spots = nodes
	if p.Unit == nil {
		l.place(p, nodes[:g.primary.nodes])
	}
	for i := range g.matched {
		if m := &g.matched[i]; m.job.Unit == nil {
			l.place(m.job, nodes[:m.nodes])
			nodes = nodes[m.nodes:]
		}
	}
	l.stats.groups++
	l.stats.members += 1 + len(jobs)
	l.StartGroup(s, v, p, jobs)
}

// place puts a waiting job on nodes.
func (l *Policy) place(j *timeslice.Job, nodes []int) {
	j.On.Clear()
	for _, n := range nodes {
		j.On.Add(n)
	}
	j.PPN = l.ppn
}

// lay puts the matched jobs in the order in which they lie on the primary's
// nodes. The widest comes last, so that each begins on one of them.
func (g *group) lay() {
	slices.SortStableFunc(g.matched, func(a, b member) int {
		return cmp.Or(cmp.Compare(a.nodes, b.nodes), cmp.Compare(a.job.Seq(), b.job.Seq()))
	})
}

// same reports whether both groups, which have been laid, have the same jobs in
// the same roles.
func (g *group) same(h *group) bool {
	return g.primary.job == h.primary.job && g.gain == h.gain &&
		slices.EqualFunc(g.matched, h.matched, func(a, b member) bool { return a.job == b.job })
}
