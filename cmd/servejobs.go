package cmd

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"schedsweep/analysis/gantt"
	page "schedsweep/analysis/report"
	"schedsweep/analysis/table"
)

// jobColumns are those of the table of jobs: the name in an address, the head, the decimals, and the value of a job.
var jobColumns = []struct {
	name, head string
	decimals   int
	of         func(*gantt.Submission) float64
}{
	{"job", "job", 0, func(j *gantt.Submission) float64 { return float64(j.Job) }},
	{"submit", "submit (s)", 1, func(j *gantt.Submission) float64 { return j.Submit }},
	{"start", "start (s)", 1, func(j *gantt.Submission) float64 { return j.Start }},
	{"wait", "wait (s)", 1, (*gantt.Submission).Wait},
	{"finish", "finish (s)", 1, func(j *gantt.Submission) float64 { return j.Finish }},
	{"processors", "processors", 0, func(j *gantt.Submission) float64 { return float64(j.Procs) }},
	{"walltime", "walltime (s)", 1, func(j *gantt.Submission) float64 { return j.Walltime }},
	{"user", "user", 0, func(j *gantt.Submission) float64 {
		return map[bool]float64{true: float64(j.User), false: math.NaN()}[j.User >= 0]
	}},
}

// jobsPage is the table of the jobs of one instance.
type jobsPage struct {
	Name, Back   string
	Form, Hidden []formField
	Pages        []formFile
	Table        page.Grid
}

// jobs lists the jobs of an instance that runs again on request. The address has their order and the page.
func (p *shownPage) jobs() error {
	q := p.r.URL.Query()
	number, err := findInstance(p.st, cmp.Or(q.Get("id"), "0"))
	if err != nil {
		return err
	}
	if q.Get("run") != "true" {
		return misuse("the jobs of instance %d are known once it runs again: open instance?id=%d", number, number)
	}
	r, err := p.again(number)
	if err != nil {
		return err
	}
	var names []string
	t := &table.Table{ID: "jobs"}
	for i, c := range jobColumns {
		names, t.Columns = append(names, c.name), append(t.Columns, table.Column{Name: c.name, Head: c.head, Key: i == 0})
	}
	form, sign := sortingOf(q, names)
	all := make([]int, len(r.Submitted)) // in order of submission
	for i := range all {
		all[i] = i
	}
	if by := slices.Index(names, q.Get("sort")); by >= 0 {
		of := jobColumns[by].of
		slices.SortStableFunc(all, func(a, b int) int { return sign * cmp.Compare(of(&r.Submitted[a]), of(&r.Submitted[b])) })
	}
	from, to, pages := paged("jobs", q, len(all), "jobs")
	v := jobsPage{Name: p.describe(number), Back: address("instance", q, "sort", "", "descending", "", "page", ""), Pages: pages,
		Hidden: []formField{{Name: "id", Value: q.Get("id")}, {Name: "run", Value: "true"}}, Form: form}
	t.Title, t.Columns = fmt.Sprintf("Jobs %d to %d of %d", min(from+1, to), to, len(all)), append(t.Columns, table.Column{Name: "state"})
	for _, i := range all[from:to] {
		var cells []table.Cell
		for _, c := range jobColumns {
			cells = append(cells, table.Number(c.of(&r.Submitted[i]), c.decimals))
		}
		t.Rows = append(t.Rows, table.Row{Cells: append(cells, table.Text(cmp.Or(r.Submitted[i].State, "-")))})
	}
	if v.Table, err = page.GridOf(t, 20); err != nil {
		return err
	}
	v.Table.Link(func(row int) string {
		return address("instance", url.Values{"id": {q.Get("id")}, "run": {"true"}}, "job", strconv.FormatInt(r.Submitted[all[from+row]].Job, 10))
	})
	p.send(http.StatusOK, "jobs", &v)
	return nil
}
