package metrics

import "schedsweep/sim"

func init() {
	Add(Kind{Place: 2, New: func() Observer { return &wait{} }, Metrics: []sim.Metric{
		{Name: "mean_wait_time", Unit: "s",
			Doc: "mean of start - submission, of a job that was requeued its last start: attempts that were lost " +
				"count as waiting", Better: sim.Lower, OfJobs: true},
		{Name: "median_wait_time", Unit: "s", Doc: "median of start - submission", Better: sim.Lower, OfJobs: true},
		{Name: "p95_wait_time", Unit: "s", Doc: "95th percentile of start - submission", Better: sim.Lower, OfJobs: true},
		{Name: "max_wait_time", Unit: "s", Doc: "largest start - submission", Better: sim.Lower, OfJobs: true},
	}})
}

type wait struct{ quantity }

func (w *wait) Reset(Setting) { w.reset() }

func (w *wait) Ended(_ *sim.View, j *sim.Job) { w.add(j.Start() - j.Submit()) }

func (w *wait) Values(dst []float64) []float64 {
	return append(dst, w.mean(), w.quantile(.5), w.quantile(.95), w.max())
}
