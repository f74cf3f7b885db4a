package siteconf

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"schedsweep/sim"
	"schedsweep/sim/platform"
)

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
	c.unlisted(all)
	c.called(classes)
	for i := range classes {
		p.Nodes[i].Name = classes[i].name
	}
	order := slices.Clone(classes)
	slices.SortStableFunc(order, func(a, b class) int { return cmp.Compare(a.first.kind.weight, b.first.kind.weight) })
	return order
}

// unlisted reports the nodes of no partition, by the lines that define them.
func (c *conf) unlisted(all []*node) {
	seen := map[*kind]bool{}
	for _, n := range all {
		if len(n.within) == 0 && !seen[n.kind] {
			seen[n.kind] = true
			c.drop(n.kind.line, "nodes such as "+n.name+" are in no partition")
		}
	}
}

// called names classes: by the beginning of their nodes' names where it is unique, or by the first node.
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
