package manifest_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedsweep/sweep"
	"schedsweep/sweep/sweeptest"
)

const goneParent = `name: parent
workload: {kind: lublin, jobs: 7}
policy: {kind: easy}
axes:
  workload.alpha: [{label: low, value: 1}, {label: high, value: 2}, 3]
  policy.kind: [easy, fcfs, conservative]
metrics: [makespan]
analysis:
  baseline: {policy.kind: fcfs, workload.alpha: low}
  figures:
    - {id: all, x: workload.alpha, y: makespan, series: policy.kind}
    - {id: some, x: workload.alpha, y: makespan, where: {policy.kind: [fcfs, easy]}}
    - {id: one, x: workload.alpha, y: makespan, where: {policy.kind: fcfs}}
    - {id: high, x: policy.kind, y: makespan, where: {workload.alpha: 2}}
claims:
  - {id: mean, mean: {metric: makespan, of: {policy.kind: easy}}, above: 1}
  - {id: ratio, ratio: {metric: makespan, of: {policy.kind: easy}, to: {policy.kind: fcfs}}, above: 1}
  - {id: both, mean: {metric: makespan, of: {policy.kind: [easy, fcfs]}}, above: 1}
  - {id: labelled, mean: {metric: makespan, of: {policy.kind: easy, workload.alpha: high}}, above: 1}
`

func childOf(t *testing.T, parent, child string) *sweep.Manifest {
	t.Helper()
	m, err := sweep.Load("child.yaml", []byte("name: child\nextends: parent.yaml\n"+child),
		sweep.Options{Registry: sweeptest.Registry(), ReadFile: files{"parent.yaml": parent}.read})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func idsOf(m *sweep.Manifest) string {
	var ids []string
	for _, f := range m.Analysis.Figures {
		ids = append(ids, f.ID)
	}
	ids = append(ids, "|")
	for _, c := range m.Claims {
		ids = append(ids, c.ID)
	}
	return strings.Join(ids, " ")
}

func TestChildWithFewerValues(t *testing.T) {
	for _, c := range []struct{ child, ids, left string }{
		{"", "all some one high | mean ratio both labelled", ""},
		{"axes: {policy.kind: [conservative, easy]}", "all some high | mean labelled", "the baseline, figure one, claim ratio, claim both"},
		{"axes: {workload.alpha: [1, 3.0]}", "all some one | mean ratio both", "the baseline, figure high, claim labelled"},
		{"axes: {workload.alpha: [{label: high, value: 2}]}", "all some one high | mean ratio both labelled", "the baseline"},
		{"axes: {policy.kind: null}", "|", "the baseline, figure all, figure some, figure one, figure high, claim mean, claim ratio, " +
			"claim both, claim labelled"}, // figures about the axis that is gone, too
		{"axes: {policy.kind: [easy]}\nclaims: []", "all some high | ", "the baseline, figure one"},
	} {
		m := childOf(t, goneParent, c.child)
		if got := strings.TrimSpace(idsOf(m)); got != strings.TrimSpace(c.ids) {
			t.Errorf("%s: has %s, want %s", c.child, got, c.ids)
		}
		if got := strings.Join(m.LeftOut, ", "); got != c.left {
			t.Errorf("%s: leaves out %s, want %s", c.child, got, c.left)
		}
		if again := sweeptest.Load(t, string(m.Resolved())); idsOf(again) != idsOf(m) || len(again.LeftOut) > 0 {
			t.Errorf("%s: the resolved manifest has %s", c.child, idsOf(again))
		}
	}
}

// What the child itself says must be about what it has.
func TestChildsOwnMistakesStay(t *testing.T) {
	_, err := sweep.Load("child.yaml", []byte("name: child\nextends: parent.yaml\naxes: {policy.kind: [easy, conservative]}\n"+
		"claims:\n  - {id: own, mean: {metric: makespan, of: {policy.kind: fcfs}}, above: 1}\n"),
		sweep.Options{Registry: sweeptest.Registry(), ReadFile: files{"parent.yaml": goneParent}.read})
	if err == nil || !strings.Contains(err.Error(), `"fcfs" is no value of axis policy.kind`) {
		t.Error(err)
	}
}

// A child with some of the values of an axis has exactly the claims about these values.
func TestChildHasTheClaimsAboutItsValues(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		values := rapid.SliceOfNDistinct(rapid.IntRange(1, 40), 2, 6, rapid.ID[int]).Draw(rt, "values")
		kept := rapid.SliceOfNDistinct(rapid.SampledFrom(values), 2, len(values), rapid.ID[int]).Draw(rt, "kept")
		var axis, less, claims []string
		for _, v := range values {
			name := strconv.Itoa(v)
			axis = append(axis, name)
			if slices.Contains(kept, v) {
				less = append(less, name+".0") // the same number
			}
			claims = append(claims, "  - {id: c"+name+", mean: {metric: makespan, of: {workload.alpha: "+name+"}}, above: 1}\n")
		}
		parent := "name: p\nworkload: {kind: lublin, jobs: 7}\npolicy: {kind: easy}\nmetrics: [makespan]\naxes: {workload.alpha: [" +
			strings.Join(axis, ", ") + "]}\nclaims:\n" + strings.Join(claims, "")
		m := childOf(t, parent, "axes: {workload.alpha: ["+strings.Join(less, ", ")+"]}")
		var want, got []string
		for _, v := range values {
			if slices.Contains(kept, v) {
				want = append(want, "c"+strconv.Itoa(v))
			}
		}
		for _, c := range m.Claims {
			got = append(got, c.ID)
		}
		if diff := cmp.Diff(want, got); diff != "" || len(m.LeftOut) != len(values)-len(kept) {
			rt.Fatal(diff, m.LeftOut)
		}
	})
}
