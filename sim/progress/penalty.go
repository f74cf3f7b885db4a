package progress

import (
	"fmt"
	"math"

	"schedsweep/sim"
)

// coallocation are the metrics of models that know co-allocated jobs: those
// that hold processors on several clusters.
var coallocation = []sim.Metric{
	{Name: "coallocated_share", Doc: "share of the jobs started that were co-allocated: on several clusters at once"},
	{Name: "coallocated_clusters", Doc: "mean number of clusters of a co-allocated job"},
	{Name: "coallocation_penalty", Doc: "mean of (finish - start) / base run time over co-allocated jobs that finished; the base run time is the one on a single cluster of the slowest speed that the job uses"},
	{Name: "max_coallocation_penalty", Doc: "largest (finish - start) / base run time of a co-allocated job that finished"},
}

// census counts co-allocated jobs and what it cost them.
type census struct {
	started, spread, clusters int64
	ended                     int64 // co-allocated jobs that finished and had something to do
	penalties, largest        float64
}

// enter counts a job that starts on so many clusters.
func (c *census) enter(clusters int) {
	c.started++
	if clusters > 1 {
		c.spread++
		c.clusters += int64(clusters)
	}
}

// leave counts a co-allocated job that has ended, which ran at the given speed
// where nothing held it up.
func (c *census) leave(j *sim.Job, speed float64) {
	if j.State() != sim.Finished || j.RunTime() == 0 {
		return
	}
	penalty := (j.Finish() - j.Start()) / (j.RunTime() / speed)
	c.ended++
	c.penalties += penalty
	c.largest = max(c.largest, penalty)
}

// penalty is the mean penalty, NaN without co-allocated jobs.
func (c *census) penalty() float64 { return c.penalties / float64(c.ended) }

// Values appends the values of the metrics of co-allocation.
func (c *census) Values(dst []float64) []float64 {
	largest := c.largest
	if c.ended == 0 {
		largest = math.NaN()
	}
	return append(dst, float64(c.spread)/float64(c.started), float64(c.clusters)/float64(c.spread), c.penalty(), largest)
}

// reach returns the number of clusters that j stands on and the speed of the
// slowest of them.
func reach(p *sim.Platform, j *sim.Job) (clusters int, speed float64) {
	speed = math.Inf(1)
	for c, n := range j.Alloc().Counts {
		if n > 0 {
			clusters++
			speed = min(speed, p.Clusters[c].Speed)
		}
	}
	return clusters, speed
}

// relativeSpeeds refuses speeds in flop/s, by which these models would divide
// run times: they take speeds relative to the machine that the run times are of.
func relativeSpeeds(model string, p *sim.Platform) error {
	for i := range p.Clusters {
		if c := &p.Clusters[i]; c.Speed >= leastCapacity {
			return fmt.Errorf("progress model %s goes by run times and takes speeds relative to 1; cluster %q of platform %q has %g, which looks like flop/s", model, c.Name, p.Name, c.Speed)
		}
	}
	return nil
}
