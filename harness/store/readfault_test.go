package store

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/apache/arrow/go/v17/parquet"
)

// failing is a file whose reads and seeks fail after a number of them.
type failing struct {
	parquet.ReaderAtSeeker
	left int // reads and seeks until then
}

func (f *failing) Seek(at int64, from int) (int64, error) {
	if f.left--; f.left < 0 {
		return 0, &os.PathError{Op: "seek", Path: "a disk", Err: syscall.EIO}
	}
	return f.ReaderAtSeeker.Seek(at, from)
}

func (f *failing) ReadAt(b []byte, at int64) (int, error) {
	if f.left--; f.left < 0 {
		return 0, &os.PathError{Op: "read", Path: "a disk", Err: syscall.EIO}
	}
	return f.ReaderAtSeeker.ReadAt(b, at)
}

// TestReadFault lets each read and seek of opening a part fail: the file is named, and no message advises to remove it.
func TestReadFault(t *testing.T) {
	dir := t.TempDir()
	writeSequence(t, Options{Dir: dir, Attempt: "a000001-x"}, 0, 100)
	path := dir + "/" + listDir(t, dir)[0]
	for n := 0; ; n++ {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		faulty := &failing{f, n}
		p, rd, problem := readPart(path, faulty, nil)
		if problem == nil { // then the reads of its columns
			table := NewTable(p.schema, p.rows)
			faulty.left = 0
			err := decodeGroup(p, rd, 0, table, AllRows(p.rows), make([]dictionary, len(p.schema)), new(scratch))
			if err == nil {
				t.Fatal("a read failed, and the rows are there")
			}
			problem = p.file.problem(path, Damaged, err)
		}
		if problem.Kind != Unreadable || !errors.Is(problem, syscall.EIO) || !strings.Contains(problem.Error(), path) ||
			strings.Contains(problem.Remedy(), "remove") {
			t.Errorf("read %d: %v", n, problem)
		}
		_ = f.Close()
		if p != nil {
			return
		}
	}
}
