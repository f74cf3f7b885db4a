//go:build unix

package store

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// irregular makes a pipe, a folder, a device and a socket, which could be taken for files, and returns their
// paths by kind.
func irregular(t *testing.T, dir, name string) map[string]string {
	t.Helper()
	at := func(what string) string { return filepath.Join(dir, what+name) }
	if err := errors.Join(syscall.Mkfifo(at("pipe"), 0o644), os.Mkdir(at("folder"), 0o755),
		os.Symlink("/dev/null", at("device"))); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", at("socket"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return map[string]string{"a pipe": at("pipe"), "a folder": at("folder"), "a device": at("device"), "a socket": at("socket")}
}

func TestOnlyFilesAreOpened(t *testing.T) {
	for what, path := range irregular(t, t.TempDir(), "") {
		if _, err := OpenRegular(path); !errors.Is(err, ErrNotRegular) || !strings.Contains(err.Error(), "but "+what) ||
			!strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := (flocks{}).held(path); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s as a lock: %v", what, err)
		}
		if _, err := (flocks{}).hold(path); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s as a lock: %v", what, err)
		}
	}
}

// A part that is not a regular file is a problem, and no reader waits for it.
func TestIrregularParts(t *testing.T) {
	dir := t.TempDir()
	writeSequence(t, Options{Dir: dir, Attempt: "a"}, 0, 5)
	irregular(t, dir, ".parquet")
	if _, err := Scan(dir, ScanOptions{}); !errors.Is(err, ErrNotRegular) ||
		!strings.Contains(err.Error(), "move it out of the dataset folder") {
		t.Errorf("scan: %v", err)
	}
	problems := Check(dir)
	if len(problems) != 4 {
		t.Fatalf("check: %v", problems)
	}
	for _, p := range problems {
		if p.Kind != Unreadable || !errors.Is(p, ErrNotRegular) {
			t.Errorf("check: %v", p)
		}
	}
}

// TestDevicesStay: no file takes the place of a pipe, or of a link to an open file such as /dev/stdout.
func TestDevicesStay(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("pipes and /proc")
	}
	dir := t.TempDir()
	pipe, link := filepath.Join(dir, "pipe.csv"), filepath.Join(dir, "link.csv")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o666), os.Symlink("/proc/self/exe", link)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, link} {
		before, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := ReplaceFile(path, Content("x")); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s: %v", path, err)
		}
		if _, err := CreateFile(path, allTypes, nil); !errors.Is(err, ErrNotRegular) {
			t.Errorf("table %s: %v", path, err)
		}
		if after, err := os.Lstat(path); err != nil || after.Mode() != before.Mode() {
			t.Errorf("%s is %v, and was %v, %v", path, after, before.Mode(), err)
		}
	}
}
