package sweep

import (
	"reflect"
	"slices"
)

// pin leaves of an axis the value that it lists, and of the axes zipped with it
// the values that go with that one: what stays is what the plan lists under the
// value. Blocks whose axis has not the value are cut whole, and so are blocks
// without an axis of sub-trees (trees), whose labels are no values to take.
// listed is false, and nothing changes, where no axis has the value.
func (l *overrides) pin(root *node, path string, at position, value *node, trees bool) (out *node, listed bool) {
	pinned, found := l.pinIn(root, root, path, at, value)
	if len(blocksOf(root)) == 0 {
		return pinned, found
	}
	var item *node // the value as an axis has it
	for _, b := range blocksOf(root) {
		if items, k := l.lookIn(root, b, path, value); k >= 0 {
			item = items[k]
		}
	}
	if item == nil {
		return root, false
	}
	out = eachBlock(root, func(b *node) *node {
		if pinned, found := l.pinIn(root, b, path, at, value); found {
			return pinned
		}
		if axisIn(root, b, path) == nil && !trees {
			return b
		}
		// The block stays, empty, for figures and claims may name its axes.
		b = l.narrow(root, b, path, at, item, 0)
		cut := &node{shape: mapNode, pos: at, entries: []entry{{path, at, valueOrLabel(item, trees)}}}
		all := &node{shape: listNode, pos: at, items: []*node{cut}}
		if was := b.get("exclude"); was != nil {
			all.items = append(all.items, was.items...)
		}
		return b.with("exclude", at, all)
	})
	if found {
		out = out.with("axes", root.entry("axes").pos, pinned.get("axes"))
	}
	return out, true
}

// valueOrLabel is what conditions call a value of an axis.
func valueOrLabel(item *node, trees bool) *node {
	if trees {
		return item.get("label")
	}
	return unlabelled(item)
}

// pinIn pins the axis in one block, or in a root that is its own block.
func (l *overrides) pinIn(root, block *node, path string, at position, value *node) (out *node, found bool) {
	items, k := l.lookIn(root, block, path, value)
	if k < 0 {
		return block, false
	}
	return l.narrow(root, block, path, at, items[k], k), true
}

// narrow gives the axis one value in a block, and the axes zipped with it their
// value number k.
func (l *overrides) narrow(root, block *node, path string, at position, item *node, k int) *node {
	only := func(b *node, path string, item *node) *node {
		one := &node{shape: listNode, pos: at, items: []*node{item}}
		where := at
		if e := b.entry("axes"); e != nil {
			where = e.pos
		}
		return b.with("axes", where, b.get("axes").with(path, at, one))
	}
	out := only(block, path, item)
	for _, zip := range []*node{root.get("zip"), block.get("zip")} {
		for _, group := range itemsOf(zip) {
			if !mentions(group, path) {
				continue
			}
			for _, other := range group.items {
				if items := l.nodesOf(other.text, axisIn(root, block, other.text)); other.text != path && k < len(items) {
					out = only(out, other.text, items[k])
				}
			}
		}
	}
	return out
}

// lookIn returns the values of the axis in a block, and which of them is meant:
// the one of that label or, of plain values, the equal one; -1 for none.
func (l *overrides) lookIn(root, block *node, path string, value *node) (items []*node, k int) {
	axis := axisIn(root, block, path)
	if axis == nil || value.shape != scalarNode {
		return nil, -1
	}
	items = l.nodesOf(path, axis)
	trees := subtrees(l.cat, path, axis)
	for i, item := range items {
		if trees {
			if label := item.get("label"); label != nil && label.shape == scalarNode && label.text == value.text {
				return items, i
			}
		} else if l.equal(path, unlabelled(item), value) {
			return items, i
		}
	}
	return items, -1
}

// equal tells whether two scalars are the same value of the field, however they
// are written.
func (l *overrides) equal(path string, x, y *node) bool {
	if x.shape != scalarNode || y.shape != scalarNode {
		return false
	}
	if x.text == y.text && x.quoted == y.quoted {
		return true
	}
	fields := l.plainFields(path)
	if len(fields) == 0 { // the kind itself
		return x.text == y.text
	}
	for _, f := range fields {
		d := newDecoder(&sink{}, nil)
		read := func(n *node) Value {
			into := reflect.New(f.typ).Elem()
			d.scalar(n, f, into, path)
			return valueOf(into)
		}
		if a, b := read(x), read(y); d.out.count == 0 {
			return a == b
		}
	}
	return false
}

// plainFields are the fields of that path that hold one value: kinds may have a
// list there.
func (l *overrides) plainFields(path string) []*fieldInfo {
	name, rel := splitPath(path)
	s := l.cat.section(name)
	if s == nil {
		return nil
	}
	return slices.DeleteFunc(fieldsAt(s.kinds, rel), func(f *fieldInfo) bool { return !f.scalar() })
}

// nodesOf returns the values of an axis before it is read, those of a range too;
// what is wrong with it is reported when it is read.
func (l *overrides) nodesOf(path string, axis *node) []*node {
	if axis == nil || axis.shape == listNode {
		return itemsOf(axis)
	}
	a := &axisDef{labelled: subtrees(l.cat, path, axis), typ: String}
	fields := l.plainFields(path)
	if len(fields) > 0 {
		a.typ = fields[0].column()
	}
	return axisNodes(newDecoder(&sink{}, nil), entry{path, axis.pos, axis}, a, fields)
}

// axisIn returns the values of an axis in a block, whose own replace the root's.
func axisIn(root, block *node, path string) *node {
	if own := block.get("axes").get(path); own != nil {
		return own
	}
	return root.get("axes").get(path)
}

// itemsOf returns the items of a list, or nothing where there is none.
func itemsOf(n *node) []*node {
	if n == nil || n.shape != listNode {
		return nil
	}
	return n.items
}

// mentions tells whether a list has the text.
func mentions(list *node, text string) bool {
	for _, item := range itemsOf(list) {
		if item.text == text {
			return true
		}
	}
	return false
}

// replaceAxis gives the axis of that path a value which it did not list, and
// takes it out of zip groups.
func replaceAxis(n *node, path string, at position, value *node) *node {
	if n.get("axes").get(path) != nil {
		one := &node{shape: listNode, pos: at, items: []*node{value}}
		n = n.with("axes", n.entry("axes").pos, n.get("axes").with(path, at, one))
	}
	zip := n.get("zip")
	if zip == nil || zip.shape != listNode {
		return n
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
	return n.with("zip", n.entry("zip").pos, groups)
}
