package input

import (
	"fmt"
	"slices"
	"strings"

	"schedsweep/harness"
	"schedsweep/sim/workload"
	"schedsweep/sim/workload/swf"
	"schedsweep/sweep"
	"schedsweep/sweep/text"
)

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
	return fmt.Sprintf("%s: %d of %d jobs %s exactly (workload.estimates draws walltimes)", info.Name, n, info.Hygiene.Jobs, text.Either(n,
		"has no requested time, and its run time serves as walltime: policies know this run time",
		"have no requested time, and their run times serve as walltimes: policies know these run times"))
}
