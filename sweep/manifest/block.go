package manifest

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

const MaxAxes = 64

// Block is one sub-sweep: base sections, axes, how they combine, and cuts.
type Block struct {
	Pos text.Position
	// Replications is that of the block's points.
	Replications int
	base         []*text.Node // by section; an absent section is an empty map
	Axes         []*BlockAxis
	Dims         []Dim // the product runs over these, the first slowest
	Whens        []When
	Excludes     [][]Condition // every condition of one list must hold to cut
	order        []*BlockAxis  // axes in the order in which values are put in place
}

// Dim is one axis, or a zipped group of axes that move together.
type Dim struct {
	Axes []int // indices into block.axes
	Size int
}

// When varies an axis only where all conditions hold; elsewhere the axis has
// the digit of the base.
type When struct {
	Axis  int
	pos   text.Position
	Conds []Condition
}

// block reads a sub-sweep. The root's axes, zips, excludes and whens hold in
// every block; over is the block's own node, or nil when the manifest has no
// blocks.
func (l *Layout) block(root, over *text.Node) *Block {
	b := &Block{Pos: root.Pos, Replications: l.Replications}
	if over != nil {
		b.Pos = over.Pos
		l.Out.Keys(over, "a block", append(l.Catalog.Names(), "name", "replications", "axes", "zip", "exclude", "when"))
		if n := over.Get("replications"); n != nil {
			b.Replications = l.replicationsOf(n)
		}
		if n := over.Get("name"); n != nil {
			l.Decoder.Scalar(n, &params.Field{Name: "name"}, reflect.New(reflect.TypeFor[string]()).Elem(), "name")
		}
	}
	empty := text.NewMap(b.Pos)
	for _, s := range l.Catalog.Sections {
		base := root.Get(s.Name)
		if own := over.Get(s.Name); own != nil {
			if own.Shape != text.Map {
				l.Out.Add(own.Pos, "write its fields as key: value", "%s is %s; want a map", s.Name, own.What())
				own = empty
			}
			base = merge(base, own, false)
		}
		if base == nil || base.Shape != text.Map {
			base = empty
			if n := root.Get(s.Name); n != nil {
				base = text.NewMap(n.Pos)
				if n.Shape == text.Scalar && !n.IsNull() && !s.Single {
					base = base.With(params.KindKey, n.Pos, n) // as it was meant
				}
			}
		}
		b.base = append(b.base, base)
	}
	l.blockAxes(b, root, over)
	l.elements(b)
	l.zips(b, root.Get("zip"), over.Get("zip"))
	b.order = slices.Clone(b.Axes)
	// A sub-tree is put in place before the fields below it are varied.
	slices.SortStableFunc(b.order, func(x, y *BlockAxis) int { return len(x.Rel) - len(y.Rel) })
	// What is cut in all blocks may name values that only some blocks have.
	strict := over == nil
	whens := l.whens(b, root.Get("when"), nil, strict)
	l.excludes(b, root.Get("exclude"), strict)
	l.settle(b, l.whens(b, over.Get("when"), whens, true))
	l.excludes(b, over.Get("exclude"), true)
	return b
}

// blockAxes reads the axes of the root and then those of the block, which
// replace axes of the same path.
func (l *Layout) blockAxes(b *Block, root, over *text.Node) {
	shared, own := l.Out.Mapping(root.Get("axes"), "axes"), l.Out.Mapping(over.Get("axes"), "axes")
	read := func(e text.Entry) {
		before := l.Out.Count
		zipped := func(group *text.Node) bool { return slices.Contains(group.Texts(), e.Key) }
		a := l.axis(e, slices.ContainsFunc(root.Get("zip").All(), zipped) || slices.ContainsFunc(over.Get("zip").All(), zipped))
		if a == nil || before != l.Out.Count {
			l.Broken[e.Key] = true
			return
		}
		b.Axes = append(b.Axes, a)
	}
	for _, e := range shared {
		if e2 := over.Get("axes").Entry(e.Key); e2 != nil {
			read(*e2)
			continue
		}
		if n := over.Find(strings.Split(e.Key, ".")); n != nil {
			l.Out.Add(n.Pos, "give the block its own values under axes:", "%s is an axis of all blocks, so its value here has no effect", e.Key)
		}
		read(e)
	}
	for _, e := range own {
		if root.Get("axes").Entry(e.Key) == nil {
			read(e)
		}
	}
}

// elements reports axes over elements of lists that the block does not have.
func (l *Layout) elements(b *Block) {
	for _, a := range b.Axes {
		for n, part := range a.Rel {
			if _, _, element := text.Element(part); !element {
				continue
			}
			missing := b.base[a.Section.Index].Find(a.Rel[:n+1]) == nil
			for _, over := range b.Axes {
				if over != a && over.Section == a.Section && above(over.Rel, a.Rel) {
					lacks := func(v BlockValue) bool {
						return (*text.Node)(nil).Replace(over.Rel, v.pos, v.Tree).Find(a.Rel[:n+1]) == nil
					}
					missing = slices.ContainsFunc(over.Values, lacks)
				}
			}
			if missing {
				l.Broken[a.Path] = true // reports nothing that is missing in the element
				l.Out.Add(a.Pos, "elements count from 0; an axis varies those of a list that the manifest has", "there is no element %s.%s",
					a.Section.Name, strings.Join(a.Rel[:n+1], "."))
			}
		}
	}
}

func (b *Block) axisIndex(path string) int {
	return slices.IndexFunc(b.Axes, func(a *BlockAxis) bool { return a.Path == path })
}

func (b *Block) axisPaths() []string {
	return text.Each(b.Axes, func(a *BlockAxis) string { return a.Path })
}

// zips joins axes into dimensions: a group takes the place of its first axis.
func (l *Layout) zips(b *Block, nodes ...*text.Node) {
	group := make([]int, len(b.Axes)) // 0 for none
	count := 0
	for _, n := range nodes {
		for _, g := range l.Out.List(n, "zip") {
			count++
			if g.Shape != text.List || len(g.Items) < 2 {
				l.Out.Add(g.Pos, "write - [first.path, second.path]", "a zip group is %s; want a list of two axes or more", g.What())
				continue
			}
			first := -1
			for _, item := range g.Items {
				i := b.axisIndex(item.Text)
				switch {
				case item.Shape != text.Scalar:
					l.Out.Add(item.Pos, "", "%s is no path of an axis", item.What())
				case i < 0 && l.Broken[item.Text]:
					// The axis itself has been reported.
				case i < 0:
					l.Out.Add(item.Pos, text.DidYouMean(item.Text, b.axisPaths()), "%s is no axis", text.Quote(item.Text))
				case group[i] != 0:
					l.Out.Add(item.Pos, "", "axis %s is zipped twice", item.Text)
				default:
					group[i] = count
					if first < 0 {
						first = i
					} else if x, y := len(b.Axes[first].Values), len(b.Axes[i].Values); x != y {
						l.Out.Add(item.Pos, "zipped axes need as many values as one another", "%s has %s, %s has %d", b.Axes[first].Path,
							text.Counted(x, "value"), b.Axes[i].Path, y)
					}
				}
			}
		}
	}
	at := map[int]int{}
	for i, a := range b.Axes {
		if g := group[i]; g != 0 {
			if d, ok := at[g]; ok {
				b.Dims[d].Axes = append(b.Dims[d].Axes, i)
				b.Dims[d].Size = min(b.Dims[d].Size, len(a.Values))
				continue
			}
			at[g] = len(b.Dims)
		}
		b.Dims = append(b.Dims, Dim{Axes: []int{i}, Size: len(a.Values)})
	}
	for _, d := range b.Dims {
		l.noRepeats(b, d)
	}
}

func (l *Layout) noRepeats(b *Block, d Dim) {
	if len(d.Axes) < 2 {
		return
	}
	first := map[string]int{}
	for k := range d.Size {
		together := ""
		for _, i := range d.Axes {
			together += strconv.Quote(b.Axes[i].Values[k].Value.String())
		}
		if was, twice := first[together]; twice {
			l.Out.Add(b.Axes[d.Axes[0]].Values[k].pos, "", "the axes zipped with %s have values %d and %d alike", b.Axes[d.Axes[0]].Path, was+1, k+1)
		}
		first[together] = k
	}
}

// Place returns the block's section with the digits' values in place. The digit len(values) means the base, and so does
// -1.
func (b *Block) Place(section int, digit func(axis *BlockAxis) int) *text.Node {
	n := b.base[section]
	for _, a := range b.order {
		if a.Section.Index != section {
			continue
		}
		if d := digit(a); d >= 0 && d < len(a.Values) {
			n = n.Replace(a.Rel, a.Values[d].pos, a.Values[d].Tree)
		}
	}
	return n
}

func (l *Layout) readBlocks() []*Block {
	root := l.Root
	for _, s := range l.Catalog.Sections {
		if n := root.Get(s.Name); n != nil && n.Shape != text.Map && !n.IsNull() {
			hint := "write its fields as key: value"
			if n.Shape == text.Scalar && s.Kind(n.Text) != nil {
				hint = "write " + s.Name + ": {" + params.KindKey + ": " + n.Text + "}"
			} else if strings.HasSuffix(strings.TrimSuffix(n.Text, ".gz"), ".swf") && s.Kind("swf") != nil {
				hint = "write " + s.Name + ": {" + params.KindKey + ": swf, path: " + n.Text + "}"
			}
			l.Out.Add(n.Pos, hint, "%s is %s; want a map", s.Name, n.What())
		}
	}
	var out []*Block
	n := root.Get("blocks")
	if n == nil || n.IsNull() {
		out = append(out, l.block(root, nil))
	} else {
		for _, item := range l.Out.List(n, "blocks") {
			if item.Shape != text.Map {
				l.Out.Add(item.Pos, "", "a block is %s; want a map", item.What())
				continue
			}
			out = append(out, l.block(root, item))
		}
		if n.Shape == text.List && len(n.Items) == 0 {
			l.Out.Add(n.Pos, "remove it, or give it blocks", "blocks is empty")
		}
	}
	for _, b := range out {
		if len(b.Axes) > MaxAxes {
			l.Out.Add(b.Pos, "", "%d axes, more than %d", len(b.Axes), MaxAxes)
		}
		l.checkBase(b)
	}
	return out
}

// checkBase checks the values in the base sections, whether or not an
// axis replaces it.
func (l *Layout) checkBase(b *Block) {
	for i, s := range l.Catalog.Sections {
		kind, play := l.Decoder.KindOf(b.base[i], s, true), l.play[i]
		if kind == nil && b.base[i].Get(params.KindKey) == nil && !l.open[i] {
			kind = play[0]
		}
		if l.pinned[i] {
			play = s.Kinds
		}
		if kind != nil {
			l.Decoder.Partial(b.base[i], s, kind, play)
		}
	}
}

func blocksOf(root *text.Node) []*text.Node { return root.Get("blocks").All() }

func withBlocks(root *text.Node) []*text.Node { return append([]*text.Node{root}, blocksOf(root)...) }

func eachBlock(root *text.Node, change func(b *text.Node) *text.Node) *text.Node {
	blocks := root.Get("blocks")
	if blocks == nil || blocks.Shape != text.List {
		return root
	}
	changed := blocks.Changed(func(_ string, b *text.Node) *text.Node { return change(b) })
	return root.With("blocks", root.Entry("blocks").Pos, changed)
}
