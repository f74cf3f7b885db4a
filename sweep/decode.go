package sweep

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// decoder turns nodes into parameter structs and reports what does not fit.
type decoder struct {
	out      *sink
	hashFile func(string) (string, error)
	hashes   map[string]fileHash // by path as written
}

// quiet returns a decoder that reports to nobody and counts mistakes by itself.
func (d *decoder) quiet() *decoder {
	return &decoder{out: &sink{}, hashFile: d.hashFile, hashes: d.hashes}
}

type fileHash struct {
	hash string
	err  error
}

// newDecoder returns a decoder that reports into out. hashFile returns the content
// hash of an input file; with nil the path stands for the content.
func newDecoder(out *sink, hashFile func(path string) (string, error)) *decoder {
	return &decoder{out: out, hashFile: hashFile, hashes: map[string]fileHash{}}
}

// scope is where a struct is decoded: the dotted path so far, and what to say
// about keys that are unknown there.
type scope struct {
	path string
	// unknown reports a key that the struct has not; it may accept it silently.
	unknown func(e entry, path string, fields *structInfo)
	// piece leaves out checks that only a whole section can pass: required
	// fields, and rules between fields.
	piece bool
}

// at returns the scope one key deeper.
func (s scope) at(key string) scope {
	if s.path != "" {
		key = s.path + "." + key
	}
	s.path = key
	return s
}

// structure decodes a map into a struct that holds its defaults.
func (d *decoder) structure(n *node, info *structInfo, into reflect.Value, sc scope, skip ...string) {
	if n.shape != mapNode {
		if !n.isNull() {
			d.out.add(n.pos, sc.path, "write its fields as key: value", "%s is %s; want a map", sc.path, n.what())
			return
		}
		if n = (&node{shape: mapNode, pos: n.pos}); len(info.fields) == 0 {
			return
		}
	}
	var rest []entry
	for _, e := range n.entries {
		if slices.Contains(skip, e.key) {
			continue
		}
		f := info.byName[e.key]
		if f == nil && info.choice != nil {
			rest = append(rest, e)
			continue
		}
		if f == nil {
			sc.unknown(e, sc.at(e.key).path, info)
			continue
		}
		d.field(e.value, f, into.FieldByIndex(f.index), sc.at(e.key))
	}
	if info.choice != nil {
		d.choose(n, rest, info.choice, into, sc)
	}
	if sc.piece {
		return
	}
	for _, f := range info.fields {
		if f.required && n.get(f.name) == nil {
			d.out.add(n.pos, sc.at(f.name).path, "", "%s is missing: %s", sc.at(f.name).path, f.describe())
		}
		// A struct that is not written may have required fields all the same.
		if f.typ.Kind() == reflect.Struct && n.get(f.name) == nil {
			d.structure(&node{shape: mapNode, pos: n.pos}, f.sub, into.FieldByIndex(f.index), sc.at(f.name))
		}
	}
}

// describe says what the field is, from its doc and unit.
func (f *fieldInfo) describe() string {
	s := f.doc
	if s == "" {
		s = f.typ.String()
	}
	if f.unit != "" {
		s += " (" + f.unit + ")"
	}
	return s
}

// field decodes one value.
func (d *decoder) field(n *node, f *fieldInfo, into reflect.Value, sc scope) {
	switch into.Kind() {
	case reflect.Struct:
		d.structure(n, f.sub, into, sc)
		return
	case reflect.Array:
		if n.shape != listNode || len(n.items) != 2 {
			d.out.add(n.pos, sc.path, "write [low, high]; .inf stands for no bound", "%s is %s; want a range", sc.path, n.what())
			return
		}
		before := d.out.count
		for i, item := range n.items {
			d.scalar(item, f, into.Index(i), sc.path)
		}
		if lo, hi := into.Index(0).Float(), into.Index(1).Float(); lo > hi && before == d.out.count {
			d.out.add(n.pos, sc.path, "swap them", "%s begins at %s, above its end %s", sc.path, formatFloat(lo), formatFloat(hi))
		}
		return
	case reflect.Slice:
		if n.shape != listNode {
			d.out.add(n.pos, sc.path, "write [a, b, ...]", "%s is %s; want a list", sc.path, n.what())
			return
		}
		list := reflect.MakeSlice(into.Type(), len(n.items), len(n.items))
		for i, item := range n.items {
			if f.sub == nil {
				d.scalar(item, f, list.Index(i), sc.path)
				continue
			}
			d.initial(f.sub, list.Index(i), item)
			d.structure(item, f.sub, list.Index(i), scope{sc.path + "[" + strconv.Itoa(i) + "]", sc.unknown, sc.piece})
		}
		into.Set(list)
		return
	}
	d.scalar(n, f, into, sc.path)
}

// initial sets the default tags of a list's new element.
func (d *decoder) initial(info *structInfo, into reflect.Value, at *node) {
	for _, f := range info.fields {
		switch {
		case f.initial != "" && f.scalar():
			d.scalar(&node{text: f.initial, pos: at.pos}, f, into.FieldByIndex(f.index), f.name)
		case f.typ.Kind() == reflect.Struct:
			d.initial(f.sub, into.FieldByIndex(f.index), at)
		}
	}
}

// scalar decodes a plain value and checks its bounds.
func (d *decoder) scalar(n *node, f *fieldInfo, into reflect.Value, path string) {
	fail := func(hint, want string) {
		if n.shape == scalarNode && n.isNull() {
			d.out.add(n.pos, path, hint, "%s has no value; want %s", path, want)
			return
		}
		d.out.add(n.pos, path, hint, "%s is %s; want %s", path, n.what(), want)
	}
	if n.shape != scalarNode || n.isNull() {
		fail("", f.wants(into.Kind()))
		return
	}
	switch into.Kind() {
	case reflect.Float64:
		v, ok := d.number(n, f, path, fail)
		if ok && f.within(d.out, n, path, v) {
			into.SetFloat(v + 0)
		}
	case reflect.Int, reflect.Int64, reflect.Uint64:
		d.whole(n, f, into, path, fail)
	case reflect.Bool:
		v, ok := parseBool(n.text)
		if !ok || n.quoted {
			hint := ""
			switch strings.ToLower(n.text) {
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
		_, number := parseNumber(n.text)
		_, boolean := parseBool(n.text)
		if !n.quoted && (number || boolean) {
			fail(`write "`+n.text+`" if this text is meant`, f.wants(reflect.String))
			return
		}
		if len(f.enum) > 0 && !slices.Contains(f.enum, n.text) {
			d.out.add(n.pos, path, meantOneOf(n.text, f.enum), "%s cannot be %s", path, quote(n.text))
			return
		}
		if f.required && n.text == "" {
			d.out.add(n.pos, path, "", "%s is empty: %s", path, f.describe())
			return
		}
		into.SetString(n.text)
		if f.file && n.text != "" {
			if h := d.fileHash(n.text); h.err != nil {
				d.out.add(n.pos, path, "", "%s: %v", path, h.err)
			}
		}
	}
}

// kind returns the kind of the field's plain value, or of a list's items.
func (f *fieldInfo) kind() reflect.Kind {
	if f.typ == nil {
		return reflect.String
	}
	if k := f.typ.Kind(); k != reflect.Slice && k != reflect.Array {
		return k
	}
	return f.typ.Elem().Kind()
}

// wants says in words what the field takes.
func (f *fieldInfo) wants(k reflect.Kind) string {
	if ex := unitExamples[f.unit]; ex != "" {
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
		if len(f.enum) > 0 {
			return "one of " + strings.Join(f.enum, ", ")
		}
		return "text"
	case reflect.Struct:
		return "a map"
	}
	return "a list"
}

// fileHash returns the content hash of an input file, computed once.
func (d *decoder) fileHash(path string) fileHash {
	if d.hashFile == nil {
		return fileHash{hash: "path:" + path}
	}
	if h, ok := d.hashes[path]; ok {
		return h
	}
	var h fileHash
	h.hash, h.err = d.hashFile(path)
	d.hashes[path] = h
	return h
}
