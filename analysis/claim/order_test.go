package claim

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"schedsweep/analysis/frame"
)

// TestInOrder compares the order of observations with that of a comparison field by field.
func TestInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 50, 5000} {
		s := sample{run: &prepared{Run: &frame.Run{}, class: make([]int32, n)}}
		for row := range int32(n) {
			o := observation{cell: r.Int32N(3), replication: r.Int32N(40), row: row, x: float64(r.IntN(4)), y: r.NormFloat64()}
			switch r.IntN(8) {
			case 0:
				o.y = float64(r.IntN(3) - 1) // equal to others
			case 1:
				o.y *= math.Pow(10, float64(r.IntN(600)-300))
			case 2:
				o.x = math.NaN()
			case 3:
				o.x = math.Inf(1 - 2*r.IntN(2))
			}
			s.run.class[row] = r.Int32N(3)
			s.obs = append(s.obs, o)
		}
		want := slices.Clone(s.obs)
		slices.SortFunc(want, func(a, b observation) int {
			return cmp.Or(cmp.Compare(a.cell, b.cell), cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y), cmp.Compare(a.replication, b.replication),
				cmp.Compare(s.run.classOf(a.row), s.run.classOf(b.row)), cmp.Compare(a.row, b.row))
		})
		s.inOrder()
		for i := range want {
			if s.obs[i].row != want[i].row {
				t.Fatalf("place %d of %d has row %d, want %d", i, n, s.obs[i].row, want[i].row)
			}
		}
		if len(s.obs) != n {
			t.Errorf("%d observations of %d are left", len(s.obs), n)
		}
	}
}
