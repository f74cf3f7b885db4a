package audit

import (
	"math"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/power"
)

// charges is the audit's own book of charges for energy, by tariff.
type charges struct {
	of    [power.Tariffs]power.Energy // Busy of jobs, Idle of all other energy
	gross [power.Tariffs]float64      // without signs, which prices may have
}

// add charges a power by tariffs from one time to another, step by step.
func (c *charges) add(by [power.Tariffs]*power.Steps, from, until float64, watts power.Energy) {
	for k, s := range by {
		if s == nil || from >= until {
			continue
		}
		i, found := slices.BinarySearch(s.From, from)
		if !found {
			i--
		}
		for at := from; at < until; i++ {
			end, value := until, math.NaN()
			if i+1 < len(s.From) {
				end = min(end, s.From[i+1])
			}
			if until <= s.Until {
				value = s.Value[i]
			}
			c.of[k].Busy += value * (end - at) * watts.Busy
			c.of[k].Idle += value * (end - at) * watts.Idle
			c.gross[k] += math.Abs(value) * (end - at) * watts.Total()
			at = end
		}
	}
}

// charged checks the machine's charges at the end of an instant.
func (a *Audit) charged(s *sim.View) {
	for k := range a.supply.tariffs {
		own, got, gross := a.supply.charges.of[k], s.Charged(power.Tariff(k)), a.supply.charges.gross[k]
		if differ(own.Busy, got.Busy, gross) || differ(own.Idle, got.Total()-got.Busy, gross) {
			a.violate("A22", "at %g s jobs were charged with %g and the rest with %g, and the engine says %g and %g (tariff %d)",
				s.Now(), own.Busy, own.Idle, got.Busy, got.Total()-got.Busy, k)
		}
	}
}

// differ reports whether a charge is another than by the own book.
func differ(own, got, gross float64) bool {
	return math.IsNaN(own) != math.IsNaN(got) || math.Abs(own-got) > tolerance*gross
}
