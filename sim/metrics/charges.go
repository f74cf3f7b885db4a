package metrics

import (
	"schedsweep/sim"
	"schedsweep/sim/power"
)

func init() {
	of := func(k power.Tariff, name, unit, of, field string) {
		none := "; empty where platform." + field + " is not given, or ends before the measured time"
		Add(Kind{New: func() Observer { return &charges{tariff: k} }, Metrics: []sim.Metric{
			{Name: name, Unit: unit, Sum: true, Doc: of + " the energy of all nodes in measured_time: busy_" + name + " + unused_" + name + none,
				Better: sim.Lower},
			{Name: "busy_" + name, Unit: unit, Sum: true, Doc: of + " the energy of processors while jobs held them" + none},
			{Name: "unused_" + name, Unit: unit, Sum: true, Doc: of +
				" all other energy: of nodes that are idle, off, booting, shutting down or out of service. No job bears it" + none,
				Better: sim.Lower},
		}})
		known := func(s Setting) bool { return s.Platform.Tariffs[k] != nil }
		charged := func(j *sim.Job) float64 { return j.Charged()[k] }
		Add(Kind{New: func() Observer { return &jobSum{known: known, of: charged} }, Metrics: []sim.Metric{
			{Name: "job_" + name, Unit: unit, Sum: true, Doc: of + " the energy that jobs took, in all attempts; empty where none ran, " +
				"where platform." + field + " is not given, or ends before they do", Better: sim.Lower, OfJobs: true},
		}})
	}
	of(power.Price, "cost", "EUR", "price of", "price")
	of(power.Carbon, "carbon", "g", "carbon dioxide of", "carbon")
}

// jobSum adds up an amount of jobs on the platforms where it is known.
type jobSum struct {
	known func(Setting) bool
	of    func(*sim.Job) float64
	idle  bool
	sum   total
	jobs  float64
}

func (e *jobSum) Reset(s Setting) { *e = jobSum{known: e.known, of: e.of, idle: !e.known(s)} }

func (e *jobSum) Idle() bool { return e.idle }

func (e *jobSum) Ended(_ *sim.View, j *sim.Job) {
	e.sum.Add(e.of(j))
	e.jobs++
}

func (e *jobSum) Rejected(s *sim.View, j *sim.Job) {
	if tried(j) {
		e.Ended(s, j)
	}
}

func (e *jobSum) Values(dst []float64) []float64 { return append(dst, e.sum.Value()+0/e.jobs) }

// charges reads the engine's meters where the measured time begins and ends.
type charges struct {
	*Extent
	tariff      power.Tariff
	known       bool
	from, until power.Energy
}

func (e *charges) Reset(s Setting) {
	*e = charges{Extent: s.Extent, tariff: e.tariff, known: s.Platform.Tariffs[e.tariff] != nil}
}

func (e *charges) Idle() bool { return !e.known }

func (e *charges) Begins(s *sim.View) { e.from = s.Charged(e.tariff) }

func (e *charges) Closes(s *sim.View) { e.until = s.Charged(e.tariff) }

func (e *charges) Ended(*sim.View, *sim.Job) {}

func (e *charges) Values(dst []float64) []float64 {
	none := 0 * e.Measured()
	all, busy := e.until.Total()-e.from.Total(), e.until.Busy-e.from.Busy
	return append(dst, all+none, busy+none, all-busy+none)
}
