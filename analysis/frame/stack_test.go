package frame

import (
	"math"
	"slices"
	"testing"

	"schedsweep/harness/store"
)

func TestStack(t *testing.T) {
	frameOf := func(columns ...Column) *Frame {
		t.Helper()
		f, err := NewFrame(columns...)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	a := frameOf(NumberColumn("x", "s", []float64{1, 2}), TextColumn("kind", []string{"p", "q"}), TextColumn("old", []string{"o", "o"}))
	b := frameOf(TextColumn("kind", []string{"r", "q", "p"}), NumberColumn("x", "s", []float64{3, 4, 5}),
		NumberColumn("new", "", []float64{6, 7, 8}))
	f, err := Stack("run", []string{"A", "B"}, a, b)
	if err != nil || f.Rows != 5 {
		t.Fatalf("%+v, %v", f, err)
	}
	want := []string{"A 1 p o null", "A 2 q o null", "B 3 r null 6", "B 4 q null 7", "B 5 p null 8"}
	for row := range f.Rows {
		got := ""
		for i, name := range []string{"run", "x", "kind", "old", "new"} {
			v := f.Column(name).At(row)
			if i > 0 {
				got += " "
			}
			if v.IsNull || !v.IsText && math.IsNaN(v.Number) {
				got += "null"
			} else {
				got += v.String()
			}
		}
		if got != want[row] {
			t.Errorf("row %d is %q, want %q", row, got, want[row])
		}
	}
	if unit := f.Column("x").Unit; unit != "s" {
		t.Errorf("unit %q", unit)
	}
	// A column that is in memory in no frame stays where it is; one that is in memory in one is read.
	later := func(f *Frame, columns ...string) {
		var s store.Schema
		for _, name := range columns {
			s = append(s, store.Column{Name: name, Type: store.Float64, Unit: "s"})
		}
		f.Later(s, func(names []string, rows []int32) (*store.Table, error) {
			table := store.NewTable(s, len(rows))
			for c := range names {
				v := table.Column(names[c])
				for i, row := range rows {
					v.SetFloat(i, float64(100*len(names[c])+int(row)))
				}
			}
			return table, nil
		})
	}
	later(a, "yy", "new")
	later(b, "yy", "zzz")
	if f, err = Stack("run", []string{"A", "B"}, a, b); err != nil || f.Head("yy").Numbers != nil || f.Head("yy").Unit != "s" {
		t.Fatalf("%+v, %v", f, err)
	}
	nan := math.NaN()
	for name, want := range map[string][]float64{"yy": {200, 201, 200, 201, 202}, "new": {300, 301, 6, 7, 8},
		"zzz": {nan, nan, 300, 301, 302}} {
		got, err := f.Column(name).Numbers, f.Err()
		same := slices.EqualFunc(got, want, func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) })
		if !same || err != nil {
			t.Errorf("%s is %v, want %v; error %v", name, got, want, err)
		}
	}
	values, err := f.Stored.numbers([]string{"zzz", "yy"}, []int32{4, 0, 2})
	if err != nil || values[0][0] != 302 || !math.IsNaN(values[0][1]) || values[0][2] != 300 || values[1][0] != 202 || values[1][1] != 200 {
		t.Errorf("%v, %v", values, err)
	}
	if _, err := Stack("run", []string{"A", "B"}, a, frameOf(TextColumn("x", []string{"?"}))); err == nil {
		t.Error("numbers and texts in one column are no error")
	}
}
