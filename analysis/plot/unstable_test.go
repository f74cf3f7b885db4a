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

// saturating is a sweep of x over other values in each panel: two replications of each point, one baseline without an x.
func saturating(t *testing.T) (*frame.Frame, frame.Design) {
	t.Helper()
	nan := math.NaN()
	var clusters, x, replication, y, penalty, unstable []float64
	var model []string
	add := func(c, at, r, v, p, u float64, m string) {
		clusters, x, replication, y = append(clusters, c), append(x, at), append(replication, r), append(y, v)
		penalty, unstable, model = append(penalty, p), append(unstable, u), append(model, m)
	}
	for c := range 2 {
		for i := range 4 {
			for r := range 2 {
				v, u := 100+10*float64(i)+float64(r), 0.0
				if c == 1 && (i == 3 || i == 2 && r == 1) {
					v, u = nan, 1
				}
				add(float64(c), float64(i*(c+1)), float64(r), v, 1+float64(i)/10, u, "dynamic")
			}
		}
		add(float64(c), nan, 0, 125, nan, 0, "no sharing")
		add(float64(c), nan, 1, 127, nan, 0, "no sharing")
	}
	f, err := frame.NewFrame(frame.NumberColumn("clusters", "", clusters), frame.NumberColumn("x", "B/s", x), frame.TextColumn("model", model),
		frame.NumberColumn("replication", "", replication),
		frame.NumberColumn("y", "s", y), frame.NumberColumn("penalty", "", penalty), frame.NumberColumn("unstable", "", unstable))
	if err != nil {
		t.Fatal(err)
	}
	return f, frame.Design{Axes: []string{"clusters", "x", "model"}, Replication: "replication", Metrics: []string{"y"}, Unstable: "unstable"}
}

func TestUnstablePointsStandApart(t *testing.T) {
	f, d := saturating(t)
	for _, x := range []string{"x", "penalty"} {
		drawing, err := Draw(f, d, study.Figure{ID: "f", X: x, Y: "y", Series: "model", Panels: "clusters", Params: &MeansParams{Band: true}})
		if err != nil {
			t.Fatal(err)
		}
		stable, part := drawing.Figure.Panels[0], drawing.Figure.Panels[1]
		if len(markOf[figure.Line](stable, 0).At) != 4 || len(markOf[figure.Beyond](stable, 0).X) != 0 {
			t.Errorf("%s: %+v", x, stable)
		}
		want := []float64{4, 6}
		if x == "penalty" {
			want = []float64{1.2, 1.3}
		}
		if line, band, beyond := markOf[figure.Line](part, 0), markOf[figure.Band](part, 0), markOf[figure.Beyond](part, 0); len(line.At) != 2 ||
			len(band.Spans) != 2 || !cmp.Equal(beyond.X, want) {
			t.Errorf("%s: %+v, %+v, %+v", x, line, band, beyond)
		}
		if c := strings.ReplaceAll(drawing.Figure.Caption, "\u00a0", " "); c != "Mean over replications, n = 2; band: 95 % confidence "+
			"interval. Arrow: unstable, without a steady state." {
			t.Error(c)
		}
		if diff := cmp.Diff([]figure.Reference{{Y: 126, Label: "no sharing", N: 2}}, referencesOf(part)); diff != "" {
			t.Error(diff)
		}
	}
	d.Unstable = ""
	drawing, err := Draw(f, d, study.Figure{ID: "f", X: "x", Y: "y", Series: "model", Panels: "clusters"})
	if err != nil {
		t.Fatal(err)
	}
	if p := drawing.Figure.Panels[1]; len(markOf[figure.Line](p, 0).At) != 3 || len(markOf[figure.Beyond](p, 0).X) != 0 {
		t.Errorf("without the column: %+v", p)
	}
	d.Unstable = "nothing"
	if _, err := Draw(f, d, study.Figure{ID: "f", X: "x", Y: "y"}); err == nil {
		t.Error("a column that is not there was accepted")
	}
}

// Panels whose x varies over other ranges have their own scales; a metric's scale is shared.
func TestPanelsOfOtherRangesHaveTheirOwnScale(t *testing.T) {
	f, d := saturating(t)
	for want, s := range map[bool]study.Figure{
		true:  {ID: "f", X: "x", Y: "y", Panels: "clusters"},
		false: {ID: "f", X: "penalty", Y: "y", Panels: "clusters"},
	} {
		drawing, err := Draw(f, d, s)
		if err != nil {
			t.Fatal(err)
		}
		if drawing.Figure.OwnX != want {
			t.Errorf("x %s: own scales %v", s.X, drawing.Figure.OwnX)
		}
	}
	if drawing := drawn(t, sample(t), study.Figure{ID: "f", X: "workload.communication_factor", Y: "makespan",
		Panels: "policy.placement"}); drawing.Figure.OwnX {
		t.Error("panels of one range have scales of their own")
	}
}
