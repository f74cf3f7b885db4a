package harness

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A folder that was begun on another architecture is gone on with, and that is
// said.
func TestRunsElsewhereAreTold(t *testing.T) {
	m, in := loaded(t, small)
	dir := t.TempDir()
	cfg := Config{Manifest: m, Inputs: in, Dir: dir}
	if sum, err := Run(t.Context(), cfg); err != nil || sum.Elsewhere != "" {
		t.Fatalf("elsewhere %q, error %v", sum.Elsewhere, err)
	}
	path := filepath.Join(dir, provenanceFile)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(string(text), `"architecture": "`+architecture()+`"`, `"architecture": "pdp11"`, 1)
	if err := os.WriteFile(path, []byte(other), 0o644); err != nil {
		t.Fatal(err)
	}
	if sum, err := Run(t.Context(), cfg); err != nil || sum.Elsewhere != "pdp11" {
		t.Errorf("elsewhere %q, error %v", sum.Elsewhere, err)
	}
}
