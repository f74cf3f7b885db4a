package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
	table := mustScan(t, dir, ScanOptions{Columns: []string{"extra", "id"}, Records: Records{Key: "value"}})
	if len(table.Columns) != 2 || table.Columns[0].Name != "extra" || !table.Columns[0].Nullable {
		t.Fatalf("columns %+v", table.Schema())
	}
	if _, ok := table.Columns[0].Float(0); ok {
		t.Error("a column that the part lacks is not null")
	}
	if x, ok := table.Columns[0].Float(1); !ok || x != 0.5 {
		t.Errorf("extra = %v, %v", x, ok)
	}
	if _, err := Scan(dir, ScanOptions{Columns: []string{"wait"}}); err == nil ||
		!strings.Contains(err.Error(), `no column "wait"; it has id, value, outcome, extra`) {
		t.Errorf("unknown column: %v", err)
	}
	if _, err := Scan(dir, ScanOptions{Records: Records{Key: "extra"}}); !strings.Contains(fmt.Sprint(err), `-a-000000.parquet is foreign: every`) {
		t.Errorf("a part without the key: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "part-0-of-1-a-000000.parquet")); err != nil {
		t.Fatal(err)
	}
	if _, err := Scan(dir, ScanOptions{Records: Records{Key: "extra"}}); err == nil || !strings.Contains(err.Error(), "cannot be the key") {
		t.Errorf("float key: %v", err)
	}
}
