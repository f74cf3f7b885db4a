package lomarc

import (
	"cmp"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/policy/timeslice"
)

// startBest starts the group of the greatest gain that is fair, or the first
// that is, of variants that take the first match. It reports whether there was
// one.
func (l *Policy) startBest(s *sim.State, v *timeslice.VM, t float64) bool {
	if !l.first {
		slices.SortStableFunc(l.groups, func(a, b group) int { return cmp.Compare(b.gain, a.gain) })
	}
	for i := range l.groups {
		g := &l.groups[i]
		if len(g.matched) == 0 {
			v.Resize(g.primary.job, g.primary.ppn)
			l.Start(s, v, g.primary.job)
			return true
		}
		if i > 0 && g.same(&l.groups[i-1]) {
			continue // another window, purified to the same group
		}
		if l.fair(v, g, s.Now(), t) {
			l.start(s, v, g)
			return true
		}
		l.stats.unfair++
	}
	return false
}

// fair is step 6. It plans the class anew with the group, and says no when some
// waiting job outside of it starts later than it was planned to and is expected
// to respond later than F_slack times its estimate.
func (l *Policy) fair(v *timeslice.VM, g *group, now, t float64) bool {
	if l.p.Fairness == "off" {
		return true
	}
	if now := (basis{v.Class, v.Changes, t}); now != l.basis {
		v.Started(&l.started, t)
		l.basis = now
	}
	l.trial.Copy(&l.started)
	if u := g.primary.job.Unit; u != nil {
		v.Without(&l.trial, u, t)
	}
	for i := range g.matched {
		if u := g.matched[i].job.Unit; u != nil {
			v.Without(&l.trial, u, t)
		}
	}
	l.hold(g, t)
	for _, j := range v.Waiting {
		if j == g.primary.job || holds(g.matched, j) {
			continue
		}
		start := l.trial.Earliest(t, j.Nodes, j.Length)
		l.trial.Add(start, start+j.Length, -j.Nodes)
		if !timeslice.Later(start, j.Start) {
			continue
		}
		response := l.P.Real(j.Class, now, start+j.Length-t) - j.Submit
		if l.p.Fairness == "scaled" {
			response *= l.P.EstimateFactor
		}
		if response > l.p.Slack*j.Estimate {
			return false
		}
	}
	return true
}

// hold enters the group's nodes into the trial plan until their last job ends.
func (l *Policy) hold(g *group, t float64) {
	con := l.Contention()
	o := play(&g.primary, g.matched)
	g.lay()
	end := o.total
	if rest := g.primary.left - o.work; rest > 0 {
		end += rest * con.Alone(&g.primary.job.JobSpec, g.primary.most())
	}
	bare := g.primary.nodes
	for i := range g.matched {
		m := &g.matched[i]
		last := m.left * m.slow
		if last > o.total {
			last = o.total + (m.left-o.total/m.slow)*con.Alone(&m.job.JobSpec, m.most())
		}
		shared := min(bare, m.nodes)
		bare -= shared
		l.trial.Add(t, t+max(last, end), -shared)
		l.trial.Add(t, t+last, shared-m.nodes)
	}
	l.trial.Add(t, t+end, -bare)
}

// start gives the group its nodes: those of its running jobs, and idle ones for
// what is missing. The matched jobs lie one after the other on the primary's.
func (l *Policy) start(s *sim.State, v *timeslice.VM, g *group) {
	var nodes []int
	list := func(on timeslice.Set) {
		on.Each(func(n int) bool { nodes = append(nodes, n); return true })
	}
	g.lay()
	p := g.primary.job
	jobs := make([]*timeslice.Job, len(g.matched))
	for i := range g.matched {
		jobs[i] = g.matched[i].job
		if jobs[i].Unit != nil {
			list(jobs[i].On)
		}
	}
	if p.Unit != nil {
		list(p.On)
	}
	if need := max(g.primary.nodes, g.nodes) - len(nodes); need > 0 {
		l.extra = l.extra.Resized(l.Nodes())
		l.Claim(v, need, l.extra)
		list(l.extra)
	}
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
	slices.SortFunc(g.matched, func(a, b member) int {
		return cmp.Or(cmp.Compare(a.nodes, b.nodes), cmp.Compare(a.job.Seq, b.job.Seq))
	})
}

// same reports whether both groups have the same jobs in the same roles.
func (g *group) same(h *group) bool {
	return g.primary.job == h.primary.job && g.gain == h.gain && slices.EqualFunc(g.matched, h.matched, func(a, b member) bool { return a.job == b.job })
}
