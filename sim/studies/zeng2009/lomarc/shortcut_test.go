package lomarc

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/policy/profile"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/zeng2009/coscheduling"
	"schedsweep/sim/studies/zeng2009/slicetest"
	"schedsweep/sim/studies/zeng2009/slowdowns"
	"schedsweep/sim/studies/zeng2009/timeslice"
)

// long compares, after each pass, what the policy knows by shortcuts with what it
// would find the long way.
type long struct {
	*Policy
	t     *rapid.T
	quick *int // times that the last victim alone told that a group is unfair
	all   *int // times that it told so of all groups of a primary
	pairs *int // candidates remembered
	kept  *int // groups remembered
}

func (l long) Pass(s *sim.State) {
	l.Policy.Pass(s)
	now := s.Now()
	for c := timeslice.Medium; c <= timeslice.Long; c++ {
		v := l.VM(c)
		t := v.Now(now)
		v.Tidy(t)
		l.survey(v, t)
		for _, p := range v.Waiting {
			primary := l.waitingMember(p)
			k := l.recall(v, &primary)
			var want, got []int64
			for j := l.line.next(k.found, 0); j != nil; j = l.line.next(k.found, j.Number+1) {
				got = append(got, j.Seq())
			}
			for _, w := range v.Waiting {
				m := l.waitingMember(w)
				if w == p || !l.suits(&primary, &m) {
					continue
				}
				want = append(want, w.Seq())
				if len(v.Waiting) > 40 {
					continue
				}
				l.judge(v, &group{primary: primary, matched: []member{m}, nodes: m.nodes, outcome: play(&primary, []member{m})}, now, t)
			}
			if !slices.Equal(got, want) || k.count != len(want) {
				l.t.Fatalf("job %d: %d candidates are known, %v, there are %d: %v", p.ID(), k.count, got, len(want), want)
			}
			if len(v.Waiting) <= 40 {
				l.judgeAll(v, &primary, now, t)
				l.formAgain(v, &primary)
			}
			*l.pairs += len(want)
		}
	}
}

// formAgain compares the groups that are remembered of a primary with those that are
// formed anew, for as many idle nodes as there are and for other numbers.
func (l long) formAgain(v *timeslice.VM, primary *member) {
	defer func(was stats) { l.stats = was }(l.stats)
	for _, idle := range []int{l.Idle(v), 1, l.Nodes(), 3, 2} {
		k := l.formWaiting(v, primary, idle)
		fresh := matches{count: k.count, base: k.base, found: k.found}
		l.formAnew(&fresh, primary, idle)
		if k.asked != fresh.asked || k.lasts != fresh.lasts ||
			!slices.EqualFunc(k.groups, fresh.groups, func(g, h group) bool { return g.same(&h) }) {
			l.t.Fatalf("job %d as a primary on %d idle nodes: %d groups are remembered, %d of them asked about, that last for %g s; formed anew "+
				"they are %d, %d, %g s",
				primary.job.ID(), idle, len(k.groups), k.asked, k.lasts, len(fresh.groups), fresh.asked, fresh.lasts)
		}
		*l.kept += len(k.groups)
	}
}

// judgeAll asks about all groups of a waiting primary, each waiting job in turn as
// if it were the last victim, and counts them the long way.
func (l long) judgeAll(v *timeslice.VM, primary *member, now, t float64) {
	defer func(was victim, stats stats) { l.victims[v.Class], l.stats = was, stats }(l.victims[v.Class], l.stats)
	k := l.formWaiting(v, primary, l.Idle(v))
	for _, j := range v.Waiting {
		l.victims[v.Class] = victim{job: j, seq: j.Seq(), basis: basis{changes: -1}}
		if !l.crowdOut(v, primary, k, now, t) {
			continue
		}
		*l.all++
		l.groups, l.stats.unfair = l.groups[:0], 0
		l.propose(k, primary, l.Idle(v))
		for i := range l.groups {
			g := &l.groups[i]
			if i > 0 && g.same(&l.groups[i-1]) {
				continue
			}
			l.stats.unfair++
			if l.hold(g, t); l.wronged(v, g, now, t) == nil {
				l.t.Fatalf("at %g s all groups of job %d are refused for job %d, though one is fair", now, primary.job.ID(), j.ID())
			}
		}
		if l.stats.unfair != k.asked {
			l.t.Fatalf("at %g s %d groups of job %d are refused at once, one by one %d", now, k.asked, primary.job.ID(), l.stats.unfair)
		}
	}
}

// judge asks each waiting job in turn, as if it were the last victim.
func (l long) judge(v *timeslice.VM, g *group, now, t float64) {
	defer func(was victim) { l.victims[v.Class] = was }(l.victims[v.Class])
	l.hold(g, t)
	unfair := l.wronged(v, g, now, t) != nil
	for _, j := range v.Waiting {
		l.victims[v.Class] = victim{job: j, seq: j.Seq(), basis: basis{changes: -1}}
		if !l.crowdsOut(v, g, now, t) {
			continue
		}
		if *l.quick++; !unfair {
			l.t.Fatalf("at %g s a group of job %d is refused for job %d, though it is fair", now, g.primary.job.ID(), j.ID())
		}
	}
}

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

// TestShortcuts: remembered candidates are all candidates, and a group that is
// refused for the sake of the last victim would be refused by a plan as well.
func TestShortcuts(t *testing.T) {
	quick, all, pairs, groups := 0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		params, jobs := drawQueue(t, []int{1, 5, 20, 40, 100})
		params.Variant = rapid.SampledFrom([]string{"glts", "cst", "nh", "ns"}).Draw(t, "variant")
		var e sim.Engine
		_, err := e.Run(context.Background(), sim.Config{Platform: slicetest.Machine(t, 9, 4),
			Policy:   long{New(params), t, &quick, &all, &pairs, &groups},
			Progress: coscheduling.New(coscheduling.Params{}), Source: simtest.Source(jobs), MaxEvents: 100000})
		if err != nil {
			t.Fatal(err)
		}
	})
	t.Logf("%d refusals by a shortcut, %d of all groups of a primary, %d candidates and %d groups remembered", quick, all, pairs, groups)
	if quick == 0 || all == 0 || pairs == 0 || groups == 0 {
		t.Error("no shortcut was taken")
	}
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
