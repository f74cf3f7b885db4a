package manifest

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"schedsweep/sweep/text"
)

// FamilyKey is the key of a claim that expands to several: a list of maps. Each makes a claim by its values, put where
// the claim says $name.
const (
	FamilyKey = "family"
	FamilyDoc = "one claim for each of these maps from names to values; $name is replaced by the value"
)

// MaxFamily bounds the claims of a family.
const MaxFamily = 1000

var (
	// FamilyName matches a name in a family.
	FamilyName    = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*$`)
	familyMention = regexp.MustCompile(`\$(\$|[A-Za-z][A-Za-z0-9]*)`)
)

func families(out *text.Sink, root *text.Node) *text.Node {
	claims := root.Entry("claims")
	if claims == nil || claims.Value.Shape != text.List {
		return root
	}
	written := text.NewList(claims.Value.Pos)
	for _, claim := range claims.Value.Items {
		if claim.Get(FamilyKey) == nil {
			written.Items = append(written.Items, claim)
			continue
		}
		written.Items = append(written.Items, family(out, claim)...)
	}
	return root.With("claims", claims.Pos, written)
}

func family(out *text.Sink, claim *text.Node) []*text.Node {
	list := claim.Get(FamilyKey)
	members := out.List(list, "claims."+FamilyKey)
	if list.IsNull() || list.Shape == text.List && (len(members) == 0 || len(members) > MaxFamily) {
		out.Add(list.Pos, "write family: [{name: value}, ...]", "the family has %d members; want 1 to %d", len(members), MaxFamily)
		return nil
	}
	body := claim.With(FamilyKey, claim.Pos, nil)
	var made []*text.Node
	for _, node := range members {
		if node.Shape != text.Map {
			out.Add(node.Pos, "write {name: value}", "a member of the family is %s; want a map", node.What())
			continue
		}
		m, before := member{node, out, map[string]bool{}}, out.Count
		one := *m.fill(body)
		one.Pos = node.Pos
		m.check()
		if out.Count == before {
			made = append(made, &one)
		}
	}
	return made
}

type member struct {
	*text.Node // values by name
	out        *text.Sink
	mentioned  map[string]bool // names that the claim says
}

// fill returns a copy of the node with values where their names stand. A name alone becomes the value, of any shape;
// in a longer text it becomes the value's text, and $$ a dollar.
func (m *member) fill(n *text.Node) *text.Node {
	out := n.Changed(func(_ string, below *text.Node) *text.Node { return m.fill(below) })
	if n.Shape != text.Scalar {
		return out
	}
	if name, ok := strings.CutPrefix(n.Text, "$"); ok && FamilyName.MatchString(name) {
		return m.value(name, n)
	}
	out.Text = familyMention.ReplaceAllStringFunc(n.Text, func(mention string) string {
		if mention == "$$" {
			return "$"
		}
		v := m.value(mention[1:], n)
		if v.Shape != text.Scalar {
			m.out.Add(v.Pos, "", "%s in the text %s is %s; want a plain value", mention, text.Quote(n.Text), v.What())
		}
		out.Pos = v.Pos // a mistake in the text is the member's
		return v.Text
	})
	return out
}

func (m *member) value(name string, in *text.Node) *text.Node {
	m.mentioned[name] = true
	if v := m.Get(name); v != nil {
		return v
	}
	m.out.Add(m.Pos, text.DidYouMean(name, m.Keys()), "the claim says %s, and this member of its family has no %s", text.Quote(in.Text), name)
	return in
}

func (m *member) check() {
	for _, e := range m.Entries {
		switch {
		case !FamilyName.MatchString(e.Key):
			m.out.Add(e.Pos, "use letters and digits, a letter first", "%s cannot be said as $name", text.Quote(e.Key))
		case !m.mentioned[e.Key]:
			m.out.Add(e.Pos, text.DidYouMean(e.Key, slices.Sorted(maps.Keys(m.mentioned))), "the claim does not say $%s", e.Key)
		}
	}
}
