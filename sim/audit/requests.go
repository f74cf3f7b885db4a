package audit

import (
	"math"

	"schedsweep/sim"
)

// requests is the audit's own books of what jobs with a [sim.Request] have of nodes and licences (A12).
type requests struct {
	licences []int32      // that no job has
	memory   [][]int64    // class -> node -> what jobs have of it
	gpus     [][]int32    // class -> node
	scratch  [][][2]int32 // class -> node and processors of a job there
}

func (r *requests) reset(p *sim.Platform) {
	if *r = (requests{}); !p.Divided() {
		return
	}
	for _, l := range p.Licences {
		r.licences = append(r.licences, l.Count)
	}
	for i := range p.Clusters {
		r.memory, r.gpus = append(r.memory, make([]int64, p.Clusters[i].Nodes)), append(r.gpus, make([]int32, p.Clusters[i].Nodes))
	}
	r.scratch = make([][][2]int32, len(p.Clusters))
}

// nodesOf lists, by class, the nodes of a job and how many processors it has on each.
func (r *requests) nodesOf(a *Audit, procs []sim.Span) [][][2]int32 {
	for c := range r.scratch {
		r.scratch[c] = r.scratch[c][:0]
	}
	a.each(procs, func(c int, node, n int32) {
		if k := len(r.scratch[c]) - 1; k >= 0 && r.scratch[c][k][0] == node {
			r.scratch[c][k][1] += n
		} else {
			r.scratch[c] = append(r.scratch[c], [2]int32{node, n})
		}
	})
	return r.scratch
}

// onRequests enters what a job starts to have (by 1), or ceases to have (by -1), and checks that it is what it requested and what there is.
func (a *Audit) onRequests(b *book, procs []sim.Span, by int32) {
	r, q := &a.requests, &b.request
	if b.spec.Request == nil || *q == (sim.Request{}) {
		return
	}
	for i := range r.licences {
		if r.licences[i] -= by * q.Licences[i]; r.licences[i] < 0 {
			a.violate("A12", "with job %d there are %d licences of number %d too few", b.spec.ID, -r.licences[i], i)
		}
	}
	whole := a.divided.partitions[b.spec.Partition-1].Whole
	nodes, room, least := int32(0), int64(0), int64(math.MaxInt64) // room for processors with what comes with each
	for c, all := range r.nodesOf(a, procs) {
		of := &a.clusters[c]
		for _, n := range all {
			node, cores := n[0], n[1]
			memory, gpus := q.Memory, q.GPUs
			nodes++
			switch {
			case q.Nodes > 0:
				if each := (b.spec.Procs + q.Nodes - 1) / q.Nodes; cores != each && !(whole && cores == int32(of.Cores) && cores >= each) {
					a.violate("A12", "job %d has %d processors of node %d of class %q, and requested %d on each", b.spec.ID, cores, node, of.Name, each)
				}
			case whole:
				memory, gpus = 0, 0 // no other job is on the node
				k := int64(cores)
				if q.Memory > 0 {
					k = min(k, of.Memory/q.Memory)
				}
				if q.GPUs > 0 {
					k = min(k, int64(of.GPUs/q.GPUs))
				}
				room, least = room+k, min(least, k)
			default:
				memory, gpus = memory*int64(cores), gpus*cores
			}
			r.memory[c][node] += int64(by) * memory
			r.gpus[c][node] += by * gpus
			if r.memory[c][node] > of.Memory || r.gpus[c][node] > of.GPUs {
				a.violate("A12", "with job %d jobs have %d B and %d GPUs of node %d of class %q, which has %d B and %d GPUs", b.spec.ID,
					r.memory[c][node], r.gpus[c][node], node, of.Name, of.Memory, of.GPUs)
			}
			if lacks := q.Features &^ of.Features; lacks != 0 && by > 0 {
				a.violate("A12", "job %d runs on node %d of class %q, which lacks its features (bits %b)", b.spec.ID, node, of.Name, lacks)
			}
		}
	}
	if q.Nodes > 0 && nodes != q.Nodes {
		a.violate("A12", "job %d runs on %d nodes, and requested %d", b.spec.ID, nodes, q.Nodes)
	}
	if p := int64(b.spec.Procs); q.Nodes == 0 && whole && (room < p || room-least >= p) {
		a.violate("A12", "job %d has whole nodes with memory and GPUs for %d processors, and requested %d", b.spec.ID, room, b.spec.Procs)
	}
}
