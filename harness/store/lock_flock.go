//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// lockFile holds a lock of that name in the folder; busy says who holds it
// otherwise and what to do. The system gives the lock back when the process ends,
// however it ends.
func lockFile(dir, name, busy string) (unlock func() error, err error) {
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("store: locking %s: %w", dir, err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = errors.New(busy)
		}
		return nil, errors.Join(fmt.Errorf("store: locking %s: %w", dir, err), f.Close())
	}
	return f.Close, nil
}

// lockHeld tells whether a process holds the lock. Any number may ask at once.
func lockHeld(path string) (bool, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return true, f.Close()
	}
	return false, errors.Join(err, f.Close())
}
