package input

import (
	"cmp"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"

	"schedsweep/harness"
	"schedsweep/sim"
	"schedsweep/sim/workload"
	"schedsweep/sweep"
	"schedsweep/sweep/study"
)

// firstDraw is the replication of the first draw of a workload that is drawn but not simulated. It is beyond all that a manifest
// may have, so that draws stay the same when replications are added.
const firstDraw = 1 << 30

// Controls draws the workloads of instances of the plan again, and as many further replications of each, without
// simulating: what the named properties ([study.ControlNames]) are of each instance's, and of its further draws. Instances that
// share a workload share the slices. Memory: a number a draw and property of each workload.
func Controls(plan *sweep.Plan, numbers []int32, inputs *Files, names []string, draws int) (values [][]float64, beyond [][][]float64,
	err error) {
	type law struct {
		workload [32]byte
		procs    int
	}
	known, further := map[workloadKey][]float64{}, map[law][][]float64{}
	var inst sweep.Instance
	var all []drawing
	for _, at := range numbers {
		plan.At(int(at), &inst)
		key, of := keyOf(&inst), law{inst.Sections[harness.SectionWorkload].Hash, fixedProcs(&inst)}
		if known[key] == nil {
			known[key] = make([]float64, len(names))
			all = append(all, drawing{at, -1, known[key]})
		}
		if further[of] == nil {
			further[of] = make([][]float64, draws)
			for i := range further[of] {
				further[of][i] = make([]float64, len(names))
				all = append(all, drawing{at, i, further[of][i]})
			}
		}
		values, beyond = append(values, known[key]), append(beyond, further[of])
	}
	errs := make([]error, len(all))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, d := range all {
		g.Go(func() error {
			errs[i] = d.draw(plan, inputs, names)
			return nil
		})
	}
	_ = g.Wait()
	return values, beyond, cmp.Or(errs...) // the first in the order of the instances
}

// drawing is a workload to draw: that of an instance, or a further draw of it from 0 on, and where its properties go.
type drawing struct {
	instance int32
	further  int // -1: the instance's own
	into     []float64
}

func (d drawing) draw(plan *sweep.Plan, inputs *Files, names []string) error {
	var inst sweep.Instance
	plan.At(int(d.instance), &inst)
	what := fmt.Sprintf("instance %d", d.instance)
	if d.further >= 0 {
		inst.Replication = firstDraw + d.further
		what = fmt.Sprintf("draw %d", d.further)
	}
	p, err := properties(&inst, inputs)
	if err != nil {
		return fmt.Errorf("analysis.controls: %s: %w", what, err)
	}
	for i, name := range names {
		d.into[i] = p[name]
	}
	return nil
}

// CheckControls reports workloads of the plan that controls have no further draws of.
func CheckControls(plan *sweep.Plan, inputs *Files) error {
	for i, inst := range plan.Distinct(harness.SectionWorkload) {
		if _, err := drawn(inst, inputs); err != nil {
			return fmt.Errorf("analysis.controls: instance %d: %w", i, err)
		}
	}
	return nil
}

// drawn is an instance's workload, which must be one that is drawn.
func drawn(inst *sweep.Instance, inputs *Files) (workload.Workload, error) {
	w, err := newWorkload(inst, inputs, inputs.Log)
	if err != nil {
		return nil, err
	}
	if sample, err := sampleOf(w, Streams(inst, inst.Replication)); err != nil {
		return nil, err
	} else if sample != nil {
		return nil, harness.Unusable("the jobs of %s are of a log or list, which has no further draws; controls need a generated "+
			"workload: drop analysis.controls", w.Info().Name)
	}
	return w, nil
}

func properties(inst *sweep.Instance, inputs *Files) (map[string]float64, error) {
	w, err := drawn(inst, inputs)
	if err != nil {
		return nil, err
	}
	procs := machineProcs(inst, w.Info())
	if procs == 0 {
		return nil, harness.Unusable("neither the platform nor the workload states the number of processors, which controls need: drop " +
			"analysis.controls")
	}
	return drawProperties(w, float64(procs))
}

// drawProperties passes over the jobs and summarises the measured ones. The backlog is that of a machine that works off
// the processor-seconds of all jobs with all its processors.
func drawProperties(w workload.Workload, procs float64) (map[string]float64, error) {
	var jobs, runTime, size, work, first, last, now, backlog, met float64
	if _, err := workload.Each(w.Source(), func(_ int, j *sim.JobSpec) error {
		area := float64(j.Procs) * j.RunTime
		backlog = max(0, backlog-(j.Submit-now)*procs)
		if now = j.Submit; j.Part == sim.Measured {
			if jobs == 0 {
				first = now
			}
			last = now
			met += backlog / procs
			jobs, runTime, size, work = jobs+1, runTime+j.RunTime, size+float64(j.Procs), work+area
		}
		backlog += area
		return nil
	}); err != nil {
		return nil, err
	}
	if jobs == 0 || last == first {
		return nil, harness.Unusable("%s has no two jobs submitted one after the other, and so no load", w.Info().Name)
	}
	return map[string]float64{
		study.ControlLoad: work / (procs * (last - first)), study.ControlBacklog: met / jobs,
		study.ControlRunTime: runTime / jobs, study.ControlProcessors: size / jobs, study.ControlWork: work / jobs,
	}, nil
}

// Processors are those of the machines of instances of the plan; logs are read where they say it.
func Processors(plan *sweep.Plan, numbers []int32, inputs *Files) ([]int, error) {
	ws := NewWorkloads(inputs)
	var inst sweep.Instance
	out := make([]int, len(numbers))
	for i, number := range numbers {
		plan.At(int(number), &inst)
		w, err := ws.Get(&inst)
		if err != nil {
			return nil, err
		}
		out[i] = machineProcs(&inst, w.Info)
	}
	return out, nil
}
