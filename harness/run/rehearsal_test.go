package run

import (
	"context"
	"math"
	"testing"

	"schedsweep/harness"
	"schedsweep/harness/harnesstest"
)

const minigrid = `name: minigrid
seed: 3
workload: {kind: poisson, clusters: 4, jobs: 400}
platform: {preset: mini-grid-4}
policy: {kind: co-allocation}
engine: {at_walltime: continue}
`

// value is a metric or a measure of the manifest's first instance.
func value(t *testing.T, text, name string) float64 {
	t.Helper()
	m, in := harnesstest.Loaded(t, text)
	plan, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	s, err := Simulate(context.Background(), plan, in, 0, Kept{})
	if err != nil || s.Outcome != harness.OK {
		t.Fatal(err, s.Err)
	}
	for _, v := range s.Metrics {
		if v.Name == name {
			return v.Value
		}
	}
	t.Fatalf("no metric %s", name)
	return 0
}

// Under a measured penalty every co-allocated job has the mean penalty that the
// same instance has under the model bandwidth.
func TestMeasuredPenaltyComesFromTheSameInstance(t *testing.T) {
	const network = "computation_fraction: .5, bisection_bandwidth: 700Mbps"
	want := value(t, minigrid+"progress: {kind: bandwidth, "+network+"}\n", "coallocation_penalty")
	measured := minigrid + "progress: {kind: fixed-penalty, penalty: measured, " + network + "}\n"
	if got := value(t, measured, "coallocation_penalty"); !(want > 1.01) || !(math.Abs(got-want) <= 1e-9) {
		t.Errorf("mean penalty %v, under bandwidth %v", got, want)
	}
	if got := value(t, measured, "max_coallocation_penalty"); !(math.Abs(got-want) <= 1e-9) {
		t.Errorf("largest penalty %v, want %v", got, want)
	}
}

// Neither the number of workers nor what a worker ran before shows in the rows.
func TestMeasuredPenaltyRepeats(t *testing.T) {
	m, in := harnesstest.Loaded(t, `name: measured
seed: 3
replications: 3
workload: {kind: poisson, clusters: 4, jobs: 100}
platform: {preset: mini-grid-4}
policy: {kind: co-allocation}
progress: {kind: fixed-penalty, penalty: measured}
engine: {at_walltime: continue}
axes:
  progress.bisection_bandwidth: [100Mbps, 700Mbps, 1Gbps]
`)
	var first [32]byte
	for _, workers := range []int{1, 2, 5} {
		dir := t.TempDir()
		if sum, err := Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: dir, Workers: workers}); err != nil || sum.OK != 9 {
			t.Fatalf("%d workers: %+v, %v", workers, sum, err)
		}
		if h := harnesstest.Hash(t, dir); workers == 1 {
			first = h
		} else if h != first {
			t.Errorf("%d workers give other rows than one", workers)
		}
	}
}
