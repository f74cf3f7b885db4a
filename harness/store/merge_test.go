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
			writeSequence(t, Options{Dir: dir, Shard: shard, Attempt: attempt, rowsPerPart: 7, Meta: map[string]string{"host": shard}}, from, from+
				50)
		}
	}
	before := mustScan(t, dir, ScanOptions{})
	result, err := Merge(dir, MergeOptions{rowsPerPart: 120})
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
	if again, err := Merge(dir, MergeOptions{rowsPerPart: 120}); err != nil || again.Rows != 0 {
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
	if err := writeCSV(&b, table); err != nil {
		return []string{err.Error()}
	}
	return strings.Split(b.String(), "\n")
}

// TestKilledMerge: the merged part is complete and no source is removed yet.
// The sources are not counted twice, with or without a key, and the next merge
// removes them.
func TestKilledMerge(t *testing.T) {
	dir := t.TempDir()
	writeSequence(t, Options{Dir: dir, Attempt: "a", rowsPerPart: 5}, 0, 20)
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

// A part that lacks a column is written anew even if it is large and alone; cells
// can be filled on the way. Rows and their order stay.
func TestMergeGivesEveryPartAllColumns(t *testing.T) {
	dir := t.TempDir()
	writeKeyed(t, dir, "0-of-1", "a", []string{"x", "y", "z"}, 1)
	wider := append(slices.Clone(keyedSchema), Column{Name: "extra", Type: Int64, Nullable: true})
	w := mustWriter(t, Options{Dir: dir, Attempt: "b", Schema: wider})
	row := w.NewRow()
	for i, id := range []string{"u", "v"} {
		row.SetString(0, id)
		row.SetInt(1, 2)
		row.SetInt(3, int64(i))
		if err := w.Append(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	result, err := Merge(dir, MergeOptions{rowsPerPart: 2, Fill: func(table *Table) error {
		extra := table.Column("extra")
		for i := range table.Rows {
			if table.Column("id").Text(i) == "y" && extra.IsNull(i) {
				extra.SetInt(i, 7)
			}
		}
		return nil
	}})
	if err != nil || result.Rows != 3 || result.Before != 2 || result.After != 2 {
		t.Fatalf("%+v, %v", result, err)
	}
	parts, err := Parts(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range parts {
		if len(p.Schema) != len(wider) {
			t.Errorf("%s has %d columns of %d", p.Path, len(p.Schema), len(wider))
		}
	}
	table := mustScan(t, dir, ScanOptions{})
	if got, want := pairsOf(table), "x=1 y=1 z=1 u=2 v=2"; got != want {
		t.Errorf("rows %s, want %s", got, want)
	}
	var extra []string
	for i := range table.Rows {
		extra = append(extra, table.Column("extra").Text(i))
	}
	if diff := cmp.Diff([]string{"", "7", "", "0", "1"}, extra); diff != "" {
		t.Error(diff)
	}
}
