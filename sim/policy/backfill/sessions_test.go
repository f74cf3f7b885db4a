package backfill_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
)

// withSessions are parameters of easy.
func withSessions(all ...backfill.Session) *backfill.EasyParams {
	return &backfill.EasyParams{Ordered: backfill.Ordered{Order: "fcfs"}, Rules: sim.RulesOfOrder,
		Placed: backfill.Placed{Placement: "any", Sessions: all}}
}

// calendar lists sessions one by one: when each begins, and the largest walltime in it.
type calendar struct{ begin, longest []float64 }

func calendarOf(all []backfill.Session, days int) (c calendar) {
	type one struct{ begin, longest float64 }
	var list []one
	for d := -7; d < days; d++ {
		for _, s := range all {
			if s.Days == "all" || (d+7)%7 < 5 {
				if s.Longest == 0 {
					s.Longest = math.Inf(1)
				}
				list = append(list, one{float64(d)*24*3600 + s.Begin, s.Longest})
			}
		}
	}
	slices.SortFunc(list, func(a, b one) int { return int(a.begin - b.begin) })
	for _, s := range list {
		c.begin, c.longest = append(c.begin, s.begin), append(c.longest, s.longest)
	}
	return c
}

// may reports whether a job may start at t, and the beginning of the next session.
func (c calendar) may(t, walltime float64) (ok bool, next float64) {
	i := 0
	for c.begin[i+1] <= t {
		i++
	}
	// The difference, as in the policy: t + walltime may round down to the begin where a job overruns and t is a moment after a whole number.
	return walltime <= min(c.longest[i], c.begin[i+1]-t), c.begin[i+1]
}

// pass is EASY's within sessions, over lists.
func (c calendar) pass(r *reference, fresh []*refJob) {
	waited := len(r.waiting)
	for _, j := range fresh {
		for t, k := r.now, 0; k < 40; k++ {
			ok, next := c.may(t, j.Walltime)
			if t = next; ok {
				r.waiting = append(r.waiting, j)
				break
			}
		}
	}
	if r.quiet && len(r.waiting) == waited { // a job that is rejected is no reason for a pass
		return
	}
	starts := func(j *refJob) bool {
		ok, _ := c.may(r.now, j.Walltime)
		return ok && int(j.Procs) <= r.free()
	}
	for len(r.waiting) > 0 && starts(r.waiting[0]) {
		r.start(r.waiting[0])
	}
	_, next := c.may(r.now, 0)
	for _, j := range r.waiting {
		j.planned = next // so that there is a pass then
	}
	if len(r.waiting) == 0 {
		return
	}
	head := r.waiting[0]
	shadow := r.now
	for r.freeAt(shadow) < int(head.Procs) {
		then := math.Inf(1)
		for _, j := range r.running {
			if end := max(r.now, j.start+j.Walltime); end > shadow {
				then = min(then, end)
			}
		}
		shadow = then
	}
	for ok, next := c.may(shadow, head.Walltime); !ok; ok, next = c.may(shadow, head.Walltime) {
		shadow = next
	}
	extra := r.freeAt(shadow) - int(head.Procs)
	for _, j := range append([]*refJob(nil), r.waiting[1:]...) {
		switch {
		case !starts(j):
		case r.now+j.Walltime <= shadow:
			r.start(j)
		case int(j.Procs) <= extra:
			extra -= int(j.Procs)
			r.start(j)
		}
	}
}

// TestSessions compares EASY within sessions with the plain simulation; no job that keeps to its walltime runs on into
// another session. Without sessions it is EASY.
func TestSessions(t *testing.T) {
	const hour = 3600
	rapid.Check(t, func(rt *rapid.T) {
		var all []backfill.Session
		for _, h := range rapid.SliceOfNDistinct(rapid.IntRange(0, 23), 1, 3, rapid.ID[int]).Draw(rt, "begins") {
			all = append(all, backfill.Session{Begin: float64(h * hour), Days: rapid.SampledFrom([]string{"weekdays", "all"}).Draw(rt, "days"),
				Longest: float64(hour * rapid.IntRange(0, 6).Draw(rt, "longest"))})
		}
		procs := rapid.IntRange(1, 8).Draw(rt, "procs")
		kill := rapid.Bool().Draw(rt, "kill")
		jobs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) sim.JobSpec {
			j := sim.JobSpec{Submit: hour * max(0, float64(rapid.IntRange(-5, 9).Draw(t, "gap"))),
				RunTime: hour * float64(rapid.IntRange(0, 30).Draw(t, "run")),
				Procs:   int32(rapid.IntRange(1, procs).Draw(t, "procs"))}
			j.Walltime = max(hour, j.RunTime)
			if rapid.Bool().Draw(t, "loose") {
				j.Walltime = float64(hour * rapid.IntRange(1, 40).Draw(t, "walltime"))
			}
			return j
		}), 1, 40).Draw(rt, "jobs")
		for i := range jobs[1:] {
			jobs[i+1].Submit += jobs[i].Submit
			jobs[i+1].ID = int64(i + 1)
		}
		c := calendarOf(all, 2000)
		want := (&reference{procs: procs}).play(jobs, kill, c.pass)
		got := run(t, policy(t, "easy", withSessions(all...)), "default", kill, procs, jobs)
		for len(got) < len(jobs) {
			got = append(got, -1)
		}
		for i, start := range want {
			if math.IsNaN(start) {
				want[i] = -1 // rejected
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			rt.Fatalf("kill %v, sessions %v: starts differ (-want +got):\n%s", kill, all, d)
		}
		for i, start := range got {
			if ok, _ := c.may(start, jobs[i].Walltime); start >= 0 && !ok {
				rt.Fatalf("job %d starts at %v for %v in no session for it: %v", i, start, jobs[i].Walltime, all)
			}
		}
	})
}

// TestSessionsRefused: what cannot be says why.
func TestSessionsRefused(t *testing.T) {
	kind, _ := sim.Policies.Get("easy")
	if _, err := kind.New(withSessions(backfill.Session{Begin: 9, Days: "weekdays"}, backfill.Session{Begin: 9, Days: "all"}),
		sim.Env{}); err == nil {
		t.Error("two sessions that begin at once are taken")
	}
}
