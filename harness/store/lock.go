package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// lockMerge keeps two merges out of one folder.
func lockMerge(dir string) (unlock func() error, err error) {
	return lockFile(dir, ".merge.lock", "another merge of this folder is running: wait for it")
}

// LockShard keeps two processes from computing the same rows of a dataset at
// once, where the system has file locks: from the same shard, and from shards of
// another number, which overlap. The lock ends with the process.
func LockShard(dir, shard string) (unlock func() error, err error) {
	if err := checkShard(shard); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	// Who only looks whether somebody holds the lock is gone in a moment.
	for try := 0; ; try++ {
		unlock, err = lockFile(dir, shardLock+shard+lockSuffix, "another process is running shard "+shard+" of this folder: wait for it, or choose another folder or shard")
		if err == nil {
			break
		}
		if try == 5 {
			return nil, err
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := overlapping(dir, shard); err != nil {
		return nil, errors.Join(err, unlock())
	}
	return unlock, nil
}

// overlapping is an error while a process runs a shard of another number. Two
// that begin at the same moment may both be refused, but never miss each other:
// each holds its lock before it looks.
func overlapping(dir, shard string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("store: locks of %s: %w", dir, err)
	}
	_, of, _ := strings.Cut(shard, shardOf)
	for _, f := range files {
		other, isLock := strings.CutPrefix(strings.TrimSuffix(f.Name(), lockSuffix), shardLock)
		if _, n, ok := strings.Cut(other, shardOf); !isLock || !ok || n == of {
			continue
		}
		held, err := lockHeld(filepath.Join(dir, f.Name()))
		if err != nil {
			return fmt.Errorf("store: locks of %s: %w", dir, err)
		}
		if held {
			return fmt.Errorf("store: locking %s: another process is running shard %s of this folder, which overlaps with %s: wait for it, or choose another folder", dir, other, shard)
		}
	}
	return nil
}

// The names of the locks: .shard-0-of-4.lock.
const (
	shardLock  = ".shard-"
	shardOf    = "-of-"
	lockSuffix = ".lock"
)
