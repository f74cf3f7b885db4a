package manifest

import (
	"slices"
	"strings"

	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// kindsInPlay collects, for every section, the kinds that the trees give it
// anywhere: in the base, by an axis, or in a block. Where there is none or an
// unknown one, which is a mistake, any kind may be meant: the section is open.
func kindsInPlay(c *params.Catalog, trees ...*text.Node) (out [][]*params.KindInfo, open []bool) {
	out, open = make([][]*params.KindInfo, len(c.Sections)), make([]bool, len(c.Sections))
	for i, s := range c.Sections {
		add := func(n *text.Node) {
			if n == nil {
				return
			}
			k := s.Kind(n.Text)
			switch {
			case k == nil:
				open[i] = true
			case !slices.Contains(out[i], k):
				out[i] = append(out[i], k)
			}
		}
		if s.Single {
			out[i] = s.Kinds
			continue
		}
		one := func(tree *text.Node) {
			add(tree.Get(s.Name).Get(params.KindKey))
			axes := tree.Get("axes")
			for _, v := range axes.Get(s.Name + "." + params.KindKey).All() {
				add(unlabelled(v))
			}
			for _, v := range axes.Get(s.Name).All() {
				add(v.Get("value").Get(params.KindKey))
			}
		}
		for _, tree := range trees {
			one(tree)
			if tree.Get(s.Name).Get(params.KindKey) == nil && s.Fallback() != nil {
				add(&text.Node{Text: s.Fallback().Name})
			}
			for _, b := range blocksOf(tree) {
				one(b)
			}
		}
		open[i] = open[i] || len(out[i]) == 0
	}
	return out, open
}

// pinnedKinds tells of each section whether an axis over its kind has one value
// only, as --set leaves it.
func pinnedKinds(c *params.Catalog, root *text.Node) []bool {
	out := make([]bool, len(c.Sections))
	for i, s := range c.Sections {
		for _, tree := range withBlocks(root) {
			for _, path := range []string{s.Name, s.Name + "." + params.KindKey} {
				if axis := tree.Get("axes").Get(path); axis != nil && !s.Single && len(axis.Items) > 0 &&
					!slices.ContainsFunc(axis.Items, func(v *text.Node) bool { return !sameText(v, axis.Items[0]) }) {
					out[i] = true
				}
			}
		}
	}
	return out
}

// kindsWith returns the kinds in play that have a field at the path. Where the
// section's kind was swept and --set has pinned it, these may be kinds which
// occur no more: axes and conditions over their fields stay, without effect.
func (l *Document) kindsWith(s *params.SectionInfo, rel []string) []*params.KindInfo {
	if out := params.KindsWith(l.play[s.Index], rel); len(out) > 0 || !l.pinned[s.Index] {
		return out
	}
	return params.KindsWith(s.Kinds, rel)
}

// Plays reports whether a section can be of the kind in some instance, and in which.
func (l *Document) Plays(section, kind string) (can bool, kinds []string) {
	s := l.Catalog.Section(section)
	if s == nil {
		return true, nil
	}
	kinds = params.KindNames(l.play[s.Index])
	return slices.Contains(kinds, kind), kinds
}

// hidden reports whether the path is that of a field of an open section in which the
// kinds that have it differ.
func (l *Document) hidden(s *params.SectionInfo, rel []string) bool {
	fields := params.FieldsAt(s.Kinds, rel)
	return l.open[s.Index] && slices.ContainsFunc(fields, func(f *params.Field) bool { return !f.SameRules(fields[0]) })
}

// AxisPaths lists every path that an axis may vary, of the kinds in play.
func AxisPaths(cat *params.Catalog, play [][]*params.KindInfo) []string {
	var out []string
	for _, s := range cat.Sections {
		out = append(out, s.Name)
		if !s.Single {
			out = append(out, s.Name+"."+params.KindKey)
		}
		for _, k := range play[s.Index] {
			out = append(out, text.Each(k.Fields.Paths(), func(p string) string { return s.Name + "." + p })...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// belowSection is the hint for a path to an element that lacks its section, "" where no section has it.
func belowSection(cat *params.Catalog, path string) string {
	var meant []string
	for _, s := range cat.Sections {
		if strings.Contains(path, "[") && len(params.FieldsAt(s.Kinds, strings.Split(path, "."))) > 0 {
			meant = append(meant, s.Name+"."+path)
		}
	}
	if meant == nil {
		return ""
	}
	return "did you mean " + strings.Join(meant, ", ") + "?"
}

// subtrees reports whether the values of an axis of that path are sub-trees. Where
// kinds have a number there and a list, the values tell.
func subtrees(c *params.Catalog, path string, values *text.Node) bool {
	name, rel := SplitPath(path)
	s := c.Section(name)
	if s == nil || len(rel) == 0 {
		return true
	}
	fields := params.FieldsAt(s.Kinds, rel)
	plain := func(f *params.Field) bool { return f.Scalar() }
	switch {
	case len(fields) == 0 || !slices.ContainsFunc(fields, func(f *params.Field) bool { return !plain(f) }):
		return false
	case !slices.ContainsFunc(fields, plain):
		return true
	}
	return slices.ContainsFunc(values.All(), func(n *text.Node) bool { return unlabelled(n).Shape != text.Scalar })
}

// longhand returns the manifest with every list that means a section written as the kind that it means.
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

func asKind(s *params.SectionInfo, list *text.Node) *text.Node {
	kind, field := &text.Node{Text: s.List, Pos: list.Pos}, s.Kind(s.List).Fields.Fields[0].Name
	return text.NewMap(list.Pos).With(params.KindKey, list.Pos, kind).With(field, list.Pos, list)
}
