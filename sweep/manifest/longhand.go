package manifest

import (
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// longhand returns the manifest with every list that stands for a section
// written as the kind that it stands for.
func longhand(c *params.Catalog, root *text.Node) *text.Node {
	for _, s := range c.Sections {
		if s.List == "" {
			continue
		}
		root = longSections(s, root)
		root = eachBlock(root, func(b *text.Node) *text.Node { return longSections(s, b) })
	}
	return root
}

// longSections does so in one map of sections and axes.
func longSections(s *params.SectionInfo, tree *text.Node) *text.Node {
	if e := tree.Entry(s.Name); e != nil && e.Value.Shape == text.List {
		tree = tree.With(s.Name, e.Pos, asKind(s, e.Value))
	}
	axes := tree.Get("axes")
	e := axes.Entry(s.Name)
	if e == nil || e.Value.Shape != text.List {
		return tree
	}
	values := e.Value.Changed(func(_ string, item *text.Node) *text.Node {
		if v := item.Entry("value"); v != nil && v.Value.Shape == text.List {
			return item.With("value", v.Pos, asKind(s, v.Value))
		}
		return item
	})
	return tree.With("axes", tree.Entry("axes").Pos, axes.With(s.Name, e.Pos, values))
}

// asKind returns the section that a list stands for.
func asKind(s *params.SectionInfo, list *text.Node) *text.Node {
	kind, field := &text.Node{Text: s.List, Pos: list.Pos}, s.Kind(s.List).Fields.Fields[0].Name
	return text.NewMap(list.Pos).With(params.KindKey, list.Pos, kind).With(field, list.Pos, list)
}
