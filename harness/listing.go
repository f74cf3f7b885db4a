package harness

import (
	"schedsweep/harness/store"
	"schedsweep/sim/metrics"
	"schedsweep/sim/platform"
)

// PlatformPresets are the platforms of published studies.
func PlatformPresets() []platform.Preset { return platform.Presets() }

// Dataset is what a dataset holds.
type Dataset struct {
	Doc     string
	Columns store.Schema
}

// Datasets are those that runs write.
func Datasets() []Dataset {
	all := []Dataset{{"instances: one row an instance; between id and replication stands a column for each axis", newLayout(nil, metrics.Catalog()).schema}}
	for _, d := range datasets {
		all = append(all, Dataset{d.name + ": " + d.doc, d.schema})
	}
	return all
}
