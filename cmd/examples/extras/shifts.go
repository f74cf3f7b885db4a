package main

import (
	"math"
	"math/rand/v2"

	"schedsweep/sim"
	"schedsweep/sim/workload"
)

// shifts is the kind of workload as manifests know it.
var shifts = sim.Kind[func(any, workload.Input) (workload.Workload, error)]{
	Name:    "shifts",
	Doc:     "People who come to work at once, each with a job.",
	Version: 1,
	Params:  ShiftsParams{Shifts: 3, People: 50, Every: 8 * 3600, MeanRunTime: 1800, Transforms: workload.DefaultTransforms()},
	New: func(params any, in workload.Input) (workload.Workload, error) {
		p := params.(*ShiftsParams)
		pass := func() sim.Source { return &shiftSource{p: p, draws: in.Streams.New("shifts")} }
		return workload.FromSource(workload.Info{Name: "shifts", Jobs: p.Shifts * p.People}, pass, p.Transforms, in)
	},
}

// ShiftsParams are the parameters of the kind shifts, and the transforms that every
// kind has (select, load_factor, estimates and so on).
type ShiftsParams struct {
	Shifts      int     `sweep:"shifts" min:"1" doc:"number of shifts"`
	People      int     `sweep:"people" min:"1" doc:"jobs of a shift, which are submitted at its begin"`
	Every       float64 `sweep:"every" unit:"s" above:"0" doc:"time from shift to shift"`
	MeanRunTime float64 `sweep:"mean_run_time" unit:"s" above:"0" doc:"mean of the run times, which are exponential"`
	workload.Transforms
}

// shiftSource is one pass; it draws a job when the engine requests it.
type shiftSource struct {
	p     *ShiftsParams
	draws *rand.Rand
	n     int
}

// Next fills in the next job in order of submission.
func (s *shiftSource) Next(j *sim.JobSpec) (bool, error) {
	if s.n == s.p.Shifts*s.p.People {
		return false, nil
	}
	run := math.Max(1, s.draws.ExpFloat64()*s.p.MeanRunTime)
	*j = sim.JobSpec{ID: int64(s.n + 1), Submit: float64(s.n/s.p.People) * s.p.Every, RunTime: run, Walltime: 2 * run,
		Procs: 1 << s.draws.IntN(5), User: int32(s.n % s.p.People)}
	s.n++
	return true, nil
}
