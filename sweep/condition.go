package sweep

import (
	"maps"
	"slices"
	"strings"
)

// condition says of a point whether a path has one of some values there. It is
// tabulated over the digits of the few axes that can matter.
type condition struct {
	axes  []int
	sizes []int
	table []bool
}

// holds looks the point's digits up.
func (c *condition) holds(digits []int) bool {
	at := 0
	for i, a := range c.axes {
		at = at*c.sizes[i] + digits[a]
	}
	return c.table[at]
}

// maxTable bounds the entries of a condition's table.
const maxTable = 1 << 17

// condition reads path: value or path: [values]; strict conditions name values
// that the axis has here.
func (l *layout) condition(b *block, e entry, strict bool) (condition, bool) {
	var c condition
	s, rel, ok := l.field(e.key, e.pos)
	if !ok {
		return c, false
	}
	wanted := []*node{e.value}
	if e.value.shape == listNode {
		wanted = e.value.items
	}
	if len(wanted) == 0 {
		l.out.add(e.value.pos, e.key, "", "no value of %s is given", e.key)
		return c, false
	}
	if i := b.axisIndex(e.key); i >= 0 {
		a := b.axes[i]
		c.axes, c.sizes = []int{i}, []int{len(a.values) + 1}
		c.table = make([]bool, len(a.values)+1)
		base := b.axisBase(a, l)
		for _, w := range wanted {
			v, ok := l.wantedValue(a, w, base, strict)
			if !ok {
				return c, false
			}
			for d := range a.values {
				c.table[d] = c.table[d] || a.values[d].value == v
			}
			c.table[len(a.values)] = c.table[len(a.values)] || v == base
		}
		return c, true
	}
	return l.tabulate(b, s, rel, e, wanted)
}

// axisBase returns the column's value where the axis is not varied.
func (b *block) axisBase(a *axisDef, l *layout) Value {
	if a.labelled {
		return Value{Kind: String, Null: true}
	}
	v, ok := l.lookup(b, a.section, a.rel, func(*axisDef) int { return -1 })
	if !ok {
		return Value{Kind: a.typ, Null: true}
	}
	return v.as(a.typ)
}

// wantedValue reads a condition's value for an axis: where strict it must be one
// of its values, or the base's.
func (l *layout) wantedValue(a *axisDef, n *node, base Value, strict bool) (Value, bool) {
	known := func(v Value) bool {
		return v == base || slices.ContainsFunc(a.values, func(x axisValue) bool { return x.value == v })
	}
	if n.shape != scalarNode {
		l.out.add(n.pos, a.path, "write a value of the axis", "%s is compared with %s", a.path, n.what())
		return Value{}, false
	}
	if l.noLabel(a, n) {
		return Value{}, false
	}
	n = l.labels.meant(a.path, n)
	v := Value{Kind: String, S: n.text}
	if !a.labelled && len(a.rel) > 0 && !isKind(a.section, a.rel) {
		before := l.out.count
		k := l.kindsWith(a.section, a.rel)[0]
		r := l.dec.piece((*node)(nil).replace(a.rel, n.pos, n), a.section, k, nil)
		if before != l.out.count {
			return v, false
		}
		v, _ = r.value(a.rel)
		v = v.as(a.typ)
	}
	// An axis of one value may be one that --set pinned; conditions on the values
	// it had are no mistakes then.
	if len(a.values) > 1 && strict && !known(v) {
		var names []string
		for _, x := range a.values {
			names = append(names, x.value.String())
		}
		names = append(names, slices.Sorted(maps.Keys(l.labels[a.path]))...)
		l.out.add(n.pos, a.path, didYouMean(n.text, names), "%s is no value of axis %s", quote(n.text), a.path)
		return v, false
	}
	return v, true
}

// isKind tells whether the path is that of the section's kind key.
func isKind(s *sectionInfo, rel []string) bool {
	return !s.single && len(rel) == 1 && rel[0] == kindKey
}

// tabulate evaluates a condition on a path that is no axis itself: its value
// may still depend on sub-tree axes above it and on the section's kind.
func (l *layout) tabulate(b *block, s *sectionInfo, rel []string, e entry, wanted []*node) (condition, bool) {
	var c condition
	if fields := fieldsAt(l.kindsWith(s, rel), rel); len(rel) == 0 || len(fields) > 0 && !fields[0].scalar() {
		l.out.add(e.pos, e.key, "name a field, or make the sub-tree an axis with labels", "%s has no plain value to compare", e.key)
		return c, false
	}
	var values []Value
	for _, w := range wanted {
		w = l.labels.meant(e.key, w) // another block may give the axis
		var v Value
		if isKind(s, rel) {
			k := l.dec.kindNamed(w, s)
			if k == nil {
				return c, false
			}
			v = Value{Kind: String, S: k.name}
		} else {
			before := l.out.count
			r := l.dec.piece((*node)(nil).replace(rel, w.pos, w), s, l.kindsWith(s, rel)[0], nil)
			if before != l.out.count {
				return c, false
			}
			v, _ = r.value(rel)
		}
		values = append(values, v)
	}
	total := 1
	for i, a := range b.axes {
		if a.section == s && (isKind(s, a.rel) || len(a.rel) <= len(rel) && slices.Equal(a.rel, rel[:len(a.rel)])) {
			c.axes, c.sizes = append(c.axes, i), append(c.sizes, len(a.values)+1)
			total *= len(a.values) + 1
			if total > maxTable {
				l.out.add(e.pos, e.key, "", "the condition on %s depends on too many axis values", e.key)
				return c, false
			}
		}
	}
	c.table = make([]bool, total)
	for at := range c.table {
		digits := map[*axisDef]int{}
		rest := at
		for i := len(c.axes) - 1; i >= 0; i-- {
			digits[b.axes[c.axes[i]]] = rest % c.sizes[i]
			rest /= c.sizes[i]
		}
		v, ok := l.lookup(b, s, rel, func(a *axisDef) int {
			if d, ok := digits[a]; ok {
				return d
			}
			return -1
		})
		c.table[at] = ok && slices.Contains(values, v)
	}
	return c, true
}

// lookup returns the resolved value at a path where axes have the digits, and
// reports nothing: what is wrong there is reported where it is decoded to stay.
func (l *layout) lookup(b *block, s *sectionInfo, rel []string, digit func(*axisDef) int) (Value, bool) {
	quiet := l.dec.quiet()
	n := b.place(s.index, digit)
	kind := quiet.kindOf(n, s, true)
	if kind == nil {
		return Value{}, false
	}
	return quiet.piece(n, s, kind, l.play[s.index]).value(rel)
}

// excludes reads exclude:, a list of maps of which all conditions must hold.
func (l *layout) excludes(b *block, n *node, strict bool) {
	for _, item := range l.out.list(n, "exclude") {
		if item.shape != mapNode || len(item.entries) == 0 {
			l.out.add(item.pos, "exclude", "write - {path: value, ...}", "an exclusion is %s; want a map of paths", item.what())
			continue
		}
		var conds []condition
		for _, e := range item.entries {
			if c, ok := l.condition(b, e, strict); ok {
				conds = append(conds, c)
			}
		}
		if len(conds) == len(item.entries) {
			b.excludes = append(b.excludes, conds)
		}
	}
}

// whens reads when:, path -> conditions, and adds them to those found before.
func (l *layout) whens(b *block, n *node, found []when, strict bool) []when {
	for _, e := range l.out.mapping(n, "when") {
		i := b.axisIndex(e.key)
		if i < 0 {
			if !l.broken[e.key] {
				l.out.add(e.pos, e.key, didYouMean(e.key, b.axisPaths()), "%s is no axis", quote(e.key))
			}
			continue
		}
		if slices.ContainsFunc(found, func(w when) bool { return w.axis == i }) {
			l.out.add(e.pos, e.key, "", "axis %s has a when: already", e.key)
			continue
		}
		if e.value.shape != mapNode || len(e.value.entries) == 0 {
			l.out.add(e.value.pos, e.key, "write "+e.key+": {other.path: [values]}", "the condition of %s is %s; want a map of paths", e.key, e.value.what())
			continue
		}
		w := when{axis: i, pos: e.pos}
		for _, cond := range e.value.entries {
			if c, ok := l.condition(b, cond, strict); ok {
				w.conds = append(w.conds, c)
			}
		}
		if len(w.conds) == len(e.value.entries) {
			found = append(found, w)
		}
	}
	return found
}

// settle puts the whens of a block in an order in which an axis that a
// condition looks at comes before.
func (l *layout) settle(b *block, found []when) {
	for len(found) > 0 {
		i := slices.IndexFunc(found, func(w when) bool {
			return !slices.ContainsFunc(found, func(other when) bool { return w.dependsOn(other.axis) })
		})
		if i < 0 {
			var names []string
			for _, w := range found {
				names = append(names, b.axes[w.axis].path)
			}
			l.out.add(found[0].pos, names[0], "", "the conditions of %s depend on one another", strings.Join(names, ", "))
			return
		}
		b.whens = append(b.whens, found[i])
		found = slices.Delete(found, i, i+1)
	}
}

// dependsOn tells whether a condition looks at the axis.
func (w when) dependsOn(axis int) bool {
	return slices.ContainsFunc(w.conds, func(c condition) bool { return slices.Contains(c.axes, axis) })
}
