package artifact

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestOpenOnAFullDisk: a disk without room is no fault of the archive.
func TestOpenOnAFullDisk(t *testing.T) {
	mount := t.TempDir()
	if err := syscall.Mount("tmpfs", mount, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("this machine lets us mount no tmpfs: %v (CI as root does)", err)
	}
	defer func() {
		if err := syscall.Unmount(mount, 0); err != nil {
			t.Error(err)
		}
	}()
	folder := staged(t)
	if err := os.WriteFile(filepath.Join(folder, "instances", "large.parquet"), make([]byte, 1<<20), 0o644); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "s.tar.gz")
	if err := os.WriteFile(file, archived(t, folder, ".tar.gz"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Open(file, mount)
	if !errors.Is(err, syscall.ENOSPC) || errors.Is(err, ErrArchive) || !strings.Contains(err.Error(), "set TMPDIR") ||
		strings.Contains(err.Error(), "fetch it again") {
		t.Error(err)
	}
}
