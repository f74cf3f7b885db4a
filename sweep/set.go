package sweep

import (
	"slices"
	"strings"
)

// overrides lay --set arguments over a manifest.
type overrides struct {
	cat    *catalog
	out    *sink
	labels labels
}

// set applies one argument path=value, which is source number order, to the
// merged tree.
func (l *overrides) set(root *node, arg string, order int) *node {
	src := &source{name: "--set " + arg, order: order, set: true}
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
		value = l.labels.items(key, value)
		return root.with("axes", at, root.get("axes").with(key, at, value))
	case path == "replications":
		root = withoutIn(root, path)
		return root.replace(segs, at, value)
	case l.cat.section(segs[0]) == nil:
		return root.replace(segs, at, value)
	}
	value = l.labels.meant(path, value)
	trees := false // values are sub-trees, in the manifest or in a block
	all := append([]*node{root}, blocksOf(root)...)
	own := slices.ContainsFunc(all, func(n *node) bool { return n.get("axes").entry(path) != nil })
	for _, axes := range all {
		if axes := axes.get("axes"); axes != nil {
			for _, e := range axes.entries {
				switch {
				case e.key == path:
					trees = trees || subtrees(l.cat, path, e.value)
				case !own && (strings.HasPrefix(e.key, path+".") || strings.HasPrefix(path, e.key+".")):
					l.out.add(at, path, "set "+e.key+" to one of its values instead", "%s is an axis, so that %s is not one value", e.key, path)
					return root
				}
			}
		}
	}
	root, listed := l.pin(root, path, at, value, trees)
	switch {
	case trees && !listed:
		l.out.add(at, path, "valid: "+strings.Join(treeLabels(root, path), ", "), "%s is no label of axis %s", value.what(), path)
		return root
	case trees:
		return root // a sub-tree's label is no value for the base
	case !listed:
		root = eachBlock(replaceAxis(root, path, at, value), func(b *node) *node { return replaceAxis(b, path, at, value) })
	}
	root = eachBlock(root, func(b *node) *node {
		if b.find(segs) == nil {
			return b
		}
		return b.replace(segs, at, value)
	})
	return root.replace(segs, at, value)
}

// treeLabels are the labels of an axis of sub-trees, in the root and in blocks.
func treeLabels(root *node, path string) (labels []string) {
	for _, n := range append([]*node{root}, blocksOf(root)...) {
		for _, item := range itemsOf(n.get("axes").get(path)) {
			if label := item.get("label"); label != nil && !slices.Contains(labels, label.text) {
				labels = append(labels, label.text)
			}
		}
	}
	return labels
}

// withoutIn takes a key out of all blocks, which then follow the root.
func withoutIn(root *node, key string) *node {
	return eachBlock(root, func(b *node) *node {
		if b.shape == mapNode && b.get(key) != nil {
			return b.with(key, b.pos, nil)
		}
		return b
	})
}
