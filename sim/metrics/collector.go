package metrics

import (
	"math"

	"schedsweep/sim"
)

// DefaultThreshold is the threshold of the bounded slowdown in seconds
// (Feitelson, Rudolph, Schwiegelshohn, Sevcik and Wong 1997).
const DefaultThreshold = 10

// Collector is an observer that computes every metric of the catalog. It keeps
// its memory from run to run.
type Collector struct {
	threshold   float64
	procs       int
	submitted   int64
	firstSubmit float64
	lastSubmit  float64
	lastFinish  float64
	held        total // processor-seconds held
	offered     total // processor-seconds asked for
	ran         total
	waited      int64
	wait        sample
	response    sample
	slowdown    sample
	bounded     sample
	steady      steady
	state       steadyState // as of the last call of Values
}

// Reset makes the collector ready for a run on p. threshold is that of the
// bounded slowdown in seconds, above 0.
func (c *Collector) Reset(p *sim.Platform, threshold float64) {
	c.threshold, c.procs = threshold, p.Procs()
	c.submitted, c.waited = 0, 0
	c.firstSubmit, c.lastSubmit, c.lastFinish = math.NaN(), math.NaN(), math.NaN()
	c.held, c.offered, c.ran = total{}, total{}, total{}
	c.wait.reset(true)
	c.response.reset(true)
	c.slowdown.reset(false)
	c.bounded.reset(true)
	c.steady.reset()
}

// Submitted counts the job's demand.
func (c *Collector) Submitted(s *sim.View, j *sim.Job) {
	if c.submitted == 0 {
		c.firstSubmit = j.Submit()
	}
	c.submitted++
	c.lastSubmit = j.Submit()
	c.offered.add(float64(j.Procs()) * j.RunTime())
	c.steady.submitted(j.Seq(), s.Waiting()-1)
}

// Started has nothing to add: all is known when the job ends.
func (c *Collector) Started(*sim.View, *sim.Job) {}

// Ended enters the job, if it ran.
func (c *Collector) Ended(_ *sim.View, j *sim.Job) {
	if j.State() == sim.Rejected {
		return
	}
	c.lastFinish = j.Finish()
	wait, response, ran := j.Start()-j.Submit(), j.Finish()-j.Submit(), j.Held()
	alone := j.RunTime()
	if j.State() == sim.Killed {
		alone = ran // the run time is one that it never had
	}
	c.wait.add(wait)
	c.response.add(response)
	if alone > 0 {
		c.slowdown.add(response / alone)
	}
	c.bounded.add(math.Max(1, response/math.Max(alone, c.threshold)))
	c.held.add(float64(j.Procs()) * ran)
	c.ran.add(ran)
	c.steady.ended(j.Seq(), response)
	if wait > 0 {
		c.waited++
	}
}

func (c *Collector) makespan() float64 { return c.lastFinish - c.firstSubmit }

// Values appends the value of each metric of the catalog to dst.
func (c *Collector) Values(dst []float64) []float64 {
	c.state = c.steady.result()
	for i := range catalog {
		v := catalog[i].value(c)
		if math.IsInf(v, 0) {
			v = math.NaN() // 0 divided nothing: a run without extent defines no rate
		}
		dst = append(dst, v)
	}
	return dst
}
