package backfill_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/audit"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/policy/multifactor"
	"schedsweep/sim/policy/placement"
	"schedsweep/sim/power"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// together is a case with any of what policies, machines and runs may have.
type together struct {
	smallCase
	policy   string
	params   any
	kill     bool
	order    sim.EventOrder
	failures bool
}

func drawTogether(t *testing.T, r *rand.Rand) together {
	c := together{smallCase: drawCase(t, r), policy: []string{"easy", "conservative"}[r.IntN(2)], kill: r.IntN(2) == 0}
	some := func(one int) bool { return r.IntN(one) == 0 }
	if some(2) {
		c.events = nil
	}
	c.failures = some(4)
	for range max(0, r.IntN(5)-2) {
		c.limit(r)
	}
	if some(3) {
		full := drawPower(r, c.on)
		if c.on.Off = (power.SwitchOff{On: some(2), After: float64(r.IntN(9)), Keep: r.IntN(2)}); some(2) {
			c.on.Cap = drawCap(r, c.on.IdlePower(), full)
		}
		for i := range c.on.Clusters {
			k := &c.on.Clusters[i].Power
			k.Boot, k.Shutdown = power.Transition{Time: float64(r.IntN(5)), Power: k.Idle}, power.Transition{Time: float64(r.IntN(4)), Power: k.Idle}
		}
	}
	ordered := backfill.Ordered{Order: []backfill.Order{"fcfs", "largest", "sjf", "multifactor", "fair-share"}[r.IntN(5)]}
	ordered.By.MultifactorParams = backfill.MultifactorParams{Weights: multifactor.Weights{Age: 10, FairShare: 30}, MaxAge: 20,
		HalfLife: 50, CalculatedEvery: 5}
	ordered.By.FairShare = backfill.FairShareParams{HalfLife: 50, CalculatedEvery: 7}
	placed, bounded := backfill.Placed{Placement: "any"}, backfill.Bounded{Limits: c.limits}
	if some(2) {
		placed.Placement = append([]string{placement.PoweredFirst}, placement.Names...)[r.IntN(1+len(placement.Names))]
	}
	if some(8) {
		placed.Sessions = []backfill.Session{{Begin: 0, Days: "all"}, {Begin: 40, Days: "all"}}
	}
	var planning backfill.Planning
	if some(4) {
		planning = backfill.Planning{Every: float64(1 + r.IntN(8)), Window: float64(r.IntN(20)), Jobs: r.IntN(3), PerUser: r.IntN(3)}
	}
	c.order = sim.EventOrders[r.IntN(len(sim.EventOrders))]
	c.params = &backfill.EasyParams{Ordered: ordered, Placed: placed, Rules: "plain", Bounded: bounded, Planning: planning}
	if c.policy == "conservative" {
		c.params = &backfill.ConservativeParams{Ordered: ordered, Placed: placed, Rules: "plain", Bounded: bounded, Planning: planning}
	}
	return c
}

// fails draws failures of single processors that go on for ever.
func (c *together) fails(seed uint64) func(next *sim.Outage) bool {
	if !c.failures {
		return nil
	}
	r, at := rand.New(rand.NewPCG(seed, 2)), 0.
	return func(next *sim.Outage) bool {
		at += 1 + float64(r.IntN(40))
		p := int32(r.IntN(c.on.Procs()))
		*next = sim.Outage{Procs: []sim.Span{{Lo: p, Hi: p}}, From: at, Until: at + 1 + float64(r.IntN(9))}
		return true
	}
}

// TestAllTogether plays what goes together by draw. Every run ends, all of its jobs have an outcome, and the audit finds nothing.
func TestAllTogether(t *testing.T) {
	cases := simtest.Cases(1000, 4000)
	played := 0
	for seed := range uint64(cases) {
		c := drawTogether(t, rand.New(rand.NewPCG(seed, 41)))
		p, books := policy(t, c.policy, c.params), audit.New(c.on)
		books.Expect(c.on, c.events, c.fails(seed))
		books.Watch(p)
		cfg := sim.Config{Platform: c.on, Source: simtest.Source(c.jobs), Policy: p, Order: c.order, Progress: progress.Isolated{},
			KillAtWalltime: c.kill, Outages: c.events, Failures: c.fails(seed), Requeue: c.requeue, MaxEvents: 1e6}
		var e sim.Engine
		if e.Check(cfg) != nil {
			continue // refused before it begins
		}
		played++
		cfg.Failures, cfg.Observers = c.fails(seed), []sim.Observer{books}
		res, err := func() (res sim.Result, err error) {
			defer func() {
				if x := recover(); x != nil {
					err = fmt.Errorf("panic: %v", x)
				}
			}()
			return e.Run(context.Background(), cfg)
		}()
		if err == nil {
			err = books.Verdict(true)
		}
		if sum := res.Finished + res.Killed + res.Rejected; err == nil && (sum != res.Submitted || math.IsInf(res.End, 0)) {
			err = errors.New("jobs have no outcome")
		}
		if err != nil {
			t.Fatalf("case %d: %v\n%+v\n%s %+v, kill %v, order %s, failures %v, cap %+v\n%+v\n%+v", seed, err, res, c.policy, c.params, c.kill,
				c.order.Name, c.failures, c.on.Cap, c.smallCase, c.on)
		}
	}
	if t.Logf("played %d of %d cases", played, cases); played < cases/3 {
		t.Error("most cases are refused")
	}
}
