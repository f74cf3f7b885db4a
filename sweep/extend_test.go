package sweep

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/sweep/params"
	"schedsweep/sweep/study"
)

// files is a folder in memory.
type files map[string]string

func (f files) read(name string) ([]byte, error) {
	if text, ok := f[name]; ok {
		return []byte(text), nil
	}
	return nil, fmt.Errorf("%s: no such file", name)
}

func TestExtends(t *testing.T) {
	folder := files{
		"shared/base.yaml": "extends: deep/root.yaml\nname: base\nreplications: 2\npolicy: {kind: conservative, placement: local, depth: 3}\n",
		"shared/deep/root.yaml": "name: root\nseed: 4\nworkload: {kind: lublin, jobs: 7, alpha: 2}\npolicy: {aging: 1h}\n" +
			"axes:\n  workload.load_factor: {from: 1, step: 1, count: 2}\n  workload.alpha: [1, 2]\nmetrics: [makespan, mean_wait]\n",
	}
	child := "name: child\nextends: shared/base.yaml\nworkload: {alpha: null}\npolicy: {depth: 5}\naxes:\n  workload.load_factor: {from: 1, to: 3, count: 3}\n  workload.alpha: null\nmetrics: [makespan]\n"
	opt := Options{Registry: testRegistry(), ReadFile: folder.read}
	m, err := Load("study.yaml", []byte(child), opt)
	if err != nil {
		t.Fatal(err)
	}
	want := "name: t\nseed: 4\nreplications: 2\nworkload: {kind: lublin, jobs: 7}\npolicy: {kind: conservative, placement: local, depth: 5, aging: 3600}\naxes: {workload.load_factor: [1, 2, 3]}\n"
	if diff := cmp.Diff(ids(t, load(t, want)), ids(t, m)); diff != "" {
		t.Errorf("not the instances of\n%s\nbut\n%s", want, m.Resolved())
	}
	if m.Name != "child" || m.Seed != 4 || m.Replications != 2 || len(m.Metrics) != 1 {
		t.Errorf("name %s, seed %d, replications %d, metrics %v", m.Name, m.Seed, m.Replications, m.Metrics)
	}
	if strings.Contains(string(m.Resolved()), "extends") {
		t.Errorf("resolved manifest still extends:\n%s", m.Resolved())
	}
}

func TestChildOfAnotherKindLeavesFieldsOfTheParentsKind(t *testing.T) {
	folder := files{"p.yaml": "name: p\nworkload: {kind: lublin}\npolicy: {kind: conservative, placement: local}\n"}
	opt := Options{Registry: testRegistry(), ReadFile: folder.read}
	m, err := Load("c.yaml", []byte("name: c\nextends: p.yaml\npolicy: {kind: easy}\n"), opt)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := ids(t, m)[0], one(t, "name: t\nworkload: {kind: lublin}\npolicy: {kind: easy}\n").ID; got != want {
		t.Errorf("id %s, want %s", got, want)
	}
	load(t, string(m.Resolved()))
}

func TestTooManyParents(t *testing.T) {
	opt := Options{Registry: testRegistry(), ReadFile: func(name string) ([]byte, error) { return []byte("extends: x" + name), nil }}
	_, err := Load("c.yaml", []byte("extends: a\n"), opt)
	if err == nil || !strings.Contains(err.Error(), "more than 16 parents in a row") {
		t.Errorf("error %v", err)
	}
}

func TestHashIsOfInstancesOnly(t *testing.T) {
	text := "name: t\nworkload: {kind: swf, path: log.swf, load_factor: 1}\npolicy: {kind: easy}\naxes: {policy.kind: [easy, fcfs], workload.select.jobs: [1, 2]}\n"
	want := load(t, text).Hash()
	for _, set := range []string{"name=u", "title=x", "metrics=[makespan]", "analysis.confidence=0.9", "claims=[{id: a, mean: {metric: makespan}}]"} {
		if got := load(t, text, set).Hash(); got != want {
			t.Errorf("--set %s changes the hash", set)
		}
	}
	for _, set := range []string{"seed=1", "replications=2", "policy.kind=easy", "workload.path=other.swf", "axes.workload.select.jobs=[2, 1]", "engine.events=3"} {
		if got := load(t, text, set).Hash(); got == want {
			t.Errorf("--set %s does not change the hash", set)
		}
	}
	if got := load(t, strings.Replace(text, "{kind: swf, path: log.swf, load_factor: 1}", "\n  load_factor: 1\n  path: log.swf\n  kind: swf", 1)).Hash(); got != want {
		t.Error("the layout of a section changes the hash")
	}
}

func TestAnalysisAndClaims(t *testing.T) {
	m := load(t, base)
	if diff := cmp.Diff(study.Analysis{Confidence: 0.95, Quantiles: []float64{0.05, 0.25, 0.75, 0.95}, ControlDraws: 1000}, m.Analysis); diff != "" {
		t.Error(diff)
	}
	m = load(t, base+"axes: {policy.kind: [easy, fcfs], workload.load_factor: [0.5, 1]}\nanalysis:\n  baseline: {policy.kind: easy, workload.load_factor: 5e-1}\n  figures: [{id: f, x: workload.load_factor, y: makespan, line: none}]\n  trends: [{x: mean_wait, y: makespan, by: [policy.kind]}]\nclaims:\n  - {id: a, source: Fig. 1, statement: up, published: 7, difference: {metric: makespan, of: {policy.kind: fcfs}, to: {run: other, policy.kind: easy}, where: {workload.load_factor: {from: 0, to: 1}}}, above: 0}\n  - {id: b, order: {metric: mean_wait, axis: policy.kind, values: [easy, fcfs], is: ascending}}\n")
	want := study.Analysis{
		Confidence: 0.95, Quantiles: []float64{0.05, 0.25, 0.75, 0.95}, ControlDraws: 1000,
		Baseline: []study.AxisValue{{Path: "policy.kind", Value: params.Value{Kind: params.String, S: "easy"}}, {Path: "workload.load_factor", Value: params.Value{Kind: params.Float, F: 0.5}}},
		Trends:   []study.Trend{{X: "mean_wait", Y: "makespan", By: []string{"policy.kind"}, Fit: "line"}},
		Figures:  []study.Figure{{ID: "f", Kind: "means", X: "workload.load_factor", Y: "makespan", ColourScale: "linear", Fewest: 10, Replication: -1, Line: "none", Fit: "line", XScale: "linear", YScale: "linear"}},
	}
	if diff := cmp.Diff(want, m.Analysis); diff != "" {
		t.Error(diff)
	}
	text := func(s string) []params.Value { return []params.Value{{Kind: params.String, S: s}} }
	claims := []study.Claim{
		{ID: "a", Source: "Fig. 1", Statement: "up", For: "each", Incomplete: "refuse", Published: "7",
			Expect: study.Region{Given: true, Low: 0, High: math.Inf(1), LowOpen: true},
			Statistic: study.Statistic{Kind: "difference", Metric: "makespan", Where: []study.Term{{Path: "workload.load_factor", Range: true, To: 1}},
				Of: &study.Selection{Terms: []study.Term{{Path: "policy.kind", Values: text("fcfs")}}}, To: &study.Selection{Run: "other", Terms: []study.Term{{Path: "policy.kind", Values: text("easy")}}}}},
		{ID: "b", For: "each", Incomplete: "refuse", Expect: study.Region{Low: math.Inf(-1), High: math.Inf(1)},
			Statistic: study.Statistic{Kind: "order", Metric: "mean_wait", Axis: "policy.kind", Values: append(text("easy"), text("fcfs")...), Is: "ascending", Of: &study.Selection{}}},
	}
	if runs := m.Claims[0].Runs(); len(runs) != 1 || runs[0] != "other" {
		t.Errorf("runs %v", runs)
	}
	if diff := cmp.Diff(claims, m.Claims); diff != "" {
		t.Error(diff)
	}
}

// TestClaimsOutliveSet: a smaller sweep need not have all values that claims name.
func TestClaimsOutliveSet(t *testing.T) {
	text := base + "axes: {policy.kind: [easy, fcfs, conservative]}\nclaims:\n  - {id: a, mean: {metric: makespan, of: {policy.kind: conservative}}}\n"
	m := load(t, text, "axes.policy.kind=[easy, fcfs]")
	if v := m.Claims[0].Statistic.Of.Terms[0].Values; len(v) != 1 || v[0].S != "conservative" {
		t.Errorf("values %v", v)
	}
}

func TestRegionString(t *testing.T) {
	inf := math.Inf(1)
	for want, r := range map[string]study.Region{
		"any": {Low: -inf, High: inf}, "> 0": {Given: true, Low: 0, High: inf, LowOpen: true}, ">= 0.5": {Given: true, Low: 0.5, High: inf},
		"< 1": {Given: true, Low: -inf, High: 1, HighOpen: true}, "<= 1": {Given: true, Low: -inf, High: 1},
		"1 <= .. < 2": {Given: true, Low: 1, High: 2, HighOpen: true}, "1 < .. <= 2": {Given: true, Low: 1, High: 2, LowOpen: true},
	} {
		if got := r.String(); got != want {
			t.Errorf("%+v is %q, want %q", r, got, want)
		}
	}
}

func TestHostileNestingIsAMistake(t *testing.T) {
	for _, text := range []string{strings.Repeat("[", 1<<20), strings.Repeat("- ", 1<<20), strings.Repeat("{a: ", 1<<18), "a: &a [x]\n" + strings.Repeat("b: &b [*a, *a]\n", 3)} {
		opt := testOptions("")
		if _, err := Load("x.yaml", []byte(text), opt); err == nil {
			t.Errorf("%.20q is accepted", text)
		}
	}
	// Every level doubles the one before: a billion values in a few lines.
	bomb := "name: t\n"
	for i := range 30 {
		bomb += fmt.Sprintf("a%d: &a%d [*a%d, *a%d]\n", i+1, i+1, i, i)
	}
	if _, err := Load("x.yaml", []byte(strings.Replace(bomb, "name: t\n", "name: t\na0: &a0 x\n", 1)), testOptions("")); err == nil {
		t.Error("a bomb of aliases is accepted")
	}
}

func TestRuleOfDashesIsAComment(t *testing.T) {
	load(t, "# "+strings.Repeat("-", 5000)+"\n"+base)
}
