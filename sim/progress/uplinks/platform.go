package uplinks

import (
	"errors"
	"fmt"
	"math"

	"schedsweep/sim"
)

// Reach returns the number of clusters of j and the speed of the
// slowest of them.
func Reach(p *sim.Platform, j *sim.Job) (clusters int, speed float64) {
	speed = math.Inf(1)
	for c, n := range j.Alloc().Counts {
		if n > 0 {
			clusters++
			speed = min(speed, p.Clusters[c].Speed)
		}
	}
	return clusters, speed
}

// RelativeSpeeds refuses speeds in flop/s, by which these models would divide
// run times: they take speeds relative to the machine that the run times are of.
func RelativeSpeeds(model string, p *sim.Platform) error {
	for i := range p.Clusters {
		if c := &p.Clusters[i]; c.Speed >= leastFlops {
			return fmt.Errorf("progress model %s uses run times and takes speeds relative to 1; cluster %q of platform %q has %g, which looks "+
				"like flop/s", model, c.Name, p.Name, c.Speed)
		}
	}
	return nil
}

// leastFlops is the least speed that is taken for one in flop/s.
const leastFlops = 1e3

// CheckUplinks returns the errors of a platform for a model of uplinks.
func CheckUplinks(model string, p *sim.Platform) error {
	var errs []error
	for i := range p.Clusters {
		c := &p.Clusters[i]
		if b := c.Uplink.Bandwidth; !(b >= 0) || math.IsInf(b, 1) {
			errs = append(errs, fmt.Errorf("progress model %s needs uplinks of at least 0 B/s, 0 for no limit; cluster %q of platform %q has %g",
				model, c.Name, p.Name, b))
		}
		if c.Uplink.Latency != 0 || c.Uplink.Sharing != sim.Shared {
			errs = append(errs, fmt.Errorf("progress model %s knows an uplink by its bandwidth alone; that of cluster %q of platform %q is %s "+
				"with a latency of %g s: make it shared and without latency", model, c.Name, p.Name, c.Uplink.Sharing, c.Uplink.Latency))
		}
	}
	return errors.Join(errs...)
}

func Names(clusters int) []string {
	names := make([]string, clusters)
	for i := range names {
		names[i] = fmt.Sprintf("uplink %d", i)
	}
	return names
}
