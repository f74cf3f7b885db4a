package store

import (
	"fmt"
	"os"
)

// lockMerge keeps two merges out of one folder.
func lockMerge(dir string) (unlock func() error, err error) {
	return lockFile(dir, ".merge.lock", "another merge of this folder is running: wait for it")
}

// LockShard keeps two processes from writing the same shard of a dataset at
// once, where the system has file locks. The lock ends with the process.
func LockShard(dir, shard string) (unlock func() error, err error) {
	if err := checkShard(shard); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	return lockFile(dir, ".shard-"+shard+".lock", "another process is running shard "+shard+" of this folder: wait for it, or choose another folder or shard")
}
