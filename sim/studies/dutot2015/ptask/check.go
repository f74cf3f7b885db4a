package ptask

import (
	"errors"
	"fmt"
	"math"

	"schedsweep/sim"
)

// leastCapacity is the least speed (flop/s) and bandwidth (B/s) that ptask
// takes. The solver rounds at 1e-5 of either unit; relative speeds near 1,
// which other models use, would drown in that.
const leastCapacity = 1e3

// checkPtask returns all errors of the platform for ptask.
func checkPtask(p *sim.Platform) error {
	var errs []error
	link := func(what string, c *sim.Cluster, l sim.Link, duplex bool) {
		if (l.Bandwidth == 0 || l.Bandwidth >= leastCapacity) && l.Latency >= 0 && l.Latency <= math.MaxFloat64 &&
			(duplex || l.Sharing != sim.SplitDuplex) {
			return
		}
		if c != nil {
			what = fmt.Sprintf("%s of cluster %q", what, c.Name)
		}
		if b := l.Bandwidth; !(b == 0 || b >= leastCapacity) {
			errs = append(errs, fmt.Errorf("progress model ptask needs bandwidths of at least %g B/s, or 0 for no limit; %s of platform %q has "+
				"%g", leastCapacity, what, p.Name, b))
		}
		if !(l.Latency >= 0) || math.IsInf(l.Latency, 1) {
			errs = append(errs, fmt.Errorf("progress model ptask needs latencies of at least 0 s; %s of platform %q has %g", what, p.Name,
				l.Latency))
		}
		if l.Sharing == sim.SplitDuplex && !duplex {
			errs = append(errs, fmt.Errorf("progress model ptask knows no direction on %s of platform %q, which is split-duplex: make it shared "+
				"or fat-pipe", what, p.Name))
		}
	}
	for i := range p.Clusters {
		c := &p.Clusters[i]
		if !(c.Speed >= leastCapacity) || math.IsInf(c.Speed, 1) {
			errs = append(errs, fmt.Errorf("progress model ptask needs speeds in flop/s, at least %g; cluster %q of platform %q has %g",
				leastCapacity, c.Name, p.Name, c.Speed))
		}
		if b := c.Loopback; !(b == 0 || b >= leastCapacity) {
			errs = append(errs, fmt.Errorf("progress model ptask needs bandwidths of at least %g B/s, or 0 for none; the loopback of cluster %q "+
				"of platform %q has %g", leastCapacity, c.Name, p.Name, b))
		}
		if c.Uplink != (sim.Link{}) {
			errs = append(errs, fmt.Errorf("progress model ptask knows no uplinks, and cluster %q of platform %q has one: give its bandwidth to "+
				"the backbone or the central link", c.Name, p.Name))
		}
		link("the node link", c, c.Link, true)
		link("the backbone", c, c.Backbone, false)
	}
	link("the central link", nil, p.Central, false)
	return errors.Join(errs...)
}
