package sweep

import (
	"reflect"
	"slices"
	"strings"
)

// maxAxes bounds the axes of a block.
const maxAxes = 64

// block is one sub-sweep: base sections, axes, how they combine, what is cut.
type block struct {
	pos position
	// replications is that of the block's points.
	replications int
	base         []*node // by section; an absent section is an empty map
	axes         []*axisDef
	dims         []dim // the product runs over these, the first slowest
	whens        []when
	excludes     [][]condition // every condition of one list must hold to cut
	order        []*axisDef    // axes in the order in which values are put in place
}

// dim is one axis, or a zipped group of axes that move together.
type dim struct {
	axes []int // indices into block.axes
	size int
}

// when varies an axis only where all conditions hold; elsewhere the axis has
// the digit of the base.
type when struct {
	axis  int
	pos   position
	conds []condition
}

// block reads a sub-sweep. The root's axes, zips, excludes and whens hold in
// every block; over is the block's own node, or nil when the manifest has no
// blocks.
func (l *layout) block(root, over *node) *block {
	b := &block{pos: root.pos, replications: l.replications}
	if over != nil {
		b.pos = over.pos
		l.out.keys(over, "a block", append(l.cat.names(), "name", "replications", "axes", "zip", "exclude", "when"))
		if n := over.get("replications"); n != nil {
			b.replications = l.replicationsOf(n)
		}
		if n := over.get("name"); n != nil {
			l.dec.scalar(n, &fieldInfo{name: "name"}, reflect.New(reflect.TypeFor[string]()).Elem(), "name")
		}
	}
	empty := &node{shape: mapNode, pos: b.pos}
	for _, s := range l.cat.sections {
		base := root.get(s.name)
		if own := over.get(s.name); own != nil {
			if own.shape != mapNode {
				l.out.add(own.pos, s.name, "write its fields as key: value", "%s is %s; want a map", s.name, own.what())
				own = empty
			}
			base = merge(base, own)
		}
		if base == nil || base.shape != mapNode {
			base = empty
			if n := root.get(s.name); n != nil {
				base = &node{shape: mapNode, pos: n.pos}
			}
		}
		b.base = append(b.base, base)
	}
	l.blockAxes(b, root, over)
	l.zips(b, root.get("zip"), over.get("zip"))
	b.order = slices.Clone(b.axes)
	// A sub-tree is put in place before the fields below it are varied.
	slices.SortStableFunc(b.order, func(x, y *axisDef) int { return len(x.rel) - len(y.rel) })
	// What is cut in all blocks may name values that only some blocks have.
	strict := over == nil
	whens := l.whens(b, root.get("when"), nil, strict)
	l.excludes(b, root.get("exclude"), strict)
	l.settle(b, l.whens(b, over.get("when"), whens, true))
	l.excludes(b, over.get("exclude"), true)
	return b
}

// blockAxes reads the axes of the root and then those of the block, which
// replace axes of the same path.
func (l *layout) blockAxes(b *block, root, over *node) {
	shared, own := l.out.mapping(root.get("axes"), "axes"), l.out.mapping(over.get("axes"), "axes")
	read := func(e entry) {
		before := l.out.count
		a := l.axis(e)
		if a == nil || before != l.out.count {
			l.broken[e.key] = true
			return
		}
		b.axes = append(b.axes, a)
	}
	for _, e := range shared {
		if e2 := over.get("axes").entry(e.key); e2 != nil {
			read(*e2)
			continue
		}
		segs := strings.Split(e.key, ".")
		if n := over.find(segs); n != nil {
			l.out.add(n.pos, e.key, "give the block its own values under axes:", "%s is an axis of all blocks, so its value here has no effect", e.key)
		}
		read(e)
	}
	for _, e := range own {
		if root.get("axes").entry(e.key) == nil {
			read(e)
		}
	}
}

// axisIndex returns the block's axis of that path, or -1.
func (b *block) axisIndex(path string) int {
	return slices.IndexFunc(b.axes, func(a *axisDef) bool { return a.path == path })
}

// axisPaths returns the paths of the block's axes.
func (b *block) axisPaths() []string {
	var out []string
	for _, a := range b.axes {
		out = append(out, a.path)
	}
	return out
}

// zips joins axes into dimensions: a group stands where its first axis stood.
func (l *layout) zips(b *block, nodes ...*node) {
	group := make([]int, len(b.axes)) // 0 for none
	count := 0
	for _, n := range nodes {
		for _, g := range l.out.list(n, "zip") {
			count++
			if g.shape != listNode || len(g.items) < 2 {
				l.out.add(g.pos, "zip", "write - [first.path, second.path]", "a zip group is %s; want a list of two axes or more", g.what())
				continue
			}
			first := -1
			for _, item := range g.items {
				i := b.axisIndex(item.text)
				switch {
				case item.shape != scalarNode:
					l.out.add(item.pos, "zip", "", "%s is no path of an axis", item.what())
				case i < 0 && l.broken[item.text]:
					// The axis itself has been reported.
				case i < 0:
					l.out.add(item.pos, "zip", didYouMean(item.text, b.axisPaths()), "%s is no axis", quote(item.text))
				case group[i] != 0:
					l.out.add(item.pos, "zip", "", "axis %s is zipped twice", item.text)
				default:
					group[i] = count
					if first < 0 {
						first = i
					} else if x, y := len(b.axes[first].values), len(b.axes[i].values); x != y {
						l.out.add(item.pos, "zip", "zipped axes need as many values as one another", "%s has %d values, %s has %d", b.axes[first].path, x, b.axes[i].path, y)
					}
				}
			}
		}
	}
	at := map[int]int{}
	for i, a := range b.axes {
		if g := group[i]; g != 0 {
			if d, ok := at[g]; ok {
				b.dims[d].axes = append(b.dims[d].axes, i)
				b.dims[d].size = min(b.dims[d].size, len(a.values))
				continue
			}
			at[g] = len(b.dims)
		}
		b.dims = append(b.dims, dim{axes: []int{i}, size: len(a.values)})
	}
}

// place returns the block's section with the digits' values in place. The
// digit len(values) stands for the base, and so does -1.
func (b *block) place(section int, digit func(axis *axisDef) int) *node {
	n := b.base[section]
	for _, a := range b.order {
		if a.section.index != section {
			continue
		}
		if d := digit(a); d >= 0 && d < len(a.values) {
			n = n.replace(a.rel, a.values[d].pos, a.values[d].tree)
		}
	}
	return n
}

// readBlocks reads the sub-sweeps; a manifest without blocks is one.
func (l *layout) readBlocks() []*block {
	root := l.root
	for _, s := range l.cat.sections {
		if n := root.get(s.name); n != nil && n.shape != mapNode && !n.isNull() {
			l.out.add(n.pos, s.name, "write its fields as key: value", "%s is %s; want a map", s.name, n.what())
		}
	}
	var out []*block
	n := root.get("blocks")
	if n == nil || n.isNull() {
		out = append(out, l.block(root, nil))
	} else {
		for _, item := range l.out.list(n, "blocks") {
			if item.shape != mapNode {
				l.out.add(item.pos, "blocks", "", "a block is %s; want a map", item.what())
				continue
			}
			out = append(out, l.block(root, item))
		}
		if n.shape == listNode && len(n.items) == 0 {
			l.out.add(n.pos, "blocks", "remove it, or give it blocks", "blocks is empty")
		}
	}
	for _, b := range out {
		if len(b.axes) > maxAxes {
			l.out.add(b.pos, "axes", "", "%d axes, more than %d", len(b.axes), maxAxes)
		}
		l.checkBase(b)
	}
	return out
}

// checkBase checks what is written in the base sections, whether or not an
// axis replaces it.
func (l *layout) checkBase(b *block) {
	for i, s := range l.cat.sections {
		kind, play := l.dec.kindOf(b.base[i], s, true), l.play[i]
		if kind == nil && b.base[i].get(kindKey) == nil && len(play) > 0 {
			kind = play[0]
		}
		if l.pinned[i] {
			play = s.kinds
		}
		if kind != nil {
			l.dec.piece(b.base[i], s, kind, play)
		}
	}
}

// blocksOf returns the block nodes of a manifest.
func blocksOf(root *node) []*node {
	if blocks := root.get("blocks"); blocks != nil {
		return blocks.items
	}
	return nil
}

// eachBlock changes the blocks of a manifest.
func eachBlock(root *node, change func(b *node) *node) *node {
	blocks := root.get("blocks")
	if blocks == nil || blocks.shape != listNode {
		return root
	}
	changed := &node{shape: listNode, pos: blocks.pos}
	for _, b := range blocks.items {
		changed.items = append(changed.items, change(b))
	}
	return root.with("blocks", root.entry("blocks").pos, changed)
}
