package params_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/sweep/params"
	"schedsweep/sweep/sweeptest"
)

// A column holds values of one type: whole numbers may become floats, everything may become text, and nothing else changes.
func TestValuesOfColumns(t *testing.T) {
	whole := params.Value{Kind: params.Int, I: 3}
	yes := params.Value{Kind: params.Bool, B: true}
	text := params.Value{Kind: params.String, S: "easy"}
	null := params.Value{Kind: params.Int, Null: true}
	for _, c := range []struct {
		is   params.Value
		as   params.ColumnType
		want params.Value
		text string
	}{
		{whole, params.Int, whole, "3"},
		{whole, params.Float, params.Value{Kind: params.Float, F: 3}, "3"},
		{params.Value{Kind: params.Float, F: 1e21}, params.String, params.Value{Kind: params.String, S: "1e+21"}, "1e+21"},
		{yes, params.String, params.Value{Kind: params.String, S: "true"}, "true"},
		{text, params.Float, params.Value{Kind: params.Float, Null: true}, "null"},
		{null, params.String, params.Value{Kind: params.String, Null: true}, "null"},
	} {
		if got := c.is.As(c.as); got != c.want || got.String() != c.text {
			t.Errorf("%v as %v is %+v, want %+v", c.is, c.as, got, c.want)
		}
	}
}

func TestFloatsAsText(t *testing.T) {
	for f, want := range map[float64][2]string{
		0: {"0", "0"}, math.Inf(1): {".inf", ".inf"}, math.Inf(-1): {"-.inf", "-.inf"},
		2592000: {"2.592e+06", "2592000"}, 1e-7: {"1e-07", "1e-07"}, 0.25: {"0.25", "0.25"},
	} {
		if got := [2]string{params.FormatFloat(f), params.Decimal(f)}; got != want {
			t.Errorf("%g is %v, want %v", f, got, want)
		}
	}
	low, high := params.Ends([]params.Value{{Kind: params.Int, I: 7}, {Kind: params.Float, F: -0.5}, {Kind: params.Int, I: 1e6}})
	if low != "-0.5" || high != "1000000" {
		t.Errorf("from %s to %s, want from -0.5 to 1000000", low, high)
	}
}

// People read the hashed text of an id: fields at their defaults are absent, and a difference names them.
func TestDifferencesOfVariants(t *testing.T) {
	section := func(name string, set ...string) *params.Resolved {
		in := sweeptest.One(t, "name: t\nworkload: {kind: swf, path: a.swf}\npolicy: {kind: fcfs}\nplatform: {clusters: [{name: a}]}\n", set...)
		return in.Sections[map[string]int{"workload": 0, "platform": 1}[name]]
	}
	a, b := section("workload"), section("workload", "workload.path=b.swf", "workload.load_factor=2")
	hashed := []params.HashedField{{Field: "workload.kind", Value: "swf (version 0)"},
		{Field: "workload.path", Value: "content hash-of-a.swf"}}
	if diff := cmp.Diff(hashed, a.Hashed()); diff != "" {
		t.Error(diff)
	}
	differ := []params.Difference{
		{Field: "workload.path", A: "content hash-of-a.swf", B: "content hash-of-b.swf"},
		{Field: "workload.load_factor", A: "1 (default)", B: "2"},
	}
	if diff := cmp.Diff(differ, a.Differences(b)); diff != "" {
		t.Error(diff)
	}
	hashed = []params.HashedField{{Field: "platform.clusters", Value: "1 element"}, {Field: "platform.clusters[0].name", Value: "a"}}
	if diff := cmp.Diff(hashed, section("platform").Hashed()); diff != "" {
		t.Error(diff)
	}
	if diff := section("platform").Differences(section("platform")); diff != nil {
		t.Errorf("one variant differs from itself: %v", diff)
	}
}

func TestParametersAreListed(t *testing.T) {
	got, err := params.Parameters(struct {
		Span  [2]float64 `sweep:"span" unit:"s" doc:"bounds"`
		Fixed [2]float64 `sweep:"fixed" doc:"other bounds"`
		Name  string     `sweep:"name" enum:"a|b" doc:"a name"`
		Empty string     `sweep:"empty" doc:"no name"`
		On    bool       `sweep:"on" doc:"a switch"`
		Sizes []float64  `sweep:"sizes" doc:"sizes"`
		Below struct {
			N int `sweep:"n" doc:"a number"`
		} `sweep:"below" doc:"more"`
	}{Span: [2]float64{math.Inf(-1), math.Inf(1)}, Fixed: [2]float64{1, 2}, Name: "a", Sizes: []float64{1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	want := []params.Parameter{
		{Path: "span", Type: "[low, high]", Unit: "s", Default: "any", Doc: "bounds"},
		{Path: "fixed", Type: "[low, high]", Default: "[1, 2]", Doc: "other bounds"},
		{Path: "name", Type: "text", Default: "a", Doc: "a name", Values: []params.Choosable{{Name: "a"}, {Name: "b"}}},
		{Path: "empty", Type: "text", Default: "-", Doc: "no name"},
		{Path: "on", Type: "true/false", Default: "false", Doc: "a switch"},
		{Path: "sizes", Type: "list", Default: "2 given", Doc: "sizes"},
		{Path: "below.n", Type: "integer", Default: "0", Doc: "a number"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := params.Parameters(7); err == nil {
		t.Error("a number is a parameter struct")
	}
}
