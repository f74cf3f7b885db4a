package run

import (
	"slices"

	"schedsweep/harness"
	"schedsweep/harness/input"
	"schedsweep/sweep"
)

// Draws reports whether the instance's policy, progress model or failures of nodes ask for a random stream when a run is
// prepared, so that runs of the same jobs differ. It runs nothing.
func Draws(inst *sweep.Instance, inputs *input.Files) (bool, error) {
	b := newBuilder(input.NewWorkloads(inputs))
	defer b.host.end()
	return b.draws(inst)
}

func (b *builder) draws(inst *sweep.Instance) (bool, error) {
	sc, err := b.prepare(inst)
	if err == nil {
		err = b.engine.Check(sc.cfg)
	}
	return b.host.asked > 0, err
}

// Drawing lists the kinds of policies of the plan with which runs of the same jobs differ, in order. They differ
// because the policy, the progress model or the failures of nodes beside it draw random numbers. all tells whether
// no other runs are in the plan. Drawing runs nothing.
func Drawing(plan *sweep.Plan, inputs *input.Files) (kinds []string, all bool, err error) {
	b := newBuilder(input.NewWorkloads(inputs))
	defer b.host.end()
	all = true
	for _, inst := range plan.Distinct(harness.SectionPolicy, harness.SectionProgress, harness.SectionPlatform) {
		draws, err := b.draws(inst)
		if err != nil {
			return nil, false, err
		}
		kind := inst.Sections[harness.SectionPolicy].Kind
		if all = all && draws; draws && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	return kinds, all, nil
}
