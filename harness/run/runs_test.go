package run

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"schedsweep/harness/engine"
	"schedsweep/harness/folder"
	"schedsweep/harness/harnesstest"
	"schedsweep/harness/store"
)

// TestRunsAreOnRecord: who ran what, where and how far is in the folder, in
// provenance.json and in the footer of each part; a run with nothing to do leaves
// no record.
func TestRunsAreOnRecord(t *testing.T) {
	dir := t.TempDir()
	m, in := harnesstest.Loaded(t, harnesstest.Small)
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var ticks atomic.Int64 // workers ask too
	cfg := Config{Manifest: m, Inputs: in, Dir: dir, Workers: 3, Shard: 1, Shards: 2,
		Origin:  folder.Origin{Program: "1.2.3", Commit: "abc", Changed: true, Command: []string{"schedsweep", "run", "m.yaml"}},
		Engines: engine.Found{Tasks: []engine.Task{{Engine: "slurm", IDs: map[string]string{"SLURM_JOB_ID": "17"}, Attempt: "2"}}},
		Now:     func() time.Time { return began.Add(time.Duration(ticks.Add(1)) * time.Second) }}
	for range 2 {
		if _, err := Sweep(context.Background(), cfg); err != nil {
			t.Fatal(err)
		}
	}
	p, err := folder.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := folder.Runs(dir)
	if err != nil || len(runs) != 1 || len(p.Runs) != 1 {
		t.Fatalf("%d runs (%v), %d in provenance.json", len(runs), err, len(p.Runs))
	}
	r := runs[0]
	if r.Program != "1.2.3" || r.Commit != "abc" || !r.Changed || len(r.Command) != 3 || r.Workers != 3 || r.Shard != 2 || r.Shards != 2 ||
		r.Manifest != m.Hash() ||
		r.Engines[0].Engine != "slurm" || r.Engines[0].IDs["SLURM_JOB_ID"] != "17" || r.Engines[0].Attempt != "2" || r.Go == "" ||
		r.System == "" || r.Processors < 1 {
		t.Errorf("record %+v", r)
	}
	if !r.Started.After(began) || !r.Ended.After(r.Started) || r.Planned != 45 || r.OK != 45 || r.Ran() != 45 || r.Error != "" {
		t.Errorf("state %+v, started %s", *r.State, r.Started)
	}
	parts, err := store.Parts(filepath.Join(dir, folder.Instances))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range parts {
		var wrote folder.Run
		if err := json.Unmarshal([]byte(part.Meta[folder.MetaRun]), &wrote); err != nil || wrote.Run != r.Run || wrote.State != nil {
			t.Errorf("%s says %q (%v)", part.Path, part.Meta[folder.MetaRun], err)
		}
		if strings.Contains(part.Meta[folder.MetaProvenance], `"runs"`) {
			t.Errorf("%s repeats all runs", part.Path)
		}
	}
}

// TestAKilledRunStaysOnRecord, without an end, also when others go on.
func TestAKilledRunStaysOnRecord(t *testing.T) {
	dir := t.TempDir()
	m, in := harnesstest.Loaded(t, harnesstest.Small)
	cfg := Config{Manifest: m, Inputs: in, Dir: dir, Shards: 2, Note: func(string) {}, Now: time.Now}
	killed := folder.NewRecorder(dir, folder.Run{Shard: 1, Shards: 2, Manifest: m.Hash(), Started: time.Now().UTC()}, cfg.Note, time.Now)
	killed.Update(folder.Counts{Planned: 45, OK: 7})
	cfg.Shard = 1
	if _, err := Sweep(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "runs", "broken.json"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := folder.Read(dir)
	if err != nil || len(p.Runs) != 2 || !p.Runs[0].Ended.IsZero() || p.Runs[0].OK != 7 || p.Runs[1].Ended.IsZero() {
		t.Fatalf("%+v, %v", p.Runs, err)
	}
	if runs, err := folder.Runs(dir); err != nil || len(runs) != 2 {
		t.Errorf("beside a broken record: %d runs, %v", len(runs), err)
	}
	loop := filepath.Join(dir, "runs", "loop.json") // root may read all files, but not this one
	if err := os.Symlink(loop, loop); err != nil {
		t.Skip(err)
	}
	if _, err := folder.Runs(dir); err == nil || !strings.Contains(err.Error(), loop) || !strings.Contains(err.Error(), "move it away") {
		t.Errorf("beside a record that cannot be read: %v", err)
	}
}

// TestFolderIsReplaced: a run ends with an error if its folder goes away with the rows, and adds nothing to a new folder of that name.
func TestFolderIsReplaced(t *testing.T) {
	m, in := harnesstest.Loaded(t, harnesstest.Small)
	for name, instances := range map[string]string{"removed": "", "replaced": folder.Instances} {
		dir := filepath.Join(t.TempDir(), "run")
		_, err := Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: dir, Workers: 1,
			Note: func(note string) { t.Errorf("%s: note %s", name, note) },
			Reporter: &after{n: 60, do: func() {
				if err := os.Rename(dir, dir+".moved"); err != nil {
					t.Error(err)
				}
				if instances != "" {
					if err := os.MkdirAll(filepath.Join(dir, instances), 0o755); err != nil {
						t.Error(err)
					}
				}
			}}})
		if !errors.Is(err, folder.ErrLost) {
			t.Errorf("%s: error %v", name, err)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "*", "*")); len(left) > 0 {
			t.Errorf("%s: the new folder has %v", name, left)
		}
	}
}

// TestProvenanceTellsOfAllRuns: runs that end at once all stand in it with their ends.
func TestProvenanceTellsOfAllRuns(t *testing.T) {
	const shards = 12
	m, in := harnesstest.Loaded(t, harnesstest.Small)
	for range 5 {
		dir := t.TempDir()
		p, err := provenance(Config{Manifest: m, Inputs: in, Now: time.Now}, harnesstest.PlanOf(t, m))
		if err == nil {
			err = p.Save(dir)
		}
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for i := range shards {
			all.Go(func() {
				r := folder.NewRecorder(dir, folder.Run{Shard: i + 1, Shards: shards, Started: time.Now().UTC()}, func(n string) { t.Error(n) },
					time.Now)
				r.Update(folder.Counts{})
				r.End(folder.Counts{OK: i}, nil)
			})
		}
		all.Wait()
		p, err = folder.Read(dir)
		if err != nil || len(p.Runs) != shards {
			t.Fatalf("%d runs, %v", len(p.Runs), err)
		}
		for _, r := range p.Runs {
			if r.Ended.IsZero() || r.OK != r.Shard-1 {
				t.Errorf("shard %d: %+v", r.Shard, *r.State)
			}
		}
	}
}
