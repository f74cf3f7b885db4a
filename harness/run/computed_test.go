package run

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"schedsweep/harness/harnesstest"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/harness/store"
	"schedsweep/sweep"
)

const computedBase = `name: part
replications: 3
workload: {kind: lublin, jobs: 300}
platform: {processors: 128}
axes: {policy.kind: [fcfs, easy]}
classes: {narrow: processors <= 4}
`

// TestComputeNamed: rows of named metrics agree with whole ones. When the manifest asks for more, --complete makes
// whole rows of them. These equal the rows of a run that computed all metrics from the beginning.
func TestComputeNamed(t *testing.T) {
	load := func(text string) *sweep.Manifest {
		m, _ := harnesstest.Loaded(t, computedBase+text)
		return m
	}
	named := load("metrics: {show: [utilisation], compute: named}\nanalysis: {figures: [{id: f, x: policy.kind, y: mean_wait_time}]}\n" +
		"claims: [{id: c, mean: {metric: max_bounded_slowdown__narrow}, above: 0}]\n")
	all := load("")
	if named.Hash() != all.Hash() {
		t.Error("compute is in the manifest's hash")
	}
	run := func(m *sweep.Manifest, dir string, complete bool) (ran int, notes []string) {
		sum, err := Sweep(context.Background(), Config{Manifest: m, Inputs: input.NewFiles(), Dir: dir, Complete: complete,
			Note: func(note string) { notes = append(notes, note) }})
		if err != nil {
			t.Fatal(err)
		}
		return sum.OK, notes
	}
	part, whole := t.TempDir(), t.TempDir()
	run(named, part, false)
	run(all, whole, false)
	compare := func(m *sweep.Manifest, count int) {
		t.Helper()
		a, _, err := rows.Read(m, part)
		if err != nil {
			t.Fatal(err)
		}
		b, _, err := rows.Read(all, whole)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, c := range a.Columns {
			other := b.Column(c.Name)
			if other == nil || slices.Contains(rows.Volatile, c.Name) {
				continue
			}
			n++
			for i := range a.Rows {
				x, _ := c.Float(i)
				y, _ := other.Float(i)
				if c.IsNull(i) != other.IsNull(i) || math.Float64bits(x) != math.Float64bits(y) || c.Text(i) != other.Text(i) {
					t.Errorf("%s of row %d differs", c.Name, i)
				}
			}
		}
		if n != count {
			t.Errorf("%d columns, want %d", n, count)
		}
	}
	plan, _ := named.Plan()
	want := []string{"utilisation", "mean_wait_time", "unstable", "wait_growth", "response_growth", "slowdown_growth", "queue_growth",
		"mean_wait_time__narrow", "max_bounded_slowdown__narrow"}
	if !slices.Equal(plan.Named(), want) {
		t.Errorf("named are %v, want %v", plan.Named(), want)
	}
	compare(named, 34)
	if _, err := rows.Merge(named, part, store.LockOptions{}); err != nil {
		t.Fatal(err)
	}
	without := func(n string) bool { return strings.Contains(n, "without metrics") }
	if ran, notes := run(all, part, false); ran != 0 || !slices.ContainsFunc(notes, without) {
		t.Errorf("%d ran, notes %q", ran, notes)
	}
	if ran, _ := run(all, part, true); ran != 6 {
		t.Errorf("%d ran to complete, want 6", ran)
	}
	b, _, err := rows.Read(all, whole)
	if err != nil {
		t.Fatal(err)
	}
	compare(all, len(b.Columns)-1)
	if _, err := rows.Merge(all, part, store.LockOptions{}); err != nil { // now nulls of named rows are in one file with values
		t.Fatal(err)
	}
	compare(all, len(b.Columns)-1)
	for _, m := range []*sweep.Manifest{all, named} {
		if ran, notes := run(m, part, true); ran != 0 || len(notes) > 0 {
			t.Errorf("%d ran again, notes %q", ran, notes)
		}
		if v, err := Verify(context.Background(), Verification{Manifest: m, Inputs: input.NewFiles(), Dir: part}); err != nil || v.OK != 6 {
			t.Errorf("verified: %+v, %v", v.Summary, err)
		}
	}
}
