package messages

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// On 4 + 4 + 4: 2 tasks are 1 + 1, each sends all, 1*1/1; 4 are 3 + 1: 3*1/3; 9 are
// 3 + 3 + 3: 3*6/8; 11 are 4 + 4 + 3: 4*7/10; 13 do not fit.
func TestSpreadByHand(t *testing.T) {
	for tasks, want := range map[int]float64{2: 1, 4: 1, 9: 2.25, 11: 2.8, 13: math.Inf(1)} {
		if got := spread(tasks, Defaults().Clusters); got != want {
			t.Errorf("%d tasks: %g, want %g", tasks, got, want)
		}
	}
}

// All ways to stand on clusters, tried out.
func TestSpreadIsLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clusters := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Cluster { return Cluster{Processors: rapid.IntRange(1, 6).Draw(t, "n")} }), 2,
			4).Draw(t, "clusters")
		tasks := rapid.IntRange(2, 14).Draw(t, "tasks")
		want := math.Inf(1)
		var try func(k, left int, worst float64)
		try = func(k, left int, worst float64) {
			if k == len(clusters) {
				if left == 0 && worst > 0 {
					want = min(want, worst)
				}
				return
			}
			for n := 0; n <= min(left, clusters[k].Processors); n++ {
				try(k+1, left-n, max(worst, float64(n)*float64(tasks-n)/float64(tasks-1)))
			}
		}
		try(0, tasks, 0)
		if got := spread(tasks, clusters); got != want {
			t.Fatalf("%d tasks on %v: %g, want %g", tasks, clusters, got, want)
		}
	})
}
