package plot

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/sweep/study"
)

// levelled is a frame of some policies at two loads, with two metrics by policy, load and replication. A value that is NaN
// is of an instance that failed, and an infinite one of one that was not run.
func levelled(t *testing.T, policies, loads, replications int, of func(policy, load, replication int) (wait, use float64)) (*frame.Frame,
	frame.Design) {
	t.Helper()
	var policy, outcome []string
	var load, replication, waits, uses []float64
	for p := range policies {
		for l := range loads {
			for r := range replications {
				w, u := of(p, l, r)
				if math.IsInf(w, 0) {
					continue
				}
				o := "ok"
				if math.IsNaN(w) {
					o = "failed"
				}
				policy, load, replication = append(policy, fmt.Sprint("p", p)), append(load, float64(l)), append(replication, float64(r))
				outcome, waits, uses = append(outcome, o), append(waits, w), append(uses, u)
			}
		}
	}
	f, err := frame.NewFrame(frame.TextColumn("policy", policy), frame.NumberColumn("load", "", load),
		frame.NumberColumn("replication", "", replication),
		frame.TextColumn("outcome", outcome), frame.NumberColumn("wait", "s", waits), frame.NumberColumn("use", "", uses))
	if err != nil {
		t.Fatal(err)
	}
	return f, frame.Design{Axes: []string{"policy", "load"}, Replication: "replication", Outcome: "outcome", Metrics: []string{"wait", "use"},
		Confidence: 0.95,
		Better:     map[string]string{"wait": "lower", "use": "higher"}}
}

func ranked(t *testing.T, f *frame.Frame, d frame.Design, s study.Figure) (drawing *Drawing, csv string) {
	t.Helper()
	s.ID, s.Series = "f", "policy"
	drawing, err := Draw(f, d, s)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := drawing.Figure.CSV(&b); err != nil {
		t.Fatal(err)
	}
	return drawing, b.String()
}

func ranksOf(d *Drawing) *figure.Ranks { return d.Figure.Panels[0].Marks[0].(*figure.Ranks) }

func said(d *Drawing) string { return fmt.Sprint(d.Warnings) }

// By hand, from the definition of Dolan and More 2002: of six instances p0 is the best in two, and p1 in three (one as
// good as p0). One is left out because p1 was not run, one because a value is negative.
func TestProfile(t *testing.T) {
	waits := [2][2][4]float64{{{2, 6, 0, 5}, {4, 3, -1, 3}}, {{1, math.NaN(), 7, 5}, {12, 1, 3, math.Inf(1)}}} // policy, load, replication
	f, d := levelled(t, 2, 2, 4, func(p, l, r int) (float64, float64) { return waits[p][l][r], 1 })
	drawing, csv := ranked(t, f, d, study.Figure{Kind: "profile", X: "wait"})
	want := map[int][]figure.Point{ // of p0 the ratios 2, 1, 1, 1, 1, 3; of p1 1, failed, infinite (to 0), 1, 3, 1
		0: {{X: 1, Y: 4. / 6}, {X: 2, Y: 5. / 6}, {X: 3, Y: 1}},
		1: {{X: 1, Y: 3. / 6}, {X: 3, Y: 4. / 6}},
	}
	for series, at := range want {
		if got := markOf[figure.Steps](drawing.Figure.Panels[0], series).At; !slices.Equal(got, at) {
			t.Errorf("p%d: %v, want %v", series, got, at)
		}
	}
	for _, w := range []string{"1 instance was not run with every level", "1 instance has a negative value",
		"1 instance has a value of 0", "1 value failed"} {
		if !strings.Contains(said(drawing), w) {
			t.Errorf("no %q in %s", w, said(drawing))
		}
	}
	if caption := drawing.Figure.Caption; !strings.Contains(csv, ",p1,profile,3,0.66") || !strings.Contains(caption, "n\u00a0=\u00a06") ||
		!strings.Contains(caption, "2 instances are in no share") || strings.Contains(caption, "Shares of replications") {
		t.Errorf("%s\n%s", caption, csv)
	}
	// Where higher is better, a value's factor is the best value divided by it.
	f, d = levelled(t, 2, 1, 2, func(p, l, r int) (float64, float64) { return 1, []float64{8, 2}[p] })
	drawing, _ = ranked(t, f, d, study.Figure{Kind: "profile", X: "use", YLimits: []float64{0, 2}})
	if got := drawing.Figure.Y.Limits; got == nil || *got != [2]float64{0, 2} {
		t.Errorf("y_limits: %v", got)
	}
	if got := markOf[figure.Steps](drawing.Figure.Panels[0], 1).At; !slices.Equal(got, []figure.Point{{X: 4, Y: 1}}) {
		t.Errorf("use: %v", got)
	}
	// A value that is not finite is within no factor, where higher is better too.
	f, d = levelled(t, 2, 1, 2, func(p, l, r int) (float64, float64) { return 1, [2][2]float64{{8, 8}, {2, math.Inf(1)}}[p][r] })
	drawing, _ = ranked(t, f, d, study.Figure{Kind: "profile", X: "use"})
	for series, at := range [][]figure.Point{{{X: 1, Y: 1}}, {{X: 4, Y: .5}}} {
		if got := markOf[figure.Steps](drawing.Figure.Panels[0], series).At; !slices.Equal(got, at) {
			t.Errorf("use of p%d with an infinite value: %v, want %v", series, got, at)
		}
	}
	// A panel without an instance in any share has no curve, not one at 0.
	f, d = levelled(t, 2, 2, 2, func(p, l, r int) (float64, float64) { return 1 - 2*float64(l), 1 })
	drawing, _ = ranked(t, f, d, study.Figure{Kind: "profile", X: "wait", Panels: "load"})
	if marks := drawing.Figure.Panels[1].Marks; len(marks) > 0 || !strings.Contains(drawing.Figure.Caption, "(n\u00a0=\u00a02)") {
		t.Errorf("%d marks of no instance: %s", len(marks), drawing.Figure.Caption)
	}
}

// The table of Demsar 2006 with its data sets as replications. It has the same ranks and bars where the points of a replication
// are averaged, and where a replication lacks an answer those of the others.
func TestRanks(t *testing.T) {
	table := [][]float64{
		{.763, .768, .771, .798}, {.599, .591, .590, .569}, {.954, .971, .968, .967}, {.628, .661, .654, .657}, {.882, .888, .886, .898},
		{.936, .931, .916, .931}, {.661, .668, .609, .685}, {.583, .583, .563, .625}, {.775, .838, .866, .875}, {1, 1, 1, 1},
		{.940, .962, .965, .962}, {.619, .666, .614, .669}, {.972, .981, .9751, .975}, {.957, .978, .946, .970}, {0, 1, 2, 3},
	}
	f, d := levelled(t, 4, 1, 15, func(p, l, r int) (float64, float64) {
		if r == 14 && p == 2 {
			return math.NaN(), 5
		}
		return 1, table[r][p]
	})
	drawing, csv := ranked(t, f, d, study.Figure{Kind: "critical-difference", X: "use"})
	m := ranksOf(drawing)
	if !slices.Equal(m.Names, []string{"p3", "p1", "p2", "p0"}) || !(math.Abs(m.Ranks[0]-1.964) <= 5e-4) ||
		!(math.Abs(m.Ranks[3]-3.143) <= 5e-4) || !(math.Abs(m.Difference-1.25) <= 5e-3) {
		t.Errorf("%+v", m)
	}
	if !slices.Equal(m.Joined, [][2]int{{0, 3}}) { // 3.143 - 1.964 = 1.179 is below 1.25
		t.Errorf("joined: %v", m.Joined)
	}
	if note := drawing.Figure.Panels[0].Notes[0].Text; note != "Friedman's test: F = 4.19, p = 0.0116" {
		t.Error(note)
	}
	if !strings.Contains(said(drawing), "1 replication lacks an answer") || !strings.Contains(csv, "rank of p1,2,") ||
		!strings.Contains(csv, "joined,,,1.9642857") {
		t.Errorf("%s\n%s", said(drawing), csv)
	}
}

// If Friedman's test finds no difference, all policies are joined, even where two mean ranks are a critical difference apart.
// Few replications, equal ones and missing ones produce a remark.
func TestRanksThatTellNothing(t *testing.T) {
	f, d := levelled(t, 3, 2, 4, func(p, l, r int) (float64, float64) { return float64((p + r + l) % 3), 1 })
	drawing, _ := ranked(t, f, d, study.Figure{Kind: "critical-difference", X: "wait"})
	if m := ranksOf(drawing); !slices.Equal(m.Joined, [][2]int{{0, 2}}) {
		t.Errorf("%+v", m)
	}
	if !strings.Contains(said(drawing), "4 replications are few for Friedman's") ||
		!strings.Contains(drawing.Figure.Caption, "or all where Friedman's test") {
		t.Errorf("%s: %s", drawing.Figure.Caption, said(drawing))
	}
	f, d = levelled(t, 3, 1, 4, func(p, l, r int) (float64, float64) { return 1, 1 })
	drawing, _ = ranked(t, f, d, study.Figure{Kind: "critical-difference", X: "wait"})
	if note := drawing.Figure.Panels[0].Notes[0].Text; note != "Friedman's test: all replications tie" {
		t.Error(note)
	}
	f, d = levelled(t, 3, 1, 3, func(p, l, r int) (float64, float64) { return float64(p + r), 1 })
	drawing, _ = ranked(t, f, d, study.Figure{Kind: "critical-difference", X: "wait"})
	if note := drawing.Figure.Panels[0].Notes[0].Text; note != "Friedman's test: all replications agree, p = 0.0498" {
		t.Error(note)
	}
	f, d = levelled(t, 3, 2, 12, func(p, l, r int) (float64, float64) { // p2 was not run at load 1, where the order is another
		return [][]float64{{1, 2, 3}, {5, 4, math.Inf(1)}}[l][p], 1
	})
	drawing, _ = ranked(t, f, d, study.Figure{Kind: "critical-difference", X: "wait"})
	if m := ranksOf(drawing); m.Names[0] != "p0" ||
		!strings.Contains(said(drawing), "1 point was not run with every level, and is in no rank") ||
		!strings.Contains(drawing.Figure.Caption, "at every point that all levels have and averages") {
		t.Errorf("%+v; %s: %s", m, drawing.Figure.Caption, said(drawing))
	}
	f, d = levelled(t, 3, 1, 1, func(p, l, r int) (float64, float64) { return float64(p), 1 })
	drawing, _ = ranked(t, f, d, study.Figure{Kind: "critical-difference", X: "wait"})
	if len(drawing.Figure.Panels[0].Marks) > 0 || !strings.Contains(said(drawing), "mean ranks need 2 levels and 2 replications") {
		t.Errorf("%v: %s", drawing.Figure.Panels[0].Marks, said(drawing))
	}
}

// Ranks are within a point: that all values of one are a thousand times as large, or that levels change their names, changes
// no rank but for its name.
func TestRanksOfPointsOnAnyScale(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
		at, names := rapid.IntRange(0, 4).Draw(rt, "scaled load"), rapid.Permutation([]int{0, 1, 2, 3}).Draw(rt, "names")
		by := func(scale float64, name []int) (ranks map[string]float64, joined [][2]int) {
			f, d := levelled(t, 4, 5, 12, func(p, l, r int) (float64, float64) {
				own := name[p]
				v := math.Exp(.3*float64(own) + rand.New(rand.NewPCG(seed, uint64(100*r+10*l+own))).NormFloat64())
				if l == at {
					v *= scale
				}
				return v, 1
			})
			drawing, _ := ranked(t, f, d, study.Figure{Kind: "critical-difference", X: "wait"})
			m := ranksOf(drawing)
			ranks = map[string]float64{}
			for i, n := range m.Names {
				var p int
				fmt.Sscanf(n, "p%d", &p)
				ranks[fmt.Sprint(name[p])] = m.Ranks[i]
			}
			return ranks, m.Joined
		}
		plain, bars := by(1, []int{0, 1, 2, 3})
		for _, other := range []struct {
			scale float64
			names []int
		}{{1000, []int{0, 1, 2, 3}}, {1, names}} {
			if ranks, joined := by(other.scale, other.names); !reflect.DeepEqual(ranks, plain) || !reflect.DeepEqual(joined, bars) {
				rt.Errorf("%+v: ranks %v and bars %v, before %v and %v", other, ranks, joined, plain, bars)
			}
		}
	})
}

// How often the diagram tells some pair apart where all levels are alike: at most a twentieth of the times, but for three
// standard errors, though one replication's values are all larger than another's.
func TestRanksByChance(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 4))
	const tables = 400
	wrong := 0
	for range tables {
		common := make([]float64, 20)
		for i := range common {
			common[i] = math.Exp(rng.NormFloat64())
		}
		f, d := levelled(t, 5, 2, 20, func(p, l, r int) (float64, float64) { return common[r] * rng.Float64(), 1 })
		drawing, _ := ranked(t, f, d, study.Figure{Kind: "critical-difference", X: "wait"})
		if m := ranksOf(drawing); !slices.Equal(m.Joined, [][2]int{{0, 4}}) {
			wrong++
		}
	}
	if share := float64(wrong) / tables; share > .05+3*math.Sqrt(.05*.95/tables) {
		t.Errorf("%.3f of the tables tell alike levels apart", share)
	}
}

// p0 is better than p2 in both metrics in every replication; p3 is by its mean only; p1 waits longer and uses more.
func TestPareto(t *testing.T) {
	of := func(p, l, r int) (float64, float64) {
		noise := math.Sin(float64(7*r + 3*l)) // of the replication
		own := math.Sin(float64(r*r + 5*p))
		wait, use := []float64{10, 20, 15, 10.1}[p], []float64{.5, .9, .4, .49}[p]
		return wait + noise + .5*own, use + .05*noise + .02*own
	}
	f, d := levelled(t, 4, 2, 20, of)
	drawing, csv := ranked(t, f, d, study.Figure{Kind: "pareto", X: "wait", Y: "use", Panels: "load"})
	for panel := range drawing.Figure.Panels {
		for series, want := range []figure.Cross{{Name: "on the front"}, {Name: "on the front"}, {Name: "dominated", Fill: figure.Hollow},
			{Name: "dominated by its means only", Fill: figure.Pale}} {
			got := markOf[figure.Crosses](drawing.Figure.Panels[panel], series).At[0]
			if got.Name != want.Name || got.Fill != want.Fill || !(got.XLow < got.X && got.X < got.XHigh && got.YLow < got.Y && got.Y < got.YHigh) {
				t.Errorf("panel %d, p%d: %+v", panel, series, got)
			}
		}
		p0, p1 := markOf[figure.Crosses](drawing.Figure.Panels[panel], 0).At[0], markOf[figure.Crosses](drawing.Figure.Panels[panel], 1).At[0]
		corners := []figure.Point{{X: p0.X, Y: math.Inf(-1)}, p0.Point, {X: p1.X, Y: p0.Y}, p1.Point, {X: math.Inf(1), Y: p1.Y}}
		if got := drawing.Figure.Panels[panel].Marks[4].(*figure.Front).Corners; !slices.Equal(got, corners) {
			t.Errorf("front of panel %d: %v, want %v", panel, got, corners)
		}
	}
	for _, want := range []string{"load = 0,p2,dominated,", "load = 1,p3,dominated by its means only,", "load = 0,p0,interval of x,,",
		"load = 0,p0,interval of y,"} {
		if !strings.Contains(csv, want) {
			t.Errorf("no %q in\n%s", want, csv)
		}
	}
	if !strings.Contains(drawing.Figure.Caption, "95\u00a0% confidence intervals") {
		t.Error(drawing.Figure.Caption)
	}
	once, d := levelled(t, 4, 2, 1, of)
	if one, _ := ranked(t, once, d, study.Figure{Kind: "pareto", X: "wait", Y: "use"}); strings.Contains(one.Figure.Caption, "interval") {
		t.Errorf("one replication: %s", one.Figure.Caption)
	}
	lacks, d := levelled(t, 4, 2, 20, func(p, l, r int) (float64, float64) {
		if p == 2 && l == 0 && r == 5 { // failed: the lost pair could reverse a verdict
			return math.NaN(), math.NaN()
		}
		return of(p, l, r)
	})
	if _, csv := ranked(t, lacks, d, study.Figure{Kind: "pareto", X: "wait", Y: "use", Panels: "load"}); !strings.Contains(csv,
		"load = 0,p2,dominated by its means only,") || !strings.Contains(csv, "load = 1,p2,dominated,") {
		t.Errorf("one instance of p2 at load 0 failed:\n%s", csv)
	}
}

func TestRankingsThatCannotBe(t *testing.T) {
	f, d := levelled(t, 2, 1, 2, func(p, l, r int) (float64, float64) { return 1, 1 })
	d.Better = map[string]string{"wait": "lower"}
	for _, c := range []struct {
		s    study.Figure
		want string
	}{
		{study.Figure{Kind: "pareto", X: "wait", Y: "use", Series: "policy"}, "neither lower nor higher values of use"},
		{study.Figure{Kind: "critical-difference", X: "wait"}, "give series"},
		{study.Figure{Kind: "profile", X: "load", Series: "policy"}, "neither lower nor higher values of load"},
	} {
		c.s.ID = "f"
		if _, err := Draw(f, d, c.s); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.s, err, c.want)
		}
	}
}

// TestParetoByItsLaw: no point dominates a point on the front. Some point dominates each other one. The line connects the front.
func TestParetoByItsLaw(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(2, 6).Draw(rt, "policies")
		waits, uses := rapid.SliceOfN(rapid.IntRange(0, 5), n, n).Draw(rt, "waits"), rapid.SliceOfN(rapid.IntRange(0, 5), n, n).Draw(rt, "uses")
		f, d := levelled(t, n, 1, 2, func(p, l, r int) (float64, float64) { return float64(waits[p] + r), float64(uses[p] + r) })
		drawing, _ := ranked(t, f, d, study.Figure{Kind: "pareto", X: "wait", Y: "use"})
		corners := drawing.Figure.Panels[0].Marks[n].(*figure.Front).Corners
		for p := range n {
			dominated := false
			for o := range n {
				dominated = dominated || waits[o] <= waits[p] && uses[o] >= uses[p] && (waits[o] < waits[p] || uses[o] > uses[p])
			}
			at := markOf[figure.Crosses](drawing.Figure.Panels[0], p).At[0]
			if (at.Name == "on the front") == dominated || !dominated && !slices.Contains(corners, at.Point) {
				rt.Fatalf("p%d of %v, %v: %s, and the front is %v", p, waits, uses, at.Name, corners)
			}
		}
	})
}

// A warning about one of several trends names it. Means that depend on how long runs are and missing rows have been counted.
func TestWarningsNameTheirTrend(t *testing.T) {
	f, d := levelled(t, 2, 1, 3, func(p, _, r int) (float64, float64) { return float64(p + r), 1 })
	d.PlannedTotal = frame.Exactly(f.Rows + 1)
	drawing, err := Draw(f, d, study.Figure{ID: "f", X: "load", Y: "wait", Series: "policy", Params: &MeansParams{Trend: true}})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"p0", "p1"} {
		if !strings.Contains(said(drawing), "trend of "+p+": a line needs") {
			t.Error(said(drawing))
		}
	}
	if strings.Count(said(drawing), "trend of") != 2 { // each once
		t.Error(said(drawing))
	}
}
