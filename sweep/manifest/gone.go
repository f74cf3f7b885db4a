package manifest

import (
	"slices"
	"strings"

	"schedsweep/sweep/text"
)

// goneValues are the values of axes that a parent has and its child has not, by path.
type goneValues struct {
	overrides
	values map[string][]*text.Node
	whole  map[string]bool // axes that are gone with all values
	child  *text.Node
}

// withoutGone leaves out parts of the parent about axis values that only the parent has: the baseline, figures, claims and
// questions, which have no answer here, and cuts, which cut nothing. A figure or a cut that selects several values keeps the
// others, but not a claim: a claim about fewer values is another claim. It notes the names of the parts left out.
func (l *reader) withoutGone(parent, own, root *text.Node) *text.Node {
	g := &goneValues{overrides{l.cat, &text.Sink{}, labels{}}, map[string][]*text.Node{}, map[string]bool{}, root}
	g.find(parent)
	if len(g.values) == 0 {
		return root
	}
	keep := func(tree *text.Node, key, name string, narrow bool) *text.Node {
		e := tree.Entry(key)
		if e == nil || e.Value.Shape != text.List {
			return tree
		}
		kept := &text.Node{Shape: text.List, Pos: e.Value.Pos}
		for _, item := range e.Value.Items {
			switch less := g.without(item, narrow); {
			case less != nil:
				kept.Items = append(kept.Items, less)
			case name != "":
				l.leftOut = append(l.leftOut, strings.Join(append([]string{name}, idOf(item)...), " "))
			}
		}
		if len(kept.Items) == 0 {
			kept = nil
		}
		return tree.With(key, e.Pos, kept)
	}
	if analysis := root.Get("analysis"); analysis != nil && analysis.Shape == text.Map {
		mine := own.Get("analysis")
		if base := analysis.Entry("baseline"); base != nil && mine.Get("baseline") == nil {
			less := &text.Node{Shape: text.Map, Pos: base.Value.Pos}
			for _, e := range base.Value.Pairs() {
				if e.Value.Shape != text.Scalar || !g.is(e.Key, e.Value) {
					less.Entries = append(less.Entries, e)
				}
			}
			if len(less.Entries) < len(base.Value.Pairs()) {
				l.leftOut = append(l.leftOut, "the baseline")
				if len(less.Entries) == 0 {
					less = nil
				}
				analysis = analysis.With("baseline", base.Pos, less)
			}
		}
		if mine.Get("figures") == nil {
			analysis = keep(analysis, "figures", "figure", true)
		}
		root = root.With("analysis", root.Entry("analysis").Pos, analysis)
	}
	for _, of := range []struct {
		key, name string
		narrow    bool
	}{{"claims", "claim", false}, {"find", "question", false}, {"exclude", "", true}} {
		if own.Get(of.key) == nil {
			root = keep(root, of.key, of.name, of.narrow)
		}
	}
	return root
}

func idOf(item *text.Node) []string {
	if id := item.Get("id"); id != nil && id.Shape == text.Scalar {
		return []string{id.Text}
	}
	return nil
}

// find lists the values of all axes of the parent, in the base and in blocks, that no axis of the child has.
func (g *goneValues) find(parent *text.Node) {
	for _, b := range withBlocks(parent) {
		for _, e := range b.Get("axes").Pairs() {
			left := false
			for _, item := range g.nodesOf(e.Key, e.Value) {
				if g.has(g.child, e.Key, item) {
					left = true
				} else {
					g.values[e.Key] = append(g.values[e.Key], item)
				}
			}
			has := func(b *text.Node) bool { return b.Get("axes").Get(e.Key) != nil }
			if !left && !slices.ContainsFunc(withBlocks(g.child), has) {
				g.whole[e.Key] = true
			}
		}
	}
}

func (g *goneValues) has(tree *text.Node, path string, item *text.Node) bool {
	return g.some(tree, path, func(n *text.Node) bool { return g.same(path, n, item) })
}

// some reports whether a value of the axis in some block passes a test.
func (g *goneValues) some(tree *text.Node, path string, is func(*text.Node) bool) bool {
	return slices.ContainsFunc(withBlocks(tree), func(b *text.Node) bool {
		return slices.ContainsFunc(g.nodesOf(path, axisIn(tree, b, path)), is)
	})
}

// same reports whether an item of an axis has the label of another, or where that has none its value.
func (g *goneValues) same(path string, item, other *text.Node) bool {
	if label := other.Get("label"); label != nil {
		own := item.Get("label")
		return own != nil && own.Text == label.Text
	}
	return g.equal(path, unlabelled(item), other)
}

// is reports whether a value, as selections write it, is gone.
func (g *goneValues) is(path string, value *text.Node) bool {
	meant := func(item *text.Node) bool {
		label := item.Get("label")
		return label != nil && label.Text == value.Text || g.equal(path, unlabelled(item), value)
	}
	return slices.ContainsFunc(g.values[path], meant) && !g.some(g.child, path, meant)
}

// without returns a tree without the values that are gone. It returns nil where one stood alone, or where lists are not to be narrowed, and
// where an axis is named that is gone.
func (g *goneValues) without(n *text.Node, narrow bool) *text.Node {
	switch n.Shape {
	case text.Scalar:
		if g.whole[n.Text] {
			return nil
		}
	case text.List:
		for _, item := range n.Items {
			if g.without(item, narrow) == nil {
				return nil
			}
		}
	case text.Map:
		for _, e := range n.Entries {
			less := g.without(e.Value, narrow)
			if _, axis := g.values[e.Key]; axis {
				less = g.among(e, narrow)
			}
			if less == nil {
				return nil
			}
			n = n.With(e.Key, e.Pos, less)
		}
	}
	return n
}

// among returns a selection's values of an axis without the gone ones; nil where none is left.
func (g *goneValues) among(e text.Entry, narrow bool) *text.Node {
	if g.whole[e.Key] || e.Value.Shape == text.Scalar && g.is(e.Key, e.Value) {
		return nil
	}
	if e.Value.Shape != text.List {
		return e.Value
	}
	left := text.NewList(e.Value.Pos, slices.DeleteFunc(slices.Clone(e.Value.Items), func(item *text.Node) bool {
		return item.Shape == text.Scalar && g.is(e.Key, item)
	})...)
	if len(left.Items) == 0 || len(left.Items) < len(e.Value.Items) && !narrow {
		return nil
	}
	return left
}
