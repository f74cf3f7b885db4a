package store

import (
	"bytes"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestRowBytes: what was sent comes back, rows behind one another too, and what breaks
// off is an error.
func TestRowBytes(t *testing.T) {
	schema := Schema{{Name: "f", Type: Float64}, {Name: "i", Type: Int64}, {Name: "j", Type: Int32}, {Name: "b", Type: Bool},
		{Name: "s", Type: String}, {Name: "c", Type: Category}}
	rapid.Check(t, func(rt *rapid.T) {
		var sent []byte
		var whole [][]byte
		for range rapid.IntRange(1, 3).Draw(rt, "rows") {
			r := schema.NewRow()
			set := rapid.IntRange(0, 63).Draw(rt, "set")
			if set&1 != 0 {
				r.SetFloat(0, rapid.SampledFrom([]float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), .1}).Draw(rt, "f"))
			}
			if set&2 != 0 {
				r.SetInt(1, rapid.Int64().Draw(rt, "i"))
			}
			if set&4 != 0 {
				r.SetInt(2, int64(rapid.Int32().Draw(rt, "j")))
			}
			if set&8 != 0 {
				r.SetBool(3, rapid.Bool().Draw(rt, "b"))
			}
			if set&16 != 0 {
				r.SetString(4, rapid.String().Draw(rt, "s"))
			}
			if set&32 != 0 {
				r.SetString(5, rapid.String().Draw(rt, "c"))
			}
			sent = r.AppendBytes(sent)
			whole = append(whole, r.AppendBytes(nil))
		}
		rest, got := sent, schema.NewRow()
		for _, want := range whole {
			var err error
			if rest, err = got.FromBytes(rest); err != nil {
				rt.Fatal(err)
			}
			if again := got.AppendBytes(nil); !bytes.Equal(again, want) {
				rt.Fatalf("%x came back as %x", want, again)
			}
		}
		if len(rest) > 0 {
			rt.Fatalf("%x is left", rest)
		}
		if _, err := got.FromBytes(whole[0][:rapid.IntRange(0, len(whole[0])-1).Draw(rt, "cut")]); err == nil {
			rt.Fatal("a row that breaks off is taken")
		}
	})
}
