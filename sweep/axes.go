package sweep

import (
	"math"
	"reflect"
	"slices"
	"strings"
)

// Axis is a column of the plan: a path that some block varies.
type Axis struct {
	// Path is the dotted path, such as workload.load_factor or policy.
	Path string
	// Type is the type of the column's values.
	Type ColumnType
	// Unit and Doc are those of the field.
	Unit, Doc string
	// Labelled tells that the values are sub-trees, shown by their labels.
	Labelled bool
	// Count is the number of distinct values that the manifest lists.
	Count int
	// Values are these values in the order of the file.
	Values []Value
	// Labels are what plain values are called, one for each of Values and ""
	// where it has none; nil where no value has one. They are names for people:
	// the column holds the values.
	Labels []string
}

// axisDef is one axis of a block: a path and the values it takes there.
type axisDef struct {
	path     string
	section  *sectionInfo
	rel      []string // the path below the section; empty for the whole section
	pos      position
	typ      ColumnType
	unit     string
	doc      string
	labelled bool // the values are sub-trees, and the column holds their labels
	values   []axisValue
}

// axisValue is one value of an axis: what is put into the section, and what the
// column shows.
type axisValue struct {
	tree  *node
	value Value
	label string // of a plain value that has one; a sub-tree's is its value
	pos   position
}

// field finds the section of a dotted path and the rest of the path. It
// reports a path that leads nowhere; play are the kinds of each section.
func (l *layout) field(path string, at position) (s *sectionInfo, rel []string, ok bool) {
	name, rel := splitPath(path)
	s = l.cat.section(name)
	if s == nil {
		l.out.add(at, path, didYouMean(path, axisPaths(l.cat, l.play)), "no field has the path %s", quote(path))
		return nil, nil, false
	}
	if len(rel) == 0 || len(rel) == 1 && rel[0] == kindKey && !s.single {
		return s, rel, true
	}
	play := l.play[s.index]
	if len(l.kindsWith(s, rel)) > 0 {
		return s, rel, true
	}
	field := strings.Join(rel, ".")
	var owners, chosen, valid []string
	for _, k := range s.kinds {
		if k.fields.find(rel) != nil {
			owners = append(owners, k.name)
		}
	}
	for _, k := range play {
		chosen = append(chosen, k.name)
		valid = append(valid, k.fields.paths()...)
	}
	if len(owners) > 0 {
		l.out.add(at, path, "", "%s is a field of %s kind %s, not %s", field, s.name, strings.Join(owners, ", "), strings.Join(chosen, ", "))
		return nil, nil, false
	}
	if !s.single {
		valid = append(valid, kindKey)
	}
	slices.Sort(valid)
	hint := didYouMean(field, slices.Compact(valid))
	if near := nearest(field, valid); near != "" {
		hint = `did you mean "` + s.name + "." + near + `"?`
	}
	l.out.add(at, path, hint, "no field has the path %s", quote(path))
	return nil, nil, false
}

// splitPath returns the name of the section that a path begins with, and the rest
// of the path.
func splitPath(path string) (section string, rel []string) {
	segs := strings.Split(path, ".")
	return segs[0], segs[1:]
}

// axis reads one entry of axes:; it returns nil when there is nothing to vary.
func (l *layout) axis(e entry) *axisDef {
	s, rel, ok := l.field(e.key, e.pos)
	if !ok {
		return nil
	}
	a := &axisDef{path: e.key, section: s, rel: rel, pos: e.pos, typ: String}
	fields := fieldsAt(l.kindsWith(s, rel), rel)
	switch {
	case len(rel) == 0:
		a.labelled, a.doc = true, s.doc
	case len(fields) == 0: // the kind itself
		a.doc = "kind of " + s.name
	default:
		f := fields[0]
		a.labelled, a.doc, a.unit, a.typ = !f.scalar(), f.doc, f.unit, f.column()
		for _, other := range fields[1:] {
			if other.scalar() != f.scalar() || other.column() != a.typ {
				if mixed := other.column() <= Int && a.typ <= Int && f.scalar() && other.scalar(); mixed {
					a.typ = Float
					continue
				}
				l.out.add(e.pos, e.key, "give each kind its own block", "%s is %s in one kind and %s in another", e.key, f.typ, other.typ)
				return nil
			}
		}
	}
	nodes := axisNodes(l.dec, e, a, fields)
	if nodes == nil {
		return nil
	}
	first, named := map[Value]position{}, map[string]position{}
	for _, n := range nodes {
		v, ok := l.axisValue(n, a, fields)
		if !ok && e.value.shape == mapNode {
			return nil // one bad value of a range says enough
		}
		if !ok {
			continue
		}
		if was, twice := first[v.value]; twice {
			what := "value " + v.tree.text
			if a.labelled {
				what = "label " + v.value.S
			}
			l.out.add(n.pos, e.key, "", "axis %s has the %s twice; the first is on line %d", e.key, what, was.line)
			continue
		}
		if was, twice := named[v.label]; twice {
			l.out.add(n.pos, e.key, "", "axis %s has the label %s twice; the first is on line %d", e.key, v.label, was.line)
			continue
		}
		first[v.value] = n.pos
		if v.label != "" {
			named[v.label] = n.pos
		}
		a.values = append(a.values, v)
	}
	if len(a.values) == 0 {
		return nil
	}
	return a
}

// axisValue reads one value and checks it against every kind that has the
// field, whichever kinds it will meet.
func (l *layout) axisValue(n *node, a *axisDef, fields []*fieldInfo) (axisValue, bool) {
	before, n0 := l.out.count, n
	out := axisValue{tree: n, pos: n.pos}
	if a.labelled || n.get("label") != nil {
		label, tree := n.get("label"), n.get("value")
		if n.shape != mapNode || label == nil {
			l.out.add(n.pos, a.path, "write - {label: name, value: ...}", "%s as a value of %s needs a label", n.what(), a.path)
			return out, false
		}
		for _, e := range n.entries {
			if e.key != "label" && e.key != "value" {
				l.out.add(e.pos, a.path, "valid: label, value", "unknown key %s in a value of %s", quote(e.key), a.path)
			}
		}
		if label.shape != scalarNode || label.text == "" {
			l.out.add(label.pos, a.path, "write a word", "the label is %s", label.what())
			return out, false
		}
		if tree == nil {
			l.out.add(n.pos, a.path, "write - {label: "+label.text+", value: ...}", "the value of label %s is missing", quote(label.text))
			return out, false
		}
		out.tree, out.value = tree, Value{Kind: String, S: label.text}
		if !a.labelled {
			if _, number := parseNumber(label.text); number {
				l.out.add(label.pos, a.path, "write a word", "the label of %s is a number, which could be another value", tree.what())
				return out, false
			}
			out.label, n = label.text, tree
		}
	}
	switch {
	case len(a.rel) == 0:
		if kind := l.dec.kindOf(out.tree, a.section, true); kind != nil {
			l.dec.piece(out.tree, a.section, kind, nil)
		}
	case len(fields) == 0:
		if kind := l.dec.kindNamed(n, a.section); kind != nil {
			out.value = Value{Kind: String, S: kind.name}
		}
	case !a.labelled:
		if n.shape != scalarNode {
			l.out.add(n.pos, a.path, "", "%s is %s; want %s", a.path, n.what(), fields[0].wants(fields[0].typ.Kind()))
			return out, false
		}
		for i, f := range fields {
			into := reflect.New(f.typ).Elem()
			l.dec.scalar(n, f, into, a.path)
			if into.Kind() == reflect.Uint64 && into.Uint() > math.MaxInt64 {
				l.out.add(n.pos, a.path, "", "%s is %s, beyond the largest whole number of a column %d", a.path, n.text, int64(math.MaxInt64))
			}
			if i == 0 {
				out.value = valueOf(into).as(a.typ)
			}
		}
	default:
		for _, k := range l.kindsWith(a.section, a.rel) {
			l.dec.piece((*node)(nil).replace(a.rel, out.tree.pos, out.tree), a.section, k, l.play[a.section.index])
		}
	}
	if before == l.out.count && out.label != "" {
		l.anotherValue(out, a, fields, n0.get("label").pos)
	}
	return out, before == l.out.count
}

// axisDefOf makes the definition of a column's axis, for the values that the
// manifest lists.
func (l *layout) axisDefOf(i int) *axisDef {
	axis := l.axes[i]
	section, rel := splitPath(axis.Path)
	a := &axisDef{path: axis.Path, section: l.cat.section(section), rel: rel, typ: axis.Type, labelled: axis.Labelled}
	for i, v := range axis.Values {
		av := axisValue{value: v}
		if axis.Labels != nil {
			av.label = axis.Labels[i]
		}
		a.values = append(a.values, av)
	}
	return a
}

// columns sets the axes of the plan: those of all blocks.
func (l *layout) columns() {
	for _, b := range l.blocks {
		for _, a := range b.axes {
			i := slices.IndexFunc(l.axes, func(x Axis) bool { return x.Path == a.path })
			if i < 0 {
				i = len(l.axes)
				l.axes = append(l.axes, Axis{Path: a.path, Type: a.typ, Unit: a.unit, Doc: a.doc, Labelled: a.labelled})
			}
			known := make(map[Value]bool, len(l.axes[i].Values))
			for _, v := range l.axes[i].Values {
				known[v] = true
			}
			for _, v := range a.values {
				if !known[v.value] {
					l.axes[i].Values = append(l.axes[i].Values, v.value)
				}
				l.name(&l.axes[i], v)
			}
			if l.axes[i].Labels != nil {
				l.axes[i].Labels = padded(l.axes[i].Labels, len(l.axes[i].Values))
			}
			l.axes[i].Count = len(l.axes[i].Values)
		}
	}
	l.unmistakable()
}
