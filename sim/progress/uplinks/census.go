package uplinks

import (
	"math"

	"schedsweep/sim"
)

// Metrics are the metrics of models that know co-allocated jobs: the jobs that hold processors on several clusters.
var Metrics = []sim.Metric{
	{Name: "coallocated_share", Doc: "share of the jobs started that were co-allocated: on several clusters at once"},
	{Name: "coallocated_clusters", Doc: "mean number of clusters of a co-allocated job"},
	{Name: "coallocation_penalty", Doc: "mean of (finish - start) / base run time over co-allocated jobs that finished. The base run time " +
		"is that on a single cluster of the slowest speed that the job uses"},
	{Name: "max_coallocation_penalty", Doc: "largest (finish - start) / base run time of a co-allocated job that finished"},
}

// Census counts co-allocated jobs and their loss by it.
type Census struct {
	started, spread, clusters int64
	ended                     int64 // co-allocated jobs that finished and had something to do
	penalties, largest        float64
}

// Enter counts a job that starts on this number of clusters.
func (c *Census) Enter(clusters int) {
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
	c.ended++
	c.penalties += penalty
	c.largest = max(c.largest, penalty)
}

// Penalty is the mean penalty, NaN without co-allocated jobs.
func (c *Census) Penalty() float64 { return c.penalties / float64(c.ended) }

func (c *Census) Values(dst []float64) []float64 {
	largest := c.largest
	if c.ended == 0 {
		largest = math.NaN()
	}
	return append(dst, float64(c.spread)/float64(c.started), float64(c.clusters)/float64(c.spread), c.Penalty(), largest)
}
