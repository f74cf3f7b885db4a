package backfill_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// TestRejectedJobsChangeNoStart adds jobs of a user whom a limit admits none, at any instant. All others start when they start without
// them: such a job is no reason for a pass. A cap may delay them, as it gives jobs up only when no others come.
func TestRejectedJobsChangeNoStart(t *testing.T) {
	played, rejected := 0, 0
	for seed := uint64(7000); played < 2000; seed++ {
		r := rand.New(rand.NewPCG(seed, 42))
		c := drawTogether(t, r)
		if c.order.Pass != sim.PassPerInstant || c.on.Cap != nil {
			continue
		}
		none := backfill.Limit{Otherwise: "reject"}
		none.Of.User, none.Running.Cores = "7", 1
		switch p := c.params.(type) {
		case *backfill.EasyParams:
			p.Limits = append(slices.Clone(p.Limits), none)
		case *backfill.ConservativeParams:
			p.Limits = append(slices.Clone(p.Limits), none)
		}
		more := slices.Clone(c.jobs)
		for at := range 50 {
			j := c.jobs[r.IntN(len(c.jobs))]
			j.ID, j.User, j.Submit = int64(100+at), 7, float64(at)
			if j.Procs > 1 {
				more = append(more, j)
			}
		}
		slices.SortStableFunc(more, func(a, b sim.JobSpec) int { return int(a.Submit - b.Submit) })
		starts := func(jobs []sim.JobSpec) (_ []bruteStart, rejected int, err error) {
			var log startLog
			res, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: c.on, Source: simtest.Source(jobs),
				Policy: policy(t, c.policy, c.params), Order: c.order, Progress: progress.Isolated{}, KillAtWalltime: c.kill,
				Outages: c.events, Failures: c.fails(seed), Requeue: c.requeue, MaxEvents: 1e6, Observers: []sim.Observer{&log}})
			sortStarts(log.starts)
			return log.starts, int(res.Rejected), err
		}
		want, _, err := starts(c.jobs)
		if err != nil {
			continue // refused before it begins
		}
		got, n, err := starts(more)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("case %d: starts without rejected jobs (-) and with them (+) differ:\n%s%s %+v, kill %v, divided %v\n%+v", seed, d, c.policy,
				c.params, c.kill, c.on.Divided(), c.smallCase)
		}
		played, rejected = played+1, rejected+n
	}
	if t.Logf("%d jobs were rejected in %d cases", rejected, played); rejected < 10*played {
		t.Error("few jobs are rejected")
	}
}
