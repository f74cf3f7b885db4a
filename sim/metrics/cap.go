package metrics

import (
	"math"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/power"
)

func init() {
	Add(Kind{New: func() Observer { return &atCap{} }, Metrics: []sim.Metric{{
		Name: "time_at_cap", Unit: "s", Sum: true, Doc: "time of measured_time at which the cap left no power for one more processor of the " +
			"thriftiest node class. Where its jobs get whole nodes, it is the power for one more node; empty where platform.cap is not given",
	}}})
}

// atCap adds up the time at the cap.
type atCap struct {
	*Extent
	on      *power.Cap // nil for none
	one     float64    // watts that the least job takes
	watts   float64    // that count of the machine since a time in seconds
	at      float64
	sum     float64 // in seconds
	measure float64 // sum where the measured time ends
}

func (a *atCap) Reset(s Setting) {
	*a = atCap{Extent: s.Extent, on: s.Platform.Cap, one: math.Inf(1)}
	for i := range s.Platform.Clusters {
		a.one = min(a.one, leastWatts(s.Platform, i))
	}
}

// leastWatts returns the watts that the least job of a node class takes: those of a node where all partitions of the class allocate whole
// nodes, else those of a processor.
func leastWatts(p *sim.Platform, class int) float64 {
	k := &p.Clusters[class]
	if !p.Divided() || slices.ContainsFunc(p.Partitions, func(q sim.Partition) bool { return !q.Whole && slices.Contains(q.Classes, class) }) {
		return k.Extra()
	}
	return k.Extra() * float64(k.Cores)
}

func (a *atCap) Idle() bool { return a.on == nil }

// tick adds the time since the last change of the power that counts, in which the cap may have changed.
func (a *atCap) tick(s *sim.View) {
	for t := a.at; t < s.Now(); {
		next := min(s.Now(), a.on.Watts.After(t))
		if a.watts+a.one > a.on.Watts.At(t)*(1+power.Slack) {
			a.sum += next - t
		}
		t = next
	}
	a.watts, a.at = s.Committed(), s.Now()
}

func (a *atCap) Held(s *sim.View, _, _ *sim.Hold) { a.tick(s) }

func (a *atCap) Begins(s *sim.View) {
	a.tick(s)
	a.sum = 0
}

func (a *atCap) Closes(s *sim.View) {
	a.tick(s)
	a.measure = a.sum
}

// Submitted sums up the time between submissions by itself.
func (a *atCap) Submitted(s *sim.View, _ *sim.Job) { a.tick(s) }

func (a *atCap) Ended(*sim.View, *sim.Job) {}

func (a *atCap) Values(dst []float64) []float64 {
	return append(dst, a.measure+0*a.Measured())
}
