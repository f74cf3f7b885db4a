package claim

import (
	"slices"
	"strings"
	"testing"

	"schedsweep/analysis/table"
	"schedsweep/sweep/study"
)

// TestOrderAtAnyCombination: an order holds at a combination where all of its parts do. At load 1 it is b < a < c, at load 2 a < c < b
// and at load 3 a < b < c.
func TestOrderAtAnyCombination(t *testing.T) {
	means := map[float64]map[string]float64{1: {"a": 2, "b": 1, "c": 3}, 2: {"a": 1, "b": 3, "c": 2}, 3: {"a": 1, "b": 2, "c": 3}}
	claimed := func(id string, loads ...any) study.Claim {
		s := study.Statistic{Kind: "order", Metric: "y", Axis: "policy", Is: "ascending", Values: where("", "a", "b", "c").Values, Of: of()}
		s.Where = []study.Term{where("load", loads...)}
		return study.Claim{ID: id, Kind: "question", For: "any", Across: []string{"load"}, Statistic: s}
	}
	run := grid(t, []string{"a", "b", "c"}, []float64{1, 2, 3}, 8, func(p string, l float64, r int) float64 {
		return means[l][p] + .01*noise(p, l, r)
	}, zero)
	for _, c := range []struct {
		claim study.Claim
		want  Verdict
		shown string
	}{
		{claimed("none", 1.0, 2.0), DoesNotHold, "load = "},
		{claimed("one", 1.0, 2.0, 3.0), Holds, "load = 3: "},
	} {
		r := evaluate(t, run, c.claim)
		if got := r.ShownPart().Label; r.Verdict != c.want || !strings.HasPrefix(got, c.shown) {
			t.Errorf("%s: %s, shown %s", c.claim.ID, r.Verdict, got)
		}
	}
	extreme := claimed("extreme", 1.0, 2.0)
	extreme.Statistic.Kind, extreme.Statistic.Is, extreme.Statistic.Values = "extreme", "largest", where("", "a").Values
	if r := evaluate(t, run, extreme); r.Verdict != DoesNotHold { // a is above b at load 1 and above none at load 2
		t.Errorf("extreme: %s", r.Verdict)
	}
	run.Design.Units = map[string]string{"load": "B/s"}
	byLoad := study.Claim{ID: "loads", Kind: "question", Statistic: study.Statistic{Kind: "order", Metric: "y", Axis: "load", Is: "ascending",
		Values: where("", 1.0, 2.0).Values, Of: of()}}
	if got := evaluate(t, run, byLoad).Parts[0].Label; got != "2 B/s - 1 B/s" {
		t.Errorf("a part of an order is named %q", got)
	}
	run.Design.Units = nil
	// Each combination is a reading, and satisfies a claim with all of its parts.
	results := Evaluate([]study.Claim{claimed("one", 1.0, 2.0, 3.0), claimed("two", 1.0, 2.0, 3.0)}, run, nil)
	tables := Tables(run.Design, results)
	k := slices.IndexFunc(tables, func(t *table.Table) bool { return t.ID == "readings" })
	var csv strings.Builder
	if err := tables[k].WriteCSV(&csv); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(csv.String(), "\n"); !strings.HasPrefix(lines[1], "3,2,") || !strings.HasPrefix(lines[2], "1,0,") {
		t.Errorf("readings:\n%s", csv.String())
	}
	// A load that changes nothing is no choice.
	run = grid(t, []string{"a", "b", "c"}, []float64{1, 2}, 8, func(p string, _ float64, r int) float64 {
		return means[3][p] + float64(r%3)
	}, zero)
	if r := evaluate(t, run, claimed("same", 1.0, 2.0)); r.Verdict != CannotTell ||
		!strings.Contains(r.Parts[0].Reason, "all 2 parts rest on the same values") {
		t.Errorf("same: %s, %s", r.Verdict, r.Parts[0].Reason)
	}
}

// TestLevelsOfAnyCombination: differences are -4.5, ... 4.5 around their mean, of half-width 2.262 .9574 = 2.166 at 95 %, and
// qt(.9875, 9) .9574 = 2.567 at 97.5 %. A combination fails by either of its two parts, and holds as one of two.
func TestLevelsOfAnyCombination(t *testing.T) {
	for _, c := range []struct {
		up   float64 // of b above a, and of c above b
		want Verdict
		said string
	}{
		{2.6, Holds, "decided by the interval of 97.5%, because there are 2 combinations: [0.0, 5.2]"},
		{2.3, CannotTell, "decided by the interval of 97.5%, because there are 2 combinations: [-0.3, 4.9]"},
		{-2.3, CannotTell, "decided by the interval of 97.5%, because there are 2 parts of each combination: [-4.9, 0.3]"},
		{-2.6, DoesNotHold, "decided by the interval of 97.5%, because there are 2 parts of each combination: [-5.2, -0.0]"},
	} {
		run := grid(t, []string{"a", "b", "c"}, []float64{1, 2}, 10, func(p string, l float64, r int) float64 {
			step := map[string]float64{"a": 0, "b": 1, "c": 2}[p]
			return step*(float64(r)-4.5+c.up) + l
		}, zero)
		s := study.Statistic{Kind: "order", Metric: "y", Axis: "policy", Is: "ascending", Values: where("", "a", "b", "c").Values, Of: of()}
		r := evaluate(t, run, study.Claim{ID: "o", For: "any", Across: []string{"load"}, Statistic: s})
		if p := r.ShownPart(); r.Verdict != c.want || !slices.Contains(p.Remarks, c.said) {
			t.Errorf("%g: %s, %q", c.up, r.Verdict, p.Remarks)
		}
	}
}
