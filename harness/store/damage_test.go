package store

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestTruncatedPart cuts a part at many offsets. The scan names the file and the remedy, and the check finds it.
func TestTruncatedPart(t *testing.T) {
	dir := t.TempDir()
	good := writeSequence(t, Options{Dir: dir, Attempt: "a"}, 0, 20)[0]
	bad := writeSequence(t, Options{Dir: dir, Attempt: "b"}, 20, 60)[0]
	whole := mustRead(t, bad)
	step := max(1, len(whole)/200)
	for n := 0; n < len(whole); n += step {
		if err := os.WriteFile(bad, whole[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := Scan(dir, ScanOptions{})
		if err == nil || !strings.Contains(err.Error(), bad) || !strings.Contains(err.Error(), "remove it and run the sweep again: schedsweep "+
			"run computes its rows anew, with --complete ") {
			t.Fatalf("cut at %d of %d: error %v", n, len(whole), err)
		}
		if strings.Contains(err.Error(), good) {
			t.Fatalf("cut at %d: the good part is blamed: %v", n, err)
		}
		problems := Check(dir)
		if len(problems) != 1 || problems[0].Path != bad || problems[0].Kind != Truncated {
			t.Fatalf("cut at %d: check found %v", n, problems)
		}
	}
}

// TestFlippedBytes: a damaged byte is an error, or changes nothing that is read.
// Pages carry checksums; headers and footers are checked against each other.
func TestFlippedBytes(t *testing.T) {
	dir := t.TempDir()
	path := writeSequence(t, Options{Dir: dir, Attempt: "a"}, 0, 500)[0]
	whole := mustRead(t, path)
	want := mustScan(t, dir, ScanOptions{}).Hash()
	refused := 0
	for at := 0; at < len(whole); at += 31 {
		broken := bytes.Clone(whole)
		broken[at] ^= 0x10
		if err := os.WriteFile(path, broken, 0o644); err != nil {
			t.Fatal(err)
		}
		table, err := Scan(dir, ScanOptions{})
		if err != nil {
			refused++
			if !strings.Contains(err.Error(), path) {
				t.Fatalf("byte %d: error without the file: %v", at, err)
			}
			continue
		}
		if table.Hash() != want {
			t.Fatalf("byte %d of %d: damage changed the rows without an error", at, len(whole))
		}
	}
	if refused == 0 {
		t.Fatal("no flipped byte was noticed")
	}
}

func TestForeignAndConflictingFiles(t *testing.T) {
	dir := t.TempDir()
	writeKeyed(t, dir, "0-of-1", "a", []string{"x"}, 1)
	other := Schema{{Name: "id", Type: String}, {Name: "value", Type: Float64}}
	w := mustWriter(t, Options{Dir: dir, Attempt: "b", Schema: other})
	row := w.NewRow()
	row.SetString(0, "y")
	row.SetFloat(1, 2)
	if err := errors.Join(w.Append(row), w.Close()); err != nil {
		t.Fatal(err)
	}
	_, err := Scan(dir, ScanOptions{})
	if err == nil || !strings.Contains(err.Error(), partsOf(w, 0)[0]) || !strings.Contains(err.Error(), `"value" is float64`) {
		t.Fatalf("type conflict: %v", err)
	}
	if problems := Check(dir); len(problems) != 1 || problems[0].Kind != Conflict {
		t.Fatalf("check: %v", problems)
	}
	if err := os.WriteFile(partsOf(w, 0)[0], []byte("PAR1 this is no parquet file PAR1"), 0o644); err != nil {
		t.Fatal(err)
	}
	if problems := Check(dir); len(problems) != 1 || problems[0].Path != partsOf(w, 0)[0] {
		t.Fatalf("check of a text file: %v", problems)
	}
}

func TestCopiedPartIsRefused(t *testing.T) {
	dir := t.TempDir()
	path := writeSequence(t, Options{Dir: dir, Attempt: "a"}, 0, 3)[0]
	if err := os.WriteFile(filepath.Join(dir, "copy.parquet"), mustRead(t, path), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Scan(dir, ScanOptions{}); err == nil || !strings.Contains(err.Error(), "copy of") {
		t.Fatalf("rows would count twice: %v", err)
	}
}

func TestTemporariesAndOtherFilesAreIgnored(t *testing.T) {
	dir := t.TempDir()
	path := writeSequence(t, Options{Dir: dir, Attempt: "b"}, 0, 3)[0]
	half := mustRead(t, path)[:100]
	names := map[string]bool{ // name -> is it there after a later writer of shard 0-of-2 has come
		".part-0-of-2-a-000000.parquet.tmp":  false,
		".part-0-of-2-c-000000.parquet.tmp":  true, // its own attempt
		".part-0-of-2-d-000000.parquet.tmp":  true, // a later attempt
		".part-1-of-2-a-000000.parquet.tmp":  true, // another shard
		".part-0-of-20-a-000000.parquet.tmp": true, // another shard
		".probe-0-of-2-a.tmp":                false,
		".probe-0-of-2-d.tmp":                true,
		"notes.txt":                          true,
		".hidden.parquet":                    true,
	}
	for name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), half, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if rows := mustScan(t, dir, ScanOptions{}).Rows; rows != 3 {
		t.Fatalf("%d rows", rows)
	}
	if problems := Check(dir); len(problems) > 0 {
		t.Fatal(problems)
	}
	mustWriter(t, Options{Dir: dir, Shard: "0-of-2", Attempt: "c", Schema: allTypes})
	left := map[string]bool{}
	for _, name := range listDir(t, dir) {
		left[name] = true
	}
	for name, want := range names {
		if left[name] != want {
			t.Errorf("%s: there %v, want %v", name, left[name], want)
		}
	}
}

// FuzzScan feeds garbage to the scan: it returns rows or an error that names the
// file, and never panics.
func FuzzScan(f *testing.F) {
	dir := f.TempDir()
	part := mustRead(f, writeSequence(f, Options{Dir: dir, Attempt: "a"}, 0, 30)[0])
	keyed := f.TempDir()
	writeKeyed(f, keyed, "0-of-1", "a", []string{"x", "y"}, 1)
	f.Add(part)
	f.Add(part[:len(part)/2])
	f.Add(part[len(part)/2:])
	f.Add([]byte("PAR1\x00\x00\x00\x00PAR1"))
	f.Add([]byte{})
	f.Add(mustRead(f, filepath.Join(keyed, listDir(f, keyed)[0])))
	// Damage in the footer and in the first pages, where a mutation of a whole
	// file seldom lands.
	for _, at := range []int{5, 20, 60, len(part) - 40, len(part) - 700, len(part) - 2000} {
		broken := bytes.Clone(part)
		broken[at] ^= 0x7f
		f.Add(broken)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		path := filepath.Join(dir, "part-0-of-1-a-000000.parquet")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		table, err := Scan(dir, ScanOptions{})
		if err != nil && !strings.Contains(err.Error(), path) {
			t.Fatalf("error without the file: %v", err)
		}
		if err == nil {
			table.Hash()
		}
		if problems := Check(dir); (len(problems) > 0) != (err != nil) {
			t.Fatalf("scan says %v, check says %v", err, problems)
		}
	})
}

// TestVanishedPart: a part that cannot be found is not a folder that is not there.
func TestVanishedPart(t *testing.T) {
	dir := t.TempDir()
	writeKeyed(t, dir, "0-of-1", "a000007", []string{"x"}, 1)
	if err := os.Symlink(filepath.Join(dir, "nowhere"), filepath.Join(dir, "z.parquet")); err != nil {
		t.Fatal(err)
	}
	if number, err := latestAttempt(dir); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("attempt %d, error %v", number, err)
	}
	if _, err := Scan(dir, ScanOptions{}); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("scan: %v", err)
	}
	if number, err := latestAttempt(filepath.Join(dir, "nowhere")); number != 0 || err != nil {
		t.Errorf("of no folder: %d, %v", number, err)
	}
}

// Checksums of older folders are of texts as strconv quotes them.
func TestQuotedAsStrconvDoes(t *testing.T) {
	for c := range rune(0x300) {
		for _, text := range []string{string(c), "a\\\"\n" + string([]byte{byte(c)}) + "b"} {
			if got, want := appendQuoted([]byte("x"), text), strconv.AppendQuote([]byte("x"), text); !bytes.Equal(got, want) {
				t.Errorf("%q is quoted as %s, want %s", text, got, want)
			}
		}
	}
}
