package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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
	unlock, err = lockFile(dir, shardLock+shard+lockSuffix, "another process is running shard "+shard+" of this folder: wait for it, or choose another folder or shard")
	if err != nil {
		return nil, err
	}
	if err := overlapping(dir, shard); err != nil {
		return nil, errors.Join(err, unlock())
	}
	return unlock, nil
}

// overlapping is an error while a process runs a shard of another number. Two
// that begin at the same moment may refuse each other, but never miss each
// other: each holds its lock before it looks.
func overlapping(dir, shard string) error {
	locks, err := filepath.Glob(filepath.Join(dir, shardLock+"*"+lockSuffix))
	if err != nil {
		return fmt.Errorf("store: locks of %s: %w", dir, err)
	}
	_, of, _ := strings.Cut(shard, shardOf)
	for _, path := range locks {
		name := filepath.Base(path)
		other := strings.TrimSuffix(strings.TrimPrefix(name, shardLock), lockSuffix)
		if _, n, _ := strings.Cut(other, shardOf); n == of {
			continue
		}
		free, err := lockFile(dir, name, "another process is running shard "+other+" of this folder, which overlaps with "+shard+": wait for it, or choose another folder")
		if err != nil {
			return err
		}
		if err := free(); err != nil {
			return fmt.Errorf("store: unlocking %s: %w", path, err)
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
