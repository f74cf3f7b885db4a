//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// lockMerge keeps two merges out of one folder. The system gives the lock back
// when the process ends, however it ends.
func lockMerge(dir string) (unlock func() error, err error) {
	path := filepath.Join(dir, ".merge.lock")
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("store: merging %s: %w", dir, err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = errors.New("another merge of this folder is running: wait for it")
		}
		return nil, errors.Join(fmt.Errorf("store: merging %s: %w", dir, err), f.Close())
	}
	return f.Close, nil
}
