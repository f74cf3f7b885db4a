package report

import (
	"bytes"
	"fmt"
	"html/template"
	"slices"

	"schedsweep/analysis"
)

// mostPoints is how many points of a figure can be pointed at: beyond that single instances are left out.
const mostPoints = 4000

// drawing is a figure as the page shows it.
type drawing struct {
	ID, Title string
	SVG       template.HTML
	Warnings  []string
	Points    []pointData
	Left      int // points that cannot be pointed at
}

// pointData is what page.js knows of a point: where it is, as shares of the drawing, what it says, and of instances behind it what each
// is and its id.
type pointData struct {
	X, Y float64
	Text string
	IDs  [][2]string
}

// idDigits is how much of an id names an instance in a command.
const idDigits = 12

func (s *shown) drawing(d *analysis.Drawing) (drawing, error) {
	var svg bytes.Buffer
	if err := d.Figure.SVG(&svg); err != nil {
		return drawing{}, err
	}
	// The figure's own writer has escaped its texts.
	f := drawing{ID: d.Figure.ID, Title: d.Figure.Title, SVG: template.HTML(svg.String())}
	for _, w := range d.Warnings {
		f.Warnings = append(f.Warnings, w.Text)
	}
	points := d.Points
	if len(points) > mostPoints {
		points = slices.DeleteFunc(slices.Clone(points), func(p analysis.Point) bool { return p.Kind == "instance" })
		points = points[:min(len(points), mostPoints)]
		f.Left = len(d.Points) - len(points)
	}
	for _, p := range points {
		data := pointData{X: round4(p.Left), Y: round4(p.Top), Text: p.Text}
		if p.Instances > 1 {
			data.Text += fmt.Sprintf("; %d instances", p.Instances)
		}
		for _, b := range p.Shown {
			data.IDs = append(data.IDs, [2]string{b.Text, b.ID[:min(len(b.ID), idDigits)]})
		}
		f.Points = append(f.Points, data)
	}
	return f, nil
}

// round4 keeps a share of a drawing's width to a tenth of a pixel.
func round4(v float64) float64 { return float64(int(v*1e4+0.5)) / 1e4 }
