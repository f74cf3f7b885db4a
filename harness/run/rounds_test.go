package run

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/harnesstest"
	"schedsweep/harness/rows"
	"schedsweep/harness/store"
	"schedsweep/sweep"
)

// TestRoundsWithoutASilentShard: what a process holds that says nothing is run by another
// after a while, also where that holds its lock for good.
func TestRoundsWithoutASilentShard(t *testing.T) {
	m, in := harnesstest.Loaded(t, `
name: rounds
workload: {kind: lublin, jobs: 20}
replications: 6
policy: {kind: easy}
`)
	dir := filepath.Join(t.TempDir(), "run")
	unlock, _, err := store.LockShard(t.Context(), filepath.Join(dir, folder.Instances), "1-of-2", store.LockOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unlock() }()
	var notes []string
	clock := time.Now()
	cfg := Config{Manifest: m, Inputs: in, Dir: dir, Workers: 1, Shard: 0, Shards: 2, Note: func(s string) { notes = append(notes, s) },
		Now: func() time.Time { clock = clock.Add(folder.Silence / 3); return clock }}
	looks := 0
	sum, err := Rounds(context.Background(), cfg, Budget{}, func() (*sweep.Manifest, bool, error) {
		looks++
		return m, looks > 1, nil
	})
	if err != nil || sum.Cancelled > 0 {
		t.Fatalf("summary %+v, error %v", sum, err)
	}
	plan, _ := m.Plan()
	if held, err := rows.Holds(plan, dir); err != nil || held.Tally[harness.OK] != 6 {
		t.Errorf("the folder holds %v, error %v", held.Tally, err)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "nothing was heard of the other shards") {
		t.Errorf("notes are %q", notes)
	}
}

// TestRoundsThatGoNowhere: a round whose rows are not there when it has run is no reason
// to run it for ever.
func TestRoundsThatGoNowhere(t *testing.T) {
	m, in := harnesstest.Loaded(t, `
name: rounds
workload: {kind: lublin, jobs: 20}
policy: {kind: easy}
`)
	cfg := Config{Manifest: m, Inputs: in, Dir: t.TempDir(), Workers: 1}
	_, err := Rounds(context.Background(), cfg, Budget{}, func() (*sweep.Manifest, bool, error) { return m, false, nil })
	if err == nil || !strings.Contains(err.Error(), "its rows are not there") {
		t.Errorf("error %v", err)
	}
}

// TestRoundsAtTheDeadline: the summary of a round for which there is no time counts what earlier rounds ran.
func TestRoundsAtTheDeadline(t *testing.T) {
	m, in := harnesstest.Loaded(t, `
name: rounds
workload: {kind: lublin, jobs: 20}
replications: 3
policy: {kind: easy}
`)
	clock, first := time.Now(), true
	cfg := Config{Inputs: in, Dir: t.TempDir(), Workers: 1, Limits: Limits{Deadline: clock.Add(time.Hour)},
		Now: func() time.Time { return clock }}
	sum, err := Rounds(context.Background(), cfg, Budget{}, func() (*sweep.Manifest, bool, error) {
		if first {
			first = false
			return m.First(1), false, nil
		}
		clock = clock.Add(2 * time.Hour)
		return m, false, nil
	})
	if err != nil || !sum.Late || sum.Ran() != 0 || sum.Earlier != 1 || sum.Cancelled != 2 {
		t.Errorf("%+v, %v; want one that ran earlier, and two that are left", sum, err)
	}
}

func TestBudget(t *testing.T) {
	m, in := harnesstest.Loaded(t, `
name: rounds
workload: {kind: lublin, jobs: 20}
replications: 4
policy: {kind: easy}
`)
	plan, _ := m.Plan()
	dir := t.TempDir()
	over := func(b Budget) bool {
		t.Helper()
		err := b.covers(t.Context(), plan, Config{Inputs: in, Dir: dir})
		if err != nil && !errors.Is(err, ErrBudget) {
			t.Fatal(err)
		}
		return err != nil
	}
	if over(Budget{}) || over(Budget{Instances: 4}) || !over(Budget{Instances: 3}) {
		t.Error("4 instances are within a budget of 4, and of none, and beyond 3")
	}
	if over(Budget{CoreTime: time.Hour}) || !over(Budget{CoreTime: 1}) {
		t.Error("without rows a few instances are tried")
	}
	if _, err := Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: dir, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	if over(Budget{CoreTime: time.Hour}) || !over(Budget{CoreTime: 1}) {
		t.Error("4 small instances take more than a nanosecond and less than an hour")
	}
}
