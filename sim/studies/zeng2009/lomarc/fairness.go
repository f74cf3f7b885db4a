package lomarc

import (
	"cmp"
	"slices"

	"schedsweep/sim/studies/zeng2009/timeslice"
)

// margin is more than the seconds by which a plan may take two times for one.
const margin = 2e-6

// basis holds the inputs of a plan of started jobs.
type basis struct {
	class   timeslice.Class
	changes int
	time    float64
}

// victim is the waiting job for whose sake the last unfair group of its class was
// refused.
type victim struct {
	job *timeslice.Job
	seq int64 // the job's; its record may have become another's
}

// fair is step 6. It plans the class anew with the group. It returns false when some waiting job outside of the group
// starts later than planned and is expected to respond later than F_slack times its estimate.
//
// In the order of planned starts backfilled jobs keep their position, and a group that takes nothing from the plan
// delays no job. So fair refuses a group only for its own effect. In the order of submission jobs lose places to
// other jobs, which the same group or the new plan lets move up.
//
// Nearly all checked groups are unfair, and to the same unit as the last one: the check begins there, in time linear in
// the started units. A plan takes time in the waiting jobs times the length of the plan.
func (l *Policy) fair(v *timeslice.VM, g *group, now, t float64) bool {
	if l.p.Fairness == "off" {
		return true
	}
	l.survey(v, t)
	l.hold(g, t)
	if l.crowdsOut(v, g, now, t) {
		return false
	}
	j := l.wronged(g, now, t)
	if j != nil {
		l.victims[v.Class] = victim{j, j.Seq()}
	}
	return j == nil
}

// survey lists in l.releases what started jobs give back, in order of time, and
// in l.queue the waiting jobs in the order in which they are planned anew.
func (l *Policy) survey(v *timeslice.VM, t float64) {
	now := basis{v.Class, v.Changes, t}
	if now == l.basis {
		return
	}
	l.basis = now
	if l.queue = v.Waiting; l.p.FairnessOrder == "planned" {
		l.queue = v.InPlannedOrder()
	}
	l.releases = v.Releases(l.releases[:0])
	slices.SortStableFunc(l.releases, sooner)
}

func sooner(a, b timeslice.Release) int { return cmp.Compare(a.At, b.At) }

// wronged plans the class with the group and returns the first waiting job outside
// of it to which it is unfair, or nil.
func (l *Policy) wronged(g *group, now, t float64) *timeslice.Job {
	l.trial.Reset(l.Nodes(), t)
	for _, r := range l.releases {
		if r.Unit == nil || !g.owns(r.Unit) {
			l.trial.Reserve(t, r.At, r.Nodes)
		}
	}
	for _, r := range l.held {
		l.trial.Reserve(t, r.At, r.Nodes)
	}
	for _, j := range l.queue {
		if g.has(j) {
			continue
		}
		start := l.trial.Earliest(t, j.Nodes, j.Length)
		l.trial.Reserve(start, start+j.Length, j.Nodes)
		if l.wrongs(j, start, now, t) {
			return j
		}
	}
	return nil
}

// wrongs reports whether it is unfair to the waiting job j to start then.
func (l *Policy) wrongs(j *timeslice.Job, start, now, t float64) bool {
	if !timeslice.Later(start, j.Start) {
		return false
	}
	response := l.P.Real(j.Class, now, start+j.Length-t) - j.Submit()
	if l.p.Fairness == "scaled" {
		response *= l.P.EstimateFactor
	}
	return response > l.p.Slack*j.Estimate
}

// crowdsOut reports whether a group of waiting jobs is unfair to the last victim
// even if that were the next to start. Started jobs and the group only ever give
// nodes back, so it could start once as many are free as it needs; other waiting
// jobs can but make it later.
func (l *Policy) crowdsOut(v *timeslice.VM, g *group, now, t float64) bool {
	j := l.victims[v.Class].waits()
	if j == nil || g.runs() || g.has(j) {
		return false
	}
	held, free, start := l.held, l.Nodes(), t
	for _, r := range held {
		free -= r.Nodes
	}
	rest := l.releases
	for len(rest) > 0 && rest[0].At <= t {
		rest = rest[1:]
	}
	for _, r := range rest {
		free -= r.Nodes
	}
	for free < j.Nodes {
		first := &held
		if len(held) == 0 || len(rest) > 0 && rest[0].At < held[0].At {
			first = &rest
		}
		free, start = free+(*first)[0].Nodes, (*first)[0].At
		*first = (*first)[1:]
	}
	return l.wrongs(j, start-margin, now, t)
}

// waits returns the victim if it still does.
func (w *victim) waits() *timeslice.Job {
	if w.job == nil || w.job.Seq() != w.seq || w.job.Unit != nil {
		return nil
	}
	return w.job
}

// hold lists in l.held until when the group would hold how many nodes, the first
// to come free first.
func (l *Policy) hold(g *group, t float64) {
	con := l.Contention()
	g.lay()
	l.held = l.held[:0]
	until := func(n int, end float64) {
		if n > 0 && t+end > t {
			l.held = append(l.held, timeslice.Release{Nodes: n, At: t + end})
		}
	}
	end := l.lasts(g)
	bare := g.primary.nodes
	for i := range g.matched {
		m := &g.matched[i]
		last := m.left * m.slow
		if last > g.total {
			last = g.total + (m.left-g.total/m.slow)*con.Own(m.job.Job, m.most())
		}
		shared := min(bare, m.nodes)
		bare -= shared
		until(shared, max(last, end))
		until(m.nodes-shared, last)
	}
	until(bare, end)
	slices.SortStableFunc(l.held, sooner)
}

// lasts is for how many seconds the group's primary will run.
func (l *Policy) lasts(g *group) float64 {
	end := g.total
	if rest := g.primary.left - g.work; rest > 0 {
		end += rest * l.Contention().Own(g.primary.job.Job, g.primary.most())
	}
	return end
}

func (g *group) has(j *timeslice.Job) bool { return g.primary.job == j || holds(g.matched, j) }

// runs reports whether some of the group's jobs run already.
func (g *group) runs() bool {
	return g.primary.job.Unit != nil || slices.ContainsFunc(g.matched, func(m member) bool { return m.job.Unit != nil })
}

// owns reports whether the started unit would become part of the group.
func (g *group) owns(u *timeslice.Unit) bool {
	return g.primary.job.Unit == u || slices.ContainsFunc(g.matched, func(m member) bool { return m.job.Unit == u })
}
