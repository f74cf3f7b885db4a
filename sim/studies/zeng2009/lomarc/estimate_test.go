package lomarc_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/zeng2009/coscheduling"
	"schedsweep/sim/studies/zeng2009/lomarc"
	"schedsweep/sim/studies/zeng2009/slicetest"
	"schedsweep/sim/studies/zeng2009/slowdowns"
)

// drawBusy draws jobs that come faster than the machine can serve them for a
// while: a quarter short, a quarter serial, and most others powers of two.
func drawBusy(t *rapid.T, nodes int) []sim.JobSpec {
	jobs := make([]sim.JobSpec, rapid.IntRange(1, 60).Draw(t, "jobs"))
	gap := rapid.Float64Range(2, 30).Draw(t, "mean gap")
	submit := 0.0
	for i := range jobs {
		submit += max(0, rapid.Float64Range(-gap, 3*gap).Draw(t, "gap"))
		bounds := [][2]float64{{1, 10}, {10.1, 60}, {10.1, 60}, {60.1, 200}}[rapid.IntRange(0, 3).Draw(t, "class")]
		run := rapid.Float64Range(bounds[0], bounds[1]).Draw(t, "run")
		procs := rapid.IntRange(1, 2*nodes).Draw(t, "procs")
		switch rapid.IntRange(0, 3).Draw(t, "shape") {
		case 0:
			procs = 1
		case 1, 2:
			for procs&(procs-1) != 0 {
				procs &= procs - 1
			}
		}
		jobs[i] = sim.JobSpec{ID: int64(i + 1), Submit: submit, RunTime: run, Walltime: run, Procs: int32(procs),
			Traits: slowdowns.Slowdowns{Node: rapid.Float64Range(.9, 1.4).Draw(t, "node"), Core: rapid.Float64Range(1, 1.7).Draw(t, "core"),
				Key: rapid.Uint64Range(1, math.MaxUint64).Draw(t, "key")}.Traits()}
	}
	return jobs
}

// TestEstimates: R_est is what a simulation at submission says, through queues,
// groups, preemptions and runs in the slices of others.
func TestEstimates(t *testing.T) {
	for _, variant := range []string{"ssp", "glts"} {
		t.Run(variant, func(t *testing.T) {
			var seen counts
			rapid.Check(t, func(t *rapid.T) {
				params := lomarc.Defaults
				params.Variant, params.BlockSize, params.MinGain, params.MatchedLonger, params.EstimateFactor = variant, 3, .2, 50, .75
				params.Interval, params.ShortSlice, params.Overhead, params.ShortLimit, params.LongLimit = 100, 20, 5, 10, 60
				params.Yield = rapid.Bool().Draw(t, "yield")
				nodes := rapid.IntRange(4, 32).Draw(t, "nodes")
				o := &simulated{Policy: lomarc.New(params), fatalf: t.Fatalf, p: &params, nodes: nodes, seen: &seen}
				var e sim.Engine
				_, err := e.Run(context.Background(),
					sim.Config{Platform: slicetest.Machine(t, nodes, 4), Policy: o, Progress: coscheduling.New(coscheduling.Params{}),
						Source: simtest.Source(drawBusy(t, nodes)), MaxEvents: 1000000})
				if err != nil {
					t.Fatal(err)
				}
			})
			seen.check(t, variant)
		})
	}
}

// TestStudyEstimates does the same with the study's machine and half of a busy
// workload, where rounding has had the time to add up.
func TestStudyEstimates(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	for _, variant := range []string{"ssp", "glts"} {
		t.Run(variant, func(t *testing.T) {
			var seen counts
			params := lomarc.Defaults
			params.Variant = variant
			o := &simulated{Policy: lomarc.New(params), fatalf: t.Fatalf, p: &params, nodes: 128, seen: &seen}
			var e sim.Engine
			slicetest.Play(t, &e, slicetest.Machine(t, 128, 4), o, slicetest.Published(t, 9.83, 5000, 17), false)
			seen.check(t, variant)
		})
	}
}

// check tells the counts, and fails where a kind of comparison did not occur.
func (c *counts) check(t *testing.T, variant string) {
	t.Logf("compared %d estimates: %d with a queue, %d while a group held nodes, %d while the class ran in another's slice", c.all, c.queue,
		c.group, c.outside)
	if c.queue == 0 || c.outside == 0 || (c.group > 0) != (variant == "glts") {
		t.Error("some kind did not occur, or a group where there are none")
	}
}
