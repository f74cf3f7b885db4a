package rows

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/sweep"
)

// Tally counts instances by outcome.
type Tally map[harness.Outcome]int

// Total returns the number of rows.
func (t Tally) Total() int {
	n := 0
	for _, k := range t {
		n += k
	}
	return n
}

// Bad returns the number of rows without an answer.
func (t Tally) Bad() int { return t.Total() - t[harness.OK] }

// Holding is the part of a plan that a run folder holds.
type Holding struct {
	// Tally counts the instances of the plan that have a row.
	Tally Tally
	// Foreign rows are of no instance of the plan, and of no log itself: the manifest was
	// another when they were written. Superseded rows have one of the same instance beside them
	// that counts, as a retry leaves them; Repeated rows hold its answer once more.
	// None of them is analysed.
	Foreign, Superseded, Repeated int
	// Unclassed are the instances with an answer whose rows are without classes of jobs
	// of the plan.
	Unclassed []int

	Points map[int]spent // of the points that have rows, by their first instance
	Bytes  int64         // on disk
}

// spent is the time that the instances of a point with rows took.
type spent struct {
	Rows int
	Wall time.Duration
}

// Holds looks through a run folder; one that does not exist holds nothing. Two
// answers for one instance are an error.
func Holds(plan *sweep.Plan, dir string) (Holding, error) {
	done, err := ReadDone(dir, plan, Instances)
	if err != nil {
		return Holding{}, fmt.Errorf("rows of %s: %w", dir, err)
	}
	return holding(done, plan, dir, func(yield func(int, DoneRow) bool) {
		if done.N == 0 {
			return // ids take time
		}
		for i, inst := range plan.All() {
			if row, there := done.Find(inst.ID); there && !yield(i, row) {
				return
			}
		}
	})
}

// Holds is [Holds] of the folder of the rows and the plan of their manifest.
func (r *Rows) Holds() (Holding, error) {
	done, err := doneIn(r.index, r.of)
	if err != nil {
		return Holding{}, err
	}
	return holding(done, r.of, r.dir, func(yield func(int, DoneRow) bool) {
		for k, number := range r.plan {
			if !yield(int(number), done.at(int(r.record[k]))) {
				return
			}
		}
	})
}

// holding counts the rows of the plan's instances, which come with their numbers in the plan.
func holding(rows Done, plan *sweep.Plan, dir string, found iter.Seq2[int, DoneRow]) (Holding, error) {
	h := Holding{Tally: Tally{}, Points: map[int]spent{}}
	h.Superseded, h.Repeated = rows.superseded, rows.repeated
	logs := 0 // that are the plan's
	var inst sweep.Instance
	for i, row := range found {
		plan.Locate(i, &inst)
		if row.OK && row.unclassed {
			h.Unclassed = append(h.Unclassed, i)
		}
		h.Tally[row.outcome]++
		if inst.Replication == sweep.LogItself {
			logs++
		}
		p := h.Points[inst.Point()]
		h.Points[inst.Point()] = spent{p.Rows + 1, p.Wall + harness.Seconds(row.Wall)}
	}
	h.Foreign = rows.N - rows.logs - (h.Tally.Total() - logs)
	parts, err := os.ReadDir(filepath.Join(dir, folder.Instances))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return h, fmt.Errorf("run folder %s: %w", dir, err)
	}
	for _, p := range parts {
		if info, err := p.Info(); err == nil && strings.HasSuffix(p.Name(), ".parquet") {
			h.Bytes += info.Size()
		}
	}
	return h, nil
}

// MissingClasses names the instances whose rows lack classes of jobs of the manifest; "" for none.
func (h *Holding) MissingClasses() string { return missingClasses(h.Unclassed, h.Tally[harness.OK]) }
