package harness

import (
	"context"
	"time"

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
	held, err := Holds(plan, dir)
	if err != nil {
		return f, err
	}
	f.Existing, f.Bad = held.Tally.total(), held.Tally.bad()
	left := f.Total - f.Existing
	perRow := int64(bytesPerRow)
	if n := f.Existing + held.Foreign; n > 0 {
		f.PerInstance, f.Sample = held.wall/time.Duration(n), n
		perRow = max(1, held.bytes/int64(n+held.Superseded+held.Repeated))
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
