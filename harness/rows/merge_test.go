package rows_test

import (
	"path/filepath"
	"testing"

	"github.com/gofrs/flock"

	"schedsweep/harness/folder"
	"schedsweep/harness/harnesstest"
	"schedsweep/harness/rows"
	"schedsweep/harness/run"
	"schedsweep/harness/store"
)

// TestMergeDuringRun: rows that a run adds after the merge has begun are of the manifest, also where an axis has no value for them.
func TestMergeDuringRun(t *testing.T) {
	const text = `name: kinds
replications: 2
workload: {kind: lublin, jobs: 20}
blocks:
- {axes: {policy.kind: [fcfs]}}
- {axes: {policy.kind: [easy], policy.planning.every: [10, 20]}}
`
	dir := t.TempDir()
	mustRunAll(t, text, run.Config{Dir: dir, Shards: 2})
	other := flock.New(filepath.Join(dir, folder.Instances, ".merge.lock"))
	if ok, err := other.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	m, _ := harnesstest.Loaded(t, text)
	merged, err := rows.Merge(m, dir, store.LockOptions{Wait: store.Forever, Note: func(string) {
		mustRunAll(t, text, run.Config{Dir: dir, Shard: 1, Shards: 2})
		if err := other.Unlock(); err != nil {
			t.Error(err)
		}
	}})
	if err != nil || merged.Rows != 6 || merged.Unfilled != 0 {
		t.Errorf("%+v, %v", merged, err)
	}
}
