package harness

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"schedsweep/harness/store"
	"schedsweep/sweep"
)

// bytesPerRow is what a row of the instances dataset takes on disk where there
// are none yet to measure: the mean over the sweeps in manifests, compressed.
const bytesPerRow = 150

// Forecast is what is left of a sweep and what it will take.
type Forecast struct {
	// Total instances; Existing have their rows, Bad of these without an answer.
	Total, Existing, Bad int
	// PerInstance is the predicted time of an instance on one core, from Sample
	// instances; Trial says that these were run for the purpose, not found.
	PerInstance time.Duration
	Sample      int
	Trial       bool
	// CoreTime is PerInstance times what is left; Disk the bytes that their rows
	// will take.
	CoreTime time.Duration
	Disk     int64
}

// Predict looks at the rows in the run folder, or, where there are none, runs a
// few instances spread over the plan within the time limit and forgets them.
func Predict(ctx context.Context, plan *sweep.Plan, inputs *Inputs, dir string, limit time.Duration) (Forecast, error) {
	f := Forecast{Total: plan.Len()}
	seen, rows, err := existing(plan, dir)
	if err != nil {
		return f, err
	}
	f.Existing, f.Bad = seen.total(), seen.bad()
	left := f.Total - f.Existing
	perRow := int64(bytesPerRow)
	if rows.n > 0 {
		f.PerInstance, f.Sample = rows.wall/time.Duration(rows.n), rows.n
		perRow = max(1, rows.bytes/int64(rows.n))
	} else if left > 0 {
		f.Trial = true
		f.PerInstance, f.Sample = trial(ctx, plan, inputs, limit)
	}
	f.CoreTime = f.PerInstance * time.Duration(left)
	f.Disk = perRow * int64(left)
	return f, nil
}

// trial runs up to eight instances, evenly spread, until the limit has passed.
func trial(ctx context.Context, plan *sweep.Plan, inputs *Inputs, limit time.Duration) (mean time.Duration, n int) {
	const most = 8
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	w := &worker{bench: newBench(newWorkloads(inputs)), now: time.Now}
	var inst sweep.Instance
	var total time.Duration
	for k := range min(most, plan.Len()) {
		plan.At(k*plan.Len()/min(most, plan.Len()), &inst)
		// The first use of a log pays for reading it, which the sweep does once.
		if _, err := w.bench.prepare(&inst); err != nil {
			continue
		}
		r, err := w.run(ctx, &inst, nil, false)
		if err != nil {
			break
		}
		total += r.wall
		n++
	}
	if n == 0 {
		return 0, 0
	}
	return total / time.Duration(n), n
}

type rowTotals struct {
	n     int
	wall  time.Duration
	bytes int64
}

// existing reads what the run folder holds of the plan.
func existing(plan *sweep.Plan, dir string) (Tally, rowTotals, error) {
	tally := Tally{}
	var rows rowTotals
	folder := filepath.Join(dir, InstancesDir)
	if _, err := os.Stat(folder); err != nil {
		return tally, rows, nil
	}
	t, err := store.Scan(folder, store.ScanOptions{Columns: []string{"id", "outcome", "wall_time"}, Key: "id"})
	if err != nil || t.Rows == 0 {
		return tally, rows, err
	}
	outcomes := make(map[string]Outcome, t.Rows)
	for i := range t.Rows {
		outcomes[t.Columns[0].Text(i)] = Outcome(t.Columns[1].Text(i))
		wall, _ := t.Columns[2].Float(i)
		rows.wall += time.Duration(wall * float64(time.Second))
	}
	rows.n = t.Rows
	parts, err := filepath.Glob(filepath.Join(folder, "*.parquet"))
	if err != nil {
		return tally, rows, fmt.Errorf("run folder %s: %w", dir, err)
	}
	for _, p := range parts {
		if info, err := os.Stat(p); err == nil {
			rows.bytes += info.Size()
		}
	}
	var inst sweep.Instance
	for i := range plan.Len() {
		plan.At(i, &inst)
		if o, ok := outcomes[inst.ID.String()]; ok {
			tally[o]++
		}
	}
	return tally, rows, nil
}

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

// Status counts what a run folder holds of a plan, by outcome.
func Status(plan *sweep.Plan, dir string) (Tally, error) {
	tally, _, err := existing(plan, dir)
	return tally, err
}
