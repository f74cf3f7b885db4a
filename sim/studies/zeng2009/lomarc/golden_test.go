package lomarc_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/zeng2009/coscheduling"
	"schedsweep/sim/studies/zeng2009/lomarc"
	"schedsweep/sim/studies/zeng2009/slicetest"
	"schedsweep/sim/studies/zeng2009/slowdowns"
)

// still are parameters under which nothing but the slice of medium jobs matters.
func still() lomarc.Params {
	p := lomarc.Defaults
	p.Interval, p.MediumShare, p.Overhead, p.ShortSlice, p.ShortLimit, p.LongLimit = 1e6, .9, 0, 0, 1, 1e5
	return p
}

// two is a job whose processes go two to a node by equation 8, at no cost; four
// on a node would slow it down by 2.
func two(id int64, submit, run float64, procs int32, key uint64) sim.JobSpec {
	return sim.JobSpec{ID: id, Submit: submit, RunTime: run, Walltime: run, Procs: procs,
		Traits: slowdowns.Slowdowns{Node: 1, Core: 2, Key: key}.Traits()}
}

// keys returns n keys for which ok says of each pair whether they shall bear
// each other within MAX_SL, both ways.
func keys(t *testing.T, n int, ok func(i, j int) bool) []uint64 {
	t.Helper()
	var ks []uint64
	for k := uint64(1); len(ks) < n; k++ {
		if k > 1e6 {
			t.Fatal("no such keys")
		}
		a := slowdowns.Slowdowns{Key: k}
		fits := true
		for i := range ks {
			b := slowdowns.Slowdowns{Key: ks[i]}
			within := a.Beside(b) <= 1.25 && b.Beside(a) <= 1.25
			fits = fits && within == ok(i, len(ks))
		}
		if fits {
			ks = append(ks, k)
		}
	}
	return ks
}

// times records starts and finishes by job number.
type times struct{ start, finish map[int64]float64 }

func (r *times) Submitted(*sim.View, *sim.Job)   {}
func (r *times) Started(s *sim.View, j *sim.Job) { r.start[j.ID()] = s.Now() }
func (r *times) Ended(_ *sim.View, j *sim.Job)   { r.finish[j.ID()] = j.Finish() }
func record() *times                             { return &times{map[int64]float64{}, map[int64]float64{}} }
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-6) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestGroupBreaksUp: jobs A (8 processes, 1000 s), B (4, 1500 s) and C (4, 600 s)
// come at once to 4 nodes of 4 cores. A is the primary on all nodes, B and C lie
// on two each; they form a group, for it gains more than anything else. With
// slowdowns s and a for the matched jobs and for A beside them:
//
//	C ends at tC = 600*sC; until then A goes at 1/max(aB, aC).
//	A ends at tA = tC + (1000 - tC/max(aB, aC)) * aB.
//	B goes at 1/sB until tA, and at 1 from then on, alone on its nodes:
//	it ends at tA + 1500 - tA/sB.
//	D (8 processes) needs all nodes, and starts when B ends.
func TestGroupBreaksUp(t *testing.T) {
	k := keys(t, 4, func(i, j int) bool { return j < 3 }) // no job bears D
	jobs := []sim.JobSpec{two(1, 0, 1000, 8, k[0]), two(2, 0, 1500, 4, k[1]), two(3, 0, 600, 4, k[2]), two(4, 5, 100, 8, k[3])}
	at := func(i, j int) float64 {
		return slowdowns.FromTraits(jobs[i].Traits).Beside(slowdowns.FromTraits(jobs[j].Traits))
	}
	var e sim.Engine
	r, p := record(), lomarc.New(still())
	slicetest.Play(t, &e, slicetest.Machine(t, 4, 4), p, jobs, true, simtest.Watch(r))
	worst := max(at(0, 1), at(0, 2))
	tC := 600 * at(2, 0)
	tA := tC + (1000-tC/worst)*at(0, 1)
	tB := tA + 1500 - tA/at(1, 0)
	near(t, "C ends", r.finish[3], tC)
	near(t, "A ends", r.finish[1], tA)
	near(t, "B ends", r.finish[2], tB)
	near(t, "D starts", r.start[4], tB)
	if m := p.Values(nil); m[len(m)-9] != 1 || m[len(m)-8] != 3 {
		t.Errorf("%v groups with %v memberships, want 1 with 3", m[len(m)-9], m[len(m)-8])
	}
}

// TestFairness: A (4 processes, 1000 s), W (8, 1000 s) and B (4, 4000 s) come at
// once to 4 nodes, in this order. By equation 8 A takes 2 nodes, W 4 and B 2:
// A is planned for 0 s, W for 1000 s, B for 2000 s. A and B bear each other, W
// bears no job. A group of A and B would have W wait for B, beyond 4000 s. W's
// estimate is .75*2000 s, so it may respond up to 1.5*1500 = 2250 s: refused.
// Without the check B starts with A, and W when B ends: B goes at 1/sB until A
// ends at 1000*aB, and at 1 from then on.
func TestFairness(t *testing.T) {
	k := keys(t, 3, func(i, j int) bool { return i == 0 && j == 1 })
	jobs := []sim.JobSpec{two(1, 0, 1000, 4, k[0]), two(2, 0, 1000, 8, k[2]), two(3, 0, 4000, 4, k[1])}
	params := still()
	params.MatchedLonger = 1e5
	var e sim.Engine
	r, p := record(), lomarc.New(params)
	slicetest.Play(t, &e, slicetest.Machine(t, 4, 4), p, jobs, true, simtest.Watch(r))
	near(t, "A starts", r.start[1], 0)
	near(t, "W starts", r.start[2], 1000)
	near(t, "B starts", r.start[3], 2000)
	if m := p.Values(nil); m[len(m)-9] != 0 || m[len(m)-3] == 0 {
		t.Errorf("%v groups, and %v refused as unfair; want none, and some", m[len(m)-9], m[len(m)-3])
	}

	params.Fairness = "off"
	r = record()
	slicetest.Play(t, &e, slicetest.Machine(t, 4, 4), lomarc.New(params), jobs, true, simtest.Watch(r))
	aB, sB := slowdowns.FromTraits(jobs[0].Traits).Beside(slowdowns.FromTraits(jobs[2].Traits)),
		slowdowns.FromTraits(jobs[2].Traits).Beside(slowdowns.FromTraits(jobs[0].Traits))
	tA := 1000 * aB
	near(t, "B starts without the check", r.start[3], 0)
	near(t, "A ends without the check", r.finish[1], tA)
	near(t, "W starts without the check", r.start[2], tA+4000-tA/sB)

	// With a B of 1500 s the group would delay W's planned response beyond 2250 s, but three quarters of it not.
	jobs[2] = two(3, 0, 1500, 4, k[1])
	for fairness, start := range map[string]float64{"outside": 2000, "scaled": 0} {
		params.Fairness, r = fairness, record()
		slicetest.Play(t, &e, slicetest.Machine(t, 4, 4), lomarc.New(params), jobs, true, simtest.Watch(r))
		near(t, "B of 1500 s starts, "+fairness, r.start[3], start)
	}
}

// TestSerialBurst: two serial jobs that bear each other come with a job of 8
// processes that bears no other and keeps the load from being low. They share one
// node: the first, of 100 s, goes at 1/a throughout; the second, of 200 s, goes
// at 1/b until 100*a and at 1 from then on.
func TestSerialBurst(t *testing.T) {
	k := keys(t, 3, func(_, j int) bool { return j < 2 })
	jobs := []sim.JobSpec{two(1, 0, 100, 1, k[0]), two(2, 0, 200, 1, k[1]), two(3, 0, 50, 8, k[2])}
	var e sim.Engine
	r, p := record(), lomarc.New(still())
	slicetest.Play(t, &e, slicetest.Machine(t, 4, 4), p, jobs, true, simtest.Watch(r))
	a, b := slowdowns.FromTraits(jobs[0].Traits).Beside(slowdowns.FromTraits(jobs[1].Traits)),
		slowdowns.FromTraits(jobs[1].Traits).Beside(slowdowns.FromTraits(jobs[0].Traits))
	near(t, "the second starts", r.start[2], 0)
	near(t, "the first ends", r.finish[1], 100*a)
	near(t, "the second ends", r.finish[2], 100*a+200-100*a/b)
	if m := p.Values(nil); m[len(m)-2] != 1 || m[len(m)-1] != 2 {
		t.Errorf("%v bursts of %v jobs, want 1 of 2", m[len(m)-2], m[len(m)-1])
	}
}

// TestLongerBy: A (8 processes, 1000 s) and B (4, 1500 s) come at once to 4 nodes
// of 4 cores. They carry no keys, so neither troubles the other and both go at
// 1/SL_sno, in a group as alone with two processes a node. Together they gain. If B lasts longer than A by at most
// matched_longer, A is the primary on all nodes and B lies on two of them. B takes 1500 s times its SL_sno then.
// Otherwise B waits for A to end, and has the machine for itself: one process a node, 1500 s.
//
//	SL_sno of A 1, of B 1.1, matched_longer 600 s: slowed 1500*1.1 - 1000 = 650 s,
//	plain 1500 - 1000 = 500 s. A ends at 1000 s.
//	SL_sno of A 1.1, of B 1, matched_longer 450 s: slowed 1500 - 1000*1.1 = 400 s,
//	plain 500 s. A ends at 1100 s.
func TestLongerBy(t *testing.T) {
	for _, c := range []struct {
		by          string
		a, b, limit float64
		start, end  float64 // of B
	}{
		{"slowed", 1, 1.1, 600, 1000, 2500},
		{"plain", 1, 1.1, 600, 0, 1650},
		{"slowed", 1.1, 1, 450, 0, 1500},
		{"plain", 1.1, 1, 450, 1100, 2600},
	} {
		jobs := []sim.JobSpec{two(1, 0, 1000, 8, 0), two(2, 0, 1500, 4, 0)}
		jobs[0].Traits[0], jobs[1].Traits[0] = math.Float64bits(c.a), math.Float64bits(c.b)
		params := still()
		params.LongerBy, params.MatchedLonger = c.by, c.limit
		var e sim.Engine
		r := record()
		slicetest.Play(t, &e, slicetest.Machine(t, 4, 4), lomarc.New(params), jobs, true, simtest.Watch(r))
		what := fmt.Sprintf("longer_by %s with slowdowns %g and %g: ", c.by, c.a, c.b)
		near(t, what+"A ends", r.finish[1], 1000*c.a)
		near(t, what+"B starts", r.start[2], c.start)
		near(t, what+"B ends", r.finish[2], c.end)
	}
}

// TestRunningPartner: one node. A serial job A runs for 30 s. B (2 processes) comes at 1 s. If B lasts longer, it starts beside A at once
// as the primary (case 2). If not, it starts at once where running jobs may be primaries (case 3), and else waits until A ends. It also
// waits for an A that has passed its walltime of 10 s. A job of another class comes when A has 1e-9 s of that left, and brings a
// pass. A group of A and B would end at once by the plan.
func TestRunningPartner(t *testing.T) {
	for _, c := range []struct {
		walltime, run float64
		primaries     int
		start         float64
	}{{30, 100, 0, 1}, {30, 5, 1, 1}, {30, 5, 0, 30}, {10, 5, 0, 30}} {
		jobs := []sim.JobSpec{two(1, 0, 30, 1, 0), two(2, 1, c.run, 2, 0), two(3, 10-1e-9, .5, 1, 0)}
		jobs[0].Walltime = c.walltime
		params := still()
		params.MatchedLonger, params.RunningPrimaries, params.OtherClasses = 0, c.primaries, "short"
		var e sim.Engine
		r, p := record(), lomarc.New(params)
		slicetest.Play(t, &e, slicetest.Machine(t, 1, 4), p, jobs, true, simtest.Watch(r))
		near(t, fmt.Sprintf("%+v: B starts", c), r.start[2], c.start)
	}
}

// TestFirstMatch: two nodes. A serial job A runs on one. B and C (2 processes each) come at 1 s, and all bear each other. Variant nh
// takes the first group: B and C on the other node, or B beside A where running jobs come first. B ends before its partner.
func TestFirstMatch(t *testing.T) {
	k := keys(t, 3, func(int, int) bool { return true })
	for partner, match := range map[int]string{0: "running", 2: "waiting"} {
		jobs := []sim.JobSpec{two(1, 0, 30, 1, k[0]), two(2, 1, 10, 2, k[1]), two(3, 1, 20, 2, k[2])}
		params := still()
		params.Variant, params.FirstMatch, params.Fairness = "nh", match, "off"
		var e sim.Engine
		r := record()
		slicetest.Play(t, &e, slicetest.Machine(t, 2, 4), lomarc.New(params), jobs, true, simtest.Watch(r))
		beside := slowdowns.FromTraits(jobs[1].Traits).Beside(slowdowns.FromTraits(jobs[partner].Traits))
		near(t, match+" first: B ends", r.finish[2], 1+10*beside)
	}
}

// TestPreselectProduct: jobs of 8 processes, 1000 s and 900 s come at once to 4 nodes of 4 cores. They do not slow
// each other down. Two processes of one on a node slow each other down by 1.3, beyond MAX_SL. So preselect product refuses
// the pair and preselect cos forms it, whether or not the own slowdown counts in groups.
func TestPreselectProduct(t *testing.T) {
	for _, slowdown := range []string{"product", "cos"} {
		for preselect, groups := range map[string]float64{"product": 0, "cos": 1} {
			jobs := []sim.JobSpec{two(1, 0, 1000, 8, 0), two(2, 0, 900, 8, 0)}
			for i := range jobs {
				jobs[i].Traits[0] = math.Float64bits(1.3)
			}
			params := still()
			params.Preselect = preselect
			var e sim.Engine
			p := lomarc.New(params)
			_, err := e.Run(context.Background(), sim.Config{Platform: slicetest.Machine(t, 4, 4), Policy: p,
				Progress: coscheduling.New(coscheduling.Params{GroupSlowdown: slowdown}), Source: simtest.Source(jobs)})
			if err != nil {
				t.Fatal(err)
			}
			if m := p.Values(nil); m[len(m)-9] != groups {
				t.Errorf("group_slowdown %s, preselect %s: %v groups, want %v", slowdown, preselect, m[len(m)-9], groups)
			}
		}
	}
}

// TestPairsLowLoad: a job of 8 processes comes alone to 8 nodes. By equation 8 it takes 4 of them and 1000 s times its SL_sno of
// 1.1. Under low load it takes all 8 and 1000 s. cst and cstws use low load only if pairs_low_load is set.
func TestPairsLowLoad(t *testing.T) {
	for _, variant := range []string{"glts", "cst", "cstws"} {
		for _, lowLoad := range []bool{false, true} {
			jobs := []sim.JobSpec{two(1, 0, 1000, 8, 0)}
			jobs[0].Traits[0] = math.Float64bits(1.1)
			params := still()
			params.Variant, params.PairsLowLoad = variant, lowLoad
			want := 1000.0
			if variant != "glts" && !lowLoad {
				want = 1100
			}
			var e sim.Engine
			r := record()
			slicetest.Play(t, &e, slicetest.Machine(t, 8, 4), lomarc.New(params), jobs, true, simtest.Watch(r))
			near(t, fmt.Sprintf("%s, pairs_low_load %v", variant, lowLoad), r.finish[1], want)
		}
	}
}
