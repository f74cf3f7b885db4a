package timeslice

import (
	"slices"

	"schedsweep/sim"
)

// Ended gives back what the job held. A group breaks up when its primary or all
// its matched jobs have ended; the survivors are units of their own then.
func (p *Scheduler) Ended(s *sim.State, sj *sim.Job) {
	now := s.Now()
	j := p.jobs[sj.Slot()]
	u, v := j.Unit, &p.vms[j.Class]
	v.sync(u, now)
	t := v.Now(now)
	v.vacate(j, p.Cores)
	v.Changes++
	p.inside--
	p.delays.ended(j)
	i := slices.Index(u.Members, j)
	u.Members = slices.Delete(u.Members, i, i+1)

	gone := p.scratch
	gone.Copy(u.On)
	for _, m := range u.Members {
		gone.Drop(m.On)
	}
	p.leave(u, gone)
	v.Held.Drop(gone)
	u.On.Drop(gone)
	if len(u.Members) == 0 {
		for _, h := range u.holds {
			if h.end > t+near {
				v.Plan.Release(t, h.end, h.n)
				v.freed = true
			}
		}
		p.forget(v, u)
		p.recycle(u)
		return
	}
	v.drop(u, t)
	v.freed = true
	if u.Primary == j {
		for _, m := range u.Members[1:] {
			p.secede(v, u, m, t)
		}
		u.Members = u.Members[:1]
		u.On.Copy(u.Members[0].On)
	}
	if len(u.Members) == 1 {
		u.Primary = nil
	}
	v.hold(u, t)
}

// secede makes a unit of its own of m, which shares no node with the others any
// more.
func (p *Scheduler) secede(v *VM, from *Unit, m *Job, t float64) {
	u := p.NewUnit(v)
	u.Members = append(u.Members, m)
	u.On.Copy(m.On)
	u.Running, u.synced = from.Running, from.synced
	m.Unit = u
	v.Units = append(v.Units, u)
	p.running = append(p.running, u)
	v.hold(u, t)
}

// forget takes the unit out of all lists.
func (p *Scheduler) forget(v *VM, u *Unit) {
	if i := slices.Index(v.Units, u); i >= 0 {
		v.Units = slices.Delete(v.Units, i, i+1)
	}
	if i := slices.Index(p.running, u); i >= 0 {
		p.running = slices.Delete(p.running, i, i+1)
	}
}
