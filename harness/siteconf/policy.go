package siteconf

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/policy/multifactor"
)

// plugin takes the value of an option that names a plugin, in small letters. One that is not among those supported is a mistake. Where the
// option is missing the first is assumed, and named.
func (c *conf) plugin(key, remedy string, supported ...string) string {
	p, ok := c.option(key)
	if !ok {
		c.assume(key, supported[0])
		return supported[0]
	}
	if value := strings.ToLower(p.value); slices.Contains(supported, value) {
		return value
	}
	c.fault(p, remedy, "is a plugin that is not supported; supported: %s", strings.Join(supported, ", "))
	return supported[0]
}

// assume names an option that is not stated, and the value that is assumed for it.
func (c *conf) assume(key, value string) {
	c.notes = append(c.notes, note{c.first, 1, key, "not stated; Slurm's default depends on its release, and " + value + " is assumed", true})
}

// scheduler is the policy of the configuration: the order of the queue, nil for first come first served, and planning.
type scheduler struct {
	order    *backfill.MultifactorParams
	planning backfill.Planning
}

// selection reads the share of a node that jobs take: memory too, or whole nodes.
func (c *conf) selection() (memory, whole bool) {
	whole = c.plugin("SelectType", "name the plugin that decides as yours does, if there is one", "select/cons_tres", "select/cons_res",
		"select/linear") == "select/linear"
	p, _ := c.option("SelectTypeParameters")
	for _, item := range p.items() {
		switch name := item.item(); {
		case strings.HasSuffix(name, "_memory"), name == "cr_memory":
			memory = true
		case name == "cr_cpu", name == "cr_core", name == "cr_core_default_dist_block", name == "other_cons_tres":
		default:
			c.drop(item, "a job takes single processors, on as few nodes as it may")
		}
		if strings.HasPrefix(item.item(), "cr_socket") {
			c.drop(item, "a job takes single processors, not sockets")
		}
	}
	return memory, whole
}

// topology reports whether nodes are at the leaves of a tree of switches, and reads the tree.
func (c *conf) topology() bool {
	p, ok := c.option("TopologyPlugin")
	if !ok {
		return false
	}
	switch strings.ToLower(p.value) {
	case "topology/tree":
		data, err := c.read("topology.conf")
		if err == nil {
			c.file("topology.conf", data)
			return true
		}
		c.drop(p, "there is no topology.conf beside slurm.conf, so all nodes are at one switch")
	case "topology/none", "topology/default", "topology/flat":
	default:
		c.drop(p, "of topologies, the tree alone is known, so all nodes are at one switch")
	}
	return false
}

// passes are parameters of the scheduler, with the reason why they are not carried over.
var passes = map[string]string{
	"bf_continue": "a pass takes no time", "bf_max_time": "a pass takes no time", "bf_yield_interval": "a pass takes no time",
	"bf_yield_sleep": "a pass takes no time", "max_rpc_cnt": "a pass takes no time", "batch_sched_delay": "a pass takes no time",
	"sched_max_job_start": "a pass takes no time", "bf_resolution": "a plan has exact times",
	"default_queue_depth": "between plans a pass looks at jobs until one of each partition cannot start",
	"partition_job_depth": "between plans a pass looks at jobs until one of each partition cannot start",
	"sched_interval":      "between plans there is a pass at each event", "sched_min_interval": "between plans there is a pass at each event",
	"defer": "between plans there is a pass at each event", "assoc_limit_stop": "a job that a limit holds blocks no other job",
}

// scheduling reads the scheduler.
func (c *conf) scheduling() (s scheduler) {
	c.plugin("SchedulerType", "name sched/backfill for a model with backfilling", "sched/backfill")
	stated := false
	s.planning = backfill.Planning{Every: 30, Window: 1440 * 60, Jobs: 500, WholeNodes: true}
	p, _ := c.option("SchedulerParameters")
	for _, item := range p.items() {
		switch item.item() {
		case "bf_interval":
			s.planning.Every = float64(c.whole(item, 1, 10800))
		case "bf_window":
			s.planning.Window = 60 * float64(c.whole(item, 1, 1<<20))
		case "bf_max_job_test":
			s.planning.Jobs, stated = c.whole(item, 1, 1000000), true
		case "bf_max_job_user":
			s.planning.PerUser = c.whole(item, 0, 1000000)
		case "max_script_size":
			c.notes = append(c.notes, note{item.file, item.line, item.key, "access and daemons", false})
		default:
			c.drop(item, cmp.Or(passes[item.item()], unknown))
		}
	}
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
		return s
	}
	s.order = c.priority()
	return s
}

// priority reads the weights and times of the plugin priority/multifactor; nil where no weight is above 0.
func (c *conf) priority() *backfill.MultifactorParams {
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
		if *to = c.minutes(p); *to == 0 && key == "DecayHalfLife" {
			*to = math.Inf(1)
		} else if *to == 0 {
			c.fault(p, "write a time, or drop the line", "must be above 0")
		}
	}
	if p, ok := c.option("PriorityFavorSmall"); ok && !strings.EqualFold(p.value, "no") {
		c.drop(p, "the factor of the size grows with the size")
	}
	c.flags(m)
	c.weighted(w)
	if *w == (multifactor.Weights{}) {
		c.notes = append(c.notes, note{c.first, 1, "PriorityWeight*", "no weight is above 0, so jobs keep the order of submission", true})
		return nil
	}
	return m
}

// flags names the flags of priorities that change something.
func (c *conf) flags(m *backfill.MultifactorParams) {
	p, _ := c.option("PriorityFlags")
	for _, item := range p.items() {
		switch item.item() {
		case "fair_tree":
		case "no_normal_tres":
			m.Amounts = true
		default:
			c.drop(item, "no field of a manifest says this of the order")
		}
	}
}

func (c *conf) weighted(w *multifactor.Weights) {
	p, _ := c.option("PriorityWeightTRES")
	for _, item := range p.items() {
		switch x := c.points(item); item.item() {
		case "cpu":
			w.CPUs = x
		case "mem":
			w.Memory = x
		case "gres/gpu":
			w.GPUs = x
		default:
			c.drop(item, "of trackable resources, cpu, mem and gres/gpu have weights")
		}
	}
}
