package figure

import (
	"fmt"
	"io"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestAnyData draws figures of random numbers and names. Every layout has finite coordinates inside the page, and at least one
// tick per panel.
func TestAnyData(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Float64Range(-10, 10), rapid.Float64(),
			rapid.SampledFrom([]float64{0, 1, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, math.NaN(), math.Inf(1), 1e9, 1e9 +
				1}))
		name := rapid.StringN(0, 60, 200)
		f := &Figure{
			ID: "any", Title: name.Draw(t, "title"), Columns: rapid.IntRange(0, 5).Draw(t, "columns"),
			X: Axis{Label: name.Draw(t, "x"), Unit: rapid.SampledFrom([]string{"", "s", "B"}).Draw(t, "unit"), Log: rapid.Bool().Draw(t, "xlog")},
			Y: Axis{Label: name.Draw(t, "y"), Log: rapid.Bool().Draw(t, "ylog"), Zero: rapid.Bool().Draw(t, "zero")},
		}
		for i := range rapid.IntRange(1, 9).Draw(t, "series") {
			f.Series = append(f.Series, fmt.Sprint(i, name.Draw(t, "series name")))
		}
		if !f.X.Log && rapid.Bool().Draw(t, "categories") {
			f.X.Categories = rapid.SliceOfN(name, 1, 12).Draw(t, "names")
		}
		for _, a := range []*Axis{&f.X, &f.Y} {
			if rapid.IntRange(0, 3).Draw(t, "limited") == 0 {
				a.Limits = &[2]float64{0.5, rapid.Float64Range(0.6, 20).Draw(t, "limit")}
			}
		}
		f.OwnX, f.OwnY = rapid.Bool().Draw(t, "own x") && len(f.X.Categories) == 0, rapid.Bool().Draw(t, "own y")
		f.Caption = name.Draw(t, "caption")
		for range rapid.IntRange(1, 7).Draw(t, "panels") {
			p := Panel{Title: name.Draw(t, "panel"), Row: rapid.SampledFrom([]string{"", "", "row"}).Draw(t, "row")}
			for s := range f.Series {
				cloud, line, trend, band, whiskers, beyond := &Cloud{Series: s}, &Line{Series: s}, &Trend{Series: s}, &Band{Series: s},
					&Whiskers{Series: s}, &Beyond{Series: s}
				for k := range rapid.IntRange(0, 4).Draw(t, "points") {
					x := value.Draw(t, "px")
					if n := len(f.X.Categories); n > 0 {
						x = float64(k % n)
					}
					q := Point{x, value.Draw(t, "py")}
					cloud.At, line.At, trend.At, beyond.X = append(cloud.At, q), append(line.At, q), append(trend.At, q), append(beyond.X, x)
					band.Spans = append(band.Spans, Span{x, value.Draw(t, "low"), value.Draw(t, "high")})
					whiskers.Spans = band.Spans
				}
				boxes, steps, published := &Boxes{Series: s}, &Steps{Series: s, At: line.At}, &Published{s, line.At}
				for _, q := range line.At {
					boxes.Boxes = append(boxes.Boxes, Box{q.X, value.Draw(t, "low"), value.Draw(t, "lower"), q.Y, value.Draw(t, "upper"),
						value.Draw(t, "high"), []float64{value.Draw(t, "beyond")}})
				}
				p.Marks = append(p.Marks, rapid.Permutation(
					[]Mark{cloud, line, trend, band, whiskers, beyond, boxes, steps, published}).Draw(t, "marks")...)
				p.Notes = append(p.Notes, Note{s, name.Draw(t, "note")})
			}
			p.Marks = append(p.Marks, &Reference{Y: value.Draw(t, "reference"), Label: name.Draw(t, "label")})
			f.Panels = append(f.Panels, p)
		}
		s, err := f.scene()
		if err != nil {
			t.Fatal(err)
		}
		inside := func(what string, x, y float64) {
			if !(x >= -0.01 && x <= s.w+0.01 && y >= -0.01 && y <= s.h+0.01) {
				t.Fatalf("%s at (%g, %g) on a page of %g x %g", what, x, y, s.w, s.h)
			}
		}
		for _, item := range s.items {
			switch it := item.(type) {
			case shapeItem:
				for _, o := range it.path.ops {
					for k := range o.points() {
						inside("path", o.p[k].X, o.p[k].Y)
					}
				}
			case marksItem:
				for _, p := range it.at {
					inside("mark", p.X, p.Y)
				}
			case textItem:
				inside(it.s, it.x, it.y)
			}
		}
	})
}

// TestPDFOfCharactersBeyondTheFont draws an emoji in each kind of text. The library panicked.
func TestPDFOfCharactersBeyondTheFont(t *testing.T) {
	f := &Figure{ID: "emoji", Title: "title 🚀", X: Axis{Label: "x 🚀", Categories: []string{"日本 🚀"}}, Y: Axis{Label: "y 🚀"},
		Series: []string{"series 🚀"}, Caption: "caption 🚀", Panels: []Panel{{Title: "panel 🚀",
			Marks: []Mark{&Line{At: []Point{{0, 1}}}}}}}
	if err := f.PDF(io.Discard); err != nil {
		t.Fatal(err)
	}
}
