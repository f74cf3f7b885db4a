package params

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"schedsweep/sweep/text"
)

// Resolved is one section as instances have it: defaults, base and axis values
// together. It is shared between instances and must not be changed.
type Resolved struct {
	// Section and Kind are the names; Kind is "" for a section without kinds.
	Section, Kind string
	// Params points to the decoded parameter struct.
	Params any
	// Canonical is the hashed text: a line "section NAME kind KIND version N" and then one line "path type value" for every field
	// that is not at its default, sorted by path. So a field added later leaves the ids of manifests that do not use it. Fields
	// that cannot change an answer are left out too, and an input file is written as its content's hash. A default that changes
	// must raise the kind's version.
	Canonical []byte
	// Hash is the SHA-256 of Canonical.
	Hash [32]byte

	info  *SectionInfo
	kind  *KindInfo
	whole reflect.Value // points to the kind's own parameters and the shared ones
}

// canonicalVersion is raised when the encoding changes, for then ids do.
const canonicalVersion = 2

// Canonical encodes the section.
func (d *Decoder) Canonical(r *Resolved) []byte {
	lines := d.encode(nil, "", r.kind.Fields, r.whole.Elem(), r.kind.Defaults)
	slices.Sort(lines)
	return canonicalOf(r, lines)
}

// version is that of the kind, and what its parameters add to it: an answer that changed for some parameters alone keeps the
// ids of all others.
func (r *Resolved) version() int {
	if p, ok := r.Params.(interface{ Version() int }); ok {
		return r.kind.version + p.Version()
	}
	return r.kind.version
}

func canonicalOf(r *Resolved, lines []string) []byte {
	head := "section " + r.Section + " kind " + strconv.Quote(r.Kind) + " version " + strconv.Itoa(r.version()) + " encoding " +
		strconv.Itoa(canonicalVersion) + "\n"
	n := len(head)
	for _, l := range lines {
		n += len(l) + 1
	}
	out := make([]byte, 0, n)
	out = append(out, head...)
	for _, l := range lines {
		out = append(append(out, l...), '\n')
	}
	return out
}

// encode appends a line for every hashed field of a struct that is not what
// defaults has there, and for the kind and the fields that it chooses. Without
// defaults they are zero.
func (d *Decoder) encode(lines []string, prefix string, info *Struct, v, defaults reflect.Value) []string {
	if !defaults.IsValid() {
		defaults = reflect.Zero(info.Type)
	}
	for _, f := range info.Fields {
		if f.Unhashed {
			continue
		}
		lines = d.encodeField(lines, prefix+f.Name, f, v.FieldByIndex(f.Index), defaults.FieldByIndex(f.Index))
	}
	if info.Choice == nil {
		return lines
	}
	kind, params := info.Choice.chosen(v)
	if kind == nil {
		return lines
	}
	lines = append(lines, prefix+KindKey+" s "+strconv.Quote(kind.Name))
	if kind.version != 0 {
		lines = append(lines, prefix+KindKey+".version i "+strconv.Itoa(kind.version))
	}
	return d.encode(lines, prefix, kind.Fields, params, kind.Defaults)
}

// encodeField appends the lines of one field. Types are part of a line, so
// that the number 1 and the string "1" differ. A list's length is a line of its
// own, so that lists cannot run into one another.
func (d *Decoder) encodeField(lines []string, path string, f *Field, v, defaults reflect.Value) []string {
	if v.Kind() == reflect.Struct {
		return d.encode(lines, path+".", f.Fields, v, defaults)
	}
	none := v.Kind() == reflect.Slice && v.Len() == 0 && defaults.Len() == 0 // a list without elements is no list
	if !f.file && (none || reflect.DeepEqual(v.Interface(), defaults.Interface())) {
		return lines
	}
	return d.encodeValue(lines, path, f, v)
}

// encodeValue appends the lines of a field, also at its default.
func (d *Decoder) encodeValue(lines []string, path string, f *Field, v reflect.Value) []string {
	switch v.Kind() {
	case reflect.Array, reflect.Slice:
		lines = append(lines, path+" n "+strconv.Itoa(v.Len()))
		var element reflect.Value
		if f.Fields != nil {
			element = reflect.New(f.Fields.Type).Elem()
			d.initial(f.Fields, element, &text.Node{})
		}
		for i := range v.Len() {
			item := path + "[" + strconv.Itoa(i) + "]"
			if f.Keyed != "" {
				item = path + "." + f.keyOf(v.Index(i))
			}
			if f.Fields != nil {
				lines = d.encode(lines, item+".", f.Fields, v.Index(i), element)
			} else {
				lines = d.encodeValue(lines, item, f, v.Index(i))
			}
		}
		return lines
	case reflect.Float64:
		return append(lines, path+" f "+FormatFloat(v.Float()))
	case reflect.Int, reflect.Int64:
		return append(lines, path+" i "+strconv.FormatInt(v.Int(), 10))
	case reflect.Uint64:
		return append(lines, path+" i "+strconv.FormatUint(v.Uint(), 10))
	case reflect.Bool:
		return append(lines, path+" b "+strconv.FormatBool(v.Bool()))
	}
	if f.file {
		if v.String() == "" {
			return lines
		}
		return append(lines, path+" file "+strconv.Quote(d.fileHash(v.String()).Hash))
	}
	return append(lines, path+" s "+strconv.Quote(v.String()))
}

// HashedField is a field of [Resolved.Canonical] for people.
type HashedField struct {
	Field string `json:"field"`
	Value string `json:"value"`
}

// Difference is a field in which two variants of a section differ.
type Difference struct {
	Field string `json:"field"`
	A     string `json:"this"`
	B     string `json:"nearest"`
}

// Hashed lists the hashed parts of the section: its kind with the version, and the
// fields that are not at their defaults.
func (r *Resolved) Hashed() []HashedField {
	_, rest, _ := bytes.Cut(r.Canonical, []byte("\n"))
	var out []HashedField
	if r.Kind != "" {
		out = append(out, HashedField{r.Section + ".kind", fmt.Sprintf("%s (version %d)", r.Kind, r.version())})
	} else if r.kind.version > 0 {
		out = append(out, HashedField{r.Section, fmt.Sprintf("version %d", r.kind.version)})
	}
	for line := range bytes.Lines(rest) {
		path, typed, _ := strings.Cut(strings.TrimSuffix(string(line), "\n"), " ")
		kind, value, _ := strings.Cut(typed, " ")
		switch kind {
		case "n":
			n, _ := strconv.Atoi(value)
			value = text.Counted(n, "element")
		case "s", "file":
			if plain, err := strconv.Unquote(value); err == nil {
				value = plain
			}
			if kind == "file" {
				value = "content " + value
			}
		}
		out = append(out, HashedField{r.Section + "." + path, value})
	}
	return out
}

// Differences lists the fields in which two variants of one section differ. A field that is at its default in one of
// them is written with the default.
func (r *Resolved) Differences(o *Resolved) []Difference {
	a, b := r.Hashed(), o.Hashed()
	at := func(fields []HashedField, name string) int {
		return slices.IndexFunc(fields, func(f HashedField) bool { return f.Field == name })
	}
	var out []Difference
	for _, name := range text.Once(nil, text.Each(slices.Concat(a, b), func(f HashedField) string { return f.Field })...) {
		value := func(of *Resolved, fields []HashedField) string {
			if i := at(fields, name); i >= 0 {
				return fields[i].Value
			}
			if v, ok := of.Value(strings.Split(strings.TrimPrefix(name, of.Section+"."), ".")); ok {
				return v.String() + " (default)"
			}
			return "-"
		}
		if v, w := value(r, a), value(o, b); v != w {
			out = append(out, Difference{name, v, w})
		}
	}
	return out
}

// Altered returns a section that differs from r in what alter changes of a copy of its parameters (see [Resolved.Params]), or nil
// where alter reports that it changes nothing. alter sets fields, and does not change what lists hold.
func (d *Decoder) Altered(r *Resolved, alter func(params any) bool) *Resolved {
	params := reflect.New(r.kind.Fields.Type)
	params.Elem().Set(r.whole.Elem())
	if !alter(r.kind.own(params)) {
		return nil
	}
	out := r.kind.resolved(r.Section, r.info, params)
	out.Canonical = d.Canonical(out)
	out.Hash = sha256.Sum256(out.Canonical)
	return out
}
