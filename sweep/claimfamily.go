package sweep

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// familyKey is the key of a claim that stands for several: a list of maps, each of
// which makes a claim by its values, put where the claim says $name.
const (
	familyKey = "family"
	familyDoc = "one claim for each of these maps from names to values; $name stands for the value"
)

// maxFamily bounds the claims that one may stand for.
const maxFamily = 1000

var (
	familyName    = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*$`)
	familyMention = regexp.MustCompile(`\$(\$|[A-Za-z][A-Za-z0-9]*)`)
)

// families returns the manifest with claims written out that stand for several.
func families(out *sink, root *node) *node {
	claims := root.entry("claims")
	if claims == nil || claims.value.shape != listNode {
		return root
	}
	written := &node{shape: listNode, pos: claims.value.pos}
	for _, claim := range claims.value.items {
		if claim.get(familyKey) == nil {
			written.items = append(written.items, claim)
			continue
		}
		written.items = append(written.items, family(out, claim)...)
	}
	return root.with("claims", claims.pos, written)
}

// family makes the claims that one stands for.
func family(out *sink, claim *node) []*node {
	list := claim.get(familyKey)
	members := out.list(list, "claims."+familyKey)
	if list.isNull() || list.shape == listNode && (len(members) == 0 || len(members) > maxFamily) {
		out.add(list.pos, "claims."+familyKey, "write family: [{name: value}, ...]", "the family has %d members; want 1 to %d", len(members), maxFamily)
		return nil
	}
	body := claim.with(familyKey, claim.pos, nil)
	var made []*node
	for _, node := range members {
		if node.shape != mapNode {
			out.add(node.pos, "claims."+familyKey, "write {name: value}", "a member of the family is %s; want a map", node.what())
			continue
		}
		m, before := member{node, out, map[string]bool{}}, out.count
		one := *m.fill(body)
		one.pos = node.pos
		m.check()
		if out.count == before {
			made = append(made, &one)
		}
	}
	return made
}

// member is one claim of a family in the making.
type member struct {
	*node
	out       *sink
	mentioned map[string]bool // names that the claim says
}

// fill returns a copy of the node with values where their names stand. A name alone becomes the value, whatever that is;
// in a longer text it becomes the value's text, and $$ a dollar.
func (m *member) fill(n *node) *node {
	out := *n
	out.entries, out.items = slices.Clone(n.entries), slices.Clone(n.items)
	for i, e := range out.entries {
		out.entries[i].value = m.fill(e.value)
	}
	for i, item := range out.items {
		out.items[i] = m.fill(item)
	}
	if n.shape != scalarNode {
		return &out
	}
	if name, ok := strings.CutPrefix(n.text, "$"); ok && familyName.MatchString(name) {
		return m.value(name, n)
	}
	out.text = familyMention.ReplaceAllStringFunc(n.text, func(mention string) string {
		if mention == "$$" {
			return "$"
		}
		v := m.value(mention[1:], n)
		if v.shape != scalarNode {
			m.out.add(v.pos, "claims."+familyKey, "", "%s stands in the text %s and is %s; want a plain value", mention, quote(n.text), v.what())
		}
		out.pos = v.pos // what is wrong with the text is the member's mistake
		return v.text
	})
	return &out
}

// value is what the name in a node stands for.
func (m *member) value(name string, in *node) *node {
	m.mentioned[name] = true
	if v := m.get(name); v != nil {
		return v
	}
	var names []string
	for _, e := range m.entries {
		names = append(names, e.key)
	}
	m.out.add(m.pos, "claims."+familyKey, didYouMean(name, names), "the claim says %s, and this member of its family has no %s", quote(in.text), name)
	return in
}

// check reports names that the claim does not say.
func (m *member) check() {
	for _, e := range m.entries {
		switch {
		case !familyName.MatchString(e.key):
			m.out.add(e.pos, "claims."+familyKey, "use letters and digits, a letter first", "%s cannot be said as $name", quote(e.key))
		case !m.mentioned[e.key]:
			m.out.add(e.pos, "claims."+familyKey, didYouMean(e.key, slices.Sorted(maps.Keys(m.mentioned))), "the claim does not say $%s", e.key)
		}
	}
}
