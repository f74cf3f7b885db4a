package study_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/analysis/plot"
	"schedsweep/sweep"
	"schedsweep/sweep/params"
	"schedsweep/sweep/study"
	"schedsweep/sweep/sweeptest"
)

func TestAnalysisAndClaims(t *testing.T) {
	m := sweeptest.Load(t, sweeptest.Base)
	if diff := cmp.Diff(study.Analysis{Confidence: 0.95, Quantiles: []float64{0.05, 0.25, 0.75, 0.95}, ControlDraws: 1000, LogItself: true},
		m.Analysis); diff != "" {
		t.Error(diff)
	}
	m = sweeptest.Load(t, sweeptest.Base+"axes: {policy.kind: [easy, fcfs], workload.load_factor: [0.5, 1]}\nanalysis:\n  baseline: "+
		"{policy.kind: easy, workload.load_factor: 5e-1}\n  figures: [{id: f, x: workload.load_factor, y: makespan, line: none}]\n  trends: "+
		"[{x: mean_wait, y: makespan, by: [policy.kind]}]\nclaims:\n  - {id: a, source: Fig. 1, statement: up, published: 7, difference: "+
		"{metric: makespan, of: {policy.kind: fcfs}, to: {run: other, policy.kind: easy}, where: {workload.load_factor: {from: 0, to: 1}}}, "+
		"above: 0}\n  - {id: b, order: {metric: mean_wait, axis: policy.kind, values: [easy, fcfs], is: ascending}}\n")
	want := study.Analysis{
		Confidence: 0.95, Quantiles: []float64{0.05, 0.25, 0.75, 0.95}, ControlDraws: 1000, LogItself: true,
		Baseline: []study.AxisValue{{Path: "policy.kind", Value: params.Value{Kind: params.String, S: "easy"}},
			{Path: "workload.load_factor", Value: params.Value{Kind: params.Float, F: 0.5}}},
		Trends: []study.Trend{{X: "mean_wait", Y: "makespan", By: []string{"policy.kind"}, Fit: "line"}},
		Figures: []study.Figure{{ID: "f", Kind: "means", X: "workload.load_factor", Y: "makespan", XScale: "auto", YScale: "auto",
			Params: &plot.MeansParams{Line: "none", Fit: "line"}}},
	}
	if diff := cmp.Diff(want, m.Analysis); diff != "" {
		t.Error(diff)
	}
	text := func(s string) []params.Value { return []params.Value{{Kind: params.String, S: s}} }
	claims := []study.Claim{
		{ID: "a", Kind: "published", Source: "Fig. 1", Statement: "up", For: "each", Incomplete: "refuse", Published: "7",
			Expect: study.Region{Given: true, Low: 0, High: math.Inf(1), LowOpen: true},
			Statistic: study.Statistic{Kind: "difference", Metric: "makespan",
				Where: []study.Term{{Path: "workload.load_factor", Range: true, To: 1}},
				Of:    &study.Selection{Terms: []study.Term{{Path: "policy.kind", Values: text("fcfs")}}},
				To:    &study.Selection{Run: "other", Terms: []study.Term{{Path: "policy.kind", Values: text("easy")}}}}},
		{ID: "b", Kind: "question", For: "each", Incomplete: "refuse", Expect: study.Region{Low: math.Inf(-1), High: math.Inf(1)},
			Statistic: study.Statistic{Kind: "order", Metric: "mean_wait", Axis: "policy.kind", Values: append(text("easy"), text("fcfs")...),
				Is: "ascending", Of: &study.Selection{}}},
	}
	if runs := m.Claims[0].Runs(); len(runs) != 1 || runs[0] != "other" {
		t.Errorf("runs %v", runs)
	}
	if diff := cmp.Diff(claims, m.Claims); diff != "" {
		t.Error(diff)
	}
}

// TestClaimKinds: who states a claim follows from its source, unless the claim says so; only what a source states has a
// published value.
func TestClaimKinds(t *testing.T) {
	for fields, want := range map[string][2]string{
		"":                                       {"question", ""},
		"above: 1":                               {"question", ""},
		"source: Fig. 1":                         {"published", ""},
		"published: about 7":                     {"published", "about 7"},
		"source: Fig. 1, value: 7, tolerance: 1": {"published", "7"},
		"value: 7, tolerance: 1":                 {"published", "7"},
		"kind: question, source: a page, value: 7, tolerance: 1":  {"question", ""},
		"kind: regression, value: 7, tolerance: 1":                {"regression", ""},
		"kind: arithmetic, published: 7, below: 8, note: it is 9": {"arithmetic", "7"},
	} {
		m := sweeptest.Load(t, sweeptest.Base+"claims:\n  - {id: a, mean: {metric: makespan}, "+fields+"}\n")
		if c := m.Claims[0]; c.Kind != want[0] || c.Published != want[1] {
			t.Errorf("%s: kind %s, published %q", fields, c.Kind, c.Published)
		}
	}
}

// TestClaimUnits: bounds are in the unit of a mean or of a difference of means.
func TestClaimUnits(t *testing.T) {
	mean := "mean: {metric: makespan}"
	for fields, want := range map[string][2]float64{
		mean + ", between: [1h, 2h]":                                   {3600, 7200},
		mean + ", value: 1h, tolerance: 10min":                         {3000, 4200},
		"mean: {metric: utilisation}, between: [40%, 60 %]":            {.4, .6},
		"difference: [{" + mean + "}, {" + mean + "}], above: 1h":      {3600, math.Inf(1)},
		"ratio: [{" + mean + "}, {" + mean + "}], between: [0.5, 1.5]": {.5, 1.5},
	} {
		m := sweeptest.Load(t, sweeptest.Base+"claims:\n  - {id: a, "+fields+"}\n")
		if r := m.Claims[0].Expect; r.Low != want[0] || r.High != want[1] {
			t.Errorf("%s: %v", fields, r)
		}
	}
	for fields, want := range map[string]string{
		"mean: {metric: makspan}, at_most: 1h":                                                     `there is no metric "makspan"`,
		"mean: {metric: utilisation}, value: 0.8, tolerance: 5%":                                   `claims.tolerance is "5%"; want a number`, // of the value, or points?
		"difference: {metric: utilisation, of: {}, to: {}}, at_least: 5%":                          `claims.at_least is "5%"; want a number`,
		"difference: [{mean: {metric: utilisation}}, {mean: {metric: utilisation}}], at_least: 5%": `claims.at_least is "5%"; want a number`,
		"mean: {metric: utilisatoin}, at_most: 50%":                                                `there is no metric "utilisatoin"`,
		"mean: {metric: makespan}, at_most: 50%":                                                   `claims.at_most: "50%" has the unknown unit "%"`,
	} {
		_, err := sweep.Load("t.yaml", []byte(sweeptest.Base+"claims:\n  - {id: a, "+fields+"}\n"), sweeptest.Options(""))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Count(err.Error(), "t.yaml:") != 1 {
			t.Errorf("%s: %v", fields, err)
		}
	}
}

// TestClaimsOutliveSet: a smaller sweep need not have all values that claims name.
func TestClaimsOutliveSet(t *testing.T) {
	text := sweeptest.Base + "axes: {policy.kind: [easy, fcfs, conservative]}\nclaims:\n  - {id: a, mean: {metric: makespan, of: " +
		"{policy.kind: conservative}}}\n"
	m := sweeptest.Load(t, text, "axes.policy.kind=[easy, fcfs]")
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

// TestQuestionUnits: quantities of questions are in the base unit of their metric or axis, and --set finds a question
// by its whole id.
func TestQuestionUnits(t *testing.T) {
	m, err := sweeptest.LoadFile(t, "../testdata/valid/find-units.yaml")
	if err != nil {
		t.Fatal(err)
	}
	// A bit is an eighth of a byte: 8 Mbps are 1e6 B/s.
	want := map[string]float64{"a": 60, "wait": 120, "a.b": 1e6, "x": 5400, "same": 5e5}
	for _, q := range m.Questions {
		if q.Half != want[q.ID] {
			t.Errorf("%s has the half-width %v, want %v", q.ID, q.Half, want[q.ID])
		}
		if half := q.ID == "x"; (q.Asked.AtLeast == .5) != half {
			t.Errorf("%s: at_least %v", q.ID, q.Asked.AtLeast)
		}
		if hundred := q.ID == "a.b"; (q.Most == 100) != hundred || (q.Asked.AtMost == 3600) != hundred {
			t.Errorf("%s: at most %d replications, at_most %v", q.ID, q.Most, q.Asked.AtMost)
		}
	}
	if len(m.Questions) != len(want) {
		t.Errorf("%d questions", len(m.Questions))
	}
}
