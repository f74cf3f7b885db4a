package backfill_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedsweep/sim"
)

// reference is a plain simulation of the default rules in whole passes over
// lists: ends, then submissions, then one pass.
type reference struct {
	procs   int
	now     float64
	running []*refJob // in order of their starts
	waiting []*refJob // in order of submission
	freed   bool
	overrun bool
	planned bool // there is a pass at planned ends too
	quiet   bool // nothing but submissions came
}

type refJob struct {
	sim.JobSpec
	start, planned float64
}

func (j *refJob) end(kill bool) float64 {
	if kill {
		return j.start + min(j.RunTime, j.Walltime)
	}
	return j.start + j.RunTime
}

// play runs the jobs with a pass and returns their starts.
func (r *reference) play(jobs []sim.JobSpec, kill bool, pass func(*reference, []*refJob)) []float64 {
	all := make([]*refJob, len(jobs))
	for i, j := range jobs {
		all[i] = &refJob{JobSpec: j, start: math.NaN(), planned: math.NaN()}
	}
	for next := 0; ; {
		t := math.Inf(1)
		if next < len(all) {
			t = all[next].Submit
		}
		for _, j := range r.running {
			t = min(t, j.end(kill))
			if end := j.start + j.Walltime; end > r.now && r.planned {
				t = min(t, end)
			}
		}
		for _, j := range r.waiting {
			if j.planned > r.now && !r.overrun {
				t = min(t, j.planned)
			}
		}
		if math.IsInf(t, 1) {
			break
		}
		r.now = t
		kept := r.running[:0:0]
		for _, j := range r.running {
			if j.end(kill) > t {
				kept = append(kept, j)
			} else if t < j.start+j.Walltime {
				r.freed = true
			}
		}
		r.quiet = len(kept) == len(r.running) && !slices.ContainsFunc(r.waiting, func(j *refJob) bool { return j.planned == t })
		r.running = kept
		var fresh []*refJob
		for ; next < len(all) && all[next].Submit == t; next++ {
			fresh = append(fresh, all[next])
		}
		pass(r, fresh)
	}
	var starts []float64
	for _, j := range all {
		starts = append(starts, j.start)
	}
	return starts
}

func (r *reference) start(j *refJob) {
	j.start = r.now
	r.running = append(r.running, j)
	for i := range r.waiting {
		if r.waiting[i] == j {
			r.waiting = append(r.waiting[:i:i], r.waiting[i+1:]...)
			break
		}
	}
}

func (r *reference) free() int {
	n := r.procs
	for _, j := range r.running {
		n -= int(j.Procs)
	}
	return n
}

// freeAt returns the number of free processors at t by the walltimes of the running jobs.
func (r *reference) freeAt(t float64) int {
	n := r.free()
	for _, j := range r.running {
		if max(r.now, j.start+j.Walltime) <= t {
			n += int(j.Procs)
		}
	}
	return n
}

// easy is EASY's pass.
func easy(r *reference, fresh []*refJob) {
	r.waiting = append(r.waiting, fresh...)
	for len(r.waiting) > 0 && int(r.waiting[0].Procs) <= r.free() {
		r.start(r.waiting[0])
	}
	if len(r.waiting) == 0 {
		return
	}
	head := r.waiting[0]
	shadow := math.Inf(1)
	for _, j := range r.running {
		if t := max(r.now, j.start+j.Walltime); t < shadow && r.freeAt(t) >= int(head.Procs) {
			shadow = t
		}
	}
	extra := r.freeAt(shadow) - int(head.Procs)
	for _, j := range append([]*refJob(nil), r.waiting[1:]...) {
		if int(j.Procs) > r.free() {
			continue
		}
		if r.now+j.Walltime <= shadow {
			r.start(j)
		} else if int(j.Procs) <= extra {
			extra -= int(j.Procs)
			r.start(j)
		}
	}
}

// conservative is the pass of conservative backfilling.
func conservative(r *reference, fresh []*refJob) {
	r.planned = true
	soon := math.Nextafter(r.now, math.Inf(1))
	late := false
	for _, j := range r.running {
		late = late || j.start+j.Walltime <= r.now
	}
	if late || r.overrun {
		r.waiting = append(r.waiting, fresh...)
		fresh = r.waiting
		r.waiting = nil
		r.overrun = late
	} else if r.freed {
		for _, j := range r.waiting {
			if j.planned > r.now {
				j.planned = r.earliest(j, soon)
			}
		}
	}
	r.freed = false
	for _, j := range fresh {
		r.waiting = append(r.waiting, j)
		j.planned = math.Inf(1)
		j.planned = r.earliest(j, soon)
	}
	for _, j := range append([]*refJob(nil), r.waiting...) {
		if j.planned <= r.now {
			r.start(j)
		}
	}
}

// earliest is the earliest start of j beside all others.
func (r *reference) earliest(j *refJob, soon float64) float64 {
	type hold struct {
		start, end float64
		n          int
	}
	var holds []hold
	for _, o := range r.running {
		holds = append(holds, hold{r.now, max(o.start+o.Walltime, soon), int(o.Procs)})
	}
	for _, o := range r.waiting {
		if o != j && !math.IsInf(o.planned, 1) {
			holds = append(holds, hold{o.planned, o.planned + o.Walltime, int(o.Procs)})
		}
	}
	used := func(t float64) int {
		n := 0
		for _, h := range holds {
			if h.start <= t && t < h.end {
				n += h.n
			}
		}
		return n
	}
	fits := func(s float64) bool {
		if used(s)+int(j.Procs) > r.procs {
			return false
		}
		for _, h := range holds {
			if s < h.start && h.start < s+j.Walltime && used(h.start)+int(j.Procs) > r.procs {
				return false
			}
		}
		return true
	}
	best := math.Inf(1)
	if fits(r.now) {
		return r.now
	}
	for _, h := range holds {
		if h.end > r.now && h.end < best && fits(h.end) {
			best = h.end
		}
	}
	return best
}

// TestDefaultRules compares EASY and conservative backfilling with the plain
// simulation, with and without jobs that overrun their walltimes.
func TestDefaultRules(t *testing.T) {
	for name, c := range map[string]struct {
		params any
		pass   func(*reference, []*refJob)
	}{
		"easy":         {easyParams("fcfs"), easy},
		"conservative": {conservativeParams("fcfs"), conservative},
	} {
		t.Run(name, func(t *testing.T) {
			p := policy(t, name, c.params)
			rapid.Check(t, func(rt *rapid.T) {
				procs := rapid.IntRange(1, 12).Draw(rt, "procs")
				kill := rapid.Bool().Draw(rt, "kill")
				jobs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) sim.JobSpec {
					j := sim.JobSpec{Submit: max(0, float64(rapid.IntRange(-5, 8).Draw(t, "gap"))), RunTime: float64(rapid.IntRange(0, 20).Draw(t, "run")),
						Procs: int32(rapid.IntRange(1, procs).Draw(t, "procs"))}
					j.Walltime = max(1, j.RunTime)
					if rapid.Bool().Draw(t, "loose") {
						j.Walltime = float64(rapid.IntRange(1, 30).Draw(t, "walltime"))
					}
					return j
				}), 1, 60).Draw(rt, "jobs")
				for i := range jobs[1:] {
					jobs[i+1].Submit += jobs[i].Submit
					jobs[i+1].ID = int64(i + 1)
				}
				want := (&reference{procs: procs}).play(jobs, kill, c.pass)
				got := run(t, p, "default", kill, procs, jobs)
				if d := cmp.Diff(want, got); d != "" {
					rt.Fatalf("kill %v: starts differ (-want +got):\n%s", kill, d)
				}
			})
		})
	}
}
