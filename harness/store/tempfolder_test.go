package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestTempFolders: the remains of a killed process are removed. Three kinds of folders stay: those in use, those just being
// made, and those of other programs.
func TestTempFolders(t *testing.T) {
	temp := filepath.Join(t.TempDir(), "tmp[1]")
	if err := os.Mkdir(temp, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", temp)
	folder := func(name string, locked bool, age time.Duration) string {
		dir := filepath.Join(temp, name)
		if err := errors.Join(os.Mkdir(dir, 0o777), os.WriteFile(filepath.Join(dir, "row"), nil, 0o666)); err != nil {
			t.Fatal(err)
		}
		if locked {
			at := time.Now().Add(-age)
			if err := errors.Join(os.WriteFile(dir+folderLock, nil, 0o666), os.Chtimes(dir+folderLock, at, at)); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	left := folder("schedsweep-1", true, 2*young)
	kept := []string{folder("schedsweep-2", true, 0), folder("schedsweep-of-mine", false, 0), folder("other", true, 2*young)}
	dir, remove, err := TempFolder()
	if err != nil {
		t.Fatal(err)
	}
	past := time.Now().Add(-2 * young)
	if err := os.Chtimes(dir+folderLock, past, past); err != nil {
		t.Fatal(err)
	}
	removeLeftIn(temp)
	for _, path := range []string{left, left + folderLock} {
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is left: %v", path, err)
		}
	}
	for _, path := range append(kept, dir, dir+folderLock) {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	if err := remove(); err != nil {
		t.Error(err)
	}
	if all := PathsIn(temp, filepath.Base(dir), ""); len(all) > 0 {
		t.Errorf("left: %v", all)
	}
}
