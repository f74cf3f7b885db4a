package workload

import (
	"fmt"
	"math"
	"math/rand/v2"

	"schedsweep/sim"
)

// CrossSite is the transform that lets jobs run on several clusters at once: it
// gives them [sim.JobSpec.Sites], and a processor on each at least.
type CrossSite struct {
	// Portion is the probability with which a job does.
	Portion float64 `sweep:"portion" min:"0" max:"1" doc:"share of the jobs, drawn, that do"`
	// Sites bounds on how many, uniform among whole numbers.
	Sites [2]float64 `sweep:"sites" doc:"bounds of the clusters that such a job runs on, uniform among whole numbers"`
}

func (c *CrossSite) validate(report func(field, message string)) {
	if !(c.Portion >= 0 && c.Portion <= 1) {
		report("cross_site.portion", fmt.Sprintf("is %g; it must be in [0, 1]", c.Portion))
	}
	if lo, hi := c.Sites[0], c.Sites[1]; !(lo >= 2 && lo <= hi && hi <= math.MaxInt32) || lo != math.Floor(lo) || hi != math.Floor(hi) {
		report("cross_site.sites", fmt.Sprintf("is [%g, %g]; it must be two whole numbers, the first at least 2 and not above the second", lo, hi))
	}
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
