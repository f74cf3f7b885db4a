package timeslice

import "schedsweep/sim"

// startEasy starts waiting jobs by EASY backfilling: in order of submission as long as they fit, and behind the first
// that does not, the ones that do not delay it. The conservative plan is kept beside it for the estimates at submission
// and for backfilling into the slices of others.
func (p *Scheduler) startEasy(s *sim.State, v *VM, t float64) {
	v.planStarted(&p.easy, t)
	blocked := false
	for i := 0; i < len(v.Waiting); i++ {
		j := v.Waiting[i]
		start := p.easy.Earliest(t, j.Nodes, j.Length)
		switch {
		case start <= t+near && p.MakeRoom(s, v, j.Nodes):
			p.easy.Reserve(start, start+j.Length, j.Nodes)
			p.Start(s, v, j)
			i--
		case !blocked:
			blocked = true
			p.easy.Reserve(start, start+j.Length, j.Nodes)
		}
	}
	v.Tidy(t)
}
