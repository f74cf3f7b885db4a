package metrics

import "schedsweep/sim"

func init() {
	Add(Kind{Place: 5, New: func() Observer { return &flow{} }, Metrics: []sim.Metric{
		{Name: "mean_queue_length", Doc: "time average of the number of waiting jobs: the sum of the waits over measured_time", Better: sim.Lower,
			Source: "Little 1961"},
		{Name: "waited_share", Doc: "share of jobs that did not start at their submission", Better: sim.Lower, OfJobs: true},
		{Name: "mean_run_time", Unit: "s", Doc: "mean of the time for which a job held its processors, in its last attempt where it was requeued",
			Better: sim.Lower, OfJobs: true},
	}})
}

// flow counts jobs on their way through queue and machine.
type flow struct {
	*Extent
	n, waited float64
	wait, ran total
}

func (f *flow) Reset(s Setting) { *f = flow{Extent: s.Extent} }

func (f *flow) Ended(_ *sim.View, j *sim.Job) {
	wait := j.Start() - j.Submit()
	f.n++
	f.wait.Add(wait)
	f.ran.Add(j.Held())
	if wait > 0 {
		f.waited++
	}
}

func (f *flow) Values(dst []float64) []float64 {
	// Each job adds 1 to the queue for as long as it waits.
	return append(dst, f.wait.Value()/f.Measured(), f.waited/f.n, f.ran.Value()/f.n)
}
