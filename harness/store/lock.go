package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// ErrBusy says that another process holds the lock that is wanted.
var ErrBusy = errors.New("in use by another process")

// ErrNoLocks says that the file system of a folder has no locks, as Lustre without
// the mount option flock and NFS without its lock service.
var ErrNoLocks = errors.New("the file system has no locks")

// Forever waits without an end; see [LockOptions].
const Forever time.Duration = -1

// LockOptions choose between waiting and failing where another process holds a lock.
type LockOptions struct {
	// Wait is the longest wait for a process that holds the lock: 0 not at all,
	// Forever without an end.
	Wait time.Duration
	// Note, when set, hears once that there is a process to wait for, and once
	// that the file system has no locks.
	Note func(string)

	locks locker // nil is the operating system
}

func (o LockOptions) note(format string, args ...any) {
	if o.Note != nil {
		o.Note(fmt.Sprintf(format, args...))
	}
}

func (o LockOptions) locker() locker {
	if o.locks == nil {
		return flocks{}
	}
	return o.locks
}

// locker is the part of the operating system that locking needs; tests put file systems
// without locks behind it. It answers at once.
type locker interface {
	// hold takes the lock of a file, which it makes if need be. The error is ErrBusy
	// while another holds it, also in this process.
	hold(path string) (release func() error, err error)
	// held reports whether a process holds the lock. Any number may ask at once.
	held(path string) (bool, error)
}

// flocks are the locks of whole files that the system gives back when a process
// ends, however it ends.
type flocks struct{}

func (flocks) hold(path string) (func() error, error) {
	if info, err := os.Stat(path); err == nil {
		if err := regular(path, info); err != nil {
			return nil, err
		}
	}
	l := flock.New(path, flock.SetFlag(os.O_RDWR|os.O_CREATE), flock.SetPermissions(shared))
	switch ok, err := l.TryLock(); {
	case err != nil:
		return nil, noLocks(err)
	case !ok:
		return nil, ErrBusy
	}
	return func() error { return unlocked(path, l.Unlock()) }, nil
}

func (flocks) held(path string) (bool, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		err = regular(path, info)
	}
	if err != nil {
		return false, err
	}
	l := flock.New(path, flock.SetFlag(os.O_RDONLY))
	ok, err := l.TryRLock()
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, noLocks(err)
	}
	if !ok {
		return true, nil
	}
	return false, unlocked(path, l.Unlock())
}

// unlocked is the error of giving a lock back. Without locks there is none to give back.
func unlocked(path string, err error) error {
	if err = noLocks(err); err == nil || errors.Is(err, ErrNoLocks) {
		return nil
	}
	return fmt.Errorf("store: unlocking %s: %w (the lock ends with this process)", path, err)
}

func noLocks(err error) error {
	if errors.Is(err, syscall.ENOLCK) || errors.Is(err, errors.ErrUnsupported) {
		return fmt.Errorf("%w: %w", ErrNoLocks, err)
	}
	return err
}

// LockShard keeps two processes from computing the same rows of a dataset at once:
// from the same shard, and from shards of another number, which overlap. The lock
// ends with the process. The error is ErrBusy while another process is there, and
// that of the context when it ends first.
//
// Where the file system has no locks, locked is false and nothing is kept out. Two
// processes may then compute the same rows, which costs time and nothing else: rows
// are functions of their instances, parts have names of their own, and of equal rows
// one counts. Who writes must say so to its writer ([Options].Unlocked).
func LockShard(ctx context.Context, dir, shard string, opt LockOptions) (unlock func() error, locked bool, err error) {
	if err := checkShard(shard); err != nil {
		return nil, false, err
	}
	if err := MakeFolder(dir); err != nil {
		return nil, false, writeError(filepath.Join(dir, shardLock+shard+lockSuffix), err)
	}
	unlock, err = await(ctx, opt, func() (func() error, error) { return lockShard(opt.locker(), dir, shard) })
	if errors.Is(err, ErrNoLocks) {
		opt.note("%v; two processes that run one shard will not notice each other: that costs time, but no row", err)
		return func() error { return nil }, false, nil
	}
	return unlock, err == nil, err
}

func lockShard(locks locker, dir, shard string) (unlock func() error, err error) {
	unlock, err = locks.hold(filepath.Join(dir, shardLock+shard+lockSuffix))
	if errors.Is(err, ErrBusy) {
		return nil, fmt.Errorf("store: %s: %w, which runs %s: wait for it (--wait), or choose another folder", dir, err, spoken(shard))
	}
	if err != nil {
		return nil, fmt.Errorf("store: locking %s: %w", dir, err)
	}
	if err := overlapping(locks, dir, shard); err != nil {
		return nil, errors.Join(err, unlock())
	}
	return unlock, nil
}

// overlapping is an error while a process runs a shard of another number. Two
// that begin at the same moment may both be refused, but never miss each other:
// each holds its lock before it looks.
func overlapping(locks locker, dir, shard string) error {
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
		held, err := locks.held(filepath.Join(dir, f.Name()))
		if err != nil {
			return fmt.Errorf("store: locks of %s: %w", dir, err)
		}
		if held {
			return fmt.Errorf("store: %s: %w, which runs %s; that overlaps with %s: wait for it (--wait), or choose another folder", dir, ErrBusy,
				spoken(other), spoken(shard))
		}
	}
	return nil
}

// await tries until it holds the lock, another process has held it for too long, or the context ends.
func await(ctx context.Context, opt LockOptions, try func() (func() error, error)) (func() error, error) {
	const glance = 5 // tries within which one who only looks is gone
	began := time.Now()
	pause := 10 * time.Millisecond
	for n := 0; ; n++ {
		unlock, err := try()
		if !errors.Is(err, ErrBusy) {
			return unlock, err
		}
		if n >= glance {
			if opt.Wait == 0 {
				return nil, err
			}
			if opt.Wait > 0 && time.Since(began) >= opt.Wait {
				return nil, fmt.Errorf("%w; waited for %s", err, opt.Wait)
			}
			if n == glance {
				opt.note("waiting: %v", err)
			}
			// Uneven, so that two who keep each other out do not go on in step.
			pause = 100*time.Millisecond + rand.N(200*time.Millisecond)
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%w: %w", context.Cause(ctx), err)
		case <-time.After(pause):
		}
	}
}

// Exclusively calls do while it holds the lock of a file. It calls do without the lock if there are no locks, if the file cannot be made,
// or if another process holds the lock for ten seconds. After two of them note hears of the wait.
func Exclusively(path string, note func(string), do func() error) error {
	const silent, most = 2 * time.Second, 10 * time.Second
	hold := func() (func() error, error) { return flocks{}.hold(path) }
	unlock, err := await(context.Background(), LockOptions{Wait: silent}, hold)
	if errors.Is(err, ErrBusy) {
		note(fmt.Sprintf("waiting at most %s for %s: another process holds this lock, and may be stopped", most-silent, path))
		unlock, err = await(context.Background(), LockOptions{Wait: most - silent}, hold)
	}
	if err != nil {
		return do()
	}
	return errors.Join(do(), unlock())
}

// spoken names a shard as a person writes it, counted from 1.
func spoken(shard string) string {
	if _, n, _ := strings.Cut(shard, shardOf); n != "1" {
		return fmt.Sprintf("shard %d/%s", shardIndex(shard)+1, n)
	}
	return "the whole sweep"
}

// The names of the locks: .shard-0-of-4.lock.
const (
	shardLock  = ".shard-"
	shardOf    = "-of-"
	lockSuffix = ".lock"
)

const (
	mergeLock = ".merge.lock"
	mergeMark = ".merge.running" // in place of the lock where there are none
)

// lockMerge keeps two merges out of one folder: two at once would rewrite the same
// parts twice. Where the file system has no locks, a file that only one process can
// make takes its place. A merge that is killed leaves that file behind; no other process
// can know that it is dead, so a person must remove it.
func lockMerge(dir string, files fileSystem, opt LockOptions) (unlock func() error, err error) {
	noted := false
	return await(context.Background(), opt, func() (func() error, error) {
		unlock, err := opt.locker().hold(filepath.Join(dir, mergeLock))
		switch {
		case errors.Is(err, ErrBusy):
			return nil, fmt.Errorf("store: %s: %w, which merges: wait for it (--wait)", dir, err)
		case errors.Is(err, ErrNoLocks):
			if !noted {
				noted = true
				opt.note("store: locking %s: %v; the file %s keeps other merges out meanwhile", dir, err, mergeMark)
			}
			return markMerge(dir, files)
		case err != nil:
			return nil, writeError(filepath.Join(dir, mergeLock), err)
		}
		// Another node may see the same folder without locks.
		if owner, err := ReadRegular(filepath.Join(dir, mergeMark)); !errors.Is(err, fs.ErrNotExist) {
			return nil, errors.Join(marked(dir, owner), unlock())
		}
		return unlock, nil
	})
}

func marked(dir string, owner []byte) error {
	return fmt.Errorf("store: %s: %w, which merges (%s): wait for it (--wait), or, if it is dead, remove %s", dir, ErrBusy,
		bytes.TrimSpace(owner), filepath.Join(dir, mergeMark))
}

func markMerge(dir string, files fileSystem) (unlock func() error, err error) {
	path := filepath.Join(dir, mergeMark)
	h, err := files.create(path, shared)
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
