package frame

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A finder that is used again finds the rows whose values pass one by one.
func TestFinderFindsRowByRow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 30).Draw(t, "rows")
		numbers := rapid.SliceOfN(rapid.SampledFrom([]float64{math.NaN(), 0, 1e-5, 2, 2.5}), n, n).Draw(t, "numbers")
		texts := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "2"}), n, n).Draw(t, "texts")
		f, err := NewFrame(NumberColumn("number", "", numbers), TextColumn("text", texts))
		if err != nil {
			t.Fatal(err)
		}
		f = f.Labelled(map[string][]Label{"number": {{Value: Number(2), Text: "two"}}})
		finder := NewFinder(f)
		for range 5 {
			var terms []Term
			for range rapid.IntRange(0, 3).Draw(t, "terms") {
				term := Term{Path: rapid.SampledFrom([]string{"number", "text"}).Draw(t, "path"), from: 0, to: 2}
				term.Ranged = term.Path == "number" && rapid.Bool().Draw(t, "ranged")
				term.Values = rapid.SliceOfN(rapid.SampledFrom([]Value{Null(), Number(0), Number(1e-5), Number(2), Text("two"), Text("2"),
					Text("2.5"), Text("a")}), 1, 2).Draw(t, "values")
				terms = append(terms, term)
			}
			got, reason := finder.Rows(terms)
			want := slices.DeleteFunc(Every(f), func(row int32) bool {
				return slices.ContainsFunc(terms, func(term Term) bool { return !term.Has(f.Column(term.Path).At(int(row))) })
			})
			if !slices.Equal(got, want) || reason != "" {
				t.Fatalf("%v: rows %v, want %v (%s)", terms, got, want, reason)
			}
		}
	})
}

// Numbers are one value exactly where they are written alike.
func TestNumbersAreTheirForms(t *testing.T) {
	all := []Value{Null(), Number(0), Number(math.Copysign(0, -1)), Number(1e-4), Number(math.Nextafter(1e-4, 0)), Number(1e15), Number(-1),
		Number(math.Nextafter(1e15, 0)), Number(math.Inf(1)), Number(math.Inf(-1)), Number(0.1 + 0.2), Number(0.3)}
	for _, v := range all {
		for _, w := range all {
			if v.Is(w) != (v.String() == w.String()) {
				t.Errorf("%s is %s: %v", v, w, v.Is(w))
			}
		}
	}
}
