package analysis

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/harness/store"
	"schedsweep/sweep"
	"schedsweep/sweep/params"
)

func TestFromTable(t *testing.T) {
	column := func(name string, typ store.Type, unit string) store.Column {
		return store.Column{Name: name, Type: typ, Unit: unit, Nullable: true}
	}
	nulls := []bool{false, true, false}
	f, err := frame.FromTable(&store.Table{Rows: 3, Columns: []store.Vector{
		{Column: column("f", store.Float64, "s"), Floats: []float64{1.5, 0, math.NaN()}, Nulls: nulls},
		{Column: column("i", store.Int64, "1"), Ints: []int64{7, 0, -7}, Nulls: nulls},
		{Column: column("b", store.Bool, ""), Bools: []bool{true, false, false}, Nulls: nulls},
		{Column: column("s", store.String, ""), Strings: []string{"x", "", "y"}, Nulls: nulls},
		{Column: column("c", store.Category, ""), Codes: []int32{1, 0, 0}, Dict: []string{"ok", "failed"}, Nulls: nulls},
		{Column: column("plain", store.Int32, ""), Ints: []int64{1, 2, 3}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{"f": {"1.5", "-", "-"}, "i": {"7", "-", "-7"}, "b": {"true", "-", "false"}, "s": {"x", "-", "y"},
		"c": {"failed", "-", "ok"}, "plain": {"1", "2", "3"}}
	for name, values := range want {
		var got []string
		for row := range f.Rows {
			got = append(got, f.Column(name).At(row).String())
		}
		if d := cmp.Diff(values, got); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
	}
	if f.Column("f").Unit != "s" || f.Column("i").Unit != "" {
		t.Errorf("units %q and %q", f.Column("f").Unit, f.Column("i").Unit)
	}
	if _, err := frame.FromTable(&store.Table{Rows: 1, Columns: []store.Vector{{Column: column("odd", 99, "")}}}); err == nil {
		t.Error("a column of unknown type is taken")
	}
}

const studyManifest = `
name: study
seed: 1
replications: 4
workload: {load: 0.5}
policy: {placement: basic}
axes:
  workload.load: [0.5, 0.7, 0.9]
  policy.placement: [local, basic, contiguous]
metrics: [makespan]
analysis:
  confidence: 0.9
  quantiles: [0.1]
  baseline: {policy.placement: basic, workload.load: 0.7}
  margins: [{metric: makespan, share: 0.02}]
  trends:
    - {x: workload.load, y: makespan}
  figures:
    - {id: fig, x: workload.load, y: makespan, panels: policy.placement, points: true, line: none, trend: true, band: true, y_scale: log, x_label: Offered load, columns: 2}
    - {id: cat, x: policy.placement, y: makespan, series: workload.load, band: true}
`

type workloadParams struct {
	Load float64 `sweep:"load"`
}

type policyParams struct {
	Placement string `sweep:"placement" enum:"basic|contiguous|local"`
}

// A manifest's rows, all instances of its plan, are analysed as the manifest asks.
func TestFromManifest(t *testing.T) {
	m, err := sweep.Load("study.yaml", []byte(studyManifest), sweep.Options{Registry: &params.Registry{
		Sections: []params.Section{
			{Name: "workload", Doc: "jobs", Kinds: []params.Kind{{Doc: "jobs", Params: workloadParams{}}}},
			{Name: "policy", Doc: "who starts", Kinds: []params.Kind{{Doc: "who starts", Params: policyParams{Placement: "basic"}}}},
		},
		Metrics: []params.Metric{{Name: "makespan", Unit: "s", Doc: "last end", Better: "lower"}}, Version: 1,
	}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := FromManifest(m, []string{"unused"})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(frame.Design{
		Axes: []string{"workload.load", "policy.placement"}, Replication: "replication", Outcome: "outcome", Metrics: []string{"makespan"},
		Order: map[string][]string{"policy.placement": {"local", "basic", "contiguous"}}, PlannedPerPoint: frame.Exactly(4),
		PlannedTotal: frame.Exactly(36), Confidence: 0.9, Quantiles: []float64{0.1},
		Margins: map[string]stats.Margin{"makespan": {Share: 0.02}}, Better: map[string]string{"makespan": "lower"},
	}, s.Design, bits); d != "" {
		t.Error(d)
	}
	plan, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	var load, replication, makespan []float64
	var placement, outcome []string
	var inst sweep.Instance
	for i := range plan.Len() {
		plan.At(i, &inst)
		load = append(load, inst.Values[0].F)
		placement = append(placement, inst.Values[1].S)
		replication = append(replication, float64(inst.Replication))
		makespan = append(makespan, 1000*inst.Values[0].F+10*float64(inst.Replication)+float64(len(inst.Values[1].S)))
		outcome = append(outcome, "ok")
	}
	f, err := frame.NewFrame(frame.NumberColumn("workload.load", "", load), frame.TextColumn("policy.placement", placement),
		frame.NumberColumn("replication", "", replication), frame.TextColumn("outcome", outcome), frame.NumberColumn("makespan", "s", makespan))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Analyse(f, s)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Warnings) != 0 || len(r.Statistics) != 9 || len(r.Comparisons) != 1 || len(r.Comparisons[0]) != 8 || len(r.Trends) != 1 ||
		len(r.Trends[0]) != 3 || len(r.Figures) != 2 {
		t.Errorf("warnings %v, %d statistics, comparisons %v", r.Warnings, len(r.Statistics), r.Comparisons)
	}
	for _, tr := range r.Trends[0] {
		if !(math.Abs(tr.Slope-1000) <= 1e-9) || !(math.Abs(tr.SlopeInterval.HalfWidth()) <= 1e-6) {
			t.Errorf("slope %g, by replication %v, want 1000", tr.Slope, tr.SlopeInterval)
		}
	}
	fig := r.Figures[0].Figure
	if len(fig.Panels) != 3 || fig.Panels[0].Title != "local" || !fig.Y.Log || fig.X.Log || fig.X.Label != "Offered load" ||
		fig.Columns != 2 || len(markOf[figure.Cloud](fig.Panels[0], 0).At) != 12 {
		t.Errorf("figure %+v", fig)
	}
	if d := cmp.Diff([]string{"load", "0.5", "0.7", "0.9"},
		append([]string{r.Figures[1].Figure.SeriesTitle}, r.Figures[1].Figure.Series...)); d != "" {
		t.Error(d)
	}
	if len(r.Figures[1].Warnings) != 0 {
		t.Errorf("warnings %v", r.Figures[1].Warnings)
	}
	if c := r.Comparisons[0][0]; len(c.Level) != 2 || c.Level[0].Number != 0.5 || c.Level[1].Text != "local" ||
		!(math.Abs(c.Difference.Estimate-(-200)) <= 1e-9) || warned(c.Warnings, stats.Missing) != 0 {
		t.Errorf("%+v", c)
	}
}
