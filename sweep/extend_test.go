package sweep_test

import (
	"strings"
	"testing"

	"schedsweep/sweep/sweeptest"
)

func TestHashIsOfInstancesOnly(t *testing.T) {
	text := "name: t\nworkload: {kind: swf, path: log.swf, load_factor: 1}\npolicy: {kind: easy}\naxes: {policy.kind: [easy, fcfs], " +
		"workload.select.jobs: [1, 2]}\n"
	want := sweeptest.Load(t, text).Hash()
	for _, set := range []string{"name=u", "title=x", "metrics=[makespan]", "analysis.confidence=0.9",
		"claims=[{id: a, mean: {metric: makespan}}]"} {
		if got := sweeptest.Load(t, text, set).Hash(); got != want {
			t.Errorf("--set %s changes the hash", set)
		}
	}
	for _, set := range []string{"seed=1", "replications=2", "policy.kind=easy", "workload.path=other.swf", "axes.workload.select.jobs=[2, 1]",
		"engine.events=3"} {
		if got := sweeptest.Load(t, text, set).Hash(); got == want {
			t.Errorf("--set %s does not change the hash", set)
		}
	}
	if got := sweeptest.Load(t, strings.Replace(text, "{kind: swf, path: log.swf, load_factor: 1}",
		"\n  load_factor: 1\n  path: log.swf\n  kind: swf", 1)).Hash(); got != want {
		t.Error("the layout of a section changes the hash")
	}
}
