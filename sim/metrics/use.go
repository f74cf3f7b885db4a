package metrics

import (
	"math"
	"slices"

	"schedsweep/sim"
)

func init() {
	const (
		source  = "Zeng and Sodan 2009, U_core and U_node"
		unknown = "; empty where nodes have one core each, unless the policy or the progress model goes by their numbers"
		high    = " while at least 12 jobs have not started yet, or high_load of a policy that has it"
	)
	Add(Kind{Place: 8, New: func() Observer { return &use{} }, Metrics: []sim.Metric{
		{Name: "core_utilisation", Doc: "core-seconds in use / (cores * makespan); a core is a processor, and one that is held while its job is suspended is not in use, one that is shared by the shares", Better: sim.Higher, Source: source},
		{Name: "node_utilisation", Doc: "node-seconds in use, by one job or several, / (nodes * makespan)" + unknown, Source: source},
		{Name: "core_utilisation_high", Doc: "core_utilisation" + high, Better: sim.Higher, Source: source},
		{Name: "node_utilisation_high", Doc: "node_utilisation" + high + unknown, Source: source},
		{Name: "high_load_share", Doc: "part of the makespan in which at least 12 jobs have not started yet, or high_load of a policy that has it", Better: sim.Lower, Source: source},
		{Name: "busy_time", Unit: "s", Doc: "time in which at least one job runs; empty where none does", Better: sim.Lower},
	}})
}

// NeedProcs reports whether some metric needs to know which processors jobs hold
// on a machine: one with several cores on a node.
func NeedProcs(p *sim.Platform) bool {
	return slices.ContainsFunc(p.Clusters, func(c sim.Cluster) bool { return c.Cores > 1 })
}

// use integrates cores and nodes in use over time.
type use struct {
	extent
	platform     *sim.Platform
	high         int
	several      bool // cores on some nodes
	unknown      bool // it is, which nodes jobs are on
	nodes        int  // of the machine
	firstNode    []int
	taken        []int32 // node -> its cores in use
	now          float64
	waiting      int     // jobs that have not started
	inUse, hosts int     // cores and nodes in use
	sharers      int     // jobs that share their cores
	shares       float64 // of cores, that they have

	cores, hosted, highTime, highCores, highHosted, busy float64
}

func (u *use) Reset(s Setting) {
	*u = use{platform: s.Platform, high: s.HighLoad, firstNode: u.firstNode[:0], taken: u.taken[:0]}
	u.extent.reset()
	for i := range s.Platform.Clusters {
		c := &s.Platform.Clusters[i]
		u.firstNode = append(u.firstNode, u.nodes)
		u.nodes += c.Nodes
	}
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
	if u.inUse+u.sharers > 0 {
		u.busy += d
	}
	inUse := float64(u.inUse) + u.shares
	u.cores += d * inUse
	u.hosted += d * float64(u.hosts)
	if u.waiting >= u.high {
		u.highTime += d
		u.highCores += d * inUse
		u.highHosted += d * float64(u.hosts)
	}
}

// change adds a job's processors to those in use, or with by = -1 removes them.
func (u *use) change(s *sim.View, j *sim.Job, by int) {
	u.tick(s.Now())
	if j.Shares() {
		u.sharers += by
		u.shares += float64(by) * float64(j.Procs()) * j.Grant().Share
		if u.sharers == 0 {
			u.shares = 0 // what rounding left
		}
	} else {
		u.inUse += by * int(j.Procs())
	}
	switch {
	case !u.several:
		u.hosts = u.platform.Procs() - s.Free()
		return
	case len(j.Alloc().Procs) == 0:
		u.unknown = true
	}
	for _, sp := range j.Alloc().Procs {
		for lo := int(sp.Lo); lo <= int(sp.Hi); {
			c := u.platform.ClusterOf(lo)
			first, cores := u.platform.First(c), u.platform.Clusters[c].Cores
			at := (lo - first) / cores
			next := min(first+(at+1)*cores, int(sp.Hi)+1)
			was := u.taken[u.firstNode[c]+at]
			is := was + int32(by*(next-lo))
			u.taken[u.firstNode[c]+at] = is
			if (was > 0) != (is > 0) {
				u.hosts += by
			}
			lo = next
		}
	}
}

func (u *use) Submitted(s *sim.View, j *sim.Job) {
	u.submitted(j.Submit())
	u.tick(s.Now())
	u.waiting++
}

func (u *use) Rejected(s *sim.View, _ *sim.Job) {
	u.tick(s.Now())
	u.waiting--
}

func (u *use) Started(s *sim.View, j *sim.Job) {
	u.change(s, j, 1)
	u.waiting--
	u.unknown = u.unknown || !u.several && !s.Numbered()
}

func (u *use) Preempted(s *sim.View, j *sim.Job) { u.change(s, j, -1) }

func (u *use) Resumed(s *sim.View, j *sim.Job) { u.change(s, j, 1) }

func (u *use) ShareChanged(s *sim.View, j *sim.Job, from sim.Grant) {
	u.tick(s.Now())
	u.shares += float64(j.Procs()) * (j.Grant().Share - from.Share)
}

// Woken sums up each slice of time by itself, also one in which nothing runs.
func (u *use) Woken(s *sim.View) { u.tick(s.Now()) }

func (u *use) Ended(s *sim.View, j *sim.Job) {
	u.change(s, j, -1)
	u.last = j.Finish()
}

func (u *use) Values(dst []float64) []float64 {
	cores, nodes, span := float64(u.platform.Procs()), float64(u.nodes), u.makespan()
	if u.unknown {
		nodes = math.NaN()
	}
	busy := u.busy + 0*span // NaN where nothing ran
	return append(dst, u.cores/(cores*span), u.hosted/(nodes*span), u.highCores/(cores*u.highTime), u.highHosted/(nodes*u.highTime), u.highTime/span, busy)
}
