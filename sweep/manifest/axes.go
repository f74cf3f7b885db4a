package manifest

import (
	"bytes"
	"cmp"
	"reflect"
	"slices"
	"strings"

	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// Axis is a column of the plan: a path that some block varies.
type Axis struct {
	// Path is the dotted path, such as workload.load_factor or policy.
	Path string
	// Type is the type of the column's values.
	Type params.ColumnType
	// Unit is that of the column, and Quantity the key of text.Units by which values are read.
	Unit, Quantity string
	// Doc is that of the field.
	Doc string
	// Labelled reports that the values are sub-trees, shown by their labels.
	Labelled bool
	// Count is the number of distinct values that the manifest lists.
	Count int
	// Values are these values in the order of the file.
	Values []params.Value
	// Labels are the labels of plain values, one for each of Values and "" where it has none; nil
	// where no value has one. They are names for people: the column holds the values.
	Labels []string
	// Written holds values as people write them, by their names, where they do not write them as they are.
	Written map[string]string
}

// Numeric reports whether the column holds numbers.
func (a *Axis) Numeric() bool { return a.Type == params.Float || a.Type == params.Int }

// AxisIndex returns the number of the axis of that path among those of all blocks, or -1.
func (l *Layout) AxisIndex(path string) int {
	return slices.IndexFunc(l.Axes, func(a Axis) bool { return a.Path == path })
}

func (l *Layout) AxisNames() []string {
	return text.Each(l.Axes, func(a Axis) string { return a.Path })
}

// BlockAxis is one axis of a block: a path and the values it takes there.
type BlockAxis struct {
	Path     string
	Section  *params.SectionInfo
	Rel      []string // the path below the section; empty for the whole section
	Pos      text.Position
	Type     params.ColumnType
	unit     string
	doc      string
	Labelled bool // the values are sub-trees, and the column holds their labels
	Values   []BlockValue
}

// BlockValue is one value of an axis: the node that goes into the section, and the
// value that the column shows.
type BlockValue struct {
	Tree  *text.Node
	Value params.Value
	label string // of a plain value that has one; a sub-tree's is its value
	pos   text.Position
}

// field finds the section of a dotted path and the rest of the path. It
// reports a path that leads nowhere; play are the kinds of each section.
func (l *Layout) field(path string, at text.Position) (s *params.SectionInfo, rel []string, ok bool) {
	name, rel := SplitPath(path)
	s = l.Catalog.Section(name)
	if s == nil {
		l.Out.Add(at, cmp.Or(belowSection(l.Catalog, path), text.DidYouMean(strings.ReplaceAll(path, "-", "_"), AxisPaths(l.Catalog, l.play)),
			"schedsweep list axes shows them"), "no field has the path %s",
			text.Quote(path))
		return nil, nil, false
	}
	if len(rel) == 0 || len(rel) == 1 && rel[0] == params.KindKey && !s.Single {
		return s, rel, true
	}
	play := l.play[s.Index]
	if len(l.kindsWith(s, rel)) > 0 {
		return s, rel, true
	}
	field := strings.Join(rel, ".")
	if owners := params.KindsWith(s.Kinds, rel); len(owners) > 0 {
		l.Out.Add(at, "remove it, or choose another kind", "%s is a field of %s kind %s, not %s", field, s.Name,
			strings.Join(params.KindNames(owners), ", "), strings.Join(params.KindNames(play), ", "))
		return nil, nil, false
	}
	var valid []string
	for _, k := range play {
		valid = append(valid, k.Fields.Paths()...)
	}
	if !s.Single {
		valid = append(valid, params.KindKey)
	}
	slices.Sort(valid)
	hint := text.DidYouMean(field, slices.Compact(valid))
	if near := text.Nearest(field, valid); near != "" {
		hint = `did you mean "` + s.Name + "." + near + `"?`
	}
	l.Out.Add(at, hint, "no field has the path %s", text.Quote(path))
	return nil, nil, false
}

// FieldAt returns the field at a path, nil where it is a section or its kind. It reports a path
// that leads nowhere, and is not ok then.
func (l *Layout) FieldAt(path string, at text.Position) (f *params.Field, ok bool) {
	s, rel, ok := l.field(path, at)
	if !ok || l.hidden(s, rel) {
		return nil, false
	}
	if fields := params.FieldsAt(l.kindsWith(s, rel), rel); len(fields) > 0 {
		f = fields[0]
	}
	return f, true
}

// SplitPath returns the name of the section that a path begins with, and the rest
// of the path.
func SplitPath(path string) (section string, rel []string) {
	segs := strings.Split(path, ".")
	return segs[0], segs[1:]
}

// axis reads one entry of axes:; it returns nil when there is nothing to vary. The
// values of a zipped axis may repeat themselves.
func (l *Layout) axis(e text.Entry, zipped bool) *BlockAxis {
	s, rel, ok := l.field(e.Key, e.Pos)
	if !ok {
		return nil
	}
	if l.hidden(s, rel) {
		return nil
	}
	a := &BlockAxis{Path: e.Key, Section: s, Rel: rel, Pos: e.Pos, Type: params.String}
	fields := params.FieldsAt(l.kindsWith(s, rel), rel)
	switch {
	case len(rel) == 0:
		a.Labelled, a.doc = true, s.Doc
	case len(fields) == 0: // the kind itself
		a.doc = "kind of " + s.Name
	case !l.typed(a, fields):
		return nil
	}
	nodes := axisNodes(l.Decoder, l.maxAxis, e, a, fields)
	if nodes == nil {
		return nil
	}
	first, named := map[params.Value]BlockValue{}, map[string]BlockValue{}
	for _, n := range nodes {
		v, ok := l.axisValue(n, a, fields)
		if !ok && e.Value.Shape == text.Map {
			return nil // one bad value of a range says enough
		}
		if !ok {
			continue
		}
		was, twice := first[v.Value]
		if twice && zipped && was.label == v.label && (!a.Labelled || sameText(was.Tree, v.Tree)) {
			a.Values = append(a.Values, v)
			continue
		}
		if twice {
			what := "value " + v.Tree.Text
			if a.Labelled {
				what = "label " + v.Value.S
			}
			l.Out.Add(n.Pos, "", "axis %s has the %s twice; the first is on line %d", e.Key, what, was.pos.Line)
			continue
		}
		if was, twice := named[v.label]; twice {
			l.Out.Add(n.Pos, "", "axis %s has the label %s twice; the first is on line %d", e.Key, v.label, was.pos.Line)
			continue
		}
		first[v.Value] = v
		if v.label != "" {
			named[v.label] = v
		}
		a.Values = append(a.Values, v)
	}
	if len(a.Values) == 0 {
		return nil
	}
	if len(a.Values) > 1 && !zipped && len(fields) > 0 && fields[0].Unhashed { // one value is that of a block
		l.Out.Add(e.Pos, "put the value in its section", "axis %s changes no answer, so that instances that differ in it are one", e.Key)
		return nil
	}
	return a
}

// typed gives the axis the type of its fields; it reports kinds whose fields differ.
func (l *Layout) typed(a *BlockAxis, fields []*params.Field) bool {
	f := fields[0]
	a.Labelled, a.doc, a.unit, a.Type = !f.Scalar(), f.Doc, f.Unit, f.Column()
	for _, other := range fields[1:] {
		switch {
		case other.Scalar() == f.Scalar() && other.Column() == a.Type:
		case other.Column() <= params.Int && a.Type <= params.Int && f.Scalar() && other.Scalar():
			a.Type = params.Float
		default:
			l.Out.Add(a.Pos, "give each kind its own block", "%s is %s in one kind and %s in another", a.Path, f.Type, other.Type)
			return false
		}
	}
	return true
}

func sameText(x, y *text.Node) bool { return bytes.Equal(text.Emit(x), text.Emit(y)) }

// fixed reports whether the axis has one value only, as --set leaves it.
func (a *BlockAxis) fixed() bool {
	return !slices.ContainsFunc(a.Values, func(v BlockValue) bool { return v.Value != a.Values[0].Value })
}

// labelled reads the label of a value of the axis, and its meaning; it returns nil after a mistake.
func (l *Layout) labelled(n *text.Node, a *BlockAxis) (string, *text.Node) {
	label, tree := n.Get("label"), n.Get("value")
	if n.Shape != text.Map || label == nil {
		l.Out.Add(n.Pos, "write - {label: name, value: ...}", "%s as a value of %s needs a label", n.What(), a.Path)
		return "", nil
	}
	for _, e := range n.Entries {
		if e.Key != "label" && e.Key != "value" {
			l.Out.Add(e.Pos, "valid: label, value", "unknown key %s in a value of %s", text.Quote(e.Key), a.Path)
		}
	}
	_, number := text.Number(label.Text)
	switch {
	case label.Shape != text.Scalar || label.Text == "":
		l.Out.Add(label.Pos, "write a word", "the label is %s", label.What())
	case tree == nil:
		l.Out.Add(n.Pos, "write - {label: "+text.Flow(label)+", value: ...}", "the value of label %s is missing", text.Quote(label.Text))
	case !a.Labelled && number:
		l.Out.Add(label.Pos, "write a word", "the label of %s is a number, which could be another value", tree.What())
	default:
		return label.Text, tree
	}
	return "", nil
}

// axisValue reads one value and checks it against every kind that has the
// field, whichever kinds it will meet.
func (l *Layout) axisValue(n *text.Node, a *BlockAxis, fields []*params.Field) (BlockValue, bool) {
	before, n0 := l.Out.Count, n
	out := BlockValue{Tree: n, pos: n.Pos}
	if a.Labelled || n.Get("label") != nil {
		label, tree := l.labelled(n, a)
		if tree == nil {
			return out, false
		}
		out.Tree, out.Value = tree, params.Value{Kind: params.String, S: label}
		if !a.Labelled {
			out.label, n = label, tree
		}
	}
	switch {
	case len(a.Rel) == 0:
		if kind := l.Decoder.KindOf(out.Tree, a.Section, true); kind != nil {
			l.Decoder.Partial(out.Tree, a.Section, kind, nil)
		}
	case len(fields) == 0:
		if kind := l.Decoder.KindNamed(n, a.Section); kind != nil {
			out.Value = params.Value{Kind: params.String, S: kind.Name}
		}
	case !a.Labelled:
		if n.Shape != text.Scalar {
			l.Out.Add(n.Pos, "", "%s is %s; want %s", a.Path, n.What(), fields[0].Wants(fields[0].Type.Kind()))
			return out, false
		}
		for i, f := range fields {
			into := reflect.New(f.Type).Elem()
			l.Decoder.Scalar(n, f, into, a.Path)
			if i == 0 {
				out.Value = params.ValueOf(into).As(a.Type)
			}
		}
	default:
		for _, k := range l.kindsWith(a.Section, a.Rel) {
			l.Decoder.Partial((*text.Node)(nil).Replace(a.Rel, out.Tree.Pos, out.Tree), a.Section, k, l.play[a.Section.Index])
		}
	}
	if before == l.Out.Count && out.label != "" {
		l.anotherValue(out, a, fields, n0.Get("label").Pos)
	}
	return out, before == l.Out.Count
}

// AxisDefOf makes the definition of a column's axis, for the values that the
// manifest lists.
func (l *Layout) AxisDefOf(i int) *BlockAxis {
	axis := l.Axes[i]
	section, rel := SplitPath(axis.Path)
	a := &BlockAxis{Path: axis.Path, Section: l.Catalog.Section(section), Rel: rel, Type: axis.Type, Labelled: axis.Labelled}
	for i, v := range axis.Values {
		av := BlockValue{Value: v}
		if axis.Labels != nil {
			av.label = axis.Labels[i]
		}
		a.Values = append(a.Values, av)
	}
	return a
}

// written returns the values of an axis as people write them, by their names; nil for as they are.
func (l *Layout) written(a *BlockAxis) map[string]string {
	if !slices.Equal(a.Rel, []string{params.KindKey}) {
		if fields := params.FieldsAt(l.kindsWith(a.Section, a.Rel), a.Rel); len(fields) > 0 && !a.Labelled {
			return fields[0].Written
		}
		return nil
	}
	names := map[string]string{}
	for _, k := range a.Section.Kinds {
		if k.Written != "" {
			names[k.Name] = k.Written
		}
	}
	return names
}

func (l *Layout) columns() {
	var known []map[params.Value]bool // values of each axis, in all blocks
	for _, b := range l.Blocks {
		for _, a := range b.Axes {
			i := l.AxisIndex(a.Path)
			if i < 0 {
				i = len(l.Axes)
				l.Axes = append(l.Axes, Axis{Path: a.Path, Type: a.Type, Unit: text.Shown(a.unit), Quantity: a.unit, Doc: a.doc,
					Labelled: a.Labelled})
				known = append(known, map[params.Value]bool{})
			}
			for _, v := range a.Values {
				if !known[i][v.Value] {
					known[i][v.Value] = true
					l.Axes[i].Values = append(l.Axes[i].Values, v.Value)
				}
				l.name(&l.Axes[i], v)
			}
			if l.Axes[i].Labels != nil {
				l.Axes[i].Labels = padded(l.Axes[i].Labels, len(l.Axes[i].Values))
			}
			l.Axes[i].Count = len(l.Axes[i].Values)
			l.Axes[i].Written = l.written(a)
		}
	}
	l.unmistakable()
}
