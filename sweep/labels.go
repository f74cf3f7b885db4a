package sweep

import "slices"

// label notes what the labels of plain values stand for, wherever an axis gives
// them. It is asked before and after --set, which may take a label's value off.
func (l *loader) label(root *node) {
	for _, n := range append([]*node{root}, blocksOf(root)...) {
		axes := n.get("axes")
		if axes == nil {
			continue
		}
		for _, e := range axes.entries {
			if l.labelled(e.key) {
				continue
			}
			for _, item := range e.value.items {
				label, tree := item.get("label"), unlabelled(item)
				if tree == item || label.shape != scalarNode {
					continue
				}
				if l.labels[e.key] == nil {
					l.labels[e.key] = map[string]*node{}
				}
				l.labels[e.key][label.text] = tree
			}
		}
	}
}

// meant returns the plain value that a label of the axis stands for, at the
// label's place, or the value itself.
func (l *loader) meant(path string, value *node) *node {
	tree := l.labels[path][value.text]
	if value.shape != scalarNode || tree == nil {
		return value
	}
	return &node{shape: tree.shape, text: tree.text, quoted: tree.quoted, pos: value.pos, entries: tree.entries, items: tree.items}
}

// noLabel reports a text where the axis has numbers with labels: it must be a
// label misspelt.
func (l *loader) noLabel(a *axisDef, n *node) bool {
	labels := l.labels[a.path]
	_, number := parseNumber(n.text)
	if labels == nil || labels[n.text] != nil || number || looksLikeQuantity(n.text) || a.typ != Float && a.typ != Int {
		return false
	}
	l.out.add(n.pos, a.path, didYouMean(n.text, sortedKeys(labels)), "%s is no value or label of axis %s", quote(n.text), a.path)
	return true
}

// unlabelled returns the value of {label: name, value: ...}, and others as they
// are.
func unlabelled(n *node) *node {
	if tree := n.get("value"); tree != nil && n.get("label") != nil {
		return tree
	}
	return n
}

// padded returns the labels with empty ones for values that blocks have added.
func padded(labels []string, values int) []string {
	return append(labels, make([]string, values-len(labels))...)
}

// name notes the label of an axis' value, which must be the same in all blocks.
func (l *loader) name(a *Axis, v axisValue) {
	if v.label == "" {
		return
	}
	a.Labels = padded(a.Labels, len(a.Values))
	i, other := slices.Index(a.Values, v.value), slices.Index(a.Labels, v.label)
	switch {
	case a.Labels[i] != "" && a.Labels[i] != v.label:
		l.out.add(v.pos, a.Path, "use one label in all blocks", "%s has the labels %s and %s", v.value, quote(a.Labels[i]), quote(v.label))
	case other >= 0 && other != i:
		l.out.add(v.pos, a.Path, "use another label", "%s is the label of %s and of %s", quote(v.label), a.Values[other], v.value)
	default:
		a.Labels[i] = v.label
	}
}
