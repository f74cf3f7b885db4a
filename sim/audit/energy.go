package audit

import (
	"math"

	"schedsweep/sim"
)

// power is the audit's own book of energy: of changes of what is held, and of the watts of the machine as it was before the run.
type power struct {
	on       bool
	at       float64
	clusters []drawn
	jobs     float64 // joules of ended jobs
	busy     float64 // joules that the machine is said to have spent on jobs
	charges  charges
	tariffs  [sim.Tariffs]*sim.Steps
}

// drawn is what a cluster has taken, by state.
type drawn struct {
	used, down float64 // processors
	joules     sim.Energy
}

func (p *power) reset(on *sim.Platform) {
	*p = power{on: on.Powered(), clusters: append(p.clusters[:0], make([]drawn, len(on.Clusters))...),
		tariffs: on.Tariffs}
}

// watts of one processor of a cluster that is busy, idle and down.
func (a *Audit) watts(c int) (busy, idle, down float64) {
	k := &a.clusters[c]
	return k.Power.Busy / float64(k.Cores), k.Power.Idle / float64(k.Cores), k.Power.Off / float64(k.Cores)
}

// passes adds what the clusters took until now.
func (a *Audit) passes(now float64) {
	d := now - a.power.at
	var watts sim.Energy
	for c := range a.power.clusters {
		k := &a.power.clusters[c]
		busy, idle, down := a.watts(c)
		now := sim.Energy{Busy: busy * k.used, Idle: idle * (float64(a.clusters[c].Procs()) - k.used - k.down), Down: down * k.down}
		k.joules.Busy += d * now.Busy
		k.joules.Idle += d * now.Idle
		k.joules.Down += d * now.Down
		watts.Busy, watts.Idle = watts.Busy+now.Busy, watts.Idle+now.Idle+now.Down
	}
	a.power.charges.add(a.power.tariffs, a.power.at, now, watts)
	a.power.at = now
}

// takes enters a change of what is held.
func (a *Audit) takes(s *sim.View, h *sim.Hold, by float64) {
	if !a.power.on {
		return
	}
	a.passes(s.Now())
	for c, n := range h.Alloc.Counts {
		switch k := &a.power.clusters[c]; {
		case h.Job != nil:
			k.used += by * h.Share * float64(n)
		case h.Outage.Kind == sim.Down:
			k.down += by * float64(n)
		}
	}
}

// draws returns the watts of the processors that a job holds.
func (a *Audit) draws(b *book) (watts float64) {
	if a.power.on && b.share > 0 {
		for c, n := range b.held.Counts {
			busy, _, _ := a.watts(c)
			watts += b.share * busy * float64(n)
		}
	}
	return watts
}

// conserved checks A22 at the end of an instant.
func (a *Audit) conserved(s *sim.View) {
	if !a.power.on {
		return
	}
	a.passes(s.Now())
	for c := range a.power.clusters {
		own, got := a.power.clusters[c].joules, s.EnergyOn(c)
		margin := tolerance * (own.Total() + 1)
		if math.Abs(own.Busy-got.Busy) > margin || math.Abs(own.Idle-got.Idle) > margin || math.Abs(own.Down-got.Down) > margin {
			a.violate("A22", "at %g s cluster %d has taken %g J busy, %g J idle and %g J down, and is said to have taken %g, %g and %g J",
				s.Now(), c, own.Busy, own.Idle, own.Down, got.Busy, got.Idle, got.Down)
		}
	}
	a.power.busy = s.Energy().Busy
	a.charged(s)
}

// shared checks A22 at the end of a run.
func (a *Audit) shared() {
	if took, busy := a.power.jobs, a.power.busy; math.Abs(took-busy) > tolerance*(busy+1) {
		a.violate("A22", "jobs took %g J, and the machine is said to have spent %g J on jobs", took, busy)
	}
}

// spent checks A22 for a job that ends.
func (a *Audit) spent(j *sim.Job, b *book) {
	a.power.jobs += b.joules
	if math.Abs(b.joules-j.Energy()) > tolerance*(b.joules+1) {
		a.violate("A22", "job %d took %g J and is said to have taken %g J", j.ID(), b.joules, j.Energy())
	}
	for k, got := range j.Charged() {
		if own := b.charges.of[k]; differ(own.Busy, got, b.charges.gross[k]) {
			a.violate("A22", "job %d was charged with %g and is said to have been charged with %g (tariff %d)", j.ID(), own.Busy, got, k)
		}
	}
}
