package cmd

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"

	"schedsweep/analysis/frame"
	page "schedsweep/analysis/report"
	"schedsweep/analysis/table"
	"schedsweep/cmd/serve"
	asked "schedsweep/sweep/study"
)

// mostListed is the most instances or jobs that a page lists.
const mostListed = 500

// behind lists the instances that the view is of: those of its selection, or behind the same point as one of them.
func (p *shownPage) behind(v *view, q url.Values, fig asked.Figure, l *loaded) error {
	f, d := l.frame.Labelled(l.spec.Design.Labels), &l.spec.Design
	terms := slices.DeleteFunc(frame.TermsOf(fig.Where), func(t frame.Term) bool { return f.Head(t.Path) == nil })
	selected, reason := frame.MatchingRows(f, terms)
	if reason != "" {
		return misuse("where: %s", reason)
	}
	if v.selected != nil {
		selected = v.selected
	}
	title := "Instances of this view"
	if like := q.Get("like"); like != "" {
		number, err := findInstance(p.st, like)
		if err != nil {
			return err
		}
		row, there := slices.BinarySearch(l.rows.Numbers(nil), int32(number))
		if !there {
			return misuse("instance %d has no row", number)
		}
		by := d.Axes
		if slices.Contains(d.Axes, fig.X) {
			by = slices.DeleteFunc([]string{fig.X, fig.Series, fig.Panels, fig.Rows}, func(a string) bool { return !slices.Contains(d.Axes, a) })
		}
		for _, axis := range by {
			c := f.Column(axis)
			at := c.At(row)
			selected = slices.DeleteFunc(selected, func(r int32) bool { return !c.At(int(r)).Equal(at) })
		}
		title = fmt.Sprintf("Instances behind the point of instance %d", number)
	}
	names := slices.Concat(d.Axes, []string{d.Replication, d.Outcome})
	for _, metric := range []string{fig.X, fig.Y} {
		if metric != "" && f.Head(metric) != nil && !slices.Contains(names, metric) {
			names = append(names, metric)
		}
	}
	list := listing{path: "explore", of: "instance", frame: f, rows: selected, names: names, title: title,
		number: func(row int32) int64 { return int64(l.rows.Numbers(nil)[row]) },
		href:   func(number string) string { return "instance?id=" + number }}
	err := list.show(q)
	list.Table.Left, list.Table.File = len(selected)-len(list.rows), "the file that export writes"
	v.listing = list
	return cmp.Or(err, f.Err())
}

// listing is a table of instances or jobs, and how to see its other rows.
type listing struct {
	Sorting []formField
	Pages   []serve.Link // before and after this one
	Table   page.Grid

	path, of, title string
	frame           *frame.Frame
	rows            []int32 // of the frame; after show those of this page
	names           []string
	number          func(row int32) int64
	href            func(number string) string // of the page about one
}

// show lists a page of rows, which the address chooses, in the order that it chooses.
func (l *listing) show(q url.Values) error {
	sortable := slices.DeleteFunc(append([]string{l.of}, l.names...), func(name string) bool { return l.frame.Head(name) == nil })
	l.Sorting = []formField{{Name: "sort", Label: "sort all rows by", Doc: "a column of the table",
		Options: chosen(q["sort"], append([]string{""}, sortable...)...)},
		{Name: "descending", Label: "descending", Doc: "largest first", Value: q.Get("descending"), Box: true}}
	if by := q.Get("sort"); slices.Contains(sortable, by) {
		c, sign := l.frame.Column(by), 1
		if q.Get("descending") == "true" {
			sign = -1
		}
		compare := func(a, b int32) int { return frame.Compare(c.At(int(a)), c.At(int(b))) }
		if !c.Categorical() { // of a million numbers it takes a fifth of the time
			compare = func(a, b int32) int { return cmp.Compare(c.Numbers[a], c.Numbers[b]) }
		}
		slices.SortFunc(l.rows, func(a, b int32) int { return cmp.Or(sign*compare(a, b), cmp.Compare(a, b)) })
	}
	total := len(l.rows)
	at, _ := strconv.Atoi(q.Get("page"))
	at = min(max(at, 0), max(total-1, 0)/mostListed)
	for _, to := range []struct {
		name string
		page int
	}{{"Previous ", at - 1}, {"Next ", at + 1}} {
		if to.page >= 0 && to.page*mostListed < total {
			l.Pages = append(l.Pages, serve.Link{Text: to.name + l.of + "s", Href: address(l.path, q, "page", strconv.Itoa(to.page))})
		}
	}
	from := at * mostListed
	l.rows = l.rows[from:min(total, from+mostListed)]
	if total > mostListed {
		l.title = fmt.Sprintf("%s: %d to %d of %d", l.title, from+1, from+len(l.rows), total)
	}
	t := &table.Table{ID: l.of + "s", Title: l.title, Columns: []table.Column{{Name: l.of, Key: true}}}
	shown := l.frame.Take(l.rows)
	columns := shown.Columns(l.names)
	for _, c := range columns {
		head := c.Name
		if c.Unit != "" {
			head += " (" + c.Unit + ")"
		}
		t.Columns = append(t.Columns, table.Column{Name: c.Name, Head: head})
	}
	for i, row := range l.rows {
		cells := []table.Cell{table.Count(int(l.number(row)))}
		for _, c := range columns {
			switch v := c.At(i); {
			case math.IsNaN(v.Number) || v.Label != "":
				cells = append(cells, table.Text(v.String()))
			default:
				cells = append(cells, table.Number(v.Number, -1))
			}
		}
		t.Rows = append(t.Rows, table.Row{Cells: cells})
	}
	var err error
	l.Table, err = page.GridOf(t, 20)
	l.Table.Link(func(i int) string { return l.href(strconv.FormatInt(l.number(l.rows[i]), 10)) })
	return cmp.Or(err, shown.Err())
}
