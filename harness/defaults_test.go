package harness

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/sweep/params"
)

var update = flag.Bool("update", false, "rewrite golden files; look at the difference before you commit it")

// Fields at their defaults are not in the ids of instances, so that a default that changes gives old rows a new meaning: a
// line here may be added, and changes only together with the version of its kind.
func TestDefaultsAreKept(t *testing.T) {
	var b strings.Builder
	for _, s := range Registry().Sections {
		for _, k := range s.Kinds {
			ps, err := params.Parameters(k.Params)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s %s version %d\n", s.Name, k.Name, k.Version)
			for _, p := range ps {
				fmt.Fprintf(&b, "    %s %s\n", p.Path, p.Default)
			}
		}
	}
	path := filepath.Join("testdata", "defaults.txt")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Errorf("defaults (-kept +now); raise the Version of a kind of which one changes, then go test ./harness -run Defaults -update:\n%s", d)
	}
}
