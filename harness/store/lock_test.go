package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// Shards of one number go side by side; the same one, or one of another number,
// would compute rows twice.
func TestShardsThatOverlapLockEachOtherOut(t *testing.T) {
	dir := t.TempDir()
	hold := func(shard string) func() error {
		t.Helper()
		unlock, _, err := LockShard(t.Context(), dir, shard, LockOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return unlock
	}
	first, second := hold("0-of-2"), hold("1-of-2")
	for shard, want := range map[string]string{
		"0-of-2": "in use by another process, which runs shard 1/2: wait",
		"0-of-1": "that overlaps with the whole sweep: wait",
		"2-of-3": "that overlaps with shard 3/3: wait",
	} {
		if _, _, err := LockShard(t.Context(), dir, shard, LockOptions{}); !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), want) {
			t.Errorf("shard %s beside 0-of-2: error %v, want %q", shard, err, want)
		}
	}
	if err := first(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := LockShard(t.Context(), dir, "0-of-1", LockOptions{}); err == nil {
		t.Error("shard 0-of-1 runs beside 1-of-2")
	}
	if err := second(); err != nil {
		t.Fatal(err)
	}
	// A refused call has left no lock behind.
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
	unlock, _, err := LockShard(t.Context(), dir, "0-of-1", LockOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := LockShard(t.Context(), dir, "0-of-8", LockOptions{}); err == nil {
		t.Error("shard 0-of-8 runs beside 0-of-1")
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				unlock, _, err := LockShard(t.Context(), dir, fmt.Sprintf("%d-of-8", i), LockOptions{})
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

// LockShard with a wait gets the lock when the other releases it, and notes what it waits for. Its error says how long it has
// waited.
func TestLocksAreWaitedFor(t *testing.T) {
	dir := t.TempDir()
	unlock, _, err := LockShard(t.Context(), dir, "0-of-2", LockOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = LockShard(t.Context(), dir, "0-of-1", LockOptions{Wait: time.Millisecond})
	if !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), "waited for 1ms") {
		t.Errorf("after a short wait: %v", err)
	}
	given, cancel := context.WithCancel(t.Context())
	_, _, err = LockShard(given, dir, "0-of-2", LockOptions{Wait: Forever, Note: func(string) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a wait that was given up: %v", err)
	}
	var notes []string
	for _, shard := range []string{"0-of-2", "0-of-1"} {
		released := unlock
		unlock, _, err = LockShard(t.Context(), dir, shard, LockOptions{Wait: Forever, Note: func(note string) {
			notes = append(notes, note)
			if err := released(); err != nil {
				t.Error(err)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(notes) != 2 || !strings.HasPrefix(notes[0], "waiting: ") || !strings.Contains(notes[1], "shard 1/2") {
		t.Errorf("notes %q", notes)
	}
	if err := unlock(); err != nil {
		t.Error(err)
	}
}

// TestExclusivelyButNotForEver: who waits for a process that is stopped says so, and goes on in the end.
func TestExclusivelyButNotForEver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	unlock, err := flocks{}.hold(path)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		began, noted, did := time.Now(), time.Duration(0), time.Duration(0)
		err := Exclusively(path, func(note string) {
			if noted = time.Since(began); !strings.Contains(note, path) {
				t.Errorf("note %q", note)
			}
		}, func() error { did = time.Since(began); return nil })
		if err != nil || noted < time.Second || noted > 3*time.Second || did < 9*time.Second || did > 11*time.Second {
			t.Errorf("noted after %s, done after %s: %v", noted, did, err)
		}
	})
	if err := unlock(); err != nil {
		t.Error(err)
	}
}

// lockless is a file system without locks, which says so by one of the errors that
// such systems have.
type lockless struct{ err error }

func (l lockless) hold(string) (func() error, error) { return nil, noLocks(l.err) }
func (l lockless) held(string) (bool, error)         { return false, noLocks(l.err) }

func TestShardsGoOnWithoutLocks(t *testing.T) {
	for _, errno := range []error{syscall.ENOLCK, syscall.ENOSYS, syscall.EOPNOTSUPP, syscall.ENOTSUP} {
		dir, notes := t.TempDir(), 0
		opt := LockOptions{locks: lockless{fmt.Errorf("flock: %w", errno)}, Note: func(string) { notes++ }}
		unlock, locked, err := LockShard(t.Context(), dir, "0-of-1", opt)
		if err != nil || locked || notes != 1 {
			t.Errorf("%v: locked %v, %d notes, error %v", errno, locked, notes, err)
			continue
		}
		if err := unlock(); err != nil {
			t.Error(err)
		}
	}
	if _, _, err := LockShard(t.Context(), t.TempDir(), "0-of-1", LockOptions{locks: lockless{syscall.EIO}}); !errors.Is(err, syscall.EIO) {
		t.Errorf("a file system that is broken: %v", err)
	}
	if err := unlocked("some.lock", syscall.ENOLCK); err != nil {
		t.Error(err)
	}
	if err := unlocked("some.lock", syscall.EIO); !errors.Is(err, syscall.EIO) || !strings.Contains(err.Error(), "some.lock") {
		t.Errorf("a lock that cannot be given back: %v", err)
	}
}

// TestTwoWritersOfOneShardWithoutLocks: both write the same rows, in turns, each
// beside the other's unfinished file: no row is missing and no file in the way.
func TestTwoWritersOfOneShardWithoutLocks(t *testing.T) {
	dir := t.TempDir()
	early := mustWriter(t, Options{Dir: dir, Attempt: "a", Schema: allTypes, Unlocked: true})
	half, err := createAtomic(osFiles{}, filepath.Join(dir, partName("0-of-1", "a", 0)), tempName(partName("0-of-1", "a", 0)), shared)
	if err != nil {
		t.Fatal(err)
	}
	late := mustWriter(t, Options{Dir: dir, Attempt: "b", Schema: allTypes, Unlocked: true})
	if err := half.commit(false); err != nil {
		t.Errorf("the unfinished part of the first writer was removed: %v", err)
	}
	if err := os.Remove(half.final); err != nil {
		t.Fatal(err)
	}
	row := allTypes.NewRow()
	for _, w := range []*Writer{early, late} {
		for k := range 20 {
			fill(row, k)
			if err := w.Append(row); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, w := range []*Writer{late, early} {
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	table := mustScan(t, dir, ScanOptions{Records: Records{Key: "id"}})
	if table.Rows != 20 {
		t.Fatalf("%d rows of 20", table.Rows)
	}
	for i := range 20 {
		checkFilled(t, table, i, i)
	}
}

func TestTwoMergesExcludeEachOther(t *testing.T) {
	for name, locks := range map[string]locker{"locks": flocks{}, "no locks": lockless{syscall.ENOLCK}} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			opt := LockOptions{locks: locks}
			unlock, err := lockMerge(dir, osFiles{}, opt)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Merge(dir, MergeOptions{Lock: opt}); !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), "which merges") {
				t.Fatalf("error %v", err)
			}
			if err := unlock(); err != nil {
				t.Fatal(err)
			}
			if _, err := Merge(dir, MergeOptions{Lock: opt}); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestMergesWithoutLocks starts merges at once on a file system without locks: one
// at a time works, the rows stay what they were, and nothing is left behind. A mark
// that a killed merge left is named, with what to do about it.
func TestMergesWithoutLocks(t *testing.T) {
	dir := t.TempDir()
	for i := range 12 {
		writeSequence(t, Options{Dir: dir, Attempt: fmt.Sprintf("a%02d", i)}, 5*i, 5*i+5)
	}
	want := mustScan(t, dir, ScanOptions{}).Hash()
	var mu sync.Mutex
	notes := 0
	opt := MergeOptions{rowsPerPart: 20, Lock: LockOptions{Wait: Forever, locks: lockless{syscall.ENOLCK}, Note: func(note string) {
		mu.Lock()
		defer mu.Unlock()
		if strings.Contains(note, "no locks") {
			notes++
		}
	}}}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if _, err := Merge(dir, opt); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if problems := Check(dir); len(problems) > 0 || mustScan(t, dir, ScanOptions{}).Hash() != want || notes != 4 {
		t.Errorf("problems %v, %d notes, or other rows", problems, notes)
	}
	if left := listDir(t, dir); len(left) != 3 {
		t.Errorf("left: %v", left)
	}
	mark := filepath.Join(dir, mergeMark)
	if err := os.WriteFile(mark, []byte("process 7 on node3"), 0o644); err != nil {
		t.Fatal(err)
	}
	opt.Lock.Wait = 0
	if _, err := Merge(dir, opt); !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), "process 7 on node3") ||
		!strings.Contains(err.Error(), "if it is dead, remove "+mark) {
		t.Errorf("beside a mark: %v", err)
	}
	if !slices.Contains(listDir(t, dir), mergeMark) {
		t.Error("the mark of another was removed")
	}
	// A mark that cannot be read is one, too.
	if err := errors.Join(os.Remove(mark), os.Mkdir(mark, 0o777)); err != nil {
		t.Fatal(err)
	}
	for _, locks := range []locker{flocks{}, lockless{syscall.ENOLCK}} {
		if _, err := Merge(dir, MergeOptions{Lock: LockOptions{locks: locks}}); !errors.Is(err, ErrBusy) {
			t.Errorf("%T beside a mark that cannot be read: %v", locks, err)
		}
	}
}
