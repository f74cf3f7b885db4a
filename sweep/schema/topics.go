package schema

import (
	_ "embed"
	"reflect"
	"strings"

	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

// language is the guide to the keys of a manifest: a topic for each heading.
//
//go:embed language.md
var language string

// Topic is a part of the guide to manifests.
type Topic struct {
	// Name is manifest, axes, zip and so on: a key of manifests but for the first.
	Name string
	// Text explains it, with examples indented by four spaces.
	Text string
	// Fields are those of the entries below the key, where they have names.
	Fields []params.Parameter
}

// Topics returns the guide to manifests, apart from the sections of a registry.
func Topics() []Topic {
	var out []Topic
	for _, part := range strings.Split(language, "\n# ") {
		name, says, _ := strings.Cut(strings.TrimPrefix(part, "# "), "\n")
		t := Topic{Name: strings.ToLower(name), Text: strings.TrimSpace(says)}
		switch t.Name {
		case "manifest":
			t.Fields = fieldsOf("", manifest.HeaderDefaults)
			t.Fields[0].Default = "required" // a parent may give it, so that the tag cannot say so
		case manifest.SampleKey:
			t.Fields = append(optional("", manifest.MethodDefaults), optional(manifest.OverKey+".PATH.", manifest.Span{Scale: "linear"})...)
		case "analysis":
			const selection = "map"
			t.Fields = append(fieldsOf("", study.AnalysisDefaults), ofFigureKinds()...)
			t.Fields = append(t.Fields,
				params.Parameter{Path: "figures[].where", Type: selection, Default: "-", Doc: "the points that are shown: axis -> value, values or " +
					"{from, to}"},
				params.Parameter{Path: "figures[].published[].where", Type: selection, Default: "-", Doc: "the points that the value is of"},
				params.Parameter{Path: "baseline", Type: selection, Default: "-", Doc: "the point that all others are compared with: axis -> value"})
		case "claims":
			t.Fields = append(fieldsOf("", study.ClaimDefaults),
				params.Parameter{Path: study.PublishedKey, Type: "any", Default: "-", Doc: study.PublishedDoc},
				params.Parameter{Path: manifest.FamilyKey, Type: "list", Default: "-", Doc: manifest.FamilyDoc})
			t.Fields = append(t.Fields, optional("", study.Bounds{})...)
		case study.FindKey:
			t.Fields = optional("", study.QuestionDefaults)
			for _, k := range study.QuestionKinds {
				t.Fields = append(t.Fields, params.Parameter{Path: k.Name, Type: "map", Default: "-", Doc: k.Doc})
			}
			t.Fields = append(t.Fields, optional("KIND.", study.Asked{})...)
		}
		for i := range t.Fields {
			if t.Fields[i].Path == "figures[].kind" {
				t.Fields[i].Values = text.Each(study.FigureKinds, func(k *study.FigureKind) params.Choosable {
					return params.Choosable{Name: k.Name, Doc: k.Doc}
				})
			}
		}
		out = append(out, t)
	}
	return out
}

func fieldsOf(prefix string, defaults any) []params.Parameter {
	v := reflect.ValueOf(defaults)
	return params.Listed(nil, prefix, params.MustReflect(v.Type()), v)
}

// optional lists fields whose 0 is no default: a missing value is derived from other fields, or is no bound.
func optional(prefix string, defaults any) []params.Parameter {
	fields := fieldsOf(prefix, defaults)
	for i, f := range fields {
		if f.Default == "0" || f.Default == "[0, 0]" {
			fields[i].Default = "-"
		}
	}
	return fields
}

// ofFigureKinds lists the fields that only some kinds of figures have, each once with these kinds.
func ofFigureKinds() []params.Parameter {
	var out []params.Parameter
	kinds := map[string][]string{}
	for _, k := range study.FigureKinds {
		for _, f := range fieldsOf("figures[].", reflect.ValueOf(k.New()).Elem().Interface()) {
			if kinds[f.Path] == nil {
				out = append(out, f)
			}
			kinds[f.Path] = append(kinds[f.Path], k.Name)
		}
	}
	for i := range out {
		out[i].Doc += " (" + strings.Join(kinds[out[i].Path], ", ") + ")"
	}
	return out
}
