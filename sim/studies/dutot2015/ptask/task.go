package ptask

import (
	"math"

	"schedsweep/sim"
)

// tcpWindow is SimGrid's largest TCP window in B (network/TCP-gamma). A flow's
// bandwidth is at most tcpWindow / (2 latency).
const tcpWindow = 4194304

// use is a task's load on a resource that others may use too.
type use struct {
	res    int32
	weight float64 // flop or B for the whole of the task, above 0
}

// limit is a resource that a task has for itself. A task keeps only the resources that can be the first to be
// exhausted; for identical nodes that is one.
type limit struct{ capacity, weight, left float64 }

// task is a running job as the solver sees it.
type task struct {
	job   *sim.Job
	ready float64   // when its latency is over
	bound float64   // of its rate, +Inf without
	nodes []nodeUse // on clusters of several processors a node
	lims  []limit
	uses  []use

	rate, mu float64 // mu: what the last round of solve added to rate
	frozen   bool
}

// idle reports whether the task loads nothing, so that it is done once its
// latency is over.
func (t *task) idle() bool { return len(t.lims)+len(t.uses) == 0 }

// own adds a resource that the task has for itself, unless another one is
// always exhausted before it.
func (t *task) own(capacity, weight float64) {
	if weight <= 0 || capacity == 0 {
		return
	}
	kept := t.lims[:0]
	for _, l := range t.lims {
		if l.capacity*weight <= capacity*l.weight && (l.capacity-precision)*weight <= (capacity-precision)*l.weight {
			return
		}
		if !(capacity*l.weight <= l.capacity*weight && (capacity-precision)*l.weight <= (l.capacity-precision)*weight) {
			kept = append(kept, l)
		}
	}
	t.lims = append(kept, limit{capacity: capacity, weight: weight})
}

// load computes everything that t.job loads on its processors and returns the
// latency of its longest route in seconds. Each of its n processors computes
// Flops and sends Bytes to every other one, and to itself with the diagonal.
// Inside a cluster a route takes the links up, backbone, down. Across clusters it takes up, backbone, central,
// backbone', down. A message inside a node takes up, backbone and down, each once, or the node's loopback where there
// is one. The pairs are counted cluster by cluster, with n_c processors on cluster c. Its backbone carries
// n_c(n_c-1+d) + 2 n_c(n-n_c) messages. The central link carries n^2 - sum n_c^2. It takes time in the number of
// clusters, plus that of nodes on clusters of several processors a node.
func (p *Model) load(t *task) (latency float64) {
	j := t.job
	t.lims, t.uses, t.bound = t.lims[:0], t.uses[:0], math.Inf(1)
	n, bytes := float64(j.Procs()), j.Bytes()
	if j.Procs() == 1 {
		bytes = 0
	}
	var d float64
	if p.diagonal {
		d = 1
	}
	apart := n * n        // messages between clusters
	far, next := 0.0, 0.0 // the two largest latencies from a node to beyond its backbone
	next1 := t.nodes
	for c, count := range j.Alloc().Counts {
		if count == 0 {
			continue
		}
		cl, nc := &p.platform.Clusters[c], float64(count)
		inside := 0.0 // messages that stay inside a node
		if cl.Cores == 1 {
			inside = d * nc
			p.node(t, cl, 1, n, bytes, -1)
		} else {
			if !p.share && j.Flops() > 0 {
				t.own(cl.Speed, j.Flops())
				t.bound = min(t.bound, cl.Speed/j.Flops())
			}
			for ; len(next1) > 0 && int(next1[0].node) < p.platform.FirstNode(c+1); next1 = next1[1:] {
				u := next1[0]
				m := float64(u.procs)
				inside += m * (m - 1 + d)
				p.node(t, cl, m, n, bytes, p.nodes.res[u.node])
			}
		}
		if bytes == 0 {
			continue
		}
		messages := nc*(nc-1+d) + 2*nc*(n-nc)
		if cl.Loopback > 0 {
			messages -= inside
		}
		p.link(t, int32(c), messages, bytes)
		apart -= nc * nc
		hop := cl.Link.Latency + cl.Backbone.Latency
		far, next = max(far, hop), max(next, min(far, hop))
		if between := nc * (nc - 1 + d); between > inside || between > 0 && cl.Loopback == 0 {
			latency = max(latency, hop+cl.Link.Latency)
		}
	}
	if bytes == 0 {
		return 0
	}
	if apart > 0 {
		p.link(t, int32(len(p.platform.Clusters)), apart, bytes)
		latency = max(latency, far+p.platform.Central.Latency+next)
	}
	t.bound = min(t.bound, tcpWindow/(2*latency*bytes))
	return latency
}

// link adds the load of a number of messages on a backbone or the central link.
func (p *Model) link(t *task, res int32, messages, bytes float64) {
	r := &p.res[res]
	if r.capacity == 0 || messages == 0 {
		return
	}
	if r.fat {
		messages = 1
	}
	t.uses = append(t.uses, use{res, messages * bytes})
}

// node adds the load of m processors on one node: to the resources from index
// res on where the node is shared with other jobs, else (res < 0) to what the
// task has for itself. Up and down links carry the same, so one represents both.
func (p *Model) node(t *task, cl *sim.Cluster, m, n, bytes float64, res int32) {
	var d float64
	if p.diagonal {
		d = 1
	}
	across, inside, loop := m*(n-m), m*(m-1+d), 0.0
	if cl.Loopback > 0 {
		loop, inside = min(inside, 1), 0 // a fat pipe carries its largest flow
	}
	messages := across + inside
	switch cl.Link.Sharing {
	case sim.Shared:
		messages += across
	case sim.FatPipe:
		messages = min(messages, 1)
	}
	flops := 0.0
	if cl.Cores == 1 || p.share {
		flops = m * t.job.Flops()
	}
	if flops > 0 {
		t.bound = min(t.bound, cl.Speed/flops)
	}
	if res < 0 {
		t.own(cl.Speed, flops)
		t.own(cl.Link.Bandwidth, messages*bytes)
		t.own(cl.Loopback, loop*bytes)
		return
	}
	for i, w := range [nodeResources]float64{flops, messages * bytes, loop * bytes} {
		if w > 0 && p.res[int(res)+i].capacity > 0 {
			t.uses = append(t.uses, use{res + int32(i), w})
		}
	}
}
