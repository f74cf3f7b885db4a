package report

import (
	"bytes"
	"fmt"
	"html/template"
	"math"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/plot"
)

type drawing struct {
	ID       string
	Wide     template.HTML
	Narrow   template.HTML // for phones; "" where the figure is for no narrow screen
	Class    string        // "small", or "small tiny", of one that need not be as wide as the page; "plate" of one whose colours say values
	Warnings []string
	Points   []pointData
	Left     int // points that cannot be pointed at
}

// pointData is what page.js knows of a point: where it is, as shares of the wide drawing and of the narrow one, what it says, and of
// instances behind it what each is and its id.
type pointData struct {
	At   [][2]float64
	Text string
	IDs  [][2]string `json:",omitempty"`
}

// narrowWidth is that of drawings for phones in points: their letters are as large as those of the text.
const narrowWidth = 270

const idDigits = 12

func (s *shown) drawing(d *plot.Drawing) (f drawing, err error) {
	f = drawing{ID: d.Figure.ID, Left: d.Left}
	switch w := d.Figure.Width; {
	case w > 0 && w < 300:
		f.Class = "small tiny"
	case w > 0 && w < 450, w == 0 && (len(d.Figure.Panels) == 1 || d.Figure.Columns == 1):
		f.Class = "small"
	}
	if d.Figure.Colour != nil {
		f.Class += " plate"
	}
	if f.Wide, err = drawn(d.Figure); err != nil {
		return f, err
	}
	var narrow []figure.Spot
	if slim := *d.Figure; slim.Panels[0].Row == "" && d.Left == 0 { // two drawings of very many points are too much for a page
		slim.Width, slim.Height, slim.Columns = narrowWidth, 0, 1
		if f.Narrow, err = drawn(&slim); err == nil {
			narrow, _, err = slim.Spots()
		}
		if err != nil {
			return f, err
		}
		if len(narrow) != len(d.Points) { // some do not fit
			f.Narrow, narrow = "", nil
		}
	}
	for _, w := range d.Warnings {
		f.Warnings = append(f.Warnings, w.Text)
	}
	for i, p := range d.Points {
		data := pointData{At: [][2]float64{shareOf(p.Spot)}, Text: p.Text}
		if narrow != nil {
			data.At = append(data.At, shareOf(narrow[i]))
		}
		switch {
		case p.Instances > 1:
			data.Text += fmt.Sprintf("; %d instances", p.Instances)
		case p.Instances == 1 && p.Shown[0].Text != "":
			data.Text += "; " + p.Shown[0].Text
		}
		for _, b := range p.Shown {
			data.IDs = append(data.IDs, [2]string{b.Text, b.ID[:min(len(b.ID), idDigits)]})
		}
		f.Points = append(f.Points, data)
	}
	return f, nil
}

// drawn is the SVG of a figure, whose writer escapes its texts.
func drawn(f *figure.Figure) (template.HTML, error) {
	var svg bytes.Buffer
	err := f.SVG(&svg)
	return template.HTML(svg.String()), err
}

// shareOf keeps a place to a tenth of a pixel.
func shareOf(s figure.Spot) [2]float64 {
	round := func(v float64) float64 { return math.Round(v*1e4) / 1e4 }
	return [2]float64{round(s.Left), round(s.Top)}
}
