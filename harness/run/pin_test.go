package run_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"schedsweep/harness/input"
	"schedsweep/sim/simtest"
	"schedsweep/sweep"
)

// Of every manifest of the studies, --set of an axis leaves the instances that the plan lists under that value or
// label. It overrides only blocks that do not vary the axis.
func TestPinsOfTheStudies(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	traces := simtest.Data(t)
	load := func(path string, set ...string) (*sweep.Manifest, error) {
		m, _, err := input.Load(path, input.Options{Data: []string{traces}, Set: append(set, "replications=1")})
		return m, err
	}
	paths, err := filepath.Glob("../../manifests/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	pins := 0
	for _, path := range paths {
		m, err := load(path)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := m.Plan()
		if err != nil {
			t.Fatal(err)
		}
		if plan.Len() > 2000 {
			continue // too large: even one replication takes long
		}
		blocks := strings.Contains(string(m.Resolved()), "\nblocks:")
		for k, axis := range plan.Axes() {
			for i, v := range axis.Values {
				if v.Null || i >= simtest.Cases(2, 4) {
					continue
				}
				name := v.String()
				if i < len(axis.Labels) && axis.Labels[i] != "" {
					name = axis.Labels[i]
				}
				pinned, err := load(path, axis.Path+"="+name)
				if err != nil {
					if !blocks { // the other blocks, which it overrides, may refuse a value that suits one block
						t.Errorf("%s: --set %s=%s: %v", path, axis.Path, name, err)
					}
					continue
				}
				pins++
				got, err := pinned.Plan()
				if err != nil {
					t.Fatal(err)
				}
				var want, have []sweep.ID
				varied := true // every point has a value of the axis
				for _, in := range plan.All() {
					varied = varied && !in.Values[k].Null
					if in.Values[k] == v {
						want = append(want, in.ID)
					}
				}
				for _, in := range got.All() {
					have = append(have, in.ID)
				}
				for _, id := range want {
					if !slices.Contains(have, id) {
						t.Errorf("%s: --set %s=%s loses instance %s", path, axis.Path, name, id)
					}
				}
				if varied && !blocks && len(have) != len(want) {
					t.Errorf("%s: --set %s=%s has %d instances, the plan lists %d", path, axis.Path, name, len(have), len(want))
				}
			}
		}
	}
	t.Logf("%d pins", pins)
}

// workload.jobs is a number in the models and a list in kind list: pinning an axis
// of it must not compare by the list.
func TestPinJobs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.yaml")
	text := "name: m\nseed: 1\nworkload: {kind: lublin, mode: typeless}\npolicy: {kind: fcfs}\naxes: {workload.jobs: {from: 100, to: 400, " +
		"count: 4}, workload.offered_load: [.5, .6, .7, .8]}\nzip: [[workload.jobs, workload.offered_load]]\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	m, _, err := input.Load(path, input.Options{Set: []string{"workload.jobs=300"}})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := m.Plan()
	if err != nil || plan.Len() != 1 {
		t.Fatalf("%v, %d instances, want 1", err, plan.Len())
	}
	for _, inst := range plan.All() {
		if inst.Values[0].I != 300 || inst.Values[1].F != .7 {
			t.Fatalf("%v", inst.Values)
		}
	}
}
