package input_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"schedsweep/harness/input"
	"schedsweep/harness/store/golden"
	"schedsweep/sweep/params"
)

// Fields at their defaults are not in the ids of instances, so that a default that changes gives old rows a new meaning: a
// line here may be added, and changes only together with the version of its kind.
func TestDefaultsAreKept(t *testing.T) {
	var b strings.Builder
	list := func(ps []params.Parameter, err error) {
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range ps {
			fmt.Fprintf(&b, "    %s %s\n", p.Path, p.Default)
		}
	}
	for _, s := range input.Registry().Sections {
		for _, k := range s.Kinds {
			fmt.Fprintf(&b, "%s %s version %d\n", s.Name, k.Name, k.Version)
			list(params.Parameters(k.Params))
		}
		for _, f := range s.Shared {
			fmt.Fprintf(&b, "%s of every kind, for %s\n", s.Name, f.For)
			list(f.Parameters())
		}
	}
	// A default of every kind goes with SemanticVersion.
	if golden.Check(t, filepath.Join("testdata", "defaults.txt"), b.String()); t.Failed() {
		t.Error("raise the Version of a kind of which a default changes, then go test ./harness/input -run Defaults -update")
	}
}
