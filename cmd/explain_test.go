package cmd

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"schedsweep/harness/harnesstest"
)

// TestFindInstance: an instance is known by its number in the plan, its id, or what only one id begins with. Six digits may be both.
func TestFindInstance(t *testing.T) {
	m, in := harnesstest.Loaded(t, "name: many\nreplications: 150000\nworkload: {kind: lublin, jobs: 1}\npolicy: {kind: fcfs}\n")
	st := study{manifest: m, inputs: in, path: "many.yaml", plan: harnesstest.PlanOf(t, m)}
	begins := map[string]int{} // of ids that begin with a number of the plan
	both, alone := "", ""
	for i := range st.plan.Len() {
		inst := st.at(i)
		begins[inst.ID.String()[:6]]++
	}
	for i := 100_000; both == "" || alone == ""; i++ {
		if text := strconv.Itoa(i); begins[text] > 0 {
			both = text
		} else {
			alone = text
		}
	}
	number := func(text string) int { n, _ := strconv.Atoi(text); return n }
	seven := st.at(7)
	for _, test := range []struct {
		text, wrong string
		want        int
	}{{"0", "", 0}, {"99999", "", 99_999}, {alone, "", number(alone)}, {seven.ID.String(), "", 7}, {seven.ID.String()[:12], "", 7},
		{both, "this is the number of one and the beginning of another's id", 0},
		{"1500000", "no instance of the manifest has an id that begins so", 0},
		{"-1", "the plan has instances 0 to 149999", 0}, {"-x", "give its number in the plan", 0}, {"", "give its number in the plan", 0},
		{"a", "several ids begin so", 0}, {"x7", "give its number in the plan", 0}} {
		got, err := findInstance(st, test.text)
		if said := fmt.Sprint(err); got != test.want || (test.wrong == "") != (err == nil) || !strings.Contains(said, test.wrong) ||
			test.text == "a" && (strings.Count(said, "\n") != nearIDs+1 || !strings.HasSuffix(said, "...")) {
			t.Errorf("%q: %d, %v; want %d, %q", test.text, got, err, test.want, test.wrong)
		}
	}
}
