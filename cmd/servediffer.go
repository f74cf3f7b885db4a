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

// mostDiffering is the most jobs that a page lists.
const mostDiffering = 100

// differing compares with another schedule. The last comparison is kept, because each part of the time shows it.
func (r *rerun) differing(other *rerun) differing {
	r.drawing.Lock()
	defer r.drawing.Unlock()
	d := &r.differs
	if d.table != nil && d.other == other.number {
		return *d
	}
	var waits [][2]*gantt.Submission
	by := func(w [2]*gantt.Submission) float64 { return w[1].Wait() - w[0].Wait() }
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
		if cmp.Compare(x.Start, y.Start) != 0 || cmp.Compare(x.Last, y.Last) != 0 || x.Allocated != y.Allocated {
			jobs[strconv.FormatInt(x.Job, 10)] = true
		}
		if w := [2]*gantt.Submission{x, y}; by(w) != 0 && !math.IsNaN(by(w)) {
			waits = append(waits, w)
		}
	}
	slices.SortFunc(waits, func(a, b [2]*gantt.Submission) int {
		return cmp.Or(cmp.Compare(math.Abs(by(b)), math.Abs(by(a))), cmp.Compare(a[0].Seq, b[0].Seq))
	})
	t := &table.Table{ID: "differing", Title: fmt.Sprintf("Jobs that wait for another time: %d of %d", len(waits), len(r.Submitted)),
		Columns: []table.Column{{Name: "job", Key: true}, {Name: "processors"}, {Name: "submit (s)"}, {Name: "wait in schedule 1 (s)"},
			{Name: "wait in schedule 2 (s)"}, {Name: "difference (s)"}}}
	for _, w := range waits[:min(len(waits), mostDiffering)] {
		t.Add(table.Row{Cells: []table.Cell{table.Count(int(w[0].Job)), table.Count(w[0].Procs), table.Number(w[0].Submit, 1),
			table.Number(w[0].Wait(), 1), table.Number(w[1].Wait(), 1), table.Number(by(w), 1)}})
	}
	*d = differing{other.number, jobs, t}
	return *d
}
