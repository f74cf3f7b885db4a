package uplinks

import (
	"math"

	"schedsweep/sim"
)

// Metrics are the metrics of models that know co-allocated jobs: the jobs that hold processors on several clusters.
var Metrics = []sim.Metric{
	{Name: "coallocated_share", Share: true, Doc: "share of the starts of measured jobs that were co-allocated: on several clusters at once"},
	{Name: "coallocated_clusters", Doc: "mean number of clusters over the starts that coallocated_share counts"},
	{Name: "coallocation_penalty", Doc: "mean of (finish - start) / base run time over measured co-allocated jobs that finished. The " +
		"base run time is that on a single cluster of the slowest speed that the job uses"},
	{Name: "max_coallocation_penalty", Doc: "largest (finish - start) / base run time of a measured co-allocated job that finished"},
}

// Census counts co-allocated jobs and their loss by it.
type Census struct {
	started, spread, clusters int64 // measured jobs
	measured, all             losses
}

// losses are the penalties of co-allocated jobs that finished and had something to do.
type losses struct {
	jobs             int64
	penalty, largest float64
}

func (l *losses) add(penalty float64) {
	l.jobs++
	l.penalty += penalty
	l.largest = max(l.largest, penalty)
}

func (l *losses) mean() float64 { return l.penalty / float64(l.jobs) }

// Enter counts a job that starts on this number of clusters.
func (c *Census) Enter(j *sim.Job, clusters int) {
	if j.Part() != sim.Measured {
		return
	}
	c.started++
	if clusters > 1 {
		c.spread++
		c.clusters += int64(clusters)
	}
}

// Leave counts a co-allocated job that has ended, which ran at the given speed
// where nothing held it up.
func (c *Census) Leave(j *sim.Job, speed float64) {
	if j.State() != sim.Finished || j.RunTime() == 0 {
		return
	}
	penalty := (j.Finish() - j.Start()) / (j.RunTime() / speed)
	c.all.add(penalty)
	if j.Part() == sim.Measured {
		c.measured.add(penalty)
	}
}

// Penalty is the mean penalty of all jobs, measured or not, NaN without co-allocated jobs.
func (c *Census) Penalty() float64 { return c.all.mean() }

func (c *Census) Values(dst []float64) []float64 {
	largest := c.measured.largest
	if c.measured.jobs == 0 {
		largest = math.NaN()
	}
	return append(dst, float64(c.spread)/float64(c.started), float64(c.clusters)/float64(c.spread), c.measured.mean(), largest)
}
