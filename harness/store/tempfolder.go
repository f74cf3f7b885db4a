package store

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// folderPrefix begins the names of temporary folders, and folderLock ends those of the files
// beside them whose locks say that a process is at work in one.
const (
	folderPrefix = "schedsweep-"
	folderLock   = ".lock"
)

// TempFolder makes a folder for a while, and says how it is removed. The first call of a
// process removes the folders of killed processes.
func TempFolder() (dir string, remove func() error, err error) {
	removeLeft()
	if dir, err = os.MkdirTemp("", folderPrefix); err != nil {
		return "", nil, fmt.Errorf("store: temporary folder: %w (free space, or set TMPDIR to a folder that can be written)", err)
	}
	lock := dir + folderLock
	unlock, err := flocks{}.hold(lock)
	if err != nil { // without locks no process knows that the folder is left over
		return dir, func() error { return errors.Join(os.RemoveAll(dir), os.RemoveAll(lock)) }, nil
	}
	return dir, func() error { return errors.Join(os.RemoveAll(dir), os.RemoveAll(lock), unlock()) }, nil
}

// young is the greatest age of a lock's file that is just being locked.
const young = time.Hour

var removeLeft = sync.OnceFunc(func() { removeLeftIn(os.TempDir()) })

// removeLeftIn removes the temporary folders of processes that are no more, as far as it may.
func removeLeftIn(temp string) {
	for _, lock := range PathsIn(temp, folderPrefix, folderLock) {
		info, err := os.Lstat(lock)
		if err != nil || !info.Mode().IsRegular() || time.Since(info.ModTime()) < young {
			continue
		}
		if unlock, err := (flocks{}).hold(lock); err == nil {
			if os.RemoveAll(strings.TrimSuffix(lock, folderLock)) == nil {
				_ = os.Remove(lock) // of another user, or another process was faster
			}
			_ = unlock()
		}
	}
}

// UnsyncedFile writes a new file of a temporary folder: one that need not outlive a crash.
func UnsyncedFile(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, shared)
	if err != nil {
		return writeError(path, err)
	}
	w := bufio.NewWriter(f)
	if err = write(w); err == nil {
		err = w.Flush()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return writeError(path, err)
	}
	return nil
}
