package metrics

import (
	"math"
	"slices"

	"schedsweep/sim"
)

func init() {
	const (
		source  = "Zeng and Sodan 2009, U_core and U_node"
		unknown = ". Empty where nodes have one core each, unless the policy or the progress model uses node numbers"
		high    = " while at least 12 jobs wait, or under the policy's own high_load"
	)
	Add(Kind{Place: 8, New: func() Observer { return &use{} }, Metrics: []sim.Metric{
		{Name: "core_utilisation", Share: true, Doc: "core-seconds in use / (cores * measured_time); a core is a processor. A core that a " +
			"suspended job holds is not in use. A shared core is in use by its shares", Better: sim.Higher, Source: source},
		{Name: "node_utilisation", Share: true, Doc: "node-seconds in use, by one job or several, / (nodes * measured_time)" + unknown,
			Source: source},
		{Name: "core_utilisation_high", Share: true, Doc: "core_utilisation" + high, Better: sim.Higher, Source: source},
		{Name: "node_utilisation_high", Share: true, Doc: "node_utilisation" + high + unknown, Source: source},
		{Name: "high_load_share", Share: true, Doc: "part of measured_time in which at least 12 jobs wait, or of the policy's own high_load",
			Better: sim.Lower, Source: source},
		{Name: "busy_time", Unit: "s", Sum: true, Doc: "time of measured_time in which at least one job runs", Better: sim.Lower},
	}})
}

// NeedProcs reports whether some metric needs to know which processors jobs hold
// on a machine: one with several cores on a node.
func NeedProcs(p *sim.Platform) bool {
	return slices.ContainsFunc(p.Clusters, func(c sim.Cluster) bool { return c.Cores > 1 })
}

// use integrates cores and nodes in use over time.
type use struct {
	*Extent
	platform *sim.Platform
	high     int
	several  bool    // cores on some nodes
	unknown  bool    // it is, which nodes jobs are on
	nodes    int     // of the machine
	taken    []int32 // node -> its cores in use
	now      float64
	waiting  int     // jobs that have not started
	hosts    int     // nodes in use
	holds    int     // jobs that hold cores
	inUse    float64 // cores in use, of one that is shared the shares

	useSums
	until useSums // where the measured time ends
}

// useSums are integrals over time.
type useSums struct{ cores, hosted, highTime, highCores, highHosted, busy float64 }

func (u *use) Reset(s Setting) {
	*u = use{Extent: s.Extent, platform: s.Platform, high: s.HighLoad, taken: u.taken[:0],
		nodes: s.Platform.FirstNode(len(s.Platform.Clusters))}
	if u.several = NeedProcs(s.Platform); u.several {
		for range u.nodes {
			u.taken = append(u.taken, 0)
		}
	}
}

// tick accounts for the time up to now. It comes before every change.
func (u *use) tick(now float64) {
	d := now - u.now
	if d == 0 {
		return
	}
	u.now = now
	if u.holds > 0 {
		u.busy += d
	}
	u.cores += d * u.inUse
	u.hosted += d * float64(u.hosts)
	if u.waiting >= u.high {
		u.highTime += d
		u.highCores += d * u.inUse
		u.highHosted += d * float64(u.hosts)
	}
}

// Held brings the processors in use and the sums up to date.
func (u *use) Held(s *sim.View, now, before *sim.Hold) {
	u.tick(s.Now())
	if now.Job == nil {
		return // no job uses processors out of service
	}
	if before.Job == nil {
		u.waiting--
		u.unknown = u.unknown || !u.several && !s.Numbered()
	}
	procs := float64(now.Job.Width())
	switch any := now.Any(); {
	case any == before.Any(): // another share, or a kill
		if any {
			u.inUse += procs * (now.Share - before.Share)
		}
	case any:
		u.holds++
		u.inUse += procs * now.Share
		u.take(now, 1)
	default:
		u.inUse -= procs * before.Share
		if u.holds--; u.holds == 0 {
			u.inUse = 0 // rounding left a rest
		}
		u.take(before, -1)
		if now.Job.State() == sim.Waiting { // it was requeued
			u.waiting++
		}
	}
	if !u.several {
		u.hosts = s.Busy()
	}
}

// take adds the cores of a hold to those in use on its nodes, or with by = -1 removes them.
func (u *use) take(h *sim.Hold, by int) {
	if !u.several {
		return
	}
	u.unknown = u.unknown || len(h.Alloc.Procs) == 0
	u.platform.EachNode(h.Alloc.Procs, func(_ int, node, n int32) {
		was := u.taken[node]
		is := was + int32(by)*n
		u.taken[node] = is
		if (was > 0) != (is > 0) {
			u.hosts += by
		}
	})
}

func (u *use) Begins(s *sim.View) {
	u.tick(s.Now())
	u.useSums = useSums{}
}

func (u *use) Closes(s *sim.View) {
	u.tick(s.Now())
	u.until = u.useSums
}

func (u *use) Submitted(s *sim.View, _ *sim.Job) {
	u.tick(s.Now())
	u.waiting++
}

// Beside sees a job that waits, too.
func (u *use) Beside(s *sim.View, j *sim.Job) { u.Submitted(s, j) }

func (u *use) Rejected(s *sim.View, _ *sim.Job) {
	u.tick(s.Now())
	u.waiting--
}

// WakeUp sums up each slice of time between wake-ups by itself, also one in which nothing runs.
func (u *use) WakeUp(s *sim.View) { u.tick(s.Now()) }

func (u *use) Ended(*sim.View, *sim.Job) {}

func (u *use) Values(dst []float64) []float64 {
	cores, nodes, span := float64(u.platform.Procs()), float64(u.nodes), u.Measured()
	if u.unknown {
		nodes = math.NaN()
	}
	in := u.until
	busy := in.busy + 0*span // NaN without a measured time
	return append(dst, in.cores/(cores*span), in.hosted/(nodes*span), in.highCores/(cores*in.highTime), in.highHosted/(nodes*in.highTime),
		in.highTime/span, busy)
}
