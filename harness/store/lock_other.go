//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// lockMerge keeps two merges out of one folder by a file that exists while one runs.
func lockMerge(dir string) (unlock func() error, err error) {
	path := filepath.Join(dir, ".merge.lock")
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("store: merging %s: another merge of this folder is running; if none is, remove %s", dir, path)
	}
	if err != nil {
		return nil, fmt.Errorf("store: merging %s: %w", dir, err)
	}
	return func() error { return errors.Join(f.Close(), os.Remove(path)) }, nil
}
