package run

import (
	"context"
	"fmt"
	"testing"

	"schedsweep/harness/harnesstest"
	"schedsweep/harness/rows"
	"schedsweep/sweep"
)

// unequal is a sweep of two blocks with as many replications each; the second repeats a point of the first.
func unequal(first, second int) string {
	return fmt.Sprintf(`name: unequal
seed: 7
workload: {kind: lublin, jobs: 40}
axes:
  policy.kind: [fcfs, easy]
blocks:
  - replications: %d
    axes: {workload.load_factor: [1, 2]}
  - replications: %d
    axes: {workload.load_factor: [2, 3]}
`, first, second)
}

// TestBlocksGrow: a folder with fewer replications holds the first of the larger folder's, and grows into it. Neither the order
// nor the number of shards matters.
func TestBlocksGrow(t *testing.T) {
	run := func(dir, text string, shards int) *sweep.Manifest {
		m, in := harnesstest.Loaded(t, text)
		for s := range shards {
			if _, err := Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: dir, Shard: s, Shards: shards, Workers: 2}); err != nil {
				t.Fatal(err)
			}
		}
		return m
	}
	few, many, grown := t.TempDir(), t.TempDir(), t.TempDir()
	small := run(few, unequal(2, 3), 1)
	large := run(many, unequal(2, 7), 3)
	run(grown, unequal(2, 3), 1)
	run(grown, unequal(2, 7), 2)
	if n := harnesstest.RowsOf(t, few).Rows; n != 2*2+4*3 {
		t.Errorf("%d rows of 1 point with 2 and 2 with 3 replications under 2 policies", n)
	}
	if n := harnesstest.RowsOf(t, many).Rows; n != 2*2+4*7 {
		t.Errorf("%d rows of 1 point with 2 and 2 with 7 replications under 2 policies", n)
	}
	if harnesstest.Hash(t, grown) != harnesstest.Hash(t, many) {
		t.Error("a folder that grew differs from one that was run at once")
	}
	first, _, err := rows.Read(small, many)
	if err != nil {
		t.Fatal(err)
	}
	if first.Hash(rows.Volatile...) != harnesstest.Hash(t, few) {
		t.Error("the first replications of a larger sweep differ from a smaller one")
	}
	plan, err := large.Plan()
	if err != nil {
		t.Fatal(err)
	}
	if held, err := rows.Holds(plan, few); err != nil || held.Tally.Total() != 16 || held.Foreign+held.Superseded != 0 {
		t.Errorf("of the larger sweep the smaller one has %+v (%v), want 16", held, err)
	}
	f, err := Predict(context.Background(), plan, nil, few, 0) // 4 of the 16 rows are of points that have no instances left
	if err != nil || f.Total != 32 || f.Existing != 16 || f.Rows != 12 || f.Trials != 0 || f.AtLeast || f.CoreTime != 16*f.PerInstance {
		t.Errorf("forecast %+v (%v)", f, err)
	}
}
