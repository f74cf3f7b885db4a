package folder_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/harnesstest"
	"schedsweep/harness/rows"
	"schedsweep/harness/run"
	"schedsweep/harness/store"
	"schedsweep/sim/simtest"
)

// few is a sweep of 16 instances, grown the same with 8 more.
const (
	few   = "name: few\nreplications: 8\nworkload: {kind: lublin, jobs: 3}\naxes: {policy.kind: [fcfs, easy]}\n"
	grown = "name: few\nreplications: 12\nworkload: {kind: lublin, jobs: 3}\naxes: {policy.kind: [fcfs, easy]}\n"
)

// TestKilledWhileItOpensTheFolder stops a run before and after each file that it writes in a folder. The folder is new or
// grows. A file that is cut off may leave remains. Another test kills the writing of one file
// (TestReplacedWholeOrNotAtAll). The next run continues.
func TestKilledWhileItOpensTheFolder(t *testing.T) {
	stopped := errors.New("killed")
	for _, begins := range []string{"", few} {
		tried := 0
		for step, ended := 0, false; !ended; step++ {
			dir := t.TempDir()
			rows := 0
			if begins != "" {
				m, in := harnesstest.Loaded(t, begins)
				if _, err := run.Sweep(context.Background(), run.Config{Manifest: m, Inputs: in, Dir: dir}); err != nil {
					t.Fatal(err)
				}
				rows = 16
			}
			m, in := harnesstest.Loaded(t, grown)
			plan, err := m.Plan()
			if err != nil {
				t.Fatal(err)
			}
			left := step
			f := folder.Folder{Dir: dir, Manifest: m, Rows: rows, Shared: rows > 0, Note: func(string) {}}
			f.WriteBy(func(path string, write func() error, content []byte) error {
				if left == 0 {
					return stopped
				}
				if left--; left == 0 && step%2 == 0 { // a later file is begun too
					return errors.Join(stopped, os.WriteFile(filepath.Join(dir, ".manifest.yaml.0123.tmp"), content[:len(content)/2], 0o644))
				}
				return write()
			})
			_, err = f.Open(folder.Provenance{Manifest: m.Name, ManifestHash: m.Hash(), Instances: plan.Len(),
				SemanticVersion: harness.SemanticVersion})
			ended = err == nil
			if err != nil && !errors.Is(err, stopped) {
				t.Fatalf("step %d: %v", step, err)
			}
			tried++
			var notes []string
			sum, err := run.Sweep(context.Background(),
				run.Config{Manifest: m, Inputs: in, Dir: dir, Note: func(n string) { notes = append(notes, n) }})
			if err != nil || sum.OK != 24-rows || sum.Existing != rows || len(notes) > 0 {
				t.Errorf("from %q, step %d: %+v, notes %q, error %v", begins, step, sum, notes, err)
			}
			if text, err := os.ReadFile(folder.ManifestPath(dir)); err != nil || string(text) != string(m.Resolved()) {
				t.Errorf("from %q, step %d: the manifest reads %q, %v", begins, step, text, err)
			}
			if p, err := folder.Read(dir); err != nil || p.ManifestHash != m.Hash() || p.Instances != 24 {
				t.Errorf("from %q, step %d: provenance %+v, %v", begins, step, p, err)
			}
		}
		if tried < 4 {
			t.Errorf("only %d steps", tried)
		}
	}
}

// TestRunEndsWhileAnotherOpens: a run that ends while the run of a larger manifest opens the folder loses no part of
// provenance.json.
func TestRunEndsWhileAnotherOpens(t *testing.T) {
	dir := t.TempDir()
	m, in := harnesstest.Loaded(t, few)
	if _, err := run.Sweep(context.Background(), run.Config{Manifest: m, Inputs: in, Dir: dir}); err != nil {
		t.Fatal(err)
	}
	ends := folder.NewRecorder(dir, folder.Run{Shard: 1, Shards: 2, Started: time.Now()}, func(text string) { t.Error(text) }, time.Now)
	ended := make(chan bool)
	m, _ = harnesstest.Loaded(t, grown)
	f := folder.Folder{Dir: dir, Manifest: m, Rows: 16, Shared: true, Note: func(string) {}}
	f.WriteBy(func(path string, write func() error, _ []byte) error {
		if filepath.Base(path) == "provenance.json" {
			go func() { ends.End(folder.Counts{}, nil); close(ended) }()
			select {
			case <-ended: // in between, where no lock keeps it out
			case <-time.After(100 * time.Millisecond):
			}
		}
		return write()
	})
	if _, err := f.Open(folder.Provenance{Manifest: "few", ManifestHash: m.Hash(), Instances: 24}); err != nil {
		t.Fatal(err)
	}
	<-ended
	p, err := folder.Read(dir)
	if err != nil || p.ManifestHash != m.Hash() || len(p.Runs) != 2 {
		t.Errorf("the manifest is the new one: %t; %d runs, %v", p.ManifestHash == m.Hash(), len(p.Runs), err)
	}
}

// A folder that a run of an earlier release began, and was killed in, holds its
// manifest and no more.
func TestManifestAlone(t *testing.T) {
	m, in := harnesstest.Loaded(t, few)
	dir := t.TempDir()
	if err := os.WriteFile(folder.ManifestPath(dir), m.Resolved(), 0o644); err != nil {
		t.Fatal(err)
	}
	if sum, err := run.Sweep(context.Background(), run.Config{Manifest: m, Inputs: in, Dir: dir}); err != nil || sum.OK != 16 {
		t.Errorf("%+v, %v", sum, err)
	}
}

// TestShardsMakeOneFolderTogether starts shards at once in folders that do not
// exist: all are taken in.
func TestShardsMakeOneFolderTogether(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	const shards = 16
	for range simtest.Cases(3, 6) {
		dir := filepath.Join(t.TempDir(), "new", "run")
		var all sync.WaitGroup
		start := make(chan struct{})
		for i := range shards {
			m, in := harnesstest.Loaded(t, few)
			all.Go(func() {
				<-start
				sum, err := run.Sweep(context.Background(), run.Config{Manifest: m, Inputs: in, Dir: dir, Workers: 1, Shard: i, Shards: shards})
				if err != nil || sum.OK != 1 {
					t.Errorf("shard %d of %d: %+v, %v", i, shards, sum, err)
				}
			})
		}
		close(start)
		all.Wait()
		if n := harnesstest.RowsOf(t, dir).Rows; n != 16 {
			t.Fatalf("%d rows of 16", n)
		}
	}
}

// TestManifestPaths: a run folder may have brackets in its name.
func TestManifestPaths(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cores[64]")
	want := []string{filepath.Join(dir, "manifest.yaml"), filepath.Join(dir, "manifests", "0123.yaml")}
	for _, path := range want {
		if err := errors.Join(store.MakeFolder(filepath.Dir(path)), os.WriteFile(path, nil, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if got := folder.ManifestPaths(dir); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestLostFiles: a folder whose rows are intact stays open, says what it lost, and
// is whole again after the next run.
func TestLostFiles(t *testing.T) {
	m, in := harnesstest.Loaded(t, few)
	dir := t.TempDir()
	run := func() (run.Summary, []string) {
		t.Helper()
		var notes []string
		sum, err := run.Sweep(context.Background(),
			run.Config{Manifest: m, Inputs: in, Dir: dir, Origin: folder.Origin{Program: "1.2.3+abc"}, Note: func(n string) {
				notes = append(notes, n)
			}})
		if err != nil {
			t.Fatal(err)
		}
		return sum, notes
	}
	run()
	want, err := folder.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "provenance.json")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	merge := func() {
		if _, err := store.Merge(filepath.Join(dir, folder.Instances), store.MergeOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	for name, lose := range map[string]func() error{
		"missing": func() error { return os.Remove(path) },
		"empty":   func() error { return os.WriteFile(path, nil, 0o644) },
		"cut":     func() error { return os.WriteFile(path, whole[:len(whole)/2], 0o644) },
		"foreign": func() error { return os.WriteFile(path, []byte("{}"), 0o644) },
		"merged":  func() error { merge(); return os.Remove(path) },
	} {
		if err := lose(); err != nil {
			t.Fatal(err)
		}
		p, err := folder.Read(dir)
		if err != nil || p.Rebuilt == "" || strings.Contains(p.Rebuilt, " 1 part files") {
			t.Fatalf("%s: %+v, %v", name, p, err)
		}
		p.Rebuilt = ""
		if d := cmp.Diff(want, p); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
		if rows, _, err := rows.Read(m, dir); err != nil || rows.Rows != 16 {
			t.Errorf("%s: %v", name, err)
		}
		sum, notes := run()
		if sum.Existing != 16 || len(notes) != 1 || !strings.Contains(notes[0], path) || !strings.Contains(notes[0], "nothing is lost") {
			t.Errorf("%s: %+v, notes %q", name, sum, notes)
		}
		if again, err := os.ReadFile(path); err != nil || string(again) != string(whole) {
			t.Errorf("%s: the next run left\n%s\nin place of\n%s (%v)", name, again, whole, err)
		}
	}
	if err := os.Remove(folder.ManifestPath(dir)); err != nil {
		t.Fatal(err)
	}
	if _, notes := run(); len(notes) != 1 || !strings.Contains(notes[0], "manifest.yaml was missing: it is written anew") {
		t.Errorf("notes %q", notes)
	}
	if text, err := os.ReadFile(folder.ManifestPath(dir)); err != nil || string(text) != string(m.Resolved()) {
		t.Errorf("the manifest reads %q, %v", text, err)
	}
	if _, notes := run(); len(notes) > 0 {
		t.Errorf("a whole folder: notes %q", notes)
	}
}
