package store

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestRoundTripOfEveryType(t *testing.T) {
	for _, rowsPerPart := range []int{1, 7, 1000, 5000} {
		t.Run(fmt.Sprint(rowsPerPart), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "run", "instances")
			n := 40
			if rowsPerPart > 10 {
				n = 9000 // more than one decoding batch
			}
			parts := writeSequence(t, Options{Dir: dir, Attempt: "a", rowsPerPart: rowsPerPart,
				Meta: map[string]string{"version": "1.2", "host": "h"}}, 0, n)
			if want := (n + rowsPerPart - 1) / rowsPerPart; len(parts) != want {
				t.Fatalf("%d parts, want %d", len(parts), want)
			}
			table := mustScan(t, dir, ScanOptions{})
			if table.Rows != n {
				t.Fatalf("%d rows, want %d", table.Rows, n)
			}
			if diff := cmp.Diff(allTypes, table.Schema()); diff != "" {
				t.Fatalf("schema (-want +got):\n%s", diff)
			}
			for i := range n {
				checkFilled(t, table, i, i)
			}
			described, err := Parts(dir)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(map[string]string{"version": "1.2", "host": "h"}, described[0].Meta); diff != "" {
				t.Fatalf("provenance (-want +got):\n%s", diff)
			}
			if problems := Check(dir); len(problems) > 0 {
				t.Fatal(problems)
			}
		})
	}
}

func TestManyRowGroupsAndAWideDictionary(t *testing.T) {
	s := Schema{{Name: "name", Type: Category, Nullable: true}, {Name: "x", Type: Float64}}
	path := filepath.Join(t.TempDir(), partName("0-of-1", "wide", 0))
	w, err := CreateFile(path, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	// 2.1 row groups whose dictionaries pass dictionaryBytes, so that the rest
	// of each group is stored plain.
	n := maxGroupRows*2 + 100
	name := func(i int) string { return fmt.Sprintf("%0250d", i%100_000) }
	row := s.NewRow()
	for i := range n {
		row.Reset()
		if i%5 != 0 {
			row.SetString(0, name(i))
		}
		row.SetFloat(1, float64(i))
		if err := w.Append(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	table, err := Scan(filepath.Dir(path), ScanOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if table.Rows != n {
		t.Fatalf("%d rows, want %d", table.Rows, n)
	}
	for i := range n {
		if null := table.Columns[0].IsNull(i); null != (i%5 == 0) || !null && table.Columns[0].Text(i) != name(i) ||
			table.Columns[1].Floats[i] != float64(i) {
			t.Fatalf("row %d came back as %q, %v", i, table.Columns[0].Text(i), table.Columns[1].Floats[i])
		}
	}
}

func TestAllNullAndConstantColumns(t *testing.T) {
	s := Schema{{Name: "f", Type: Float64, Nullable: true}, {Name: "i", Type: Int64, Nullable: true}, {Name: "n", Type: Int32, Nullable: true},
		{Name: "b", Type: Bool, Nullable: true}, {Name: "s", Type: String, Nullable: true}, {Name: "c", Type: Category, Nullable: true}}
	dir := t.TempDir()
	w := mustWriter(t, Options{Dir: dir, Attempt: "a", Schema: s})
	for range 3 {
		if err := w.Append(w.NewRow()); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	table := mustScan(t, dir, ScanOptions{})
	for c := range table.Columns {
		v := &table.Columns[c]
		for i := range 3 {
			if _, ok := v.Float(i); ok || !v.IsNull(i) || v.Text(i) != "" {
				t.Errorf("column %s row %d is not null", v.Name, i)
			}
		}
	}
}

// TestRoundTripProperty: any schema and any rows come back bit for bit and in order, from any division into parts.
func TestRoundTripProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "store")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		var s Schema
		for i := range rapid.IntRange(1, 8).Draw(t, "columns") {
			s = append(s, Column{Name: fmt.Sprintf("c%d", i), Type: Type(rapid.IntRange(int(Float64), int(Category)).Draw(t, "type")),
				Nullable: rapid.Bool().Draw(t, "nullable")})
		}
		w, err := NewWriter(Options{Dir: dir, Attempt: "a", Schema: s, rowsPerPart: rapid.IntRange(1, 30).Draw(t, "rowsPerPart")})
		if err != nil {
			t.Fatal(err)
		}
		var written []*Row
		for range rapid.IntRange(0, 60).Draw(t, "rows") {
			row := s.NewRow()
			for i, c := range s {
				if c.Nullable && rapid.Bool().Draw(t, "null") {
					continue
				}
				switch c.Type {
				case Float64:
					row.SetFloat(i, math.Float64frombits(rapid.Uint64().Draw(t, "bits")))
				case Int64:
					row.SetInt(i, rapid.Int64().Draw(t, "int64"))
				case Int32:
					row.SetInt(i, int64(rapid.Int32().Draw(t, "int32")))
				case Bool:
					row.SetBool(i, rapid.Bool().Draw(t, "bool"))
				case String:
					row.SetString(i, rapid.String().Draw(t, "text"))
				case Category:
					row.SetString(i, rapid.SampledFrom(awkwardTexts).Draw(t, "category"))
				}
			}
			written = append(written, row)
			if err := w.Append(row); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		table, err := Scan(dir, ScanOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if table.Rows != len(written) {
			t.Fatalf("%d rows of %d", table.Rows, len(written))
		}
		columns := make([]int, len(s))
		for i := range columns {
			columns[i] = i
		}
		got := s.NewRow()
		for i, want := range written {
			table.setCells(got, i, columns)
			if diff := cmp.Diff(want.cells, got.cells, cmp.AllowUnexported(Cell{})); diff != "" {
				t.Fatalf("row %d (-want +got):\n%s", i, diff)
			}
		}
	})
}

func TestInvalidTextIsKeptAsReplacementCharacters(t *testing.T) {
	dir := t.TempDir()
	writeKeyed(t, dir, "0-of-1", "a", []string{"bad \xff\xfe text"}, 1)
	if got := mustScan(t, dir, ScanOptions{}).Column("id").Text(0); got != "bad \uFFFD text" {
		t.Fatalf("%q", got)
	}
}

// TestOtherReaders reads a part with arrow's own reader, as pandas, polars and DuckDB do. It finds dictionaries for categories,
// units and definitions at the fields, and provenance in the footer.
func TestOtherReaders(t *testing.T) {
	path := writeSequence(t, Options{Dir: t.TempDir(), Attempt: "a", Meta: map[string]string{"version": "1.2"}}, 0, 50)[0]
	rd, err := file.OpenParquetFile(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer rd.Close()
	if v := rd.MetaData().KeyValueMetadata().FindValue("version"); v == nil || *v != "1.2" {
		t.Errorf("provenance %v", v)
	}
	fr, err := pqarrow.NewFileReader(rd, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	table, err := fr.ReadTable(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer table.Release()
	if table.NumRows() != 50 {
		t.Fatalf("%d rows", table.NumRows())
	}
	for i, f := range table.Schema().Fields() {
		c := allTypes[i]
		if want := allTypes.arrow().Field(i).Type; f.Name != c.Name || !arrow.TypeEqual(f.Type, want) || f.Nullable != c.Nullable {
			t.Errorf("field %d is %v, want %s %v", i, f, c.Name, want)
		}
		if unit, _ := f.Metadata.GetValue("unit"); unit != c.Unit {
			t.Errorf("field %s has unit %q, want %q", f.Name, unit, c.Unit)
		}
		if doc, _ := f.Metadata.GetValue("doc"); doc != c.Doc {
			t.Errorf("field %s has definition %q, want %q", f.Name, doc, c.Doc)
		}
	}
	texts := table.Column(11).Data().Chunk(0).(*array.Dictionary)
	for i := range 50 {
		if got, want := texts.ValueStr(i), []string{"ok", "failed", ""}[i%3]; got != want {
			t.Fatalf("category of row %d is %q, want %q", i, got, want)
		}
	}
}

// The schema is the one that arrow itself would write.
func TestSchemaIsThatOfArrow(t *testing.T) {
	props := parquet.NewWriterProperties()
	root, err := allTypes.root(props)
	if err != nil {
		t.Fatal(err)
	}
	want, err := pqarrow.ToParquet(allTypes.arrow(), props, pqarrow.DefaultWriterProps())
	if err != nil {
		t.Fatal(err)
	}
	if !root.Equals(want.Root()) {
		t.Errorf("schema %v, arrow's %v", root, want.Root())
	}
}
