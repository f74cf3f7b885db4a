package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// fileSystem is what writing a part needs of the operating system; tests put
// faults behind it.
type fileSystem interface {
	create(path string) (partHandle, error) // fails when the path exists
	exists(path string) (bool, error)
	rename(from, to string) error
	remove(path string) error
	syncDir(dir string) error
}

type partHandle interface {
	io.Writer
	Sync() error
	Chmod(fs.FileMode) error
	Close() error
}

type osFiles struct{}

func (osFiles) create(path string) (partHandle, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // until it is complete
}

func (osFiles) exists(path string) (bool, error) {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (osFiles) rename(from, to string) error { return os.Rename(from, to) }
func (osFiles) remove(path string) error     { return os.Remove(path) }

func (osFiles) syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil // file systems that cannot sync a folder keep its entries in order themselves
	}
	return errors.Join(err, d.Close())
}

// writeError names the file, the cause and what to do about it.
func writeError(path string, err error) error {
	remedy := "see the cause, then run the same command again"
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		remedy = fmt.Sprintf("no space left for %s: free some and run the same command again", filepath.Dir(path))
	case errors.Is(err, syscall.EROFS):
		remedy = "the file system is read-only: choose another output folder"
	case errors.Is(err, fs.ErrPermission):
		remedy = fmt.Sprintf("make %s writable or choose another output folder", filepath.Dir(path))
	case errors.Is(err, fs.ErrExist):
		remedy = "parts are never overwritten: give every attempt its own name"
	}
	return fmt.Errorf("store: writing %s: %w (%s)", path, err, remedy)
}

// prepareDir makes the dataset folder and proves that a file can be written in it.
func prepareDir(files fileSystem, dir, probe string) error {
	if dir == "" {
		return errors.New("store: no dataset folder given")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return writeError(filepath.Join(dir, probe), err)
	}
	path := filepath.Join(dir, tempName(probe))
	h, err := files.create(path)
	if err != nil {
		return writeError(path, err)
	}
	_, err = h.Write([]byte("x"))
	if err = errors.Join(err, h.Close(), files.remove(path)); err != nil {
		return writeError(path, err)
	}
	return nil
}
