package params_test

import (
	"strings"
	"testing"

	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// law holds the common fields of the kinds of a section.
type law struct {
	Name string  `sweep:"name" doc:"name"`
	Mean float64 `sweep:"mean" doc:"mean"`
}

func (l *law) Validate(report func(field, message string)) {
	if l.Mean < 0 {
		report("mean", "is below 0")
	}
}

type drawn struct {
	Jobs int `sweep:"jobs" doc:"jobs"`
}

// inline is drawn with the shared struct as a field of its own.
type inline struct {
	drawn
	Law law `sweep:"law" doc:"law"`
}

// TestSharedFields: a struct that all kinds share is written, checked and hashed as a
// field of each, unless a kind has a field of that name itself.
func TestSharedFields(t *testing.T) {
	section := func(shared []params.Shared, p any) *params.SectionInfo {
		cat, err := params.NewCatalog(
			&params.Registry{Sections: []params.Section{{Name: "workload", Kinds: []params.Kind{{Name: "drawn", Params: p}}, Shared: shared}}})
		if err != nil {
			t.Fatal(err)
		}
		return cat.Sections[0]
	}
	decode := func(s *params.SectionInfo, yaml string) (*params.Resolved, string) {
		var out text.Sink
		n := text.Parse(&text.Source{}, []byte(yaml), &out)
		r := params.NewDecoder(&out, nil).Section(n, s)
		var said strings.Builder
		for _, m := range out.Found {
			said.WriteString(m.Message)
		}
		return r, said.String()
	}
	shared := section([]params.Shared{{Name: "law", Doc: "law", For: "a study", Params: law{"x", 1}}}, drawn{5})
	hidden := section([]params.Shared{{Name: "law", Doc: "law", For: "a study", Params: law{"y", 7}}}, inline{drawn{5}, law{"x", 1}})
	for _, yaml := range []string{"{kind: drawn}", "{kind: drawn, jobs: 7}", "{kind: drawn, law: {mean: 3}}",
		"{kind: drawn, jobs: 8, law: {name: z, mean: 1}}"} {
		a, _ := decode(shared, yaml)
		b, _ := decode(hidden, yaml)
		if string(a.Canonical) != string(b.Canonical) {
			t.Errorf("%s is hashed as\n%s, as a field of the kind\n%s", yaml, a.Canonical, b.Canonical)
		}
		p, ok := a.Shared("law")
		if v := b.Params.(*inline); !ok || *p.(*law) != v.Law || *a.Params.(*drawn) != v.drawn {
			t.Errorf("%s gives %v and %v, want %v", yaml, a.Params, p, v)
		}
		if _, ok := b.Shared("law"); ok {
			t.Error("a hidden struct is there")
		}
	}
	if _, said := decode(shared, "{kind: drawn, law: {mean: -1}}"); !strings.Contains(said, "workload.law.mean is below 0") {
		t.Errorf("said %q", said)
	}
}
