package manifest_test

import (
	"testing"

	"schedsweep/sweep/sweeptest"
)

func TestRangeReachesItsEndsAndHasDecimalSteps(t *testing.T) {
	m := sweeptest.Load(t, sweeptest.Base+"axes:\n  workload.alpha: {from: 0.1, to: 3.3, count: 101}\n  workload.communication_factor: "+
		"{from: 0, step: 1e7, count: 40}\n")
	alpha, comm := m.Axes[0].Values, m.Axes[1].Values
	if alpha[0].F != 0.1 || alpha[100].F != 3.3 || alpha[50].F != 1.7 {
		t.Errorf("ends and middle %v %v %v, want 0.1, 3.3 and 1.7 exactly", alpha[0], alpha[100], alpha[50])
	}
	if comm[39].F != 3.9e8 {
		t.Errorf("last step %v, want 3.9e8", comm[39])
	}
}
