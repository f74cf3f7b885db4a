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

// kind is what a line says of its nodes.
type kind struct {
	line   pair
	id     int // equal kinds have one
	each   platform.Node
	weight int
	// weighted is where the weight is written, and gpus the only kind of GPUs, with its type as the key; without a key none has a type.
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

// inherit has a line take what the lines named DEFAULT before it say, and reports whether it is one of these.
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

// switches reads who is at which leaf switch. Without a tree of switches all nodes are at one.
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

// class is a node class: nodes of a kind, at one switch, in the same partitions.
type class struct {
	name  string
	first *node
}

// classes divides the nodes into classes, in the order in which Slurm takes nodes: by weight, then as the file has them.
func (c *conf) classes(all []*node, p *platform.Params) (classes []class) {
	index := map[string]int{}
	for _, n := range all {
		if len(n.within) == 0 {
			continue
		}
		key := fmt.Sprintf("%d %q %d", n.kind.id, n.leaf, n.within)
		i, ok := index[key]
		if !ok {
			i = len(classes)
			index[key], classes = i, append(classes, class{first: n})
			p.Nodes = append(p.Nodes, platform.Class{Each: n.kind.each})
			p.Nodes[i].Each.Switch = n.leaf
		}
		p.Nodes[i].Count++
	}
	c.outside(all)
	c.called(classes)
	for i := range classes {
		p.Nodes[i].Name = classes[i].name
	}
	order := slices.Clone(classes)
	slices.SortStableFunc(order, func(a, b class) int { return cmp.Compare(a.first.kind.weight, b.first.kind.weight) })
	return order
}

// outside names the nodes of no partition, by the lines that define them.
func (c *conf) outside(all []*node) {
	seen := map[*kind]bool{}
	for _, n := range all {
		if len(n.within) == 0 && !seen[n.kind] {
			seen[n.kind] = true
			c.drop(n.kind.line, "nodes such as "+n.name+" are in no partition")
		}
	}
}

// called gives classes names: what the names of the nodes begin with where that is no other's, or the first node's name.
func (c *conf) called(classes []class) {
	begin := func(k class) string {
		return strings.TrimRight(plain(strings.TrimRight(k.first.name, "0123456789")), "-_")
	}
	users, taken := map[string]int{}, map[string]bool{}
	for _, k := range classes {
		users[begin(k)]++
	}
	for i, k := range classes {
		name := begin(k)
		if users[name] > 1 || name == "" {
			name = cmp.Or(plain(k.first.name), "node")
		}
		for taken[name] {
			name += "_"
		}
		taken[name], classes[i].name = true, name
	}
}

// plain is a name with _ in place of characters that no key of a manifest may have.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if isPlain(r) {
			return r
		}
		return '_'
	}, name)
}

func isPlain(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_'
}

// key reports whether a value can be a key of a manifest.
func (c *conf) key(p pair) bool {
	if p.value != "" && plain(p.value) == p.value {
		return true
	}
	c.fault(p, "rename it, here and in the log, with letters, digits, - and _", "cannot be a key of a manifest")
	return false
}

// licences reads the licences of the cluster.
func (c *conf) licences() (all []platform.Licence) {
	p, ok := c.option("Licenses")
	if !ok {
		return nil
	}
	for _, item := range strings.FieldsFunc(p.value, func(r rune) bool { return r == ',' || r == ';' }) {
		q := p
		name, count, counted := strings.Cut(item, ":")
		l := platform.Licence{Name: strings.TrimSpace(name), Count: 1}
		if q.value = count; counted {
			q.key += " " + l.Name
			l.Count = c.whole(q, 0, 1<<31-1)
		}
		q.key, q.value = p.key, item
		switch {
		case l.Count == 0:
		case plain(l.Name) != l.Name || l.Name == "":
			c.drop(q, "the name cannot be a key of a manifest")
		case slices.ContainsFunc(all, func(o platform.Licence) bool { return o.Name == l.Name }):
			c.fault(q, "keep one", "is there twice")
		case len(all) == sim.MaxLicences:
			c.drop(q, fmt.Sprintf("a platform has at most %d kinds of licences", sim.MaxLicences))
		default:
			all = append(all, l)
		}
	}
	return all
}
