package analysis

import (
	"io"
	"reflect"
	"schedsweep/analysis/compare"
	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/plot"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
	"testing"
)

func drawn(t *testing.T, f *frame.Frame, s study.Figure) *plot.Drawing {
	t.Helper()
	d, err := plot.Draw(f, design(), s)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Figure.SVG(io.Discard); err != nil {
		t.Fatal(err)
	}
	return d
}

// markOf is the mark of a kind that a series has in a panel, an empty one where it has none.
func markOf[M any](p figure.Panel, series int) M {
	for _, m := range p.Marks {
		if k, ok := m.(any).(*M); ok && reflect.ValueOf(k).Elem().FieldByName("Series").Int() == int64(series) {
			return *k
		}
	}
	var none M
	return none
}

// The plotted means and bands are those of the statistics table.
func TestPlottedMeansAreTheStatistics(t *testing.T) {
	f := sample(t)
	all, err := summarise(f, design())
	if err != nil {
		t.Fatal(err)
	}
	d := drawn(t, f, study.Figure{ID: "f", X: "workload.communication_factor", Y: "mean_wait", Series: "policy.placement",
		Params: &plot.MeansParams{Band: true}})
	n := 0
	for s := range d.Figure.Series {
		line, band := markOf[figure.Line](d.Figure.Panels[0], s), markOf[figure.Band](d.Figure.Panels[0], s)
		for i, p := range line.At {
			want := at(t, all, "mean_wait", d.Figure.Series[s], frame.Number(p.X).String()).Mean
			if p.Y != want.Estimate || band.Spans[i] != (figure.Span{X: p.X, Low: want.Low, High: want.High}) {
				t.Errorf("%s at %g: %g %v, want %v", d.Figure.Series[s], p.X, p.Y, band.Spans[i], want)
			}
			n++
		}
	}
	if n != 24 {
		t.Errorf("%d means, want 24", n)
	}
}

func TestPlotOverAMetric(t *testing.T) {
	f := sample(t)
	d := drawn(t, f, study.Figure{ID: "f", X: "mean_wait", Y: "makespan", Series: "policy.placement"})
	all, err := summarise(f, design())
	if err != nil {
		t.Fatal(err)
	}
	line := markOf[figure.Line](d.Figure.Panels[0], 2).At
	p := line[0]
	x, y := at(t, all, "mean_wait", "local", "0").Mean.Estimate, at(t, all, "makespan", "local", "0").Mean.Estimate
	if p.X != x || p.Y != y || len(line) != 8 {
		t.Errorf("%v, want (%g, %g)", p, x, y)
	}
}

// Pairing takes the workload's own variation out: the paired interval is far below that of independent samples.
func TestPairingPays(t *testing.T) {
	f, d := sample(t), design()
	got, err := compare.Paired(f, d, compare.Contrast{Axes: []string{"policy.placement"}, Baseline: []frame.Value{frame.Text("basic")},
		Metrics: []string{"makespan"}})
	if err != nil {
		t.Fatal(err)
	}
	all, err := summarise(f, d)
	if err != nil {
		t.Fatal(err)
	}
	paired := got[len(got)-1].Difference.HalfWidth()
	alone := at(t, all, "makespan", "local", "70000000").Mean.HalfWidth()
	if paired > alone/3 {
		t.Errorf("paired half-width %g, of one mean %g", paired, alone)
	}
}

// An analysis without rows, or without its baseline, warns.
func TestWithoutRowsOrBaseline(t *testing.T) {
	if r, err := Analyse(frameOf(t, sample(t), nil), wholeSpec()); err != nil || warned(r.Warnings, stats.Missing) != 144 {
		t.Errorf("analysis of no rows: %v", err)
	}
	c := compare.Contrast{Axes: []string{"policy.placement"}, Baseline: []frame.Value{frame.Text("random")}}
	r, err := Analyse(sample(t), Spec{Design: design(), Contrasts: []compare.Contrast{c}})
	if err != nil || len(r.Warnings) != 2 || r.Warnings[1].Code != stats.NoBaseline {
		t.Errorf("an analysis without its baseline: %v, warnings %v", err, r)
	}
}
