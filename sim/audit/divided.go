package audit

import (
	"slices"

	"schedsweep/sim"
)

// divided is the audit's own copy of what partitions jobs of a divided platform belong to, and how many processors of each node are held.
type divided struct {
	partitions []sim.Partition // none where the platform is not divided
	nodes      [][]int32       // class -> node -> processors of it that jobs hold
}

func (d *divided) reset(p *sim.Platform) {
	if *d = (divided{partitions: slices.Clone(p.Partitions)}); !d.on() {
		return
	}
	for i := range d.partitions {
		d.partitions[i].Classes = slices.Clone(d.partitions[i].Classes)
	}
	for c := range p.Clusters {
		d.nodes = append(d.nodes, make([]int32, p.Clusters[c].Nodes))
	}
}

// on reports whether the platform is divided.
func (d *divided) on() bool { return len(d.partitions) > 0 }

// size returns the number of processors that a job gets on nodes with this number of cores.
func (d *divided) size(j *sim.Job, cores, procs int32) int32 {
	if n := int(j.Partition()); n < 1 || n > len(d.partitions) || !d.partitions[n-1].Whole {
		return procs
	}
	return (j.Procs() + cores - 1) / cores * cores
}

// inPartition checks A13 for a job that holds processors.
func (a *Audit) inPartition(h *sim.Hold) {
	d, n := &a.divided, int(a.books[h.Job.Slot()].spec.Partition)
	if n < 1 || n > len(d.partitions) {
		a.violate("A13", "job %d is of the partition number %d, and there are %d", h.Job.ID(), n, len(d.partitions))
		return
	}
	q, classes := &d.partitions[n-1], 0
	for c, k := range h.Alloc.Counts {
		if k == 0 {
			continue
		}
		if classes++; !slices.Contains(q.Classes, c) {
			a.violate("A13", "job %d of partition %q runs on %s of class %q, which is none of its partition", h.Job.ID(), q.Name,
				sim.Counted(k, "processor"), a.clusters[c].Name)
		}
		if cores := a.clusters[c].Cores; q.Whole && int(k)%cores != 0 {
			a.violate("A13", "job %d of partition %q gets %d processors of class %q, which are no whole nodes of %d", h.Job.ID(), q.Name, k,
				a.clusters[c].Name, cores)
		}
	}
	if classes > 1 && !q.Span {
		a.violate("A13", "job %d of partition %q runs on %d classes", h.Job.ID(), q.Name, classes)
	}
}

// onNodes adds held processors to nodes, or takes them back, and checks A12.
func (d *divided) onNodes(a *Audit, procs []sim.Span, by int32) {
	a.each(procs, func(c int, node, n int32) {
		if d.nodes[c][node] += by * n; int(d.nodes[c][node]) > a.clusters[c].Cores {
			a.violate("A12", "node %d of class %q holds %d processors, and has %d", node, a.clusters[c].Name, d.nodes[c][node], a.clusters[c].Cores)
		}
	})
}
