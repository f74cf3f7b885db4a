package input

import (
	"fmt"
	"slices"
	"strings"

	"schedsweep/harness"
	"schedsweep/sim/workload"
	"schedsweep/sim/workload/swf"
	"schedsweep/sweep"
)

// Sampling is the way in which the replications of points choose their jobs from a log or list.
type Sampling struct {
	// Name is that of the log or list.
	Name string
	// Samples has one entry for each replication, all of equally many jobs.
	Samples []workload.Sample
}

// Samplings lists the different choices that a plan makes from logs and lists, in
// its order, those of points that have more than one replication. It runs nothing
// and looks at no job. An error names the replication for which a log has not
// enough jobs.
func Samplings(plan *sweep.Plan, inputs *Files) ([]Sampling, error) {
	type made struct {
		workload     [32]byte
		procs        int
		replications int
	}
	type choice struct {
		name         string
		first        workload.Sample
		replications int
	}
	if _, most := plan.Replications(); most == 1 {
		return nil, nil
	}
	seen, known := map[made]bool{}, map[choice]bool{}
	var out []Sampling
	var inst sweep.Instance
	for i := 0; i < plan.Len(); i += inst.Replications {
		plan.At(i, &inst)
		if inst.Replications == 1 {
			continue
		}
		m := made{inst.Sections[harness.SectionWorkload].Hash, fixedProcs(&inst), inst.Replications}
		if seen[m] {
			continue
		}
		seen[m] = true
		w, err := newWorkload(&inst, inputs, inputs.Log)
		if err != nil {
			return nil, err
		}
		first, err := sampleOf(w, Streams(&inst, 0))
		if err != nil {
			return nil, err
		}
		// Factors do not change the choice of jobs.
		c := choice{name: w.Info().Name, replications: inst.Replications}
		if first == nil {
			continue
		}
		if c.first = *first; known[c] {
			continue
		}
		known[c] = true
		s := Sampling{Name: c.name}
		for r := range inst.Replications {
			sample, err := sampleOf(w, Streams(&inst, r))
			if err != nil {
				return nil, fmt.Errorf("instance %d (%s): %w", i+r, harness.Describe(plan.Axes(), inst.Values, r), err)
			}
			s.Samples = append(s.Samples, *sample)
		}
		out = append(out, s)
	}
	return out, nil
}

// CutRunUp reports whether the workload of an instance is a window that begins before its log has the run-up.
func CutRunUp(inst *sweep.Instance, inputs *Files) (bool, error) {
	w, err := newWorkload(inst, inputs, inputs.Log)
	if err != nil {
		return false, err
	}
	s, err := sampleOf(w, Streams(inst, inst.Replication))
	return s != nil && s.Before < s.RunUp, err
}

// Replicable returns the number of different replications of the instance's point, up to most: a log without
// draws has a fixed number of jobs.
func Replicable(inst *sweep.Instance, inputs *Files, most int) (int, error) {
	w, err := newWorkload(inst, inputs, inputs.Log)
	if err != nil {
		return 0, err
	}
	s, err := sampleOf(w, Streams(inst, 0))
	if err != nil || s == nil || s.Redrawn {
		return most, err
	}
	return min(most, max(s.Of/max(s.Jobs, 1), 1)), nil
}

// AllKnownRunTimes are the notes of [KnownRunTimes] on the logs of a plan, each once. No jobs are drawn.
func AllKnownRunTimes(plan *sweep.Plan, inputs *Files) (notes []string, err error) {
	for _, inst := range plan.Distinct(harness.SectionWorkload) {
		if !slices.Contains([]string{"swf", "table", "grid"}, inst.Sections[harness.SectionWorkload].Kind) {
			continue // models have no hygiene, and some take long to make
		}
		w, err := newWorkload(inst, inputs, inputs.Log)
		if err != nil {
			return nil, err
		}
		info := w.Info()
		if note := KnownRunTimes(inst, &info); note != "" && !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return notes, nil
}

// KnownRunTimes returns a text on the jobs of an instance's log without a requested time. Their run times serve as walltimes then, so
// that policies know them exactly. It is "" where all jobs have one, for models, and where a model of estimates draws the walltimes.
func KnownRunTimes(inst *sweep.Instance, info *workload.Info) string {
	model, estimated := inst.Sections[harness.SectionWorkload].Value([]string{"estimates", "model"})
	if info.Hygiene == nil || !estimated || model.S != "as-is" {
		return ""
	}
	n := 0
	for _, f := range info.Hygiene.Findings {
		if f.Action == swf.Repaired && strings.HasSuffix(f.Kind, swf.MissingWalltime) { // of a grid, the kind begins with the log's name
			n += f.Count
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s: %d of %d jobs have no requested time, and their run times serve as walltimes: policies know these run times "+
		"exactly (workload.estimates draws walltimes)", info.Name, n, info.Hygiene.Jobs)
}
