package manifest

import (
	"reflect"
	"slices"

	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// pin leaves of an axis the value that it lists, and of the axes zipped with it
// the values that go with that one: what stays is what the plan lists under the
// value. Blocks whose axis has not the value are cut whole, and so are blocks
// without an axis of sub-trees (trees), whose labels are no values to take.
// listed is false, and nothing changes, where no axis has the value.
func (l *overrides) pin(root *text.Node, path string, at text.Position, value *text.Node, trees bool) (out *text.Node, listed bool) {
	pinned, found := l.pinIn(root, root, path, at, value)
	if len(blocksOf(root)) == 0 {
		return pinned, found
	}
	var item *text.Node // the value as an axis has it
	for _, b := range blocksOf(root) {
		if items, at := l.lookIn(root, b, path, value); len(at) > 0 {
			item = items[at[0]]
		}
	}
	if item == nil {
		return root, false
	}
	out = eachBlock(root, func(b *text.Node) *text.Node {
		if pinned, found := l.pinIn(root, b, path, at, value); found {
			return pinned
		}
		if axisIn(root, b, path) == nil && !trees {
			return b
		}
		// The block stays, empty, for figures and claims may name its axes.
		b = l.narrow(root, b, path, at, []*text.Node{item}, []int{0})
		value := unlabelled(item) // as conditions call it
		if trees {
			value = item.Get("label")
		}
		return excluded(b, path, at, value)
	})
	if found {
		out = out.With("axes", root.Entry("axes").Pos, pinned.Get("axes"))
	}
	return out, true
}

func excluded(n *text.Node, path string, at text.Position, value *text.Node) *text.Node {
	cut := text.NewMap(at).With(path, at, value)
	return n.With("exclude", at, text.NewList(at, append([]*text.Node{cut}, n.Get("exclude").All()...)...))
}

func (l *overrides) pinIn(root, block *text.Node, path string, at text.Position, value *text.Node) (out *text.Node, found bool) {
	items, stands := l.lookIn(root, block, path, value)
	if len(stands) == 0 {
		return block, false
	}
	return l.narrow(root, block, path, at, numbered(items, stands), stands), true
}

func numbered(items []*text.Node, numbers []int) []*text.Node {
	return text.Each(numbers, func(k int) *text.Node { return items[k] })
}

// narrow gives the axis these items in a block, all of one value, and the axes
// zipped with it their values at the same position.
func (l *overrides) narrow(root, block *text.Node, path string, at text.Position, items []*text.Node, stands []int) *text.Node {
	only := func(b *text.Node, path string, items []*text.Node) *text.Node {
		where := at
		if e := b.Entry("axes"); e != nil {
			where = e.Pos
		}
		return b.With("axes", where, b.Get("axes").With(path, at, text.NewList(at, items...)))
	}
	out := only(block, path, items)
	for _, zip := range []*text.Node{root.Get("zip"), block.Get("zip")} {
		for _, group := range zip.All() {
			if !slices.Contains(group.Texts(), path) {
				continue
			}
			for _, other := range group.Items {
				if items := l.nodesOf(other.Text, axisIn(root, block, other.Text)); other.Text != path && slices.Max(stands) < len(items) {
					out = only(out, other.Text, numbered(items, stands))
				}
			}
		}
	}
	return out
}

// lookIn returns the values of the axis in a block, and the position of the one that is meant: the one of that label
// or, of plain values, the equal one. It is in several places only where the axis is zipped.
func (l *overrides) lookIn(root, block *text.Node, path string, value *text.Node) (items []*text.Node, stands []int) {
	axis := axisIn(root, block, path)
	if axis == nil || value.Shape != text.Scalar {
		return nil, nil
	}
	items = l.nodesOf(path, axis)
	trees := subtrees(l.cat, path, axis)
	for i, item := range items {
		if trees {
			if label := item.Get("label"); label != nil && label.Shape == text.Scalar && label.Text == value.Text {
				stands = append(stands, i)
			}
		} else if l.equal(path, unlabelled(item), value) {
			stands = append(stands, i)
		}
	}
	return items, stands
}

// equal reports whether two scalars are the same value of the field, however they
// are written.
func (l *overrides) equal(path string, x, y *text.Node) bool {
	if x.Shape != text.Scalar || y.Shape != text.Scalar {
		return false
	}
	if x.Text == y.Text && x.Quoted == y.Quoted {
		return true
	}
	fields := l.plainFields(path)
	if len(fields) == 0 { // the kind itself
		return x.Text == y.Text
	}
	for _, f := range fields {
		d := params.NewDecoder(&text.Sink{}, nil)
		read := func(n *text.Node) params.Value {
			into := reflect.New(f.Type).Elem()
			d.Scalar(n, f, into, path)
			return params.ValueOf(into)
		}
		if a, b := read(x), read(y); d.Out.Count == 0 {
			return a == b
		}
	}
	return false
}

// plainFields are the fields of that path that hold one value: kinds may have a
// list there.
func (l *overrides) plainFields(path string) []*params.Field {
	name, rel := SplitPath(path)
	s := l.cat.Section(name)
	if s == nil {
		return nil
	}
	return slices.DeleteFunc(params.FieldsAt(s.Kinds, rel), func(f *params.Field) bool { return !f.Scalar() })
}

// nodesOf returns the values of an axis before it is read, those of a range too.
// The reading of the axis reports mistakes.
func (l *overrides) nodesOf(path string, axis *text.Node) []*text.Node {
	if axis == nil || axis.Shape == text.List {
		return axis.All()
	}
	a := &BlockAxis{Labelled: subtrees(l.cat, path, axis), Type: params.String}
	fields := l.plainFields(path)
	if len(fields) > 0 {
		a.Type = fields[0].Column()
	}
	return axisNodes(params.NewDecoder(&text.Sink{}, nil), MaxAxis, text.Entry{Key: path, Pos: axis.Pos, Value: axis}, a, fields)
}

// axisIn returns the values of an axis in a block, whose own replace the root's.
func axisIn(root, block *text.Node, path string) *text.Node {
	if own := block.Get("axes").Get(path); own != nil {
		return own
	}
	return root.Get("axes").Get(path)
}

// replaceAxis gives the axis of that path a value which it did not list, and
// takes it out of zip groups, whose other axes identify the values without it.
func replaceAxis(n *text.Node, path string, at text.Position, value *text.Node) *text.Node {
	if n.Get("axes").Get(path) != nil {
		n = n.With("axes", n.Entry("axes").Pos, n.Get("axes").With(path, at, text.NewList(at, value)))
	}
	zip := n.Get("zip")
	if zip == nil || zip.Shape != text.List {
		return n
	}
	groups := text.NewList(zip.Pos)
	for _, g := range zip.Items {
		rest := text.NewList(g.Pos, slices.DeleteFunc(slices.Clone(g.Items), func(item *text.Node) bool { return item.Text == path })...)
		if len(rest.Items) == len(g.Items) {
			rest = g
		} else if n = withoutRepeats(n, rest.Items); len(rest.Items) < 2 {
			continue
		}
		groups.Items = append(groups.Items, rest)
	}
	if len(groups.Items) == 0 {
		groups = nil
	}
	return n.With("zip", n.Entry("zip").Pos, groups)
}

// withoutRepeats keeps the first of equal combinations of values on axes.
func withoutRepeats(n *text.Node, paths []*text.Node) *text.Node {
	axes, size := n.Get("axes"), -1
	for _, path := range paths {
		values := len(axes.Get(path.Text).All())
		if size >= 0 && values != size || values == 0 { // a range repeats nothing
			return n
		}
		size = values
	}
	var first []int
	seen := map[string]bool{}
	for k := range size {
		together := text.NewList(n.Pos, text.Each(paths, func(path *text.Node) *text.Node { return axes.Get(path.Text).Items[k] })...)
		if written := string(text.Emit(together)); !seen[written] {
			seen[written] = true
			first = append(first, k)
		}
	}
	for _, path := range paths {
		e := axes.Entry(path.Text)
		axes = axes.With(path.Text, e.Pos, text.NewList(e.Value.Pos, numbered(e.Value.Items, first)...))
	}
	if axes == nil {
		return n
	}
	return n.With("axes", n.Entry("axes").Pos, axes)
}
