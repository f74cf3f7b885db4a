package backfill_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/sim"
	"schedsweep/sim/audit"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/policy/placement"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// startLog notes every start.
type startLog struct {
	sim.Quiet
	starts []bruteStart
}

func (l *startLog) Held(s *sim.View, now, before *sim.Hold) {
	if now.Job == nil || now.Change(before) != "start" {
		return
	}
	class := 0
	if s.Platform().Divided() {
		class = slices.IndexFunc(now.Alloc.Counts, func(n int32) bool { return n > 0 })
	}
	l.starts = append(l.starts, bruteStart{now.Job.ID(), int(s.Now()), class})
}

// smallCase is a random machine of up to six nodes in two classes, with up to two partitions, events and twelve jobs.
type smallCase struct {
	on      *sim.Platform
	events  []sim.Outage
	jobs    []sim.JobSpec
	requeue sim.Requeue
	limits  []backfill.Limit
	whole   bool // events are about whole nodes
}

// limit adds a limit on each user, on user 0 or on all.
func (c *smallCase) limit(r *rand.Rand) {
	l := backfill.Limit{Each: []string{"", "user"}[r.IntN(2)], Otherwise: "hold"}
	if r.IntN(3) == 0 {
		l.Of.User = "0"
	}
	gpus := 0
	for i := range c.on.Clusters {
		gpus += c.on.Clusters[i].Nodes * int(c.on.Clusters[i].GPUs)
	}
	switch r.IntN(3 + min(gpus, 3)) {
	case 0:
		l.Running.Jobs = 1 + r.IntN(2)
	case 1:
		l.Running.Cores = 1 + r.IntN(c.on.Procs())
		l.Otherwise = []string{"hold", "reject"}[r.IntN(2)]
	case 2:
		l.Otherwise, l.Submitted.Jobs = "reject", 1+r.IntN(3)
	default:
		l.Running.GPUs = 1 + r.IntN(min(gpus, 3))
	}
	c.limits = append(c.limits, l)
}

// drawSessions returns up to four sessions of every day, which begin early in it. The last one takes all jobs.
func drawSessions(seed uint64) (all []backfill.Session) {
	r := rand.New(rand.NewPCG(seed, 41))
	for _, at := range r.Perm(60)[:r.IntN(5)] {
		all = append(all, backfill.Session{Begin: float64(at), Days: "all", Longest: float64(max(0, r.IntN(20)-5))})
	}
	slices.SortFunc(all, func(a, b backfill.Session) int { return int(a.Begin - b.Begin) })
	if len(all) > 0 {
		all[len(all)-1].Longest = 0
	}
	return all
}

// plain are the limits by numbers.
func (c *smallCase) plain() (all []sim.Limit) {
	for _, l := range c.limits {
		x := sim.Limit{Submitted: int64(l.Submitted.Jobs), Reject: l.Otherwise == "reject",
			Running: sim.Uses{Jobs: int64(l.Running.Jobs), Procs: int64(l.Running.Cores), GPUs: int64(l.Running.GPUs)}}
		if l.Each != "" {
			x.Each = sim.OfUser
		}
		if l.Of.User != "" {
			x.Of = []sim.LimitOf{{Field: sim.OfUser, Number: 0}}
		}
		all = append(all, x)
	}
	return all
}

func drawCase(t *testing.T, r *rand.Rand) smallCase {
	classes := []sim.Cluster{{Name: "a", Nodes: 1 + r.IntN(3), Cores: 1 + r.IntN(3), Speed: 1},
		{Name: "b", Nodes: 1 + r.IntN(3), Cores: 1 + r.IntN(3), Speed: 1}}
	return drawOn(t, r, classes[:1+r.IntN(2)])
}

func drawOn(t *testing.T, r *rand.Rand, classes []sim.Cluster) smallCase {
	on, err := sim.NewPlatform("small", classes, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	if r.IntN(5) > 0 {
		var parts []sim.Partition
		for i := range 1 + r.IntN(2) {
			all := r.Perm(len(on.Clusters))
			q := sim.Partition{Name: fmt.Sprint("p", i), Classes: all[:1+r.IntN(len(all))], Whole: r.IntN(3) == 0, Default: i == 0}
			if r.IntN(4) == 0 {
				q.Walltime = 12
			}
			parts = append(parts, q)
		}
		if err := on.Divide(parts); err != nil {
			t.Fatal(err)
		}
	}
	c := smallCase{on: on, requeue: sim.Requeue{After: "node_fail", AtMost: r.IntN(3), Last: r.IntN(2) == 0}}
	for range r.IntN(7) {
		c.event(r)
	}
	submit := 0
	for i := range 1 + r.IntN(12) {
		submit += r.IntN(5)
		j := sim.JobSpec{ID: int64(i + 1), Submit: float64(submit), Walltime: float64(1 + r.IntN(15)), User: int32(r.IntN(2))}
		if j.RunTime = j.Walltime; r.IntN(2) == 0 {
			j.RunTime = float64(1 + r.IntN(18))
		}
		most := on.Procs()
		if on.Divided() {
			j.Partition = int32(1 + r.IntN(len(on.Partitions)))
			most = on.Largest(j.Partition)
		}
		j.Procs = int32(1 + r.IntN(most))
		c.jobs = append(c.jobs, j)
	}
	return c
}

// event adds an event that contradicts none before it.
func (c *smallCase) event(r *rand.Rand) {
	from := r.IntN(40)
	o := sim.Outage{From: float64(from), Until: float64(from + 1 + r.IntN(15)), Kind: sim.OutageKind(r.IntN(3)), Ahead: r.IntN(2) == 0}
	o.Announced = float64(r.IntN(from + 1))
	lo := r.IntN(c.on.Procs())
	o.Procs = []sim.Span{{Lo: int32(lo), Hi: int32(lo + r.IntN(c.on.Procs()-lo))}}
	if r.IntN(2) == 0 {
		class := r.IntN(len(c.on.Clusters))
		o.Procs = []sim.Span{{Lo: int32(c.on.First(class)), Hi: int32(c.on.First(class+1)) - 1}}
	}
	if sp := &o.Procs[0]; c.whole {
		for _, p := range []*int32{&sp.Lo, &sp.Hi} {
			class := c.on.ClusterOf(int(*p))
			first, cores := int32(c.on.First(class)), int32(c.on.Clusters[class].Cores)
			*p = first + (*p-first)/cores*cores
		}
		sp.Hi += int32(c.on.Clusters[c.on.ClusterOf(int(sp.Hi))].Cores) - 1
	}
	if o.Kind == sim.Reserved {
		o.For.Users = []int32{0}
	}
	if !slices.ContainsFunc(c.events, func(p sim.Outage) bool {
		return p.From < o.Until && o.From < p.Until && sim.Overlap(p.Procs, o.Procs)
	}) {
		c.events = append(c.events, o)
	}
}

// counted reports whether a policy that plans by counts may do so: no event is about a part of a class, and no class has jobs with whole
// nodes and others.
func (c *smallCase) counted() bool {
	for _, o := range c.events {
		n := 0
		for i := range c.on.Clusters {
			lo, hi := c.on.First(i), c.on.First(i+1)-1
			in := 0
			for p := lo; p <= hi; p++ {
				if has(o.Procs, p) {
					in++
				}
			}
			if n += in; c.on.Divided() && in > 0 && in <= hi-lo {
				return false
			}
		}
		if o.Kind == sim.Reserved || !c.on.Divided() && n < c.on.Procs() {
			return false
		}
	}
	return true
}

// mixed reports whether a class that partitions join has jobs with whole nodes and others.
func (c *smallCase) mixed() bool {
	for i := range c.on.Clusters {
		whole, cores := false, false
		for _, q := range c.on.Partitions {
			if slices.Contains(q.Classes, i) {
				whole, cores = whole || q.Whole, cores || !q.Whole
			}
		}
		if whole && cores && c.on.Clusters[i].Cores > 1 {
			return true
		}
	}
	return false
}

// smallKind is a placement and an order of the events of an instant.
type smallKind struct{ placement, order string }

// smallCount counts the contents of the cases of one kind.
type smallCount struct{ starts, events, requeues, counted, limited, withheld int }

// TestSmallCasesEqualBruteForce plays random cases with EASY and conservative backfilling, and compares every start and its class with
// a simulator that looks at every instant. There are 150 cases of each placement and order of events.
func TestSmallCasesEqualBruteForce(t *testing.T) {
	cases := uint64(simtest.Cases(60, 150))
	for k, placement := range append([]string{"any", placement.PoweredFirst}, placement.Names...) {
		for i := range sim.EventOrders {
			kind := smallKind{placement, sim.EventOrders[i].Name}
			t.Run(fmt.Sprint(kind.placement, "/", kind.order), func(t *testing.T) {
				var n smallCount
				for seed := range cases {
					kind.play(t, 1000000*uint64(10*k+i)+seed, &n)
				}
				t.Logf("%d cases: %+v", cases, n)
				if int(cases) > 25*n.requeues || 3*n.events < int(cases) || kind.placement == "any" && n.counted < int(cases)/10 {
					t.Error("the cases are too tame")
				}
			})
		}
	}
}

// widest is the most processors that a job gets on a class of its partition that is large enough.
func widest(on *sim.Platform, j *bruteJob) (most int) {
	idle, k := brute{on: on}, *j
	if k.Partition = max(j.Partition, 1); !on.Divided() || !on.Partition(k.Partition).Whole { // the first is the default
		return int(j.Procs)
	}
	k.Walltime = 1
	for _, class := range on.Partition(k.Partition).Classes {
		if idle.vectors(&k, []int{class}, 0) {
			most = max(most, k.count)
		}
	}
	return most
}

// play compares a case.
func (k smallKind) play(t *testing.T, seed uint64, n *smallCount) {
	var c smallCase
	orders := map[string]func(a, b *bruteJob) bool{
		"fcfs":    func(a, b *bruteJob) bool { return false },
		"largest": func(a, b *bruteJob) bool { return widest(c.on, a) > widest(c.on, b) },
		"sjf":     func(a, b *bruteJob) bool { return a.Walltime < b.Walltime },
	}
	r := rand.New(rand.NewPCG(seed, 32))
	c = drawCase(t, r)
	for strings.HasSuffix(k.placement, "local") && !c.on.Divided() && c.on.Clusters[0].Procs() != c.on.Clusters[len(c.on.Clusters)-1].Procs() {
		c = drawCase(t, r)
	}
	order := []string{"fcfs", "largest", "sjf"}[r.IntN(3)]
	events, err := sim.EventOrderByName(k.order)
	if err != nil {
		t.Fatal(err)
	}
	for range max(0, r.IntN(5)-2) {
		c.limit(r)
		n.limited++
	}
	for _, name := range []string{"easy", "conservative"} {
		ordered, placed := backfill.Ordered{Order: backfill.Order(order)}, backfill.Placed{Placement: k.placement, Sessions: drawSessions(seed)}
		bounded := backfill.Bounded{Limits: c.limits}
		var params any = &backfill.EasyParams{Ordered: ordered, Placed: placed, Rules: "plain", Bounded: bounded}
		if name == "conservative" {
			params = &backfill.ConservativeParams{Ordered: ordered, Placed: placed, Rules: "plain", Bounded: bounded}
		}
		p := policy(t, name, params)
		got, books := &startLog{}, audit.New(c.on)
		books.Expect(c.on, c.events, nil)
		books.Watch(p)
		res, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: c.on, Source: simtest.Source(c.jobs), Policy: p, Order: events,
			Progress: progress.Isolated{}, Observers: []sim.Observer{got, books}, KillAtWalltime: true, Outages: c.events, Requeue: c.requeue})
		if err == nil {
			err = books.Verdict(true)
		}
		if err != nil {
			t.Fatalf("case %d, %s: %v\n%+v", seed, name, err, c)
		}
		b := brute{on: c.on, events: c.events, requeue: c.requeue, limits: c.plain(), less: orders[order], order: events,
			sessions:     placed.Sessions,
			conservative: name == "conservative", counted: k.placement == "any" && c.counted() && !c.mixed()}
		if k.placement != "any" {
			b.rule = k.placement
		}
		want := bruteStarts(b, c.jobs)
		sortStarts(want)
		sortStarts(got.starts)
		if d := cmp.Diff(want, got.starts); d != "" {
			t.Fatalf("case %d, %s, order %s, counted %v (-brute force +policy):\n%s\n%+v", seed, name, order, b.counted, d, c)
		}
		n.withheld += int(res.Rejected)
		n.starts, n.requeues, n.events = n.starts+len(want), n.requeues+int(res.Requeued), n.events+len(c.events)
		if b.counted {
			n.counted++
		}
	}
}

func sortStarts(s []bruteStart) {
	slices.SortFunc(s, func(a, b bruteStart) int {
		if a.Time != b.Time {
			return a.Time - b.Time
		}
		return int(a.ID - b.ID)
	})
}
