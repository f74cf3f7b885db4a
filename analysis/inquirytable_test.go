package analysis

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/question"
	"schedsweep/analysis/stats"
	layout "schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/study"
)

// Answers name the units of what they tell, and of numbers that have none what they are.
func TestAnswersNameUnits(t *testing.T) {
	number := func(v float64) params.Value { return params.Value{Kind: params.Float, F: v} }
	name := func(s string) params.Value { return params.Value{Kind: params.String, S: s} }
	q := Inquired{
		Question: study.Question{Kind: "crossing", Chosen: 1, Asked: study.Asked{Metric: "wait", By: "progress.bandwidth"},
			Sides: [][]params.Value{
				{name("easy"), {Kind: params.Float, Null: true}, number(0.6)}, {name("fcfs"), number(6.5e7), number(0.8)}}},
		Answer: question.Answer{State: question.Answered, Interval: stats.Interval{Estimate: 1.5e8, Low: 1.4e8, High: 1.61e8}},
		axes: []layout.Axis{{Path: "policy.kind", Type: params.String}, {Path: "progress.bandwidth", Type: params.Float, Unit: "B/s"},
			{Path: "workload.offered_load", Type: params.Float}},
		units: map[string]string{"wait": "s"},
	}
	q.values = [][]params.Value{{name("easy"), number(1e8), number(0.6)}, {name("fcfs"), number(6.5e7), number(0.8)}}
	if got, want := q.Says(), "progress.bandwidth is 150 MB/s [140 MB/s, 161 MB/s] where wait of easy, offered load = 0.6 equals "+
		"that of fcfs, 65 MB/s, offered load = 0.8"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	q.values[1][1].Null = true
	if got, want := q.Says(), "progress.bandwidth is 150 MB/s [140 MB/s, 161 MB/s] where wait of easy, offered load = 0.6 equals "+
		"that of fcfs, offered load = 0.8"; got != want {
		t.Errorf("%q, want %q: fcfs knows no bandwidth", got, want)
	}
	q.Rounds, q.Asked.Controls, q.R2 = 2, study.ControlBacklogs, 0.625
	for _, c := range []struct {
		r2   float64
		says string
	}{{.625, "backlog_excess and home_backlog_excess explain 0.62 of the variance of wait"},
		{-.1, "backlog_excess and home_backlog_excess explain nothing of the variance of wait"},
		{math.NaN(), "no controls, for the rows have no backlog_excess and home_backlog_excess"}} {
		if q.R2 = c.r2; q.controls() != c.says {
			t.Errorf("%q, want %q", q.controls(), c.says)
		}
	}
	q.hasControls = true
	want := "there is no anchor, at which the share that backlog_excess and home_backlog_excess explain is measured"
	if got := q.controls(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	q.Kind = "mean"
	if got, want := q.Says(), "wait is 1.5e+08 s [1.4e+08, 1.61e+08]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	q.Kind, q.Question.Sides = "threshold", q.Question.Sides[:1]
	q.axes[2].Values = []params.Value{number(0.6), number(0.8)}
	q.Asked.AtLeast = 1800
	for _, c := range []struct {
		state question.State
		sign  int
		upper bool
		says  string
	}{
		{question.Answered, 1, true, "wait of offered load = 0.6 is at most 0 s up to progress.bandwidth of 150 MB/s [140 MB/s, 161 MB/s]"},
		{question.Answered, -1, true, "wait of offered load = 0.6 is at most 0 s from progress.bandwidth of 150 MB/s [140 MB/s, 161 MB/s] on"},
		{question.Answered, 1, false, "wait of offered load = 0.6 is at least 1800 s from progress.bandwidth of 150 MB/s [140 MB/s, 161 " +
			"MB/s] on"},
		{question.Answered, -1, false, "wait of offered load = 0.6 is at least 1800 s up to progress.bandwidth of 150 MB/s [140 MB/s, 161 MB/s]"},
		{question.None, 1, false, "wait of offered load = 0.6 is at least 1800 s all along"},
		{question.None, 1, true, "wait of offered load = 0.6 is nowhere at most 0 s in the range"},
		{question.None, 0, true, "no crossing in the range"},
		{question.Undecided, 1, true, "undecided, between 120 MB/s and 170 MB/s, so far wait of offered load = 0.6 is at most 0 s up to " +
			"progress.bandwidth of 150 MB/s [140 MB/s, 161 MB/s]"},
	} {
		q.Bracket = [2]float64{1.2e8, 1.7e8}
		if q.State, q.Sign, q.Upper = c.state, c.sign, c.upper; q.Says() != c.says {
			t.Errorf("%q, want %q", q.Says(), c.says)
		}
	}
}

// Answers tell a place at an end of the range, and sides that are equal within a margin.
func TestAnswersAtEndsAndWithinMargins(t *testing.T) {
	name := func(s string) params.Value { return params.Value{Kind: params.String, S: s} }
	null := params.Value{Kind: params.Float, Null: true}
	q := Inquired{
		Question: study.Question{Kind: "crossing", Chosen: 1, Asked: study.Asked{Metric: "wait", By: "load", AtMost: 600},
			Sides: [][]params.Value{{name("sjf"), null}, {name("fcfs"), null}}, Upper: true},
		axes:  []layout.Axis{{Path: "policy.order", Type: params.String}, {Path: "load", Type: params.Float}},
		units: map[string]string{"wait": "s"},
	}
	q.values = q.Question.Sides
	inf := math.Inf(1)
	for _, c := range []struct {
		kind      string
		state     question.State
		sign      int
		low, high float64
		within    float64
		says      string
	}{
		{"crossing", question.AtEnd, 1, 0.87, inf, 0,
			"load is 0.9, the end of the range, or above [0.87 or above] where wait of sjf equals that of fcfs"},
		{"threshold", question.AtEnd, 1, 0.87, inf, 0, "wait is at most 600 s up to load of 0.9, the end of the range, or above [0.87 or above]"},
		{"threshold", question.AtEnd, -1, -inf, 0.93, 0,
			"wait is at most 600 s from load of 0.9, the end of the range, or below [0.93 or below] on"},
		{"crossing", question.None, 0, 0, 0, 0.0191, "no crossing in the range: wait of sjf is equal to that of fcfs all along, within 1.9 %"},
		{"crossing", question.None, -1, 0, 0, 0.0191, "no crossing in the range: wait of sjf is below that of fcfs all along, within 1.9 %"},
		{"threshold", question.None, 0, 0, 0, 0.0191, "wait is 600 s all along, within 1.9 %"},
		{"threshold", question.None, -1, 0, 0, 0.0191, "wait is at most 600 s all along, within 1.9 %"},
		{"threshold", question.None, 1, 0, 0, 0.0191, "wait is nowhere at most 600 s in the range, within 1.9 %"},
	} {
		q.Kind, q.Answer = c.kind, question.Answer{State: c.state, Sign: c.sign, Within: c.within,
			Interval: stats.Interval{Estimate: 0.9, Low: c.low, High: c.high}}
		if q.Question.Sides = q.values[:1]; c.kind == "crossing" {
			q.Question.Sides = q.values
		}
		if q.Says() != c.says {
			t.Errorf("%q, want %q", q.Says(), c.says)
		}
	}
	q.Kind, q.Question.Sides, q.Asked.Growth = "crossing", q.values, 0.05
	q.Answer = question.Answer{State: question.None, Sign: -1}
	if want := "no crossing in the range: wait of sjf is below that of fcfs + 5 % all along"; q.Says() != want {
		t.Errorf("%q, want %q", q.Says(), want)
	}
}

// TestQuestionFigure: the figure of a place has the mean and its interval at each point, what the curve is compared with, and the
// ends of the interval of the place.
func TestQuestionFigure(t *testing.T) {
	number := func(v float64) params.Value { return params.Value{Kind: params.Float, F: v} }
	name := func(v string) params.Value { return params.Value{Kind: params.String, S: v} }
	null := params.Value{Kind: params.Float, Null: true}
	of := func(x, y float64) question.Measured {
		return question.Measured{X: x, Y: stats.Interval{Estimate: y, Low: y - 1, High: y + 1}}
	}
	q := Inquired{
		Question: study.Question{ID: "q", Kind: "crossing", Asked: study.Asked{Metric: "wait", By: "load", Scale: "log"}, Chosen: 1,
			Sides: [][]params.Value{{name("easy"), null}, {name("fcfs"), number(0.6)}}},
		Answer:    question.Answer{State: question.Answered, Interval: stats.Interval{Estimate: 0.75, Low: 0.74, High: 0.76}},
		axes:      []layout.Axis{{Path: "kind", Type: params.String}, {Path: "load", Type: params.Float}},
		values:    [][]params.Value{{name("easy"), number(0.5)}, {name("fcfs"), number(0.6)}},
		Instances: 60,
		Points: []question.Demand{{Point: question.Point{At: 0.7}, Replications: 8}, {Point: question.Point{At: 0.7499}, Replications: 8},
			{Point: question.Point{At: 0.75}, Replications: 32}, {Point: question.Point{Side: 1}, Replications: 20}},
		Means: []question.Measured{of(1.1, 5), of(1.1999, 20), of(1.2, 9), of(0, 7)},
	}
	type drawn struct {
		Line  []figure.Point
		Bands [][]figure.Span
		Bound []figure.Reference
		Rules []float64
	}
	check := func(want drawn, caption string) {
		t.Helper()
		f := q.figure().Figure
		var got drawn
		for _, m := range f.Panels[0].Marks {
			switch m := m.(type) {
			case *figure.Line:
				got.Line = append(got.Line, m.At...)
			case *figure.Band:
				got.Bands = append(got.Bands, m.Spans)
			case *figure.Reference:
				got.Bound = append(got.Bound, *m)
			case *figure.Rules:
				got.Rules = m.X
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || !strings.HasSuffix(f.Caption, caption) || !f.Y.Log {
			t.Errorf("%s\n%q, want %q", diff, f.Caption, caption)
		}
	}
	want := drawn{[]figure.Point{{X: 0.7, Y: 5}, {X: 0.75, Y: 9}},
		[][]figure.Span{{{X: 0.7, Low: 4, High: 6}, {X: 0.75, Low: 8, High: 10}}, {{X: 0.7, Low: 6, High: 8}, {X: 0.75, Low: 6, High: 8}}},
		[]figure.Reference{{Y: 7, Label: "fcfs, load = 0.6", N: 20}}, []float64{0.74, 0.76}}
	check(want, " Means over 8 to 32 replications; band: 95 % confidence interval. Points closer than 1 % of the range to one with "+
		"more replications are not drawn. Dotted: the ends of the answer's interval.")

	q.Asked.X, q.State, q.High = "penalty", question.AtEnd, math.Inf(1)
	want.Line = []figure.Point{{X: 1.1, Y: 5}, {X: 1.2, Y: 9}}
	want.Bands = [][]figure.Span{{{X: 1.1, Low: 4, High: 6}, {X: 1.2, Low: 8, High: 10}},
		{{X: 1.1, Low: 6, High: 8}, {X: 1.2, Low: 6, High: 8}}}
	want.Rules = []float64{0.74}
	check(want, " Dotted: the ends of the answer's interval.")

	q.State, q.Interval, q.Bracket = question.Undecided, stats.NoInterval(math.NaN()), [2]float64{1.1, 1.2}
	want.Rules = []float64{1.1, 1.2}
	check(want, " Dotted: the values between which a crossing may be.")

	q.Kind, q.Question.Sides, q.Points, q.Asked.AtMost, q.Upper = "threshold", q.Question.Sides[:1], q.Points[:3], 6, true
	want.Bands, want.Bound = want.Bands[:1], []figure.Reference{{Y: 6, Label: "at most 6"}}
	check(want, " Dotted: the values between which a crossing may be.")

	q.Means[0].Y = stats.Interval{}
	want.Line[0].Y, want.Bands[0][0] = 0, figure.Span{X: 1.1}
	check(want, " Dotted: the values between which a crossing may be. Means that are undefined, or 0 on a logarithmic axis, are not drawn.")
}
