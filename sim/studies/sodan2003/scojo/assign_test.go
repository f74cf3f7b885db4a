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

// TestNothingLeft: shares of 70 % and 30 % are the whole site, although rounding leaves 6e-17 of it. A task past its reservation gets none
// of that, and the other two slow down each other as two. Runs that this concerned have another version.
func TestNothingLeft(t *testing.T) {
	p := Defaults()
	p.Positions = []float64{.7, .3}
	first, second, past := &task{job: new(sim.Job), share: .7, reserve: 7}, &task{job: new(sim.Job), share: .3, reserve: 3},
		&task{job: new(sim.Job), share: .7}
	x := &site{p: &p, sharing: shares.New(shares.Defaults), running: []*task{past, first, second}}
	x.assign(0)
	if past.now != 0 || first.rate != .7/shares.Defaults.C2 {
		t.Errorf("the task past its reservation has %g of the site, and another runs at %g; want 0 and .7 / 1.2", past.now, first.rate)
	}
	for _, c := range []struct {
		level     int
		positions []float64
		kept      float64
		want      int
	}{
		{2, []float64{.7, .3}, 0, 1},
		{2, []float64{.3, .7}, 0, 1},
		{2, []float64{.6, .3}, .1, 1},
		{2, []float64{.4, .4}, .1, 1},
		{1, []float64{.4}, 0, 1},
		{4, []float64{.25, .25, .25, .25}, 0, 1},
		{3, []float64{.4, .4, .1}, 0, 1},
		{2, []float64{.5, .5, .3, .7}, 0, 0},
		{2, []float64{.5}, 0, 0},
		{2, []float64{.5, .5}, 0, 0},
		{2, []float64{.4, .4, .2}, 0, 0},
		{3, []float64{.4, .4, .2}, 0, 0},
		{3, []float64{.6, .3, .1}, 0, 1},
	} {
		p.Level, p.Positions, p.Kept = c.level, c.positions, c.kept
		if got := p.Version(); got != c.want {
			t.Errorf("level %d of %v with %g kept adds %d to the version, want %d", c.level, c.positions, c.kept, got, c.want)
		}
	}
}
