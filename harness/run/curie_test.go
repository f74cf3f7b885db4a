package run

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"schedsweep/harness/input"
	"schedsweep/sim/simtest"
)

// TestCurieErrorsByClass holds the moving errors of the jobs of each node class where EASY starts the largest job first, against those of
// a prototype outside this program.
func TestCurieErrorsByClass(t *testing.T) {
	if testing.Short() {
		t.Skip("a run of a whole log")
	}
	m, in, err := input.Load(filepath.Join("..", "..", "manifests", "fidelity-curie.yaml"), input.Options{Data: []string{simtest.Data(t)},
		Set: []string{"classes={thin: partition != 4 and partition != 17 and partition != 8, large: partition == 4 or partition == 17, " +
			"hybrid: partition == 8}"}})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	got, err := Simulate(t.Context(), plan, in, 2, Kept{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(got.Instance, "platform=3 and largest first,") {
		t.Fatalf("%s is another step", got.Instance)
	}
	want := map[string]float64{"moving_wait_error__thin": .504, "moving_wait_error__large": .473, "moving_wait_error__hybrid": .239}
	for _, v := range got.Metrics {
		if of, is := want[v.Name]; is {
			t.Logf("%s: %.4f", v.Name, v.Value)
			if delete(want, v.Name); !(math.Abs(v.Value-of) <= .002) {
				t.Errorf("%s is %.4f, not %.3f +- .002", v.Name, v.Value, of)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("there are no metrics %v", want)
	}
}
