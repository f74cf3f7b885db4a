package params

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"schedsweep/sweep/text"
)

// Decoder turns nodes into parameter structs and reports mistakes.
type Decoder struct {
	Out      *text.Sink
	hashFile func(string) (string, error)
	Hashes   map[string]fileHash // by path as written
	Axes     []string            // paths that some points of the sweep write
}

// Trial returns a decoder that reports no mistakes and counts them by itself.
func (d *Decoder) Trial() *Decoder {
	return &Decoder{Out: &text.Sink{}, hashFile: d.hashFile, Hashes: d.Hashes, Axes: d.Axes}
}

type fileHash struct {
	Hash string
	err  error
}

// NewDecoder returns a decoder that reports into out. hashFile returns the content
// hash of an input file; with nil the path takes the place of the content.
func NewDecoder(out *text.Sink, hashFile func(path string) (string, error)) *Decoder {
	return &Decoder{Out: out, hashFile: hashFile, Hashes: map[string]fileHash{}}
}

// Scope is the place at which a struct is decoded: the dotted path so far, and the report of
// unknown keys.
type Scope struct {
	Path string
	// Unknown reports a key that the struct has not; it may accept it silently.
	Unknown func(e text.Entry, path string, fields *Struct)
	// partial leaves out checks that only a whole section can pass: required
	// fields, and rules between fields.
	partial bool
}

func (s Scope) at(key string) Scope {
	if s.Path != "" {
		key = s.Path + "." + key
	}
	s.Path = key
	return s
}

// few lists the fields of a map behind a hint, if they are few and no kind adds others.
func (s *Struct) few() string {
	if names := s.Names(); s.Choice == nil && len(names) > 0 && len(names) <= 6 {
		return "; they are " + strings.Join(names, ", ")
	}
	return ""
}

// Structure decodes a map into a struct that holds its defaults.
func (d *Decoder) Structure(n *text.Node, info *Struct, into reflect.Value, sc Scope, skip ...string) {
	if n.Shape != text.Map {
		if !n.IsNull() {
			d.Out.Add(n.Pos, "write its fields as key: value"+info.few(), "%s is %s; want a map", sc.Path, n.What())
			return
		}
		if n = text.NewMap(n.Pos); len(info.Fields) == 0 {
			return
		}
	}
	var rest []text.Entry
	for _, e := range n.Entries {
		if slices.Contains(skip, e.Key) {
			continue
		}
		f := info.ByName[e.Key]
		if f == nil && info.Choice != nil {
			rest = append(rest, e)
			continue
		}
		if f == nil {
			sc.Unknown(e, sc.at(e.Key).Path, info)
			continue
		}
		if f.Map != nil && e.Value.Shape == text.Map {
			d.mapped(e.Value, f, into, sc.at(e.Key))
			continue
		}
		d.Field(e.Value, f, into.FieldByIndex(f.Index), sc.at(e.Key))
	}
	if info.Choice != nil {
		d.choose(n, rest, info.Choice, into, sc)
	}
	if sc.partial {
		return
	}
	for _, f := range info.Fields {
		if f.Required && n.Get(f.Name) == nil {
			d.Out.Add(n.Pos, "", "%s is missing: %s", sc.at(f.Name).Path, f.describe())
		}
		// A struct that is not written may have required fields all the same.
		if f.Type.Kind() == reflect.Struct && n.Get(f.Name) == nil {
			d.Structure(text.NewMap(n.Pos), f.Fields, into.FieldByIndex(f.Index), sc.at(f.Name))
		}
	}
}

// mapped decodes the map in place of a text, which is what the one key says that chooses.
func (d *Decoder) mapped(n *text.Node, f *Field, into reflect.Value, sc Scope) {
	d.Structure(n, f.Map.Fields, into.FieldByIndex(f.Map.Index), sc)
	var choosing, there []string
	for _, m := range f.Map.Fields.Fields {
		if m.chooses == "" {
			continue
		}
		choosing = append(choosing, m.Name)
		if n.Get(m.Name) != nil {
			there = append(there, m.Name)
			into.FieldByIndex(f.Index).SetString(m.chooses)
		}
	}
	if len(there) != 1 && (len(there) > 0 || !sc.partial) {
		d.Out.Add(n.Pos, "keep one, or write a name in place of the map", "%s has %d of the keys %s; want one of them", sc.Path, len(there),
			strings.Join(choosing, ", "))
	}
}

// Map decodes the plain fields of a map into the struct that into points to. Its name is `what`, and others are keys
// beside them.
func (d *Decoder) Map(n *text.Node, into any, path, what string, others ...string) {
	d.MapAs(n, MustReflect(reflect.TypeOf(into).Elem()), into, path, what, others...)
}

// MapAs is Map with the fields as info has them.
func (d *Decoder) MapAs(n *text.Node, info *Struct, into any, path, what string, others ...string) {
	unknown := func(e text.Entry, _ string, fields *Struct) {
		d.Out.Add(e.Pos, text.DidYouMean(e.Key, append(fields.Names(), others...)), "unknown key %s in %s", text.Quote(e.Key), what)
	}
	d.Structure(n, info, reflect.ValueOf(into).Elem(), Scope{Path: path, Unknown: unknown}, others...)
}

func (f *Field) describe() string {
	s := cmp.Or(f.Doc, f.Type.String())
	if f.Unit != "" {
		s += " (" + f.Unit + ")"
	}
	return s
}

func (d *Decoder) Field(n *text.Node, f *Field, into reflect.Value, sc Scope) {
	switch into.Kind() {
	case reflect.Struct:
		d.Structure(n, f.Fields, into, sc)
		return
	case reflect.Array:
		if n.Shape != text.List || len(n.Items) != 2 {
			d.Out.Add(n.Pos, "write [low, high]; .inf means no bound", "%s is %s; want a range", sc.Path, n.What())
			return
		}
		before := d.Out.Count
		for i, item := range n.Items {
			d.Scalar(item, f, into.Index(i), sc.Path)
		}
		if lo, hi := into.Index(0).Float(), into.Index(1).Float(); lo > hi && before == d.Out.Count {
			d.Out.Add(n.Pos, "swap them", "%s begins at %s, above its end %s", sc.Path, FormatFloat(lo), FormatFloat(hi))
		}
		return
	case reflect.Slice:
		if f.Keyed != "" {
			d.keyed(n, f, into, sc)
			return
		}
		if f.Alone && n.Shape == text.Scalar && !n.IsNull() {
			n = &text.Node{Shape: text.List, Pos: n.Pos, Items: []*text.Node{n}}
		}
		if n.Shape != text.List {
			hint := "write [a, b, ...]"
			if n.Shape == text.Scalar && n.Text != "" && f.Fields == nil {
				hint = "write [" + n.Text + "]"
			}
			d.Out.Add(n.Pos, hint, "%s is %s; want a list", sc.Path, n.What())
			return
		}
		list := reflect.MakeSlice(into.Type(), len(n.Items), len(n.Items))
		for i, item := range n.Items {
			if f.Fields == nil {
				d.Scalar(item, f, list.Index(i), sc.Path)
				continue
			}
			d.initial(f.Fields, list.Index(i), item)
			d.Structure(item, f.Fields, list.Index(i), Scope{sc.Path + "[" + strconv.Itoa(i) + "]", sc.Unknown, sc.partial})
		}
		into.Set(list)
		return
	}
	d.Scalar(n, f, into, sc.Path)
}

// initial sets the default tags of a list's new element.
func (d *Decoder) initial(info *Struct, into reflect.Value, at *text.Node) {
	for _, f := range info.Fields {
		switch {
		case f.Initial != "" && f.Scalar():
			d.Scalar(&text.Node{Text: f.Initial, Pos: at.Pos}, f, into.FieldByIndex(f.Index), f.Name)
		case f.Type.Kind() == reflect.Struct:
			d.initial(f.Fields, into.FieldByIndex(f.Index), at)
		}
	}
}

// Scalar decodes a plain value and checks its bounds.
func (d *Decoder) Scalar(n *text.Node, f *Field, into reflect.Value, path string) {
	fail := func(hint, want string) {
		if n.Shape == text.Scalar && n.IsNull() {
			d.Out.Add(n.Pos, hint, "%s has no value; want %s", path, want)
			return
		}
		d.Out.Add(n.Pos, hint, "%s is %s; want %s", path, n.What(), want)
	}
	if n.Shape != text.Scalar || n.IsNull() {
		fail("", f.Wants(into.Kind()))
		return
	}
	switch into.Kind() {
	case reflect.Float64:
		v, ok := d.number(n, f, path, fail)
		if ok && f.within(d.Out, n, path, v) {
			into.SetFloat(v + 0)
		}
	case reflect.Int, reflect.Int64, reflect.Uint64:
		d.whole(n, f, into, path, fail)
	case reflect.Bool:
		v, ok := text.Bool(n.Text)
		if !ok || n.Quoted {
			hint := ""
			switch strings.ToLower(n.Text) {
			case "true", "yes", "on", "y":
				hint = "write true"
			case "false", "no", "off", "n":
				hint = "write false"
			}
			fail(hint, "true or false")
			return
		}
		into.SetBool(v)
	case reflect.String:
		_, number := text.Number(n.Text)
		_, boolean := text.Bool(n.Text)
		if !n.Quoted && (number || boolean) {
			fail(f.quoted(n.Text), f.Wants(reflect.String))
			return
		}
		if len(f.Enum) > 0 && !slices.Contains(f.Enum, n.Text) {
			d.Out.Add(n.Pos, text.MeantOneOf(n.Text, f.Enum), "%s cannot be %s", path, text.Quote(n.Text))
			return
		}
		if f.Required && n.Text == "" {
			d.Out.Add(n.Pos, "", "%s is empty: %s", path, f.describe())
			return
		}
		into.SetString(n.Text)
		if f.file && n.Text != "" {
			if h := d.fileHash(n.Text); h.err != nil {
				d.Out.Add(n.Pos, "", "%s: %v", path, h.err)
			}
		}
	}
}

func (f *Field) kind() reflect.Kind {
	if f.Type == nil {
		return reflect.String
	}
	if k := f.Type.Kind(); k != reflect.Slice && k != reflect.Array {
		return k
	}
	return f.Type.Elem().Kind()
}

// Wants describes the values that the field takes.
func (f *Field) Wants(k reflect.Kind) string {
	if ex := text.UnitExamples[f.Unit]; ex != "" {
		return ex
	}
	switch k {
	case reflect.Float64:
		return "a number"
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return "a whole number"
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		if len(f.Enum) > 0 {
			return "one of " + strings.Join(f.Enum, ", ")
		}
		if f.file {
			return "the name of a file"
		}
		return "text"
	case reflect.Struct:
		return "a map"
	}
	return "a list"
}

// quoted returns the remedy for a number in place of a text, which is no remedy for a file.
func (f *Field) quoted(text string) string {
	if f.file {
		return ""
	}
	return `write "` + text + `" if this text is meant`
}

// fileHash returns the content hash of an input file, computed once.
func (d *Decoder) fileHash(path string) fileHash {
	if d.hashFile == nil {
		return fileHash{Hash: "path:" + path}
	}
	if h, ok := d.Hashes[path]; ok {
		return h
	}
	var h fileHash
	h.Hash, h.err = d.hashFile(path)
	d.Hashes[path] = h
	return h
}
