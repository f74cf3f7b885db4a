package store

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMergeKeepsEveryRowInOrder(t *testing.T) {
	dir := t.TempDir()
	for i, shard := range []string{"0-of-3", "1-of-3", "2-of-3"} {
		for j, attempt := range []string{"a", "b"} {
			from := (i*2 + j) * 50
			writeSequence(t, Options{Dir: dir, Shard: shard, Attempt: attempt, RowsPerPart: 7, Meta: map[string]string{"host": shard}}, from, from+50)
		}
	}
	before := mustScan(t, dir, ScanOptions{})
	result, err := Merge(dir, MergeOptions{RowsPerPart: 120})
	if err != nil {
		t.Fatal(err)
	}
	names, err := partFiles(dir)
	if err != nil {
		t.Fatal(err)
	}
	if result.Before != 48 || result.Rows != 300 || result.After != len(names) || len(names) > 4 {
		t.Fatalf("%+v, %d files", result, len(names))
	}
	if diff := cmp.Diff(textOf(before), textOf(mustScan(t, dir, ScanOptions{}))); diff != "" {
		t.Fatalf("the scan changed (-before +after):\n%s", diff)
	}
	if problems := Check(dir); len(problems) > 0 {
		t.Fatal(problems)
	}
	if again, err := Merge(dir, MergeOptions{RowsPerPart: 120}); err != nil || again.Rows != 0 {
		t.Fatalf("a second merge moved %d rows, error %v", again.Rows, err)
	}
	parts, err := Parts(dir)
	if err != nil {
		t.Fatal(err)
	}
	if host := parts[0].Meta["host"]; !strings.Contains(host, "-of-3") {
		t.Errorf("provenance lost: %q", host)
	}
}

func textOf(table *Table) []string {
	var b strings.Builder
	if err := WriteCSV(&b, table); err != nil {
		return []string{err.Error()}
	}
	return strings.Split(b.String(), "\n")
}

// TestKilledMerge: the merged part is complete and no source is removed yet.
// The sources are not counted twice, with or without a key, and the next merge
// removes them.
func TestKilledMerge(t *testing.T) {
	dir := t.TempDir()
	writeSequence(t, Options{Dir: dir, Attempt: "a", RowsPerPart: 5}, 0, 20)
	saved := map[string][]byte{}
	for _, name := range listDir(t, dir) {
		saved[name] = mustRead(t, filepath.Join(dir, name))
	}
	want := mustScan(t, dir, ScanOptions{}).Hash()
	if _, err := Merge(dir, MergeOptions{}); err != nil {
		t.Fatal(err)
	}
	for name, content := range saved {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	leftover := filepath.Join(dir, ".merged-0123.parquet.tmp")
	if err := os.WriteFile(leftover, []byte("half"), 0o644); err != nil {
		t.Fatal(err)
	}
	if table := mustScan(t, dir, ScanOptions{}); table.Rows != 20 || table.Hash() != want {
		t.Fatalf("%d rows of 20", table.Rows)
	}
	problems := Check(dir)
	if len(problems) != 4 || problems[0].Kind != Leftover {
		t.Fatalf("check: %v", problems)
	}
	if _, err := Merge(dir, MergeOptions{}); err != nil {
		t.Fatal(err)
	}
	names := slices.DeleteFunc(listDir(t, dir), func(n string) bool { return n == ".merge.lock" })
	if len(names) != 1 || mustScan(t, dir, ScanOptions{}).Hash() != want {
		t.Fatalf("after the next merge: %v", names)
	}
}

func TestTwoMergesExcludeEachOther(t *testing.T) {
	dir := t.TempDir()
	unlock, err := lockMerge(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Merge(dir, MergeOptions{}); err == nil || !strings.Contains(err.Error(), "another merge") {
		t.Fatalf("error %v", err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	if _, err := Merge(dir, MergeOptions{}); err != nil {
		t.Fatal(err)
	}
}
