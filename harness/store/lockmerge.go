package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

const (
	mergeLock = ".merge.lock"
	mergeMark = ".merge.running" // stands for the lock where there are none
)

// lockMerge keeps two merges out of one folder: two at once would rewrite the same
// parts twice. Where the file system has no locks, a file that only one process can
// make stands for it. A merge that is killed leaves that file behind; nobody else
// can know that it is dead, so a person must remove it.
func lockMerge(dir string, files fileSystem, opt LockOptions) (unlock func() error, err error) {
	told := false
	return await(context.Background(), opt, func() (func() error, error) {
		unlock, err := opt.locker().hold(filepath.Join(dir, mergeLock))
		switch {
		case errors.Is(err, ErrBusy):
			return nil, fmt.Errorf("store: %s: %w, which merges: wait for it (--wait)", dir, err)
		case errors.Is(err, ErrNoLocks):
			if !told {
				told = true
				opt.note("store: locking %s: %v; the file %s keeps other merges out meanwhile", dir, err, mergeMark)
			}
			return markMerge(dir, files)
		case err != nil:
			return nil, fmt.Errorf("store: locking %s: %w", dir, err)
		}
		// Another node may see the same folder without locks.
		if owner, err := ReadRegular(filepath.Join(dir, mergeMark)); err == nil {
			return nil, errors.Join(marked(dir, owner), unlock())
		}
		return unlock, nil
	})
}

// marked says that the file that stands for the lock is there.
func marked(dir string, owner []byte) error {
	return fmt.Errorf("store: %s: %w, which merges (%s): wait for it (--wait), or, if it is dead, remove %s", dir, ErrBusy, bytes.TrimSpace(owner), filepath.Join(dir, mergeMark))
}

// markMerge makes the file that stands for the lock.
func markMerge(dir string, files fileSystem) (unlock func() error, err error) {
	path := filepath.Join(dir, mergeMark)
	h, err := files.create(path)
	if errors.Is(err, fs.ErrExist) {
		owner, _ := ReadRegular(path) // for the message only
		return nil, marked(dir, owner)
	}
	if err != nil {
		return nil, writeError(path, err)
	}
	host, _ := os.Hostname() // for the message only
	_, err = fmt.Fprintf(h, "process %d on %s since %s", os.Getpid(), host, time.Now().UTC().Format(time.DateTime))
	if err = errors.Join(err, h.Close()); err != nil {
		return nil, errors.Join(writeError(path, err), files.remove(path))
	}
	return func() error { return files.remove(path) }, nil
}
