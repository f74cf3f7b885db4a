package harness

import (
	"slices"

	"schedsweep/harness/store"
	"schedsweep/sim"
	"schedsweep/sim/metrics"
	"schedsweep/sim/platform"
	"schedsweep/sim/workload"
	"schedsweep/sweep/params"

	// The families of policies and progress models register themselves.
	_ "schedsweep/sim/policy/external"
	_ "schedsweep/sim/policy/queue"
	_ "schedsweep/sim/policy/switching"
	_ "schedsweep/sim/progress"
	_ "schedsweep/sim/studies"
)

// SemanticVersion is that of the simulator: it is part of every instance's id
// and is raised when answers of all kinds change. What changes an answer of one
// policy, workload or progress model raises the version of its kind.
const SemanticVersion = 3

// The sections of a manifest in the order in which a plan holds them.
const (
	sectionWorkload = iota
	sectionPlatform
	sectionProgress
	sectionPolicy
	sectionEngine
	sections // their number
)

// EngineParams are the fields of a manifest's engine section.
type EngineParams struct {
	EventOrder string  `sweep:"event_order" enum:"default: ends, submissions, one pass|pyss: as the Feitelson group's simulator|cbf2015: as the simulator of conservative backfilling with contiguity and locality" doc:"what comes first at one instant; with a simulator's order go its rules for backfilling (policy.rules)"`
	AtWalltime string  `sweep:"at_walltime" enum:"kill: it ends there|continue: it runs on" doc:"what happens to a job that has not finished at its walltime"`
	Threshold  float64 `sweep:"slowdown_threshold" unit:"s" above:"0" doc:"threshold of the bounded slowdown"`
	Audit      bool    `sweep:"audit" identity:"no" doc:"check each run independently of its policy; the verdict is a column"`
	MaxEvents  int64   `sweep:"max_events" min:"0" identity:"no" doc:"event budget of an instance; 0 means none"`
	Timeout    float64 `sweep:"timeout" unit:"s" min:"0" identity:"no" doc:"time limit of an instance on the clock of the wall; 0 means none"`
}

// DefaultEngine are the engine's parameters where a manifest gives none.
var DefaultEngine = EngineParams{EventOrder: "default", AtWalltime: "kill", Threshold: metrics.DefaultThreshold, Audit: true}

// Registry is everything that a manifest can name.
func Registry() *params.Registry {
	reg := &params.Registry{
		Version: SemanticVersion,
		Sections: []params.Section{
			sectionWorkload: {Name: "workload", Doc: "where the jobs come from", Kinds: kinds(workload.Kinds.Kinds()), Shared: sharedTransforms()},
			sectionPlatform: {Name: "platform", Doc: "the machine", Kinds: []params.Kind{{Params: platform.Params{}}}},
			sectionProgress: {Name: "progress", Doc: "how fast running jobs advance", Kinds: kinds(sim.ProgressModels.Kinds()), Default: "isolated"},
			sectionPolicy:   {Name: "policy", Doc: "who starts where and when", Kinds: kinds(sim.Policies.Kinds()), List: "switch"},
			sectionEngine:   {Name: "engine", Doc: "event order, limits and checks", Kinds: []params.Kind{{Params: DefaultEngine}}},
		},
	}
	for _, d := range datasets {
		reg.Datasets = append(reg.Datasets, d.name)
		for _, q := range d.quantities {
			reg.Quantities = append(reg.Quantities, params.Metric{Name: d.name + "." + q.name, Unit: q.unit, Doc: q.doc})
		}
	}
	for _, f := range metrics.JobFields {
		reg.JobFields = append(reg.JobFields, params.JobField{Name: f.Name, Unit: f.Unit, Doc: f.Doc, Named: f.Named(), InRows: inRows(f.Name)})
	}
	for _, m := range metrics.ClassCatalog() {
		if !m.Text {
			reg.ClassMetrics = append(reg.ClassMetrics, metricOf(m))
		}
	}
	add(reg, metrics.Catalog())
	for _, k := range sim.Policies.Kinds() {
		add(reg, k.Metrics)
	}
	for _, k := range sim.ProgressModels.Kinds() {
		add(reg, k.Metrics)
	}
	return reg
}

// sharedTransforms are the transforms of studies, which all workloads take.
func sharedTransforms() (all []params.Shared) {
	for _, t := range workload.StudyTransforms() {
		all = append(all, params.Shared{Name: t.Name, Doc: t.Doc, For: t.Study, Params: t.Params})
	}
	return all
}

// add makes metrics known that are numbers; several kinds may share one.
func add(reg *params.Registry, metrics []sim.Metric) {
	for _, m := range metrics {
		if !m.Text && !slices.ContainsFunc(reg.Metrics, func(k params.Metric) bool { return k.Name == m.Name }) {
			reg.Metrics = append(reg.Metrics, metricOf(m))
		}
	}
}

func metricOf(m sim.Metric) params.Metric {
	doc := m.Doc
	if m.Measured {
		doc = measuredDoc + doc
	}
	return params.Metric{Name: m.Name, Unit: m.Unit, Doc: doc, Better: m.Better, Source: m.Source}
}

func kinds[New any](from []sim.Kind[New]) []params.Kind {
	out := make([]params.Kind, len(from))
	for i, k := range from {
		out[i] = params.Kind{Name: k.Name, Doc: k.Doc, Version: k.Version, Params: k.Params}
	}
	return out
}

// columnType is how an axis of the sweep is stored.
func columnType(t params.ColumnType) store.Type {
	switch t {
	case params.Float:
		return store.Float64
	case params.Int:
		return store.Int64
	case params.Bool:
		return store.Bool
	default:
		return store.Category
	}
}
