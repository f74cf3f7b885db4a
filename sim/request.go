package sim

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
)

// Request is the request of a job besides processors. It does not change, and jobs may share it.
type Request struct {
	// Nodes is on how many nodes the job runs, with the same number of processors on each, rounded up. 0: on whichever nodes.
	Nodes int32
	// Memory in bytes and GPUs are what the job gets on each of Nodes, or beside each processor where Nodes is 0.
	Memory int64
	GPUs   int32
	// Features must be on each of its nodes: bit i means Platform.Features[i].
	Features uint64
	// Licences are the numbers of licences that the job takes of each of Platform.Licences.
	Licences [MaxLicences]int32
}

// Numbers are the request as numbers.
func (r *Request) Numbers() [4 + MaxLicences]uint64 {
	out := [4 + MaxLicences]uint64{uint64(uint32(r.Nodes)), uint64(r.Memory), uint64(uint32(r.GPUs)), r.Features}
	for i, n := range r.Licences {
		out[4+i] = uint64(uint32(n))
	}
	return out
}

// Licence is a number of licences of the platform.
type Licence struct {
	Name  string
	Count int32
}

// MaxFeatures and MaxLicences are how many features and kinds of licences a platform may have.
const (
	MaxFeatures = 64
	MaxLicences = 8
)

// Chunk is a job's part of a node, as often as Count says.
type Chunk struct {
	Count, Cores, GPUs int32
	Memory             int64
	Features           uint64
	Apart              bool // each on a node of its own
	Whole              bool // on nodes that it takes with all processors
}

// ChunkOf returns the division of a job over the nodes of its partition.
func (p *Platform) ChunkOf(j *JobSpec) Chunk {
	k := Chunk{Count: j.Procs, Cores: 1, Whole: p.Partition(p.PartitionOf(j)).Whole}
	r := j.Request
	if r == nil {
		return k
	}
	k.Memory, k.GPUs, k.Features = r.Memory, r.GPUs, r.Features
	if r.Nodes > 0 {
		k.Count, k.Cores, k.Apart = r.Nodes, (j.Procs+r.Nodes-1)/r.Nodes, true
	}
	return k
}

// ChunkOf returns the division of j over the nodes of its partition.
func (s *State) ChunkOf(j *Job) Chunk { return s.platform.ChunkOf(&j.spec) }

// Request returns the request of the job besides processors, and whether there is one.
func (j *Job) Request() (Request, bool) {
	if j.spec.Request == nil {
		return Request{}, false
	}
	return *j.spec.Request, true
}

// Holds returns the number of chunks that fit into the free resources of a node of the cluster.
func (c *Cluster) Holds(k *Chunk, cores, gpus int32, memory int64) int32 {
	if k.Features&^c.Features != 0 || k.Whole && cores < int32(c.Cores) {
		return 0
	}
	n := cores
	if k.Cores > 1 {
		n /= k.Cores
	}
	if hi, lo := bits.Mul64(uint64(max(n, 0)), uint64(k.Memory)); k.Memory > 0 && (hi > 0 || lo > uint64(max(memory, 0))) {
		n = int32(memory / k.Memory)
	}
	if k.GPUs > 0 {
		n = min(n, gpus/k.GPUs)
	}
	if k.Apart {
		n = min(n, 1)
	}
	return max(n, 0)
}

// WidthOn is the number of processors that a job of these chunks gets on the cluster alone, 0 where the cluster has too few whole nodes.
func (c *Cluster) WidthOn(k *Chunk) int32 {
	if !k.Whole {
		return k.Count * k.Cores
	}
	n := int64(c.Holds(k, int32(c.Cores), c.GPUs, c.Memory))
	if n*int64(c.Nodes) < int64(k.Count) {
		return 0
	}
	return int32((int64(k.Count) + n - 1) / n * int64(c.Cores))
}

// Choices appends the uses of a job that runs on one class of its partition alone: on whole nodes an entry for each class that has enough
// of them, else one entry of class -1 for all classes.
func (p *Platform) Choices(j *JobSpec, to []Choice) []Choice {
	number := p.PartitionOf(j)
	if number < 1 || int(number) > len(p.Partitions) {
		return append(to, Choice{Uses{Jobs: 1, Procs: int64(j.Procs)}, -1})
	}
	k := p.ChunkOf(j)
	for _, class := range p.Partition(number).Classes {
		c := &p.Clusters[class]
		if w := int64(c.WidthOn(&k)); !k.Whole {
			return append(to, Choice{Uses{Jobs: 1, Procs: w, GPUs: int64(k.Count) * int64(k.GPUs)}, -1})
		} else if w > 0 {
			to = append(to, Choice{Uses{Jobs: 1, Procs: w, GPUs: w / int64(c.Cores) * int64(c.GPUs)}, class})
		}
	}
	return to
}

// Choices appends the uses of j on the classes of its partition.
func (s *State) Choices(j *Job, to []Choice) []Choice { return s.platform.Choices(&j.spec, to) }

// Satisfies reports what the idle machine could not give to the job. A job without a partition is one of the default partition.
func (p *Platform) Satisfies(j *JobSpec) error {
	r, number := j.Request, cmp.Or(j.Partition, p.byDefault)
	if r == nil || number == 0 {
		return nil
	}
	for i, n := range r.Licences {
		if n > 0 && (i >= len(p.Licences) || n > p.Licences[i].Count) {
			return fmt.Errorf("job %d needs %d licences of number %d, and platform %q has no more than %v: drop the job, or add licences",
				j.ID, n, i, p.Name, p.Licences)
		}
	}
	k, most, q := p.ChunkOf(j), int64(0), p.Partition(number)
	for _, class := range q.Classes {
		c := &p.Clusters[class]
		n := int64(c.Holds(&k, int32(c.Cores), c.GPUs, c.Memory)) * int64(c.Nodes)
		if q.Span {
			n += most
		}
		most = max(most, n)
	}
	if most < int64(k.Count) {
		return fmt.Errorf("job %d needs %d times %s, %d B of memory, %s and %s, and the nodes of partition %q have room "+
			"for %d of these: drop such jobs, or give a node class what they need (its cores, memory, requestable_gpus "+
			"and features)", j.ID, k.Count, Counted(k.Cores, "processor"), k.Memory,
			Counted(k.GPUs, "GPU"), p.named(k.Features), q.Name, most)
	}
	return nil
}

// SameSwitch reports whether two classes are one or share a leaf switch.
func (p *Platform) SameSwitch(a, b int) bool {
	return a == b || p.Clusters[a].Switch != "" && p.Clusters[a].Switch == p.Clusters[b].Switch
}

// named lists features.
func (p *Platform) named(features uint64) string {
	out := []string{}
	for i, name := range p.Features {
		if features&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	if len(out) == 0 {
		return "no feature"
	}
	return fmt.Sprintf("the features %v", out)
}

// Feature returns the bit of a feature, 0 where no node has it.
func (p *Platform) Feature(name string) uint64 {
	if i := slices.Index(p.Features, name); i >= 0 {
		return 1 << i
	}
	return 0
}

// mayHold reports whether j may have these processors by its partition and request, and ends the run where it may not.
func (s *State) mayHold(j *Job, procs []Span) bool {
	n, last := int32(0), -1
	for _, sp := range procs {
		for lo := int(sp.Lo); lo <= int(sp.Hi); {
			class := s.platform.ClusterOf(lo)
			if class != last && !s.mayRun(j, class) {
				return false
			}
			if last >= 0 && class != last && !s.platform.Partition(j.spec.Partition).Span {
				s.fail("starts job %d on several classes, which its partition does not allow", j.spec.ID)
				return false
			}
			next := min(int(sp.Hi)+1, s.platform.First(class+1))
			n, last, lo = n+int32(next-lo), class, next
		}
	}
	if k := s.ChunkOf(j); n < k.Count*k.Cores {
		s.fail("starts job %d, which needs %s, on %d", j.spec.ID, Counted(k.Count*k.Cores, "processor"), n)
		return false
	}
	return true
}
