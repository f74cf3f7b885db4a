package audit

import (
	"math"
	"slices"

	"schedsweep/sim"
)

// capped is the audit's own copy of the cap; its values are as they were before the run.
type capped struct {
	from, value []float64
	every       float64
	kill, on    bool
	ways        bool // nodes have begun to boot or to shut down at this instant
}

func (c *capped) reset(on *sim.Platform) {
	if *c = (capped{}); on.Cap != nil {
		w := on.Cap.Watts
		*c = capped{slices.Clone(w.From), slices.Clone(w.Value), w.Every, on.Cap.Kill, true, false}
	}
}

// at returns the cap in force, and whether it has come into force now.
func (c *capped) at(now float64) (watts float64, fresh bool) {
	watts = math.NaN()
	round := 0.
	if c.every > 0 {
		round = math.Floor((now - c.from[0]) / c.every)
	}
	for i, from := range c.from {
		if begin := from + round*c.every; begin <= now {
			watts, fresh = c.value[i], begin == now
		}
	}
	return watts, fresh
}

// draw is the power by the audit's own book.
func (a *Audit) draw() (watts float64) {
	for c := range a.supply.clusters {
		for i, n := range a.supply.clusters[c].procs {
			watts += n * a.supply.clusters[c].watts[i]
		}
	}
	return watts
}

// underCap checks A19: after a start, and at the end of an instant where nodes begin to boot or to shut down, or where jobs run that are
// killed for the cap.
func (a *Audit) underCap(s *sim.View, start bool) {
	if !start && !a.cap.ways && (!a.cap.kill || s.Running() == 0) {
		return
	}
	a.cap.ways = a.cap.ways && start
	if most, _ := a.cap.at(s.Now()); a.draw() > most*(1+tolerance) {
		a.violate("A19", "at %g s the machine draws %g W, and the cap is %g W", s.Now(), a.draw(), most)
	}
}

// forCap reports whether a job that was killed now was killed for the cap.
func (a *Audit) forCap(s *sim.View) bool {
	if !a.cap.kill {
		return false
	}
	_, fresh := a.cap.at(s.Now())
	return fresh
}
