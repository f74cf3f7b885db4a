// Package crosssite is the transform of A. C. Sodan and X. Huang (HPCS 2003) that lets
// jobs run on several clusters at once.
package crosssite

import (
	"schedsweep/sim"
	"schedsweep/sim/workload"
)

func init() {
	workload.AddTransform(workload.StudyTransform{Name: "cross_site", Study: "sodan2003", Params: defaults,
		Doc: "jobs that run on several clusters at once, for policies that allocate whole clusters"})
}

var defaults = Params{Sites: [2]float64{2, 2}}

// Params are those of the transform cross_site. It gives jobs [sim.JobSpec.Sites], and a processor on each at least.
type Params struct {
	Portion float64    `sweep:"portion" unit:"share" min:"0" max:"1" doc:"share of the jobs, drawn, that do"`
	Sites   [2]float64 `sweep:"sites" doc:"bounds of the clusters that such a job runs on, uniform among whole numbers"`
}

// Needs refuses clusters for no jobs.
func (p *Params) Needs(report func(missing, field, message string)) {
	if p.Portion == 0 && p.Sites != defaults.Sites {
		report("portion", "sites", "is given, and no job runs on several clusters; give portion, or drop it")
	}
}

func (p *Params) Validate(report func(field, message string)) {
	workload.WholeRange(report, "sites", p.Sites, 2)
}

// Shapes reports that loads are measured without it.
func (p *Params) Shapes() bool { return false }

// Pass gives the jobs of one pass their sites, by a stream of its own and two draws
// for a job.
func (p *Params) Pass(_ int, streams sim.Streams) func(*sim.JobSpec) error {
	if p.Portion == 0 {
		return nil
	}
	draws, lo, hi := streams.New("cross-site"), int32(p.Sites[0]), int32(p.Sites[1])
	return func(j *sim.JobSpec) error {
		chance, sites := draws.Float64(), lo+draws.Int32N(hi-lo+1)
		if chance < p.Portion {
			j.Sites, j.Procs = sites, max(j.Procs, sites)
		}
		return nil
	}
}
