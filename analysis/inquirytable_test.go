package analysis

import (
	"math"
	"strings"
	"testing"

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
	if got, want := q.Says(), "progress.bandwidth is 150 MB/s [140 MB/s, 161 MB/s] where wait of easy, offered load = 0.6 is that of fcfs, "+
		"65 MB/s, offered load = 0.8"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	q.values[1][1].Null = true
	if got, want := q.Says(), "progress.bandwidth is 150 MB/s [140 MB/s, 161 MB/s] where wait of easy, offered load = 0.6 is that of fcfs, "+
		"offered load = 0.8"; got != want {
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
	} {
		if q.State, q.Sign, q.Upper = c.state, c.sign, c.upper; q.Says() != c.says {
			t.Errorf("%q, want %q", q.Says(), c.says)
		}
	}
}

// TestQuestionFigure: all instances of a question are in its figure or its caption, and the interval of a place on the axis.
func TestQuestionFigure(t *testing.T) {
	number := func(v float64) params.Value { return params.Value{Kind: params.Float, F: v} }
	name := func(v string) params.Value { return params.Value{Kind: params.String, S: v} }
	null := params.Value{Kind: params.Float, Null: true}
	q := Inquired{
		Question: study.Question{ID: "q", Kind: "crossing", Asked: study.Asked{Metric: "wait", By: "load"}, Chosen: 1,
			Sides: [][]params.Value{{name("easy"), null}, {name("fcfs"), number(0.6)}}},
		Answer:    question.Answer{State: question.Answered, Interval: stats.Interval{Estimate: 0.75, Low: 0.74, High: 0.76}},
		axes:      []layout.Axis{{Path: "kind", Type: params.String}, {Path: "load", Type: params.Float}},
		values:    [][]params.Value{{name("easy"), number(0.5)}, {name("fcfs"), number(0.6)}},
		Instances: 60,
		Points: []question.Demand{{Point: question.Point{At: 0.7}, Replications: 8}, {Point: question.Point{At: 0.75}, Replications: 32},
			{Point: question.Point{Side: 1}, Replications: 20}},
	}
	drawn := func() (at []figure.Point, rules int, caption string) {
		f := q.figure().Figure
		for _, m := range f.Panels[0].Marks {
			switch m := m.(type) {
			case *figure.Cloud:
				at = append(at, m.At...)
			case *figure.Rules:
				rules += len(m.X)
			}
		}
		return at, rules, f.Caption
	}
	if at, rules, caption := drawn(); len(at) != 3 || at[2] != (figure.Point{X: 0.6, Y: 20}) || rules != 2 ||
		!strings.HasSuffix(caption, "Dotted: the ends of the answer's interval.") {
		t.Errorf("%v, %d rules, %q", at, rules, caption)
	}
	q.values[1][1].Null, q.Asked.X = true, "penalty"
	if at, rules, caption := drawn(); len(at) != 2 || rules != 0 || !strings.HasSuffix(caption, " 20 of them, of fcfs, have no place on "+
		"the axis.") {
		t.Errorf("%v, %d rules, %q", at, rules, caption)
	}
}
