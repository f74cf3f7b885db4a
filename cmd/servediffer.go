package cmd

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"schedsweep/analysis/gantt"
	"schedsweep/analysis/table"
)

// differing is in what the schedule of another instance with the same jobs differs.
type differing struct {
	other int             // its number
	jobs  map[string]bool // start at another time or on other processors
	table *table.Table    // of jobs with another wait, the greatest difference first; nil before a comparison
}

// mostDiffering is how many jobs a page lists.
const mostDiffering = 100

// differing compares with another schedule. The last comparison is kept, because each part of the time shows it.
func (r *rerun) differing(other *rerun) differing {
	r.drawing.Lock()
	defer r.drawing.Unlock()
	d := &r.differs
	if d.table != nil && d.other == other.number {
		return *d
	}
	type waited struct {
		x, y *gantt.Submission
		by   float64
	}
	var waits []waited
	jobs, of := map[string]bool{}, make(map[int64]*gantt.Submission, len(other.Submitted))
	for i := range other.Submitted {
		of[other.Submitted[i].Job] = &other.Submitted[i]
	}
	for i := range r.Submitted {
		x := &r.Submitted[i]
		y := of[x.Job]
		if y == nil {
			continue
		}
		if cmp.Compare(x.Start, y.Start) != 0 || x.Allocated != y.Allocated {
			jobs[strconv.FormatInt(x.Job, 10)] = true
		}
		if by := y.Wait() - x.Wait(); by != 0 && !math.IsNaN(by) {
			waits = append(waits, waited{x, y, by})
		}
	}
	slices.SortFunc(waits, func(a, b waited) int {
		return cmp.Or(cmp.Compare(math.Abs(b.by), math.Abs(a.by)), cmp.Compare(a.x.Seq, b.x.Seq))
	})
	t := &table.Table{ID: "differing", Title: fmt.Sprintf("Jobs that wait for another time: %d of %d", len(waits), len(r.Submitted)),
		Columns: []table.Column{{Name: "job", Key: true}, {Name: "processors"}, {Name: "submit (s)"}, {Name: "wait in schedule 1 (s)"},
			{Name: "wait in schedule 2 (s)"}, {Name: "difference (s)"}}}
	for _, w := range waits[:min(len(waits), mostDiffering)] {
		t.Add(table.Row{Cells: []table.Cell{table.Count(int(w.x.Job)), table.Count(w.x.Procs), table.Number(w.x.Submit, -1),
			table.Number(w.x.Wait(), -1), table.Number(w.y.Wait(), -1), table.Number(w.by, -1)}})
	}
	*d = differing{other.number, jobs, t}
	return *d
}
