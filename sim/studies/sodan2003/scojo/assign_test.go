package scojo

import (
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/studies/sodan2003/shares"
)

// TestAgreedBeforeAnEnd: the start of one task was agreed for the end of the reservation of another, which by rounding is 13
// nanoseconds later. Until then the two do not have more than the whole site. A reservation that lasts longer stays whole.
func TestAgreedBeforeAnEnd(t *testing.T) {
	const now = 1e6
	p := Defaults()
	p.Kept, p.Idle, p.Reserve = 0, "kept", "assigned"
	for _, ends := range []struct{ in, has float64 }{{13e-9, .25}, {1, .5}} {
		late := &task{job: new(sim.Job), share: .5, reserve: .5 * ends.in, rest: 1e-12}
		agreed := &task{job: new(sim.Job), share: .75, reserve: 75, several: &several{}, crossSite: true}
		x := &site{p: &p, sharing: shares.New(shares.Defaults), running: []*task{late, agreed}}
		x.assign(now)
		if late.now != ends.has || agreed.now != .75 {
			t.Errorf("a reservation that ends in %g s has %g of the site, and the agreed task %g; want %g and .75", ends.in, late.now, agreed.now,
				ends.has)
		}
	}
}
