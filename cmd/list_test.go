package cmd

import (
	"testing"

	"schedsweep/harness/input"
	"schedsweep/sweep/params"
	"schedsweep/sweep/schema"
)

// Who reads list must not have to guess what a value means; presets have a list
// of their own.
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
