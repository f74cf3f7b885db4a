package harness

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A folder that was begun on a machine that rounds otherwise is gone on with, and
// that is said, also when the manifest has grown in between.
func TestRunsElsewhereAreTold(t *testing.T) {
	m, in := loaded(t, small)
	dir := t.TempDir()
	cfg := Config{Manifest: m, Inputs: in, Dir: dir}
	if sum, err := Run(t.Context(), cfg); err != nil || sum.Elsewhere {
		t.Fatalf("elsewhere %t, error %v", sum.Elsewhere, err)
	}
	path := filepath.Join(dir, "provenance.json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(string(text), `"arithmetic": "`+arithmetic()+`"`, `"arithmetic": "pdp11 00000000"`, 1)
	if err := os.WriteFile(path, []byte(other), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, manifest := range []string{small, strings.Replace(small, "replications: 5", "replications: 6", 1), small} {
		cfg.Manifest, cfg.Inputs = loaded(t, manifest)
		if sum, err := Run(t.Context(), cfg); err != nil || !sum.Elsewhere {
			t.Errorf("elsewhere %t, error %v", sum.Elsewhere, err)
		}
	}
}
