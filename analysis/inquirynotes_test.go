package analysis

import (
	"math"
	"strings"
	"testing"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/question"
	"schedsweep/sweep"
	"schedsweep/sweep/params"
	"schedsweep/sweep/study"
)

// TestNotesOfPointsWithoutAnAxis: a question has the notes of its means, also at points that an axis does not reach. The plan
// gives such an axis a value, and rows have none.
func TestNotesOfPointsWithoutAnAxis(t *testing.T) {
	var policy []string
	var factor, load, rep, wait, unstable []float64
	for r := range 4 {
		for _, l := range []float64{.5, .9} {
			policy, factor, load, rep = append(policy, "fcfs"), append(factor, math.NaN()), append(load, l), append(rep, float64(r))
			wait, unstable = append(wait, 100*l+float64(r)), append(unstable, math.Round(l-.2))
		}
	}
	f, err := frame.NewFrame(frame.TextColumn("policy", policy), frame.NumberColumn("factor", "", factor),
		frame.NumberColumn("load", "", load), frame.NumberColumn("replication", "", rep),
		frame.NumberColumn("mean_wait_time", "s", wait), frame.NumberColumn("unstable", "", unstable),
		frame.NumberColumn("wait_growth", "", make([]float64, len(rep))))
	if err != nil {
		t.Fatal(err)
	}
	fcfs, none := params.Value{Kind: params.String, S: "fcfs"}, params.Value{Kind: params.Float, Null: true}
	asked := Inquired{
		Question: study.Question{Chosen: 2, Asked: study.Asked{Metric: "mean_wait_time"},
			Sides: [][]params.Value{{fcfs, {Kind: params.Float, F: 1.1}, none}}},
		values: [][]params.Value{{fcfs, none, {Kind: params.Float, F: .5}}},
		Points: []question.Demand{{Point: question.Point{At: .5}, Replications: 4}, {Point: question.Point{At: .9}, Replications: 4}},
	}
	q := Inquiry{Metrics: []string{"mean_wait_time"}, Questions: []Inquired{asked}}
	d := frame.Design{Axes: []string{"policy", "factor", "load"}, Replication: "replication", Metrics: []string{"mean_wait_time"}}
	if err := q.Note(f, d); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(q.Questions[0].notes(), "; "); got != "1 of 2 means depend on how long runs are" {
		t.Errorf("notes %q", got)
	}
}

// TestMetricsOfQuestions: a question's metric is analysed beside those of metrics:, so that the means it rests on have their notes.
func TestMetricsOfQuestions(t *testing.T) {
	m, err := sweep.Load("asked.yaml", []byte("name: asked\nreplications: 4\nworkload: {load: 0.5}\naxes: {workload.load: [0.5, 0.9]}\n"+
		"metrics: [makespan]\nfind:\n  - {id: a, mean: {metric: wait, of: {workload.load: 0.5}}, relative_half_width: 20%}\n"+
		"  - {id: b, mean: {metric: makespan, of: {workload.load: 0.5}}, relative_half_width: 20%}\n"),
		sweep.Options{Registry: &params.Registry{Version: 1, Metrics: []params.Metric{{Name: "makespan"}, {Name: "wait"}},
			Sections: []params.Section{{Name: "workload", Kinds: []params.Kind{{Params: workloadParams{}}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	spec, err := FromManifest(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(spec.Design.Metrics, " "); got != "makespan wait" || len(m.Metrics) != 1 {
		t.Errorf("metrics %s of %v", got, m.Metrics)
	}
}
