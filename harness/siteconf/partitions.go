package siteconf

import (
	"fmt"
	"slices"
	"strings"

	"schedsweep/sim"
	"schedsweep/sim/platform"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sweep/text"
)

// listed are the nodes of a list of nodes and node sets. A strict list may not name others.
func (c *conf) listed(p pair, strict bool) (of []*node) {
	for _, name := range c.hosts(p, p.value) {
		found, ok := c.named[name]
		if !ok && strings.EqualFold(name, "ALL") {
			found, ok = c.all, true
		}
		if !ok && strict {
			c.fault(p, "correct the name, or add it as NodeName", "names the node %s, which no line defines", name)
			break
		}
		if c.names += len(found); c.names > maxNames {
			c.fault(p, "list fewer", "is one list of nodes too many: they name more than %d in all", maxNames)
			break
		}
		of = append(of, found...)
	}
	return of
}

// sets reads the node sets.
func (c *conf) sets() {
	for _, s := range c.lines["nodeset"] {
		list, _ := s.of("nodes")
		set := c.listed(list, false)
		if p, ok := s.of("feature"); ok {
			set = append(set, text.Those(c.all, func(n *node) bool { return slices.Contains(n.kind.each.Features, p.value) })...)
		}
		if c.named[s.first.value] == nil {
			c.named[s.first.value] = set
		}
	}
}

// partitions reads the partitions, with their priorities, and notes the partitions of each node. whole says that jobs get whole nodes, qos
// that the limits of QOS are known.
func (c *conf) partitions(whole, qos bool) {
	for _, key := range []string{"nodeset", "partitionname"} {
		if all := c.lines[key]; len(all) > maxParts {
			c.fault(all[maxParts].first, "drop lines that no job uses", "is one too many: at most %d are read", maxParts)
			return
		}
	}
	c.sets()
	var given, byDefault statement
	tiers := map[string]bool{}
	for _, s := range c.lines["partitionname"] {
		if c.inherit(&s, &given, partitionReasons) || !c.key(s.first) {
			continue
		}
		if slices.ContainsFunc(c.parts, func(o statement) bool { return o.first.value == s.first.value }) {
			c.fault(s.first, "keep one", "is there twice")
			continue
		}
		c.members(&s, len(c.parts))
		c.platform.Partitions = append(c.platform.Partitions, c.partition(&s, whole, qos))
		c.parts = append(c.parts, s)
		tier, ok := s.of("priority", "prioritytier")
		if !ok {
			tier.value = "1"
		}
		tiers[tier.value] = true
		if p, _ := s.of("default"); p.is("yes", "up", "true", "1") {
			if before, ok := byDefault.of("default"); ok {
				c.drop(before, "partition "+s.first.value+" is the default")
			}
			byDefault = s
		}
	}
	if len(c.parts) == 0 && c.out.Count == 0 {
		c.fault(pair{key: "PartitionName", at: c.start}, "add PartitionName lines, or Include their file", "is missing: there are no partitions")
	}
	for i, s := range c.parts {
		c.platform.Partitions[i].Default = s.first == byDefault.first
		if p, ok := s.of("priority", "prioritytier"); ok && len(tiers) > 1 {
			c.drop(p, "Slurm looks at jobs of higher tiers before it compares points; tiers have no field")
		}
	}
	if p, _ := c.option("EnforcePartLimits"); p.is("no") {
		c.drop(p, "a job beyond the walltime of its partition is rejected")
	}
}

// partition reads a line of a partition.
func (c *conf) partition(s *statement, whole, qos bool) platform.Partition {
	q := platform.Partition{Name: s.first.value}
	if p, ok := s.of("maxtime"); ok {
		q.Walltime = c.minutes(p)
	}
	shared, _ := s.of("oversubscribe", "shared")
	mode, _, _ := strings.Cut(strings.ToLower(shared.value), ":")
	if whole || mode == "exclusive" {
		q.Allocate = "whole"
	}
	if mode == "yes" || mode == "force" {
		c.drop(shared, "jobs do not share processors")
	}
	if p, ok := s.of("state"); ok && !p.is("up") {
		c.drop(p, "partitions are up")
	}
	if p, ok := s.of("priority", "priorityjobfactor"); ok {
		if n := c.whole(p, 0, 65533); c.order != nil {
			c.order.Partitions = append(c.order.Partitions, backfill.Level{Name: q.Name, Priority: float64(n)})
		}
	}
	if p, ok := s.of("qos"); ok && !qos && !p.idle() {
		c.drop(p, "without --qos its limits are not known")
	}
	return q
}

// members notes the nodes of a partition.
func (c *conf) members(s *statement, number int) {
	p, ok := s.of("nodes")
	if !ok {
		c.fault(s.first, "give it Nodes=, or drop it", "has no nodes")
	}
	for _, n := range c.listed(p, true) {
		n.within = text.Once(n.within, number)
	}
}

// licences reads the licences of the cluster.
func (c *conf) licences() {
	p, _ := c.option("Licenses")
	for _, item := range strings.FieldsFunc(p.value, func(r rune) bool { return r == ',' || r == ';' }) {
		name, count, counted := strings.Cut(item, ":")
		l := platform.Licence{Name: strings.TrimSpace(name), Count: 1}
		if counted {
			l.Count = c.whole(pair{p.key + " " + l.Name, count, p.at}, 0, 1<<31-1)
		}
		q, all := pair{p.key, item, p.at}, c.platform.Licences
		switch {
		case l.Count == 0:
		case plain(l.Name) != l.Name || l.Name == "":
			c.drop(q, "the name cannot be a key of a manifest")
		case slices.ContainsFunc(all, func(o platform.Licence) bool { return o.Name == l.Name }):
			c.fault(q, "keep one", "is there twice")
		case len(all) == sim.MaxLicences:
			c.drop(q, fmt.Sprintf("a platform has at most %d kinds of licences", sim.MaxLicences))
		default:
			c.platform.Licences = append(all, l)
		}
	}
}
