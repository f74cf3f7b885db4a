package backfill_test

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"schedsweep/sim"
	"schedsweep/sim/audit"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/power"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// cap is the cap of a second.
func (b *brute) cap(t int) float64 {
	w := b.on.Cap.Watts
	if w.Every > 0 {
		t %= int(w.Every)
	}
	value := 0.
	for i, from := range w.From {
		if int(from) <= t {
			value = w.Value[i]
		}
	}
	return value
}

// extra returns the power of n processors of a class beyond their idle power.
func (b *brute) extra(class, n int) float64 {
	k := b.on.Clusters[class]
	return float64(n) * (k.Power.Busy - k.Power.Idle) / float64(k.Cores)
}

// surplus returns the power of n nodes of a class on a way beyond that of idle ones.
func (b *brute) surplus(class, n int, power float64) float64 {
	return float64(n) * max(0, power-b.on.Clusters[class].Power.Idle)
}

// nodesOff returns the number of nodes of these processors that are off or shut down.
func (b *brute) nodesOff(procs []int) int {
	off := map[int]bool{}
	for _, p := range procs {
		if n := b.dark.of[p]; b.dark.nodes[n].is == "off" || b.dark.nodes[n].is == "shutdown" {
			off[n] = true
		}
	}
	return len(off)
}

// watts returns the planned power of the machine at a second without one job. Nodes that are not on count at least as idle ones.
func (b *brute) watts(t int, but *bruteJob) float64 {
	watts := b.on.IdlePower()
	for _, k := range slices.Concat(b.running, b.places) {
		if k != but && k.start <= t && t < k.start+int(k.Walltime) {
			watts += b.extra(k.class, k.count)
		}
	}
	if b.dark == nil {
		return watts
	}
	for _, k := range b.places {
		if boot := b.on.Clusters[max(k.class, 0)].Power.Boot; k != but && k.start-int(boot.Time) <= t && t < k.start {
			watts += b.surplus(k.class, b.nodesOff(k.procs), boot.Power)
		}
	}
	for i := range b.dark.nodes {
		if n := &b.dark.nodes[i]; t < n.until {
			switch power := &b.on.Clusters[n.class].Power; n.is {
			case "boot":
				watts += b.surplus(n.class, 1, power.Boot.Power)
			case "shutdown":
				watts += b.surplus(n.class, 1, power.Shutdown.Power)
			}
		}
	}
	return watts
}

// admits reports whether the cap known to planners admits more watts all the time from start to before end, not counting but.
func (b *brute) admits(watts float64, start, end int, but *bruteJob) bool {
	for t := start; t < end; t++ {
		most := b.cap(t)
		if !b.on.Cap.Ahead {
			most = b.cap(b.now)
		}
		if b.watts(t, but)+watts > most+1e-6 {
			return false
		}
	}
	return true
}

// capped reports whether the cap that planners know admits j on processors of a class from start to its walltime, and the boots before.
func (b *brute) capped(j *bruteJob, class, start int, procs []int) bool {
	if b.on.Cap == nil {
		return true
	}
	if b.dark != nil {
		boot := b.on.Clusters[class].Power.Boot
		more := b.surplus(class, b.nodesOff(procs), boot.Power)
		if more > 0 && !b.admits(more, max(b.now, start-int(boot.Time)), start, j) {
			return false
		}
	}
	return b.admits(b.extra(class, j.count), start, start+int(j.Walltime), j)
}

// hopeless reports whether no cap to come admits j by itself.
func (b *brute) hopeless(j *bruteJob) bool {
	fits := false
	for _, class := range b.classes(j) {
		alone := brute{on: b.on, counted: true}
		k := *j
		if _, ok := alone.place(&k, class, 0); b.on.Cap == nil || !ok {
			continue
		}
		fits = true
		power, starts, boots := &b.on.Clusters[class].Power, false, b.dark == nil
		cores := b.on.Clusters[class].Cores
		for alone.now = b.now; alone.now < b.now+200; alone.now++ {
			starts = starts || alone.capped(&k, class, alone.now, nil)
		}
		more := b.surplus(class, (k.count+cores-1)/cores, power.Boot.Power)
		boots = boots || power.Boot.Time == 0 || b.on.IdlePower()+more <= slices.Max(b.on.Cap.Watts.Value)+1e-6
		if starts && boots {
			return false
		}
	}
	return fits
}

// keepCap kills jobs until the new cap holds.
func (b *brute) keepCap() {
	if b.on.Cap == nil || !b.on.Cap.Kill || b.now == 0 || !b.changes(b.now) {
		return
	}
	slices.SortFunc(b.running, func(x, y *bruteJob) int { return cmp.Or(x.start-y.start, x.seq-y.seq) })
	for len(b.running) > 0 {
		if b.draws() <= b.cap(b.now)+1e-6 {
			return
		}
		last := b.running[len(b.running)-1]
		b.running = b.running[:len(b.running)-1]
		b.fail([]*bruteJob{last})
	}
}

// changes reports whether a step of the cap begins at a second.
func (b *brute) changes(t int) bool {
	w := b.on.Cap.Watts
	if w.Every > 0 {
		t %= int(w.Every)
	}
	return slices.Contains(w.From, float64(t))
}

// capsLearnt returns the number of caps that planners have learnt of, where they know none ahead.
func (b *brute) capsLearnt() (n int) {
	for t := 1; b.on.Cap != nil && !b.on.Cap.Ahead && t <= b.now; t++ {
		if b.leaves(b.cap(t)) != b.leaves(b.cap(t-1)) {
			n++
		}
	}
	return n
}

// leaves returns the power that a cap leaves beyond that of an idle machine, in the largest unit that divides the surplus of
// processors and of nodes on the way. Caps that leave the same admit the same, so the second is nothing to learn.
func (b *brute) leaves(cap float64) int {
	scale, unit := 1, 0 // a unit is unit / scale watts
	for _, k := range b.on.Clusters {
		scale *= k.Cores
	}
	for c := range b.on.Clusters {
		power, draws := &b.on.Clusters[c].Power, []float64{b.extra(c, 1)}
		if b.on.Off.On {
			draws = append(draws, b.surplus(c, 1, power.Boot.Power), b.surplus(c, 1, power.Shutdown.Power))
		}
		for _, watts := range draws {
			for more := int(math.Round(watts * float64(scale))); more > 0; {
				unit, more = more, unit%more
			}
		}
	}
	return int(cap-b.on.IdlePower()) * scale / unit
}

// drawCapped is a small case of a machine with power under a cap that changes.
func drawCapped(t *testing.T, r *rand.Rand) smallCase {
	c := drawCase(t, r)
	for !c.on.Divided() {
		c = drawCase(t, r)
	}
	full := drawPower(r, c.on)
	c.on.Cap = drawCap(r, c.on.IdlePower(), full)
	return c
}

// drawPower gives the nodes power, and returns what the machine draws when all are busy.
func drawPower(r *rand.Rand, on *sim.Platform) (full float64) {
	for i := range on.Clusters {
		k := &on.Clusters[i]
		k.Power.Off = float64(r.IntN(5))
		k.Power.Idle = k.Power.Off + float64(r.IntN(20))
		k.Power.Busy = k.Power.Idle + float64(1+r.IntN(40))
		full += float64(k.Nodes) * k.Power.Busy
	}
	return full
}

// drawCap is a cap that changes, between the power of an idle machine and a little more than that of a busy one.
func drawCap(r *rand.Rand, idle, full float64) *power.Cap {
	steps, from, value := 1+r.IntN(6), []float64{0}, []float64(nil)
	for i := range steps {
		if i > 0 {
			from = append(from, from[i-1]+float64(1+r.IntN(12)))
		}
		value = append(value, idle+float64(r.IntN(int(1.1*(full-idle))+1)))
	}
	until := from[steps-1] + float64(1+r.IntN(12))
	limit := &power.Cap{Watts: power.NewSteps(from, value, until), Ahead: r.IntN(3) > 0, Kill: r.IntN(2) == 0}
	if r.IntN(2) == 0 {
		limit.Watts.Every = until
	} else {
		limit.Watts.Until = math.Inf(1)
	}
	return limit
}

// foreseen counts the jobs that no cap ever admits by themselves, and compares them with a look at every second.
func foreseen(t *testing.T, c smallCase) (n int) {
	for i := range c.jobs {
		j := &c.jobs[i]
		b := brute{on: c.on, counted: true, now: int(j.Submit)}
		if c.on.Off.On {
			b.dark = newBruteNodes(c.on, false)
		}
		want := b.hopeless(&bruteJob{JobSpec: *j})
		if got := c.on.NeverUnderCap(j); got != want {
			t.Fatalf("no cap ever admits %+v: %v, want %v; %+v %+v", j, got, want, c.on.Cap, c.on.Cap.Watts)
		}
		if want {
			n++
		}
	}
	return n
}

// TestCapsEqualBruteForce compares every start under a cap with a simulator that adds up the power of every second.
func TestCapsEqualBruteForce(t *testing.T) {
	starts, later, refused, requeues, kills, never := 0, 0, 0, 0, 0, 0
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 37))
		c := drawCapped(t, r)
		never += foreseen(t, c)
		placed := backfill.Placed{Placement: "any"}
		if r.IntN(4) == 0 {
			placed.Placement = "basic"
		}
		for _, policy := range []string{"easy", "conservative"} {
			var params any = &backfill.EasyParams{Ordered: backfill.InOrder("fcfs"), Placed: placed, Rules: "plain"}
			if policy == "conservative" {
				params = &backfill.ConservativeParams{Ordered: backfill.InOrder("fcfs"), Placed: placed, Rules: "plain"}
			}
			play := func(on *sim.Platform) ([]bruteStart, sim.Result) {
				kind, _ := sim.Policies.Get(policy)
				p, err := kind.New(params, sim.Env{})
				if err != nil {
					t.Fatal(err)
				}
				got, books := &startLog{}, audit.New(on)
				books.Expect(on, c.events, nil)
				res, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Source: simtest.Source(c.jobs), Policy: p,
					Progress: progress.Isolated{}, Observers: []sim.Observer{got, books}, KillAtWalltime: true, Outages: c.events, Requeue: c.requeue})
				if err != nil {
					t.Fatalf("case %d, %s: %v %+v %+v %+v", seed, policy, err, c.on.Cap, c.on.Cap.Watts, c.on.Clusters)
				}
				if err := books.Verdict(true); err != nil {
					t.Fatalf("case %d, %s: %v %+v %+v %+v", seed, policy, err, c, c.on.Cap, c.on.Cap.Watts)
				}
				sortStarts(got.starts)
				return got.starts, res
			}
			got, res := play(c.on)
			b := brute{on: c.on, events: c.events, requeue: c.requeue, less: func(a, b *bruteJob) bool { return false },
				conservative: policy == "conservative", counted: placed.Placement == "any" && c.counted() && !c.mixed()}
			want := bruteStarts(b, c.jobs)
			sortStarts(want)
			if d := diff.Diff(want, got); d != "" {
				t.Fatalf("case %d, %s, placement %s, counted %v (-brute force +policy):\n%s\n%+v\n%+v %+v", seed, policy, placed.Placement, b.counted,
					d, c, c.on.Cap, c.on.Cap.Watts)
			}
			free := *c.on
			free.Cap = nil
			uncapped, before := play(&free)
			if diff.Diff(uncapped, got) != "" {
				later++
			}
			starts, refused, requeues = starts+len(want), refused+int(res.Rejected-before.Rejected), requeues+int(res.Requeued)
			kills += int(res.Requeued - before.Requeued)
		}
	}
	t.Logf("compared %d starts; a cap changes some in %d of 1000 runs, refuses %d jobs and has %d of %d requeues", starts, later, refused,
		kills, requeues)
	if later < 500 || refused < 50 || kills < 50 || never < 50 {
		t.Error("the cases are too tame")
	}
}
