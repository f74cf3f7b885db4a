package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedsweep/sweep"
	"schedsweep/sweep/sweeptest"
)

// TestFamilyIsItsClaimsWrittenOut compares families with what replacing names in the text of the claim gives.
func TestFamilyIsItsClaimsWrittenOut(t *testing.T) {
	const axes = sweeptest.Base + "axes: {policy.kind: [easy, fcfs, conservative], workload.load_factor: [0.5, 1]}\nclaims:\n"
	templates := []string{
		"id: c$n-$policy\n    mean: {metric: $metric, of: {policy.kind: $policy}}\n    value: $v\n    tolerance: 1",
		"id: $policy$n\n    source: Fig. $n, $metric\n    statement: \"$v of $$ or $$v\"\n    ratio: {metric: $metric, of: {policy.kind: " +
			"$policy}, to: {policy.kind: fcfs}, where: {workload.load_factor: $v}}\n    at_least: $n",
		"id: s$n\n    published: $v\n    across: [$axis]\n    share: {metric: $metric, is: lower, of: {policy.kind: [$policy, easy]}, to: " +
			"{policy.kind: fcfs}}\n    between: [-1e6, $n]",
	}
	mentions := func(template, name string) bool {
		return strings.Contains(strings.ReplaceAll(template, "$$", ""), "$"+name)
	}
	rapid.Check(t, func(t *rapid.T) {
		family, written := axes, axes
		n := 0
		for i, template := range rapid.SliceOfN(rapid.SampledFrom(templates), 1, 3).Draw(t, "templates") {
			template = strings.Replace(template, "id: ", fmt.Sprintf("id: t%d", i), 1)
			family += "  - " + template + "\n    family:\n"
			for range rapid.IntRange(1, 4).Draw(t, "members") {
				n++
				member, claim := "", strings.ReplaceAll(template, "$$", "\x00")
				for name, value := range map[string]string{
					"n": fmt.Sprint(n), "v": rapid.SampledFrom([]string{"0.5", "1"}).Draw(t, "v"), "axis": "workload.load_factor",
					"policy": rapid.SampledFrom([]string{"easy", "fcfs", "conservative"}).Draw(t, "policy"),
					"metric": rapid.SampledFrom([]string{"makespan", "mean_wait"}).Draw(t, "metric"),
				} {
					if mentions(template, name) {
						member += ", " + name + ": " + value
					}
					claim = strings.ReplaceAll(claim, "$"+name, value)
				}
				family += "      - {" + member[2:] + "}\n"
				written += "  - " + strings.ReplaceAll(claim, "\x00", "$") + "\n"
			}
		}
		a, errA := sweep.Load("family.yaml", []byte(family), sweeptest.Options(""))
		b, errB := sweep.Load("written.yaml", []byte(written), sweeptest.Options(""))
		if errA != nil || errB != nil {
			t.Fatalf("%v\n%v\n%s", errA, errB, family)
		}
		if diff := cmp.Diff(b.Claims, a.Claims); diff != "" {
			t.Errorf("%s\n%s", diff, family)
		}
		if diff := cmp.Diff(string(b.Resolved()), string(a.Resolved())); diff != "" || a.Hash() != b.Hash() {
			t.Errorf("resolved:\n%s", diff)
		}
	})
}
