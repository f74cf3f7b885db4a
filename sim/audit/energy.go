package audit

import (
	"math"

	"schedsweep/sim"
	"schedsweep/sim/power"
)

// supply is the audit's own book of energy. It follows from the changes of holds, and from the watts of the machine as it was before the
// run.
type supply struct {
	on       bool
	at       float64
	clusters []drawn
	jobs     float64 // joules of ended jobs
	busy     float64 // joules that the machine spent on jobs, by the engine
	charges  charges
	tariffs  [power.Tariffs]*power.Steps
}

// drawn is the energy that a cluster has taken, by state.
type drawn struct {
	watts  states // of a processor
	procs  states
	joules states
}

// states are one number for each state of a processor.
type states [6]float64

const (
	idle = iota
	busy
	down
	off
	boots
	shutsDown
)

var stateNames = [...]string{"idle", "busy", "down", "off", "boot", "shutdown"}

// stateOf is that of processors that an outage has.
var stateOf = map[sim.OutageKind]int{sim.Down: down, sim.Off: off, sim.Boots: boots, sim.ShutsDown: shutsDown}

func (p *supply) reset(on *sim.Platform) {
	*p = supply{on: on.Powered(), clusters: append(p.clusters[:0], make([]drawn, len(on.Clusters))...), tariffs: on.Tariffs}
	for c := range p.clusters {
		k := &on.Clusters[c]
		n, w := float64(k.Cores), &k.Power
		p.clusters[c].watts = states{w.Idle / n, w.Busy / n, w.Off / n, w.Off / n, w.Boot.Power / n, w.Shutdown.Power / n}
		p.clusters[c].procs[idle] = float64(k.Procs())
	}
}

// passes adds the energy of the clusters until now.
func (a *Audit) passes(now float64) {
	d := now - a.supply.at
	var watts power.Energy
	for c := range a.supply.clusters {
		k := &a.supply.clusters[c]
		for i := range k.joules {
			w := k.watts[i] * k.procs[i]
			k.joules[i] += d * w
			if i == busy {
				watts.Busy += w
			} else {
				watts.Idle += w
			}
		}
	}
	a.supply.charges.add(a.supply.tariffs, a.supply.at, now, watts)
	a.supply.at = now
}

// takes enters the processors of a hold with by = 1, and takes them out with by = -1.
func (a *Audit) takes(s *sim.View, h *sim.Hold, by float64) {
	a.passes(s.Now())
	to, share := busy, h.Share
	if h.Job == nil {
		if h.Outage == nil {
			return
		}
		to, share = stateOf[h.Outage.Kind], 1 // drained and reserved ones are idle
	}
	for c, n := range h.Alloc.Counts {
		k := &a.supply.clusters[c]
		k.procs[to] += by * share * float64(n)
		k.procs[idle] -= by * share * float64(n)
		if p := &s.Platform().Clusters[c].Power; by > 0 && n > 0 && k.watts[to] > k.watts[idle] {
			a.cap.ways = a.cap.ways || to == boots && p.Boot.Time > 0 || to == shutsDown && p.Shutdown.Time > 0
		}
	}
}

// draws returns the watts of the processors that a job holds.
func (a *Audit) draws(b *book) (watts float64) {
	for c, n := range b.held.Counts {
		watts += b.share * a.supply.clusters[c].watts[busy] * float64(n)
	}
	return watts
}

// conserved checks A22 at the end of an instant.
func (a *Audit) conserved(s *sim.View) {
	a.passes(s.Now())
	for c := range a.supply.clusters {
		own, e := a.supply.clusters[c].joules, s.EnergyOn(c)
		sum := 0.
		for _, joules := range own {
			sum += joules
		}
		for i, got := range (states{e.Idle, e.Busy, e.Down, e.Off, e.Boot, e.Shutdown}) {
			if math.Abs(own[i]-got) > tolerance*(sum+1) {
				a.violate("A22", "at %g s cluster %d has taken %g J %s, and the engine says %g J", s.Now(), c, own[i], stateNames[i], got)
			}
		}
	}
	a.supply.busy = s.Energy().Busy
	a.charged(s)
}

// spent checks A22 for a job that ends.
func (a *Audit) spent(j *sim.Job, b *book) {
	a.supply.jobs += b.joules
	if math.Abs(b.joules-j.Energy()) > tolerance*(b.joules+1) {
		a.violate("A22", "job %d took %g J, and the engine says %g J", j.ID(), b.joules, j.Energy())
	}
	for k, got := range j.Charged() {
		if own := b.charges.of[k]; differ(own.Busy, got, b.charges.gross[k]) {
			a.violate("A22", "job %d was charged with %g, and the engine says %g (tariff %d)", j.ID(), own.Busy, got, k)
		}
	}
}
