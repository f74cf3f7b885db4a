package analysis

import (
	"math/rand/v2"
	"testing"

	"schedsweep/sweep"
	"schedsweep/sweep/sweeptest"
)

// TestInstancesOfAQuestion: a side that is also a point of the other side has its instances once.
func TestInstancesOfAQuestion(t *testing.T) {
	m := sweeptest.Load(t, `name: shared
workload: {kind: lublin, jobs: 10}
policy: {kind: easy}
axes: {platform.bandwidth: [64, 68, 72, 76, 80]}
find:
  - id: n
    crossing: {metric: mean_wait, by: platform.bandwidth, scale: log, growth: 50 %, of: {}, to: {platform.bandwidth: 80}}
    half_width: 2
    most: 60
`)
	q, err := NewInquiry(m, func(_ *sweep.Instance, most int) (int, error) { return most, nil })
	if err != nil {
		t.Fatal(err)
	}
	there := map[sweep.ID]float64{}
	if _, done, err := q.Look(func(id sweep.ID) ([]float64, bool) {
		if _, known := there[id]; !known {
			there[id] = 100 + rand.New(rand.NewPCG(uint64(len(there)), 1)).Float64()
		}
		return []float64{there[id]}, true
	}); err != nil || !done {
		t.Fatal(done, err)
	}
	if got := q.Questions[0]; got.Instances != len(there) || got.Lacking != 0 {
		t.Errorf("%d instances, %d lacking, of %d", got.Instances, got.Lacking, len(there))
	}
}
