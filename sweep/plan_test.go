package sweep_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedsweep/sweep"
	"schedsweep/sweep/sweeptest"
)

func TestExpansion(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"no axes", "", ""},
		{"product, first axis slowest", "axes:\n  workload.jobs: [1, 2]\n  policy.kind: [easy, fcfs]\n", "1 easy;1 fcfs;2 easy;2 fcfs"},
		{"step", "axes:\n  workload.alpha: {from: 0, step: 0.1, count: 4}\n", "0;0.1;0.2;0.3"},
		{"steps to an end", "axes:\n  workload.alpha: {from: 0.1, to: 0.4, step: 0.1}\n", "0.1;0.2;0.3;0.4"},
		{"steps that pass over the end", "axes:\n  workload.alpha: {from: 1, to: 0, step: -0.3}\n", "1;0.7;0.4;0.1"},
		{"no step", "axes:\n  workload.alpha: {from: 2, to: 2, step: 1}\n", "2"},
		{"both ends", "axes:\n  workload.load_factor: {from: 0.1, to: 0.7, count: 4}\n", "0.1;0.3;0.5;0.7"},
		{"logspace", "axes:\n  workload.jobs: {logspace: {from: 1, to: 1000, count: 4}}\n", "1;10;100;1000"},
		{"units", "axes:\n  workload.communication_factor: {from: 1kB, step: 500B, count: 3}\n", "1000;1500;2000"},
		{"zip", "axes:\n  workload.jobs: [1, 2]\n  policy.kind: [easy, fcfs]\n  workload.alpha: [3, 4]\nzip:\n  - [workload.jobs, " +
			"workload.alpha]\n", "1 easy 3;1 fcfs 3;2 easy 4;2 fcfs 4"},
		{"zip with values that repeat", "axes:\n  workload.jobs: [1, 1, 2]\n  policy.kind: [easy, fcfs, easy]\nzip: [[workload.jobs, " +
			"policy.kind]]\n", "1 easy;1 fcfs;2 easy"},
		{"zip within a section with values that repeat", "axes:\n  workload.jobs: [1, 1, 2]\n  workload.alpha: [3, {label: W, value: 4}, " +
			"{label: W, value: 4}]\nzip: [[workload.jobs, workload.alpha]]\nexclude: [{workload.jobs: 1, workload.alpha: 3}]\n", "1 4;2 4"},
		{"zip with sub-trees that repeat", "axes:\n  policy:\n    - {label: e, value: {kind: easy}}\n    - {label: e, value: {kind: easy}}\n  " +
			"  - {label: f, value: {kind: fcfs}}\n  workload.jobs: [1, 2, 2]\nzip: [[policy, workload.jobs]]\nwhen: {workload.jobs: {policy: e}}\n",
			"e 1;e 2;f 100"},
		{"a field of an element of a list", "platform: {clusters: [{name: a}, {name: b, nodes: 4}]}\naxes:\n  platform.clusters[1].nodes: [4, " +
			"8, 4]\n  platform.clusters[0].nodes: [1, 2, 3]\nzip: [['platform.clusters[0].nodes', 'platform.clusters[1].nodes']]\nexclude: " +
			"[{'platform.clusters[1].nodes': 8}]\n", "4 1;4 3"},
		{"an element in a sub-tree", "axes:\n  platform.clusters:\n    - {label: o1, value: [{name: a}, {name: b}]}\n    - {label: o2, value: " +
			"[{name: b}]}\n  platform.clusters[0].nodes: [2, 3]\nexclude: [{'platform.clusters[0].name': b, 'platform.clusters[0].nodes': 3}]\n",
			"o1 2;o1 3;o2 2"},
		{"labels", "axes:\n  policy:\n    - {label: e, value: {kind: easy, reservations: 2}}\n    - {label: c, value: {kind: conservative}}\n",
			"e;c"},
		{"labelled list", "axes:\n  platform.clusters:\n    - {label: o1, value: [{name: a}, {name: b}]}\n    - {label: o2, value: [{name: " +
			"b}, {name: a}]}\n", "o1;o2"},
		{"exclude", "axes:\n  workload.jobs: [1, 2, 3]\n  policy.kind: [easy, fcfs]\nexclude:\n  - {workload.jobs: [1, 3], policy.kind: fcfs}\n",
			"1 easy;2 easy;2 fcfs;3 easy"},
		{"exclude on a field below a sub-tree", "axes:\n  policy:\n    - {label: e, value: {kind: easy, reservations: 2}}\n    - {label: c, " +
			"value: {kind: conservative}}\n  workload.jobs: [1, 2]\nexclude:\n  - {policy.kind: easy, workload.jobs: 2}\n", "e 1;c 1;c 2"},
		{"when", "axes:\n  policy.kind: [easy, conservative]\n  policy.placement: [basic, local]\nwhen:\n  policy.placement: {policy.kind: " +
			"conservative}\n", "easy null;conservative basic;conservative local"},
		{"when over a sub-tree", "axes:\n  policy:\n    - {label: e, value: {kind: easy}}\n    - {label: c, value: {kind: conservative}}\n  " +
			"policy.placement: [basic, local]\nwhen:\n  policy.placement: {policy.kind: conservative}\n", "e null;c basic;c local"},
		{"when takes the base value elsewhere", "axes:\n  policy.kind: [easy, fcfs]\n  workload.jobs: [1, 2]\nwhen:\n  workload.jobs: " +
			"{policy.kind: [easy]}\n", "easy 1;easy 2;fcfs 100"},
		{"whens in a chain", "axes:\n  policy.depth: [0, 5]\n  policy.placement: [basic, local]\n  policy.kind: [easy, conservative]\nwhen:\n " +
			" policy.depth: {policy.placement: [local]}\n  policy.placement: {policy.kind: [conservative]}\n",
			"null null easy;0 basic conservative;0 local conservative;5 local conservative"},
		{"a field of another kind makes no repeats", "axes:\n  policy.kind: [easy, conservative]\n  policy.placement: [basic, local]\n",
			"easy null;conservative basic;conservative local"},
		{"when on a zipped axis", "axes:\n  workload.jobs: [1, 2]\n  workload.alpha: [3, 4]\n  policy.kind: [easy, fcfs]\nzip: " +
			"[[workload.jobs, workload.alpha]]\nwhen:\n  workload.alpha: {policy.kind: easy}\n", "1 3 easy;1 10.23 fcfs;2 4 easy;2 10.23 fcfs"},
		{"blocks", "axes:\n  workload.jobs: [1, 2]\nblocks:\n  - policy: {kind: fcfs}\n  - policy: {kind: conservative}\n    axes:\n      " +
			"policy.placement: [basic, local]\n", "1 null;2 null;1 basic;1 local;2 basic;2 local"},
		{"blocks drop repeats", "blocks:\n  - axes: {workload.jobs: [1, 2]}\n  - axes: {workload.jobs: [2, 3]}\n", "1;2;3"},
		{"a column of another block has the resolved value", "blocks:\n  - axes: {workload.jobs: [1, 2]}\n  - axes: {workload.alpha: [1, 2]}\n",
			"1 10.23;2 10.23;100 1;100 2"},
		{"a block replaces a shared axis", "axes: {workload.jobs: [1, 2]}\nblocks:\n  - {axes: {workload.jobs: [7]}}\n  - {policy: {kind: " +
			"fcfs}}\n", "7;1;2"},
		{"a shared exclusion of values that only one block has", "axes: {workload.jobs: [1, 2]}\nexclude: [{workload.jobs: 1}]\nblocks:\n  - " +
			"{policy: {kind: fcfs}}\n  - {axes: {workload.jobs: [7, 8]}}\n", "2;7;8"},
		{"zip within a section", "axes:\n  workload.jobs: [1, 2, 3]\n  workload.alpha: [1, 2, 3]\nzip: [[workload.jobs, workload.alpha]]\n",
			"1 1;2 2;3 3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.Join(sweeptest.Rows(t, sweeptest.Load(t, sweeptest.Base+tt.text)), ";")
			if got != tt.want {
				t.Errorf("rows\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestReplicationsVaryFastestAndShareWorkloads(t *testing.T) {
	m := sweeptest.Load(t, sweeptest.Base+"seed: 7\nreplications: 2\naxes:\n  policy.kind: [easy, fcfs]\n  workload.jobs: [1, 2]\n")
	all := sweeptest.Instances(t, m)
	if len(all) != 8 {
		t.Fatalf("%d instances, want 8", len(all))
	}
	for i, in := range all {
		if in.Index != i || in.Replication != i%2 || in.Seed != 7 {
			t.Errorf("instance %d: index %d, replication %d, seed %d", i, in.Index, in.Replication, in.Seed)
		}
	}
	for i := range 4 {
		if all[i].WorkloadKey() != all[i+4].WorkloadKey() {
			t.Errorf("instances %d and %d differ in policy only and have different workloads", i, i+4)
		}
		for j := range i {
			if all[i].WorkloadKey() == all[j].WorkloadKey() {
				t.Errorf("instances %d and %d differ in jobs or replication and share a workload", i, j)
			}
		}
	}
}

func TestShardsPartitionThePlan(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		jobs, reps, n := rapid.IntRange(1, 30).Draw(rt, "jobs"), rapid.IntRange(1, 4).Draw(rt, "replications"),
			rapid.IntRange(1, 50).Draw(rt, "shards")
		m := sweeptest.Load(t, fmt.Sprintf("%sreplications: %d\naxes:\n  workload.jobs: {from: 1, step: 1, count: %d}\n  policy.kind: [easy, "+
			"fcfs]\n", sweeptest.Base, reps, jobs))
		p, err := m.Plan()
		if err != nil {
			rt.Fatal(err)
		}
		var costs []float32
		if rapid.Bool().Draw(rt, "with costs") {
			costs = rapid.SliceOfN(rapid.OneOf(rapid.Just(float32(0)), rapid.Just(float32(1)), rapid.Float32Range(0, 1e6)), p.Len(),
				p.Len()).Draw(rt, "costs")
		}
		seen := make([]int, p.Len())
		var loads []float64
		total, longest := 0.0, 0.0
		for i := range n {
			s := p.Deal(i, n, costs)
			if again := p.Deal(i, n, costs); !reflect.DeepEqual(s, again) {
				rt.Fatalf("shard %d is %v, and then %v", i, s, again)
			}
			load := 0.0
			for k := range s.Len() {
				at := s.At(k)
				seen[at]++
				if costs == nil {
					continue
				}
				load += float64(costs[at])
				longest = max(longest, float64(costs[at]))
				if before := s.At(max(k-1, 0)); costs[at] > 2*costs[before] {
					rt.Fatalf("shard %d runs %g s before %g s", i, costs[before], costs[at])
				}
			}
			loads = append(loads, load)
			total += load
		}
		for at, k := range seen {
			if k != 1 {
				rt.Fatalf("position %d is in %d shards", at, k)
			}
		}
		// What list scheduling promises: no shard takes more than the mean and one instance.
		if most := slices.Max(loads); most > (total/float64(n)+longest)*(1+1e-9) {
			rt.Fatalf("the fullest of %d shards has %g s, the mean is %g s, the longest instance %g s", n, most, total/float64(n), longest)
		}
	})
}

// TestShardsBeyondThePlan: the first of any number of shards have an instance each, the others none.
func TestShardsBeyondThePlan(t *testing.T) {
	p, err := sweeptest.Load(t, sweeptest.Base+"axes:\n  workload.jobs: {from: 1, step: 1, count: 3}\n").Plan()
	if err != nil {
		t.Fatal(err)
	}
	for _, costs := range [][]float32{nil, {1, 1, 1}, {0, 0, 0}} {
		for i, want := range map[int]int{0: 1, 1: 1, 2: 1, 3: 0, math.MaxInt - 1: 0} {
			s := p.Deal(i, math.MaxInt, costs)
			if s.Len() != want || want > 0 && s.At(0) != i {
				t.Errorf("shard %d with costs %v has %d instances", i, costs, s.Len())
			}
		}
	}
}

// TestLongestFirst is the example of Graham, Bounds on multiprocessing timing
// anomalies (1969), in which longest first is worst: 5 5 4 4 3 3 3 on three shards
// take 11 and could take 9.
func TestLongestFirst(t *testing.T) {
	p, err := sweeptest.Load(t, sweeptest.Base+"axes:\n  workload.jobs: {from: 1, step: 1, count: 7}\n").Plan()
	if err != nil {
		t.Fatal(err)
	}
	costs := []float32{3, 5, 4, 3, 5, 3, 4}
	for i, want := range []float32{11, 8, 8} {
		got := float32(0)
		for k, s := 0, p.Deal(i, 3, costs); k < s.Len(); k++ {
			got += costs[s.At(k)]
		}
		if got != want {
			t.Errorf("shard %d takes %g, want %g", i, got, want)
		}
	}
}

func TestShardOutOfRangeIsAnError(t *testing.T) {
	for _, s := range [][2]int{{-1, 2}, {2, 2}, {0, 0}} {
		if sweep.CheckShard(s[0], s[1]) == nil {
			t.Errorf("shard %d of %d is accepted", s[0], s[1])
		}
	}
}

func TestCountsOfProductAndZip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		a, b := rapid.IntRange(1, 12).Draw(rt, "a"), rapid.IntRange(1, 12).Draw(rt, "b")
		text := fmt.Sprintf("%saxes:\n  workload.jobs: {from: 1, step: 1, count: %d}\n  workload.alpha: {from: 1, step: 1, count: %d}\n  "+
			"platform.bandwidth: {from: 1, step: 1, count: %d}\nzip: [[workload.jobs, platform.bandwidth]]\n", sweeptest.Base, a, b, a)
		if got := len(sweeptest.IDs(t, sweeptest.Load(t, text))); got != a*b {
			rt.Fatalf("%d instances, want %d", got, a*b)
		}
		seen := map[sweep.ID]bool{}
		for _, id := range sweeptest.IDs(t, sweeptest.Load(t, text)) {
			if seen[id] {
				rt.Fatalf("id %s occurs twice", id)
			}
			seen[id] = true
		}
	})
}

func TestIDsDoNotDependOnTheOrderOfAxes(t *testing.T) {
	lines := []string{"  workload.jobs: [1, 2]\n", "  policy.kind: [easy, fcfs]\n", "  platform.bandwidth: [1Gbps, 10Gbps]\n",
		"  workload.alpha: [1, 2]\n"}
	want := sortedIDs(t, sweeptest.Base+"axes:\n"+strings.Join(lines, ""))
	rapid.Check(t, func(rt *rapid.T) {
		shuffled := rapid.Permutation(lines).Draw(rt, "axes")
		if diff := cmp.Diff(want, sortedIDs(t, sweeptest.Base+"axes:\n"+strings.Join(shuffled, ""))); diff != "" {
			rt.Fatal(diff)
		}
	})
}

func sortedIDs(t testing.TB, text string) []string {
	var out []string
	for _, id := range sweeptest.IDs(t, sweeptest.Load(t, text)) {
		out = append(out, id.String())
	}
	slices.Sort(out)
	return out
}

func TestAtIsSafeForConcurrentUse(t *testing.T) {
	m := sweeptest.Load(t, sweeptest.Base+"axes:\n  workload.jobs: {from: 1, step: 1, count: 300}\n  workload.alpha: {from: 1, step: 1, "+
		"count: 300}\n")
	p, _ := m.Plan() // of more variants than are stored, so that they are decoded on demand
	var want sweep.Instance
	p.At(70_001, &want)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			var in sweep.Instance
			for range 200 {
				if p.At(70_001, &in); in.ID != want.ID || in.Values[0] != want.Values[0] {
					t.Errorf("id %s, want %s", in.ID, want.ID)
				}
			}
		})
	}
	wg.Wait()
}

// BenchmarkPlanMillion makes the plan of a million instances of five axes over
// three sections and visits them all, ids included. Target: 1 s an operation on
// one core, and memory that does not grow with the instances.
func BenchmarkPlanMillion(b *testing.B) {
	text := sweeptest.Base + `replications: 10
axes:
  workload.jobs: {from: 1, step: 1, count: 20}
  workload.alpha: {from: 1, step: 1, count: 10}
  platform.bandwidth: {from: 1, step: 1, count: 10}
  policy.reservations: {from: 1, step: 1, count: 25}
  workload.load_factor: [1, 2]
`
	b.ReportAllocs()
	for b.Loop() {
		m := sweeptest.Load(b, text)
		p, err := m.Plan()
		if err != nil || p.Len() != 1_000_000 {
			b.Fatal(p.Len(), err)
		}
		var in sweep.Instance
		for i := range p.Len() {
			p.At(i, &in)
		}
	}
	b.ReportMetric(1e6*float64(b.N)/b.Elapsed().Seconds(), "instances/s")
}

// BenchmarkManyBlocks loads and plans 8,000 blocks with a point each. Target: 1 s an operation on one core. It took 5 s, and
// 16 times as long for 4 times as many.
func BenchmarkManyBlocks(b *testing.B) {
	var all strings.Builder
	all.WriteString("name: blocks\nworkload: {kind: lublin, jobs: 60}\npolicy: {kind: easy}\nblocks:\n")
	for i := range 8000 {
		fmt.Fprintf(&all, "- {axes: {workload.load_factor: [%g]}}\n", 1+float64(i)/1000)
	}
	for b.Loop() {
		if p, err := sweeptest.Load(b, all.String()).Plan(); err != nil || p.Len() != 8000 {
			b.Fatal(p.Len(), err)
		}
	}
}

// BenchmarkDealMillion deals a million instances whose costs are known to 40 shards,
// and lists one. Target: 1 s an operation on one core, 16 bytes an instance.
func BenchmarkDealMillion(b *testing.B) {
	p, err := sweeptest.Load(b, sweeptest.Base+"replications: 1000\naxes: {workload.jobs: {from: 1, step: 1, count: 1000}}\n").Plan()
	if err != nil {
		b.Fatal(err)
	}
	costs := make([]float32, p.Len())
	for i := range costs {
		costs[i] = float32(i/1000*7919%1000 + 1)
	}
	b.ReportAllocs()
	for b.Loop() {
		if p.Deal(3, 40, costs).Len() == 0 {
			b.Fatal("an empty shard")
		}
	}
}

// TestKeepIDs: kept ids equal the ids that the plan makes, also for a plan that is made from a plan with kept ids.
func TestKeepIDs(t *testing.T) {
	const text = sweeptest.Base + "replications: 3\naxes: {workload.jobs: [40, 80], policy.kind: [fcfs, easy]}\n"
	fresh, m := sweeptest.Load(t, text), sweeptest.Load(t, text)
	plan, _ := fresh.Plan()
	kept, _ := m.Plan()
	ids := kept.KeepIDs()
	first, _ := m.First(2).Plan()
	var want, got sweep.Instance
	for i := range plan.Len() {
		plan.At(i, &want)
		if kept.At(i, &got); got.ID != want.ID || ids[i] != want.ID {
			t.Fatalf("instance %d has the id %v, with kept ids %v and %v", i, want.ID, got.ID, ids[i])
		}
		if kept.Locate(i, &got); got.ID != (sweep.ID{}) || got.Index != i || got.Replication != want.Replication {
			t.Fatalf("instance %d without its id is %d, replication %d, id %v", i, got.Index, got.Replication, got.ID)
		}
	}
	for i := range first.Len() {
		plan.At(i/2*3+i%2, &want)
		if first.At(i, &got); got.ID != want.ID {
			t.Errorf("instance %d of two replications has the id %v, want %v", i, got.ID, want.ID)
		}
	}
}

// TestAtInAnyOrder: an instance that was used before equals a new one.
func TestAtInAnyOrder(t *testing.T) {
	const text = sweeptest.Base + "replications: 3\naxes: {workload.jobs: [40, 80], policy.kind: [fcfs, easy]}\n"
	m := sweeptest.Load(t, text)
	plan, _ := m.Plan()
	other, _ := m.First(2).Plan()
	var used sweep.Instance
	for k := range 500 {
		p := plan
		if k%7 == 0 {
			p = other
		}
		i := k * 5 % p.Len()
		if k%3 > 0 {
			i = min(used.Index+1, p.Len()-1)
		}
		var fresh sweep.Instance
		p.At(i, &fresh)
		if p.At(i, &used); !reflect.DeepEqual(used, fresh) {
			t.Fatalf("look %d: instance %d is %v, want %v", k, i, used, fresh)
		}
	}
}
