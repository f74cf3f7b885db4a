package store

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// allTypes has every type, nullable and not.
var allTypes = Schema{
	{Name: "id", Type: String, Doc: "identity of the instance"},
	{Name: "wait", Type: Float64, Unit: "s", Doc: "mean wait", Nullable: true},
	{Name: "load", Type: Float64, Unit: "1"},
	{Name: "events", Type: Int64, Nullable: true},
	{Name: "seed", Type: Int64},
	{Name: "nodes", Type: Int32, Nullable: true},
	{Name: "procs", Type: Int32},
	{Name: "ok", Type: Bool, Nullable: true},
	{Name: "audited", Type: Bool},
	{Name: "error", Type: String, Nullable: true},
	{Name: "policy", Type: Category, Nullable: true},
	{Name: "out.come", Type: Category},
}

var awkwardTexts = []string{"", " ", "a", "naïve 東京 🚀", "line\nbreak, \"quoted\"", "\x00", strings.Repeat("x", 3000)}

var awkwardFloats = []float64{0, math.Copysign(0, -1), 1, -1.5, math.NaN(), math.Float64frombits(0x7ff8000000000abc), math.Inf(1),
	math.Inf(-1),
	math.SmallestNonzeroFloat64, math.MaxFloat64, 0.1}

// fill sets row k of an endless sequence over allTypes.
func fill(r *Row, k int) {
	r.Reset()
	r.SetString(0, fmt.Sprintf("id-%06d", k))
	r.SetFloat(2, awkwardFloats[k%len(awkwardFloats)])
	r.SetInt(4, int64(k)*math.MaxInt32-math.MaxInt64)
	r.SetInt(6, int64(math.MinInt32+k))
	r.SetBool(8, k%3 == 0)
	r.SetString(11, []string{"ok", "failed", ""}[k%3])
	if k%4 == 0 {
		return // all nullable cells stay null
	}
	r.SetFloat(1, awkwardFloats[(k+1)%len(awkwardFloats)])
	r.SetInt(3, int64(k))
	r.SetInt(5, int64(k%100))
	r.SetBool(7, k%2 == 0)
	r.SetString(9, awkwardTexts[k%len(awkwardTexts)])
	r.SetString(10, fmt.Sprintf("policy %d", k%7))
}

// checkFilled compares row i of t with row k of the sequence, bit for bit.
func checkFilled(t *testing.T, table *Table, i, k int) {
	t.Helper()
	want := allTypes.NewRow()
	fill(want, k)
	got := allTypes.NewRow()
	columns := make([]int, len(allTypes))
	for j := range columns {
		columns[j] = table.Schema().Index(allTypes[j].Name)
	}
	table.setCells(got, i, columns)
	for j := range want.cells {
		if want.cells[j] != got.cells[j] {
			t.Fatalf("row %d, column %q: got %+v, want %+v (row %d written)", i, allTypes[j].Name, got.cells[j], want.cells[j], k)
		}
	}
}

func mustWriter(t testing.TB, opt Options) *Writer {
	t.Helper()
	w, err := NewWriter(opt)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// writeSequence writes rows [from, to) of the sequence and closes.
func writeSequence(t testing.TB, opt Options, from, to int) []string {
	t.Helper()
	opt.Schema = allTypes
	w := mustWriter(t, opt)
	first := int(w.seq.Load())
	row := w.NewRow()
	for k := from; k < to; k++ {
		fill(row, k)
		if err := w.Append(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return partsOf(w, first)
}

// partsOf are the files that a writer has written from a number on.
func partsOf(w *Writer, first int) (paths []string) {
	for seq := first; seq < int(w.seq.Load()); seq++ {
		paths = append(paths, filepath.Join(w.opt.Dir, partName(w.opt.Shard, w.opt.Attempt, seq)))
	}
	return paths
}

func mustScan(t testing.TB, dir string, opt ScanOptions) *Table {
	t.Helper()
	table, err := Scan(dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func listDir(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func mustRead(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Clean(path))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// keyed writes one row (id, value) for each pair, as one attempt.
var keyedSchema = Schema{{Name: "id", Type: String}, {Name: "value", Type: Int64}, {Name: "outcome", Type: Category, Nullable: true}}

func writeKeyed(t testing.TB, dir, shard, attempt string, ids []string, value int64) {
	t.Helper()
	w := mustWriter(t, Options{Dir: dir, Shard: shard, Attempt: attempt, Schema: keyedSchema})
	row := w.NewRow()
	for _, id := range ids {
		row.Reset()
		row.SetString(0, id)
		row.SetInt(1, value)
		row.SetString(2, fmt.Sprint("outcome ", value))
		if err := w.Append(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// pairs renders the (id, value) rows of a table in order.
func pairsOf(table *Table) string {
	var all []string
	for i := range table.Rows {
		all = append(all, table.Column("id").Text(i)+"="+table.Column("value").Text(i))
	}
	return strings.Join(all, " ")
}

// writeFile writes a table to one file.
func writeFile(path string, t *Table, meta map[string]string) error {
	w, err := CreateFile(path, t.Schema(), meta)
	if err != nil {
		return err
	}
	if err := w.Write(t); err != nil {
		w.Abort()
		return err
	}
	return w.Close()
}

// ScanOptions are the columns to read, nil for all, and the rows that count.
type ScanOptions struct {
	Columns []string
	Records Records
}

// Scan reads all parts of a dataset.
func Scan(dir string, opt ScanOptions) (t *Table, err error) {
	err = WithIndex(dir, opt.Records, func(x *Index) error {
		columns := opt.Columns
		if columns == nil || len(x.parts) == 0 {
			columns = x.schema.names()
		}
		t, err = x.Read(columns, x.Ordered())
		return err
	})
	return t, err
}
