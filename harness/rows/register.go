package rows

import (
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/metrics"
	"schedsweep/sweep/params"
)

// Register adds the parts of rows that manifests can name: metrics, classes of jobs, datasets and their
// quantities.
func Register(reg *params.Registry) {
	for _, d := range beside {
		reg.Datasets = append(reg.Datasets, d.Name)
		for _, q := range d.quantities {
			reg.Quantities = append(reg.Quantities, params.Metric{Name: d.Name + "." + q.name, Unit: q.unit, Doc: q.doc})
		}
	}
	for _, f := range metrics.JobFields {
		inRows := f.Name != "user" && jobsSchema.Index(f.Name) >= 0 // of users rows have numbers, and conditions names
		reg.JobFields = append(reg.JobFields, params.JobField{Name: f.Name, Unit: f.Unit, Doc: f.Doc, Named: f.Named(), InRows: inRows})
	}
	for _, m := range metrics.ClassCatalog(nil) {
		if !m.Text {
			reg.ClassMetrics = append(reg.ClassMetrics, metricOf(m))
		}
	}
	add(reg, metrics.Catalog())
	for _, k := range sim.Policies.Kinds() {
		add(reg, k.Metrics, [2]string{"policy", k.Name})
	}
	for _, k := range sim.ProgressModels.Kinds() {
		add(reg, k.Metrics, [2]string{"progress", k.Name})
	}
}

// add makes metrics known that are numbers, of all runs or those of a kind; several kinds may share one.
func add(reg *params.Registry, metrics []sim.Metric, of ...[2]string) {
	for _, m := range metrics {
		if m.Text {
			continue
		}
		i := slices.IndexFunc(reg.Metrics, func(k params.Metric) bool { return k.Name == m.Name })
		if i < 0 {
			i, reg.Metrics = len(reg.Metrics), append(reg.Metrics, metricOf(m))
		} else if reg.Metrics[i].Kinds == nil {
			continue
		}
		reg.Metrics[i].Kinds = append(reg.Metrics[i].Kinds, of...)
	}
}

func metricOf(m sim.Metric) params.Metric {
	doc := m.Doc
	if m.Measured {
		doc = measuredDoc + doc
	}
	return params.Metric{Name: m.Name, Unit: m.Unit, Doc: doc, Better: m.Better, Source: m.Source, Sum: m.Sum, Share: m.Share, Note: m.Note}
}
