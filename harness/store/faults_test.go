package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// faulty fails the operation named at the n-th call of it (from 1), and later ones.
type faulty struct {
	osFiles
	at    string
	after int
	err   error
	calls map[string]int
	spent bool // faults are over
}

func (f *faulty) fault(op string) error {
	if f.calls == nil {
		f.calls = map[string]int{}
	}
	f.calls[op]++
	if op == f.at && !f.spent && f.calls[op] > f.after {
		return f.err
	}
	return nil
}

func (f *faulty) create(path string, mode fs.FileMode) (partHandle, error) {
	if err := f.fault("create"); err != nil {
		return nil, err
	}
	h, err := f.osFiles.create(path, mode)
	return &faultyHandle{h, f}, err
}

func (f *faulty) rename(from, to string) error {
	if err := f.fault("rename"); err != nil {
		return err
	}
	return f.osFiles.rename(from, to)
}

func (f *faulty) syncDir(dir string) error {
	if err := f.fault("syncDir"); err != nil {
		return err
	}
	return f.osFiles.syncDir(dir)
}

type faultyHandle struct {
	partHandle
	f *faulty
}

func (h *faultyHandle) Write(p []byte) (int, error) {
	if err := h.f.fault("write"); err != nil {
		return 0, err
	}
	return h.partHandle.Write(p)
}

func (h *faultyHandle) Sync() error {
	return errors.Join(h.f.fault("sync"), h.partHandle.Sync())
}

func (h *faultyHandle) Close() error {
	return errors.Join(h.partHandle.Close(), h.f.fault("close"))
}

// TestFaultsLoseNothing fails each step of writing a part, for a full disk and for one that is broken: the error names path
// and cause, no file is left, and a retry writes every row exactly once.
func TestFaultsLoseNothing(t *testing.T) {
	ops := []string{"create", "write", "sync", "close", "rename", "syncDir"}
	for i := range 2 * len(ops) {
		op, cause, remedy := ops[i/2], syscall.ENOSPC, "free some and run the same command again"
		if i%2 == 1 {
			cause, remedy = syscall.EIO, "input/output error"
		}
		t.Run(fmt.Sprint(op, " ", cause), func(t *testing.T) {
			dir := t.TempDir()
			files := &faulty{at: op, after: 1, err: cause}
			if op == "rename" || op == "syncDir" || op == "sync" {
				files.after = 0 // the probe of NewWriter does not come to it
			}
			w := mustWriter(t, Options{Dir: dir, Attempt: "a", Schema: allTypes, rowsPerPart: 10, files: files})
			row := w.NewRow()
			var failed error
			for k := range 15 {
				fill(row, k)
				if err := w.Append(row); err != nil {
					if k != 9 {
						t.Fatalf("row %d: %v", k, err)
					}
					failed = err
				}
			}
			if failed == nil || !errors.Is(failed, cause) || !strings.Contains(failed.Error(), dir) ||
				!strings.Contains(failed.Error(), remedy) {
				t.Fatalf("error %v", failed)
			}
			var refused *RowError
			if errors.As(failed, &refused) {
				t.Fatal("a row that is buffered must not be reported as refused")
			}
			if left := listDir(t, dir); len(left) > 0 {
				t.Fatalf("left behind: %v", left)
			}
			if err := w.Flush(); err == nil {
				t.Fatal("flush on such a disk succeeded")
			}
			files.spent = true
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			table := mustScan(t, dir, ScanOptions{})
			if table.Rows != 15 {
				t.Fatalf("%d rows of 15", table.Rows)
			}
			for i := range 15 {
				checkFilled(t, table, i, i)
			}
		})
	}
}

func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := mountTiny(dir); err != nil {
		t.Skipf("no tiny file system can be mounted here: %v", err)
	}
	defer func() {
		if err := unmount(dir); err != nil {
			t.Error(err)
		}
	}()
	w := mustWriter(t, Options{Dir: dir, Attempt: "a", Schema: Schema{{Name: "noise", Type: Int64}}, rowsPerPart: 1 << 17})
	row := w.NewRow()
	x := uint64(1)
	var failed error
	n := 0
	for ; failed == nil && n < 1<<18; n++ {
		x = x*6364136223846793005 + 1442695040888963407 // does not compress
		row.SetInt(0, int64(x))
		failed = w.Append(row)
	}
	if !errors.Is(failed, syscall.ENOSPC) || !strings.Contains(failed.Error(), dir) || !strings.Contains(failed.Error(), "free some") {
		t.Fatalf("error %v", failed)
	}
	if left := listDir(t, dir); len(left) > 0 {
		t.Fatalf("left behind: %v", left)
	}
	if w.buf.rows != n {
		t.Fatalf("%d rows buffered of %d", w.buf.rows, n)
	}
}

func TestUnwritableFolder(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := NewWriter(Options{Dir: filepath.Join(blocked, "instances"), Attempt: "a", Schema: allTypes}); err == nil ||
		!strings.Contains(err.Error(), blocked) || !strings.Contains(err.Error(), "move it away") {
		t.Errorf("a file in place of the folder: %v", err)
	}
	for what, err := range map[string]error{
		"attempt":  second(NewAttempt(time.Now(), "x", blocked)),
		"list":     second(Scan(blocked, ScanOptions{})),
		"merge":    second(Merge(blocked, MergeOptions{})),
		"leftover": clearLeftovers(blocked, osFiles{}),
	} {
		if err == nil || !strings.Contains(err.Error(), blocked) || !strings.Contains(err.Error(), "away") {
			t.Errorf("%s: a file in place of the dataset: %v", what, err)
		}
	}
	if _, _, err := LockShard(t.Context(), blocked, "0-of-1", LockOptions{}); err == nil || !strings.Contains(err.Error(), "move it away") {
		t.Errorf("lock: a file in place of the dataset: %v", err)
	}
	files := &faulty{at: "create", err: fs.ErrPermission}
	if _, err := NewWriter(Options{Dir: t.TempDir(), Attempt: "a", Schema: allTypes, files: files}); err == nil ||
		!strings.Contains(err.Error(), "writable") {
		t.Errorf("no permission: %v", err)
	}
	if os.Geteuid() == 0 {
		return // permissions do not stop the superuser
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	if _, err := NewWriter(Options{Dir: dir, Attempt: "a", Schema: allTypes}); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("read-only folder: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

// TestMergeOnABrokenDisk fails when the merge is done: the error names the file.
func TestMergeOnABrokenDisk(t *testing.T) {
	dir := t.TempDir()
	for _, attempt := range []string{"a", "b"} {
		writeSequence(t, Options{Dir: dir, Attempt: attempt}, 0, 5)
	}
	files := &faulty{at: "syncDir", after: 1, err: syscall.EIO}
	if _, err := Merge(dir, MergeOptions{files: files}); !errors.Is(err, syscall.EIO) || !strings.Contains(err.Error(), dir) ||
		!strings.Contains(err.Error(), "run the same command again") {
		t.Error(err)
	}
}

func TestPartsAreNeverOverwritten(t *testing.T) {
	dir := t.TempDir()
	first := writeSequence(t, Options{Dir: dir, Attempt: "a"}, 0, 5)[0]
	before := mustRead(t, first)
	second := writeSequence(t, Options{Dir: dir, Attempt: "a"}, 5, 9)[0]
	if first == second || string(mustRead(t, first)) != string(before) {
		t.Fatalf("%s was overwritten by %s", first, second)
	}
	if rows := mustScan(t, dir, ScanOptions{}).Rows; rows != 9 {
		t.Fatalf("%d rows of 9", rows)
	}
}

func TestRefusedRows(t *testing.T) {
	dir := t.TempDir()
	w := mustWriter(t, Options{Dir: dir, Attempt: "a", Schema: allTypes})
	row := w.NewRow()
	for name, set := range map[string]func(){
		"must have a value":    func() { row.Reset() },
		"was given text":       func() { row.SetString(2, "x") },
		"was given a float64":  func() { row.SetFloat(4, 1) },
		"was given a whole":    func() { row.SetInt(2, 1) },
		"was given a bool":     func() { row.SetBool(2, true) },
		"declare it int64":     func() { row.SetInt(5, 1<<40) },
		"bytes of text in one": func() { row.SetString(9, strings.Repeat("x", maxText+1)) },
	} {
		fill(row, 1)
		set()
		var refused *RowError
		if err := w.Append(row); !errors.As(err, &refused) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := w.Append(keyedSchema.NewRow()); err == nil {
		t.Error("a row of another schema was taken")
	}
	if w.buf.rows != 0 {
		t.Errorf("%d refused rows are buffered", w.buf.rows)
	}
}

func TestOptionsReportEveryMistake(t *testing.T) {
	_, err := NewWriter(Options{Dir: t.TempDir(), Shard: "3-of-2", Attempt: "a b",
		Meta: map[string]string{keyFormat: "9"}, Schema: Schema{{Name: "a", Type: Bool}, {Name: "a"}}})
	for _, want := range []string{"3-of-2", `"a b"`, keyFormat, `both named "a"`, "no known type"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in: %v", want, err)
		}
	}
}

// TestFolderThatIsGone: parts do not make the folder of a disk that is gone, which would hold less than the run says.
func TestFolderThatIsGone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "instances")
	w, err := NewWriter(Options{Dir: dir, Attempt: "a", Schema: allTypes})
	if err != nil {
		t.Fatal(err)
	}
	row := w.NewRow()
	fill(row, 1)
	if err := errors.Join(w.Append(row), os.RemoveAll(dir)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "when the run began") {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is there again: %v", err)
	}
}
