package sim_test

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
)

// TestEachNodeCountsProcessors draws clusters and spans, and counts the processors of each node one by one.
func TestEachNodeCountsProcessors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type place struct {
			cluster int
			node    int32
		}
		var clusters []sim.Cluster
		var of []place // processor -> its node
		nodes := int32(0)
		for c := range rapid.IntRange(1, 4).Draw(t, "clusters") {
			k := sim.Cluster{Nodes: rapid.IntRange(1, 4).Draw(t, "nodes"), Cores: rapid.IntRange(1, 5).Draw(t, "cores"), Speed: 1}
			clusters = append(clusters, k)
			for range k.Nodes {
				of = append(of, slices.Repeat([]place{{c, nodes}}, k.Cores)...)
				nodes++
			}
		}
		p, err := sim.NewPlatform("p", clusters, sim.Link{})
		if err != nil {
			t.Fatal(err)
		}
		if n := p.FirstNode(len(clusters)); n != int(nodes) {
			t.Fatalf("%d nodes, want %d", n, nodes)
		}
		var spans []sim.Span
		want, got := map[place]int32{}, map[place]int32{}
		for q := 0; q < len(of); q++ {
			lo := q
			for q < len(of) && rapid.Bool().Draw(t, "held") {
				want[of[q]]++
				q++
			}
			if q > lo {
				spans = append(spans, sim.Span{Lo: int32(lo), Hi: int32(q) - 1})
			}
		}
		p.EachNode(spans, func(c int, node, n int32) { got[place{c, node}] += n })
		if !maps.Equal(got, want) {
			t.Fatalf("of %v got %v, want %v", spans, got, want)
		}
	})
}
