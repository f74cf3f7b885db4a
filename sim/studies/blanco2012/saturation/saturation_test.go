package saturation

import (
	"math"
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
)

// Uplinks of 100 B/s, speeds 1, 1/2, 1. Communication is 3/10 of run time.
//
//	A: T = 100 s on 2 + 2 + 0 from 0: asks 2 * 45 * 2/3 = 60 of uplinks 0 and 1
//	B: T = 100 s on 0 + 2 + 2 from 10: asks 90 of uplinks 1 and 2
//	C: T = 100 s on 4 of cluster 2 from 10: asks nothing
//
//	 0 s: A has SP 2, SC 1: 1.7 s for a second of run time.
//	10 s: uplink 1 is asked for 150 of 100: SC 3/2 for A and B, 1.4 + .45 = 1.85.
//	110 s: C ends.
//	A has 100 - 10/1.7 left at 10 s and takes 1.85 times that; then B, which has
//	done as many seconds less as A had at 10 s, 10/1.7, takes 1.7 times that.
func TestSaturationByHand(t *testing.T) {
	p := simtest.Uplinked(t, 6, 100, 100, 100)
	p.Clusters[1].Speed = .5
	job := func(id int64, submit, bandwidth float64) sim.JobSpec {
		return sim.JobSpec{ID: id, Submit: submit, RunTime: 100, Walltime: 100, Procs: 4, Bandwidth: bandwidth, Communication: .3}
	}
	list := []sim.JobSpec{job(1, 0, 45), job(2, 10, 67.5), job(3, 10, 1000)}
	m := &Model{}
	got := simtest.PlayPlaced(t, p, m, list, map[int64][]int32{1: {2, 2, 0}, 2: {0, 2, 2}, 3: {0, 0, 4}})
	a := 10 + 1.85*(100-10/1.7)
	for id, want := range map[int64]float64{1: a, 2: a + 10, 3: 110} {
		if !(math.Abs(got[id]-want) <= 1e-9) {
			t.Errorf("job %d finishes at %v s, want %v", id, got[id], want)
		}
	}
	v := m.Values(nil)
	if !(math.Abs(v[4]-1.5) <= 1e-12) || v[0] != 2./3 || !(math.Abs(v[2]-a/170) <= 1e-9) {
		t.Errorf("measures are %v, want two of three co-allocated, a penalty of %g and a load of 1.5", v, a/170)
	}
}

func TestSaturationRefuses(t *testing.T) {
	var e sim.Engine
	err := e.Check(sim.Config{Platform: simtest.Uplinked(t, 2, -1), Policy: &simtest.Placed{}, Progress: &Model{}, KillAtWalltime: true})
	for _, want := range []string{"at_walltime: continue", "progress model saturation needs uplinks of at least 0 B/s"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
