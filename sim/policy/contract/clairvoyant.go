package contract

import (
	"math"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"schedsweep/sim"
	"schedsweep/sim/simtest"
)

// foresees fails where the policy, whose schedule of the jobs is first, knew a run time before its job had ended: other
// run times of the jobs that had not ended at some instant must leave everything up to then as it was.
func (b *trial) foresees(t *rapid.T, set setting, jobs []sim.JobSpec, first simtest.Outcomes) {
	t.Helper()
	var times []float64
	for i, o := range first {
		times = append(times, jobs[i].Submit, o.Start, o.Finish)
	}
	until := rapid.SampledFrom(times).Draw(t, "instant")
	others := append([]sim.JobSpec(nil), jobs...)
	for i, o := range first {
		switch {
		case o.Start > until:
			others[i].RunTime = float64(rapid.IntRange(0, 16).Draw(t, "another run time"))
		case o.Finish > until: // which stays so where it is longer
			others[i].RunTime += float64(rapid.IntRange(0, 16).Draw(t, "more run time"))
		}
	}
	diff := b.differ(t, set, others, first, until)
	if diff == "" {
		return
	}
	// Other run times move the instants at which work under way is summed, and with them the last digit of sums. A policy
	// that compares sums may then decide a tie differently. Later on the clock the last digits are others, and after a week the time of
	// day is the same. Where the jobs as they were have another schedule then, a tie or the time decides it: others is no longer of jobs that
	// had not ended, and that delay tells nothing.
	tellings := 0
	for _, later := range []float64{64, 1024, 16384, 86400, 604800} {
		moved := b.run(t, set, delayed(jobs, later))
		d := b.differ(t, set, delayed(others, later), moved, until+later)
		if d == "" {
			return
		}
		if alike(first, until, moved, until+later) {
			diff, tellings = d, tellings+1
		}
	}
	if tellings == 0 {
		return
	}
	t.Fatalf("%s: run times of jobs that had not ended by %g s change what the policy did until then: it is clairvoyant, and its kind "+
		"must say so (sim.Kind.Clairvoyant):\n%s", set, until, diff)
}

// differ returns the differences in the schedule of others from first up to the instant until; it is empty where it does not.
func (b *trial) differ(t *rapid.T, set setting, others []sim.JobSpec, first simtest.Outcomes, until float64) string {
	t.Helper()
	// Times closer to the instant than rounding may change sides.
	known := until - rounding(until)
	same := cmp.Comparer(func(x, y float64) bool { return x == y || math.Abs(x-y) <= rounding(x) })
	return cmp.Diff(before(first, known), before(b.run(t, set, others), known), same)
}

// alike reports whether the same jobs have started at the instant of one schedule and at that of the other, and the same have ended.
func alike(a simtest.Outcomes, at float64, b simtest.Outcomes, bt float64) bool {
	at, bt = at-rounding(at), bt-rounding(bt)
	for i := range a {
		if (a[i].Start > at) != (b[i].Start > bt) || (a[i].Finish > at) != (b[i].Finish > bt) {
			return false
		}
	}
	return true
}

// delayed returns the jobs with all their times later.
func delayed(jobs []sim.JobSpec, by float64) []sim.JobSpec {
	later := append([]sim.JobSpec(nil), jobs...)
	for i := range later {
		later[i].Submit += by
		if later[i].ReservedStart > 0 {
			later[i].ReservedStart += by
		}
	}
	return later
}

// rounding is far above the rounding of times, and far below what tells policies apart.
func rounding(x float64) float64 { return 1e-9 * (1 + math.Abs(x)) }

// before returns the outcomes known at an instant. They do not say when a job was rejected.
func before(outcomes simtest.Outcomes, until float64) simtest.Outcomes {
	known := make(simtest.Outcomes, len(outcomes))
	for i, o := range outcomes {
		switch {
		case o.State == sim.Rejected.String() || o.Start > until:
		case o.Finish > until:
			known[i] = simtest.Outcome{ID: o.ID, Start: o.Start}
		default:
			known[i] = o
		}
	}
	return known
}
