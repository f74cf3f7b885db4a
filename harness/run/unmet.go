package run

import (
	"fmt"

	"schedsweep/harness"
	"schedsweep/harness/input"
	"schedsweep/sim/platform"
	"schedsweep/sweep"
	"schedsweep/sweep/text"
)

// unmet notes, once each, the events of platforms during which some windows of a log measure no job. Comparisons over such windows
// look as if the events had little effect.
func unmet(plan *sweep.Plan, inputs *input.Files) (notes []string) {
	b := newBuilder(input.NewWorkloads(inputs))
	for i, inst := range plan.Distinct(harness.SectionWorkload, harness.SectionPlatform) {
		given := inst.Sections[harness.SectionPlatform].Params.(*platform.Params)
		if len(given.Events) > 0 && inst.Replications > 1 {
			notes = text.Once(notes, b.unmet(plan, i, inst.Replications, given)...)
		}
	}
	return notes
}

// unmet looks at the replications of the point that begins at an instance. It returns nothing where they are no windows.
func (b *builder) unmet(plan *sweep.Plan, first, replications int, given *platform.Params) (notes []string) {
	var inst sweep.Instance
	outside, late := map[string]int{}, map[string]bool{}
	for r := range replications {
		plan.At(first+r, &inst)
		of, err := b.workloads.Get(&inst)
		if err != nil {
			return nil // the check of the instance reports it
		}
		from, until, window := of.Window()
		if !window {
			return nil
		}
		on, err := b.platform(inst.Sections[harness.SectionPlatform], of)
		if err != nil {
			return nil
		}
		sc := scenario{played: of}
		sc.cfg.Platform = on
		around := sc.surroundings(b.workloads.Files)
		for _, at := range given.Outside(around, from, until) {
			outside[at]++
		}
		for _, at := range given.Late(around, of.Last()) {
			late[at] = true // which has a note of its own
		}
	}
	for i := range given.Events {
		if at := fmt.Sprintf("platform.events[%d]", i); outside[at] > 0 && !late[at] {
			notes = append(notes, fmt.Sprintf("%s: %d of %d replications measure no job around it, so they hardly show its effect: take the "+
				"whole log, or windows around the event (workload.select.window)", at, outside[at], replications))
		}
	}
	return notes
}
