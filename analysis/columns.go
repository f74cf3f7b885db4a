package analysis

import (
	"slices"

	"schedsweep/analysis/frame"
	"schedsweep/sweep/manifest"
	"schedsweep/sweep/study"
)

// Columns are the names of the columns that the analysis and the claims read, each once, but for the design's metrics: a
// dataset of many rows need not be in memory as a whole, see [Frame.Later].
func (s *Spec) Columns(claims []study.Claim) []string {
	d := &s.Design
	names := slices.Concat(d.Axes, []string{d.Replication, d.Outcome, d.Unstable, frame.ColumnSampleOf, frame.ColumnSampleFirst, frame.ColumnJobsDigest, frame.ColumnJobs})
	for _, t := range s.Trends {
		names = append(names, t.X, t.Y)
	}
	for _, f := range s.Figures {
		names = append(names, f.X, f.Y)
		for _, class := range d.Classes {
			if f.ByClass() {
				names = append(names, manifest.ByClass(f.X, class), manifest.ByClass(f.Y, class))
			}
		}
	}
	var add func(*study.Statistic)
	add = func(st *study.Statistic) {
		names = append(names, st.Metric, st.X)
		for i := range st.Parts {
			add(&st.Parts[i])
		}
	}
	for i := range claims {
		add(&claims[i].Statistic)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}
