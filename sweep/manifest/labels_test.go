package manifest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/sweep/params"
	"schedsweep/sweep/sweeptest"
)

const loads = sweeptest.Base + "axes:\n  workload.alpha: [{label: W1, value: 10.33}, {label: W2, value: 9.83}, 5]\n"

// A label of a plain value is a name: the column and the ids are those of the value.
func TestPlainValuesHaveLabels(t *testing.T) {
	m := sweeptest.Load(t, loads)
	if got := strings.Join(sweeptest.Rows(t, m), ";"); got != "10.33;9.83;5" {
		t.Errorf("rows %s", got)
	}
	if a := m.Axes[0]; a.Type != params.Float || a.Labelled || a.Count != 3 || !cmp.Equal(a.Labels, []string{"W1", "W2", ""}) {
		t.Errorf("axis %+v", a)
	}
	if diff := cmp.Diff(sweeptest.IDs(t, m),
		sweeptest.IDs(t, sweeptest.Load(t, sweeptest.Base+"axes: {workload.alpha: [10.33, 9.83, 5]}\n"))); diff != "" {
		t.Errorf("labels change ids:\n%s", diff)
	}
	if sweeptest.Load(t, sweeptest.Base+"axes: {workload.alpha: [1, 2]}\n").Axes[0].Labels != nil {
		t.Error("an axis without labels has some")
	}
}

func TestLabelsChoose(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"exclude: [{workload.alpha: W1}]\n", "9.83;5"},
		{"exclude: [{workload.alpha: [W2, 5]}]\n", "10.33"},
		{"exclude: [{workload.alpha: 9.830}]\n", "10.33;5"},
	} {
		if got := strings.Join(sweeptest.Rows(t, sweeptest.Load(t, loads+tt.text)), ";"); got != tt.want {
			t.Errorf("%s: rows %s, want %s", tt.text, got, tt.want)
		}
	}
	m := sweeptest.Load(t, loads+`analysis:
  baseline: {workload.alpha: W2}
  figures:
    - {id: f, x: workload.alpha, y: makespan, where: {workload.alpha: [W2, 5]}}
claims:
  - {id: c, mean: {metric: makespan, of: {workload.alpha: W1}, where: {workload.alpha: {from: 5, to: 10}}}}
  - {id: d, order: {metric: makespan, axis: workload.alpha, values: [W2, 10.33], is: ascending}}
`)
	number := func(f float64) params.Value { return params.Value{Kind: params.Float, F: f} }
	want := []params.Value{number(9.83), number(9.83), number(5), number(10.33), number(9.83), number(10.33)}
	f, c := m.Analysis.Figures[0].Where[0], m.Claims[0].Statistic
	got := append([]params.Value{m.Analysis.Baseline[0].Value}, f.Values...)
	got = append(append(got, c.Of.Terms[0].Values...), m.Claims[1].Statistic.Values...)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if w := c.Where[0]; !w.Range || w.From != 5 || w.To != 10 {
		t.Errorf("range %+v", w)
	}
}

func TestLabelsOfBlocks(t *testing.T) {
	m := sweeptest.Load(t, sweeptest.Base+"blocks:\n  - axes: {workload.alpha: [{label: W1, value: 10.33}, 3]}\n  - axes: {workload.alpha: "+
		"[{label: W2, value: 9.83}, 10.33, 4], policy.kind: [fcfs]}\n")
	if a := m.Axes[0]; !cmp.Equal(a.Labels, []string{"W1", "", "W2", ""}) || a.Count != 4 {
		t.Errorf("axis %+v", a)
	}
	// A kind may have a label as well.
	m = sweeptest.Load(t, "name: t\nworkload: {kind: lublin}\naxes:\n  policy.kind: [{label: backfilling, value: easy}, fcfs]\n  "+
		"policy.reservations: [1, 2]\n")
	if got := strings.Join(sweeptest.Rows(t, m), ";"); got != "easy 1;easy 2;fcfs null" {
		t.Errorf("rows %s", got)
	}
}

func TestSetOfALabel(t *testing.T) {
	for set, want := range map[string]string{"workload.alpha=W2": "W2", "workload.alpha=9.83": "W2", "workload.alpha=7": ""} {
		m := sweeptest.Load(t, loads+"claims: [{id: c, mean: {metric: makespan, of: {workload.alpha: W1}}}]\n", set)
		if a := m.Axes[0]; a.Count != 1 || strings.Join(a.Labels, "") != want {
			t.Errorf("%s: axis %+v", set, a)
		}
	}
}

// --set gives an axis some of its values by their labels, and a block that has not the axis cuts by the labels of another.
func TestLabelsOfAnAxisElsewhere(t *testing.T) {
	m := sweeptest.Load(t, loads, "axes.workload.alpha=[W2, 5, 7]")
	if a := m.Axes[0]; strings.Join(sweeptest.Rows(t, m), ";") != "9.83;5;7" || !cmp.Equal(a.Labels, []string{"W2", "", ""}) {
		t.Errorf("rows %v, axis %+v", sweeptest.Rows(t, m), a)
	}
	m = sweeptest.Load(t, sweeptest.Base+"blocks:\n  - axes: {workload.alpha: [{label: W1, value: 10.33}]}\n  - workload: {alpha: 10.33}\n "+
		"   axes: {workload.jobs: [1, 2]}\n    exclude: [{workload.alpha: W1, workload.jobs: 2}]\n")
	if got := strings.Join(sweeptest.Rows(t, m), ";"); !strings.HasSuffix(got, ";10.33 1") {
		t.Errorf("rows %s", got)
	}
}

func TestNoBlocks(t *testing.T) {
	if got := len(sweeptest.Rows(t, sweeptest.Load(t, loads+"blocks: null\n"))); got != 3 {
		t.Errorf("%d rows", got)
	}
}
