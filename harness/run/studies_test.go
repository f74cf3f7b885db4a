package run_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"schedsweep/harness/input"
	"schedsweep/harness/run"
	"schedsweep/harness/store/golden"
	"schedsweep/sim/simtest"
)

// TestRowsOfTheStudies plays three instances of each study. Their ids and some of their numbers are in a file, so that no change of these
// goes unnoticed: the ids of published rows stay, and so do their numbers. Nine digits are the same on all machines.
func TestRowsOfTheStudies(t *testing.T) {
	if simtest.Cases(0, 1) == 0 {
		t.Skip("slow: CI plays them (SCHEDSWEEP_CASES=all)")
	}
	traces := simtest.Data(t)
	paths, err := filepath.Glob("../../manifests/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	var b strings.Builder
	for _, path := range paths {
		m, files, err := input.Load(path, input.Options{Data: []string{traces}})
		if err != nil {
			t.Fatal(err)
		}
		plan, err := m.Plan()
		if err != nil {
			t.Fatal(err)
		}
		for k := range 3 {
			index := k * (plan.Len() - 1) / 2
			s, err := run.Simulate(context.Background(), plan, files, index, run.Kept{})
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			fmt.Fprintf(&b, "%s %d %s", strings.TrimSuffix(filepath.Base(path), ".yaml"), index, s.ID)
			for _, v := range s.Metrics {
				switch v.Name {
				case "makespan", "mean_wait_time", "mean_response_time", "max_bounded_slowdown":
					fmt.Fprintf(&b, " %s %.9g", v.Name, v.Value)
				}
			}
			b.WriteByte('\n')
		}
	}
	golden.Check(t, "testdata/studies.txt", b.String())
}
