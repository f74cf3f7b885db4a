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

// KnownRunTimes says of each log of a plan, once, how many of its jobs have no requested time. Their run times serve as walltimes then, so
// that policies know them exactly. Logs with estimates of a model are left out. No jobs are drawn.
func KnownRunTimes(plan *sweep.Plan, inputs *Files) (notes []string, err error) {
	seen := map[[32]byte]bool{}
	var inst sweep.Instance
	for i := 0; i < plan.Len(); i += inst.Replications {
		plan.At(i, &inst)
		section := inst.Sections[harness.SectionWorkload]
		model, estimated := section.Value([]string{"estimates", "model"})
		if seen[section.Hash] || !estimated || model.S != "as-is" || !slices.Contains([]string{"swf", "table", "grid"}, section.Kind) {
			continue
		}
		seen[section.Hash] = true
		w, err := newWorkload(&inst, inputs, inputs.Log)
		if err != nil {
			return nil, err
		}
		if note := knownRunTimes(w.Info()); note != "" && !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return notes, nil
}

func knownRunTimes(info workload.Info) string {
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
