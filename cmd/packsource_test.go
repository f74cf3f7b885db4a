package cmd

import (
	"archive/tar"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPackNamesItsProgram: an artifact names the version, the commit and the checksum of the source of the program that packed it.
func TestPackNamesItsProgram(t *testing.T) {
	was := sourceSum
	sourceSum = strings.Repeat("5a", 32)
	t.Cleanup(func() { sourceSum = was })
	dir := t.TempDir()
	manifest, rows, packed := filepath.Join(dir, "m.yaml"), filepath.Join(dir, "run"), filepath.Join(dir, "study.tar")
	text := "name: packed\nreplications: 2\nworkload: {kind: lublin, jobs: 20}\npolicy: {kind: fcfs}\n"
	if err := os.WriteFile(manifest, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	mustCall(t, exitDone, "run", manifest, "--out", rows, "--quiet")
	mustCall(t, exitDone, "pack", manifest, "--out", rows, "--to", packed, "--author", "Lovelace, Ada", "--license", "CC-BY-4.0")
	files := map[string]string{}
	f, err := os.Open(packed)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for archive := tar.NewReader(f); ; {
		head, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		files[path.Base(head.Name)] = string(content)
	}
	commit, _ := revisionOf(built().Settings)
	names := "git checkout " + commit
	if commit == "" { // as in a test: the README says so
		names = "the program does not know the commit that it was built from"
	}
	readme, source := files["README.md"], sourceArchive+" with SHA-256 "+sourceSum
	for _, want := range []string{"schedsweep " + version(), "Its source: " + source, names} {
		if !strings.Contains(readme, want) {
			t.Errorf("the README does not name %q:\n%s", want, readme)
		}
	}
	var crate struct {
		Graph []map[string]any `json:"@graph"`
	}
	if err := json.Unmarshal([]byte(files["ro-crate-metadata.json"]), &crate); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(crate.Graph, func(e map[string]any) bool { return e["identifier"] == source }) {
		t.Error("the crate does not name the source")
	}
}
