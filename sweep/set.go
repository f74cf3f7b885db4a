package sweep

import (
	"slices"
	"strings"
)

// set applies one --set path=value to the merged tree.
func (l *loader) set(root *node, arg string) *node {
	src := &source{name: "--set " + arg, order: l.order, set: true}
	l.order++
	at := position{src, 1, 1}
	path, text, ok := strings.Cut(arg, "=")
	path = strings.TrimSpace(path)
	if !ok || path == "" {
		l.out.add(at, path, "", "want path=value")
		return root
	}
	value := parseYAML(src, []byte(text), l.out)
	if value == nil {
		value = null(at)
	}
	segs := strings.Split(path, ".")
	switch {
	case segs[0] == "extends":
		l.out.add(at, path, "", "extends cannot be set")
		return root
	case segs[0] == "axes" && len(segs) > 1:
		key := strings.Join(segs[1:], ".")
		value = l.labelledItems(key, value)
		return root.with("axes", at, root.get("axes").with(key, at, value))
	case path == "replications":
		root = withoutIn(root, "blocks", path)
		return root.replace(segs, at, value)
	case l.cat.section(segs[0]) == nil:
		return root.replace(segs, at, value)
	}
	value = l.meant(path, value)
	trees := false // values are sub-trees, in the manifest or in a block
	for _, axes := range append([]*node{root}, blocksOf(root)...) {
		if axes := axes.get("axes"); axes != nil {
			for _, e := range axes.entries {
				switch {
				case e.key == path:
					trees = trees || l.labelled(path, e.value)
				case strings.HasPrefix(e.key, path+".") || strings.HasPrefix(path, e.key+"."):
					l.out.add(at, path, "set "+e.key+" to one of its values instead", "%s is an axis, so that %s is not one value", e.key, path)
					return root
				}
			}
		}
	}
	root, own := l.pin(root, path, at, value)
	if blocks := root.get("blocks"); blocks != nil && blocks.shape == listNode {
		changed := &node{shape: listNode, pos: blocks.pos}
		for _, b := range blocks.items {
			b, _ = l.pin(b, path, at, value)
			if b.find(segs) != nil {
				b = b.replace(segs, at, value)
			}
			changed.items = append(changed.items, b)
		}
		root = root.with("blocks", root.entry("blocks").pos, changed)
	}
	// A sub-tree's label is no value for the base.
	if own || trees {
		return root
	}
	return root.replace(segs, at, value)
}

// withoutIn takes a key out of all items of a list, which then follow the root.
func withoutIn(root *node, list, key string) *node {
	items := root.get(list)
	if items == nil || items.shape != listNode {
		return root
	}
	changed := &node{shape: listNode, pos: items.pos}
	for _, b := range items.items {
		if b.shape == mapNode && b.get(key) != nil {
			b = b.with(key, b.pos, nil)
		}
		changed.items = append(changed.items, b)
	}
	return root.with(list, root.entry(list).pos, changed)
}

// labelled tells whether the values of an axis of that path are sub-trees. Where
// kinds have a number there and a list, the values tell.
func (l *loader) labelled(path string, values *node) bool {
	s, rel := l.cat.section(strings.Split(path, ".")[0]), strings.Split(path, ".")[1:]
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

// blocksOf returns the block nodes of a manifest.
func blocksOf(root *node) []*node {
	if blocks := root.get("blocks"); blocks != nil {
		return blocks.items
	}
	return nil
}

// pin gives the axis of that path one value and takes it out of zip groups;
// done is false when the node has no such axis.
func (l *loader) pin(n *node, path string, at position, value *node) (out *node, done bool) {
	axis := n.get("axes").get(path)
	if axis == nil {
		return n, false
	}
	if l.labelled(path, axis) {
		var labels []string
		var chosen *node
		for _, item := range axis.items {
			if label := item.get("label"); label != nil {
				labels = append(labels, label.text)
				if value.shape == scalarNode && label.text == value.text {
					chosen = item
				}
			}
		}
		if chosen == nil {
			l.out.add(at, path, "valid: "+strings.Join(labels, ", "), "%s is no label of axis %s", value.what(), path)
			return n, true
		}
		value = chosen
	}
	for _, item := range axis.items {
		if tree := unlabelled(item); tree != item && tree.text == value.text {
			value = item // with its label
		}
	}
	one := &node{shape: listNode, pos: at, items: []*node{value}}
	n = n.with("axes", n.entry("axes").pos, n.get("axes").with(path, at, one))
	zip := n.get("zip")
	if zip == nil || zip.shape != listNode {
		return n, true
	}
	groups := &node{shape: listNode, pos: zip.pos}
	for _, g := range zip.items {
		rest := &node{shape: listNode, pos: g.pos}
		for _, item := range g.items {
			if item.text != path {
				rest.items = append(rest.items, item)
			}
		}
		if len(rest.items) == len(g.items) {
			rest = g
		} else if len(rest.items) < 2 {
			continue
		}
		groups.items = append(groups.items, rest)
	}
	if len(groups.items) == 0 {
		groups = nil
	}
	return n.with("zip", n.entry("zip").pos, groups), true
}
