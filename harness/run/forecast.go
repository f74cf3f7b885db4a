package run

import (
	"context"
	"math"
	"time"

	"schedsweep/harness"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/sweep"
)

// bytesPerRow is the size on disk of a row of the instances dataset where there are fewer than fewRows to
// measure: the mean over the sweeps in manifests, compressed. A file with few rows is mostly its footer.
const bytesPerRow, fewRows = 150, 1000

// Forecast counts the instances that a sweep has left, and predicts the time, disk space and memory that they
// will take.
type Forecast struct {
	// Total instances; Existing have their rows, Bad of these without an answer.
	Total, Existing, Bad int
	// PerInstance is the predicted mean time of the instances that are left on one
	// core, from Rows of the run folder and Trials that were run for the purpose.
	PerInstance  time.Duration
	Rows, Trials int
	// Longest is the largest mean of a point that has instances left, or time of a trial.
	Longest time.Duration
	// AtLeast reports that PerInstance is too low: a trial took longer than there was
	// time for, or points without rows are not in it.
	AtLeast bool
	// CoreTime is PerInstance times the number of instances that are left. Disk is the number of bytes that their
	// rows will take.
	CoreTime time.Duration
	Disk     int64
	// Memory is the peak resident memory of this process after the trials, in bytes. Worker is the part that the trials of
	// one worker added to it. Both are 0 where nothing was tried or the system does not tell.
	Memory, Worker int64
}

// MemoryOf returns the memory that a process with n workers needs, in bytes: as measured with one, and half as much again, for instances
// differ and the collector of garbage takes its time. It is 0 where nothing was measured.
func (f *Forecast) MemoryOf(workers int) int64 {
	const least = 32 << 20 // of a worker: the trials may have found room in memory that the process held before
	if f.Memory == 0 {
		return 0
	}
	return (f.Memory + max(f.Worker, least)*int64(workers-1)) * 3 / 2
}

// Try measures the time and memory of a few instances of a plan, independent of the rows in a folder.
func Try(ctx context.Context, plan *sweep.Plan, inputs *input.Files, limit time.Duration) Forecast {
	f := Forecast{Total: plan.Len()}
	f.PerInstance, f.AtLeast = f.trial(ctx, plan, inputs, limit, plan.Len(), func(k int) int { return k })
	return f
}

// Predict returns a forecast of the rest of a sweep. An instance takes what the other replications of its point
// took, which differ from it in their random numbers only. Points that have no row are tried, a few of them within
// the time limit: other values do not say how cost grows along an axis. It may grow with the jobs, with their
// square or with the queue.
func Predict(ctx context.Context, plan *sweep.Plan, inputs *input.Files, dir string, limit time.Duration) (Forecast, error) {
	f := Forecast{Total: plan.Len()}
	held, err := rows.Holds(plan, dir)
	if err != nil {
		return f, err
	}
	f.Existing, f.Bad = held.Tally.Total(), held.Tally.Bad()
	left := f.Total - f.Existing
	perRow := int64(bytesPerRow)
	if n := f.Existing + held.Foreign + held.Superseded + held.Repeated; n >= fewRows {
		perRow = held.Bytes / int64(n)
	}
	f.Disk = perRow * int64(left)
	if left == 0 {
		return f, nil
	}
	known, total, untried := 0, 0.0, []int(nil) // total is in ns
	if f.Existing > 0 {
		var inst sweep.Instance
		for i := 0; i < plan.Len(); i += inst.Replications {
			plan.At(i, &inst)
			p := held.Points[i]
			missing := inst.Replications - p.Rows
			switch {
			case p.Rows == 0:
				untried = append(untried, i)
				continue
			case missing == 0:
				continue
			}
			each := p.Wall / time.Duration(p.Rows)
			known += missing
			total += float64(each) * float64(missing)
			f.Longest = max(f.Longest, each)
			f.Rows += p.Rows
		}
	}
	if unknown := left - known; unknown > 0 {
		at, n := func(k int) int { return untried[k] }, len(untried)
		if f.Existing == 0 {
			at, n = func(k int) int { return k }, plan.Len()
		}
		mean, short := f.trial(ctx, plan, inputs, limit, n, at)
		f.AtLeast = short || f.Trials == 0
		total += float64(mean) * float64(unknown)
		known += unknown
	}
	f.PerInstance = time.Duration(total / float64(known))
	f.CoreTime = harness.Seconds(f.PerInstance.Seconds() * float64(left))
	return f, nil
}

// trial runs up to eight of n instances, spread evenly but not in step with any
// axis, until the limit has passed, and returns their mean time. An instance that
// the limit stops counts with the time that it had, and short tells of it.
func (f *Forecast) trial(ctx context.Context, plan *sweep.Plan, inputs *input.Files, limit time.Duration, n int,
	at func(k int) int) (mean time.Duration, short bool) {
	const most = 8
	if limit <= 0 {
		return 0, false
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	w := newWorker(plan, input.NewWorkloads(inputs), time.Now)
	var inst sweep.Instance
	var total time.Duration
	var before int64
	tries := min(most, n)
	for k := range tries {
		_, within := math.Modf(float64(k) * math.Phi)
		plan.At(at(int((float64(k)+within)*float64(n)/float64(tries))), &inst)
		if allowed(inputs, inst.Sections[harness.SectionPolicy]) != nil {
			continue
		}
		// The first use of a log pays for reading it, which the sweep does once.
		if _, err := w.builder.prepare(&inst); err != nil {
			continue
		}
		if before == 0 {
			before = residentPeak() // with the log, which workers share
		}
		r, err := w.run(ctx, &inst, nil, false)
		total += r.Wall
		f.Longest = max(f.Longest, r.Wall)
		f.Trials++
		if err != nil {
			short = true
			break
		}
	}
	if f.Trials > 0 {
		f.Memory = residentPeak()
		f.Worker = f.Memory - before
	}
	return total / time.Duration(max(f.Trials, 1)), short
}
