package sim

import (
	"cmp"
	"fmt"
	"slices"
)

// A platform may be divided: its clusters are then its node classes, and its partitions are what jobs are submitted to.
//
// A node class is a [Cluster]: identical nodes, each with this number of processors. A node is Cores neighbouring
// processors of its class: node n of class c has the processors from First(c) + n*Cores on. A partition is a list of
// classes in the order in which its jobs try them, with limits for its jobs. Partitions may overlap: a class may be in
// several.
//
// A job belongs to one partition ([JobSpec.Partition]) and runs on nodes of one class of it; it never spans classes,
// because the nodes of a parallel job are alike. Its partition allocates processors, or whole nodes, which the job then
// holds with all their processors ([Platform.Need]). A class that is in no partition runs no jobs.

// Partition is a named list of node classes with limits for the jobs that are submitted to it.
type Partition struct {
	// Name identifies the partition in manifests, messages and rows.
	Name string
	// Classes are its node classes: positions in [Platform.Clusters], each once, in the order in which jobs try them.
	Classes []int
	// Whole reports that a job gets whole nodes: its request is rounded up to them.
	Whole bool
	// Span reports that a job may run on nodes of several classes. It takes those of the leaf switch with the fewest usable nodes that has
	// enough.
	Span bool
	// Walltime is the longest walltime of its jobs in seconds; 0 means no limit. Jobs with longer ones are rejected.
	Walltime float64
	// Default marks the partition of jobs that name none. At most one is.
	Default bool
}

// Divide gives the platform partitions, or returns the first error in them. It keeps the slice.
func (p *Platform) Divide(partitions []Partition) error {
	byDefault, largest := 0, make([]int, len(partitions))
	for i := range partitions {
		q := &partitions[i]
		fault := func(format string, args ...any) error {
			return fmt.Errorf("platform %q: partition %q "+format, append([]any{p.Name, q.Name}, args...)...)
		}
		if len(q.Classes) == 0 {
			return fault("has no node classes, so no job can run in it: give it some, or drop it")
		}
		for k, c := range q.Classes {
			if c < 0 || c >= len(p.Clusters) || slices.Contains(q.Classes[:k], c) {
				return fault("names the class number %d, which must be from 0 to %d and stand there once", c, len(p.Clusters)-1)
			}
		}
		if q.Span && q.Whole {
			return fault("lets jobs span classes and allocates whole nodes: keep one of the two")
		}
		if !(q.Walltime >= 0) {
			return fault("has the walltime limit %g s; it must be at least 0, where 0 is no limit", q.Walltime)
		}
		if q.Default {
			if byDefault > 0 {
				return fault("is the default, and so is %q: keep one", partitions[byDefault-1].Name)
			}
			byDefault = i + 1
		}
		if slices.ContainsFunc(partitions[:i], func(o Partition) bool { return o.Name == q.Name }) {
			return fault("is there twice")
		}
		for _, c := range q.Classes {
			if n := p.Clusters[c].Procs(); q.Span {
				largest[i] += n
			} else {
				largest[i] = max(largest[i], n)
			}
		}
	}
	p.Partitions, p.largest, p.byDefault = partitions, largest, int32(byDefault)
	return nil
}

// Divided reports whether the platform has partitions. A run on it needs a policy that is a [SitePolicy].
func (p *Platform) Divided() bool { return len(p.Partitions) > 0 }

// Partition returns the partition of that number, counted from 1 as in [JobSpec.Partition].
func (p *Platform) Partition(number int32) *Partition { return &p.Partitions[number-1] }

// Need is the number of processors that a job of procs gets in a partition (counted from 1) on a class: as many, or the
// processors of whole nodes.
func (p *Platform) Need(number int32, class int, procs int32) int32 {
	if !p.Partition(number).Whole {
		return procs
	}
	cores := int32(p.Clusters[class].Cores)
	return (procs + cores - 1) / cores * cores
}

// Width is the most processors that j gets on a class of its partition: its requested ones, or all of whole nodes.
func (s *State) Width(j *Job) int32 {
	if j.spec.Partition == 0 || !s.platform.Divided() || !s.platform.Partition(j.spec.Partition).Whole {
		return j.spec.Procs
	}
	if j.most == 0 { // orders of the time want it at each pass
		k := s.ChunkOf(j)
		for _, c := range s.platform.Partition(j.spec.Partition).Classes {
			j.most = max(j.most, s.platform.Clusters[c].WidthOn(&k))
		}
	}
	return j.most
}

// Largest is the number of processors of the largest job that a partition (counted from 1) can run: those of its largest
// class, or all where jobs may span classes.
func (p *Platform) Largest(number int32) int { return p.largest[number-1] }

// SitePolicy is implemented by a policy that plans on the machine of a site. It keeps the jobs of a divided platform on the nodes of their
// partitions ([State.StartIn]). It plans under a cap and with nodes that are off, and may hold jobs by limits. A run on a divided
// platform, with a cap or with nodes that are switched off is refused under other policies. Its kind is [Kind.Partitioned].
type SitePolicy interface {
	Elastic
	// Limits are those of the run, from Reset on. The audit holds the policy to them.
	Limits() []Limit
	// Shift is the rule by which jobs are delayed, with all bounds from Reset on; nil, also before Reset: not at all. The audit checks it.
	Shift() *Shift
	// GiveUp comes when nothing is left that could happen and jobs wait: the policy gives up its held jobs by
	// [State.Withhold].
	GiveUp(s *State)
	// PowerChanged tells that some nodes are in another state from now on ([State.Dark]); a pass follows.
	PowerChanged(s *State)
	// Spare returns the processors of a class that the plan leaves unused from now to a time, inclusive, ascending. It may return others
	// besides, but none of a job that waits for them now.
	// It also returns how many nodes of the class may begin to shut down now, by the cap.
	Spare(s *State, class int, until float64) (procs []Span, nodes int)
}

// PartitionOf is the partition of a job, the default one where it names none; 0 for none.
func (p *Platform) PartitionOf(j *JobSpec) int32 { return cmp.Or(j.Partition, p.byDefault) }

// partition fills in the partition of a job that names none, and reports one that cannot run there.
func (n *JobSpec) partition(p *Platform) error {
	switch {
	case n.Request != nil && !p.Divided():
		return fmt.Errorf("job %d requests memory, GPUs or the like, and platform %q has no node classes that list them "+
			"(platform.nodes)", n.ID, p.Name)
	case !p.Divided() && n.Partition == 0:
		return nil
	case n.Partition == 0 && p.byDefault == 0:
		return fmt.Errorf("job %d names no partition, and platform %q has no default one: mark one of its partitions as the default",
			n.ID, p.Name)
	case n.Partition == 0:
		n.Partition = p.byDefault
	case n.Partition < 0 || int(n.Partition) > len(p.Partitions):
		return fmt.Errorf("job %d is of partition number %d; platform %q has %d partitions", n.ID, n.Partition, p.Name, len(p.Partitions))
	}
	if most := p.Largest(n.Partition); int(n.Procs) > most {
		return fmt.Errorf("job %d needs %d processors, and partition %q has no class of more than %d: a job runs on nodes of one class; "+
			"drop such jobs of a log (workload.too_large), put them into another partition, or give the class more nodes",
			n.ID, n.Procs, p.Partition(n.Partition).Name, most)
	}
	if n.Request != nil {
		return p.Satisfies(n)
	}
	return nil
}

// StartIn starts j now on the lowest-numbered free processors of one class of its partition, as many as [Platform.Need]
// says.
func (s *State) StartIn(j *Job, class int) {
	if !s.mayStart(j) || !s.mayRun(j, class) {
		return
	}
	n := s.platform.Need(j.spec.Partition, class, j.spec.Procs)
	if n > s.free[class] {
		s.fail("starts job %d on %s of class %q with %d free there", j.spec.ID, Counted(n, "processor"), s.platform.Clusters[class].Name,
			s.free[class])
		return
	}
	j.alloc.Counts = j.alloc.Counts[:0]
	for range s.free {
		j.alloc.Counts = append(j.alloc.Counts, 0)
	}
	j.alloc.Counts[class], j.width = n, n
	if s.tracked {
		j.alloc.Procs = s.takeOn(class, int(n), j.alloc.Procs)
	}
	s.started(j)
}

// mayRun reports whether the class is one of j's partition, and ends the run where it is not.
func (s *State) mayRun(j *Job, class int) bool {
	switch {
	case !s.platform.Divided():
		s.fail("starts job %d on a class of a platform that is not divided", j.spec.ID)
		return false
	case !slices.Contains(s.platform.Partition(j.spec.Partition).Classes, class):
		s.fail("starts job %d on class %d, which is none of partition %q", j.spec.ID, class, s.platform.Partition(j.spec.Partition).Name)
		return false
	}
	return true
}
