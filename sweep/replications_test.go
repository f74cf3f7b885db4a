package sweep_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sweep"
	"schedsweep/sweep/sweeptest"
)

// pointOf names the point of an instance of a plan of test manifests: the hashes of its sections.
func pointOf(in *sweep.Instance) string {
	s := ""
	for _, r := range in.Sections {
		s += fmt.Sprintf("%x", r.Hash)
	}
	return s
}

const twoBlocks = sweeptest.Base + "seed: 7\nreplications: 2\nblocks:\n  - axes: {workload.jobs: [1, 2]}\n  - replications: 5\n    " +
	"axes: {workload.jobs: [3]}\n"

func TestBlocksHaveTheirOwnReplications(t *testing.T) {
	tests := []struct {
		name, text, want string // jobs:replications of each point, in order
		set              []string
		fewest, most     int
	}{
		{"own and the manifest's", twoBlocks, "1:2 2:2 3:5", nil, 2, 5},
		{"--set is for all blocks", twoBlocks, "1:3 2:3 3:3", []string{"replications=3"}, 3, 3},
		{"fewer than the manifest's", strings.Replace(twoBlocks, "replications: 5", "replications: 1", 1), "1:2 2:2 3:1", nil, 1, 2},
		{"a repeated point has the most", strings.Replace(twoBlocks, "[3]", "[2, 3]", 1), "1:2 2:5 3:5", nil, 2, 5},
		{"a repeated point has the most, in any order", sweeptest.Base + "blocks:\n  - replications: 5\n    axes: {workload.jobs: [2, 3]}\n  " +
			"- axes: {workload.jobs: [1, 2]}\n", "2:5 3:5 1:1", nil, 1, 5},
		{"a block that loses all its points", sweeptest.Base + "blocks:\n  - axes: {workload.jobs: [1]}\n  - replications: 2\n    axes: " +
			"{workload.jobs: [1, 2]}\n", "1:2 2:2", nil, 2, 2},
		{"cuts", sweeptest.Base + "blocks:\n  - replications: 3\n    axes: {workload.jobs: [1, 2, 3], policy.kind: [easy, fcfs]}\n    " +
			"exclude: [{workload.jobs: 2}, {policy.kind: fcfs}]\n  - axes: {workload.jobs: [4]}\n", "1:3 3:3 4:1", nil, 1, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := sweeptest.Load(t, tt.text, tt.set...)
			var got []string
			count := map[string]int{}
			for i, in := range sweeptest.Instances(t, m) {
				if in.Index != i || in.Replication != count[pointOf(&in)] {
					t.Errorf("instance %d: index %d, replication %d, want %d", i, in.Index, in.Replication, count[pointOf(&in)])
				}
				if count[pointOf(&in)]++; in.Replication == in.Replications-1 {
					got = append(got, fmt.Sprintf("%v:%d", in.Values[0], in.Replications))
				}
			}
			if g := strings.Join(got, " "); g != tt.want {
				t.Errorf("points %s, want %s", g, tt.want)
			}
			p, _ := m.Plan()
			if fewest, most := p.Replications(); fewest != tt.fewest || most != tt.most {
				t.Errorf("%d to %d replications, want %d to %d", fewest, most, tt.fewest, tt.most)
			}
		})
	}
}

// An instance is the same however many others its block has, and shards hold each of them once.
func TestReplicationsOfBlocksGrow(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.SliceOfN(rapid.IntRange(1, 6), 3, 3).Draw(rt, "replications")
		more := rapid.SliceOfN(rapid.IntRange(0, 6), 3, 3).Draw(rt, "more")
		text := func(n ...int) string {
			return sweeptest.Base + fmt.Sprintf("seed: 3\nblocks:\n  - {replications: %d, axes: {workload.jobs: [1, 2]}}\n  - {replications: %d, "+
				"axes: {workload.jobs: [2, 3]}}\n  - {replications: %d, axes: {workload.alpha: [4]}}\n", n[0], n[1], n[2])
		}
		ids := func(m *sweep.Manifest) map[string][]sweep.ID {
			out := map[string][]sweep.ID{}
			for _, in := range sweeptest.Instances(t, m) {
				if len(out[pointOf(&in)]) != in.Replication {
					rt.Fatalf("replication %d comes after %d others", in.Replication, len(out[pointOf(&in)]))
				}
				out[pointOf(&in)] = append(out[pointOf(&in)], in.ID)
			}
			return out
		}
		small, large := sweeptest.Load(t, text(n...)), sweeptest.Load(t, text(n[0]+more[0], n[1]+more[1], n[2]+more[2]))
		was, is := ids(small), ids(large)
		if len(was) != len(is) {
			rt.Fatalf("%d points become %d", len(was), len(is))
		}
		for point, first := range was {
			if len(is[point]) < len(first) || !slices.Equal(is[point][:len(first)], first) {
				rt.Fatalf("replications %v with %v more change the first instances of a point", n, more)
			}
		}
		shards := rapid.IntRange(1, 4).Draw(rt, "shards")
		seen := map[sweep.ID]bool{}
		plan, _ := large.Plan()
		var in sweep.Instance
		for s := range shards {
			share := plan.Deal(s, shards, nil)
			for k := range share.Len() {
				plan.At(share.At(k), &in)
				seen[in.ID] = true
			}
		}
		if len(seen) != plan.Len() {
			rt.Fatalf("%d shards hold %d of %d instances", shards, len(seen), plan.Len())
		}
	})
}

func TestHashKnowsTheReplicationsOfBlocks(t *testing.T) {
	if sweeptest.Load(t, twoBlocks).Hash() == sweeptest.Load(t, strings.Replace(twoBlocks, "replications: 5", "replications: 6", 1)).Hash() {
		t.Error("plans of different length have one hash")
	}
}

func TestPlansAreBounded(t *testing.T) {
	text := sweeptest.Base + "blocks:\n"
	for i := range 3 {
		text += fmt.Sprintf("  - {replications: 1000000, axes: {workload.jobs: {from: %d, step: 1, count: 400}}}\n", 1+400*i)
	}
	_, err := sweep.Load("t.yaml", []byte(text), sweeptest.Options(""))
	if err == nil || !strings.Contains(err.Error(), "at most 1000000000") {
		t.Errorf("error %v", err)
	}
}
