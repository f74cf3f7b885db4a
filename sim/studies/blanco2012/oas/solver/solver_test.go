package solver

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// paper is the platform of the paper's section 4; links in Mbit/s.
func paper() []Cluster {
	return []Cluster{{"c1", 4, 1, 1000}, {"c2", 4, .75, 1000}, {"c3", 4, .5, 1000}}
}

// drawn is a workload as the paper draws them: 1 to 12 tasks, a mean base time of
// 67e4 s, and bandwidths with which a job takes 10 to 100 % of a link.
func drawn(seed uint64, n int) []Job {
	r := rand.New(rand.NewPCG(seed, 0))
	jobs := make([]Job, n)
	for i := range jobs {
		tasks := 1 + r.IntN(12)
		least := math.Inf(1)
		probe := Problem{Clusters: paper(), Slot: 1}
		for _, m := range probe.Modes(&Job{Tasks: tasks, Sigma: 1, Base: 1, Bandwidth: 1}) {
			if most := slices.Max(m.Load); most > 0 {
				least = min(least, most)
			}
		}
		jobs[i] = Job{ID: int64(i + 1), Tasks: tasks, Base: float64(134_000 + r.IntN(1_072_001)), Sigma: .7,
			Bandwidth: (.1 + .9*r.Float64()) * 1000 / least}
	}
	return jobs
}

// tiny draws a problem that brute force can solve.
func tiny(t *rapid.T) *Problem {
	p := &Problem{Slot: float64(rapid.SampledFrom([]int{2, 3, 5}).Draw(t, "slot"))}
	nodes := 0
	for range rapid.IntRange(1, 3).Draw(t, "clusters") {
		c := Cluster{"c", rapid.IntRange(1, 3).Draw(t, "nodes"), rapid.SampledFrom([]float64{1, .75, .5}).Draw(t, "power"),
			rapid.SampledFrom([]float64{2, 6, math.Inf(1)}).Draw(t, "link")}
		nodes += c.Nodes
		p.Clusters = append(p.Clusters, c)
	}
	for i := range rapid.IntRange(1, 4).Draw(t, "jobs") {
		p.Jobs = append(p.Jobs, Job{int64(i + 1), rapid.IntRange(1, min(nodes, 5)).Draw(t, "tasks"),
			float64(rapid.IntRange(0, 9).Draw(t, "base")), rapid.SampledFrom([]float64{0, .7, 1}).Draw(t, "sigma"),
			float64(rapid.IntRange(0, 3).Draw(t, "bandwidth"))})
	}
	if rapid.Bool().Draw(t, "held") {
		h := Hold{rapid.IntRange(1, 3).Draw(t, "slots"), Mode{Counts: make([]int32, len(p.Clusters)), Load: make([]float64, len(p.Clusters))}}
		h.Counts[0], h.Load[0] = 1, float64(rapid.IntRange(0, 2).Draw(t, "taken"))
		p.Held = append(p.Held, h)
	}
	return p
}

// brute is the optimum by trying all modes and all starts, with the least sum of
// finish times of the plans that have it.
func brute(p *Problem) (slots, sum int) {
	slots = math.MaxInt
	horizon := Greedy(p).Slots()
	plan := make(Plan, len(p.Jobs))
	var try func(i int)
	try = func(i int) {
		if plan[:i].Slots() > slots {
			return
		}
		sub := *p
		if sub.Jobs = p.Jobs[:i]; sub.Check(plan[:i]) != nil {
			return
		}
		if i == len(plan) {
			total := sumOf(plan)
			if n := plan.Slots(); n < slots || total < sum {
				slots, sum = n, total
			}
			return
		}
		for _, m := range p.Modes(&p.Jobs[i]) {
			for at := 0; at+m.Slots <= min(horizon, slots); at++ {
				plan[i] = Placed{at, m}
				try(i + 1)
			}
		}
	}
	try(0)
	return slots, sum
}

func sumOf(p Plan) int {
	sum := 0
	for i := range p {
		sum += p[i].Start + p[i].Slots
	}
	return sum
}

// solve finds a plan of the least number of slots of jobs that have modes.
func solve(p *Problem, limits Limits) Result { return NewExact(p, limits).Solve() }

// impossible reports whether some job has no mode.
func impossible(p *Problem) bool {
	return slices.ContainsFunc(p.Jobs, func(j Job) bool { return len(p.Modes(&j)) == 0 })
}

// Brute force: the optimum, the least sum, and that every plan keeps the rules.
func TestSolveByBruteForce(t *testing.T) {
	solved, waited := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		p := tiny(t)
		if impossible(p) {
			return
		}
		e := NewExact(p, Limits{})
		r := e.Solve()
		slots, sum := brute(p)
		if r.Status != Optimal || r.Plan.Slots() != slots || r.Bound != slots || r.Gap() != 0 {
			t.Fatalf("%s in %d slots, bound %d; brute force: %d", r.Status, r.Plan.Slots(), r.Bound, slots)
		}
		least := e.LeastSum(slots)
		if got := sumOf(least); got != sum {
			t.Fatalf("least sum of finish times %d, brute force %d", got, sum)
		}
		greedy := Greedy(p)
		count := 0
		e.Each(slots, func(plan Plan) bool {
			count++
			if err := p.Check(plan); err != nil || plan.Slots() != slots {
				t.Fatalf("plan %d in %d slots: %v", count, plan.Slots(), err)
			}
			return count < 50
		})
		for _, plan := range []Plan{r.Plan, least, greedy} {
			if err := p.Check(plan); err != nil {
				t.Fatal(err)
			}
		}
		if count == 0 || greedy.Slots() < slots {
			t.Fatalf("%d plans of %d slots, greedy %d", count, slots, greedy.Slots())
		}
		if e.Each(slots-1, func(Plan) bool { count = -1; return false }); count < 0 {
			t.Fatal("there is a plan in fewer slots")
		}
		solved++
		if r.Plan[0].Start > 0 {
			waited++
		}
	})
	if solved == 0 || waited == 0 {
		t.Errorf("%d problems solved, in %d the first job waited: the test tested nothing", solved, waited)
	}
}

// A slot that is a multiple of another needs no less time: jobs held for slots of
// the larger are held for at least as many of the smaller.
func TestNestedSlots(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := drawn(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(2, 7).Draw(t, "jobs"))
		slot := float64(rapid.IntRange(100_000, 400_000).Draw(t, "slot"))
		of := func(slot float64) float64 {
			r := solve(&Problem{Clusters: paper(), Jobs: jobs, Slot: slot}, Limits{})
			return float64(r.Plan.Slots()) * slot
		}
		times := float64(rapid.IntRange(2, 4).Draw(t, "times"))
		if small, large := of(slot), of(slot*times); large < small*(1-1e-12) {
			t.Fatalf("slots of %g s: %g s; slots of %g s: %g s", slot, small, slot*times, large)
		}
	})
}

// The optimum knows neither the order of the jobs nor that of the clusters nor
// the unit of time.
func TestSymmetries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &Problem{Clusters: paper(), Jobs: drawn(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(2, 8).Draw(t, "jobs")), Slot: 335_000}
		q := &Problem{Clusters: slices.Clone(p.Clusters), Jobs: rapid.Permutation(p.Jobs).Draw(t, "order"), Slot: 2 * p.Slot}
		slices.Reverse(q.Clusters)
		for i := range q.Jobs {
			q.Jobs[i].Base *= 2
		}
		if a, b := solve(p, Limits{}), solve(q, Limits{}); a.Plan.Slots() != b.Plan.Slots() {
			t.Fatalf("%d slots, and %d in another order", a.Plan.Slots(), b.Plan.Slots())
		}
	})
}

func TestLimits(t *testing.T) {
	p := &Problem{Clusters: paper(), Jobs: drawn(4, 16), Slot: 167_500}
	first := solve(p, Limits{Nodes: 500})
	again := solve(p, Limits{Nodes: 500})
	if first.Nodes > 501 || first.Nodes != again.Nodes || first.Bound != again.Bound || first.Plan.Slots() != again.Plan.Slots() {
		t.Errorf("a limit of nodes gives %+v and %+v", first, again)
	}
	if err := p.Check(first.Plan); err != nil || first.Status != Feasible || !(first.Gap() > 0 && first.Gap() < .5) {
		t.Errorf("%s with the gap %g: %v", first.Status, first.Gap(), err)
	}
	if r := solve(p, Limits{Stop: func() bool { return true }}); r.Nodes > 1024 || p.Check(r.Plan) != nil {
		t.Errorf("a search that is told to stop went on for %d nodes", r.Nodes)
	}
}

func TestWhatCannotRun(t *testing.T) {
	p := &Problem{Clusters: paper(), Slot: 1}
	for _, j := range []Job{{ID: 7, Tasks: 13, Base: 1}, {ID: 8, Tasks: 5, Base: 1, Bandwidth: 5001}} {
		if modes := p.Modes(&j); len(modes) > 0 {
			t.Errorf("%+v may run on %v", j, modes)
		}
	}
	if r := solve(&Problem{Clusters: paper(), Slot: 1}, Limits{}); r.Status != Optimal || r.Plan.Slots() != 0 || r.Gap() != 0 {
		t.Errorf("no jobs: %+v", r)
	}
}

// Check knows a plan that breaks a rule.
func TestCheck(t *testing.T) {
	p := &Problem{Clusters: paper(), Slot: 10,
		Jobs: []Job{{ID: 1, Tasks: 4, Base: 10, Sigma: .7, Bandwidth: 500}, {ID: 2, Tasks: 4, Base: 10, Sigma: .7, Bandwidth: 500}}}
	fast, spread := p.Modes(&p.Jobs[0])[0], Mode{}
	for _, m := range p.Modes(&p.Jobs[0]) {
		if m.String() == "2+2+0" {
			spread = m
		}
	}
	short := spread
	short.Slots--
	for want, plan := range map[string]Plan{
		"":                     {{0, fast}, {0, p.Modes(&p.Jobs[0])[2]}},
		"of 2":                 {{0, fast}},
		"8 tasks on 4 nodes":   {{0, fast}, {0, fast}},
		"on a link of 1000":    {{0, spread}, {0, spread}},
		"may not run on 2+2+0": {{0, short}, {9, fast}},
	} {
		err := p.Check(plan)
		if want == "" && err != nil && !strings.Contains(err.Error(), "tasks on") || want != "" &&
			(err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// 4 + 4 + 4: of 6 tasks 19 ways, the most; two clusters of 2: 2 tasks in 3 ways.
func TestSpreads(t *testing.T) {
	if n := (&Problem{Clusters: paper()}).Spreads(); n != 19 {
		t.Errorf("%g ways on 4 + 4 + 4, want 19", n)
	}
	if n := (&Problem{Clusters: []Cluster{{Nodes: 2}, {Nodes: 2}}}).Spreads(); n != 3 {
		t.Errorf("%g ways on 2 + 2, want 3", n)
	}
}

// A duration of exactly 5 slots that floats put a hair above is 5 slots.
func TestSlotsOfExactTimes(t *testing.T) {
	for _, c := range []struct {
		time, slot float64
		want       int
	}{{10, 5, 2}, {10.001, 5, 3}, {.1 + .2, .1, 3}, {.3, .1, 3}, {9.999, 5, 2}} {
		if got := Slots(c.time, c.slot); got != c.want {
			t.Errorf("%v s are %d slots of %v s, want %d", c.time, got, c.slot, c.want)
		}
	}
}
