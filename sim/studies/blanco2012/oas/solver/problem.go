package solver

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Cluster is a set of identical nodes, each for one task, behind one link.
type Cluster struct {
	// Name is for files and messages.
	Name string
	// Nodes is the number of nodes, at least 1.
	Nodes int
	// Power is the effective power of a node, above 0; 1 is full speed.
	Power float64
	// Link is the bandwidth of the link to the central switch (MBW), in the unit
	// of [Job.Bandwidth]; +Inf is no limit.
	Link float64
}

// Job is a rigid parallel job that is to be placed.
type Job struct {
	// ID is for files and messages.
	ID int64
	// Tasks is the number of nodes that the job needs (tau), at least 1.
	Tasks int
	// Base is its time on nodes of full speed without a wait for messages (Tb), in
	// the unit of [Problem.Slot]; at least 0.
	Base float64
	// Sigma is the weight of processing in that time, in [0, 1].
	Sigma float64
	// Bandwidth is the bandwidth that a task requests (PTBW), at least 0.
	Bandwidth float64
}

// Hold is the part of the machine that a running job keeps for the first slots. The Time of its mode is the rest of
// its duration.
type Hold struct {
	Slots int
	Mode
}

// Mode is one way to place a job.
type Mode struct {
	// Counts are the tasks on each cluster.
	Counts []int32
	// Load is the job's load of each cluster's link.
	Load []float64
	// Time is the duration of the job, Slots the slots that it occupies, at least 1.
	Time  float64
	Slots int
}

// String is the counts joined by plus signs.
func (m *Mode) String() string {
	var b strings.Builder
	for k, n := range m.Counts {
		if k > 0 {
			b.WriteByte('+')
		}
		b.WriteString(strconv.Itoa(int(n)))
	}
	return b.String()
}

// Problem asks for the least number of slots in which all jobs end.
type Problem struct {
	Clusters []Cluster
	Jobs     []Job
	// Slot is the length of a slot (eta), above 0.
	Slot float64
	// Held lists the modes that already occupy the machine; it is empty where the machine is free.
	Held []Hold
}

// tolerance is the relative error that quotients of times and sums of bandwidths
// may have: a duration a hair above a whole number of slots is that number, and a
// hair more than a link carries is what it carries.
const tolerance = 1e-9

// Fits reports whether a link of that capacity carries that load.
func Fits(load, capacity float64) bool { return load <= capacity*(1+tolerance) }

// Load returns the load that a job of tau tasks, with n of them on a cluster, puts on the cluster's
// link: equation 4 of the paper, and 0 for a job whole on the cluster.
func Load(n, tasks int, bandwidth float64) float64 {
	if tasks == 1 {
		return 0
	}
	return float64(n) * bandwidth * float64(tasks-n) / float64(tasks-1)
}

// Slots is the number of slots of that length that a time needs.
func Slots(time, slot float64) int { return int(math.Ceil(time/slot - tolerance)) }

// Modes returns every way to place a job that saturates no link by itself: first
// the fastest, then those with the most tasks on the first clusters. None: the
// job is infeasible or oversized.
func (p *Problem) Modes(j *Job) []Mode {
	counts := make([]int32, len(p.Clusters))
	var byCluster []Mode
	var fill func(k, left int)
	fill = func(k, left int) {
		if k == len(p.Clusters) {
			if left == 0 {
				if m, ok := p.Mode(j, counts); ok {
					byCluster = append(byCluster, m)
				}
			}
			return
		}
		for n := min(left, p.Clusters[k].Nodes); n >= 0; n-- {
			counts[k] = int32(n)
			fill(k+1, left-n)
		}
	}
	fill(0, j.Tasks)
	slices.SortStableFunc(byCluster, func(a, b Mode) int { return cmp.Compare(a.Time, b.Time) })
	return byCluster
}

// Mode is the way to place a job that the counts say; false: it saturates a link by
// itself.
func (p *Problem) Mode(j *Job, counts []int32) (Mode, bool) {
	m := Mode{Counts: append([]int32(nil), counts...), Load: make([]float64, len(counts))}
	slowest, carried := math.Inf(1), true
	for k, n := range counts {
		if n == 0 {
			continue
		}
		c := &p.Clusters[k]
		slowest = min(slowest, c.Power)
		m.Load[k] = Load(int(n), j.Tasks, j.Bandwidth)
		carried = carried && Fits(m.Load[k], c.Link)
	}
	m.Time = j.Base * (j.Sigma/slowest + (1 - j.Sigma))
	m.Slots = max(1, Slots(m.Time, p.Slot))
	return m, carried
}

// Spreads is the largest number of ways to spread a job over the clusters, over all
// numbers of tasks: the number of its modes where links carry everything.
func (p *Problem) Spreads() float64 {
	ways := []float64{1} // by tasks, over the clusters so far
	for i := range p.Clusters {
		next := make([]float64, len(ways)+p.Clusters[i].Nodes)
		for tasks, w := range ways {
			for n := range p.Clusters[i].Nodes + 1 {
				next[tasks+n] += w
			}
		}
		ways = next
	}
	return slices.Max(ways)
}

// Placed is the place and the time of a job.
type Placed struct {
	// Start is the first slot, from 0.
	Start int
	Mode
}

// Plan says for each job of a problem where and when it runs.
type Plan []Placed

// Slots is the plan's makespan.
func (pl Plan) Slots() int {
	end := 0
	for i := range pl {
		end = max(end, pl[i].Start+pl[i].Slots)
	}
	return end
}

// Check reports whether the plan keeps the rules of the problem: each job as a
// whole in one of its modes, no cluster with more tasks than nodes, no link with
// more than it carries.
func (p *Problem) Check(plan Plan) error {
	if len(plan) != len(p.Jobs) {
		return fmt.Errorf("the plan has %d jobs of %d", len(plan), len(p.Jobs))
	}
	for i := range plan {
		at, j := &plan[i], &p.Jobs[i]
		tasks := 0
		for _, n := range at.Counts {
			tasks += int(n)
		}
		m, ok := p.Mode(j, at.Counts)
		if tasks != j.Tasks || len(at.Counts) != len(p.Clusters) || !ok || m.Slots != at.Slots || at.Start < 0 {
			return fmt.Errorf("job %d may not run on %s for %d slots from slot %d", j.ID, at.Mode.String(), at.Slots, at.Start)
		}
	}
	for t := range plan.Slots() {
		for k := range p.Clusters {
			nodes, load := 0, 0.0
			add := func(m *Mode, runs bool) {
				if runs {
					nodes, load = nodes+int(m.Counts[k]), load+m.Load[k]
				}
			}
			for i := range plan {
				add(&plan[i].Mode, plan[i].Start <= t && t < plan[i].Start+plan[i].Slots)
			}
			for i := range p.Held {
				add(&p.Held[i].Mode, t < p.Held[i].Slots)
			}
			if c := &p.Clusters[k]; nodes > c.Nodes || !Fits(load, c.Link) {
				return fmt.Errorf("in slot %d cluster %s has %d tasks on %d nodes and %g on a link of %g", t, c.Name, nodes, c.Nodes, load, c.Link)
			}
		}
	}
	return nil
}

// Status is the result of a solver's search.
type Status string

// The outcomes of a solver.
const (
	Optimal    Status = "optimal"    // the plan is proved to be shortest
	Feasible   Status = "feasible"   // a limit came first; the plan is the best known
	Infeasible Status = "infeasible" // there is no plan
	TimeLimit  Status = "time limit" // a limit came before any plan
)

// Limits end a search early. Searches that end by Nodes repeat bit for bit.
type Limits struct {
	// Nodes is the largest number of nodes that a search visits; 0 is no limit.
	Nodes int64
	// Stop reports whether the time is over; nil is never. The search calls it now and then.
	Stop func() bool
}

// Result is the answer of a solver to a problem.
type Result struct {
	Status Status
	// Plan is the best plan known, nil where there is none.
	Plan Plan
	// Bound is a number of slots below which there is no plan.
	Bound int
	// Nodes is the number of visited nodes of the search tree; -1: unknown.
	Nodes int64
}

// Gap returns the largest possible distance of the plan from the optimum, relative to the plan; NaN
// without a plan.
func (r *Result) Gap() float64 {
	switch n := r.Plan.Slots(); {
	case r.Plan == nil:
		return math.NaN()
	case n == 0:
		return 0
	default:
		return float64(n-r.Bound) / float64(n)
	}
}
