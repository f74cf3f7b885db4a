package plot

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sweep/study"
)

// TestRankingsOfOtherNamesAndScales: the best level depends neither on how levels are called nor, where levels are ranked within
// points, on the unit of a point.
func TestRankingsOfOtherNamesAndScales(t *testing.T) {
	const policies, loads, replications = 4, 2, 12
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		var wait, use [policies][loads][replications]float64
		for p := range policies {
			for l := range loads {
				for r := range replications {
					wait[p][l][r], use[p][l][r] = rng.ExpFloat64()+float64(p*l)/4, rng.Float64()
				}
			}
		}
		called := rapid.Permutation([]int{0, 1, 2, 3}).Draw(rt, "names") // of a name the policy
		for _, s := range []study.Figure{
			{Kind: "profile", X: "wait"}, {Kind: "profile", X: "use", Panels: "load"}, {Kind: "critical-difference", X: "wait"},
			{Kind: "critical-difference", X: "use", Panels: "load"}, {Kind: "pareto", X: "wait", Y: "use", Panels: "load"},
			{Kind: "pareto", X: "wait", Y: "use"},
		} {
			csv := func(names []int, factor float64) []string {
				f, d := levelled(t, policies, loads, replications, func(p, l, r int) (float64, float64) {
					w := wait[names[p]][l][r]
					if l == 1 {
						w *= factor
					}
					return w, use[names[p]][l][r]
				})
				_, text := ranked(t, f, d, s)
				for p, of := range names {
					text = strings.ReplaceAll(text, "p"+string(rune('0'+p)), "policy "+string(rune('0'+of)))
				}
				lines := strings.Split(text, "\n")
				slices.Sort(lines)
				return lines
			}
			own := csv([]int{0, 1, 2, 3}, 1)
			if other := csv(called, 1); !slices.Equal(own, other) {
				rt.Fatalf("%s of %s: called otherwise it is\n%s\nnot\n%s", s.Kind, s.X, strings.Join(other, "\n"), strings.Join(own, "\n"))
			}
			if other := csv([]int{0, 1, 2, 3}, 1024); s.Kind != "pareto" && !slices.Equal(own, other) {
				rt.Fatalf("%s of %s: with one point in another unit it is\n%s\nnot\n%s", s.Kind, s.X, strings.Join(other, "\n"),
					strings.Join(own, "\n"))
			}
		}
	})
}
