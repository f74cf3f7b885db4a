package metrics

import "schedsweep/sim"

func init() {
	wait := func(j *sim.Job) float64 { return j.Start() - j.Submit() }
	Add(Kind{Place: 2, New: func() Observer { return &delays{of: wait, largest: true} }, Metrics: []sim.Metric{
		{Name: "mean_wait_time", Unit: "s",
			Doc: "mean of start - submission, of a job that was requeued its last start: attempts that were lost " +
				"count as waiting", Better: sim.Lower, OfJobs: true},
		{Name: "median_wait_time", Unit: "s", Doc: "median of start - submission", Better: sim.Lower, OfJobs: true},
		{Name: "p95_wait_time", Unit: "s", Doc: "95th percentile of start - submission", Better: sim.Lower, OfJobs: true},
		{Name: "max_wait_time", Unit: "s", Doc: "largest start - submission", Better: sim.Lower, OfJobs: true},
	}})
	response := func(j *sim.Job) float64 { return j.Finish() - j.Submit() }
	Add(Kind{Place: 3, New: func() Observer { return &delays{of: response} }, Metrics: []sim.Metric{
		{Name: "mean_response_time", Unit: "s", Doc: "mean of finish - submission, of a job that was requeued its last finish",
			Better: sim.Lower, OfJobs: true},
		{Name: "median_response_time", Unit: "s", Doc: "median of finish - submission", Better: sim.Lower, OfJobs: true},
		{Name: "p95_response_time", Unit: "s", Doc: "95th percentile of finish - submission", Better: sim.Lower, OfJobs: true},
	}})
}

// delays are the waits or the response times of jobs.
type delays struct {
	quantity
	of      func(*sim.Job) float64
	largest bool // the largest is a metric too
}

func (d *delays) Reset(Setting) { d.reset() }

func (d *delays) Ended(_ *sim.View, j *sim.Job) { d.add(d.of(j)) }

func (d *delays) Values(dst []float64) []float64 {
	dst = append(dst, d.mean(), d.quantile(.5), d.quantile(.95))
	if d.largest {
		dst = append(dst, d.max())
	}
	return dst
}
