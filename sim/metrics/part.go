package metrics

import (
	"math"

	"schedsweep/sim"
)

func init() {
	Add(Kind{Place: 12, New: func() Observer { return &span{} }, Metrics: []sim.Metric{
		{Name: "measured_time", Unit: "s", Doc: "time over which utilisation and other means over time are taken: from the first measured " +
			"submission until the run-out begins, or the last measured finish where there is none"},
	}})
}

// span is the measured time.
type span struct{ extent }

func (m *span) Reset(Setting) { m.reset() }

func (m *span) Submitted(_ *sim.View, j *sim.Job) { m.submitted(j.Submit()) }

func (m *span) Beside(_ *sim.View, j *sim.Job) { m.beside(j) }

func (m *span) Ended(_ *sim.View, j *sim.Job) { m.last = j.Finish() }

func (m *span) Values(dst []float64) []float64 { return append(dst, m.measured()) }

// extent is the time of the measured jobs: from the first submission to the last
// finish, and when the run-out began between.
type extent struct{ first, last, runOut float64 }

func (e *extent) reset() { e.first, e.last, e.runOut = math.NaN(), math.NaN(), math.NaN() }

// submitted comes with every measured submission, in order of time.
func (e *extent) submitted(now float64) {
	if math.IsNaN(e.first) {
		e.first = now
	}
	e.runOut = math.NaN()
}

// beside comes with every other submission. It reports whether the run-out begins.
func (e *extent) beside(j *sim.Job) bool {
	begins := j.Part() == sim.RunOut && !math.IsNaN(e.first) && math.IsNaN(e.runOut)
	if begins {
		e.runOut = j.Submit()
	}
	return begins
}

// makespan is in seconds.
func (e *extent) makespan() float64 { return e.last - e.first }

// measured is the measured time in seconds.
func (e *extent) measured() float64 {
	if !math.IsNaN(e.runOut) {
		return e.runOut - e.first
	}
	return e.makespan()
}
