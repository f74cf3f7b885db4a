package workload

import (
	"math/rand/v2"

	"schedsweep/sim"
)

// CrossSite is the transform that lets jobs run on several clusters at once: it
// gives them [sim.JobSpec.Sites], and a processor on each at least.
type CrossSite struct {
	Portion float64    `sweep:"portion" min:"0" max:"1" doc:"share of the jobs, drawn, that do"`
	Sites   [2]float64 `sweep:"sites" doc:"bounds of the clusters that such a job runs on, uniform among whole numbers"`
}

func (c *CrossSite) validate(report func(field, message string)) {
	wholeRange(report, "cross_site.sites", c.Sites, 2)
}

// crossing gives the jobs of one pass their sites, by a stream of its own and two
// draws for a job.
type crossing struct {
	law   *CrossSite
	draws *rand.Rand
}

// newCrossing returns nil where there is nothing to give.
func newCrossing(law *CrossSite, streams sim.Streams) *crossing {
	if law.Portion == 0 {
		return nil
	}
	return &crossing{law, streams.New("cross-site")}
}

// give draws the job's sites. A nil receiver does nothing.
func (c *crossing) give(j *sim.JobSpec) {
	if c == nil {
		return
	}
	lo, hi := int32(c.law.Sites[0]), int32(c.law.Sites[1])
	chance, sites := c.draws.Float64(), lo+c.draws.Int32N(hi-lo+1)
	if chance < c.law.Portion {
		j.Sites, j.Procs = sites, max(j.Procs, sites)
	}
}
