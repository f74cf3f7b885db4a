package report

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/plot"
	"schedsweep/analysis/stats"
	"schedsweep/analysis/table"
	"schedsweep/sweep/text"
)

// Drawing is a figure as the template "plot" shows it.
type Drawing struct {
	ID       string
	Wide     template.HTML
	Narrow   template.HTML // for phones; "" where the figure is for no narrow screen
	Class    string        // "small", or "small tiny", of one that need not be as wide as the page; "plate" of one whose colours say values
	Warnings []string
	Points   []pointData
	Left     int // points that cannot be pointed at
}

// pointData holds the data of a point for page.js: its position, as shares of the wide drawing and of the narrow one, its text,
// and the text and id of each instance behind it.
type pointData struct {
	At   [][2]float64
	Text string
	IDs  [][2]string `json:",omitempty"`
	// Level is an axis and its value, of a level that a reader can choose among.
	Level *[2]string `json:",omitempty"`
}

// narrowWidth is that of drawings for phones in points: their letters are as large as those of the text.
const narrowWidth = 270

const idDigits = 12

// DrawingOf draws a figure for the page, with its points where the frame has ids.
func DrawingOf(d *plot.Drawing) (f Drawing, err error) {
	f = Drawing{ID: d.Figure.ID, Left: d.Left}
	switch w := d.Figure.Width; {
	case w > 0 && w < 300:
		f.Class = "small tiny"
	case w > 0 && w < 450, w == 0 && (len(d.Figure.Panels) == 1 || d.Figure.Columns == 1):
		f.Class = "small"
	}
	if d.Figure.Colour != nil {
		f.Class += " plate"
	}
	if f.Wide, err = SVG(d.Figure); err != nil {
		return f, err
	}
	var narrow []figure.Spot
	if slim := *d.Figure; slim.Panels[0].Row == "" && d.Left == 0 { // two drawings of very many points are too much for a page
		slim.Width, slim.Height, slim.Columns = narrowWidth, 0, 1
		if f.Narrow, err = SVG(&slim); err == nil {
			narrow, _, err = slim.Spots()
		}
		if err != nil {
			return f, err
		}
		if len(narrow) != len(d.Points) { // some do not fit
			f.Narrow, narrow = "", nil
		}
	}
	f.Warnings = text.Each(d.Warnings, stats.Warning.String)
	for i, p := range d.Points {
		data := pointData{At: [][2]float64{shareOf(p.Spot)}, Text: p.Text}
		if p.Level[0] != "" {
			data.Level = &p.Level
		}
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

// SVG is the drawing of a figure, whose writer escapes its texts.
func SVG(f *figure.Figure) (template.HTML, error) {
	var svg bytes.Buffer
	err := f.SVG(&svg)
	return template.HTML(svg.String()), err
}

// shareOf keeps a place to a tenth of a pixel.
func shareOf(s figure.Spot) [2]float64 {
	round := func(v float64) float64 { return math.Round(v*1e4) / 1e4 }
	return [2]float64{round(s.Left), round(s.Top)}
}

// mostRows is the number of rows of a table in a page; the rest is in its CSV. pageRows is the number of rows that are visible at first.
const (
	mostRows = 5000
	pageRows = 20
)

// longText is from how many characters on a cell takes more than one line.
const longText = 40

// Grid is a table as the template "grid" shows it.
type Grid struct {
	ID, Title  string
	Label      string // names its region, unlike all others of the page
	File       string // that has all rows
	Heads      []head
	Rows, More []gridRow // the ones seen at first, and the hidden ones
	Left       int       // rows that are not in the page
	Notes      []string
}

type head struct {
	Text    string
	Numeric bool
}

type gridRow struct {
	Cells []gridCell
	Noted bool   // the grid has a column of notes
	Notes string // the numbers of its notes
}

type gridCell struct {
	Text, Aside, Class string
	Href               string // where the text leads; "" for nowhere
	Key                bool
}

var toneClass = map[table.Tone]string{table.Good: "good", table.Bad: "bad", table.Open: "open"}

// GridOf lays a table out and shows its first rows.
func GridOf(t *table.Table, seen int) (Grid, error) {
	g := Grid{ID: t.ID, Title: t.Title, Label: t.Title, File: t.ID + ".csv"}
	var columns []int
	for i, c := range t.Columns {
		if !c.CSVOnly {
			columns = append(columns, i)
			g.Heads = append(g.Heads, head{cmp.Or(c.Head, c.Name), !c.Key})
		}
	}
	numbers := map[string]int{}
	var all []gridRow
	err := t.Each(func(r *table.Row) error {
		if len(all) == mostRows {
			g.Left++
			return nil
		}
		row := gridRow{}
		for k, i := range columns {
			c := &r.Cells[i]
			g.Heads[k].Numeric = g.Heads[k].Numeric && c.LooksNumeric()
			row.Cells = append(row.Cells, gridCell{Text: strings.Clone(c.Read()), Aside: c.Aside, Class: toneClass[c.Tone], Key: t.Columns[i].Key})
		}
		var refs []string
		for _, n := range r.Notes {
			if numbers[n] == 0 {
				n = strings.Clone(n) // a row is valid during the call
				g.Notes = append(g.Notes, n)
				numbers[n] = len(g.Notes)
			}
			refs = append(refs, strconv.Itoa(numbers[n]))
		}
		row.Notes = strings.Join(refs, ", ")
		all = append(all, row)
		return nil
	})
	for i := range all {
		all[i].Noted = len(g.Notes) > 0
		for k, h := range g.Heads {
			switch c := &all[i].Cells[k]; {
			case h.Numeric:
				c.Class = strings.TrimSpace("n " + c.Class)
			case utf8.RuneCountInString(c.Text) > longText:
				c.Class = strings.TrimSpace("long " + c.Class)
			}
		}
	}
	seen = min(len(all), seen)
	g.Rows, g.More = all[:seen], all[seen:]
	return g, err
}

// Link has the first cell of each row lead somewhere.
func (g *Grid) Link(href func(row int) string) {
	for i, row := range slices.Concat(g.Rows, g.More) {
		row.Cells[0].Href = href(i)
	}
}

// Many reports that the columns are too many for an upright sheet of paper.
func (g Grid) Many() bool { return len(g.Heads) > 9 }

// Most reports that they are too many for one on its side, too, but in small type.
func (g Grid) Most() bool { return len(g.Heads) > 22 }

func (g Grid) Total() int { return len(g.Rows) + len(g.More) + g.Left }

func (g Grid) InPage() int { return len(g.Rows) + len(g.More) }
