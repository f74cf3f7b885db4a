package siteconf

import (
	"math"
	"strings"

	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/policy/multifactor"
	"schedsweep/sweep/text"
)

// plugin takes the value of an option that names a plugin, in small letters. One that is not among those supported is a mistake. Where the
// option is missing the first is assumed, and named.
func (c *conf) plugin(key, remedy string, supported ...string) string {
	p, ok := c.option(key)
	switch {
	case !ok:
		c.assume(key, supported[0])
	case p.is(supported...):
		return strings.ToLower(p.value)
	default:
		c.fault(p, remedy, "is a plugin that is not supported; supported: %s", strings.Join(supported, ", "))
	}
	return supported[0]
}

// selection reads the share of a node that jobs take: memory too, or whole nodes.
func (c *conf) selection() (memory, whole bool) {
	whole = c.plugin("SelectType", "name the plugin that decides as yours does, if there is one", "select/cons_tres", "select/cons_res",
		"select/linear") == "select/linear"
	if _, ok := c.option("SelectTypeParameters"); !ok && !whole {
		c.assume("SelectTypeParameters", "CR_Core_Memory")
		memory = true
	}
	withMemory := func(pair) { memory = true }
	sockets := func(p pair) { c.drop(p, "a job takes single processors, not sockets") }
	c.list("SelectTypeParameters", map[string]func(pair){"cr_memory": withMemory, "cr_cpu_memory": withMemory, "cr_core_memory": withMemory,
		"cr_socket": sockets, "cr_socket_memory": func(p pair) { memory = true; sockets(p) }},
		reasons{{"", "cr_cpu cr_core cr_core_default_dist_block other_cons_tres"},
			{"a job takes single processors, on as few nodes as it may", "*"}})
	return memory, whole
}

// topology reports whether nodes are at the leaves of a tree of switches, and reads the tree.
func (c *conf) topology() bool {
	p, ok := c.option("TopologyPlugin")
	switch {
	case !ok, p.is("topology/none", "topology/default", "topology/flat"):
	case !p.is("topology/tree"):
		c.drop(p, "of topologies, the tree alone is known, so all nodes are at one switch")
	default:
		data, err := c.read("topology.conf")
		if err == nil {
			c.file("topology.conf", data)
			return true
		}
		c.drop(p, "there is no topology.conf beside slurm.conf, so all nodes are at one switch")
	}
	return false
}

// scheduling reads the planning of the scheduler, and the order of the queue.
func (c *conf) scheduling(whole bool) {
	c.plugin("SchedulerType", "name sched/backfill for a model with backfilling", "sched/backfill")
	stated := false
	plan := &c.planning
	*plan = backfill.Planning{Every: 30, Window: 1440 * 60, Jobs: 500, WholeNodes: !whole}
	c.list("SchedulerParameters", map[string]func(pair){
		"bf_interval": func(p pair) {
			if p.value == "-1" {
				c.fault(p, "give a period for a model with backfilling", "turns backfilling off")
			} else {
				plan.Every = float64(c.whole(p, 1, 10800))
			}
		},
		"bf_window":       func(p pair) { plan.Window = 60 * float64(c.whole(p, 1, 1<<20)) },
		"bf_max_job_test": func(p pair) { plan.Jobs, stated = c.whole(p, 1, 1000000), true },
		"bf_max_job_user": func(p pair) { plan.PerUser = c.whole(p, 0, 1000000) },
	}, passReasons)
	if !stated {
		c.assume("SchedulerParameters bf_max_job_test", "500")
	}
	if c.plugin("PriorityType", "name priority/basic or priority/multifactor", "priority/basic", "priority/multifactor") == "priority/basic" {
		for key := range c.options {
			if strings.HasPrefix(key, "priority") && !c.taken[key] {
				c.taken[key] = true
				c.drop(c.options[key], "it has no effect under priority/basic")
			}
		}
		return
	}
	c.priority()
}

// priority reads the weights and times of the plugin priority/multifactor. Without a weight above 0, there is no order.
func (c *conf) priority() {
	const week = 7 * 86400
	m := &backfill.MultifactorParams{MaxAge: week, HalfLife: week, CalculatedEvery: 300}
	w := &m.Weights
	for key, to := range map[string]*float64{"Age": &w.Age, "Fairshare": &w.FairShare, "JobSize": &w.Size, "Partition": &w.Partition,
		"QOS": &w.QOS, "Assoc": &w.Association} {
		if p, ok := c.option("PriorityWeight" + key); ok {
			*to = c.points(p)
		}
	}
	for key, to := range map[string]*float64{"MaxAge": &m.MaxAge, "DecayHalfLife": &m.HalfLife, "CalcPeriod": &m.CalculatedEvery} {
		p, ok := c.option("Priority" + key)
		if !ok {
			continue
		}
		usual := *to
		switch *to = c.minutes(p); {
		case *to > 0:
		case key == "DecayHalfLife":
			*to = math.Inf(1)
		case key == "MaxAge" && p.is("infinite", "unlimited"):
			*to, w.Age = usual, 0 // no wait is long enough for a point
		default:
			c.fault(p, "write a time, or drop the line", "must be above 0")
		}
	}
	if p, ok := c.option("PriorityFavorSmall"); ok && !p.idle() {
		c.drop(p, "the factor of the size grows with the size")
	}
	c.list("PriorityFlags", map[string]func(pair){"no_normal_tres": func(pair) { m.Amounts = true }},
		reasons{{"", "fair_tree"}, {"no field of a manifest says this of the order", "*"}})
	c.list("PriorityWeightTRES", map[string]func(pair){
		"cpu": func(p pair) { w.CPUs = c.points(p) }, "mem": func(p pair) { w.Memory = c.points(p) },
		"gres/gpu": func(p pair) { w.GPUs = c.points(p) },
	}, reasons{{"of trackable resources, cpu, mem and gres/gpu have weights", "*"}})
	for _, x := range []struct {
		key    string
		to     *float64
		weight float64
	}{{"PriorityMaxAge", &m.MaxAge, w.Age}, {"PriorityDecayHalfLife", &m.HalfLife, w.FairShare}} {
		if p, ok := c.option(x.key); ok && x.weight == 0 {
			*x.to = week
			c.spare(p, "no weight above 0 uses it")
		}
	}
	m.Amounts = m.Amounts && w.CPUs+w.Memory+w.GPUs > 0
	if *w == (multifactor.Weights{}) {
		c.drop(pair{key: "PriorityWeight*", at: c.start}, "no weight is above 0, so jobs keep the order of submission")
		return
	}
	c.order = m
}

// enforced reports whether the site holds limits.
func (c *conf) enforced() (yes bool) {
	hold := func(pair) { yes = true }
	c.list("AccountingStorageEnforce", map[string]func(pair){"limits": hold, "safe": hold, "all": hold}, reasons{{"", "*"}})
	return yes
}

// advice returns the mapping of a log's jobs to the partitions, and the resources that the nodes have for them.
func (c *conf) advice() string {
	requests := [4]string{"nodes"}
	for i := range c.platform.Nodes {
		e := &c.platform.Nodes[i].Each
		if e.Memory > 0 {
			requests[1] = ", memory"
		}
		if e.Requestable > 0 {
			requests[2] = ", gpus"
		}
		if len(e.Features) > 0 {
			requests[3] = ", features"
		}
	}
	to := text.Each(c.parts, func(s statement) string { return s.first.value + ": " + s.first.value })
	return "#\n# Jobs of a log: workload: {partition: {" + strings.Join(to, ", ") + "}, requests: [" + strings.Join(requests[:], "") + "]}\n"
}
