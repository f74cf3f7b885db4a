package sweep

import (
	"slices"

	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

const (
	maxStored   = 1 << 16 // variants of a section in a block that are kept decoded
	maxVariants = 1 << 20 // variants of a section in a block at all
	maxLen      = 1_000_000_000
	maxFiltered = 1 << 27 // points of a sweep with cuts or repeats, which are looked at one by one
)

// variantTable holds the variants of one section in one block, by the digits of the axes that touch it. Up to maxStored
// are decoded once and shared; beyond, they are decoded on demand, so that memory stays flat.
type variantTable struct {
	section *params.SectionInfo
	block   *block
	slots   []slot
	size    int
	stored  []*variant // nil where no point uses the variant; empty when not stored
	dec     *params.Decoder
	like    *params.Pattern // nil where variants differ in more than plain values
	columns [][]string      // paths below the section of the plan's columns that touch it
	types   []params.ColumnType
	whole   func(*variant) *variant // of logs themselves: the variant in place of that of its digits; nil for the latter
}

type variant struct {
	*params.Resolved
	values []params.Value // one for every column that touches the section
}

// slot is one digit of a variant's number: an axis, or the axes of a zipped
// group that touch the section.
type slot struct {
	axes []int
	size int
}

func (l *planner) newVariantTable(b *block, s *params.SectionInfo) *variantTable {
	t := &variantTable{section: s, block: b, size: 1}
	for _, d := range b.Dims {
		joint := slot{size: d.Size}
		for _, i := range d.Axes {
			if b.Axes[i].Section != s {
				continue
			}
			if slices.ContainsFunc(b.Whens, func(w manifest.When) bool { return w.Axis == i }) {
				t.slots = append(t.slots, slot{[]int{i}, d.Size + 1})
				continue
			}
			joint.axes = append(joint.axes, i)
		}
		if len(joint.axes) > 0 {
			t.slots = append(t.slots, joint)
		}
	}
	for _, sl := range t.slots {
		if t.size *= sl.size; t.size > l.limits.Variants {
			l.Out.Add(b.Pos, "move axes to other sections or use fewer values", "section %s has more than %d variants", s.Name, l.limits.Variants)
			return nil
		}
	}
	return t
}

func (t *variantTable) number(digits []int) int {
	at := 0
	for _, s := range t.slots {
		at = at*s.size + digits[s.axes[0]]
	}
	return at
}

func (t *variantTable) decode(d *params.Decoder, at int) *variant {
	var digits [manifest.MaxAxes]int
	for i := len(t.slots) - 1; i >= 0; i-- {
		for _, a := range t.slots[i].axes {
			digits[a] = at % t.slots[i].size
		}
		at /= t.slots[i].size
	}
	r := t.exchanged(d, digits[:])
	if r == nil {
		n := t.block.Place(t.section.Index, func(a *manifest.BlockAxis) int { return digits[slices.Index(t.block.Axes, a)] })
		if r = d.Section(n, t.section); r == nil {
			return nil
		}
	}
	return t.valued(r)
}

// valued is the variant with the values of the table's columns.
func (t *variantTable) valued(r *params.Resolved) *variant {
	out := &variant{r, make([]params.Value, len(t.columns))}
	for i, rel := range t.columns {
		v, ok := r.Value(rel)
		if !ok {
			v = params.Value{Null: true}
		}
		out.values[i] = v.As(t.types[i])
	}
	return out
}

// varied returns the axes of the block that touch the section.
func (t *variantTable) varied() (axes []int, paths [][]string) {
	for _, s := range t.slots {
		for _, a := range s.axes {
			axes, paths = append(axes, a), append(paths, t.block.Axes[a].Rel)
		}
	}
	return axes, paths
}

// exchanged makes the variant from the table's pattern; it returns nil where that cannot be, as where an axis is at the
// base.
func (t *variantTable) exchanged(d *params.Decoder, digits []int) *params.Resolved {
	if t.like == nil {
		return nil
	}
	axes, _ := t.varied()
	trees := make([]*text.Node, len(axes))
	for i, a := range axes {
		values := t.block.Axes[a].Values
		if digits[a] >= len(values) {
			return nil
		}
		trees[i] = values[digits[a]].Tree
	}
	return t.like.Variant(d, trees)
}

// get returns variant number at. It is safe for concurrent use.
func (t *variantTable) get(at int) *variant {
	if len(t.stored) > 0 {
		return t.stored[at]
	}
	v := t.decode(t.dec.Trial(), at)
	if t.whole != nil {
		v = t.whole(v)
	}
	return v
}

// census gives every distinct variant of a section a number, over all blocks.
type census struct {
	ids      []map[[32]byte]int32 // by section
	repeated bool                 // two variants of one block have one hash
}

func (c *census) id(section int, r *variant) int32 {
	id, ok := c.ids[section][r.Hash]
	if !ok {
		id = int32(len(c.ids[section]))
		c.ids[section][r.Hash] = id
	}
	return id
}

// fill decodes and checks the variants that points use; used is nil for all.
func (t *variantTable) fill(l *planner, used []bool, c *census) {
	t.dec = l.Decoder
	keep := t.size <= maxStored
	if keep {
		t.stored = make([]*variant, t.size)
	}
	seen := make(map[int32]bool, min(t.size, maxStored))
	for at := range t.size {
		if used != nil && !used[at] {
			continue
		}
		r := t.decode(l.Decoder, at)
		if r == nil {
			continue
		}
		id := c.id(t.section.Index, r)
		c.repeated = c.repeated || seen[id]
		seen[id] = true
		if len(seen) == 1 && t.like == nil {
			_, paths := t.varied()
			t.like = l.Decoder.Pattern(r.Resolved, paths)
		}
		if keep {
			t.stored[at] = r
		}
	}
}
