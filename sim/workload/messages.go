package workload

import (
	"fmt"
	"math"
	"math/rand/v2"

	"schedsweep/sim"
)

// Messages are the transform that makes jobs communicate: it gives them
// [sim.JobSpec.Bandwidth] and [sim.JobSpec.Communication], for the progress model
// saturation. H. Blanco et al., "MIP model scheduling for multi-clusters", Euro-Par
// 2012 workshops, publish no bandwidths; here each job draws what it takes of a
// link where it is spread best.
type Messages struct {
	Law      string           `sweep:"law" enum:"none: nothing|link-share: a share of a link, uniform within share, where they are spread best" doc:"what jobs ask of the network"`
	Sigma    float64          `sweep:"sigma" min:"0" max:"1" doc:"share of the run time that is processing; the rest is communication"`
	Share    [2]float64       `sweep:"share" doc:"bounds of what a job takes of its fullest link, as a share of that, where it is spread over two clusters or more and best" min:"0" finite:"yes"`
	Clusters []MessageCluster `sweep:"clusters" doc:"the clusters over which jobs are spread"`
	Link     float64          `sweep:"link" above:"0" unit:"B/s" doc:"bandwidth of a cluster's link" finite:"yes"`
}

// MessageCluster is a cluster over which jobs are spread.
type MessageCluster struct {
	Processors int     `sweep:"processors" min:"1" required:"true" doc:"its processors"`
	Speed      float64 `sweep:"speed" min:"0" doc:"their speed, for favours; 0: 1" finite:"yes"`
}

// defaultMessages is the platform of the paper.
func defaultMessages() Messages {
	return Messages{Law: "none", Sigma: .7, Share: [2]float64{.1, 1}, Clusters: []MessageCluster{{4, 1}, {4, .75}, {4, .5}}, Link: 125e6}
}

func (m *Messages) validate(report func(field, message string)) {
	if m.Law != "none" && len(m.Clusters) < 2 {
		report("messages.clusters", fmt.Sprintf("has %d clusters; jobs are spread over at least 2", len(m.Clusters)))
	}
}

// talking gives the jobs of one pass their messages, by a stream of its own and
// one draw for a job.
type talking struct {
	law   *Messages
	draws *rand.Rand
	least map[int]float64 // tasks -> see spread
}

// newTalking returns nil where there is nothing to give.
func newTalking(law *Messages, streams sim.Streams) *talking {
	if law.Law == "none" {
		return nil
	}
	return &talking{law, streams.New("messages"), map[int]float64{}}
}

// give draws the job's bandwidth. A job of one task sends nothing. A nil receiver
// does nothing.
func (t *talking) give(j *sim.JobSpec) error {
	if t == nil {
		return nil
	}
	share := t.law.Share[0] + (t.law.Share[1]-t.law.Share[0])*t.draws.Float64()
	j.Communication = 1 - t.law.Sigma
	if j.Procs == 1 {
		return nil
	}
	n := int(j.Procs)
	least, known := t.least[n]
	if !known {
		least = spread(n, t.law.Clusters)
		t.least[n] = least
	}
	if math.IsInf(least, 1) {
		return fmt.Errorf("its %d processors are more than messages.clusters have together", n)
	}
	j.Bandwidth = share * t.law.Link / least
	return nil
}

// spread is the least, over all ways to stand on two clusters or more, of the
// largest of n*(tasks-n)/(tasks-1), n being the tasks on a cluster: what a job
// takes of its fullest link per bandwidth of a task. +Inf: it does not fit.
// It takes time in the clusters times the square of the tasks.
func spread(tasks int, clusters []MessageCluster) float64 {
	// best[n]: of the clusters so far, with n tasks left for the others.
	best := make([]float64, tasks+1)
	for n := range best {
		best[n] = math.Inf(1)
	}
	best[tasks] = 0
	for _, c := range clusters {
		next := make([]float64, tasks+1)
		for left := range next {
			next[left] = math.Inf(1)
			for n := 0; n <= min(c.Processors, tasks-1) && left+n <= tasks; n++ {
				load := float64(n) * float64(tasks-n) / float64(tasks-1)
				next[left] = min(next[left], max(load, best[left+n]))
			}
		}
		best = next
	}
	return best[0]
}
