package input_test

import (
	"os"
	"path/filepath"
	"testing"

	"schedsweep/harness/harnesstest"
	"schedsweep/harness/input"
	"schedsweep/sweep"
)

// A parent may be named by a path from the folder of the child, or by a whole one.
func TestParentsByPath(t *testing.T) {
	folder := t.TempDir()
	parent := filepath.Join(folder, "parent.yaml")
	if err := os.WriteFile(parent, []byte("name: p\nworkload: {kind: lublin, jobs: 3}\npolicy: {kind: fcfs}\nplatform: {preset: "+
		"griffon-8x16}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(folder, "sub")
	if err := os.Mkdir(elsewhere, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../parent.yaml", filepath.ToSlash(parent)} {
		child := filepath.Join(elsewhere, "child.yaml")
		if err := os.WriteFile(child, []byte("extends: "+name+"\nname: c\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, _, err := input.Load(child, input.Options{}); err != nil {
			t.Errorf("extends: %s: %v", name, err)
		}
	}
}

// Shares may be in percent in fields, axes, selections and the analysis. Columns have no unit for it.
func TestSharesInPercent(t *testing.T) {
	manifest := func(low, high string) string {
		return "name: p\nworkload: {kind: lublin, jobs: 3, batch: {serial: " + low + "}}\npolicy: {kind: easy}\naxes:\n" +
			"  workload.offered_load: [" + low + ", " + high + "]\nmetrics: [utilisation]\nanalysis:\n  quantiles: [" + low + "]\n" +
			"  figures: [{id: f, kind: means, x: workload.offered_load, y: utilisation, " +
			"where: {workload.offered_load: {from: " + low + ", to: " + high + "}}}]\n" +
			"claims: [{id: c, mean: {metric: utilisation, of: {workload.offered_load: " + high + "}}, above: 0.1}]\n"
	}
	plain, _ := harnesstest.Loaded(t, manifest("0.3", "0.7"))
	percent, _ := harnesstest.Loaded(t, manifest("30%", "70 %"))
	a, b := harnesstest.PlanOf(t, plain), harnesstest.PlanOf(t, percent)
	var x, y sweep.Instance
	for i := range a.Len() {
		a.At(i, &x)
		b.At(i, &y)
		if x.ID != y.ID {
			t.Errorf("instance %d has another id with 30%% and 70 %% than with 0.3 and 0.7", i)
		}
	}
	if unit := percent.Axes[0].Unit; unit != "" {
		t.Errorf("the column of a share has the unit %q", unit)
	}
}
