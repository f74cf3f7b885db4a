package metrics

import "schedsweep/sim"

func init() {
	Add(Kind{Place: 5, New: func() Observer { return &flow{} }, Metrics: []sim.Metric{
		{Name: "mean_queue_length", Doc: "time average of the number of waiting jobs in measured_time. A requeued job does not " +
			"wait while it runs. A job that is rejected later waits until then, and one that a limit withholds until nothing else can run",
			Better: sim.Lower,
			Source: "Little 1961"},
		{Name: "waited_share", Share: true, Doc: "share of jobs that did not start at their submission", Better: sim.Lower, OfJobs: true},
		{Name: "mean_run_time", Unit: "s", Doc: "mean of the time for which a job held its processors, in its last attempt where it was requeued",
			Better: sim.Lower, OfJobs: true},
	}})
}

// flow counts jobs on their way through queue and machine.
type flow struct {
	*Extent
	n, waited   float64
	wait, ran   total
	apart       bool    // the waits of the measured jobs that ran are not those of the queue
	from, until float64 // [sim.View.Queued] where the measured time begins and ends
}

func (f *flow) Reset(s Setting) { *f = flow{Extent: s.Extent} }

func (f *flow) Begins(s *sim.View) { f.from = s.Queued() }

func (f *flow) Closes(s *sim.View) { f.until = s.Queued() }

// Beside notes that others wait, too.
func (f *flow) Beside(_ *sim.View, j *sim.Job) { f.apart = f.apart || j.Part() != sim.Added }

func (f *flow) Ended(_ *sim.View, j *sim.Job) {
	wait := j.Start() - j.Submit()
	f.apart = f.apart || j.Requeues() > 0
	f.n++
	f.wait.Add(wait)
	f.ran.Add(j.Held())
	if wait > 0 {
		f.waited++
	}
}

// Rejected notes a job that waited and never ran in the end.
func (f *flow) Rejected(s *sim.View, j *sim.Job) {
	f.apart = f.apart || j.Part() != sim.Added && s.Now() > j.Submit()
}

func (f *flow) Values(dst []float64) []float64 {
	queued := f.wait.Value() // each job adds 1 to the queue for as long as it waits
	if f.apart {
		queued = f.until - f.from
	}
	return append(dst, queued/f.Measured(), f.waited/f.n, f.ran.Value()/f.n)
}
