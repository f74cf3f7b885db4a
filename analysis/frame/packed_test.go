package frame

import (
	"fmt"
	"math"
	"slices"
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
			for what, c := range map[string]Column{"numbers": NumberColumn("", "", values), "texts": TextColumn("", textsOf(values))} {
				if want := LevelsOf(&c, nil); c.IsText() {
					c.pack()
					sameLevels(t, what, LevelsOf(&c, nil), want)
				} else {
					sameLevels(t, what, LevelsOf(f.Held("a"), nil), want)
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

// TestPackedTexts: columns of few and many texts, with nulls, hold the texts of the dataset: read, stacked, taken and unpacked.
func TestPackedTexts(t *testing.T) {
	for _, distinct := range []int{1, 5, 255, 256, mostPacked - 2, mostPacked} {
		t.Run(fmt.Sprint(distinct), func(t *testing.T) {
			n := distinct + 5
			text := func(row int) string { return fmt.Sprint("text ", row%distinct) }
			table := func(of func(row int) string) *Frame {
				table := store.NewTable(store.Schema{{Name: "a", Type: store.Category, Nullable: true}, {Name: "b", Type: store.String,
					Nullable: true}}, n)
				for row := range n - 1 { // the last row is null
					table.Columns[0].SetString(row, of(row))
					table.Columns[1].SetString(row, of(row))
				}
				f, err := FromTable(table)
				if err != nil {
					t.Fatal(err)
				}
				return f
			}
			f := table(text)
			short, err := NewFrame(TextColumn("x", []string{"p", "q", "p"}))
			if err != nil {
				t.Fatal(err)
			}
			back := func(row int) string { return text(distinct - row%distinct) }
			stacked, err := Stack("run", []string{"A", "B", "C"}, f, short, table(back))
			if err != nil {
				t.Fatal(err)
			}
			same := func(what string, f *Frame, column string, from int, of func(row int) string) {
				t.Helper()
				c := f.Held(column)
				if !c.IsText() {
					t.Fatalf("%s: column %s is not of texts", what, column)
				}
				for row := range n {
					if is := c.At(from + row); is.IsNull != (row == n-1) || row < n-1 && is.Text != of(row) {
						t.Fatalf("%s, column %s, row %d: %+v, want %s", what, column, row, is, of(row))
					}
				}
			}
			for _, column := range []string{"a", "b"} {
				same("read", f, column, 0, text)
				same("stacked first", stacked, column, 0, text)
				same("stacked last", stacked, column, n+3, back)
				same("taken", f.Take(Every(f)), column, 0, text)
				if !stacked.Held(column).At(n + 2).IsNull {
					t.Errorf("column %s: a frame without it has %v", column, stacked.Held(column).At(n+2))
				}
			}
			if x, run := stacked.Held("x"), stacked.Held("run"); !x.At(0).IsNull || x.At(n+1).Text != "q" || !x.At(n+3).IsNull ||
				run.At(0).Text != "A" || run.At(n).Text != "B" || run.At(2*n+2).Text != "C" {
				t.Errorf("column x: %v, %v, %v; column run: %v, %v, %v", x.At(0), x.At(n+1), x.At(n+3), run.At(0), run.At(n), run.At(2*n+2))
			}
			if packed := f.Head("a").packed != nil; packed != (distinct < mostPacked) {
				t.Errorf("%d texts: packed is %v", distinct, packed)
			}
			if codes := f.Column("a").Codes; len(codes) != n || codes[n-1] != -1 {
				t.Errorf("the codes of an unpacked column end with %d of %d", codes[len(codes)-1], len(codes))
			}
			same("unpacked", f, "a", 0, text)
		})
	}
}

func textsOf(values []float64) (texts []string) {
	for _, v := range values {
		texts = append(texts, fmt.Sprint(v))
	}
	return texts
}

func sameLevels(t *testing.T, what string, got, want Levels) {
	t.Helper()
	if !slices.EqualFunc(got.Values, want.Values, Value.Equal) || !slices.Equal(got.Codes, want.Codes) {
		t.Errorf("levels of %s: %d of %d rows, want %d of %d, or others", what, len(got.Values), len(got.Codes), len(want.Values),
			len(want.Codes))
	}
}
