package frame

import (
	"math"
	"testing"
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
	if _, err := Stack("run", []string{"A", "B"}, a, frameOf(TextColumn("x", []string{"?"}))); err == nil {
		t.Error("numbers and texts in one column are no error")
	}
}
