package progress

import "schedsweep/sim"

// Rehearsing is implemented by a progress model that must know how the same
// instance runs under another model before it can play it itself. Who drives the
// engine plays the instance under the rehearsal's model first, with the same
// workload from its start, and without observers.
type Rehearsing interface {
	// Rehearsal returns the model to play the instance under first, or nil when
	// there is no need.
	Rehearsal() sim.Progress
	// Rehearsed reports that this run has come to its end.
	Rehearsed()
}

// Loading is implemented by a progress model under which jobs load links.
type Loading interface {
	// Links names the links of the run's platform, in the order of LinkLoads:
	// "uplink" or "backbone" with the number of the cluster from 0, and "central".
	Links() []string
	// LinkLoads appends the load of each link since the last Update: what the running
	// jobs ask of it over what it carries, at least 0, above 1 where it is saturated;
	// 0 where it has no limit. A model that knows only what jobs get says that, and is
	// at most 1.
	LinkLoads(dst []float64) []float64
}
