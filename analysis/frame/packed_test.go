package frame

import (
	"fmt"
	"math"
	"testing"

	"schedsweep/harness/store"
)

// TestPackedBitForBit: columns with few and many distinct values hold the bits of the dataset: read, stacked, taken and unpacked.
func TestPackedBitForBit(t *testing.T) {
	for _, distinct := range []int{1, 5, 256, 257, mostPacked, mostPacked + 1} {
		t.Run(fmt.Sprint(distinct), func(t *testing.T) {
			values := make([]float64, distinct+9)
			for row := range values {
				values[row] = 0.1 * float64(row%distinct)
			}
			values[0], values[len(values)-1], values[len(values)-2] = math.Copysign(0, -1), math.NaN(), math.Float64frombits(0x7ff8000000000123)
			read := Tables(func(names ...string) (*store.Table, error) {
				var schema store.Schema
				for _, name := range names {
					schema = append(schema, store.Column{Name: name, Type: store.Float64})
				}
				table := store.NewTable(schema, len(values))
				for i := range names {
					for row, v := range values {
						table.Columns[i].SetFloat(row, v)
					}
				}
				return table, nil
			})
			has := store.Schema{{Name: "a", Type: store.Float64}, {Name: "b", Type: store.Float64}, {Name: "c", Type: store.Float64}}
			f, err := read.Frame(has, []string{"c", "a"})
			if err != nil {
				t.Fatal(err)
			}
			if f.Head("b") != nil || f.Head("a") == nil || f.Head("c") == nil {
				t.Fatalf("the columns are %v", f.Names())
			}
			short, err := NewFrame(NumberColumn("x", "", []float64{7, 8, 9}))
			if err != nil {
				t.Fatal(err)
			}
			stacked, err := Stack("run", []string{"A", "B", "C"}, f, short, f)
			if err != nil {
				t.Fatal(err)
			}
			same := func(what string, got *Column, from int32) {
				t.Helper()
				for row, want := range values {
					if is := got.Number(from + int32(row)); math.Float64bits(is) != math.Float64bits(want) {
						t.Fatalf("%s, row %d: %x, want %x", what, row, math.Float64bits(is), math.Float64bits(want))
					}
				}
			}
			n := int32(len(values))
			same("read", f.Held("a"), 0)
			same("stacked first", stacked.Held("a"), 0)
			same("stacked last", stacked.Held("a"), n+3)
			for row := n; row < n+3; row++ {
				if !math.IsNaN(stacked.Held("a").Number(row)) || stacked.Held("x").Number(row) != float64(7+row-n) {
					t.Fatalf("row %d: %v and %v", row, stacked.Held("a").Number(row), stacked.Held("x").Number(row))
				}
			}
			same("taken", f.Take(Every(f)).Held("a"), 0)
			if packed := f.Head("a").packed != nil; packed != (distinct+3 <= mostPacked) && distinct != mostPacked {
				t.Errorf("%d distinct values: packed is %v", distinct, packed)
			}
			same("unpacked", f.Column("a"), 0)
		})
	}
}
