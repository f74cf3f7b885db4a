package input

import (
	"schedsweep/harness"
	"schedsweep/harness/rows"
	"schedsweep/sim"
	"schedsweep/sim/platform"
	"schedsweep/sim/workload"
	"schedsweep/sweep"
	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"

	// The families of policies and progress models register themselves.
	_ "schedsweep/sim/policy/external"

	_ "schedsweep/sim/policy/queue"

	_ "schedsweep/sim/policy/switching"

	_ "schedsweep/sim/progress"

	_ "schedsweep/sim/studies"
)

// Registry is everything that a manifest can name.
func Registry() *params.Registry {
	reg := &params.Registry{
		Version: harness.SemanticVersion,
		Sections: []params.Section{
			harness.SectionWorkload: {Name: "workload", Doc: "source of the jobs", Kinds: kinds(workload.Kinds.Kinds()),
				Shared: sharedTransforms()},
			harness.SectionPlatform: {Name: "platform", Doc: "the machine", Kinds: []params.Kind{{Params: platform.Params{Off: platform.Always}}}},
			harness.SectionProgress: {Name: "progress", Doc: "speed of running jobs", Kinds: kinds(sim.ProgressModels.Kinds()),
				Default: "isolated"},
			harness.SectionPolicy: {Name: "policy", Doc: "start and place of each job", Kinds: kinds(sim.Policies.Kinds()), List: "switch"},
			harness.SectionEngine: {Name: "engine", Doc: "event order, limits and checks", Kinds: []params.Kind{{Params: harness.DefaultEngine}}},
		},
	}
	rows.Register(reg)
	return reg
}

// Presets are the platforms of published studies.
func Presets() []platform.Preset { return platform.Presets() }

func sharedTransforms() (all []params.Shared) {
	for _, t := range workload.StudyTransforms() {
		all = append(all, params.Shared{Name: t.Name, Doc: t.Doc, For: t.Study, Params: t.Params})
	}
	return all
}

func kinds[New any](from []sim.Kind[New]) []params.Kind {
	out := make([]params.Kind, len(from))
	for i, k := range from {
		if k.Clairvoyant {
			k.Doc += "; clairvoyant: it knows run times before jobs have ended, as no real scheduler does"
		}
		if k.Partitioned {
			k.Doc += "; runs on node classes and partitions (platform.nodes)"
		}
		out[i] = params.Kind{Name: k.Name, Written: k.Written, Doc: k.Doc, Version: k.Version, Params: k.Params}
	}
	return out
}

// MetricsOf are the metrics that a manifest can name: those of [Registry], and of its
// classes of jobs.
func MetricsOf(m *sweep.Manifest) []params.Metric {
	reg := Registry()
	all := reg.Metrics
	for i := range m.Classes {
		for _, of := range reg.ClassMetrics {
			of.Name = manifest.ByClass(of.Name, m.Classes[i].Name)
			all = append(all, of)
		}
	}
	return all
}
