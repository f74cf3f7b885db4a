package manifest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// Condition says of a point whether a path has one of some values there. It is
// tabulated over the digits of the few axes that can matter.
type Condition struct {
	axes  []int
	sizes []int
	table []bool
}

// Holds looks the point's digits up.
func (c *Condition) Holds(digits []int) bool {
	at := 0
	for i, a := range c.axes {
		at = at*c.sizes[i] + digits[a]
	}
	return c.table[at]
}

const maxTable = 1 << 17

// condition reads path: value, path: [values], or path: {not: ...} of either, which
// holds where the path has another value, and not where it has none; strict
// conditions name values that the axis has here.
func (l *Layout) condition(b *Block, e text.Entry, strict bool) (Condition, bool) {
	var c Condition
	s, rel, ok := l.field(e.Key, e.Pos)
	if !ok || l.Broken[e.Key] || l.hidden(s, rel) {
		return c, false
	}
	listed, not := e.Value, false
	if other := listed.Get("not"); other != nil && len(listed.Entries) == 1 {
		listed, not = other, true
	}
	wanted := []*text.Node{listed}
	if listed.Shape == text.List {
		wanted = listed.Items
	}
	if len(wanted) == 0 {
		l.Out.Add(e.Value.Pos, "", "no value of %s is given", e.Key)
		return c, false
	}
	if i := b.axisIndex(e.Key); i >= 0 {
		a := b.Axes[i]
		c.axes, c.sizes = []int{i}, []int{len(a.Values) + 1}
		c.table = make([]bool, len(a.Values)+1)
		base := b.axisBase(a, l)
		for _, w := range wanted {
			v, ok := l.WantedValue(a, w, base, strict)
			if !ok {
				return c, false
			}
			for d := range a.Values {
				c.table[d] = c.table[d] || a.Values[d].Value == v
			}
			c.table[len(a.Values)] = c.table[len(a.Values)] || v == base
		}
		for d := range c.table {
			has := d < len(a.Values) && !a.Values[d].Value.Null || d == len(a.Values) && !base.Null
			c.table[d] = has && c.table[d] != not || !not && c.table[d]
		}
		return c, true
	}
	return l.tabulate(b, s, rel, e, wanted, not)
}

// axisBase returns the column's value where the axis is not varied.
func (b *Block) axisBase(a *BlockAxis, l *Layout) params.Value {
	if a.Labelled {
		return params.Value{Kind: params.String, Null: true}
	}
	v, ok := l.lookup(b, a.Section, a.Rel, func(*BlockAxis) int { return -1 })
	if !ok {
		return params.Value{Kind: a.Type, Null: true}
	}
	return v.As(a.Type)
}

// WantedValue reads a condition's value for an axis: where strict it must be one
// of its values, or the base's.
func (l *Layout) WantedValue(a *BlockAxis, n *text.Node, base params.Value, strict bool) (params.Value, bool) {
	known := func(v params.Value) bool {
		return v == base || slices.ContainsFunc(a.Values, func(x BlockValue) bool { return x.Value == v })
	}
	if n.Shape != text.Scalar {
		l.Out.Add(n.Pos, "write a value of the axis", "%s is compared with %s", a.Path, n.What())
		return params.Value{}, false
	}
	if l.noLabel(a, n) {
		return params.Value{}, false
	}
	n = l.labels.meant(a.Path, n)
	v := params.Value{Kind: params.String, S: n.Text}
	if !a.Labelled && len(a.Rel) > 0 && !isKind(a.Section, a.Rel) {
		var ok bool
		if v, ok = l.plain(a.Section, a.Rel, n); !ok {
			return v, false
		}
		v = v.As(a.Type)
	}
	// An axis of one value may be one that --set pinned; conditions on the values
	// it had are no mistakes then.
	if !a.fixed() && strict && !known(v) {
		names := text.Each(a.Values, func(x BlockValue) string { return x.Value.String() })
		names = append(names, slices.Sorted(maps.Keys(l.labels[a.Path]))...)
		hint := text.DidYouMean(n.Text, names)
		if !a.Labelled && a.Type <= params.Int { // numbers that are spelt alike are not near
			hint = a.has(names)
		}
		l.Out.Add(n.Pos, hint, "%s is no value of axis %s", text.Quote(n.Text), a.Path)
		return v, false
	}
	return v, true
}

const fewValues = 12

func (a *BlockAxis) has(names []string) string {
	if len(names) <= fewValues {
		return "valid: " + strings.Join(names, ", ")
	}
	low, high := params.Ends(text.Each(a.Values, func(v BlockValue) params.Value { return v.Value }))
	return fmt.Sprintf("there are %d, from %s to %s", len(a.Values), low, high)
}

func (l *Layout) plain(s *params.SectionInfo, rel []string, n *text.Node) (params.Value, bool) {
	before := l.Out.Count
	r := l.Decoder.Partial((*text.Node)(nil).Replace(rel, n.Pos, n), s, l.kindsWith(s, rel)[0], nil)
	if before != l.Out.Count {
		return params.Value{}, false
	}
	v, _ := r.Value(rel)
	return v, true
}

func isKind(s *params.SectionInfo, rel []string) bool {
	return !s.Single && len(rel) == 1 && rel[0] == params.KindKey
}

// tabulate evaluates a condition on a path that is no axis itself: its value
// may still depend on sub-tree axes above it and on the section's kind.
func (l *Layout) tabulate(b *Block, s *params.SectionInfo, rel []string, e text.Entry, wanted []*text.Node, not bool) (Condition, bool) {
	var c Condition
	if fields := params.FieldsAt(l.kindsWith(s, rel), rel); len(rel) == 0 || len(fields) > 0 && !fields[0].Scalar() {
		l.Out.Add(e.Pos, "name a field, or make the sub-tree an axis with labels", "%s has no plain value to compare", e.Key)
		return c, false
	}
	var values []params.Value
	for _, w := range wanted {
		w = l.labels.meant(e.Key, w) // another block may give the axis
		var v params.Value
		var ok bool
		if isKind(s, rel) {
			k := l.Decoder.KindNamed(w, s)
			if k == nil {
				return c, false
			}
			v = params.Value{Kind: params.String, S: k.Name}
		} else if v, ok = l.plain(s, rel, w); !ok {
			return c, false
		}
		values = append(values, v)
	}
	total := 1
	for i, a := range b.Axes {
		if a.Section == s && (isKind(s, a.Rel) || above(a.Rel, rel)) {
			c.axes, c.sizes = append(c.axes, i), append(c.sizes, len(a.Values)+1)
			total *= len(a.Values) + 1
			if total > maxTable {
				l.Out.Add(e.Pos, "", "the condition on %s depends on too many axis values", e.Key)
				return c, false
			}
		}
	}
	c.table = make([]bool, total)
	for at := range c.table {
		digits := map[*BlockAxis]int{}
		rest := at
		for i := len(c.axes) - 1; i >= 0; i-- {
			digits[b.Axes[c.axes[i]]] = rest % c.sizes[i]
			rest /= c.sizes[i]
		}
		v, ok := l.lookup(b, s, rel, func(a *BlockAxis) int {
			if d, ok := digits[a]; ok {
				return d
			}
			return -1
		})
		c.table[at] = ok && slices.Contains(values, v) != not
	}
	return c, true
}

// above reports whether a path is the other, or leads to its parent.
func above(rel, other []string) bool {
	n := len(rel)
	if n == 0 || n > len(other) {
		return n == 0
	}
	list, _, _ := text.Element(other[n-1])
	return slices.Equal(rel[:n-1], other[:n-1]) && (rel[n-1] == other[n-1] || rel[n-1] == list)
}

// lookup returns the resolved value at a path where axes have the digits, and
// reports nothing: the final decoding of the value reports its mistakes.
func (l *Layout) lookup(b *Block, s *params.SectionInfo, rel []string, digit func(*BlockAxis) int) (params.Value, bool) {
	trial := l.Decoder.Trial()
	n := b.Place(s.Index, digit)
	kind := trial.KindOf(n, s, true)
	if kind == nil {
		return params.Value{}, false
	}
	return trial.Partial(n, s, kind, l.play[s.Index]).Value(rel)
}

// excludes reads exclude:, a list of maps. All conditions of a map must hold.
func (l *Layout) excludes(b *Block, n *text.Node, strict bool) {
	for _, item := range l.Out.List(n, "exclude") {
		if item.Shape != text.Map || len(item.Entries) == 0 {
			l.Out.Add(item.Pos, "write - {path: value, ...}", "an exclusion is %s; want a map of paths", item.What())
			continue
		}
		if conds := l.conditions(b, item, strict); conds != nil {
			b.Excludes = append(b.Excludes, conds)
		}
	}
}

func (l *Layout) conditions(b *Block, n *text.Node, strict bool) []Condition {
	var out []Condition
	for _, e := range n.Entries {
		if c, ok := l.condition(b, e, strict); ok {
			out = append(out, c)
		}
	}
	if len(out) < len(n.Entries) {
		return nil
	}
	return out
}

// whens reads when:, path -> conditions, and adds them to those found before.
func (l *Layout) whens(b *Block, n *text.Node, found []When, strict bool) []When {
	for _, e := range l.Out.Mapping(n, "when") {
		i := b.axisIndex(e.Key)
		if i < 0 {
			if !l.Broken[e.Key] {
				l.Out.Add(e.Pos, text.DidYouMean(e.Key, b.axisPaths()), "%s is no axis", text.Quote(e.Key))
			}
			continue
		}
		if slices.ContainsFunc(found, func(w When) bool { return w.Axis == i }) {
			l.Out.Add(e.Pos, "", "axis %s has a when: already", e.Key)
			continue
		}
		if e.Value.Shape != text.Map || len(e.Value.Entries) == 0 {
			l.Out.Add(e.Value.Pos, "write "+e.Key+": {other.path: [values]}", "the condition of %s is %s; want a map of paths", e.Key,
				e.Value.What())
			continue
		}
		if conds := l.conditions(b, e.Value, strict); conds != nil {
			found = append(found, When{Axis: i, pos: e.Pos, Conds: conds})
		}
	}
	return found
}

// settle puts the whens of a block in an order in which an axis that a
// condition looks at comes before.
func (l *Layout) settle(b *Block, found []When) {
	for len(found) > 0 {
		i := slices.IndexFunc(found, func(w When) bool {
			return !slices.ContainsFunc(found, func(other When) bool {
				return slices.ContainsFunc(w.Conds, func(c Condition) bool { return slices.Contains(c.axes, other.Axis) })
			})
		})
		if i < 0 {
			names := text.Each(found, func(w When) string { return b.Axes[w.Axis].Path })
			l.Out.Add(found[0].pos, "", "the conditions of %s depend on one another", strings.Join(names, ", "))
			return
		}
		b.Whens = append(b.Whens, found[i])
		found = slices.Delete(found, i, i+1)
	}
}
