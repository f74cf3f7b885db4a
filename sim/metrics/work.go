package metrics

import (
	"math"

	"schedsweep/sim"
)

func init() {
	Add(Kind{Place: 1, New: func() Observer { return &work{} }, Metrics: []sim.Metric{
		{Name: "makespan", Unit: "s", Doc: "last finish - first submission", Better: sim.Lower},
		{Name: "utilisation", Doc: "processor-seconds held by jobs / (processors * makespan); of a processor that is shared, the shares",
			Better: sim.Higher},
		{Name: "offered_load", Doc: "sum of processors * run time / (processors of the machine * (last - first submission)), over " +
			"submitted jobs"},
		{Name: "throughput", Unit: "1/h", Doc: "jobs that did all their work / makespan; empty where that is 0", Better: sim.Higher},
	}})
}

// extent is the time from the first submission to the last finish.
type extent struct{ first, last float64 }

func (e *extent) reset() { e.first, e.last = math.NaN(), math.NaN() }

// submitted comes with every submission, in order of time.
func (e *extent) submitted(now float64) {
	if math.IsNaN(e.first) {
		e.first = now
	}
}

// makespan is in seconds.
func (e *extent) makespan() float64 { return e.last - e.first }

// work is what was asked of the machine and what it did.
type work struct {
	extent
	procs         float64
	lastSubmit    float64
	held, offered total // processor-seconds
	finished      int
}

func (w *work) Reset(s Setting) {
	*w = work{procs: float64(s.Platform.Procs()), lastSubmit: math.NaN()}
	w.extent.reset()
}

func (w *work) Submitted(_ *sim.View, j *sim.Job) {
	w.submitted(j.Submit())
	w.lastSubmit = j.Submit()
	w.offered.Add(float64(j.Procs()) * j.RunTime())
}

func (w *work) Ended(_ *sim.View, j *sim.Job) {
	w.last = j.Finish()
	w.held.Add(j.Area())
	if j.State() == sim.Finished {
		w.finished++
	}
}

func (w *work) Values(dst []float64) []float64 {
	throughput := math.NaN()
	if w.makespan() > 0 {
		throughput = 3600 * float64(w.finished) / w.makespan()
	}
	return append(dst, w.makespan(), w.held.Value()/(w.procs*w.makespan()), w.offered.Value()/(w.procs*(w.lastSubmit-w.first)), throughput)
}
