package lomarc

import (
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/policy/profile"
	"schedsweep/sim/studies/zeng2009/slowdowns"
	"schedsweep/sim/studies/zeng2009/timeslice"
)

// drawQueue draws parameters under which groups are formed and refused, and one of
// so many jobs with slowdowns.
func drawQueue(t *rapid.T, sizes []int) (Params, []sim.JobSpec) {
	p := Defaults
	p.BlockSize, p.MinGain, p.MatchedLonger, p.Slack = 3, .2, 50, rapid.Float64Range(.8, 2).Draw(t, "slack")
	p.Interval, p.ShortSlice, p.Overhead, p.ShortLimit, p.LongLimit = 100, 20, 5, 10, 60
	jobs := make([]sim.JobSpec, rapid.SampledFrom(sizes).Draw(t, "jobs"))
	submit := 0.0
	for i := range jobs {
		submit += max(0, rapid.Float64Range(-8, 16).Draw(t, "gap"))
		run := rapid.Float64Range(5, 150).Draw(t, "run")
		jobs[i] = sim.JobSpec{ID: int64(i + 1), Submit: submit, RunTime: run, Walltime: run, Procs: int32(rapid.IntRange(1, 36).Draw(t, "procs")),
			Traits: slowdowns.Slowdowns{Node: rapid.Float64Range(.9, 1.4).Draw(t, "node"), Core: rapid.Float64Range(1, 1.7).Draw(t, "core"),
				Key: rapid.Uint64().Draw(t, "key")}.Traits()}
	}
	return p, jobs
}

// TestTrial compares the plan of trials with the general one, which never knew
// what the group's own units hold.
func TestTrial(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 8
		now := float64(rapid.IntRange(0, 5).Draw(t, "now"))
		var want profile.Profile
		want.Reset(n, now)
		free := n
		own, foreign := &timeslice.Unit{}, &timeslice.Unit{}
		draw := func(what string) (rs []timeslice.Release) {
			for range rapid.IntRange(0, 4).Draw(t, what) {
				r := timeslice.Release{Nodes: rapid.IntRange(0, free).Draw(t, "nodes"), At: float64(rapid.IntRange(0, 12).Draw(t, "at"))}
				if what == "started" {
					r.Unit = foreign
				}
				if what == "started" && rapid.Bool().Draw(t, "own") {
					r.Unit = own
				} else {
					free -= r.Nodes
					want.Reserve(now, r.At, r.Nodes)
				}
				rs = append(rs, r)
			}
			sorted(rs, sooner)
			return rs
		}
		started, held := draw("started"), draw("held")
		got := trial(nil).begin(now, n, started, held, &group{primary: member{job: &timeslice.Job{Unit: own}}})
		for range rapid.IntRange(1, 20).Draw(t, "jobs") {
			k, d := rapid.IntRange(1, n).Draw(t, "size"), float64(rapid.IntRange(1, 6).Draw(t, "length"))
			start := want.Earliest(now, k, d)
			want.Reserve(start, start+d, k)
			var at float64
			if got, at = got.place(k, d); at != start {
				t.Fatalf("%d nodes for %g s: from %g on, want %g", k, d, at, start)
			}
		}
	})
}
