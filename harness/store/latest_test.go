package store

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTheLastAttemptWins(t *testing.T) {
	dir := t.TempDir()
	// Written out of order: precedence is by name of attempt, not by file time.
	writeKeyed(t, dir, "0-of-2", "c", []string{"x"}, 3)
	writeKeyed(t, dir, "0-of-2", "a", []string{"x", "y", "z"}, 1)
	writeKeyed(t, dir, "1-of-2", "b", []string{"y", "w"}, 2)
	for _, test := range []struct {
		name string
		opt  ScanOptions
		want string
	}{
		{"no key", ScanOptions{}, "x=1 y=1 z=1 y=2 w=2 x=3"},
		{"key", ScanOptions{Key: "id"}, "z=1 y=2 w=2 x=3"},
		{"limit", ScanOptions{Key: "id", Limit: 2}, "z=1 y=2"},
		{"whole number as key", ScanOptions{Key: "value"}, "z=1 w=2 x=3"},
		{"category as key", ScanOptions{Key: "outcome"}, "z=1 w=2 x=3"},
		{"repeats", ScanOptions{Key: "outcome", Repeats: true}, "x=1 y=1 z=1 y=2 w=2 x=3"},
	} {
		if got := pairsOf(mustScan(t, dir, test.opt)); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	if _, err := Merge(dir, MergeOptions{}); err != nil {
		t.Fatal(err)
	}
	if got, want := pairsOf(mustScan(t, dir, ScanOptions{Key: "id"})), "z=1 y=2 w=2 x=3"; got != want {
		t.Errorf("after a merge: %s, want %s", got, want)
	}
	// A later attempt that sorts between those of the merged part.
	writeKeyed(t, dir, "0-of-2", "bb", []string{"x", "y"}, 9)
	if got, want := pairsOf(mustScan(t, dir, ScanOptions{Key: "id"})), "z=1 w=2 y=9 x=3"; got != want {
		t.Errorf("beside a merged part: %s, want %s", got, want)
	}
}

func TestRepeatedKeysKeepTheRowsOfTheLastWriter(t *testing.T) {
	dir := t.TempDir()
	writeKeyed(t, dir, "0-of-1", "a", []string{"x", "x", "x", "y", "y"}, 1)
	writeKeyed(t, dir, "0-of-1", "b", []string{"x", "x"}, 2)
	want := "y=1 y=1 x=2 x=2"
	for _, when := range []string{"as written", "merged"} {
		if got := pairsOf(mustScan(t, dir, ScanOptions{Key: "id", Repeats: true})); got != want {
			t.Errorf("%s: %s, want %s", when, got, want)
		}
		if _, err := Merge(dir, MergeOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestScanKeys(t *testing.T) {
	dir := t.TempDir()
	if err := ScanKeys(filepath.Join(dir, "none"), "id", "outcome", func(string, string) { t.Error("a key of nothing") }); err != nil {
		t.Fatal(err)
	}
	if err := ScanKeys(dir, "id", "outcome", func(string, string) { t.Error("a key of nothing") }); err != nil {
		t.Fatal(err)
	}
	writeKeyed(t, dir, "0-of-1", "a", []string{"x", "y"}, 1)
	writeKeyed(t, dir, "0-of-1", "b", []string{"x"}, 2)
	var got []string
	if err := ScanKeys(dir, "id", "outcome", func(k, o string) { got = append(got, k+": "+o) }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"y: outcome 1", "x: outcome 2"}, got); diff != "" {
		t.Fatal(diff)
	}
}

func TestColumnsByName(t *testing.T) {
	dir := t.TempDir()
	writeKeyed(t, dir, "0-of-1", "a", []string{"x"}, 1)
	s := Schema{{Name: "value", Type: Int64}, {Name: "extra", Type: Float64}, {Name: "id", Type: String}}
	w := mustWriter(t, Options{Dir: dir, Attempt: "b", Schema: s})
	row := w.NewRow()
	row.SetInt(0, 2)
	row.SetFloat(1, 0.5)
	row.SetString(2, "y")
	if err := w.Append(row); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	table := mustScan(t, dir, ScanOptions{Columns: []string{"extra", "id"}, Key: "value"})
	if len(table.Columns) != 2 || table.Columns[0].Name != "extra" || !table.Columns[0].Nullable {
		t.Fatalf("columns %+v", table.Schema())
	}
	if _, ok := table.Columns[0].Float(0); ok {
		t.Error("a column that the part lacks is not null")
	}
	if x, ok := table.Columns[0].Float(1); !ok || x != 0.5 {
		t.Errorf("extra = %v, %v", x, ok)
	}
	if _, err := Scan(dir, ScanOptions{Columns: []string{"wait"}}); err == nil || !strings.Contains(err.Error(), `no column "wait"; it has id, value, outcome, extra`) {
		t.Errorf("unknown column: %v", err)
	}
	if _, err := Scan(dir, ScanOptions{Key: "extra"}); err == nil || !strings.Contains(err.Error(), "cannot be the key") {
		t.Errorf("float key: %v", err)
	}
}

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

func TestAttemptsSortByTime(t *testing.T) {
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var names []string
	for _, d := range []time.Duration{0, 1, time.Second, time.Hour, 400 * 24 * time.Hour} {
		names = append(names, NewAttempt(start.Add(d), fmt.Sprintf("host/ä-%d", 9-len(names))))
	}
	if !slices.IsSorted(names) || checkAttempt(names[0]) != nil || names[0] != "20260102T030405.000000000Z-host__-9" {
		t.Fatalf("%q", names)
	}
	shard, attempt, seq, ok := parsePartName(partName("0-of-1", names[0], 12))
	if !ok || shard != "0-of-1" || attempt != names[0] || seq != 12 {
		t.Fatalf("%q %q %d %v", shard, attempt, seq, ok)
	}
}
