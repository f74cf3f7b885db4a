package metrics

import (
	"math"

	"schedsweep/sim"
)

func init() {
	Add(Kind{Place: 12, New: func() Observer { return &span{} }, Metrics: []sim.Metric{
		{Name: "measured_time", Unit: "s", Sum: true, Doc: "time over which utilisation and other means over time are taken: from the first " +
			"measured submission until the run-out begins, or the last measured finish where there is none"},
	}})
}

// span is the measured time.
type span struct{ *Extent }

func (m *span) Reset(s Setting) { m.Extent = s.Extent }

func (m *span) Ended(*sim.View, *sim.Job) {}

func (m *span) Values(dst []float64) []float64 { return append(dst, m.Measured()) }

// Extent is the time of the measured jobs in seconds: from the first submission to the last finish, and when the run-out began between.
// A time is NaN before.
type Extent struct{ First, Last, RunOut float64 }

// submitted comes with every measured submission, in order of time. It reports whether it is the first.
func (e *Extent) submitted(now float64) bool {
	begins := math.IsNaN(e.First)
	if begins {
		e.First = now
	}
	e.RunOut = math.NaN()
	return begins
}

// beside comes with every other submission. It reports whether the run-out begins.
func (e *Extent) beside(j *sim.Job) bool {
	begins := j.Part() == sim.RunOut && !math.IsNaN(e.First) && math.IsNaN(e.RunOut)
	if begins {
		e.RunOut = j.Submit()
	}
	return begins
}

// Measured returns the measured time in seconds.
func (e *Extent) Measured() float64 {
	if !math.IsNaN(e.RunOut) {
		return e.RunOut - e.First
	}
	return e.Last - e.First
}
