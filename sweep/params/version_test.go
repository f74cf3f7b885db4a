package params_test

import (
	"strings"
	"testing"

	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// scaled has another answer than before where it has a load.
type scaled struct {
	Load float64 `sweep:"load" doc:"load"`
}

func (s *scaled) Version() int {
	if s.Load > 0 {
		return 1
	}
	return 0
}

// TestVersionOfParameters: parameters whose answer changed raise the version, and no others.
func TestVersionOfParameters(t *testing.T) {
	cat, err := params.NewCatalog(&params.Registry{Sections: []params.Section{{Name: "workload",
		Kinds: []params.Kind{{Name: "scaled", Version: 2, Params: scaled{}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	for yaml, want := range map[string]string{"{kind: scaled}": "version 2", "{kind: scaled, load: 0.5}": "version 3"} {
		var out text.Sink
		r := params.NewDecoder(&out, nil).Section(text.Parse(&text.Source{}, []byte(yaml), &out), cat.Sections[0])
		if !strings.Contains(string(r.Canonical), want) || r.Hashed()[0].Value != "scaled ("+want+")" {
			t.Errorf("%s: %s%v", yaml, r.Canonical, r.Hashed())
		}
	}
}
