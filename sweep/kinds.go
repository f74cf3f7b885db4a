package sweep

import (
	"slices"
)

// kindsInPlay collects, for every section, the kinds that the trees give it
// anywhere: in the base, by an axis, or in a block.
func kindsInPlay(c *catalog, trees ...*node) [][]*kindInfo {
	out := make([][]*kindInfo, len(c.sections))
	for i, s := range c.sections {
		add := func(n *node) {
			if n == nil || n.shape != scalarNode {
				return
			}
			if k := s.kind(n.text); k != nil && !slices.Contains(out[i], k) {
				out[i] = append(out[i], k)
			}
		}
		if s.single {
			out[i] = s.kinds
			continue
		}
		one := func(tree *node) {
			add(tree.get(s.name).get(kindKey))
			axes := tree.get("axes")
			if values := axes.get(s.name + "." + kindKey); values != nil {
				for _, v := range values.items {
					add(unlabelled(v))
				}
			}
			if values := axes.get(s.name); values != nil {
				for _, v := range values.items {
					add(v.get("value").get(kindKey))
				}
			}
		}
		for _, tree := range trees {
			one(tree)
			if tree.get(s.name).get(kindKey) == nil && s.fallback() != nil {
				add(&node{text: s.fallback().name})
			}
			if blocks := tree.get("blocks"); blocks != nil {
				for _, b := range blocks.items {
					one(b)
				}
			}
		}
	}
	return out
}

// pinnedKinds tells of each section whether an axis over its kind has one value
// only, as --set leaves it.
func pinnedKinds(c *catalog, root *node) []bool {
	out := make([]bool, len(c.sections))
	for i, s := range c.sections {
		for _, tree := range append([]*node{root}, blocksOf(root)...) {
			for _, path := range []string{s.name, s.name + "." + kindKey} {
				if axis := tree.get("axes").get(path); axis != nil && !s.single && len(axis.items) == 1 {
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
func (l *document) kindsWith(s *sectionInfo, rel []string) []*kindInfo {
	if out := haveField(l.play[s.index], rel); len(out) > 0 || !l.pinned[s.index] {
		return out
	}
	return haveField(s.kinds, rel)
}

// haveField returns the kinds that have a field at the path.
func haveField(kinds []*kindInfo, rel []string) []*kindInfo {
	var out []*kindInfo
	for _, k := range kinds {
		if k.fields.find(rel) != nil {
			out = append(out, k)
		}
	}
	return out
}

// axisPaths lists every path that an axis may vary, of the kinds in play.
func axisPaths(cat *catalog, play [][]*kindInfo) []string {
	var out []string
	for _, s := range cat.sections {
		out = append(out, s.name)
		if !s.single {
			out = append(out, s.name+"."+kindKey)
		}
		for _, k := range play[s.index] {
			for _, p := range k.fields.paths() {
				out = append(out, s.name+"."+p)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// subtrees tells whether the values of an axis of that path are sub-trees. Where
// kinds have a number there and a list, the values tell.
func subtrees(c *catalog, path string, values *node) bool {
	name, rel := splitPath(path)
	s := c.section(name)
	if s == nil || len(rel) == 0 {
		return true
	}
	fields := fieldsAt(s.kinds, rel)
	plain := func(f *fieldInfo) bool { return f.scalar() }
	switch {
	case len(fields) == 0 || !slices.ContainsFunc(fields, func(f *fieldInfo) bool { return !plain(f) }):
		return false
	case !slices.ContainsFunc(fields, plain):
		return true
	}
	return values != nil && slices.ContainsFunc(values.items, func(n *node) bool { return unlabelled(n).shape != scalarNode })
}
