package siteconf

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"schedsweep/sim"
	"schedsweep/sim/platform"
)

// kind holds what a line says of its nodes.
type kind struct {
	line   pair
	key    string // equal kinds have one
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

// nodes reads the nodes, and their switches where these are a tree. memory says that memory is what jobs take of nodes.
func (c *conf) nodes(memory, tree bool) {
	var given statement
	c.named = map[string][]*node{}
	for _, s := range c.lines["nodename"] {
		k := c.kind(&s, &given, memory)
		if k == nil {
			continue
		}
		for _, name := range c.hosts(s.first, s.first.value) {
			if before := c.named[name]; before != nil {
				c.fault(s.first, "drop it from one of the two lines", "names the node %s, which line %d names too", name, before[0].kind.line.at.Line)
				continue
			}
			n := &node{name: name, kind: k, leaf: "all"}
			if tree {
				n.leaf = ""
			}
			c.named[name] = []*node{n}
			c.all = append(c.all, n)
		}
	}
	if len(c.all) == 0 && c.out.Count == 0 {
		c.fault(pair{key: "NodeName", at: c.start}, "add NodeName lines, or Include their file", "is missing: there are no nodes")
	}
	c.types()
	if tree {
		c.weights()
		c.switches()
	}
}

// weights names weights of nodes that switches may overrule.
func (c *conf) weights() {
	for _, n := range c.all {
		if p := n.kind.weighted; n.kind.weight != c.all[0].kind.weight && p.key != "" {
			c.drop(p, "it orders nodes of one switch; of several switches a job gets the one with the fewest usable nodes")
			n.kind.weighted = pair{}
		}
	}
}

var (
	inBrackets = regexp.MustCompile(`\([^)]*\)`)
	digits     = regexp.MustCompile(`^[0-9]+$`)
)

// inherit names the pairs of a line that are not carried over, and gives it the values of the DEFAULT lines before it. It reports whether
// the line is one of these.
func (c *conf) inherit(s, given *statement, table reasons) bool {
	for _, p := range s.all[1:] {
		c.name(p, table)
	}
	if !s.first.is("default") {
		s.all = append(slices.Clone(given.all), s.all...)
		return false
	}
	for _, p := range s.all[1:] {
		given.all = slices.DeleteFunc(given.all, func(q pair) bool { return q.word() == p.word() })
		if _, known := table.of(p.word()); known {
			given.all = append(given.all, p)
		}
	}
	return true
}

// kind reads a line of nodes, nil for one that defines none.
func (c *conf) kind(s, given *statement, memory bool) *kind {
	if c.inherit(s, given, nodeReasons) {
		return nil
	}
	k := &kind{line: s.first, weight: 1}
	count := func(keys ...string) int {
		if p, ok := s.of(keys...); ok {
			return c.whole(p, 1, 1<<16)
		}
		return 1
	}
	cores := k.processors(s, count)
	if p, ok := s.of("realmemory"); ok && memory {
		k.each.Memory = float64(c.whole(p, 1, 1<<40)) * (1 << 20)
	}
	features, _ := s.of("feature", "features")
	for _, name := range strings.Split(features.value, ",") {
		if len(k.each.Features) > sim.MaxFeatures {
			c.fault(features, "drop features that no job requires", "has more than %d features", sim.MaxFeatures)
			return nil
		}
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(k.each.Features, name) {
			k.each.Features = append(k.each.Features, name)
		}
	}
	if p, ok := s.of("weight"); ok {
		k.weight, k.weighted = c.whole(p, 0, 1<<32-2), p
	}
	if p, ok := s.of("threadspercore"); ok && k.each.Cores > cores {
		c.drop(p, "a job takes single processors (threads), not cores")
	}
	if p, ok := s.of("state"); ok && !p.is("unknown", "idle") {
		c.drop(p, "nodes are in service; write an event, or take them out of the count")
	}
	if p, ok := s.of("gres"); ok {
		k.each.Requestable = c.gpus(p, k)
	}
	k.key = fmt.Sprint(k.each, k.weight, k.gpus.key)
	return k
}

// processors sets the processors of a node, and returns its cores. Slurm infers what a line does not state, and resets a number of CPUs
// that is none of sockets, cores and threads.
func (k *kind) processors(s *statement, count func(keys ...string) int) (cores int) {
	cpus, each, threads := count("cpus", "procs"), count("corespersocket"), count("threadspercore")
	sockets := count("boards")
	_, stated := s.of("cpus", "procs")
	if _, ok := s.of("socketsperboard"); ok {
		sockets *= count("socketsperboard")
	} else if _, ok := s.of("sockets"); ok {
		sockets = count("sockets")
	} else if stated && cpus%(each*threads) == 0 {
		sockets = cpus / (each * threads)
	}
	cores = sockets * each
	if k.each.Cores = cores * threads; stated && (cpus == sockets || cpus == cores) {
		k.each.Cores = cpus
	}
	return cores
}

// gpus is the number of GPUs in a list such as gpu:v100:2,mps:400. It notes their type where there is one.
func (c *conf) gpus(p pair, k *kind) (n int) {
	var typed []pair
	groups := 0
	for _, item := range strings.Split(inBrackets.ReplaceAllString(p.value, ""), ",") {
		fields := strings.Split(item, ":")
		q := pair{p.key, item, p.at}
		if fields[0] != "gpu" {
			c.drop(q, gpusAlone)
			continue
		}
		count := 1
		if last := fields[len(fields)-1]; digits.MatchString(last) {
			count, fields = c.whole(pair{p.key, last, p.at}, 0, 1<<16), fields[:len(fields)-1]
		}
		n, groups = n+count, groups+1
		if name := strings.Join(fields[1:], ":"); name != "" {
			typed, k.gpus = append(typed, q), pair{name, item, p.at}
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
func (c *conf) types() {
	known, done := map[string]bool{}, map[*kind]bool{}
	for _, n := range c.all {
		for _, name := range n.kind.each.Features {
			known[name] = true
		}
	}
	for _, n := range c.all {
		k, name := n.kind, n.kind.gpus.key
		if name == "" || done[k] {
			continue
		}
		done[k] = true
		p := pair{"Gres", k.gpus.value, k.gpus.at}
		if !known[name] && len(known) >= sim.MaxFeatures {
			c.drop(p, "GPUs have no type, and there are too many features for one that names it")
			continue
		}
		if known[name] = true; !slices.Contains(k.each.Features, name) {
			k.each.Features = append(slices.Clip(k.each.Features), name)
		}
		c.drop(p, "the type is a feature of the nodes; a job that requests the type has to require "+name)
	}
}

// switches reads the leaf switch of each node.
func (c *conf) switches() {
	var above []statement
	for _, s := range c.lines["switchname"] {
		list, ok := s.of("nodes")
		if !ok {
			above = append(above, s)
			continue
		}
		for _, n := range c.listed(list, false) {
			n.leaf = s.first.value
		}
	}
	if i := slices.IndexFunc(c.all, func(n *node) bool { return n.leaf == "" }); i >= 0 {
		c.drop(c.all[i].kind.line, "nodes such as "+c.all[i].name+" are at no switch of topology.conf, and here at one of their own")
	}
	leaves := len(c.lines["switchname"]) - len(above)
	for _, s := range above {
		if p, ok := s.of("switches"); ok && len(above) == 1 && len(c.hosts(p, p.value)) == leaves {
			c.spare(pair{s.first.key, "", s.first.at}, "one switch above all leaves")
		} else {
			c.drop(s.first, "of the tree of switches, jobs know the leaves alone")
		}
	}
}

// classes makes node classes of the nodes of one kind, at one switch, in the same partitions. Partitions list theirs in the order in which
// Slurm takes nodes: by weight, then as the file has them.
func (c *conf) classes() {
	type class struct {
		first  *node
		number int
	}
	var classes []class
	index, unlisted := map[string]int{}, map[*kind]bool{}
	for _, n := range c.all {
		if len(n.within) == 0 {
			if !unlisted[n.kind] {
				c.drop(n.kind.line, "nodes such as "+n.name+" are in no partition")
			}
			unlisted[n.kind] = true
			continue
		}
		key := fmt.Sprintf("%s %q %d", n.kind.key, n.leaf, n.within)
		i, ok := index[key]
		if !ok {
			i = len(classes)
			index[key], classes = i, append(classes, class{n, i})
			c.platform.Nodes = append(c.platform.Nodes, platform.Class{Each: n.kind.each})
			c.platform.Nodes[i].Each.Switch = n.leaf
		}
		c.platform.Nodes[i].Count++
	}
	users, taken := map[string]int{}, map[string]bool{}
	for _, k := range classes {
		users[beginning(k.first)]++
	}
	for i, k := range classes {
		name := beginning(k.first) // of the nodes' names where it is unique, or else the first node's name
		if users[name] > 1 || name == "" {
			name = cmp.Or(plain(k.first.name), "node")
		}
		for taken[name] {
			name += "_"
		}
		taken[name], c.platform.Nodes[i].Name = true, name
	}
	slices.SortStableFunc(classes, func(a, b class) int { return cmp.Compare(a.first.kind.weight, b.first.kind.weight) })
	for i := range c.platform.Partitions {
		q := &c.platform.Partitions[i]
		for _, k := range classes {
			if slices.Contains(k.first.within, i) {
				q.Nodes = append(q.Nodes, c.platform.Nodes[k.number].Name)
			}
		}
		q.Span = len(q.Nodes) > 1 && q.Allocate != "whole"
		if len(q.Nodes) > 1 && !q.Span {
			c.drop(c.parts[i].first, "a job that gets whole nodes has those of one class; Slurm takes nodes of all classes")
		}
	}
}

// beginning is the name of a node without its number.
func beginning(n *node) string {
	return strings.TrimRight(plain(strings.TrimRight(n.name, "0123456789")), "-_")
}

var special = regexp.MustCompile(`[^A-Za-z0-9_-]`)

// plain is a name with _ in place of characters that no key of a manifest may have.
func plain(name string) string { return special.ReplaceAllString(name, "_") }

// key reports whether a value can be a key of a manifest.
func (c *conf) key(p pair) bool {
	if p.value != "" && plain(p.value) == p.value {
		return true
	}
	c.fault(p, "rename it, here and in the log, with letters, digits, - and _", "cannot be a key of a manifest")
	return false
}
