package report

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"schedsweep/analysis/table"
)

// mostRows is how many rows of a table are in a page; the rest is in its CSV. pageRows is how many are seen at first.
const (
	mostRows = 5000
	pageRows = 20
)

// longText is from how many characters on a cell takes more than one line.
const longText = 40

type grid struct {
	ID, Title  string
	Label      string // names its region, unlike all others of the page
	File       string // that has all rows
	Heads      []head
	Rows, More []gridRow // those seen at first, and those that wait
	Left       int       // rows that are not in the page
	Notes      []string
}

type head struct {
	Text    string
	Numeric bool
}

type gridRow struct {
	Cells []gridCell
	Notes string // the numbers of its notes
}

type gridCell struct {
	Text, Aside, Class string
	Key                bool
}

var toneClass = map[table.Tone]string{table.Good: "good", table.Bad: "bad", table.Open: "open"}

// gridOf lays a table out, of which so many rows are seen at first.
func gridOf(t *table.Table, seen int) (grid, error) {
	g := grid{ID: t.ID, Title: t.Title, Label: t.Title, File: t.ID + ".csv"}
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

// Many tells that the columns are too many for an upright sheet of paper.
func (g grid) Many() bool { return len(g.Heads) > 9 }

// Most tells that they are too many for one on its side, too, but in small type.
func (g grid) Most() bool { return len(g.Heads) > 22 }

func (g grid) Total() int { return len(g.Rows) + len(g.More) + g.Left }

func (g grid) InPage() int { return len(g.Rows) + len(g.More) }
