package cmd

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"schedsweep/analysis/frame"
	page "schedsweep/analysis/report"
	asked "schedsweep/sweep/study"
)

// mostListed is how many instances or jobs a page lists.
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
	outcome := f.Column(d.Outcome)
	for _, level := range append([]string{"all"}, outcome.Levels...) {
		v.Outcomes = append(v.Outcomes, option{level, level, level == q.Get("outcome")})
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
	if want := q.Get("outcome"); want != "" && want != "all" {
		selected = slices.DeleteFunc(selected, func(r int32) bool { return outcome.At(int(r)).Text != want })
	}
	total := len(selected)
	names := slices.Concat(d.Axes, []string{d.Replication, d.Outcome})
	for _, metric := range []string{fig.X, fig.Y} {
		if metric != "" && f.Head(metric) != nil && !slices.Contains(names, metric) {
			names = append(names, metric)
		}
	}
	sorting, sign := sortingOf(q, names)
	if v.Sorting = sorting; slices.Contains(names, q.Get("sort")) {
		c := f.Column(q.Get("sort"))
		compare := func(a, b int32) int { return frame.Compare(c.At(int(a)), c.At(int(b))) }
		if !c.Categorical() { // of a million numbers it takes a fifth of the time
			keys := make([]float64, f.Rows)
			for _, row := range selected {
				keys[row] = c.Number(row)
			}
			compare = func(a, b int32) int { return cmp.Compare(keys[a], keys[b]) }
		}
		slices.SortFunc(selected, func(a, b int32) int { return cmp.Or(sign*compare(a, b), cmp.Compare(a, b)) })
	}
	from, to, pages := paged("explore", q, total, "instances")
	v.Pages, selected = pages, selected[from:to]
	if total > mostListed {
		title = fmt.Sprintf("%s: %d to %d of %d", title, from+1, to, total)
	}
	var err error
	v.Table, err = p.listed(f.Take(selected), names, l.rows.Numbers(selected), title, total)
	return cmp.Or(err, f.Err())
}

// sortingOf are the fields of a form that sort a table of several pages. The sign is -1 for descending order.
func sortingOf(q url.Values, names []string) (fields []formField, sign int) {
	if sign = 1; q.Get("descending") == "true" {
		sign = -1
	}
	return []formField{{Name: "sort", Label: "sort all rows by", Doc: "a column of the table",
		Options: append([]option{{"", "-", false}}, chosen(q.Get("sort"), names...)...)},
		{Name: "descending", Label: "descending", Doc: "largest first", Value: q.Get("descending"), Box: true}}, sign
}

// paged is the part of a table that the address asks for, and the links to its neighbours.
func paged(path string, q url.Values, total int, what string) (from, to int, pages []formFile) {
	at, _ := strconv.Atoi(q.Get("page"))
	at = min(max(at, 0), max(total-1, 0)/mostListed)
	for _, to := range []struct {
		name string
		page int
	}{{"Previous ", at - 1}, {"Next ", at + 1}} {
		if to.page >= 0 && to.page*mostListed < total {
			pages = append(pages, formFile{to.name + what, address(path, q, "page", strconv.Itoa(to.page))})
		}
	}
	return at * mostListed, min(total, (at+1)*mostListed), pages
}

// listed is a table of instances that leads to the page of each.
func (p *shownPage) listed(f *frame.Frame, names []string, numbers []int32, title string, total int) (page.Grid, error) {
	t := newInstanceTable(f, names, numbers, title)
	g, err := page.GridOf(t, 20)
	g.Left, g.File = total-len(numbers), "the file that export writes"
	g.Link(func(row int) string { return fmt.Sprintf("instance?id=%d", numbers[row]) })
	return g, err
}
