package plot

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/sweep/study"
)

// classed is two loads of five replications with waits of all jobs and of classes: the ids of rows are those of instances,
// one instance failed, wide jobs are not in all, and there are no night jobs.
func classed(t *testing.T) (*frame.Frame, frame.Design) {
	t.Helper()
	var load, replication, wait, narrow, wide, night []float64
	var outcome, id []string
	for i := range 10 {
		load, replication = append(load, float64(1+i/5)), append(replication, float64(i%5))
		outcome, id = append(outcome, "ok"), append(id, string(rune('a'+i)))
		wait, narrow, wide = append(wait, 100+float64(i*i)), append(narrow, 50+float64(i)), append(wide, 200-math.Sqrt(float64(i)))
		night = append(night, math.NaN())
	}
	outcome[7], wide[3] = "failed", math.NaN()
	for _, v := range [][]float64{wait, narrow, wide} {
		v[7] = math.NaN()
	}
	f, err := frame.NewFrame(frame.NumberColumn("load", "", load), frame.NumberColumn("replication", "", replication),
		frame.TextColumn("outcome", outcome), frame.TextColumn("id", id),
		frame.NumberColumn("wait", "s", wait), frame.NumberColumn("wait__narrow", "s", narrow), frame.NumberColumn("wait__wide", "s", wide),
		frame.NumberColumn("wait__night", "s", night))
	if err != nil {
		t.Fatal(err)
	}
	return f, frame.Design{Axes: []string{"load"}, Replication: "replication", Outcome: "outcome", Metrics: []string{"wait"},
		PlannedTotal: frame.Exactly(10),
		Classes:      []string{"wide", "narrow", "night"}, Order: map[string][]string{"class": {"wide", "narrow", "night"}},
		Labels: map[string][]frame.Label{"class": {{Value: frame.Text("wide"), Text: "wide jobs"}}}}
}

// What a figure shows of a class is what one of the metric by this class shows.
func TestFiguresByClass(t *testing.T) {
	f, d := classed(t)
	drawn := func(s study.Figure) *Drawing {
		t.Helper()
		got, err := Draw(f, d, s)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	// marks are those of one series, as if it were the only one.
	marks := func(d *Drawing, series int) []figure.Mark {
		var out []figure.Mark
		for _, m := range d.Figure.Panels[0].Marks {
			switch m := m.(type) {
			case *figure.Line:
				if m.Series == series {
					out = append(out, &figure.Line{Name: m.Name, At: m.At})
				}
			case *figure.Band:
				if m.Series == series {
					out = append(out, &figure.Band{Name: m.Name, Spans: m.Spans})
				}
			}
		}
		return out
	}
	by := drawn(study.Figure{ID: "f", Kind: "means", X: "load", Y: "wait", Series: "class", Params: &MeansParams{Line: "mean", Band: true}})
	if got := strings.Join(by.Figure.Series, ", "); got != "wide jobs, narrow" {
		t.Errorf("series %s", got)
	}
	for series, class := range []string{"wide", "narrow"} {
		one := drawn(study.Figure{ID: "f", Kind: "means", X: "load", Y: "wait__" + class, Params: &MeansParams{Line: "mean", Band: true}})
		if diff := cmp.Diff(marks(one, 0), marks(by, series)); diff != "" {
			t.Errorf("class %s (-by itself +by class):\n%s", class, diff)
		}
		if n := len(marks(one, 0)); n != 2 {
			t.Errorf("class %s has %d marks", class, n)
		}
	}
	var said []string
	for _, w := range by.Warnings {
		said = append(said, w.Text)
	}
	if all := strings.Join(said, "\n"); !strings.Contains(all, "1 of 10 instances failed") ||
		!strings.Contains(all, "no instance has wait of the class night: the class has no jobs") {
		t.Errorf("warnings:\n%s", all)
	}
	if c := by.Figure.Caption; !strings.Contains(c, "1 of 10 instances failed") {
		t.Errorf("caption %s", c)
	}
	for _, p := range by.Points {
		if p.Instances != 5 && p.Instances != 4 || len(p.Shown) != 3 {
			t.Errorf("point %+v", p)
		}
	}

	bars := drawn(study.Figure{ID: "f", Kind: "bars", X: "class", Y: "wait", Where: []study.Term{{Path: "load", Range: true, From: 1, To: 1}}})
	if diff := cmp.Diff([]string{"wide jobs", "narrow"}, bars.Figure.X.Categories); diff != "" {
		t.Errorf("places (-want +is):\n%s", diff)
	}
	// 200 - sqrt(0, 1, 2, 4), the third is lacking; 50 to 54.
	want := []figure.Point{{X: 0, Y: 200 - (1+math.Sqrt2+2)/4}, {X: 1, Y: 52}}
	if got := bars.Figure.Panels[0].Marks[0].(*figure.Bars).At; len(got) != 2 || !(math.Abs(got[0].Y-want[0].Y) <= 1e-12) ||
		got[1] != want[1] {
		t.Errorf("bars %v, want %v", got, want)
	}
}

// Waits of 0 in all replications of a class are no sign that nothing is random.
func TestClassesThatNeverWait(t *testing.T) {
	f, d := classed(t)
	for i := range f.Column("wait__narrow").Numbers {
		f.Column("wait__narrow").Numbers[i] = 0
	}
	got, err := Draw(f, d, study.Figure{ID: "f", Kind: "bars", X: "class", Y: "wait", Title: "Waits – 待ち時間"})
	if err != nil {
		t.Fatal(err)
	}
	boxes := false
	for _, w := range got.Warnings {
		if strings.Contains(w.Text, "identical") {
			t.Errorf("warning %s", w.Text)
		}
		boxes = boxes || strings.Contains(w.Text, `boxes for "待ち時間"`)
	}
	if !boxes {
		t.Errorf("no warning of characters that the font lacks: %v", got.Warnings)
	}
}
