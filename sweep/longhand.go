package sweep

// longhand returns the manifest with every list that stands for a section
// written as the kind that it stands for.
func longhand(c *catalog, root *node) *node {
	for _, s := range c.sections {
		if s.list == "" {
			continue
		}
		root = longSections(s, root)
		root = eachBlock(root, func(b *node) *node { return longSections(s, b) })
	}
	return root
}

// longSections does so in one map of sections and axes.
func longSections(s *sectionInfo, tree *node) *node {
	if e := tree.entry(s.name); e != nil && e.value.shape == listNode {
		tree = tree.with(s.name, e.pos, asKind(s, e.value))
	}
	axes := tree.get("axes")
	e := axes.entry(s.name)
	if e == nil || e.value.shape != listNode {
		return tree
	}
	values := &node{shape: listNode, pos: e.value.pos}
	for _, item := range e.value.items {
		if v := item.entry("value"); v != nil && v.value.shape == listNode {
			item = item.with("value", v.pos, asKind(s, v.value))
		}
		values.items = append(values.items, item)
	}
	return tree.with("axes", tree.entry("axes").pos, axes.with(s.name, e.pos, values))
}

// asKind returns the section that a list stands for.
func asKind(s *sectionInfo, list *node) *node {
	field := s.kind(s.list).fields.fields[0].name
	return &node{shape: mapNode, pos: list.pos, entries: []entry{
		{kindKey, list.pos, &node{text: s.list, pos: list.pos}},
		{field, list.pos, list},
	}}
}
