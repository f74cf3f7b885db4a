package scojo_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/audit"
	"schedsweep/sim/policy/contract"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/sodan2003/scojo"
	"schedsweep/sim/studies/sodan2003/shares"
)

// quick are the defaults for the suite's jobs of up to 12 s.
func quick() scojo.Params {
	p := scojo.Defaults()
	p.Classes = scojo.Classes{Special: 2, Short: 5, Medium: 8}
	return p
}

// TestContract runs the suite for every variant and reading.
func TestContract(t *testing.T) {
	for name, change := range map[string]func(*scojo.Params){
		"fcfs":      func(p *scojo.Params) { p.Variant = "fcfs" },
		"pri":       func(p *scojo.Params) { p.Variant = "pri" },
		"prico":     func(p *scojo.Params) { p.Variant = "prico" },
		"pricob":    func(*scojo.Params) {},
		"figure 3":  func(p *scojo.Params) { p.Level, p.Positions, p.Idle, p.Alone = 3, []float64{.4, .4, .2}, "kept", .48 },
		"aging":     func(p *scojo.Params) { p.Aging, p.AgingStep = 3, 5 },
		"kept":      func(p *scojo.Params) { p.Positions, p.Kept = []float64{.4, .4}, .2 },
		"effective": func(p *scojo.Params) { p.Positions, p.Reserve = []float64{.4, .4}, "effective" },
		"anybody": func(p *scojo.Params) {
			p.Join, p.Backfill = scojo.Join{MaxSlowdown: 2, CrossSite: true}, scojo.Backfill{}
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := quick()
			change(&p)
			contract.Test(t, "scojo", &p, func(params any, _ sim.Env) (sim.Policy, error) {
				return scojo.New(*params.(*scojo.Params)), nil
			})
		})
	}
}

// starts notes when jobs started, and the first promise of each.
type starts struct {
	simtest.Outcomes
	at     map[int64]float64
	first  map[int64]promised
	policy *scojo.Policy
}

// promised holds the resources and the promises of a job at its start.
type promised struct {
	held, share, until float64
	effective          bool
}

func (o *starts) Held(_ *sim.View, now, before *sim.Hold) {
	if before.Job != nil {
		return
	}
	is := promised{held: now.Share}
	is.share, is.until, is.effective = o.policy.Promised(now.Job)
	o.at[now.Job.ID()], o.first[now.Job.ID()] = now.Job.Start(), is
}

// anyParams draws all that a study may set.
func anyParams(t *rapid.T) scojo.Params {
	p := quick()
	p.Variant = rapid.SampledFrom([]string{"fcfs", "pri", "prico", "pricob"}).Draw(t, "variant")
	p.Level = rapid.IntRange(1, 4).Draw(t, "level")
	p.Positions = nil
	left := 1.0
	for range p.Level {
		share := left * float64(rapid.IntRange(1, 4).Draw(t, "quarters of what is left")) / 4.5
		p.Positions = append(p.Positions, share)
		left -= share
	}
	p.Kept = left * float64(rapid.IntRange(0, 2).Draw(t, "halves kept")) / 2
	p.Promote = rapid.Bool().Draw(t, "promote")
	p.Idle = rapid.SampledFrom([]string{"kept", "proportional"}).Draw(t, "idle")
	p.Alone = rapid.SampledFrom([]float64{1, .48}).Draw(t, "alone")
	p.Reserve = rapid.SampledFrom([]string{"assigned", "effective"}).Draw(t, "reserve")
	p.Join = scojo.Join{MinPriority: rapid.SampledFrom([]int{0, 5, 15}).Draw(t, "join"),
		MaxSlowdown: rapid.SampledFrom([]float64{0, 1.2, 9}).Draw(t, "limit"), CrossSite: rapid.Bool().Draw(t, "cross")}
	p.Backfill.MinPriority = rapid.SampledFrom([]int{0, 5, 15}).Draw(t, "backfill")
	p.Order = rapid.SampledFrom([]string{"submission", "share"}).Draw(t, "order")
	p.CrossSite = rapid.SampledFrom([]string{"agreed", "coscheduled"}).Draw(t, "agreed starts")
	p.Aging = rapid.SampledFrom([]float64{0, 3}).Draw(t, "aging")
	return p
}

// TestAnyParameters: the audit finds nothing for any parameters and jobs. No processor is used more than wholly, and no promise is
// broken. All jobs end, and none starts before an agreed start.
func TestAnyParameters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyParams(t)
		machine := simtest.Machine(t, rapid.IntRange(1, 3).Draw(t, "processors"))
		jobs := simtest.DrawJobs(t, machine)
		for i := range jobs {
			jobs[i].Application = rapid.SampledFrom([]string{"", "grid-300", "central", "seq"}).Draw(t, "application")
			jobs[i].Share = rapid.SampledFrom([]float64{0, 0, 0, .3, 1}).Draw(t, "share")
			jobs[i].Sites = int32(rapid.IntRange(-3, 2).Draw(t, "sites"))
			if rapid.IntRange(0, 5).Draw(t, "agreed elsewhere") == 0 {
				jobs[i].ReservedStart = jobs[i].Submit + float64(rapid.IntRange(0, 20).Draw(t, "until then"))
			}
		}
		m := shares.Defaults
		m.Slowdowns = rapid.SampledFrom([]string{"levels", "table"}).Draw(t, "slowdowns")
		policy := scojo.New(p)
		books, seen := audit.New(machine), &starts{at: map[int64]float64{}, first: map[int64]promised{}, policy: policy}
		books.Watch(policy)
		if _, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: machine, Source: simtest.Source(jobs), Policy: policy,
			Progress: shares.New(m), Observers: []sim.Observer{books, seen}, MaxEvents: 10000}); err != nil {
			t.Fatal(err)
		}
		if err := books.Verdict(true); err != nil {
			t.Fatal(err)
		}
		for _, j := range jobs {
			if seen.at[j.ID] < j.ReservedStart || math.IsNaN(seen.at[j.ID]) {
				t.Fatalf("job %d was to start at %g s and started at %g s", j.ID, j.ReservedStart, seen.at[j.ID])
			}
		}
	})
}
