package sweep

import (
	"maps"
	"reflect"
	"slices"
)

// labels are what the labels of plain values stand for, by the path of their axis.
type labels map[string]map[string]*node

// note adds those of a manifest, wherever an axis gives them. It is asked before
// and after --set, which may take a label's value off.
func (l labels) note(cat *catalog, root *node) {
	for _, n := range append([]*node{root}, blocksOf(root)...) {
		axes := n.get("axes")
		if axes == nil {
			continue
		}
		for _, e := range axes.entries {
			if subtrees(cat, e.key, e.value) {
				continue
			}
			for _, item := range e.value.items {
				label, tree := item.get("label"), unlabelled(item)
				if tree == item || label.shape != scalarNode {
					continue
				}
				if l[e.key] == nil {
					l[e.key] = map[string]*node{}
				}
				l[e.key][label.text] = tree
			}
		}
	}
}

// meant returns the plain value that a label of the axis stands for, at the
// label's place, or the value itself.
func (l labels) meant(path string, value *node) *node {
	tree := l[path][value.text]
	if value.shape != scalarNode || tree == nil {
		return value
	}
	return &node{shape: tree.shape, text: tree.text, quoted: tree.quoted, pos: value.pos, entries: tree.entries, items: tree.items}
}

// items puts labelled values in the place of their labels in a list of values.
func (l labels) items(path string, list *node) *node {
	if list.shape != listNode || l[path] == nil {
		return list
	}
	out := *list
	out.items = slices.Clone(list.items)
	for i, item := range out.items {
		if tree := l.meant(path, item); tree != item {
			out.items[i] = &node{shape: mapNode, pos: item.pos, entries: []entry{{"label", item.pos, item}, {"value", item.pos, tree}}}
		}
	}
	return &out
}

// noLabel reports a text where the axis has numbers with labels: it must be a
// label misspelt.
func (l *layout) noLabel(a *axisDef, n *node) bool {
	labels := l.labels[a.path]
	_, number := parseNumber(n.text)
	if labels == nil || labels[n.text] != nil || number || looksLikeQuantity(n.text) || a.typ != Float && a.typ != Int {
		return false
	}
	l.out.add(n.pos, a.path, didYouMean(n.text, slices.Sorted(maps.Keys(labels))), "%s is no value or label of axis %s", quote(n.text), a.path)
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
func (l *layout) name(a *Axis, v axisValue) {
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

// anotherValue reports a label that would also be read as a value of the axis,
// but not the one that it stands for: a condition could mean either. A text
// without a list of values is any text; those are compared by unmistakable.
func (l *layout) anotherValue(v axisValue, a *axisDef, fields []*fieldInfo, at position) {
	label := &node{shape: scalarNode, text: v.label, pos: at}
	d := l.dec.quiet()
	var other Value
	switch {
	case len(fields) == 0:
		if a.section.kind(v.label) == nil {
			return
		}
		other = Value{Kind: String, S: v.label}
	case a.typ == String && len(fields[0].enum) == 0:
		return
	default:
		into := reflect.New(fields[0].typ).Elem()
		d.scalar(label, fields[0], into, a.path)
		if d.out.count > 0 {
			return
		}
		other = valueOf(into).as(a.typ)
	}
	if other != v.value {
		l.out.add(at, a.path, "write another word", "the label %s of %s is another value of %s", quote(v.label), v.value, a.path)
	}
}

// unmistakable reports labels that are texts which the column holds as well.
func (l *layout) unmistakable() {
	for i, axis := range l.axes {
		if axis.Labels == nil || axis.Type != String {
			continue
		}
		held := slices.Clone(axis.Values)
		a := l.axisDefOf(i)
		for _, b := range l.blocks {
			held = append(held, b.axisBase(a, l))
		}
		for _, b := range l.blocks {
			for _, d := range b.axes {
				for _, v := range d.values {
					text := Value{Kind: String, S: v.label}
					if d.path == axis.Path && v.label != "" && v.value != text && slices.Contains(held, text) {
						l.out.add(v.pos, axis.Path, "write another word", "the label %s of %s is another value of %s", quote(v.label), v.value, axis.Path)
					}
				}
			}
		}
	}
}
