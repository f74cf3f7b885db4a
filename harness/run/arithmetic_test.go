package run

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"schedsweep/harness/folder"
	"schedsweep/harness/harnesstest"
)

// A run continues a folder of a machine that rounds otherwise, and says so, also after the manifest has grown.
func TestRunsElsewhereAreTold(t *testing.T) {
	m, in := harnesstest.Loaded(t, harnesstest.Small)
	dir := t.TempDir()
	cfg := Config{Manifest: m, Inputs: in, Dir: dir}
	if sum, err := Sweep(t.Context(), cfg); err != nil || sum.Elsewhere {
		t.Fatalf("elsewhere %t, error %v", sum.Elsewhere, err)
	}
	path := filepath.Join(dir, "provenance.json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(string(text), `"arithmetic": "`+folder.Arithmetic()+`"`, `"arithmetic": "pdp11 00000000"`, 1)
	if err := os.WriteFile(path, []byte(other), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, manifest := range []string{harnesstest.Small, strings.Replace(harnesstest.Small, "replications: 5", "replications: 6", 1),
		harnesstest.Small} {
		cfg.Manifest, cfg.Inputs = harnesstest.Loaded(t, manifest)
		if sum, err := Sweep(t.Context(), cfg); err != nil || !sum.Elsewhere {
			t.Errorf("elsewhere %t, error %v", sum.Elsewhere, err)
		}
	}
}
