package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"schedsweep/analysis/compare"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/plot"
	"schedsweep/analysis/stats"
	"schedsweep/sweep"
	"schedsweep/sweep/params"
	"schedsweep/sweep/study"
)

type knobParams struct {
	A float64 `sweep:"a" min:"0" max:"1"`
	B float64 `sweep:"b" min:"0" max:"1"`
	C float64 `sweep:"c" min:"0" max:"1"`
	N int     `sweep:"n"`
	S string  `sweep:"s" enum:"x|y|z"`
}

type (
	plainParams struct{}
	deepParams  struct {
		Depth float64 `sweep:"depth"`
	}
)

const overKnobs = `
  over:
    k.a: {from: 0, to: 1}
    k.b: {from: 0, to: 1}
    k.c: {from: 0, to: 1}
`

// rowsOfSample loads a manifest with a sample and makes the rows of its instances by a function, but for some that failed.
func rowsOfSample(t *testing.T, yaml string, failed func(index int) bool,
	answer func(in *sweep.Instance, v map[string]params.Value) float64) (*frame.Frame, Spec) {
	t.Helper()
	m, err := sweep.Load("sample.yaml", []byte("name: s\nmetrics: [y]\n"+yaml), sweep.Options{Registry: &params.Registry{
		Sections: []params.Section{
			{Name: "k", Kinds: []params.Kind{{Params: knobParams{S: "x"}}}},
			{Name: "p", Default: "plain", Kinds: []params.Kind{{Name: "plain", Params: plainParams{}}, {Name: "deep", Params: deepParams{}}}},
		},
		Metrics: []params.Metric{{Name: "y", Unit: "s", Better: "lower"}}, Version: 1,
	}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := FromManifest(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	plan, _ := m.Plan()
	numbers, texts := map[string][]float64{}, map[string][]string{}
	var y, replication []float64
	var outcome []string
	for i, in := range plan.All() {
		at := map[string]params.Value{}
		for k, axis := range plan.Axes() {
			at[axis.Path] = in.Values[k]
			if v := frame.ValueOf(in.Values[k]); axis.Type == params.String {
				texts[axis.Path] = append(texts[axis.Path], v.Text)
			} else {
				numbers[axis.Path] = append(numbers[axis.Path], v.Number)
			}
		}
		outcome = append(outcome, "ok")
		if failed != nil && failed(i) {
			outcome[i] = "failed"
		}
		y, replication = append(y, answer(in, at)), append(replication, float64(in.Replication))
	}
	columns := []frame.Column{frame.NumberColumn("replication", "", replication), frame.TextColumn("outcome", outcome),
		frame.NumberColumn("y", "s", y)}
	for _, axis := range plan.Axes() {
		if axis.Type == params.String {
			columns = append(columns, frame.TextColumn(axis.Path, texts[axis.Path]))
		} else {
			columns = append(columns, frame.NumberColumn(axis.Path, "", numbers[axis.Path]))
		}
	}
	f, err := frame.NewFrame(columns...)
	if err != nil {
		t.Fatal(err)
	}
	return f, s
}

func product(in *sweep.Instance, v map[string]params.Value) float64 {
	noise := rand.New(rand.NewPCG(uint64(in.Replication), 7)).NormFloat64() // which all points of a replication share
	return 100 + 2*v["k.a"].F + 3*v["k.b"].F + 4*v["k.a"].F*v["k.b"].F + 50*noise
}

// moment finds a statistic of a knob.
func moment(t *testing.T, all []compare.Sensitivity, knob, name string) stats.Interval {
	t.Helper()
	for _, s := range all {
		for _, m := range s.Moments {
			if s.Knob == knob && m.Name == name {
				return m.Interval
			}
		}
	}
	t.Fatalf("no %s of %s", name, knob)
	return stats.Interval{}
}

// TestSensitivitiesOfAProduct computes those of 2a + 3b + 4ab by hand. The effects of Morris have the means 4, 5 and 0. With
// uniform a and b the variances are 16/12, 25/12 and 16/144. The noise that replications share adds to none of them.
func TestSensitivitiesOfAProduct(t *testing.T) {
	whole := 16.0/12 + 25.0/12 + 16.0/144
	for yaml, want := range map[string]map[string][3]float64{
		"replications: 5\nsample:\n  morris: {trajectories: 40}" +
			overKnobs: {"mu_star": {4, 5, 0}, "mu": {4, 5, 0}, "sigma": {4 * math.Sqrt(5.0/36), 4 * math.Sqrt(5.0/36), 0}},
		"sample:\n  sobol: {points: 256, replications: 3}" +
			overKnobs: {"first": {16.0 / 12 / whole, 25.0 / 12 / whole, 0},
			"total": {(16.0/12 + 16.0/144) / whole, (25.0/12 + 16.0/144) / whole, 0}},
		"replications: 3\nk: {a: 0.5, b: 0.5, c: 0}\nsample:\n  one_at_a_time: {levels: 3}" + overKnobs: {"range": {4, 5, 0}},
	} {
		f, s := rowsOfSample(t, yaml, nil, product)
		r, err := Analyse(f, s)
		if err != nil {
			t.Fatal(err)
		}
		for name, values := range want {
			for k, v := range values {
				i := moment(t, r.Sensitivities, []string{"k.a", "k.b", "k.c"}[k], name)
				if !(i.Low-1e-9 <= v && v <= i.High+1e-9) || !(math.Abs(i.Estimate-v) <= 0.12*max(v, 0.1)) || v == 0 &&
					!(math.Abs(i.Estimate) <= 1e-12) {
					t.Errorf("%s of knob %d: %v, want %.4f", name, k, i, v)
				}
			}
		}
		if text := r.Overview([]string{"y"}); len(text) != 1 || len(text[0].Rows) != 3 || text[0].Rows[0].Cells[0].Text != "k.b" {
			t.Errorf("overview %+v", text)
		}
		if tables := r.Tables(); tables[len(tables)-1].ID != "sensitivity" || len(tables[len(tables)-1].Rows) != 3 {
			t.Error("no table of sensitivities")
		}
	}
}

// TestSensitivitiesWithoutSome: a trajectory with a failed instance is left out as a whole, and said to be; so is a replication
// that has hardly begun.
func TestSensitivitiesWithoutSome(t *testing.T) {
	const yaml = "replications: 4\nsample:\n  morris: {trajectories: 6}" + overKnobs
	f, s := rowsOfSample(t, yaml, func(i int) bool { return i == 5*4+1 || i%4 == 3 && i > 20 }, product)
	all, _, err := compare.Sensitivities(f, s.Design)
	if err != nil || len(all) != 3 {
		t.Fatalf("%d, %v", len(all), err)
	}
	if one := all[0]; one.Units != 5 || one.Replications != 3 || len(one.Warnings) != 2 ||
		one.Warnings[0].Text != "1 of 6 trajectories of the sample lacks an answer, and was left out" ||
		one.Warnings[1].Text != "1 of 4 replications lacks values at most points, and is left out" {
		t.Errorf("%+v", one)
	}
	f, s = rowsOfSample(t, yaml, nil, product)
	all, _, err = compare.Sensitivities(f.Take(append(frame.Every(f), 21, 21)), s.Design)
	if err != nil || all[0].Units != 5 || all[0].Replications != 4 ||
		!strings.Contains(fmt.Sprint(all[0].Warnings), "3 rows repeat an instance") {
		t.Errorf("with rows twice: %+v, %v", all[0], err)
	}
	f, s = rowsOfSample(t, yaml, func(int) bool { return true }, product)
	if all, few, err := compare.Sensitivities(f, s.Design); err != nil || len(all)+len(few) != 0 {
		t.Errorf("of nothing: %v, %v, %v", all, few, err)
	}
	f, s = rowsOfSample(t, yaml, func(i int) bool { return i/4%3 > 0 }, product)
	if all, few, err := compare.Sensitivities(f, s.Design); err != nil || len(all) != 0 || len(few) != 1 ||
		!strings.Contains(few[0].Text, "no sensitivities of y: trajectories take") {
		t.Errorf("of a third: %v, %v, %v", all, few, err)
	}
	f, s = rowsOfSample(t, strings.Replace(yaml, "6}", "2}", 1), func(i int) bool { return i == 7*4 }, product)
	if all, _, err := compare.Sensitivities(f, s.Design); err != nil || len(all) != 3 || all[0].Units != 1 || all[0].Moments[0].Bounded() {
		t.Errorf("of one trajectory: %+v, %v", all, err)
	}
	for point := range 5 { // of the first: two of the base samples, and three with the other's knobs
		f, s = rowsOfSample(t, "replications: 4\nsample:\n  sobol: {points: 64}"+overKnobs, func(i int) bool { return i == 4*point }, product)
		all, _, err = compare.Sensitivities(f, s.Design)
		if err != nil || len(all[0].Warnings) != 1 ||
			all[0].Warnings[0].Text != "1 of 512 points of the sample lacks an answer, and was left out" {
			t.Fatalf("without point %d: %+v, %v", point, all, err)
		}
	}
}

// TestKnobThatMovesRoundingOnly: answers that differ in their last bits are equal, so that the knob has no effect by any method.
func TestKnobThatMovesRoundingOnly(t *testing.T) {
	for yaml, names := range map[string][]string{
		"replications: 4\nsample:\n  morris: {trajectories: 6}":                             {"mu_star", "mu", "sigma"},
		"replications: 4\nsample:\n  sobol: {points: 16, scrambles: 4}":                     {"first", "total"},
		"replications: 4\nk: {a: 0.5, b: 0.5, c: 0}\nsample:\n  one_at_a_time: {levels: 3}": {"range"},
	} {
		f, s := rowsOfSample(t, yaml+overKnobs, nil, func(in *sweep.Instance, v map[string]params.Value) float64 {
			return product(in, v) * (1 + 1e-15*v["k.c"].F)
		})
		r, err := Analyse(f, s)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if i := moment(t, r.Sensitivities, "k.c", name); i != (stats.Interval{}) {
				t.Errorf("%s: %v", name, i)
			}
		}
	}
}

// TestEffectsThatAreAlike: where all effects of a knob are the same, their spread is rounding, and has no more digits than the effects.
func TestEffectsThatAreAlike(t *testing.T) {
	f, s := rowsOfSample(t, "replications: 4\nsample:\n  morris: {trajectories: 6}"+overKnobs, nil,
		func(in *sweep.Instance, v map[string]params.Value) float64 {
			return 10.1*v["k.a"].F + 0.7*v["k.b"].F + 0.3*float64(in.Replication)
		})
	r, err := Analyse(f, s)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range sensitivityTable(r.Design, r.Sensitivities, true).Rows {
		for _, c := range row.Cells {
			if len(c.Read()) > len("k.a-10.10000") {
				t.Errorf("%s has the cell %s", row.Cells[2].Text, c.Read())
			}
		}
	}
}

// TestKnobsOfSomeKinds has a knob that only one kind has. It has no effect under the other kind, whose rows have no value of it.
// Each value of another axis has sensitivities of its own.
func TestKnobsOfSomeKinds(t *testing.T) {
	f, s := rowsOfSample(t, "replications: 2\naxes: {k.a: [0, 1]}\nsample:\n  morris: {trajectories: 30}\n  over:\n    k.s: [x, y, z]\n    "+
		"p.kind: [plain, deep]\n    p.depth: {from: 0, to: 9}\n    k.n: {from: 1, to: 4}\n", nil,
		func(_ *sweep.Instance, v map[string]params.Value) float64 {
			depth := v["p.depth"]
			if depth.Null {
				depth.F = 0
			}
			return depth.F*(1+v["k.a"].F) + map[string]float64{"x": 0, "y": 1, "z": 3}[v["k.s"].S] + 2*float64(v["k.n"].I)
		})
	all, _, err := compare.Sensitivities(f, s.Design)
	if err != nil || len(all) != 8 {
		t.Fatalf("%d, %v", len(all), err)
	}
	for i, a := range []float64{0, 1} {
		of := all[4*i : 4*i+4]
		if of[0].Point[0].Number != a || of[0].Units != 30 {
			t.Fatalf("%+v", of[0])
		}
		if m := moment(t, of, "k.n", "mu_star"); !(math.Abs(m.Estimate-6) <= 1e-9) {
			t.Errorf("n: %v, want 6", m)
		}
		if m := moment(t, of, "p.depth", "mu"); m.Estimate < 3*(1+a) || m.Estimate > 6*(1+a) {
			t.Errorf("depth, which counts in half of the points: %v, want about %v", m, 4.5*(1+a))
		}
		if m := moment(t, of, "k.s", "mu_star"); m.Estimate < 1.4 || m.Estimate > 2.6 {
			t.Errorf("s, whose values differ by 1, 2 and 3: %v", m)
		}
	}
	if _, err := plot.Draw(f, s.Design, figureOf("morris")); err == nil || !strings.Contains(err.Error(), "2 values of k.a") {
		t.Errorf("a figure of two points: %v", err)
	}
	spec := figureOf("morris")
	spec.Panels = "k.a"
	d, err := plot.Draw(f, s.Design, spec)
	if err != nil || len(d.Figure.Panels) != 2 || len(d.Figure.Panels[1].Marks) != 4 || !slices.Contains(d.Figure.Series, "depth") {
		t.Errorf("%+v, %v", d, err)
	}
}

// TestCaptionsOfEffects: captions say what intervals are over. One replication has no spread, and its noise stays; the variance of
// effects takes three for an interval over replications.
func TestCaptionsOfEffects(t *testing.T) {
	const trajectories = "95\u00a0% confidence interval over trajectories, n\u00a0=\u00a06"
	const of = "Effects of each knob over its range by the method of Morris (the noise of "
	for n, want := range map[int][2]string{
		1: {of + "the one replication is in their standard deviation); bars: " + trajectories + ".", trajectories + "."},
		2: {of + "replications is taken out of their standard deviation); bars: " + trajectories + ", and replications, n\u00a0=\u00a02 " +
			"(those of the standard deviation over trajectories alone).", trajectories + ", and replications, n\u00a0=\u00a02."},
		3: {of + "replications is taken out of their standard deviation); bars: " + trajectories + ", and replications, n\u00a0=\u00a03.",
			trajectories + ", and replications, n\u00a0=\u00a03."},
	} {
		f, s := rowsOfSample(t, fmt.Sprintf("replications: %d\nsample:\n  morris: {trajectories: 6}", n)+overKnobs, nil, product)
		for i, kind := range []string{"morris", "indices"} {
			d, err := plot.Draw(f, s.Design, figureOf(kind))
			if err != nil {
				t.Fatal(err)
			}
			if got, _, _ := strings.Cut(d.Figure.Caption, " Noise alone"); !strings.HasSuffix(got, want[i]) {
				t.Errorf("%d, %s: the caption is %q, want %q", n, kind, got, want[i])
			}
		}
	}
}

// TestNoiseBesideAPanelWithoutEffects: where nothing has an effect in one panel, the caption has the noise of the other.
func TestNoiseBesideAPanelWithoutEffects(t *testing.T) {
	f, s := rowsOfSample(t, "replications: 3\naxes: {k.s: [x, y]}\nsample:\n  morris: {trajectories: 6}"+overKnobs, nil,
		func(in *sweep.Instance, v map[string]params.Value) float64 {
			if v["k.s"].S == "x" {
				return 1
			}
			return product(in, v) + 5*v["k.a"].F*float64(in.Replication)
		})
	d, err := plot.Draw(f, s.Design, study.Figure{ID: "f", Kind: "indices", X: "y", Panels: "k.s"})
	if err != nil || !strings.Contains(d.Figure.Caption, "Noise alone would give") {
		t.Errorf("%v, %q", err, d.Figure.Caption)
	}
}

// TestKnobsOfKindsByAxis: where an axis that is no knob gives the kind, each kind has the sensitivities of its own rows, whichever knobs
// these know, and the same each time.
func TestKnobsOfKindsByAxis(t *testing.T) {
	f, s := rowsOfSample(t, "replications: 2\naxes: {p.kind: [plain, deep]}\nsample:\n  morris: {trajectories: 8}\n  over:\n    p.depth: "+
		"{from: 0, to: 9}\n    k.n: {from: 1, to: 4}\n", nil,
		func(_ *sweep.Instance, v map[string]params.Value) float64 {
			if v["p.depth"].Null {
				return 2 * float64(v["k.n"].I)
			}
			return v["p.depth"].F
		})
	first, few, err := compare.Sensitivities(f, s.Design)
	if err != nil || len(first) != 4 || len(few) != 0 {
		t.Fatalf("%+v, %v, %v", first, few, err)
	}
	for i, one := range first {
		want := map[string]float64{"plain k.n": 6, "deep p.depth": 9}[one.Point[0].Text+" "+one.Knob]
		if one.Units != 8 || len(one.Warnings) > 0 || !(math.Abs(one.Moments[0].Estimate-want) <= 1e-9) {
			t.Errorf("%d: %+v, want %g", i, one, want)
		}
	}
	for range 20 {
		if again, _, err := compare.Sensitivities(f, s.Design); err != nil || fmt.Sprint(again) != fmt.Sprint(first) {
			t.Fatalf("%+v, %v, first %+v", again, err, first)
		}
	}
}

func figureOf(kind string) study.Figure { return study.Figure{ID: "f", Kind: kind, X: "y"} }
