package input_test

import (
	"os"
	"path/filepath"
	"testing"

	"schedsweep/harness/input"
)

// A parent may be named by a path from the folder of the child, or by a whole one.
func TestParentsByPath(t *testing.T) {
	folder := t.TempDir()
	parent := filepath.Join(folder, "parent.yaml")
	if err := os.WriteFile(parent, []byte("name: p\nworkload: {kind: lublin, jobs: 3}\npolicy: {kind: fcfs}\nplatform: {preset: "+
		"griffon-8x16}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(folder, "sub")
	if err := os.Mkdir(elsewhere, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../parent.yaml", filepath.ToSlash(parent)} {
		child := filepath.Join(elsewhere, "child.yaml")
		if err := os.WriteFile(child, []byte("extends: "+name+"\nname: c\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, _, err := input.Load(child, input.Options{}); err != nil {
			t.Errorf("extends: %s: %v", name, err)
		}
	}
}
