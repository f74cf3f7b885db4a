package params_test

import (
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sweep/sweeptest"
)

// A point of a sweep is the same instance as a manifest that has its values in the
// base: the parameters, their hashed text and the id.
func TestVariantsAreThoseOfTheBase(t *testing.T) {
	const text = "name: t\nworkload: {kind: swf, path: a.swf, submit: %s, load_factor: %s, select: {jobs: %s, run_time: [1, 2]}}\npolicy: " +
		"{kind: conservative, depth: %s, max_depth: 5}\n"
	rapid.Check(t, func(rt *rapid.T) {
		one := func(name string, of ...string) []string {
			return rapid.Permutation(of).Draw(rt, name)[:rapid.IntRange(1, len(of)).Draw(rt, name+" n")]
		}
		loads, jobs := one("load", ".5", "1", "2e0", "0.25"), one("jobs", "1", "20", "3e3", "0x10")
		submits, depths := one("submit", "log", "zero"), one("depth", "0", "2", "5")
		list := func(values []string) (s string) {
			for _, v := range values {
				s += v + ", "
			}
			return "[" + s + "]"
		}
		swept := sweeptest.Load(t, fmt.Sprintf(text, "log", "1", "7", "1")+fmt.Sprintf("axes:\n  workload.load_factor: %s\n  "+
			"workload.select.jobs: %s\n  workload.submit: %s\n  policy.depth: %s\n", list(loads), list(jobs), list(submits), list(depths)))
		all := sweeptest.Instances(t, swept)
		at := 0
		for _, l := range loads {
			for _, j := range jobs {
				for _, s := range submits {
					for _, d := range depths {
						want := sweeptest.Instances(t, sweeptest.Load(t, fmt.Sprintf(text, s, l, j, d)))[0]
						got := all[at]
						at++
						if got.ID != want.ID {
							rt.Fatalf("another id at %s %s %s %s", l, j, s, d)
						}
						for k := range want.Sections {
							w, g := want.Sections[k], got.Sections[k]
							if string(w.Canonical) != string(g.Canonical) || !reflect.DeepEqual(w.Params, g.Params) {
								rt.Fatalf("at %s %s %s %s: %+v\n%s, want %+v\n%s", l, j, s, d, g.Params, g.Canonical, w.Params, w.Canonical)
							}
						}
					}
				}
			}
		}
		if at != len(all) {
			rt.Fatalf("%d instances, want %d", len(all), at)
		}
	})
}
