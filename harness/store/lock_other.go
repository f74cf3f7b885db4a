//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// lockFile holds a lock by a file that exists meanwhile; busy says who holds it
// otherwise and what to do.
func lockFile(dir, name, busy string) (unlock func() error, err error) {
	path := filepath.Join(dir, name)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("store: locking %s: %s; if none is running, remove %s", dir, busy, path)
	}
	if err != nil {
		return nil, fmt.Errorf("store: locking %s: %w", dir, err)
	}
	return func() error { return errors.Join(f.Close(), os.Remove(path)) }, nil
}

// lockHeld tells whether a process holds the lock.
func lockHeld(path string) (bool, error) {
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
