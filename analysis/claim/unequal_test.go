package claim

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

// unequal is a run of fcfs and easy at loads 1 and 2, in which a point has as many replications as count says.
func unequal(t testing.TB, value func(policy string, load float64, rep int) float64,
	count func(policy string, load float64) int) *frame.Run {
	t.Helper()
	run := grid(t, []string{"fcfs", "easy"}, []float64{1, 2}, 20, value, noise)
	run.Design.PlannedPerPoint = frame.Amount{}
	run.Design.Metrics = []string{"y"}
	at := func(f *frame.Frame, row int) int {
		return count(f.Column("policy").At(row).Text, f.Column("load").Numbers[row])
	}
	var rows []int32
	for i := range run.Frame.Rows {
		if run.Frame.Column("replication").Numbers[i] < float64(at(run.Frame, i)) {
			rows = append(rows, int32(i))
		}
	}
	var counts []float64
	for i := range run.Planned.Rows {
		counts = append(counts, float64(at(run.Planned, i)))
	}
	planned, err := frame.NewFrame(append(columnsOf(run.Planned), frame.NumberColumn(frame.PlannedColumn, "", counts))...)
	if err != nil {
		t.Fatal(err)
	}
	run.Frame, run.Planned = run.Frame.Take(rows), planned
	return run
}

// fewAt2 gives 5 replications at load 2 and 12 at load 1.
func fewAt2(_ string, load float64) int { return map[float64]int{1: 12, 2: 5}[load] }

// varied has a workload that the policies share.
func varied(p string, l float64, r int) float64 {
	return 10*l + float64(p[0]-'d')*l + 3*math.Sin(float64(r*r+1)) + 0.3*math.Sin(float64(r)*float64(p[0])*l)
}

// pointMean is the mean over the first replications of a point, one left out.
func pointMean(p string, l float64, n, leave int) float64 {
	sum, k := 0.0, 0
	for r := range n {
		if r != leave {
			sum, k = sum+varied(p, l, r), k+1
		}
	}
	return sum / float64(k)
}

// A ratio of the point with 5 replications to that with 12 has the jackknife's standard error for unequal numbers.
func TestUnequalReplications(t *testing.T) {
	run := unequal(t, varied, fewAt2)
	c := study.Claim{Expect: positive, Statistic: study.Statistic{Kind: "ratio", Metric: "y",
		Of: of(where("policy", "fcfs"), where("load", 2.0)), To: of(where("policy", "fcfs"), where("load", 1.0))}}
	few, many := stats.Class{LeftOut: make([]float64, 12)}, stats.Class{LeftOut: make([]float64, 12)}
	a, b := pointMean("fcfs", 2, 5, -1), pointMean("fcfs", 1, 12, -1)
	for r := range 12 {
		few.LeftOut[r], many.LeftOut[r] = nan, math.Log(a/pointMean("fcfs", 1, 12, r))
		if r < 5 {
			few.LeftOut[r] = math.Log(pointMean("fcfs", 2, 5, r) / b)
		}
	}
	want := stats.Jackknife(math.Log(a/b), []stats.Class{few, many}).Exponential(0.95)
	r := evaluate(t, run, c)
	p := r.Parts[0]
	near(t, "ratio", p.Estimate, want.Estimate)
	near(t, "low", p.Low, want.Low)
	near(t, "high", p.High, want.High)
	if r.Verdict != Holds || p.Replications != 5 || r.Counts != (frame.Counts{Planned: frame.Exactly(17), OK: 17}) || len(p.Remarks) != 0 {
		t.Errorf("%+v", r)
	}
	// Paired: the replications that both have, as if the others had not been run.
	five := unequal(t, varied, func(string, float64) int { return 5 })
	plain := evaluate(t, five, c).Parts[0]
	c.Paired = true
	p = evaluate(t, run, c).Parts[0]
	if p.Interval != plain.Interval || p.Replications != 5 || len(p.Remarks) != 1 ||
		p.Remarks[0] != "7 of 12 replications are incomplete or not at all points and were left out" {
		t.Errorf("paired: %+v, want %v", p, plain.Interval)
	}
}

// Across runs: independent ones bring the layers of each; paired ones the replications that all points of both have.
func TestUnequalReplicationsOfTwoRuns(t *testing.T) {
	own, other := unequal(t, varied, fewAt2), grid(t, []string{"fcfs", "easy"}, []float64{1, 2}, 8, varied, noise)
	other.Name = "other"
	c := study.Claim{Statistic: study.Statistic{Kind: "difference", Metric: "y", Of: of(where("policy", "fcfs")),
		To: &study.Selection{Run: "other", Terms: []study.Term{where("policy", "easy")}}}}
	alone := func(run *frame.Run, sel *study.Selection) float64 {
		p := evaluate(t, run, study.Claim{Statistic: study.Statistic{Kind: "mean", Metric: "y", Of: sel}}).Parts[0]
		return p.Estimate
	}
	p := evaluate(t, own, c, other).Parts[0]
	near(t, "difference", p.Estimate, alone(own, policy("fcfs"))-alone(other, policy("easy")))
	if p.Replications != 5 || p.Reason != "" || !p.Bounded() {
		t.Errorf("independent: %+v", p)
	}
	c.Paired = true
	five, fiveToo := unequal(t, varied, func(string, float64) int { return 5 }),
		grid(t, []string{"fcfs", "easy"}, []float64{1, 2}, 5, varied, noise)
	fiveToo.Name = "other"
	got, want := evaluate(t, own, c, other).Parts[0], evaluate(t, five, c, fiveToo).Parts[0]
	if !(math.Abs(got.Low-want.Low)+math.Abs(got.High-want.High) <= 1e-9) || got.Replications != 5 || len(got.Remarks) != 2 {
		t.Errorf("paired: %+v, want %+v", got, want)
	}
}

// Replications are no weights: statistics over several points are those of the points' means.
func TestPointsWeighTheSame(t *testing.T) {
	run := unequal(t, varied, fewAt2)
	m := func(p string, l float64) float64 { return pointMean(p, l, fewAt2(p, l), -1) }
	below := func(l float64) float64 {
		n := 0.0
		for r := range fewAt2("fcfs", l) {
			if varied("fcfs", l, r) < 12 {
				n++
			}
		}
		return n / float64(fewAt2("fcfs", l))
	}
	fcfs, easy := policy("fcfs"), policy("easy")
	for name, tt := range map[string]struct {
		s    study.Statistic
		want float64
	}{
		"mean": {study.Statistic{Kind: "mean", Metric: "y", Of: fcfs}, (m("fcfs", 1) + m("fcfs", 2)) / 2},
		"difference": {study.Statistic{Kind: "difference", Metric: "y", Of: fcfs, To: easy},
			(m("fcfs", 1) + m("fcfs", 2) - m("easy", 1) - m("easy", 2)) / 2},
		"slope":      {study.Statistic{Kind: "slope", Metric: "y", X: "load", Of: fcfs}, m("fcfs", 2) - m("fcfs", 1)},
		"percentile": {study.Statistic{Kind: "percentile", Metric: "y", At: 12, Of: fcfs}, 100 * (below(1) + below(2)) / 2},
	} {
		for run, what := range map[*frame.Run]string{run: "",
			unequal(t, varied, func(p string, l float64) int { return 12 - fewAt2(p, l) + 5 }): "other way round"} {
			p := evaluate(t, run, study.Claim{Statistic: tt.s}).Parts[0]
			if what == "" {
				near(t, name, p.Estimate, tt.want)
			}
			if !(p.Low < p.Estimate && p.Estimate < p.High) || p.Replications != 5 || p.Reason != "" {
				t.Errorf("%s: %+v", name, p)
			}
		}
	}
	// A point of a curve that holds two points of the sweep is the mean of both.
	p := evaluate(t, unequal(t, func(p string, l float64, r int) float64 {
		return map[string]float64{"fcfs": 0, "easy": 2}[p] + 2*l + 1e-3*math.Sin(float64(r)*l*float64(p[0]))
	}, func(p string, _ float64) int { return map[string]int{"fcfs": 4, "easy": 16}[p] }),
		study.Claim{Statistic: study.Statistic{Kind: "crossing", Metric: "y", X: "load", By: "load", Of: of(),
			To: of(where("policy", "fcfs"), where("load", 2.0))}}).Parts[0]
	if !(math.Abs(p.Estimate-1.5) <= 0.01) || p.Reason != "" || p.Replications != 4 || !(p.Low < p.High) { // by rows it would be 1.2
		t.Errorf("crossing: %+v", p)
	}
}

// A share is one of pairs, of replications that all its points have.
func TestShareOfUnequalReplications(t *testing.T) {
	s := study.Statistic{Kind: "share", Metric: "y", Is: "lower", Of: policy("fcfs"), To: policy("easy")}
	few := func(p string, _ float64) int { return map[string]int{"fcfs": 12, "easy": 6}[p] }
	y := func(p string, l float64, r int) float64 { return noise(p, l+float64(p[0]), r) }
	got := evaluate(t, unequal(t, y, few), study.Claim{Statistic: s}).Parts[0]
	want := evaluate(t, unequal(t, y, func(string, float64) int { return 6 }), study.Claim{Statistic: s}).Parts[0]
	if got.Interval != want.Interval || got.Replications != 6 || len(got.Remarks) != 1 || want.SE() == 0 {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// SE is the half-width, which tells that a test has something to compare.
func (p *Part) SE() float64 { return p.HalfWidth() }

func TestHolesOfUnequalReplications(t *testing.T) {
	c := study.Claim{Expect: positive, Statistic: study.Statistic{Kind: "difference", Metric: "y", Of: of(where("load", 2.0)),
		To: of(where("load", 1.0))}}
	lose := func(row int) *frame.Run {
		run := unequal(t, varied, fewAt2)
		run.Frame.Column("y").Numbers[row] = nan
		return run
	}
	// Rows 0-11 are fcfs at load 1, 12-16 at load 2.
	for row, text := range map[int]string{3: "1 of 12", 9: "1 of 12", 13: "1 of 12"} {
		if p := evaluate(t, lose(row), c).Parts[0]; p.Verdict != CannotTell || !strings.Contains(p.Reason, text+" replications lost instances "+
			"(1 not finite)") {
			t.Errorf("row %d: %s, %q", row, p.Verdict, p.Reason)
		}
	}
	c.Incomplete = "drop"
	for row, want := range map[int]int{3: 4, 9: 5, 13: 4} {
		if p := evaluate(t, lose(row), c).Parts[0]; p.Verdict != Holds || p.Replications != want ||
			!strings.Contains(strings.Join(p.Remarks, ";"), "1 of 12 replications are incomplete and were left out") {
			t.Errorf("drop row %d: %+v", row, p)
		}
	}
	run := unequal(t, varied, fewAt2)
	rows := frame.Every(run.Frame)
	run.Frame = run.Frame.Take(rows[1:])
	if p := evaluate(t, run, c).Parts[0]; p.Verdict != CannotTell || p.Reason != "1 of 24 planned instances have no row yet; run it" {
		t.Errorf("a missing row: %+v", p)
	}
}

func TestUnequalAndTooFewOrNothingRandom(t *testing.T) {
	c := study.Claim{Expect: positive, Statistic: study.Statistic{Kind: "difference", Metric: "y", Of: of(where("load", 2.0)),
		To: of(where("load", 1.0))}}
	for _, s := range []*study.Selection{of(), of(where("load", 1.0))} {
		c.Statistic.To = s
		same := unequal(t, func(p string, l float64, _ int) float64 { return 3 * l }, fewAt2)
		if p := evaluate(t, same, c).Parts[0]; p.Verdict != CannotTell || !strings.Contains(p.Reason, "identical") {
			t.Errorf("identical: %+v", p)
		}
	}
	two := unequal(t, varied, func(_ string, l float64) int { return map[float64]int{1: 12, 2: 2}[l] })
	if p := evaluate(t, two, c).Parts[0]; p.Verdict != CannotTell || !strings.Contains(p.Reason, "2 complete replications are too few") {
		t.Errorf("too few: %+v", p)
	}
	c.Expect = region(math.Inf(-1), evaluate(t, unequal(t, varied, fewAt2), c).Parts[0].Estimate+0.1)
	if p := evaluate(t, unequal(t, varied, fewAt2), c).Parts[0]; p.Verdict != CannotTell ||
		!strings.Contains(p.Reason, "times as many replications of each point would decide if the value stayed the same") {
		t.Errorf("undecided: %+v", p)
	}
	// Two points that the axes do not tell apart.
	blurred := unequal(t, varied, fewAt2)
	for i := range blurred.Frame.Column("load").Numbers {
		blurred.Frame.Column("load").Numbers[i] = 1
	}
	c.Statistic = study.Statistic{Kind: "mean", Metric: "y", Of: of()}
	if p := evaluate(t, blurred, c).Parts[0]; p.Verdict != CannotTell || !strings.Contains(p.Reason, "make what tells them apart an axis") ||
		p.Planned != frame.Exactly(p.OK) {
		t.Errorf("blurred: %+v", p)
	}
	blurred.Frame = blurred.Frame.Take(frame.Every(blurred.Frame)[1:])
	if p := evaluate(t, blurred, c).Parts[0]; !strings.Contains(p.Reason, "1 of ") || !strings.Contains(p.Reason, "no row yet") {
		t.Errorf("blurred, and a missing row: %+v", p)
	}
}

// Equal numbers written point by point give the same bits as one number for all, and the order of rows changes nothing.
func TestUnequalMetamorphic(t *testing.T) {
	both := study.Statistic{Metric: "y", X: "load", By: "load", As: "difference", Is: "lower", At: 12, Of: policy("fcfs"),
		To: policy("easy")}
	var claims []study.Claim
	for _, kind := range []string{"mean", "difference", "ratio", "improvement", "slope", "spread", "crossing", "share", "percentile"} {
		s := both
		if s.Kind = kind; kind == "mean" || kind == "percentile" {
			s.To = nil
		}
		claims = append(claims, study.Claim{ID: kind, Statistic: s, Expect: positive})
	}
	same := unequal(t, varied, func(string, float64) int { return 20 })
	plain := grid(t, []string{"fcfs", "easy"}, []float64{1, 2}, 20, varied, noise)
	plain.Design.Metrics = same.Design.Metrics
	a, b := Evaluate(claims, same, nil), Evaluate(claims, plain, nil)
	for i := range a {
		if a[i].Verdict != b[i].Verdict || a[i].Parts[0].Replications != b[i].Parts[0].Replications ||
			!sameBits(a[i].Parts[0].Interval, b[i].Parts[0].Interval) {
			t.Errorf("%s: %+v\n%+v", claims[i].ID, a[i].Parts, b[i].Parts)
		}
	}
	run := unequal(t, varied, fewAt2)
	want := Evaluate(claims, run, nil)
	rapid.Check(t, func(rt *rapid.T) {
		again := *run
		again.Frame = frameOf(t, run.Frame, rapid.Permutation(ints(run.Frame.Rows)).Draw(rt, "order"))
		for i, r := range Evaluate(claims, &again, nil) {
			if !sameBits(r.Parts[0].Interval, want[i].Parts[0].Interval) {
				rt.Fatalf("%s: another order of the rows changes %v into %v", claims[i].ID, want[i].Parts[0].Interval, r.Parts[0].Interval)
			}
		}
	})
}

func sameBits(a, b stats.Interval) bool {
	bits := func(i stats.Interval) [3]uint64 {
		return [3]uint64{math.Float64bits(i.Estimate), math.Float64bits(i.Low), math.Float64bits(i.High)}
	}
	return reflect.DeepEqual(bits(a), bits(b))
}

// A slope over points of unequal numbers of replications, two policies pooled: each point weighs the same, also where one
// replication is left out; computed here from lines fitted anew.
func TestUnequalSlopeByDefinition(t *testing.T) {
	few5 := func(p string, l float64) int {
		if p == "easy" && l == 2 {
			return 5
		}
		return 12
	}
	run := unequal(t, varied, few5)
	slope := func(class, leave int) float64 {
		var points []stats.XY
		var weights []float64
		for _, p := range []string{"fcfs", "easy"} {
			for _, l := range []float64{1, 2} {
				count, left := few5(p, l), 0
				if count == class {
					left = 1
				}
				for r := range count {
					if left == 0 || r != leave {
						points, weights = append(points, stats.XY{X: l, Y: varied(p, l, r)}), append(weights, 1/float64(count-left))
					}
				}
			}
		}
		return stats.FitLine(points, weights).Slope
	}
	few, many := stats.Class{LeftOut: make([]float64, 12)}, stats.Class{LeftOut: make([]float64, 12)}
	for r := range 12 {
		few.LeftOut[r], many.LeftOut[r] = nan, slope(12, r)
		if r < 5 {
			few.LeftOut[r] = slope(5, r)
		}
	}
	want := stats.Jackknife(slope(0, -1), []stats.Class{few, many}).Interval(0.95)
	p := evaluate(t, run, study.Claim{Statistic: study.Statistic{Kind: "slope", Metric: "y", X: "load", Of: of()}}).Parts[0]
	near(t, "slope", p.Estimate, want.Estimate)
	near(t, "low", p.Low, want.Low)
	near(t, "high", p.High, want.High)
}
