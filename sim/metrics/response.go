package metrics

import "schedsweep/sim"

func init() {
	Add(Kind{Place: 3, New: func() Observer { return &response{} }, Metrics: []sim.Metric{
		{Name: "mean_response_time", Unit: "s", Doc: "mean of finish - submission, of a job that was requeued its last finish",
			Better: sim.Lower, OfJobs: true},
		{Name: "median_response_time", Unit: "s", Doc: "median of finish - submission", Better: sim.Lower, OfJobs: true},
		{Name: "p95_response_time", Unit: "s", Doc: "95th percentile of finish - submission", Better: sim.Lower, OfJobs: true},
	}})
}

type response struct{ quantity }

func (r *response) Reset(Setting) { r.reset() }

func (r *response) Ended(_ *sim.View, j *sim.Job) { r.add(j.Finish() - j.Submit()) }

func (r *response) Values(dst []float64) []float64 {
	return append(dst, r.mean(), r.quantile(.5), r.quantile(.95))
}
