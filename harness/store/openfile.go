package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// ErrNotRegular says that a name stands for a folder, a pipe, a socket or a device
// where a file is wanted.
var ErrNotRegular = errors.New("not a regular file")

// OpenRegular opens a file for reading and refuses what is none, instead of waiting
// for somebody to write to it.
func OpenRegular(path string) (*os.File, error) {
	// Looked at twice: opening a device can do something by itself, and what stands
	// under the name may change in between.
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
