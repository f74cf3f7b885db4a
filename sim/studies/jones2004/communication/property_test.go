package communication

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
)

// watched checks the model after every update.
type watched struct {
	*Bandwidth
	t       *rapid.T
	updates int
	short   int // jobs seen with less than they ask for
}

func (w *watched) Update(s *sim.Rates) {
	w.Bandwidth.Update(s)
	w.updates++
	w.maxMin()
	w.fromScratch()
	w.asPrinted()
}

// maxMin checks max-min fairness. No uplink carries more than its capacity, and no job gets more than it requires. A job that gets
// less uses a saturated uplink on which no job has a larger phi.
func (w *watched) maxMin() {
	carried := make([]float64, len(w.links))
	largest := make([]float64, len(w.links))
	for c := range w.links {
		for _, u := range w.links[c].users {
			phi := w.flows[u.flow].phi
			if !(phi > 0 && phi <= 1) {
				w.t.Fatalf("phi of a flow is %v", phi)
			}
			carried[c] += phi * u.asks
			largest[c] = max(largest[c], phi)
		}
		if carried[c] > w.links[c].capacity*(1+1e-12) {
			w.t.Fatalf("uplink %d carries %v of %v B/s", c, carried[c], w.links[c].capacity)
		}
	}
	for i := range w.flows {
		f := &w.flows[i]
		if f.job == nil || f.phi == 1 {
			continue
		}
		w.short++
		reason := false
		for _, u := range f.uses {
			reason = reason || carried[u.res] >= w.links[u.res].capacity*(1-1e-12) && largest[u.res] <= f.phi*(1+1e-12)
		}
		if !reason {
			w.t.Fatalf("job %d has phi %v, and no saturated uplink on which that is the largest", f.job.ID(), f.phi)
		}
	}
}

// fromScratch: the model that knows nothing and solves for all gives the same,
// bit for bit.
func (w *watched) fromScratch() {
	q := NewBandwidth(BandwidthParams{})
	q.platform = w.platform
	for c := range w.links {
		q.links = append(q.links, uplink{capacity: w.links[c].capacity, users: w.links[c].users, overloaded: true, dirty: true})
		q.dirty = append(q.dirty, int32(c))
	}
	for i := range w.flows {
		q.flows = append(q.flows, flow{job: w.flows[i].job, uses: w.flows[i].uses, phi: -1, links: w.flows[i].links})
		q.open = append(q.open, 0)
		if w.flows[i].job != nil {
			q.fresh = append(q.fresh, int32(i))
		}
	}
	q.settle()
	for i := range w.flows {
		if f := &w.flows[i]; f.job != nil && f.phi != q.flows[i].phi {
			w.t.Fatalf("job %d has phi %v, from scratch %v", f.job.ID(), f.phi, q.flows[i].phi)
		}
	}
}

// asPrinted is the algorithm of section 3.5, step by step, with equation 3 in
// step 3 too.
func (w *watched) asPrinted() {
	type job struct {
		wants map[int]float64
		alloc map[int]float64
		free  bool // in J_uc
		flow  *flow
	}
	var all []*job
	for i := range w.flows {
		if f := &w.flows[i]; f.job != nil {
			j := &job{wants: map[int]float64{}, alloc: map[int]float64{}, free: true, flow: f}
			n := float64(f.job.Procs())
			for c, k := range f.job.Alloc().Counts {
				if k > 0 && w.platform.Clusters[c].Uplink.Bandwidth > 0 {
					ppbw := w.bisection * 4 * (n - 1) / (n * n)
					j.wants[c] = (n - float64(k)) / (n - 1) * ppbw * float64(k)
					j.alloc[c] = j.wants[c]
				}
			}
			all = append(all, j)
		}
	}
	avail := map[int]float64{}
	for c := range w.platform.Clusters {
		avail[c] = w.platform.Clusters[c].Uplink.Bandwidth
	}
	for {
		best, sat := -1, 1.0
		for c := range w.platform.Clusters {
			sum := 0.0
			for _, j := range all {
				if j.free {
					sum += j.alloc[c]
				}
			}
			if sum > 0 && avail[c]/sum < sat {
				best, sat = c, avail[c]/sum
			}
		}
		if best < 0 {
			break
		}
		for _, j := range all {
			if j.free && j.wants[best] > 0 {
				j.free = false
				for c := range j.alloc {
					j.alloc[c] *= sat
					avail[c] -= j.alloc[c]
				}
			}
		}
	}
	for _, j := range all {
		for c := range j.alloc {
			if sd := j.alloc[c] / j.wants[c]; math.Abs(sd-j.flow.phi) > 1e-9 {
				w.t.Fatalf("job %d has phi %v, as printed %v", j.flow.job.ID(), j.flow.phi, sd)
			}
		}
	}
}

func TestBandwidthIsMaxMin(t *testing.T) {
	short := 0
	rapid.Check(t, func(t *rapid.T) {
		const nodes = 12
		n := rapid.IntRange(1, 7).Draw(t, "clusters")
		var cs []sim.Cluster
		for range n {
			cs = append(cs, sim.Cluster{Nodes: nodes, Cores: 1, Speed: rapid.SampledFrom([]float64{1, 1, .5}).Draw(t, "speed"),
				Uplink: sim.Link{Bandwidth: rapid.SampledFrom([]float64{0, 30, 100, 100, 101.5, 400}).Draw(t, "uplink")}})
		}
		p, err := sim.NewPlatform("drawn", cs, sim.Link{})
		if err != nil {
			t.Fatal(err)
		}
		counts := map[int64][]int32{}
		var list []sim.JobSpec
		submit := 0.0
		for id := range rapid.IntRange(1, 40).Draw(t, "jobs") {
			submit += max(0, float64(rapid.IntRange(-4, 5).Draw(t, "gap")))
			spec := sim.JobSpec{ID: int64(id + 1), Submit: submit, RunTime: float64(rapid.IntRange(0, 60).Draw(t, "run")), Walltime: 60}
			on := make([]int32, n)
			for spec.Procs == 0 {
				for c := range on {
					on[c] = max(0, int32(rapid.IntRange(-6, 6).Draw(t, "count")))
					spec.Procs += on[c]
				}
			}
			counts[spec.ID] = on
			list = append(list, spec)
		}
		m := &watched{Bandwidth: NewBandwidth(
			BandwidthParams{ComputationFraction: rapid.SampledFrom([]float64{0, .3, .7, 1}).Draw(t, "K"),
				BisectionBandwidth: rapid.SampledFrom([]float64{0, 10, 50, 100, 333.3}).Draw(t, "BSBW")}), t: t}
		var e sim.Engine
		if _, err := e.Run(context.Background(),
			sim.Config{Platform: p, Source: simtest.Source(list), Policy: &simtest.Placed{Counts: counts}, Progress: m}); err != nil {
			t.Fatal(err)
		}
		short += m.short
		for c := range m.links {
			if len(m.links[c].users) > 0 || m.links[c].overloaded {
				t.Fatalf("uplink %d has users or is overloaded after the last job", c)
			}
		}
	})
	if short == 0 {
		t.Error("no job was ever short of bandwidth: the test tested nothing")
	}
}
