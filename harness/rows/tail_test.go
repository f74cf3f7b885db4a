package rows_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/harnesstest"
	"schedsweep/harness/rows"
	"schedsweep/harness/run"
	"schedsweep/harness/store"
)

// TestTailHoldsWhatTheFolderHolds: after every look a tail counts what Holds counts, whoever wrote, and reads no file twice.
func TestTailHoldsWhatTheFolderHolds(t *testing.T) {
	const text = "name: tail\nreplications: 4\nworkload: {kind: lublin, machine_procs: 64}\n" +
		"engine: {max_events: 130}\naxes: {workload.jobs: [40, 80], policy.kind: [fcfs, easy]}\n"
	dir := t.TempDir()
	m, in := harnesstest.Loaded(t, text)
	plan := harnesstest.PlanOf(t, m)
	tail := rows.NewTail(plan, dir)
	if _, err := tail.Look(); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("a folder that is not there: %v", err)
	}
	look := func(when string, news, problems int) {
		t.Helper()
		n, err := tail.Look()
		if err != nil || len(tail.Problems) != problems || n != news {
			t.Fatalf("%s: %d files read, want %d; problems %v, error %v", when, n, news, tail.Problems, err)
		}
		held, err := rows.Holds(plan, dir)
		if problems == 0 && (err != nil || !maps.Equal(nonzero(held.Tally), nonzero(tail.Tally))) {
			t.Fatalf("%s: the tail counts %v, the folder holds %v, error %v", when, tail.Tally, held.Tally, err)
		}
		for number, why := range tail.Errors {
			if o := tail.Outcome(number); o == harness.OK || why == "" {
				t.Fatalf("a failure is %s: %s", o, why)
			}
		}
		if len(tail.Errors) != tail.Tally.Bad() {
			t.Fatalf("%s: %d failures listed of %d", when, len(tail.Errors), tail.Tally.Bad())
		}
	}
	sweep := func(cfg run.Config) {
		t.Helper()
		cfg.Manifest, cfg.Inputs, cfg.Dir = m, in, dir
		if _, err := run.Sweep(t.Context(), cfg); err != nil {
			t.Fatal(err)
		}
	}
	sweep(run.Config{Shard: 0, Shards: 2})
	look("after one shard", 1, 0)
	if tail.Tally.Total() == 0 || tail.Last < 0 {
		t.Fatal("nothing was read")
	}
	look("with nothing new", 0, 0)
	sweep(run.Config{Shard: 1, Shards: 2})
	look("after both shards", 1, 0)
	if tail.Tally.Bad() == 0 || tail.Tally.Total() != plan.Len() {
		t.Fatalf("%v of %d instances", tail.Tally, plan.Len())
	}
	sweep(run.Config{Retry: true})
	look("after a retry", 1, 0)

	torn := filepath.Join(dir, folder.Instances, "part-0-of-1-a000009-x-000000.parquet")
	if err := os.WriteFile(torn, []byte("PAR1 torn"), 0o644); err != nil {
		t.Fatal(err)
	}
	look("with a torn part", 1, 1)
	look("with a torn part that stays", 0, 1)
	if err := os.Remove(torn); err != nil {
		t.Fatal(err)
	}
	look("without it", 0, 0)
	if _, err := rows.Merge(m, dir, store.LockOptions{}); err != nil {
		t.Fatal(err)
	}
	look("after a merge", 1, 0)

	away := dir + "-away"
	if err := os.Rename(dir, away); err != nil {
		t.Fatal(err)
	}
	if _, err := tail.Look(); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("a folder that was moved: %v", err)
	}
	if err := os.Rename(away, dir); err != nil {
		t.Fatal(err)
	}
	look("after it came back", 0, 0)
	parts, err := filepath.Glob(filepath.Join(dir, folder.Instances, "*.parquet"))
	if err != nil || len(parts) != 1 {
		t.Fatal(parts, err)
	}
	if err := os.Chtimes(parts[0], time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	look("after a file was touched", 1, 0)
}

func nonzero(t rows.Tally) rows.Tally {
	t = maps.Clone(t)
	maps.DeleteFunc(t, func(_ harness.Outcome, n int) bool { return n == 0 })
	return t
}
