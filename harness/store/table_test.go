package store

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestHashIgnoresPartsAndOrder: one part or many, any order of rows, one shard
// or several, merged or not: the hash is the same; any other value changes it.
func TestHashIgnoresPartsAndOrder(t *testing.T) {
	const n = 60
	one := t.TempDir()
	writeSequence(t, Options{Dir: one, Attempt: "a"}, 0, n)
	want := mustScan(t, one, ScanOptions{}).Hash()

	many := t.TempDir()
	writeSequence(t, Options{Dir: many, Shard: "0-of-2", Attempt: "b", rowsPerPart: 4}, n/2, n)
	writeSequence(t, Options{Dir: many, Shard: "1-of-2", Attempt: "c", rowsPerPart: 11}, 0, n/2)
	table := mustScan(t, many, ScanOptions{})
	if table.Hash() != want {
		t.Error("the hash depends on parts or order")
	}
	table.Columns[0], table.Columns[3] = table.Columns[3], table.Columns[0]
	if table.Hash() != want {
		t.Error("the hash depends on the order of columns")
	}
	load := table.Column("load")
	load.Floats[0] = 0
	for _, c := range []struct {
		what   string
		change func()
	}{
		{"sign of zero", func() { load.Floats[0] = math.Copysign(0, -1) }},
		{"value", func() { table.Column("seed").Ints[5]++ }},
		{"bool", func() { table.Column("audited").Bools[5] = !table.Column("audited").Bools[5] }},
		{"text", func() { table.Column("id").Strings[5] += "x" }},
		{"null or value", func() { v := table.Column("error"); v.Nulls[5] = !v.Nulls[5] }},
		{"name", func() { table.Column("seed").Name = "sead" }},
	} {
		last := table.Hash()
		c.change()
		if table.Hash() == last {
			t.Errorf("the hash misses a change of %s", c.what)
		}
	}
	without := mustScan(t, one, ScanOptions{})
	with := without.Hash("seed", "id")
	without.Column("seed").Ints[0]++
	if without.Hash("seed", "id") != with {
		t.Error("an excluded column counts")
	}
	if without.Hash("seed") == with {
		t.Error("excluding one column or two is the same")
	}
}

func TestConcurrentWriters(t *testing.T) {
	dir := t.TempDir()
	const shards, rows = 6, 200
	errs := make([]error, shards)
	var wg sync.WaitGroup
	for i := range shards {
		wg.Go(func() {
			w, err := NewWriter(Options{Dir: dir, Shard: fmt.Sprintf("%d-of-%d", i, shards), Attempt: "a", Schema: allTypes, rowsPerPart: 17})
			if err != nil {
				errs[i] = err
				return
			}
			// Two goroutines share the writer of a shard.
			var both sync.WaitGroup
			var inner [2]error
			for half := range 2 {
				both.Go(func() {
					row := w.NewRow()
					for k := half; k < rows && inner[half] == nil; k += 2 {
						fill(row, i*rows+k)
						inner[half] = w.Append(row)
					}
				})
			}
			both.Wait()
			for _, err := range append(inner[:], w.Close()) {
				if err != nil {
					errs[i] = err
				}
			}
		})
	}
	// A reader beside them sees complete parts only.
	for range 5 {
		if _, err := Scan(dir, ScanOptions{}); err != nil {
			t.Error(err)
		}
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	one := t.TempDir()
	writeSequence(t, Options{Dir: one, Attempt: "a"}, 0, shards*rows)
	if mustScan(t, dir, ScanOptions{}).Hash() != mustScan(t, one, ScanOptions{}).Hash() {
		t.Fatal("shards together hold other rows than one")
	}
}

func TestCSV(t *testing.T) {
	s := Schema{{Name: "f", Type: Float64, Nullable: true}, {Name: "i,n", Type: Int32}, {Name: "b", Type: Bool},
		{Name: "s", Type: String, Nullable: true}}
	path := filepath.Join(t.TempDir(), "jobs.csv")
	w, err := CreateFile(path, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	row := s.NewRow()
	for i, x := range []float64{0.1, math.NaN(), math.Inf(1), math.Inf(-1), 1e300} {
		row.Reset()
		row.SetFloat(0, x)
		row.SetInt(1, int64(i))
		row.SetBool(2, i == 0)
		row.SetString(3, awkwardTexts[i])
		if err := w.Append(row); err != nil {
			t.Fatal(err)
		}
	}
	row.cells[0] = Cell{}
	row.cells[3] = Cell{}
	if err := w.Append(row); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Fatal("the file is there before it is complete")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want := "f,\"i,n\",b,s\n0.1,0,true,\"\"\nNaN,1,false,\" \"\ninf,2,false,a\n-inf,3,false,naïve 東京 🚀\n1e+300,4,false,\"line\nbreak, " +
		"\"\"quoted\"\"\"\n,4,false,\n"
	got := string(mustRead(t, path))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
	if _, err := csv.NewReader(strings.NewReader(got)).ReadAll(); err != nil {
		t.Fatal(err)
	}
}

func TestWriteFileByExtension(t *testing.T) {
	run := t.TempDir()
	writeSequence(t, Options{Dir: run, Attempt: "a"}, 0, 30)
	table := mustScan(t, run, ScanOptions{})
	dir := t.TempDir()
	path := filepath.Join(dir, "new", partName("0-of-1", "jobs", 0))
	for range 2 { // the second time replaces
		if err := writeFile(path, table, map[string]string{"k": "v"}); err != nil {
			t.Fatal(err)
		}
	}
	back, err := Scan(filepath.Dir(path), ScanOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if back.Hash() != table.Hash() {
		t.Error("Parquet file differs from the table")
	}
	if err := writeFile(filepath.Join(dir, "jobs.csv"), table, nil); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := writeCSV(&b, table); err != nil {
		t.Fatal(err)
	}
	if got := string(mustRead(t, filepath.Join(dir, "jobs.csv"))); got != b.String() {
		t.Error("streamed CSV differs from the table's")
	}
	if err := writeFile(filepath.Join(dir, "jobs.xlsx"), table, nil); err == nil || !strings.Contains(err.Error(), ".parquet or .csv") {
		t.Errorf("unknown extension: %v", err)
	}
	w, err := CreateFile(filepath.Join(dir, "given-up.parquet"), allTypes, nil)
	if err != nil {
		t.Fatal(err)
	}
	w.Abort()
	if names := listDir(t, dir); len(names) != 2 {
		t.Errorf("an aborted file left %v", names)
	}
}

// writeCSV writes a table as CreateFile writes its rows one by one.
func writeCSV(w io.Writer, t *Table) error {
	out := bufio.NewWriterSize(w, sinkBytes)
	schema := t.Schema()
	columns := make([]int, len(schema))
	for i := range columns {
		columns[i] = i
		schema[i].Nullable = true
	}
	line := appendHeader(nil, schema)
	row := schema.NewRow()
	for i := 0; ; i++ {
		// A bufio.Writer keeps its first error for Flush.
		if _, err := out.Write(line); err != nil || i == t.Rows {
			break
		}
		t.setCells(row, i, columns)
		if row.err != nil {
			return fmt.Errorf("row %d: %w", i, row.err)
		}
		line = row.appendCSV(line[:0])
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("store: writing csv: %w", err)
	}
	return nil
}
