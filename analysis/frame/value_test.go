package frame

import (
	"math"
	"slices"
	"testing"
)

// TestPlainNumbers: as manifests write them.
func TestPlainNumbers(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 600: "600", 0.25: "0.25", 1e-7: "1e-07", math.Inf(1): ".inf", math.Inf(-1): "-.inf"} {
		if got := Number(v).Plain(); got != want {
			t.Errorf("%g: %q, want %q", v, got, want)
		}
	}
}

// TestPrinted: numbers have the unit of their axis, but infinity is as in cells.
func TestPrinted(t *testing.T) {
	d := Design{Units: map[string]string{"a": "s"}}
	got := d.Printed([]string{"a", "a", "b"}, []Value{Number(60), Number(math.Inf(1)), Number(math.Inf(1))})
	if want := []string{"60 s", "inf", "inf"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestNoRows: a column of texts is one without rows, too.
func TestNoRows(t *testing.T) {
	f, err := NewFrame(Column{Name: "a", Codes: []int32{0}, Levels: []string{"x"}})
	if err != nil || !f.Take(nil).Held("a").IsText() {
		t.Errorf("no column of texts: %v", err)
	}
}
