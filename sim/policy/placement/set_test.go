package placement

import (
	"cmp"
	"math/bits"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedsweep/sim"
)

// bitsOf makes a set from processor numbers.
func bitsOf(total int, procs ...int) []uint64 {
	s := make([]uint64, (total+63)/64)
	for _, p := range procs {
		s[p/64] |= 1 << (p % 64)
	}
	return s
}

// procsOf lists the processors of a set.
func procsOf(s []uint64) []int {
	list := []int{}
	for p := range 64 * len(s) {
		if s[p/64]>>(p%64)&1 == 1 {
			list = append(list, p)
		}
	}
	return list
}

func machineOf(t rapid.TB, n, size int) *sim.Platform {
	cs := make([]sim.Cluster, n)
	for i := range cs {
		cs[i] = sim.Cluster{Name: string(rune('a' + i)), Nodes: size, Cores: 1, Speed: 1}
	}
	p, err := sim.NewPlatform("machine", cs, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func ruleFor(t rapid.TB, name string, n, size int) *rule {
	r, err := newRule(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.reset("", machineOf(t, n, size).Clusters); err != nil {
		t.Fatal(err)
	}
	return &r
}

// TestRules chooses among 0 1 | 4 5 6 | 8 9 | 12 13 14 15 of four clusters of
// four. The runs of consecutive processors are 0-1, 4-6, 8-9 and 12-15; the
// clusters hold 2, 3, 2 and 4.
func TestRules(t *testing.T) {
	free := bitsOf(16, 0, 1, 4, 5, 6, 8, 9, 12, 13, 14, 15)
	for _, c := range []struct {
		rule string
		q    int
		want []int // nil: refused
	}{
		{"basic", 4, []int{0, 1, 4, 5}},
		{"best-effort-contiguous", 3, []int{12, 13, 14}},
		{"best-effort-contiguous", 6, []int{4, 5, 12, 13, 14, 15}},
		{"best-effort-contiguous", 8, []int{0, 4, 5, 6, 12, 13, 14, 15}}, // 0-1 before 8-9
		{"contiguous", 2, []int{0, 1}},
		{"contiguous", 3, []int{4, 5, 6}}, // first, not longest
		{"contiguous", 5, nil},
		{"best-effort-local", 2, []int{12, 13}},
		{"best-effort-local", 8, []int{0, 4, 5, 6, 12, 13, 14, 15}}, // cluster 0 before 2
		{"local", 4, []int{12, 13, 14, 15}},
		{"local", 5, []int{4, 12, 13, 14, 15}}, // two clusters, neither adjacent nor empty
		{"local", 7, []int{4, 5, 6, 12, 13, 14, 15}},
		{"local", 8, nil}, // two clusters hold 7
		{"local", 9, []int{0, 1, 4, 5, 6, 12, 13, 14, 15}},
	} {
		got := make([]uint64, 1)
		if ok := ruleFor(t, c.rule, 4, 4).choose(got, free, c.q); ok != (c.want != nil) {
			t.Errorf("%s of %d: %v, want %v", c.rule, c.q, ok, c.want)
		} else if ok && !slices.Equal(procsOf(got), c.want) {
			t.Errorf("%s of %d: %v, want %v", c.rule, c.q, procsOf(got), c.want)
		}
	}
}

// PlainChoice is the rules once more, on lists.
func PlainChoice(name string, free []int, q, size int) ([]int, bool) {
	groups, most := [][]int(nil), len(free)
	switch name {
	case "basic":
		groups = [][]int{free}
	case "best-effort-contiguous", "contiguous":
		for i, p := range free {
			if i == 0 || free[i-1] != p-1 {
				groups = append(groups, nil)
			}
			groups[len(groups)-1] = append(groups[len(groups)-1], p)
		}
	default:
		for _, p := range free {
			for len(groups) <= p/size {
				groups = append(groups, nil)
			}
			groups[p/size] = append(groups[p/size], p)
		}
		if name == "local" {
			most = (q + size - 1) / size
		}
	}
	if name == "contiguous" {
		for _, g := range groups {
			if len(g) >= q {
				return g[:q], true
			}
		}
		return nil, false
	}
	slices.SortStableFunc(groups, func(a, b []int) int { return cmp.Compare(len(b), len(a)) })
	var got []int
	for _, g := range groups[:min(most, len(groups))] {
		got = append(got, g[:min(len(g), q-len(got))]...)
	}
	slices.Sort(got)
	return got, len(got) == q
}

func TestRulesEqualPlainOnes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clusters, size := rapid.IntRange(1, 7).Draw(t, "clusters"), rapid.IntRange(1, 50).Draw(t, "size")
		total := clusters * size
		var free []int
		for p := range total {
			if rapid.IntRange(0, 3).Draw(t, "free") > 0 {
				free = append(free, p)
			}
		}
		if len(free) == 0 {
			t.Skip("nothing free")
		}
		q := rapid.IntRange(1, len(free)).Draw(t, "q")
		name := rapid.SampledFrom(Names).Draw(t, "rule")
		r, err := newRule(name)
		if err != nil {
			t.Fatal(err)
		}
		cs := make([]sim.Cluster, clusters)
		for i := range cs {
			cs[i] = sim.Cluster{Nodes: size, Cores: 1, Speed: 1}
		}
		p, err := sim.NewPlatform("drawn", cs, sim.Link{})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.reset(p.Name, p.Clusters); err != nil {
			t.Fatal(err)
		}
		got := make([]uint64, (total+63)/64)
		ok := r.choose(got, bitsOf(total, free...), q)
		want, wantOK := PlainChoice(name, free, q, size)
		if ok != wantOK || ok && !slices.Equal(procsOf(got), want) {
			t.Fatalf("%s of %d of %v in clusters of %d: %v %v, want %v %v", name, q, free, size, procsOf(got), ok, want, wantOK)
		}
		if ok {
			var listed []int
			for _, sp := range Set(got).appendSpans(nil, 0) {
				for p := sp.Lo; p <= sp.Hi; p++ {
					listed = append(listed, int(p))
				}
			}
			if diff := gocmp.Diff(want, listed); diff != "" {
				t.Fatalf("spans (-want +got):\n%s", diff)
			}
		}
	})
}

// TestProfileEqualsTable compares the profile with a table of every second.
func TestProfileEqualsTable(t *testing.T) {
	const horizon = 40
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.IntRange(1, 130).Draw(t, "total")
		var p profile
		p.reset((total+63)/64, total, total, 0)
		table := make([][]bool, horizon)
		for i := range table {
			table[i] = make([]bool, total)
			for k := range table[i] {
				table[i][k] = true
			}
		}
		type held struct {
			a, b  int
			procs []int
		}
		var all []held
		now := 0
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			if len(all) > 0 && rapid.Bool().Draw(t, "give") {
				i := rapid.IntRange(0, len(all)-1).Draw(t, "which")
				h := all[i]
				all = slices.Delete(all, i, i+1)
				if h.b > now {
					p.give(float64(max(h.a, now)), float64(h.b), bitsOf(total, h.procs...), len(h.procs))
				}
				for s := max(h.a, now); s < h.b; s++ {
					for _, k := range h.procs {
						table[s][k] = true
					}
				}
			} else {
				h := held{a: rapid.IntRange(now, horizon-2).Draw(t, "from")}
				h.b = rapid.IntRange(h.a, horizon-1).Draw(t, "to")
				for k := range total {
					free := rapid.Bool().Draw(t, "wants")
					for s := h.a; s < h.b; s++ {
						free = free && table[s][k]
					}
					if free {
						h.procs = append(h.procs, k)
					}
				}
				if len(h.procs) == 0 {
					continue
				}
				p.take(float64(h.a), float64(h.b), bitsOf(total, h.procs...), len(h.procs))
				for s := h.a; s < h.b; s++ {
					for _, k := range h.procs {
						table[s][k] = false
					}
				}
				all = append(all, h)
			}
			now = rapid.IntRange(now, min(now+2, horizon-2)).Draw(t, "now")
			p.advance(float64(now))
			if p.intervals[0].start != float64(now) {
				t.Fatalf("the profile begins at %g at time %d", p.intervals[0].start, now)
			}
			for s := now; s < horizon; s++ {
				i := p.find(float64(s))
				for k := range total {
					if p.of(i)[k/64]>>(k%64)&1 == 1 != table[s][k] {
						t.Fatalf("at %d processor %d is free: %v, want %v", s, k, !table[s][k], table[s][k])
					}
				}
				if int(p.intervals[i].free) != count(p.of(i)) {
					t.Fatalf("at %d %d processors are free, the profile counts %d", s, count(p.of(i)), p.intervals[i].free)
				}
			}
			for i := 1; i < len(p.intervals); i++ {
				if slices.Equal(p.of(i-1), p.of(i)) {
					t.Fatalf("pieces %d and %d are equal", i-1, i)
				}
			}
			if used := len(p.intervals) + len(p.idle); used*p.words != len(p.arena) {
				t.Fatalf("%d sets in use or idle, %d words in the arena", used, len(p.arena))
			}
		}
	})
}

// count returns the number of processors in s.
func count(s []uint64) int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// A set has the numbers that were put into it, and gives the lowest first.
func TestSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 150
		var s, taken Set
		s, taken = s.Resized(n), taken.Resized(n)
		in := map[int]bool{}
		for _, k := range rapid.SliceOf(rapid.IntRange(0, n-1)).Draw(t, "nodes") {
			s.Add(k)
			in[k] = true
		}
		if s.Len() != len(in) {
			t.Fatalf("%d nodes, want %d", s.Len(), len(in))
		}
		k := rapid.IntRange(0, len(in)).Draw(t, "take")
		s.TakeLowest(k, taken)
		if taken.Len() != k || s.Len() != len(in)-k || s.Meets(taken) {
			t.Fatalf("took %d and left %d of %d nodes", taken.Len(), s.Len(), len(in))
		}
		highest := -1
		taken.Each(func(node int) bool { highest = node; return in[node] })
		s.Each(func(node int) bool {
			if !in[node] || node < highest {
				t.Fatalf("node %d was left and %d was taken", node, highest)
			}
			return true
		})
	})
}

// TestRanges compares ranges and the search downwards with single numbers.
func TestRanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const total = 300
		lo := rapid.IntRange(0, total).Draw(t, "lo")
		hi := rapid.IntRange(lo, total).Draw(t, "hi")
		var want []int
		for _, p := range rapid.SliceOfDistinct(rapid.IntRange(0, total-1), rapid.ID[int]).Draw(t, "others") {
			if p < lo || p >= hi {
				want = append(want, p)
			}
		}
		slices.Sort(want)
		s := Set(bitsOf(total, want...))
		for n := range total {
			if at, found := slices.BinarySearch(want, n); found != s.has(n) {
				t.Errorf("has(%d) is %t", n, s.has(n))
			} else if found && s.last(n) != n || !found && at > 0 && s.last(n) != want[at-1] {
				t.Errorf("last(%d) is %d", n, s.last(n))
			}
		}
		s.addRange(lo, hi)
		if n := s.Len(); n != len(want)+hi-lo {
			t.Errorf("%d numbers after adding %d to %d", n, lo, hi-1)
		}
		s.dropRange(lo, hi)
		if d := gocmp.Diff(procsOf(bitsOf(total, want...)), procsOf(s)); d != "" {
			t.Error(d)
		}
	})
}
