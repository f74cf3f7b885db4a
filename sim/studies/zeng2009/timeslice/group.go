package timeslice

import "schedsweep/sim"

// StartGroup makes a group of primary and matched. Some of them wait, with PPN and On set, and some run alone. All of
// them are one unit from now on.
func (p *Scheduler) StartGroup(s *sim.State, v *VM, primary *Job, matched []*Job) {
	u := p.NewUnit(v)
	var waiting []*Job
	for i := -1; i < len(matched); i++ {
		j := primary
		if i >= 0 {
			j = matched[i]
		}
		if j.Unit == nil {
			waiting = append(waiting, j)
			continue
		}
		old := j.Unit
		p.forget(v, old)
		u.Members = append(u.Members, j)
		u.On.Join(old.On)
		u.holds = append(u.holds, old.holds...)
		u.Running, u.synced, j.Unit = true, old.synced, u
		p.recycle(old)
	}
	if len(u.Members) > 0 {
		v.Units = append(v.Units, u)
		p.running = append(p.running, u)
	}
	u.Primary = primary
	p.StartUnit(s, v, u, waiting)
	for _, j := range u.Members {
		j.Grouped = true
	}
}
