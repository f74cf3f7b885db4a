package sweep_test

import (
	"strings"
	"testing"

	"schedsweep/sweep"
	"schedsweep/sweep/sweeptest"
)

func TestParseID(t *testing.T) {
	id := sweeptest.One(t, sweeptest.Base).ID
	back, err := sweep.ParseID(id.String())
	if err != nil || back != id {
		t.Errorf("%s reads back as %s (%v)", id, back, err)
	}
	for _, bad := range []string{"", "12", strings.Repeat("g", 32)} {
		if _, err := sweep.ParseID(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func TestVariantsAreSharedAndDistinct(t *testing.T) {
	m := sweeptest.Load(t, sweeptest.Base+"replications: 3\naxes:\n  policy.kind: [easy, fcfs]\n  workload.jobs: [1, 2, 3]\n")
	p, _ := m.Plan()
	for section, want := range []int{3, 1, 1, 2, 1} {
		if got := len(p.Variants(section)); got != want {
			t.Errorf("section %d has %d variants, want %d", section, got, want)
		}
	}
	var a, b sweep.Instance
	p.At(0, &a)
	p.At(1, &b)
	if a.Sections[0] != b.Sections[0] {
		t.Error("replications do not share the decoded workload")
	}
}
