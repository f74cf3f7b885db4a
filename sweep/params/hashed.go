package params

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// HashedField is a field of [Resolved.Canonical] for people.
type HashedField struct{ Field, Value string }

// Difference is a field in which two variants of a section differ.
type Difference struct{ Field, A, B string }

// Hashed lists what is hashed of the section: its kind with the version, and the
// fields that are not at their defaults.
func (r *Resolved) Hashed() []HashedField {
	_, rest, _ := bytes.Cut(r.Canonical, []byte("\n"))
	var out []HashedField
	if r.Kind != "" {
		out = append(out, HashedField{r.Section + ".kind", fmt.Sprintf("%s (version %d)", r.Kind, r.kind.version)})
	} else if r.kind.version > 0 {
		out = append(out, HashedField{r.Section, fmt.Sprintf("version %d", r.kind.version)})
	}
	for line := range bytes.Lines(rest) {
		path, typed, _ := strings.Cut(strings.TrimSuffix(string(line), "\n"), " ")
		kind, value, _ := strings.Cut(typed, " ")
		switch kind {
		case "n":
			value += " elements"
		case "s", "file":
			if text, err := strconv.Unquote(value); err == nil {
				value = text
			}
			if kind == "file" {
				value = "content " + value
			}
		}
		out = append(out, HashedField{r.Section + "." + path, value})
	}
	return out
}

// Differences lists the fields in which two variants of one section differ. A field
// that one of them has at its default stands with that.
func (r *Resolved) Differences(o *Resolved) []Difference {
	a, b := r.Hashed(), o.Hashed()
	var names []string
	at := func(fields []HashedField, name string) int {
		return slices.IndexFunc(fields, func(f HashedField) bool { return f.Field == name })
	}
	for _, f := range append(slices.Clone(a), b...) {
		if !slices.Contains(names, f.Field) {
			names = append(names, f.Field)
		}
	}
	var out []Difference
	for _, name := range names {
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
