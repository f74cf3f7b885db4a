package figure

import (
	"bytes"
	"image/color"
	"math"
	"testing"
)

// TestJoinedCells: joined cells have the colours and the extent of cells that are drawn one by one, in a few paths.
func TestJoinedCells(t *testing.T) {
	drawn := func(joined bool) *Figure {
		h := &Heat{Joined: joined}
		for i := range 600 {
			x, y := float64(i%30), float64(i/30)
			h.Cells = append(h.Cells, Cell{Left: x, Right: x + 1, Low: y, High: y + 1, Value: float64((i*i)%5) / 4, Items: 1})
		}
		return &Figure{ID: "x", X: Axis{Label: "x", Limits: &[2]float64{2, 27}}, Y: Axis{Label: "y"}, Series: []string{"s"},
			Colour: &Axis{Label: "share", Limits: &[2]float64{0, 1}}, Panels: []Panel{{Marks: []Mark{h}}}}
	}
	pixels := func(f *Figure) map[color.NRGBA]float64 {
		img, err := f.image(300)
		if err != nil {
			t.Fatal(err)
		}
		n := map[color.NRGBA]float64{}
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				n[color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)]++
			}
		}
		return n
	}
	one, all := pixels(drawn(false)), pixels(drawn(true))
	for k := range 5 {
		c := shade(float64(k) / 4)
		if one[c] < 1000 && k != 2 && k != 3 || !(math.Abs(all[c]-one[c]) <= 0.15*one[c]) {
			t.Errorf("joined cells of value %d/4 have %g pixels, and single ones %g", k, all[c], one[c])
		}
	}
	var single, joined bytes.Buffer
	if err := drawn(false).SVG(&single); err != nil {
		t.Fatal(err)
	}
	if err := drawn(true).SVG(&joined); err != nil || 5*joined.Len() > 3*single.Len() {
		t.Errorf("joined cells take %d bytes, and single ones %d, %v", joined.Len(), single.Len(), err)
	}
}
