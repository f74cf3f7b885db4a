package multifactor

import (
	"math/rand/v2"
	"testing"
)

// TestWalksForgetTheirOrder: factors do not depend on the order in which earlier walks left the nodes. A new tree with the same usage has
// the same factors, also where levels are equal.
func TestWalksForgetTheirOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 1))
	for range 300 {
		var kept Tree
		parents, shares, users, used := []int{0}, []float64{0}, []bool{false}, []float64{0}
		for range 2 + rng.IntN(40) {
			parent := rng.IntN(len(parents))
			for users[parent] {
				parent = parents[parent]
			}
			parents, shares = append(parents, parent), append(shares, float64(rng.IntN(3)))
			users, used = append(users, rng.IntN(3) > 0), append(used, 0)
		}
		build := func(tree *Tree) {
			for n := 1; n < len(parents); n++ {
				tree.add(parents[n], shares[n], false)
				if users[n] {
					tree.nodes[n].user = true
					tree.users++
				}
			}
		}
		build(&kept)
		for range 12 {
			for n := range parents {
				if users[n] && rng.IntN(3) == 0 {
					usage := float64(rng.IntN(3))
					kept.Charge(n, usage)
					used[n] += usage
				}
			}
			kept.Rank()
			var fresh Tree
			build(&fresh)
			for n, usage := range used {
				if users[n] {
					fresh.Charge(n, usage)
				}
			}
			fresh.Rank()
			for n := range parents {
				if users[n] && kept.Factor(n) != fresh.Factor(n) {
					t.Fatalf("user %d has the factor %g, and %g in a new tree", n, kept.Factor(n), fresh.Factor(n))
				}
			}
		}
	}
}
