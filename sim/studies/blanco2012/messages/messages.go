// Package messages is the transform of H. Blanco et al. (Euro-Par 2012 workshops) that
// makes jobs communicate between clusters.
package messages

import (
	"fmt"
	"math"
	"reflect"

	"schedsweep/sim"
	"schedsweep/sim/workload"
)

func init() {
	workload.AddTransform(workload.StudyTransform{Name: "messages", Doc: "bandwidth that jobs request of the links between clusters",
		Study: "blanco2012", Params: Defaults()})
}

// Params are those of the transform messages. It gives jobs
// [sim.JobSpec.Bandwidth] and [sim.JobSpec.Communication], for the progress model
// saturation. H. Blanco et al., "MIP model scheduling for multi-clusters", Euro-Par
// 2012 workshops, publish no bandwidths; here each job draws what it takes of a
// link where it is spread best.
type Params struct {
	Law      string     `sweep:"law" enum:"none: no bandwidth|link-share: a share of a link under the best placement, uniform within share" doc:"bandwidth that jobs request"`
	Sigma    float64    `sweep:"sigma" unit:"share" min:"0" max:"1" doc:"share of the run time that is processing; the rest is communication"`
	Share    [2]float64 `sweep:"share" unit:"share" doc:"bounds of the share of its busiest link that a job uses under its best placement on two or more clusters" min:"0" finite:"yes"`
	Clusters []Cluster  `sweep:"clusters" doc:"the clusters over which jobs are spread"`
	Link     float64    `sweep:"link" above:"0" unit:"B/s" doc:"bandwidth of a cluster's link" finite:"yes"`
}

// Cluster is a cluster over which jobs are spread.
type Cluster struct {
	Processors int     `sweep:"processors" min:"1" required:"true" doc:"its processors"`
	Speed      float64 `sweep:"speed" min:"0" doc:"their speed, for favours; 0: 1" finite:"yes"`
}

// Defaults are those of the platform of the paper.
func Defaults() Params {
	return Params{Law: "none", Sigma: .7, Share: [2]float64{.1, 1}, Clusters: []Cluster{{4, 1}, {4, .75}, {4, .5}}, Link: 125e6}
}

// Needs refuses what describes messages where jobs have none.
func (p *Params) Needs(report func(missing, field, message string)) {
	if p.Law == "none" && !reflect.DeepEqual(*p, Defaults()) {
		report("law", "law", "is none, and the other fields of messages are for jobs with some; add law: link-share, or drop them")
	}
}

func (p *Params) Validate(report func(field, message string)) {
	if p.Law != "none" && len(p.Clusters) < 2 {
		report("clusters", fmt.Sprintf("has %s; jobs are spread over at least 2", sim.Counted(len(p.Clusters), "cluster")))
	}
}

// Shapes reports that sizes and run times stay.
func (p *Params) Shapes() bool { return false }

// Pass gives the jobs of one pass their messages, by a stream of its own and one draw
// for a job. A job of one task sends nothing.
func (p *Params) Pass(_ int, streams sim.Streams) func(*sim.JobSpec) error {
	if p.Law == "none" {
		return nil
	}
	draws, leasts := streams.New("messages"), map[int]float64{}
	return func(j *sim.JobSpec) error {
		share := p.Share[0] + (p.Share[1]-p.Share[0])*draws.Float64()
		j.Communication = 1 - p.Sigma
		if j.Procs == 1 {
			return nil
		}
		n := int(j.Procs)
		least, known := leasts[n]
		if !known {
			least = spread(n, p.Clusters)
			leasts[n] = least
		}
		if math.IsInf(least, 1) {
			return fmt.Errorf("its %d processors are more than messages.clusters have together", n)
		}
		j.Bandwidth = share * p.Link / least
		return nil
	}
}

// spread is the least, over all ways to stand on two clusters or more, of the
// largest of n*(tasks-n)/(tasks-1), n being the tasks on a cluster: what a job
// takes of its fullest link per bandwidth of a task. +Inf: it does not fit.
// It takes time in the clusters times the square of the tasks.
func spread(tasks int, clusters []Cluster) float64 {
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
