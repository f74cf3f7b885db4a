package ptask_test

import (
	"math"

	"schedsweep/sim"
	"schedsweep/sim/studies/dutot2015/ptask"
)

// resource is a resource of the reference: every processor, every direction of
// every link, nothing collapsed.
type resource struct {
	kind          string // cpu, up, down, link, loop, backbone, central
	at            int    // of a processor, node or cluster
	capacity      float64
	fat           bool
	left, s, took float64
	users         int
	dead          bool
}

// pairTask is a job as the reference sees it: its loads counted pair by pair.
type pairTask struct {
	job     *sim.Job
	latency float64
	bound   float64
	weight  map[int]float64 // by resource
	rate    float64
	mu      float64
	frozen  bool
}

// reference computes rates by the rules of SimGrid's L07 in the plainest way:
// enumerating all pairs of processors and all single resources.
type reference struct {
	params   ptask.Params
	platform *sim.Platform
	index    map[[2]any]int
	res      []resource
}

func (r *reference) resource(kind string, at int, capacity float64, fat bool) int {
	key := [2]any{kind, at}
	i, ok := r.index[key]
	if !ok {
		i = len(r.res)
		r.index[key] = i
		r.res = append(r.res, resource{kind: kind, at: at, capacity: capacity, fat: fat})
	}
	return i
}

// task counts the loads of j.
func (r *reference) task(j *sim.Job) *pairTask {
	t := &pairTask{job: j, bound: math.Inf(1), weight: map[int]float64{}}
	add := func(res int, w float64) {
		switch {
		case r.res[res].capacity == 0 || w == 0:
		case r.res[res].fat:
			t.weight[res] = max(t.weight[res], w)
		default:
			t.weight[res] += w
		}
	}
	type place struct{ proc, node, cluster int }
	var procs []place
	onNode := map[int]float64{}
	for _, sp := range j.Alloc().Procs {
		for q := int(sp.Lo); q <= int(sp.Hi); q++ {
			c := r.platform.ClusterOf(q)
			// Nodes are known by their first processor.
			node := q - (q-r.platform.First(c))%r.platform.Clusters[c].Cores
			procs = append(procs, place{q, node, c})
			onNode[node]++
		}
	}
	for _, p := range procs {
		cl := &r.platform.Clusters[p.cluster]
		if j.Flops() == 0 {
			continue
		}
		if r.params.Cores == "share" {
			add(r.resource("cpu", p.node, cl.Speed, false), j.Flops())
			t.bound = min(t.bound, cl.Speed/(j.Flops()*onNode[p.node]))
		} else {
			add(r.resource("cpu", p.proc, cl.Speed, false), j.Flops())
			t.bound = min(t.bound, cl.Speed/j.Flops())
		}
	}
	if len(procs) == 1 || j.Bytes() == 0 {
		return t
	}
	up := func(node int, cl *sim.Cluster, kind string) int {
		if cl.Link.Sharing != sim.SplitDuplex {
			kind = "link"
		}
		return r.resource(kind, node, cl.Link.Bandwidth, cl.Link.Sharing == sim.FatPipe)
	}
	for _, a := range procs {
		for _, b := range procs {
			ca, cb := &r.platform.Clusters[a.cluster], &r.platform.Clusters[b.cluster]
			if a == b && !r.params.Diagonal {
				continue
			}
			if a.node == b.node && ca.Loopback > 0 {
				add(r.resource("loop", a.node, ca.Loopback, true), j.Bytes())
				continue
			}
			add(up(a.node, ca, "up"), j.Bytes())
			if a.node != b.node || ca.Link.Sharing == sim.SplitDuplex {
				add(up(b.node, cb, "down"), j.Bytes())
			}
			latency := ca.Link.Latency + ca.Backbone.Latency
			add(r.resource("backbone", a.cluster, ca.Backbone.Bandwidth, ca.Backbone.Sharing == sim.FatPipe), j.Bytes())
			if a.cluster != b.cluster {
				add(r.resource("central", 0, r.platform.Central.Bandwidth, r.platform.Central.Sharing == sim.FatPipe), j.Bytes())
				add(r.resource("backbone", b.cluster, cb.Backbone.Bandwidth, cb.Backbone.Sharing == sim.FatPipe), j.Bytes())
				latency += r.platform.Central.Latency + cb.Backbone.Latency
			}
			t.latency = max(t.latency, latency+cb.Link.Latency)
		}
	}
	if t.latency > 0 {
		t.bound = min(t.bound, 4194304/(2*t.latency*j.Bytes()))
	}
	return t
}

// loads returns the load of each backbone and of the central link. A fat pipe has that of its largest flow.
func (r *reference) loads(tasks []*pairTask) []float64 {
	out := make([]float64, len(r.platform.Clusters)+1)
	for _, t := range tasks {
		for i, w := range t.weight {
			l, at := &r.res[i], r.res[i].at
			if l.kind == "central" {
				at = len(out) - 1
			} else if l.kind != "backbone" {
				continue
			}
			if load := t.rate * w / l.capacity; l.fat {
				out[at] = max(out[at], load)
			} else {
				out[at] += load
			}
		}
	}
	return out
}

// solve is the round scheme as the specification has it.
func (r *reference) solve(tasks []*pairTask) {
	for i := range r.res {
		r.res[i].left, r.res[i].dead = r.res[i].capacity, false
	}
	left := 0
	for _, t := range tasks {
		t.rate, t.mu, t.frozen = 0, 0, len(t.weight) == 0
		if !t.frozen {
			left++
		}
	}
	for round := 0; left > 0 && round < 2_000_000; round++ {
		for i := range r.res {
			res := &r.res[i]
			res.users = 0
			for _, t := range tasks {
				if t.weight[i] > 0 && !t.frozen {
					res.users++
				}
			}
			if res.fat {
				res.users = min(res.users, 1)
			}
			if res.users > 0 {
				res.s = res.left / float64(res.users)
				res.took = res.s
			}
		}
		for _, t := range tasks {
			if t.frozen {
				if r.params.Sharing == "clean" {
					t.mu = 0
				}
				continue
			}
			t.mu = t.bound - t.rate
			for i, w := range t.weight {
				t.mu = min(t.mu, r.res[i].s/w)
			}
			t.rate += t.mu
		}
		for i := range r.res {
			res := &r.res[i]
			if res.users == 0 {
				continue
			}
			for _, t := range tasks {
				w := t.weight[i]
				switch {
				case w == 0 || t.mu == 0 && r.params.Sharing == "clean":
				case res.fat:
					res.took = min(res.took, w*t.mu)
				default:
					res.left -= w * t.mu
				}
			}
			if res.fat {
				res.left -= res.took
			}
			if res.left < 1e-5 {
				res.left, res.dead = 0, true
			}
		}
		left = 0
		for _, t := range tasks {
			t.frozen = t.frozen || t.rate == t.bound
			for i := range t.weight {
				t.frozen = t.frozen || r.res[i].dead
			}
			if !t.frozen {
				left++
			}
		}
	}
}
