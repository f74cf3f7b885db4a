package harness

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"schedsweep/harness/store"
	"schedsweep/sweep"
)

// Tally counts instances by outcome.
type Tally map[Outcome]int

// Total is how many there are.
func (t Tally) Total() int {
	n := 0
	for _, k := range t {
		n += k
	}
	return n
}

// Bad is how many of them have no answer.
func (t Tally) Bad() int { return t.Total() - t[OK] }

// Holding is what a run folder holds of a plan.
type Holding struct {
	// Tally counts the instances of the plan that have a row.
	Tally Tally
	// Foreign rows are of no instance of the plan: the manifest was another when
	// they were written. Superseded rows have one of the same instance beside them
	// that counts, as a retry leaves them; Repeated rows hold its answer once more.
	// None of them is analysed.
	Foreign, Superseded, Repeated int
	// Unclassed are the instances with an answer whose rows are without classes of jobs
	// of the plan.
	Unclassed []int

	points map[int]spent // of the points that have rows, by their first instance
	bytes  int64         // on disk
}

// spent is how long the instances of a point took that have rows.
type spent struct {
	rows int
	wall time.Duration
}

// Holds looks through a run folder; one that does not exist holds nothing. Two
// answers for one instance are an error.
func Holds(plan *sweep.Plan, dir string) (Holding, error) {
	h := Holding{Tally: Tally{}, points: map[int]spent{}}
	folder := filepath.Join(dir, InstancesDir)
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return h, nil
	}
	err := store.WithIndex(folder, Instances, func(x *store.Index) error {
		h = Holding{Tally: Tally{}, points: map[int]spent{}, Superseded: x.Superseded, Repeated: x.Repeated}
		if x.Len() == 0 {
			return nil
		}
		t, err := x.Read([]string{"outcome", "wall_time"}, upTo(x.Len()))
		if err != nil {
			return err
		}
		unclassed, err := unclassedRows(x, plan.Classes())
		if err != nil {
			return err
		}
		for i, inst := range plan.All() {
			if record, ok := x.Find(inst.ID.String()); ok {
				if x.Answered(record) && unclassed(record) {
					h.Unclassed = append(h.Unclassed, i)
				}
				h.Tally[Outcome(t.Columns[0].Text(record))]++
				wall, _ := t.Columns[1].Float(record)
				p := h.points[i-inst.Replication]
				h.points[i-inst.Replication] = spent{p.rows + 1, p.wall + time.Duration(wall*float64(time.Second))}
			}
		}
		h.Foreign = x.Len() - h.Tally.Total()
		return nil
	})
	if err != nil {
		return h, fmt.Errorf("rows of %s: %w", dir, err)
	}
	parts, err := os.ReadDir(folder)
	if err != nil {
		return h, fmt.Errorf("run folder %s: %w", dir, err)
	}
	for _, p := range parts {
		if info, err := p.Info(); err == nil && strings.HasSuffix(p.Name(), ".parquet") {
			h.bytes += info.Size()
		}
	}
	return h, nil
}
