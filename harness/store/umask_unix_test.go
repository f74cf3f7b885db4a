//go:build unix

package store

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestUmask: files and folders have what the umask leaves them, and private files nothing for others.
func TestUmask(t *testing.T) {
	for _, c := range []struct {
		umask                  int
		file, private, folders fs.FileMode
	}{{0o022, 0o644, 0o600, 0o755}, {0o002, 0o664, 0o600, 0o775}, {0o077, 0o600, 0o600, 0o700}} {
		old := syscall.Umask(c.umask)
		dir := filepath.Join(t.TempDir(), "a", "b")
		write := func(w io.Writer) error { _, err := w.Write([]byte("x")); return err }
		err := FirstFile(dir, "first", write)
		if err == nil {
			err = ReplaceFile(filepath.Join(dir, "shared"), write)
		}
		if err == nil {
			err = PrivateFile(filepath.Join(dir, "private"), write)
		}
		syscall.Umask(old)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]fs.FileMode{"first": c.file, "shared": c.file, "private": c.private, ".": c.folders} {
			info, err := os.Stat(filepath.Join(dir, name))
			if err != nil || info.Mode().Perm() != want {
				t.Errorf("umask %o: %s has mode %v, want %v (%v)", c.umask, name, info.Mode().Perm(), want, err)
			}
		}
	}
}
