package metrics

import (
	"math"

	"schedsweep/sim"
)

func init() {
	Add(Kind{Place: 1, New: func() Observer { return &work{} }, Metrics: []sim.Metric{
		{Name: "makespan", Unit: "s", Sum: true, Doc: "last finish - first submission, of measured jobs", Better: sim.Lower},
		{Name: "utilisation", Share: true, Doc: "processor-seconds held by jobs / (processors * measured_time); of a processor that is " +
			"shared, the shares", Better: sim.Higher},
		{Name: "offered_load", Doc: "sum of processors * run time / (processors of the machine * (last - first submission)), over " +
			"the measured jobs"},
		{Name: "throughput", Unit: "1/h", Doc: "jobs that did all their work in measured_time / measured_time; empty where " +
			"that is 0", Better: sim.Higher},
	}})
}

// work is the requested and the done work of the machine.
type work struct {
	*Extent
	procs         float64
	lastSubmit    float64
	held, offered total   // processor-seconds
	apart         bool    // jobs that are not measured, or that were rejected after attempts, hold processors, too
	from, until   float64 // [sim.View.Area] where the measured time begins and ends
	before, after int64   // [sim.View.Finished] there
}

func (w *work) Reset(s Setting) {
	*w = work{Extent: s.Extent, procs: float64(s.Platform.Procs()), lastSubmit: math.NaN()}
}

func (w *work) Begins(s *sim.View) { w.from, w.before = s.Area(), s.Finished() }

func (w *work) Closes(s *sim.View) { w.until, w.after = s.Area(), s.Finished() }

func (w *work) Submitted(_ *sim.View, j *sim.Job) {
	w.lastSubmit = j.Submit()
	w.offered.Add(float64(j.Procs()) * j.RunTime())
}

// Beside notes that others hold processors, too.
func (w *work) Beside(*sim.View, *sim.Job) { w.apart = true }

func (w *work) Ended(_ *sim.View, j *sim.Job) { w.held.Add(j.Area()) }

func (w *work) Rejected(_ *sim.View, j *sim.Job) { w.apart = w.apart || tried(j) }

func (w *work) Values(dst []float64) []float64 {
	throughput, time := math.NaN(), w.Measured()
	if time > 0 {
		throughput = 3600 * float64(w.after-w.before) / time
	}
	held := w.held.Value()
	if w.apart {
		held = w.until - w.from
	}
	return append(dst, w.Last-w.First, held/(w.procs*time), w.offered.Value()/(w.procs*(w.lastSubmit-w.First)), throughput)
}
