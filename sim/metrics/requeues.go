package metrics

import "schedsweep/sim"

func init() {
	Add(Kind{New: func() Observer { return &requeues{} }, Metrics: []sim.Metric{
		{Name: "lost_work", Unit: "s", Sum: true, Doc: "processor-seconds of attempts without use: those after which a job was requeued " +
			"(engine.requeue), and last ones that an event of the platform ended; empty where none ran", Better: sim.Lower, OfJobs: true},
		{Name: "lost_work_share", Share: true, Doc: "lost_work / processor-seconds that jobs held; empty where no job took time",
			Better: sim.Lower, OfJobs: true},
		{Name: "requeues", Sum: true, Doc: "number of returns of killed jobs to the queue; empty where none ran", Better: sim.Lower,
			OfJobs: true},
	}})
}

// requeues adds up the work that jobs lost.
type requeues struct {
	lost, all   total
	jobs, times float64
}

func (r *requeues) Reset(Setting) { *r = requeues{} }

func (r *requeues) Ended(_ *sim.View, j *sim.Job) { r.add(j, j.Area()) }

func (r *requeues) Rejected(_ *sim.View, j *sim.Job) {
	if tried(j) {
		r.add(j, j.Lost())
	}
}

// tried reports whether a measured job that was rejected had run before.
func tried(j *sim.Job) bool { return j.Requeues() > 0 && j.Part() == sim.Measured }

// add adds a job that held processor-seconds in all attempts.
func (r *requeues) add(j *sim.Job, held float64) {
	if lost := j.Lost(); lost > 0 {
		r.lost.Add(lost)
	}
	r.all.Add(held)
	r.jobs++
	r.times += float64(j.Requeues())
}

func (r *requeues) Values(dst []float64) []float64 {
	none := 0 / r.jobs // NaN where nothing ran
	return append(dst, r.lost.Value()+none, r.lost.Value()/r.all.Value(), r.times+none)
}
