package siteconf

import (
	"slices"
	"strings"

	"schedsweep/sim/platform"
)

// partitions reads the lines of partitions, and notes the partitions of each node.
func (c *conf) partitions(all []*node, byName map[string]*node, whole bool) (parts []platform.Partition) {
	var given statement
	sets := map[string][]*node{}
	for _, key := range []string{"nodeset", "partitionname"} {
		if all := c.lines[key]; len(all) > maxParts {
			c.fault(all[maxParts].first, "drop lines that no job uses", "is one too many: at most %d are read", maxParts)
			return nil
		}
	}
	for _, s := range c.lines["nodeset"] {
		sets[s.first.value] = c.set(&s, all, byName)
	}
	tiers, byDefault, lines := map[string]bool{}, -1, []statement{}
	for _, s := range c.lines["partitionname"] {
		for _, p := range s.all[1:] {
			if !unbounded(p) {
				c.name(p, partitionKeys)
			}
		}
		if inherit(&s, &given, partitionKeys) || !c.key(s.first) {
			continue
		}
		if slices.ContainsFunc(parts, func(q platform.Partition) bool { return q.Name == s.first.value }) {
			c.fault(s.first, "keep one", "is there twice")
			continue
		}
		q := platform.Partition{Name: s.first.value}
		if p, ok := s.of("maxtime"); ok {
			q.Walltime = c.minutes(p)
		}
		if p, ok := s.of("oversubscribe", "shared"); whole || ok && strings.HasPrefix(strings.ToLower(p.value), "exclusive") {
			q.Allocate = "whole"
		}
		if p, ok := s.of("oversubscribe", "shared"); ok && strings.Contains("yes force", strings.ToLower(p.value)[:min(3, len(p.value))]) {
			c.drop(p, "jobs do not share processors")
		}
		if p, ok := s.of("state"); ok && !strings.EqualFold(p.value, "UP") {
			c.drop(p, "partitions are up")
		}
		if p, ok := s.of("default"); ok && strings.EqualFold(p.value, "yes") {
			if byDefault >= 0 {
				before, _ := lines[byDefault].of("default")
				c.drop(before, "partition "+q.Name+" is the default")
				parts[byDefault].Default = false
			}
			byDefault, q.Default = len(parts), true
		}
		tiers[valueOf(&s, "1", "prioritytier", "priority")] = true
		c.members(&s, len(parts), all, byName, sets)
		parts, lines = append(parts, q), append(lines, s)
	}
	for _, s := range lines {
		if p, ok := s.of("prioritytier", "priority"); ok && len(tiers) > 1 {
			c.drop(p, "Slurm looks at jobs of higher tiers before it compares points; tiers have no field")
		}
	}
	c.parts = lines
	return parts
}

// unbounded reports whether a bound on the nodes of a job bounds nothing.
func unbounded(p pair) bool {
	return strings.EqualFold(p.key, "maxnodes") && strings.EqualFold(p.value, "unlimited") ||
		strings.EqualFold(p.key, "minnodes") && (p.value == "0" || p.value == "1")
}

// valueOf is the value of a key, or another where the line has none.
func valueOf(s *statement, otherwise string, keys ...string) string {
	if p, ok := s.of(keys...); ok {
		return p.value
	}
	return otherwise
}

// set are the nodes of a node set: those of a list and those with a feature.
func (c *conf) set(s *statement, all []*node, byName map[string]*node) (of []*node) {
	if p, ok := s.of("nodes"); ok {
		for _, name := range c.hosts(p, p.value) {
			if n := byName[name]; n != nil {
				of = append(of, n)
			}
		}
	}
	if p, ok := s.of("feature"); ok {
		for _, n := range all {
			if slices.Contains(n.kind.each.Features, p.value) {
				of = append(of, n)
			}
		}
	}
	return of
}

// members notes the nodes of a partition.
func (c *conf) members(s *statement, number int, all []*node, byName map[string]*node, sets map[string][]*node) {
	p, ok := s.of("nodes")
	if !ok {
		c.fault(s.first, "give it Nodes=, or drop it", "has no nodes")
		return
	}
	enter := func(n *node) {
		if !slices.Contains(n.within, number) {
			n.within = append(n.within, number)
		}
	}
	if strings.EqualFold(p.value, "ALL") {
		if c.names += len(all); c.names > maxNames {
			c.fault(p, "list fewer", "is one list of nodes too many: they name more than %d in all", maxNames)
			return
		}
		for _, n := range all {
			enter(n)
		}
		return
	}
	for _, name := range c.hosts(p, p.value) {
		if n := byName[name]; n != nil {
			enter(n)
		} else if of, ok := sets[name]; ok && c.names+len(of) <= maxNames {
			c.names += len(of)
			for _, n := range of {
				enter(n)
			}
		} else {
			c.fault(p, "correct the name, or add it as NodeName", "names the node %s, which no line defines", name)
			return
		}
	}
}
