package cmd

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"

	"schedsweep/analysis/gantt"
	page "schedsweep/analysis/report"
	"schedsweep/analysis/table"
)

// differing is in what the schedules of two instances with the same jobs differ.
type differing struct {
	other *rerun
	jobs  map[string]bool // starts at another time or on other processors
	waits []waited        // jobs with another wait, the greatest difference first
}

// waited is one job in both schedules.
type waited struct{ x, y *gantt.Submission }

func (w waited) difference() float64 { return w.y.Wait() - w.x.Wait() }

// differing compares with another schedule. The last comparison is kept, because each part of the time shows it.
func (r *rerun) differing(other *rerun) *differing {
	r.drawing.Lock()
	defer r.drawing.Unlock()
	if r.differs != nil && r.differs.other == other {
		return r.differs
	}
	d := &differing{other: other, jobs: map[string]bool{}}
	by := make(map[int64]*gantt.Submission, len(other.Submitted))
	for i := range other.Submitted {
		by[other.Submitted[i].Job] = &other.Submitted[i]
	}
	for i := range r.Submitted {
		x := &r.Submitted[i]
		y := by[x.Job]
		if y == nil {
			continue
		}
		if cmp.Compare(x.Start, y.Start) != 0 || x.Allocated != y.Allocated {
			d.jobs[strconv.FormatInt(x.Job, 10)] = true
		}
		if by := (waited{x, y}).difference(); by != 0 && !math.IsNaN(by) {
			d.waits = append(d.waits, waited{x, y})
		}
	}
	slices.SortFunc(d.waits, func(a, b waited) int {
		return cmp.Or(cmp.Compare(math.Abs(b.difference()), math.Abs(a.difference())), cmp.Compare(a.x.Seq, b.x.Seq))
	})
	r.differs = d
	return d
}

// mostDiffering is how many jobs a page lists.
const mostDiffering = 100

// table lists the jobs whose waits differ most.
func (d *differing) table(q url.Values, r *rerun) (*page.Grid, error) {
	t := &table.Table{ID: "differing", Title: fmt.Sprintf("Jobs that wait for another time: %d of %d", len(d.waits), len(r.Submitted)),
		Columns: []table.Column{{Name: "job", Key: true}, {Name: "processors"}, {Name: "submit (s)"}, {Name: "wait in schedule 1 (s)"},
			{Name: "wait in schedule 2 (s)"}, {Name: "difference (s)"}}}
	shown := d.waits[:min(len(d.waits), mostDiffering)]
	for _, w := range shown {
		t.Rows = append(t.Rows, table.Row{Cells: []table.Cell{table.Count(int(w.x.Job)), table.Count(w.x.Procs), table.Number(w.x.Submit, -1),
			table.Number(w.x.Wait(), -1), table.Number(w.y.Wait(), -1), table.Number(w.difference(), -1)}})
	}
	g, err := page.GridOf(t, 10)
	g.Link(func(row int) string { return address("instance", q, "job", strconv.FormatInt(shown[row].x.Job, 10)) })
	return &g, err
}
