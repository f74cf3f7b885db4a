package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"
	"testing"
)

// TestReadDuringMerge: a merge takes the files away after the index was made. The reader starts again.
func TestReadDuringMerge(t *testing.T) {
	dir := t.TempDir()
	writeKeyed(t, dir, "0-of-1", "a", []string{"x", "y"}, 1)
	writeKeyed(t, dir, "0-of-1", "b", []string{"z"}, 2)
	calls, pairs := 0, ""
	err := WithIndex(dir, Records{Key: "id"}, func(x *Index) error {
		if calls++; calls == 1 {
			if _, err := Merge(dir, MergeOptions{}); err != nil {
				return err
			}
		}
		table, err := x.Read([]string{"id", "value"}, x.Ordered())
		if err == nil {
			pairs = pairsOf(table)
		}
		return err
	})
	if err != nil || calls != 2 || pairs != "x=1 y=1 z=2" {
		t.Errorf("%d calls read %q, error %v", calls, pairs, err)
	}
}

// TestUntilSettled: a file that another process has removed makes the reader start again, also on NFS, which says that its handle is
// stale. A file that stays away is a fault of the dataset, and does not say that there is no dataset.
func TestUntilSettled(t *testing.T) {
	dir := t.TempDir()
	for _, cause := range []error{fs.ErrNotExist, syscall.ESTALE} {
		for away, want := range map[int]int{1: 2, 100: 9} {
			calls := 0
			err := untilSettled(dir, func() error {
				if calls++; calls > away {
					return nil
				}
				return fmt.Errorf("rows: %w", &Problem{filepath.Join(dir, "part.parquet"), Unreadable, cause})
			})
			if calls != want || (err == nil) != (away < want) || errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%v %d times: %d calls, error %v", cause, away, calls, err)
			}
		}
	}
}
