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
	"time"
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

// TestPackDuringARun refuses rows that change while pack reads them: tables and rows of the artifact would differ.
func TestPackDuringARun(t *testing.T) {
	dir := t.TempDir()
	manifest, rows := filepath.Join(dir, "m.yaml"), filepath.Join(dir, "run")
	text := "name: packed\nreplications: 2\nworkload: {kind: lublin, jobs: 20}\npolicy: {kind: fcfs}\n"
	if err := os.WriteFile(manifest, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	mustCall(t, exitDone, "run", manifest, "--out", rows, "--quiet")
	parts, err := filepath.Glob(filepath.Join(rows, "instances", "*.parquet"))
	if err != nil || len(parts) == 0 {
		t.Fatal(parts, err)
	}
	packed, stopped := make(chan bool), make(chan bool)
	go func() { // as a run that writes all the time
		defer close(stopped)
		for at := time.Now(); ; at = at.Add(time.Second) {
			select {
			case <-packed:
				return
			case <-time.After(time.Millisecond):
				_ = os.Chtimes(parts[0], at, at)
			}
		}
	}()
	exit, _, stderr := called(t, "pack", manifest, "--out", rows, "--to", filepath.Join(dir, "study.tar"))
	close(packed)
	<-stopped
	if exit != exitBusy || !strings.Contains(stderr, "pack again") {
		t.Errorf("exit %d: %s", exit, stderr)
	}
}
