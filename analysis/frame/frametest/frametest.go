// Package frametest has the frames that tests of statistics and claims share.
package frametest

import (
	"math"
	"testing"

	"schedsweep/analysis/frame"
	"schedsweep/sweep/params"
	"schedsweep/sweep/study"
)

// Grid is a run of the policies at each load, with as many replications; value gives the metric y, second the metric z.
func Grid(t testing.TB, policies []string, loads []float64, replications int, value,
	second func(policy string, load float64, rep int) float64) *frame.Run {
	t.Helper()
	var policy, outcome []string
	var load, rep, y, z []float64
	var planPolicy []string
	var planLoad []float64
	for _, p := range policies {
		for _, l := range loads {
			planPolicy, planLoad = append(planPolicy, p), append(planLoad, l)
			for r := range replications {
				policy, outcome = append(policy, p), append(outcome, "ok")
				load, rep = append(load, l), append(rep, float64(r))
				y, z = append(y, value(p, l, r)), append(z, second(p, l, r))
			}
		}
	}
	made := func(columns ...frame.Column) *frame.Frame {
		f, err := frame.NewFrame(columns...)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	return &frame.Run{
		Frame: made(frame.TextColumn("policy", policy), frame.NumberColumn("load", "", load), frame.NumberColumn("replication", "", rep),
			frame.TextColumn("outcome", outcome), frame.NumberColumn("y", "s", y), frame.NumberColumn("z", "", z)),
		Planned: made(frame.TextColumn("policy", planPolicy), frame.NumberColumn("load", "", planLoad)),
		Design: frame.Design{Axes: []string{"policy", "load"}, Replication: "replication", Outcome: "outcome",
			PlannedPerPoint: frame.Exactly(replications)},
		Remedy: "run it",
	}
}

// Zero is the value of a metric that says nothing.
func Zero(string, float64, int) float64 { return 0 }

// Where restricts an axis to some values, texts or numbers.
func Where(path string, values ...any) study.Term {
	t := study.Term{Path: path}
	for _, v := range values {
		switch v := v.(type) {
		case string:
			t.Values = append(t.Values, params.Value{Kind: params.String, S: v})
		case float64:
			t.Values = append(t.Values, params.Value{Kind: params.Float, F: v})
		}
	}
	return t
}

// Of chooses rows.
func Of(terms ...study.Term) *study.Selection { return &study.Selection{Terms: terms} }

// Policy chooses the rows of policies.
func Policy(names ...any) *study.Selection { return Of(Where("policy", names...)) }

// Noise differs from instance to instance and is the same in every run of the tests.
func Noise(p string, load float64, rep int) float64 {
	return math.Mod(float64(rep*7919+int(load*1000)*104729+len(p)*1299709), 1000) / 1000
}

// FrameOf makes a frame of chosen rows of another.
func FrameOf(_ testing.TB, f *frame.Frame, rows []int) *frame.Frame {
	at := make([]int32, len(rows))
	for i, r := range rows {
		at[i] = int32(r)
	}
	return f.Take(at)
}

func ColumnsOf(f *frame.Frame) (columns []frame.Column) {
	for _, name := range f.Names() {
		columns = append(columns, *f.Column(name))
	}
	return columns
}

// Ints are the numbers from 0 to n-1.
func Ints(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
