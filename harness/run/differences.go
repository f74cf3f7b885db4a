package run

import (
	"slices"
	"strconv"
	"strings"

	"schedsweep/harness"
	"schedsweep/sim/platform"
	"schedsweep/sweep"
	"schedsweep/sweep/params"
)

// Differences lists the fields in which instances of two plans differ that have the same values on their axes, each with the
// first two values. sameJobs tells whether all of them have the same workload, seed and number of processors, and so play
// the same jobs as far as the manifests tell. The plans have the same axes, in any order. O(points).
func Differences(a, b *sweep.Plan) (fields []params.Difference, sameJobs bool) {
	points := map[string]sweep.Instance{}
	var inst sweep.Instance
	for i := 0; i < a.Len(); i += inst.Replications {
		a.At(i, &inst)
		one := inst
		one.Sections, one.Values = slices.Clone(inst.Sections), slices.Clone(inst.Values)
		points[pointKey(a, &one)] = one
	}
	sameJobs = true
	seen := map[string]bool{}
	add := func(d params.Difference) {
		if !seen[d.Field] {
			seen[d.Field] = true
			fields = append(fields, d)
		}
	}
	for i := 0; i < b.Len(); i += inst.Replications {
		b.At(i, &inst)
		other, ok := points[pointKey(b, &inst)]
		if !ok {
			continue
		}
		sameJobs = sameJobs && other.WorkloadKey() == inst.WorkloadKey() && procsOf(&other) == procsOf(&inst)
		for _, d := range differing(a, &other, b, &inst) {
			add(d)
		}
		if n, m := other.Replications, inst.Replications; n != m {
			add(params.Difference{Field: "replications", A: strconv.Itoa(n), B: strconv.Itoa(m)})
		}
	}
	return fields, sameJobs
}

func procsOf(inst *sweep.Instance) int {
	return inst.Sections[harness.SectionPlatform].Params.(*platform.Params).Procs(0)
}

// pointKey is equal for points with the same values of the same axes.
func pointKey(plan *sweep.Plan, inst *sweep.Instance) string {
	var parts []string
	for i, axis := range plan.Axes() {
		parts = append(parts, axis.Path+"="+inst.Values[i].String())
	}
	slices.Sort(parts)
	return strings.Join(parts, "\x00")
}
