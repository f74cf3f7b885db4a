package run

import (
	"context"
	"math"
	"slices"
	"time"

	"schedsweep/harness"
	"schedsweep/harness/input"
	"schedsweep/sweep"
)

// RunUp is the effect of twice the run-up on the mean wait of a few windows.
type RunUp struct {
	Windows int
	// Cut reports that some windows begin before the log has twice their run-up. They are left out.
	Cut bool
	// Wait is the mean over these as the plan has them, Doubled with twice as many jobs of run-up, in s; the measured jobs are
	// the same.
	Wait, Doubled float64
}

// enoughRunUp is the share of the wait by which twice the run-up may change it, as with the default run-up.
const enoughRunUp = .02

// Moves is the share by which the wait changes; 0 where no job waits.
func (r RunUp) Moves() float64 {
	if r.Wait == r.Doubled {
		return 0
	}
	return r.Doubled/r.Wait - 1
}

// Enough reports that the run-up is long enough, as far as the windows show.
func (r RunUp) Enough() bool { return math.Abs(r.Moves()) <= enoughRunUp }

// mostWindows is the number of windows that are simulated twice, and mostTries the number of places of the plan each is looked for.
const mostWindows, mostTries = 12, 4

// DoubleRunUp simulates a few instances whose workloads are windows of logs, spread over the plan, as they are and with twice
// the run-up. It counts the instances with an answer both times; none where the plan has no windows with run-up.
func DoubleRunUp(ctx context.Context, plan *sweep.Plan, inputs *input.Files) (r RunUp, err error) {
	w := newWorker(plan, input.NewWorkloads(inputs), time.Now)
	wait := func(inst *sweep.Instance) (float64, error) {
		report, err := w.run(ctx, inst, nil, false)
		at := slices.Index(report.Metrics, "mean_wait_time")
		if report.Outcome != harness.OK || at < 0 {
			return math.NaN(), err
		}
		return report.Values[at], err
	}
	var windows []int
	var inst, doubled sweep.Instance
	for i := range plan.Len() {
		if plan.At(i, &inst); plan.WithRunUp(&inst, &doubled) {
			windows = append(windows, i)
		}
	}
	// whole sets inst and doubled to a window of the k-th of n parts of the plan. It tries a few, and reports false if the log has less
	// than twice the run-up before all of them.
	whole := func(k, n int) (bool, error) {
		for try := range mostTries {
			_, within := math.Modf(float64(k+try*n) * math.Phi) // not in step with any axis
			plan.At(windows[int((float64(k)+within)*float64(len(windows))/float64(n))], &inst)
			plan.WithRunUp(&inst, &doubled)
			cut, err := input.CutRunUp(&doubled, inputs)
			if err != nil || !cut {
				return true, err
			}
			r.Cut = true
		}
		return false, nil
	}
	n := min(len(windows), mostWindows)
	for k := range n {
		is, err := whole(k, n)
		if err != nil {
			return r, err
		}
		if !is {
			continue
		}
		single, err := wait(&inst)
		if err != nil {
			return r, err
		}
		double, err := wait(&doubled)
		if err != nil {
			return r, err
		}
		if math.IsNaN(single + double) {
			continue
		}
		r.Windows++
		r.Wait += (single - r.Wait) / float64(r.Windows)
		r.Doubled += (double - r.Doubled) / float64(r.Windows)
	}
	return r, nil
}
