package cmd

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/analysis/table"
	"schedsweep/harness/input"
	"schedsweep/sweep/params"
	"schedsweep/sweep/schema"
)

// Readers of list must not have to guess the meaning of a value. Presets have a list of their own.
func TestChoicesAreExplained(t *testing.T) {
	explained := func(of string, fields []params.Parameter) {
		for _, f := range fields {
			for _, v := range f.Values {
				if v.Doc == "" && f.Path != "preset" {
					t.Errorf("%s.%s: nothing says what %s means", of, f.Path, v.Name)
				}
			}
		}
	}
	for _, s := range input.Registry().Sections {
		for _, k := range s.Kinds {
			fields, err := params.Parameters(k.Params)
			if err != nil {
				t.Fatal(err)
			}
			explained(s.Name, fields)
		}
		for _, f := range s.Shared {
			fields, err := f.Parameters()
			if err != nil {
				t.Fatal(err)
			}
			explained(s.Name, fields)
		}
	}
	for _, topic := range schema.Topics() {
		explained(topic.Name, topic.Fields)
	}
}

// TestCommonFields: fields that most kinds have are listed once, with the default of most kinds, and the others name their own.
func TestCommonFields(t *testing.T) {
	field := func(path, initial string) params.Parameter {
		return params.Parameter{Path: path, Type: "integer", Default: initial, Doc: "of " + path}
	}
	common := commonFields([][]params.Parameter{
		{field("a", "1"), field("own", "0")}, {field("a", "2")}, {field("a", "2"), field("b", "5")}, {field("b", "5")},
		{field("b", "6"), field("a", "3")},
	})
	if d := cmp.Diff([]params.Parameter{field("a", "2"), field("b", "5")}, common); d != "" {
		t.Error(d)
	}
}

// TestEveryFieldIsListed: each field of each kind is under it or among the common ones, with the default that it has there.
func TestEveryFieldIsListed(t *testing.T) {
	for _, s := range input.Registry().Sections {
		var out strings.Builder
		if err := listSection(&lister{printer{w: &out}, table.Terminal{Width: 10_000}}, s); err != nil {
			t.Fatal(err)
		}
		listed, common, _ := strings.Cut(out.String(), s.Name+": common fields of the kinds\n")
		common, _, _ = strings.Cut(common, "\n\n")
		for _, k := range s.Kinds {
			_, own, _ := strings.Cut("\n"+listed, "\n"+strings.TrimSpace(s.Name+" "+k.Name)+": ")
			own, _, _ = strings.Cut(own, "\n\n")
			fields, err := params.Parameters(k.Params)
			if err != nil {
				t.Fatal(err)
			}
			_, also, has := strings.Cut(own, "also: the common fields below")
			for _, f := range fields {
				row := regexp.MustCompile(`(?m)^  ` + regexp.QuoteMeta(f.Path) + ` .*  ` + regexp.QuoteMeta(f.Default) + `( |$)`)
				shared := has && (row.MatchString(common) || strings.Contains(also, " "+f.Path+" "+f.Default))
				if !row.MatchString(own) && !shared {
					t.Errorf("%s %s: %s with the default %q is not listed:\n%s", s.Name, k.Name, f.Path, f.Default, own)
				}
			}
		}
	}
}
