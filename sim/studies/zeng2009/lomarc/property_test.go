package lomarc_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/audit"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/zeng2009/coscheduling"
	"schedsweep/sim/studies/zeng2009/lomarc"
	"schedsweep/sim/studies/zeng2009/slowdowns"
)

// seer compares what the policy predicts with what happens.
type seer struct {
	*lomarc.Policy
	t *rapid.T
}

// Ended checks that the job was expected to end now.
func (p *seer) Ended(s *sim.State, j *sim.Job) {
	if left := p.Remaining(j, s.Now()); !(math.Abs(left) <= 1e-6) {
		p.t.Fatalf("job %d has ended at %g s and was expected to run for %g s more", j.ID(), s.Now(), left)
	}
	p.Policy.Ended(s, j)
}

// drawSlow draws jobs with slowdowns and exact estimates.
func drawSlow(t *rapid.T, procs int) []sim.JobSpec {
	jobs := make([]sim.JobSpec, rapid.IntRange(1, 40).Draw(t, "jobs"))
	submit := 0.0
	for i := range jobs {
		submit += max(0, rapid.Float64Range(-4, 8).Draw(t, "gap"))
		run := rapid.Float64Range(.5, 30).Draw(t, "run")
		jobs[i] = sim.JobSpec{ID: int64(i + 1), Submit: submit, RunTime: run, Walltime: run,
			Procs: int32(rapid.IntRange(1, procs).Draw(t, "procs")),
			Traits: slowdowns.Slowdowns{Node: rapid.Float64Range(.9, 1.4).Draw(t, "node"), Core: rapid.Float64Range(1, 1.7).Draw(t, "core"),
				Key: rapid.Uint64().Draw(t, "key")}.Traits()}
	}
	return jobs
}

// TestPredictionsHold: with exact estimates every job of every variant ends when
// the policy expects it to, through groups that form and break up, preemptions
// and runs in the slices of others. The audit watches.
func TestPredictionsHold(t *testing.T) {
	for _, slowdown := range []string{"product", "cos"} {
		for _, variant := range []string{"glts", "ssp", "cst", "cstws", "fbo", "ns", "nh"} {
			t.Run(slowdown+" "+variant, func(t *testing.T) {
				groups := 0.0
				rapid.Check(t, func(t *rapid.T) {
					params := lomarc.Defaults
					params.Variant, params.BlockSize, params.MinGain, params.MatchedLonger = variant, 3, .2, 10
					params.Interval, params.ShortSlice, params.Overhead, params.ShortLimit, params.LongLimit = 12, 3, .5, 1, 12
					params.Yield = rapid.Bool().Draw(t, "yield")
					p, err := sim.NewPlatform("cluster", []sim.Cluster{{Name: "c", Nodes: 9, Cores: 4, Speed: 1}}, sim.Link{})
					if err != nil {
						t.Fatal(err)
					}
					policy := &seer{Policy: lomarc.New(params), t: t}
					books := audit.New(p)
					var e sim.Engine
					_, err = e.Run(context.Background(),
						sim.Config{Platform: p, Policy: policy, Progress: coscheduling.New(coscheduling.Params{GroupSlowdown: slowdown}),
							Source: simtest.Source(drawSlow(t, 36)), Observers: []sim.Observer{books}, MaxEvents: 100000})
					if err != nil {
						t.Fatal(err)
					}
					if err := books.Verdict(true); err != nil {
						t.Fatal(err)
					}
					groups += policy.Values(nil)[len(lomarc.Metrics)-9]
				})
				t.Logf("%g groups", groups)
				if (groups > 0) != (variant != "ssp") {
					t.Errorf("variant %s has formed %g groups", variant, groups)
				}
			})
		}
	}
}
