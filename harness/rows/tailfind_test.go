package rows

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"schedsweep/sweep"
)

// TestTailFindsEveryRow: rows in the order of the plan, of shards, and in none are found by the ways for each, and others are not.
func TestTailFindsEveryRow(t *testing.T) {
	const n = 10_000
	r := rand.New(rand.NewPCG(3, 4))
	ids := make([]sweep.ID, n)
	for i := range ids {
		binary.BigEndian.PutUint64(ids[i][:], r.Uint64())
		ids[i][15] = byte(i)
	}
	for name, number := range map[string]func(k int) int{"plan": func(k int) int { return k },
		"ten shards": func(k int) int { return k*10%n + k*10/n }, "swapped": func(k int) int { return k ^ 24 },
		"none": func(int) int { return r.IntN(n) }} {
		tail := &Tail{ids: ids}
		for k := range n {
			if i := min(number(k), n-1); tail.find(ids[i]) != i {
				t.Fatalf("%s: instance %d is found at %d", name, i, tail.find(ids[i]))
			}
			if k == 17 && tail.find(sweep.ID{1, 2, 3}) >= 0 {
				t.Fatalf("%s: an instance of another plan is found", name)
			}
		}
		if sorted := tail.known != nil; sorted != (name == "none") {
			t.Errorf("%s: the ids are sorted: %v", name, sorted)
		}
	}
}
