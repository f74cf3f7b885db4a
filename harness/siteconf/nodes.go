package siteconf

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"schedsweep/sim"
	"schedsweep/sim/platform"
)

// kind is the node class of a line.
type kind struct {
	line   pair
	id     int // equal kinds have one
	each   platform.Node
	weight int
	// weighted is the field of the weight, and gpus the only kind of GPUs, with its type as the key; without a key none has a type.
	weighted, gpus pair
}

// node is a node by its name.
type node struct {
	name   string
	kind   *kind
	leaf   string // switch
	within []int  // numbers of partitions
}

// nodes reads nodes, switches and partitions into the platform. memory says that memory is what jobs take of nodes, whole that jobs get
// whole nodes.
func (c *conf) nodes(memory, whole, tree bool) platform.Params {
	var all []*node
	byName := map[string]*node{}
	var given statement
	for _, s := range c.lines["nodename"] {
		k := c.kind(&s, &given, memory)
		if k == nil {
			continue
		}
		for _, name := range c.hosts(s.first, s.first.value) {
			if byName[name] != nil {
				c.fault(s.first, "drop it from one of the two lines", "names the node %s, which line %d names too", name, byName[name].kind.line.line)
				continue
			}
			byName[name] = &node{name: name, kind: k}
			all = append(all, byName[name])
		}
	}
	if len(all) == 0 && c.out.Count == 0 {
		c.fault(pair{key: "NodeName", at: c.start}, "add NodeName lines, or Include their file",
			"is missing: there are no nodes")
	}
	if tree {
		c.weights(all)
	}
	c.types(all)
	c.switches(byName, tree)
	parts := c.partitions(all, byName, whole)
	p := platform.Params{Partitions: parts, Licences: c.licences()}
	classes := c.classes(all, &p)
	for i := range p.Partitions {
		q := &p.Partitions[i]
		for _, k := range classes {
			if slices.Contains(k.first.within, i) {
				q.Nodes = append(q.Nodes, k.name)
			}
		}
		q.Span = len(q.Nodes) > 1 && q.Allocate != "whole"
	}
	return p
}

// weights names weights of nodes that switches may overrule.
func (c *conf) weights(all []*node) {
	for _, n := range all {
		if p := n.kind.weighted; n.kind.weight != all[0].kind.weight && p.key != "" {
			c.drop(p, "it orders nodes of one switch; of several switches a job gets the one with the fewest usable nodes")
			n.kind.weighted = pair{}
		}
	}
}

var (
	inBrackets = regexp.MustCompile(`\([^)]*\)`)
	digits     = regexp.MustCompile(`^[0-9]+$`)
)

// inherit gives a line the values of the DEFAULT lines before it, and reports whether it is one of these.
func inherit(s, given *statement, known map[string]string) bool {
	if s.first.value != "DEFAULT" {
		s.all = append(slices.Clone(given.all), s.all...)
		return false
	}
	for _, p := range s.all[1:] {
		given.all = slices.DeleteFunc(given.all, func(q pair) bool { return strings.EqualFold(q.key, p.key) })
		if _, known := known[strings.ToLower(p.key)]; known {
			given.all = append(given.all, p)
		}
	}
	return true
}

// kind reads a line of nodes, nil for one that defines none.
func (c *conf) kind(s, given *statement, memory bool) *kind {
	for _, p := range s.all[1:] {
		c.name(p, nodeKeys)
	}
	if inherit(s, given, nodeKeys) {
		return nil
	}
	k := &kind{line: s.first}
	count := func(keys ...string) int {
		if p, ok := s.of(keys...); ok {
			return c.whole(p, 1, 1<<16)
		}
		return 1
	}
	if p, ok := s.of("cpus", "procs"); ok {
		k.each.Cores = c.whole(p, 1, 1<<16)
	} else {
		k.each.Cores = count("boards") * count("socketsperboard", "sockets") * count("corespersocket") * count("threadspercore")
	}
	if p, ok := s.of("realmemory"); ok && memory {
		k.each.Memory = float64(c.whole(p, 1, 1<<40)) * (1 << 20)
	}
	if p, ok := s.of("feature", "features"); ok {
		for _, name := range strings.Split(p.value, ",") {
			if len(k.each.Features) > sim.MaxFeatures {
				c.fault(p, "drop features that no job requires", "has more than %d features", sim.MaxFeatures)
				return nil
			}
			if name = strings.TrimSpace(name); name != "" && !slices.Contains(k.each.Features, name) {
				k.each.Features = append(k.each.Features, name)
			}
		}
	}
	if p, ok := s.of("weight"); ok {
		k.weight, k.weighted = c.whole(p, 0, 1<<32-2), p
	}
	if p, ok := s.of("threadspercore"); ok && k.each.Cores > count("boards")*count("socketsperboard", "sockets")*count("corespersocket") {
		c.drop(p, "a job takes single processors (threads), not cores")
	}
	if p, ok := s.of("state"); ok && !slices.Contains([]string{"UNKNOWN", "IDLE"}, strings.ToUpper(p.value)) {
		c.drop(p, "nodes are in service; write an event, or take them out of the count")
	}
	if p, ok := s.of("gres"); ok {
		k.each.Requestable = c.gpus(p, k)
	}
	key := fmt.Sprint(k.each, k.weight, k.gpus.key)
	if _, ok := c.kinds[key]; !ok {
		c.kinds[key] = len(c.kinds)
	}
	k.id = c.kinds[key]
	return k
}

// gpus is the number of GPUs in a list such as gpu:v100:2,mps:400. It notes their type where there is one.
func (c *conf) gpus(p pair, k *kind) (n int) {
	var typed []pair
	groups := 0
	for _, item := range strings.Split(inBrackets.ReplaceAllString(p.value, ""), ",") {
		fields := strings.Split(item, ":")
		q := p
		q.value = item
		if fields[0] != "gpu" {
			c.drop(q, "of generic resources, node classes have GPUs alone")
			continue
		}
		count := 1
		if last := fields[len(fields)-1]; digits.MatchString(last) {
			number := q
			number.value = last
			count, fields = c.whole(number, 0, 1<<16), fields[:len(fields)-1]
		}
		n, groups = n+count, groups+1
		if name := strings.Join(fields[1:], ":"); name != "" {
			typed, k.gpus = append(typed, q), pair{name, item, p.file, p.line, p.at}
		}
	}
	if groups > 1 {
		k.gpus = pair{}
		for _, q := range typed {
			c.drop(q, "a node class has GPUs of one type")
		}
	}
	return min(n, 1<<16)
}

// types makes the types of GPUs features of their nodes, while the platform may have more features.
func (c *conf) types(all []*node) {
	known, done := map[string]bool{}, map[*kind]bool{}
	for _, n := range all {
		for _, name := range n.kind.each.Features {
			known[name] = true
		}
	}
	for _, n := range all {
		k, name := n.kind, n.kind.gpus.key
		if name == "" || done[k] {
			continue
		}
		done[k] = true
		p := k.gpus
		if p.key = "Gres"; !known[name] && len(known) >= sim.MaxFeatures {
			c.drop(p, "GPUs have no type, and there are too many features for one that names it")
			continue
		}
		if known[name] = true; !slices.Contains(k.each.Features, name) {
			k.each.Features = append(slices.Clip(k.each.Features), name)
		}
		c.drop(p, "the type is a feature of the nodes; a job that requests the type has to require "+name)
	}
}

// switches reads the leaf switch of each node. Without a tree of switches all nodes are at one.
func (c *conf) switches(byName map[string]*node, tree bool) {
	if !tree {
		for _, n := range byName {
			n.leaf = "all"
		}
		return
	}
	var above []statement
	leaves := 0
	for _, s := range c.lines["switchname"] {
		list, ok := s.of("nodes")
		if !ok {
			above = append(above, s)
			continue
		}
		leaves++
		for _, name := range c.hosts(list, list.value) {
			if n := byName[name]; n != nil { // sites list nodes of later
				n.leaf = s.first.value
			}
		}
	}
	for _, s := range above {
		if p, ok := s.of("switches"); ok && len(above) == 1 && len(c.hosts(p, p.value)) == leaves {
			c.notes = append(c.notes, note{s.first.file, s.first.line, s.first.key, "one switch above all leaves", false})
		} else {
			c.drop(s.first, "of the tree of switches, jobs know the leaves alone")
		}
	}
}
