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

func (t Tally) total() int {
	n := 0
	for _, k := range t {
		n += k
	}
	return n
}

func (t Tally) bad() int { return t.total() - t[OK] }

// Holding is what a run folder holds of a plan.
type Holding struct {
	// Tally counts the instances of the plan that have a row.
	Tally Tally
	// Foreign rows are of no instance of the plan: the manifest was another when
	// they were written. Superseded rows have a later one of the same instance
	// beside them, as a retry leaves them. Neither is analysed.
	Foreign, Superseded int

	points map[int]spent // of the points that have rows, by their first instance
	bytes  int64         // on disk
}

// spent is how long the instances of a point took that have rows.
type spent struct {
	rows int
	wall time.Duration
}

// Holds looks through a run folder; one that does not exist holds nothing.
func Holds(plan *sweep.Plan, dir string) (Holding, error) {
	h := Holding{Tally: Tally{}, points: map[int]spent{}}
	folder := filepath.Join(dir, InstancesDir)
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return h, nil
	}
	t, err := store.Scan(folder, store.ScanOptions{Columns: []string{"id", "outcome", "wall_time"}})
	if err != nil || t.Rows == 0 {
		return h, err
	}
	ids, outcomes, walls := &t.Columns[0], &t.Columns[1], &t.Columns[2]
	last := make(map[string]int, t.Rows) // instance -> its last row, which counts
	for i := range t.Rows {
		last[ids.Text(i)] = i
	}
	h.Superseded = t.Rows - len(last)
	parts, err := os.ReadDir(folder)
	if err != nil {
		return h, fmt.Errorf("run folder %s: %w", dir, err)
	}
	for _, p := range parts {
		if info, err := p.Info(); err == nil && strings.HasSuffix(p.Name(), ".parquet") {
			h.bytes += info.Size()
		}
	}
	var inst sweep.Instance
	for i := range plan.Len() {
		plan.At(i, &inst)
		if row, ok := last[inst.ID.String()]; ok {
			h.Tally[Outcome(outcomes.Text(row))]++
			wall, _ := walls.Float(row)
			p := h.points[i-inst.Replication]
			h.points[i-inst.Replication] = spent{p.rows + 1, p.wall + time.Duration(wall*float64(time.Second))}
		}
	}
	h.Foreign = len(last) - h.Tally.total()
	return h, nil
}
