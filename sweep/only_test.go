package sweep_test

import (
	"testing"

	"schedsweep/sweep"
	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/sweeptest"
)

const asking = `name: asking
seed: 3
workload: {kind: lublin, jobs: 100}
axes:
  policy: [{label: first, value: {kind: fcfs}}, {label: back, value: {kind: easy}}]
`

const asked = `find:
  - {id: best, best: {metric: mean_wait, among: policy, of: {workload.load_factor: 0.6}}, margin: 0.02}
  - {id: load, threshold: {metric: mean_wait, by: workload.load_factor, within: {from: 0.2, to: 1}, step: 0.2, at_most: 60, of: {policy: back}}, half_width: 0.01}
`

// TestOnly: points that questions choose are the instances that a manifest has which lists them.
func TestOnly(t *testing.T) {
	m := sweeptest.Load(t, asking+asked)
	if n := len(m.Questions); n != 2 || len(m.Questions[0].Sides) != 2 || len(m.Questions[1].Lattice) != 5 {
		t.Fatalf("questions %+v", m.Questions)
	}
	float := func(f float64) params.Value { return params.Value{Kind: params.Float, F: f} }
	label := func(s string) params.Value { return params.Value{Kind: params.String, S: s} }
	only, err := m.Only([]manifest.Setting{
		{Values: []params.Value{label("first"), float(0.6)}, Replications: 2},
		{Values: []params.Value{label("back"), float(0.6)}, Replications: 3},
		{Values: []params.Value{label("back"), float(0.4321)}, Replications: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	if only.Hash() != m.Hash() || string(only.Resolved()) != string(m.Resolved()) {
		t.Error("the manifest of some points is another study")
	}
	plan, _ := only.Plan()
	if plan.Len() != 6 {
		t.Fatalf("%d instances", plan.Len())
	}
	grid, _ := sweeptest.Load(t, asking+"  workload.load_factor: [0.4321, 0.6]\nreplications: 3\n").Plan()
	there := map[sweep.ID]bool{}
	for _, in := range grid.All() {
		there[in.ID] = true
	}
	for i, in := range plan.All() {
		if !there[in.ID] {
			t.Errorf("instance %d is none of the grid", i)
		}
	}
	if _, err := sweeptest.Load(t, asking).Only(nil); err == nil {
		t.Error("a manifest without questions has other points")
	}
}

// TestPinnedQuestions: a question whose choice --set pins is left out, and replications are the most for a question.
func TestPinnedQuestions(t *testing.T) {
	if m := sweeptest.Load(t, asking+asked, "policy=first"); len(m.Questions) != 1 || m.Questions[0].ID != "load" {
		t.Errorf("with one policy the questions are %+v", m.Questions)
	}
	if m := sweeptest.Load(t, asking+asked, "replications=7"); m.Questions[0].Most != 7 || m.Questions[1].Most != 7 {
		t.Errorf("with 7 replications questions take %d and %d", m.Questions[0].Most, m.Questions[1].Most)
	}
}

// TestOpenAxes: an axis that changes nothing on a side needs no pin, and a side on which the chosen
// axis changes nothing is one point.
func TestOpenAxes(t *testing.T) {
	const open = `name: open
seed: 3
workload: {kind: lublin, jobs: 100}
axes:
  policy.kind: [easy, fcfs]
  policy.reservations: [1, 2, 3]
find:
  - {id: plain, mean: {metric: mean_wait, of: {policy.kind: fcfs}}, half_width: 1}
  - {id: one, mean: {metric: mean_wait, of: {policy.kind: easy, policy.reservations: 1}}, half_width: 1}
  - {id: worth, crossing: {metric: mean_wait, by: policy.reservations, of: {policy.kind: easy}, to: {policy.kind: fcfs}}, half_width: 1}
`
	m := sweeptest.Load(t, open)
	if q := m.Questions[0]; q.Sides[0][1].I != 1 {
		t.Errorf("fcfs has %v reservations", q.Sides[0][1])
	}
	if q := m.Questions[2]; !q.Sides[0][1].Null || q.Sides[1][1].Null {
		t.Errorf("the sides are %v", q.Sides)
	}
	if m := sweeptest.Load(t, open, "policy.kind=easy"); len(m.Questions) != 1 || m.Questions[0].ID != "one" {
		t.Errorf("where all have reservations, so that one question has many points and another compares them with themselves, the questions "+
			"are %+v", m.Questions)
	}
	// The side that is one point may be a point of the other side.
	level := "  - {id: level, crossing: {metric: mean_wait, by: policy.reservations, of: {policy.kind: easy}, " +
		"to: {policy.kind: easy, policy.reservations: 1}}, half_width: 1}\n"
	if m := sweeptest.Load(t, open+level); len(m.Questions) != 4 || m.Questions[3].Sides[1][1].I != 1 {
		t.Errorf("the questions are %+v", m.Questions)
	}
}
