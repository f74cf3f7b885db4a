package store

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Shards of one number go side by side; the same one, or one of another number,
// would compute rows twice.
func TestShardsThatOverlapLockEachOtherOut(t *testing.T) {
	dir := t.TempDir()
	hold := func(shard string) func() error {
		t.Helper()
		unlock, err := LockShard(dir, shard)
		if err != nil {
			t.Fatal(err)
		}
		return unlock
	}
	first, second := hold("0-of-2"), hold("1-of-2")
	for shard, want := range map[string]string{
		"0-of-2": "another process is running shard 0-of-2 of this folder: wait",
		"0-of-1": "of this folder, which overlaps with 0-of-1: wait",
		"2-of-3": "which overlaps with 2-of-3",
	} {
		if _, err := LockShard(dir, shard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("shard %s beside 0-of-2: error %v, want %q", shard, err, want)
		}
	}
	if err := first(); err != nil {
		t.Fatal(err)
	}
	if _, err := LockShard(dir, "0-of-1"); err == nil {
		t.Error("shard 0-of-1 runs beside 1-of-2")
	}
	if err := second(); err != nil {
		t.Fatal(err)
	}
	// Who was refused has left no lock behind.
	if err := hold("0-of-1")(); err != nil {
		t.Fatal(err)
	}
	if err := hold("0-of-2")(); err != nil {
		t.Fatal(err)
	}
}

// A folder's name is no pattern, and shards that begin at once beside the lock of
// an earlier run do not stand in each other's way.
func TestShardsBeginTogether(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "x[1")
	unlock, err := LockShard(dir, "0-of-1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := LockShard(dir, "0-of-8"); err == nil {
		t.Error("shard 0-of-8 runs beside 0-of-1")
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				unlock, err := LockShard(dir, fmt.Sprintf("%d-of-8", i))
				if err != nil {
					t.Error(err)
					return
				}
				if err := unlock(); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
}
