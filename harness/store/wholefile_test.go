package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// killed is a process that dies after a number of system calls. Later calls do nothing.
type killed struct {
	osFiles
	left int
}

var errKilled = errors.New("killed")

func (k *killed) call() error {
	if k.left == 0 {
		return errKilled
	}
	k.left--
	return nil
}

func (k *killed) create(path string, mode fs.FileMode) (partHandle, error) {
	if err := k.call(); err != nil {
		return nil, err
	}
	h, err := k.osFiles.create(path, mode)
	return &killedHandle{h, k}, err
}

func (k *killed) exists(path string) (bool, error) {
	if err := k.call(); err != nil {
		return false, err
	}
	return k.osFiles.exists(path)
}

func (k *killed) rename(from, to string) error {
	if err := k.call(); err != nil {
		return err
	}
	return k.osFiles.rename(from, to)
}

func (k *killed) remove(path string) error {
	if err := k.call(); err != nil {
		return err
	}
	return k.osFiles.remove(path)
}

func (k *killed) syncDir(dir string) error {
	if err := k.call(); err != nil {
		return err
	}
	return k.osFiles.syncDir(dir)
}

type killedHandle struct {
	partHandle
	k *killed
}

func (h *killedHandle) Write(p []byte) (int, error) {
	if err := h.k.call(); err != nil {
		return 0, err
	}
	return h.partHandle.Write(p)
}

func (h *killedHandle) Sync() error {
	if err := h.k.call(); err != nil {
		return err
	}
	return h.partHandle.Sync()
}

// Close closes in any case, as the end of a process does.
func (h *killedHandle) Close() error { return errors.Join(h.partHandle.Close(), h.k.call()) }

// TestReplacedWholeOrNotAtAll kills the writing of a file between any two system calls. The file then has the whole old content
// or the whole new one, and the next try succeeds.
func TestReplacedWholeOrNotAtAll(t *testing.T) {
	long := strings.Repeat("new", sinkBytes) // needs several writes
	for _, old := range []string{"", "old"} {
		seen := map[string]int{}
		calls := 0
		for ended := false; !ended; calls++ {
			path := filepath.Join(t.TempDir(), "file.txt")
			if old != "" {
				if err := os.WriteFile(path, []byte(old), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			write := func(w io.Writer) error { _, err := io.WriteString(w, long); return err }
			err := writeWhole(&killed{left: calls}, path, write, true, shared)
			ended = err == nil
			if err != nil && !errors.Is(err, errKilled) {
				t.Fatalf("after %d calls: %v", calls, err)
			}
			text, err := os.ReadFile(path)
			if err != nil && (old != "" || !errors.Is(err, fs.ErrNotExist)) {
				t.Fatalf("after %d calls: %v", calls, err)
			}
			if s := string(text); s != old && s != long {
				t.Fatalf("after %d calls the file has %d bytes", calls, len(s))
			}
			seen[string(text)]++
			if err := ReplaceFile(path, write); err != nil {
				t.Fatalf("tried again after %d calls: %v", calls, err)
			}
			if text, err := os.ReadFile(path); err != nil || string(text) != long {
				t.Fatalf("tried again after %d calls: %d bytes, %v", calls, len(text), err)
			}
		}
		if calls < 7 || len(seen) != 2 {
			t.Errorf("%d system calls, %d outcomes: nothing was tried", calls, len(seen))
		}
	}
}

// If a content cannot be written, the old file stays and no other is left. A new file does not replace one of the same name.
func TestReplacedOnlyIfAllIsThere(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file.txt")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	no := errors.New("no more")
	if err := ReplaceFile(path, func(w io.Writer) error { fmt.Fprint(w, "half"); return no }); !errors.Is(err, no) ||
		!strings.Contains(err.Error(), path) {
		t.Errorf("content that ends early: %v", err)
	}
	if err := NewFile(path, func(w io.Writer) error { _, err := fmt.Fprint(w, "mine"); return err }); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a name that is taken: %v", err)
	}
	full := &faulty{at: "write", err: syscall.ENOSPC}
	if err := writeWhole(full, path, func(w io.Writer) error { _, err := w.Write(make([]byte, 2*sinkBytes)); return err }, true,
		shared); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "free some") {
		t.Errorf("a full disk: %v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "old" {
		t.Errorf("the file now reads %q, %v", text, err)
	}
	if left := listDir(t, dir); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}

// TestFoldersOfNoFile: files make their missing folders. A folder that would hold nothing in the end is removed.
func TestFoldersOfNoFile(t *testing.T) {
	schema := Schema{{Name: "x", Type: Int64}}
	for name, try := range map[string]func(path string, keep bool) error{
		"a.txt": func(path string, keep bool) error {
			return ReplaceFile(path, func(io.Writer) error {
				if keep {
					return nil
				}
				return errKilled
			})
		},
		"a.csv":     func(path string, keep bool) error { return created(path, keep, schema) },
		"a.parquet": func(path string, keep bool) error { return created(path, keep, schema) },
		"part": func(path string, keep bool) error {
			p, err := createParquet(osFiles{}, path, tempName("part"), newColumnBuffers(schema))
			if err != nil {
				return err
			}
			if keep {
				return p.finish(footer{}, false)
			}
			p.abort()
			return errKilled
		},
	} {
		dir := t.TempDir()
		if err := try(filepath.Join(dir, "new", "one", name), false); !errors.Is(err, errKilled) || len(listDir(t, dir)) != 0 {
			t.Errorf("%s: %v; left: %v", name, err, listDir(t, dir))
		}
		if err := try(filepath.Join(dir, "new", "one", name), true); err != nil || len(listDir(t, filepath.Join(dir, "new", "one"))) != 1 {
			t.Errorf("%s: %v", name, err)
		}
		if err := try(filepath.Join(dir, "new", "two", name), false); err == nil || len(listDir(t, filepath.Join(dir, "new"))) != 1 {
			t.Errorf("%s: %v; left: %v", name, err, listDir(t, filepath.Join(dir, "new")))
		}
	}
	dir := t.TempDir()
	if err := ReplaceFile(filepath.Join(dir, "new", strings.Repeat("x", 300), "a.txt"), func(io.Writer) error { return nil }); err == nil ||
		len(listDir(t, dir)) != 0 {
		t.Errorf("a folder whose name is too long: %v; left: %v", err, listDir(t, dir))
	}
}

func created(path string, keep bool, schema Schema) error {
	w, err := CreateFile(path, schema, nil)
	if err != nil {
		return err
	}
	if keep {
		return w.Close()
	}
	w.Abort()
	return errKilled
}

// TestMakeFolderNamesTheCause: os.MkdirAll reports for a folder that cannot be looked at that a name above it exists.
func TestMakeFolderNamesTheCause(t *testing.T) {
	loop := filepath.Join(t.TempDir(), "loop")
	if err := os.Symlink(loop, loop); err != nil {
		t.Skip(err)
	}
	if err := MakeFolder(filepath.Join(loop, "a")); !errors.Is(err, syscall.ELOOP) {
		t.Error(err)
	}
	dangling := filepath.Join(t.TempDir(), "dangling")
	if err := os.Symlink("nowhere", dangling); err != nil {
		t.Fatal(err)
	}
	err := MakeFolder(filepath.Join(dangling, "a"))
	if want := dangling + " is a link to nowhere, which is missing"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("below a dangling link: %v", err)
	}
	if err := MakeFolder(filepath.Join(t.TempDir(), "a", "b")); err != nil {
		t.Error(err)
	}
}
