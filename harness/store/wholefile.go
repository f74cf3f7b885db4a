package store

import (
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// The modes of files; the umask takes from them what others may not do. Folders are made with 0777 likewise, so that people who
// share a group can share a run folder.
const (
	shared  = 0o666
	private = 0o600
)

// ReplaceFile writes a file that is complete or absent, also if a crash comes
// meanwhile: under a hidden name beside it, synced, renamed, the folder synced. A
// file of that name is replaced; on an error it stays as it was. A missing folder is
// made. It is the one way in which this program writes files that are no parts of a
// dataset.
func ReplaceFile(path string, write func(io.Writer) error) error {
	return writeWhole(osFiles{}, path, write, true, shared)
}

// ReplaceLog is ReplaceFile for logs: it compresses a file whose name ends in .gz.
func ReplaceLog(path string, write func(io.Writer) error) error {
	if !strings.HasSuffix(path, ".gz") {
		return ReplaceFile(path, write)
	}
	return ReplaceFile(path, func(w io.Writer) error {
		z := gzip.NewWriter(w)
		b := bufio.NewWriterSize(z, 1<<20)
		return errors.Join(write(b), b.Flush(), z.Close())
	})
}

// PrivateFile is ReplaceFile for what only its owner may read.
func PrivateFile(path string, write func(io.Writer) error) error {
	return writeWhole(osFiles{}, path, write, true, private)
}

// NewFile is ReplaceFile where no file may be replaced: then the error is
// [fs.ErrExist].
func NewFile(path string, write func(io.Writer) error) error {
	return writeWhole(osFiles{}, path, write, false, shared)
}

// Content returns a function that writes a text.
func Content[T string | []byte](all T) func(io.Writer) error {
	return func(w io.Writer) error { _, err := w.Write([]byte(all)); return err }
}

// FirstFile makes a folder with one file in it, both complete or absent. Of any number
// who try at once one is the first, and for all others the error is [fs.ErrExist]: a
// folder that holds something is not replaced by a rename, also where the file system
// has no locks and no links.
func FirstFile(folder, name string, write func(io.Writer) error) error {
	there := func() bool {
		_, err := os.Lstat(filepath.Join(folder, name))
		return err == nil
	}
	if there() {
		return fmt.Errorf("%s: %w", folder, fs.ErrExist)
	}
	parent := filepath.Dir(folder)
	temp := filepath.Join(parent, uniqueTemp(folder))
	if err := MakeFolder(temp); err != nil {
		return writeError(folder, err)
	}
	err := ReplaceFile(filepath.Join(temp, name), write)
	if err == nil {
		err = os.Rename(temp, folder)
	}
	if err == nil {
		return osFiles{}.syncDir(parent)
	}
	_ = os.RemoveAll(temp) // a leftover does no harm
	if there() {
		return fmt.Errorf("%s: %w", folder, fs.ErrExist)
	}
	return writeError(folder, err)
}

func writeWhole(files fileSystem, path string, write func(io.Writer) error, replace bool, mode fs.FileMode) error {
	a, err := createAtomic(files, path, uniqueTemp(path), mode)
	if err != nil {
		return err
	}
	if err := write(a); err != nil && a.err == nil {
		a.abort()
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return a.commit(replace)
}

// uniqueTemp is a temporary for a name that may be used again after a killed
// process left another.
func uniqueTemp(path string) string { return tempName(filepath.Base(path) + "." + newPartID()) }

const sinkBytes = 256 << 10

// atomicFile is a file that appears under its name complete or not at all.
type atomicFile struct {
	files       fileSystem
	temp, final string
	made        string // the topmost folder that was missing, "" for none
	handle      partHandle
	buffered    *bufio.Writer
	err         error // first error of the sink
}

// createAtomic begins a file. It makes missing folders, and removes them where there is no file in the end.
func createAtomic(files fileSystem, final, temp string, mode fs.FileMode) (*atomicFile, error) {
	if err := replaceable(final); err != nil {
		return nil, err
	}
	dir := filepath.Dir(final)
	a := &atomicFile{files: files, final: final, temp: filepath.Join(dir, temp), made: missing(dir)}
	if err := MakeFolder(dir); err != nil {
		a.unmake()
		return nil, writeError(final, err)
	}
	h, err := files.create(a.temp, mode)
	if err != nil {
		a.unmake()
		return nil, writeError(a.temp, err)
	}
	a.handle = h
	a.buffered = bufio.NewWriterSize(h, sinkBytes)
	return a, nil
}

// replaceable refuses devices, pipes and sockets, such as /dev/null and /dev/stdout: a rename would put a file in their place.
func replaceable(path string) error {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() { // a folder stays
		return nil
	}
	if link, _ := os.Readlink(path); strings.HasPrefix(link, "/proc/") { // /dev/stdout that is a file
		return fmt.Errorf("%s: %w but a link to an open one: name a file to write", path, ErrNotRegular)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s: %w: name a file to write", path, ErrNotRegular)
	}
	return nil
}

// Write remembers the first error: arrow's Close drops the error of the footer.
func (a *atomicFile) Write(p []byte) (int, error) {
	n, err := a.buffered.Write(p)
	if err != nil && a.err == nil {
		a.err = err
	}
	return n, err
}

// commit makes the file durable under its final name. replace says whether an
// existing file may be overwritten.
func (a *atomicFile) commit(replace bool) error {
	err := a.err
	if err == nil {
		err = a.buffered.Flush()
	}
	if err == nil {
		err = a.handle.Sync()
	}
	err = errors.Join(err, a.handle.Close())
	a.handle = nil
	if err == nil && !replace {
		var taken bool
		if taken, err = a.files.exists(a.final); taken {
			err = errors.Join(err, errExists)
		}
	}
	if err == nil {
		err = a.files.rename(a.temp, a.final)
	}
	if err != nil {
		return a.failed(err)
	}
	if err := a.files.syncDir(filepath.Dir(a.final)); err != nil {
		// The name may not survive a power cut and the caller keeps its rows:
		// without this removal a retry would leave them twice.
		if !replace {
			err = errors.Join(err, a.files.remove(a.final))
		}
		return writeError(a.final, err)
	}
	return nil
}

func (a *atomicFile) abort() {
	if a.handle != nil {
		_ = a.handle.Close() // the file is thrown away
		a.handle = nil
	}
	_ = a.files.remove(a.temp) // a leftover is ignored by scans
	a.unmake()
}

// missing is the topmost of a folder and those above it that does not exist, "" for none.
func missing(dir string) (top string) {
	for {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) || dir == top {
			return top
		}
		dir, top = filepath.Dir(dir), dir
	}
}

// unmake removes the folders that were missing, unless they hold something. Some may not have been made.
func (a *atomicFile) unmake() {
	for dir := filepath.Dir(a.final); a.made != ""; dir = filepath.Dir(dir) {
		_ = os.Remove(dir)
		if dir == a.made {
			return
		}
	}
}

func (a *atomicFile) failed(err error) error {
	a.abort()
	return writeError(a.final, err)
}

// fileSystem is the part of the operating system that writing a part needs; tests put
// faults behind it.
type fileSystem interface {
	create(path string, mode fs.FileMode) (partHandle, error) // fails when the path exists
	exists(path string) (bool, error)
	rename(from, to string) error
	remove(path string) error
	syncDir(dir string) error
}

type partHandle interface {
	io.Writer
	Sync() error
	Close() error
}

type osFiles struct{}

func (osFiles) create(path string, mode fs.FileMode) (partHandle, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}

func (osFiles) exists(path string) (bool, error) {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (osFiles) rename(from, to string) error { return os.Rename(from, to) }
func (osFiles) remove(path string) error     { return os.Remove(path) }

func (osFiles) syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil // file systems that cannot sync a folder keep its entries in order themselves
	}
	return errors.Join(err, d.Close())
}

func writeError(path string, err error) error {
	remedy := "see the cause, then run the same command again"
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		remedy = fmt.Sprintf("no space left for %s: free some and run the same command again", filepath.Dir(path))
	case errors.Is(err, syscall.EROFS):
		remedy = "the file system is read-only: choose another output folder"
	case errors.Is(err, fs.ErrPermission):
		remedy = fmt.Sprintf("make %s writable or choose another output folder", filepath.Dir(path))
	case errors.Is(err, syscall.ENOTDIR):
		remedy = fmt.Sprintf("%s or a name above it is a file: move it away or choose another output folder", filepath.Dir(path))
	case errors.Is(err, fs.ErrNotExist):
		remedy = fmt.Sprintf("there is no folder %s: make it first", filepath.Dir(path))
	case errors.Is(err, fs.ErrExist):
		remedy = "parts are never overwritten: give every attempt its own name"
	}
	return fmt.Errorf("store: writing %s: %w (%s)", path, err, remedy)
}

// prepareDir makes the dataset folder and proves that a file can be written in it.
func prepareDir(files fileSystem, dir, probe string) error {
	if dir == "" {
		return errors.New("store: no dataset folder given")
	}
	if err := MakeFolder(dir); err != nil {
		return writeError(filepath.Join(dir, probe), err)
	}
	path := filepath.Join(dir, tempName(probe))
	h, err := files.create(path, shared)
	if err != nil {
		return writeError(path, err)
	}
	_, err = h.Write([]byte("x"))
	if err = errors.Join(err, h.Close(), files.remove(path)); err != nil {
		return writeError(path, err)
	}
	return nil
}

// ErrNotRegular says that a name belongs to a folder, a pipe, a socket or a device
// where a file is wanted.
var ErrNotRegular = errors.New("not a regular file")

// OpenRegular opens a regular file for reading. It refuses anything else, instead of waiting for somebody to
// write to it.
func OpenRegular(path string) (*os.File, error) {
	// Looked at twice: opening a device can do something by itself, and the file of that name may change in between.
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if err := regular(path, info); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = regular(path, info)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// ReadRegular reads a whole file as OpenRegular opens it.
func ReadRegular(path string) ([]byte, error) {
	f, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(f)
	return text, errors.Join(err, f.Close())
}

// SumOf is the SHA-256 of files, one after the other, in hexadecimal, and their length in bytes.
func SumOf(paths ...string) (sum string, size int64, err error) {
	h := sha256.New()
	for _, path := range paths {
		f, err := OpenRegular(path)
		if err != nil {
			return "", 0, err
		}
		n, err := io.Copy(h, f)
		if err = errors.Join(err, f.Close()); err != nil {
			return "", 0, fmt.Errorf("%s: %w", path, err)
		}
		size += n
	}
	return hex.EncodeToString(h.Sum(nil)), size, nil
}

func regular(path string, info fs.FileInfo) error {
	what := ""
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		what = "a folder"
	case mode&fs.ModeNamedPipe != 0:
		what = "a pipe"
	case mode&fs.ModeSocket != 0:
		what = "a socket"
	case mode&fs.ModeDevice != 0:
		what = "a device"
	default:
		what = "a " + mode.Type().String()
	}
	return fmt.Errorf("%s: %w but %s: name a file, or write the content to one first", path, ErrNotRegular, what)
}

// PathsIn returns the paths in a folder whose names begin and end so; none where it cannot be read. The folder's own name may have
// brackets, as no pattern for [filepath.Glob].
func PathsIn(dir, prefix, suffix string) (paths []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) && strings.HasSuffix(e.Name(), suffix) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths
}

// ScratchFile opens an empty file for reading and writing in $TMPDIR, which goes with the process: it has no name, but on
// systems that do not take the name of an open file away.
func ScratchFile() (*os.File, error) {
	f, err := os.CreateTemp("", "schedsweep-*")
	if err != nil {
		return nil, fmt.Errorf("store: a temporary file: %w (TMPDIR chooses the folder)", err)
	}
	_ = os.Remove(f.Name())
	return f, nil
}

// MakeFolder makes a folder and the missing ones above it. An error names the cause, such as a disk that fails: where a folder cannot be
// looked at, os.MkdirAll reports that a name above it exists.
func MakeFolder(path string) error {
	err := os.MkdirAll(path, 0o777)
	if errors.Is(err, fs.ErrExist) {
		if _, cause := os.Stat(path); cause != nil && !errors.Is(cause, fs.ErrNotExist) {
			return cause
		}
		var there *fs.PathError
		if errors.As(err, &there) {
			if to, _ := os.Readlink(there.Path); to != "" {
				return fmt.Errorf("%s is a link to %s, which is missing: make that folder, or remove the link", there.Path, to)
			}
		}
	}
	return err
}
