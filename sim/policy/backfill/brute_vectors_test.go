package backfill_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/sim"
	"schedsweep/sim/audit"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/policy/multifactor"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// use is the part of a node that a job has.
type use struct{ class, node, cores, gpus, memory int }

// left returns the part of a node that the others leave for the walltime of j, by a look at each instant.
func (b *brute) left(j *bruteJob, class, node, start int) use {
	c := &b.on.Clusters[class]
	least := use{class, node, c.Cores, int(c.GPUs), int(c.Memory)}
	for t := start; t < start+int(j.Walltime); t++ {
		now := use{class, node, c.Cores, int(c.GPUs), int(c.Memory)}
		for _, k := range slices.Concat(b.running, b.places) {
			if k == j || t < k.start || t >= k.start+int(k.Walltime) {
				continue
			}
			for _, u := range k.uses {
				if u.class == class && u.node == node {
					now.cores, now.gpus, now.memory = now.cores-u.cores, now.gpus-u.gpus, now.memory-u.memory
				}
			}
		}
		least.cores, least.gpus, least.memory = min(least.cores, now.cores), min(least.gpus, now.gpus), min(least.memory, now.memory)
	}
	return least
}

// procsOf returns the processors of a node.
func (b *brute) procsOf(class, node int) (procs []int) {
	cores := b.on.Clusters[class].Cores
	for p := range cores {
		procs = append(procs, b.on.First(class)+node*cores+p)
	}
	return procs
}

// licensed reports whether there are licences for j at each instant.
func (b *brute) licensed(j *bruteJob, start int) bool {
	for i, l := range b.on.Licences {
		for t := start; j.Request != nil && t < start+int(j.Walltime); t++ {
			n := int(l.Count) - int(j.Request.Licences[i])
			for _, k := range slices.Concat(b.running, b.places) {
				if k != j && k.Request != nil && k.start <= t && t < k.start+int(k.Walltime) {
					n -= int(k.Request.Licences[i])
				}
			}
			if n < 0 {
				return false
			}
		}
	}
	return true
}

// vectors finds nodes for j on classes from start on.
func (b *brute) vectors(j *bruteJob, classes []int, start int) bool {
	j.uses, j.count = nil, 0
	whole, ask := b.on.Partitions[j.Partition-1].Whole, sim.Request{}
	if j.Request != nil {
		ask = *j.Request
	}
	chunks, cores, most := int(j.Procs), 1, math.MaxInt
	if ask.Nodes > 0 {
		chunks, most = int(ask.Nodes), 1
		for cores*chunks < int(j.Procs) {
			cores++
		}
	}
	var switches [][]int // of classes, in order of their first class
	can, usable, room := map[int][]int{}, map[int]int{}, map[int]int{}
	for _, class := range classes {
		c := &b.on.Clusters[class]
		at := slices.IndexFunc(switches, func(s []int) bool { return c.Switch != "" && b.on.Clusters[s[0]].Switch == c.Switch })
		if at < 0 {
			at, switches = len(switches), append(switches, nil)
		}
		switches[at] = append(switches[at], class)
		for node := range c.Nodes {
			free, n := b.left(j, class, node, start), 0
			shut := slices.ContainsFunc(b.procsOf(class, node), func(p int) bool { return !b.open(j, p, start) })
			for !shut && n < most && ask.Features&c.Features == ask.Features && !(whole && free.cores < c.Cores) && (n+1)*cores <= free.cores &&
				(n+1)*int(ask.Memory) <= free.memory && (n+1)*int(ask.GPUs) <= free.gpus {
				n++
			}
			if can[class] = append(can[class], n); n > 0 {
				usable[switches[at][0]]++
				room[switches[at][0]] += n
			}
		}
	}
	// The switch with the fewest usable nodes that has room for all that is left, or else the one with most usable nodes.
	for chunks > 0 && len(switches) > 0 {
		key := func(s []int) [3]int {
			if room[s[0]] >= chunks {
				return [3]int{0, usable[s[0]], slices.Index(classes, s[0])}
			}
			return [3]int{1, -usable[s[0]], slices.Index(classes, s[0])}
		}
		best := slices.MinFunc(switches, func(x, y []int) int {
			a, b := key(x), key(y)
			return slices.Compare(a[:], b[:])
		})
		switches = slices.DeleteFunc(switches, func(s []int) bool { return s[0] == best[0] })
		for _, class := range best {
			for node, n := range can[class] {
				if n = min(n, chunks); n > 0 {
					chunks -= n
					u := use{class, node, n * cores, n * int(ask.GPUs), n * int(ask.Memory)}
					if whole {
						u.cores = b.on.Clusters[class].Cores
					}
					j.uses, j.count = append(j.uses, u), j.count+u.cores
				}
			}
		}
	}
	if chunks > 0 {
		j.count = 0
	}
	return chunks == 0 && b.licensed(j, start)
}

// cycle plans at multiples of the period, and starts heads at other times.
func (b *brute) cycle() {
	b.places = nil
	planned, heads, users, looked := b.now%int(b.cycles.Every) == 0, map[int32]bool{}, map[int32]int{}, 0
	for _, j := range slices.Clone(b.waiting) {
		if !planned && (heads[j.Partition] || !b.event) {
			continue
		}
		if b.hold(j) {
			continue
		}
		if planned && b.cycles.PerUser > 0 {
			if users[j.User]++; users[j.User] > b.cycles.PerUser {
				continue
			}
		}
		if looked++; planned && b.cycles.Jobs > 0 && looked > b.cycles.Jobs {
			break
		}
		if b.earliest(j, b.now) {
			b.start(j)
			continue
		}
		last := never
		if b.cycles.Window > 0 {
			last = b.now + int(b.cycles.Window)
		}
		if planned && (b.conservative || !heads[j.Partition]) && b.earliest(j, last) {
			b.places = append(b.places, j)
			for i := range j.uses {
				if u, c := &j.uses[i], &b.on.Clusters[j.uses[i].class]; b.cycles.WholeNodes {
					u.cores, u.gpus, u.memory = c.Cores, int(c.GPUs), int(c.Memory)
				}
			}
		}
		heads[j.Partition] = true
	}
	b.places = nil
}

// vectorCase draws a small case. Each class has up to the given number of nodes, with memory, GPUs and features. The platform has licences.
// Some jobs request them.
func vectorCase(t *testing.T, r *rand.Rand, nodes int) smallCase {
	var classes []sim.Cluster
	for i := range 1 + r.IntN(4) {
		classes = append(classes, sim.Cluster{Name: string(rune('a' + i)), Nodes: 1 + r.IntN(nodes), Cores: 1 + r.IntN(3), Speed: 1,
			Switch: []string{"", "s", "t"}[r.IntN(3)]})
	}
	c := drawOn(t, r, classes)
	for !c.on.Divided() {
		c = drawOn(t, r, classes)
	}
	c.events, c.whole = nil, true
	c.on.Features = []string{"f", "g"}
	for i := range c.on.Clusters {
		k := &c.on.Clusters[i]
		k.Memory, k.GPUs, k.Features = int64(r.IntN(7)), int32(r.IntN(3)), uint64(r.IntN(4))
	}
	if r.IntN(2) == 0 {
		c.on.Licences = []sim.Licence{{Name: "l", Count: int32(1 + r.IntN(3))}}
	}
	for i := range c.on.Partitions {
		q := &c.on.Partitions[i]
		q.Span = !q.Whole && r.IntN(2) == 0
	}
	for i := range c.jobs {
		j := &c.jobs[i]
		for r.IntN(4) > 0 {
			ask := sim.Request{Nodes: int32(r.IntN(4)), Memory: int64(r.IntN(4)), GPUs: int32(r.IntN(2)),
				Features: uint64(r.IntN(4) & r.IntN(4))}
			if ask.Licences[0] = int32(max(0, r.IntN(5)-2)); len(c.on.Licences) == 0 {
				ask.Licences[0] = 0
			} else if ask.Licences[0] > c.on.Licences[0].Count {
				continue
			}
			b, try := brute{on: c.on}, bruteJob{JobSpec: *j}
			try.Request = &ask
			if q := c.on.Partitions[j.Partition-1]; q.Span && b.vectors(&try, q.Classes, 0) ||
				slices.ContainsFunc(q.Classes, func(class int) bool { return b.vectors(&try, []int{class}, 0) }) {
				j.Request = &ask
				break
			}
		}
	}
	return c
}

// TestVectorsEqualBruteForce plays random cases with requests, limits and priorities. In the last hundred, runs of nodes are long.
func TestVectorsEqualBruteForce(t *testing.T) {
	starts, requests, limits, spans, fewest, cycles, events, requeues := 0, 0, 0, 0, 0, 0, 0, 0
	step := uint64(simtest.Cases(2, 1)) // every second case, or all
	for seed := uint64(0); seed < 1100; seed += step {
		r, nodes := rand.New(rand.NewPCG(seed, 33)), 3
		if seed >= 1000 {
			nodes = 24
		}
		c := vectorCase(t, r, nodes)
		if more := rand.New(rand.NewPCG(seed, 34)); seed%4 < 2 {
			for range more.IntN(5) {
				c.event(more)
			}
			events += len(c.events)
		}
		order := backfill.Ordered{Order: []backfill.Order{"fcfs", "sjf", "multifactor", "largest"}[r.IntN(4)]}
		order.By.MultifactorParams = backfill.MultifactorParams{Weights: multifactor.Weights{Age: 10.171, Size: .313 + float64(r.IntN(30))},
			MaxAge:   20,
			HalfLife: math.Inf(1), CalculatedEvery: 5}
		if w := &order.By.MultifactorParams; seed%3 > 0 { // two of three cases have weights of what jobs request
			w.Weights.CPUs, w.Weights.Memory, w.Weights.GPUs, w.Amounts = 3.713, 7.317, 9.239, seed%3 == 2
			if w.Amounts {
				w.Weights.Memory *= 1 << 20 // memory counts in MiB, and these nodes have bytes
			}
		}
		for range max(0, r.IntN(5)-2) {
			c.limit(r)
			limits++
		}
		var planning backfill.Planning
		if r.IntN(2) == 0 {
			cycles++
			planning = backfill.Planning{Every: float64(1 + r.IntN(8)), Window: float64(max(0, r.IntN(30)-10)), Jobs: max(0, r.IntN(8)-3),
				PerUser: max(0, r.IntN(6)-3), WholeNodes: r.IntN(2) == 0}
		}
		for _, name := range []string{"easy", "conservative"} {
			placed, bounded := backfill.Placed{Placement: "any"}, backfill.Bounded{Limits: c.limits}
			var params any = &backfill.EasyParams{Ordered: order, Placed: placed, Rules: "plain", Bounded: bounded, Planning: planning}
			if name == "conservative" {
				params = &backfill.ConservativeParams{Ordered: order, Placed: placed, Rules: "plain", Bounded: bounded, Planning: planning}
			}
			p := policy(t, name, params)
			got, books := &startLog{}, audit.New(c.on)
			books.Expect(c.on, c.events, nil)
			books.Watch(p)
			res, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: c.on, Source: simtest.Source(c.jobs), Policy: p,
				Progress: progress.Isolated{}, Observers: []sim.Observer{got, books}, KillAtWalltime: true, Requests: true,
				Outages: c.events, Requeue: c.requeue})
			if err == nil {
				err = books.Verdict(true)
			}
			if err != nil {
				t.Fatalf("case %d, %s: %v\n%s", seed, name, err, c.tell())
			}
			b := brute{on: c.on, events: c.events, requeue: c.requeue, limits: c.plain(), conservative: name == "conservative", nodes: true,
				clock: new(int), cycles: planning}
			b.less = func(x, y *bruteJob) bool {
				switch order.Order {
				case "sjf":
					return x.Walltime < y.Walltime
				case "largest":
					return widest(b.on, x) > widest(b.on, y)
				case "multifactor":
					return b.points(x, &order.By.MultifactorParams) > b.points(y, &order.By.MultifactorParams)
				}
				return false
			}
			if order.Order == "multifactor" {
				b.calculated = 5
			}
			want := bruteStarts(b, c.jobs)
			sortStarts(want)
			sortStarts(got.starts)
			if d := cmp.Diff(want, got.starts); d != "" {
				t.Fatalf("case %d, %s, order %s, planning %+v (-brute force +policy):\n%s\n%s", seed, name, order.Order, planning, d, c.tell())
			}
			starts, requeues = starts+len(got.starts), requeues+int(res.Requeued)
		}
		for _, j := range c.jobs {
			if j.Request != nil {
				requests++
			}
			if q := c.on.Partitions[j.Partition-1]; q.Span && len(q.Classes) > 1 {
				spans++
			}
		}
		fewest += len(c.on.Licences)
	}
	t.Logf("compared %d starts; %d jobs had requests, %d could span classes; %d limits; %d cases were planned at a "+
		"period, %d had licences; %d events, %d requeues", starts, requests, spans, limits, cycles, fewest, events, requeues)
	if requests < 1000 || spans < 200 || limits < 100 || events < 300 || requeues < 30 {
		t.Error("the cases are too tame")
	}
}

// TestRoomOfTheSameInstant: a job that finds no room starts in the same instant, after a job without a run time gave its nodes back. The
// nodes are in three blocks of the plan's index, behind nodes that are full for ever.
func TestRoomOfTheSameInstant(t *testing.T) {
	on, err := sim.NewPlatform("blocks", []sim.Cluster{{Name: "n", Nodes: 150, Cores: 2, Memory: 8, Speed: 1}}, sim.Link{})
	if err == nil {
		err = on.Divide([]sim.Partition{{Name: "all", Classes: []int{0}, Default: true}})
	}
	if err != nil {
		t.Fatal(err)
	}
	ask := &sim.Request{Memory: 4}
	jobs := []sim.JobSpec{{ID: 1, RunTime: 1e6, Walltime: 1e6, Procs: 200, Partition: 1, Request: ask},
		{ID: 2, Submit: 5, Walltime: 100, Procs: 100, Partition: 1, Request: ask}, // runs for 0 s
		{ID: 3, Submit: 5, RunTime: 7, Walltime: 100, Procs: 100, Partition: 1, Request: ask},
		{ID: 4, Submit: 5, RunTime: 7, Walltime: 7, Procs: 90, Partition: 1, Request: ask}}
	for _, name := range []string{"easy", "conservative"} {
		params := map[string]any{"easy": easyParams("fcfs"), "conservative": conservativeParams("fcfs")}[name]
		got := &startLog{}
		if _, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Source: simtest.Source(jobs), Requests: true,
			Policy: policy(t, name, params), Progress: progress.Isolated{}, Observers: []sim.Observer{got}, KillAtWalltime: true}); err != nil {
			t.Fatal(err)
		}
		sortStarts(got.starts)
		if at := fmt.Sprint(got.starts); at != "[{1 0 0} {2 5 0} {3 5 0} {4 12 0}]" {
			t.Errorf("%s: %s", name, at)
		}
	}
}

// points are those of the last calculation.
func (b *brute) points(j *bruteJob, p *backfill.MultifactorParams) float64 {
	counted, nodes := *b.clock/int(p.CalculatedEvery)*int(p.CalculatedEvery), 0
	for i := range b.on.Clusters {
		nodes += b.on.Clusters[i].Nodes
	}
	procs := float64(j.Procs)
	if q := &b.on.Partitions[j.Partition-1]; q.Whole && float64(counted) > j.Submit { // by the first class that can run it
		idle, k := brute{on: b.on}, *j
		for _, class := range q.Classes {
			if idle.vectors(&k, []int{class}, 0) {
				procs = float64(k.count)
				break
			}
		}
	}
	age := min(1, max(0, float64(counted)-j.Submit)/p.MaxAge)
	cpus, memory, gpus := float64(j.Procs), 0., 0. // its request, and then its part of the partition
	asked := 1.
	if r := j.Request; r != nil {
		each := float64(j.Procs)
		if r.Nodes > 0 {
			each = float64(r.Nodes)
			asked = each
		}
		memory, gpus = each*float64(r.Memory)/(1<<20), each*float64(r.GPUs)
	}
	if !p.Amounts {
		var all [3]float64
		for _, class := range b.on.Partitions[j.Partition-1].Classes {
			c := &b.on.Clusters[class]
			for i, n := range []float64{float64(c.Cores), float64(c.Memory) / (1 << 20), float64(c.GPUs)} {
				all[i] += float64(c.Nodes) * n
			}
		}
		for i, x := range []*float64{&cpus, &memory, &gpus} {
			if *x > 0 {
				*x /= all[i]
			}
		}
	}
	return math.Floor(p.Weights.Size*((asked/float64(nodes)+procs/float64(b.on.Procs()))/2) + p.Weights.Age*age +
		p.Weights.CPUs*cpus + p.Weights.Memory*memory + p.Weights.GPUs*gpus)
}

// tell writes the case down.
func (c *smallCase) tell() string {
	out := fmt.Sprintf("%+v\n%+v\n%+v\n%+v\n%+v %+v\n", c.on.Clusters, c.on.Partitions, c.on.Licences, c.limits, c.events, c.requeue)
	for _, j := range c.jobs {
		out += fmt.Sprintf("%d submit %g run %g wall %g procs %d user %d part %d %+v\n", j.ID, j.Submit, j.RunTime, j.Walltime, j.Procs, j.User,
			j.Partition, j.Request)
	}
	return out
}
