package harness

import (
	"schedsweep/harness/store"
	"schedsweep/sim/metrics"
	"schedsweep/sim/platform"
)

// PlatformPresets are the platforms of published studies.
func PlatformPresets() []platform.Preset { return platform.Presets() }

// DescribeColumns documents the columns of the datasets, from their schemas.
func DescribeColumns() string {
	return "instances: one row an instance; between id and replication stands a column for each axis\n\n" +
		store.Describe(newLayout(nil, metrics.Catalog()).schema) +
		"\njobs: one row a job, written by simulate --jobs\n\n" + store.Describe(jobsSchema)
}
