package claim

import (
	"math"
	"slices"
	"strings"
	"testing"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

func TestOrderAndExtreme(t *testing.T) {
	mean := map[string]float64{"a": 1, "b": 2, "c": 3, "d": 3}
	run := grid(t, []string{"a", "b", "c", "d"}, []float64{1, 2}, 6, func(p string, l float64, r int) float64 {
		if p == "d" {
			p = "c"
		}
		return mean[p] + 0.1*noise(p, l, r)
	}, zero)
	order := func(is string, orEqual bool, values ...any) study.Statistic {
		return study.Statistic{Kind: "order", Metric: "y", Axis: "policy", Is: is, OrEqual: orEqual, Values: where("", values...).Values,
			Of: of()}
	}
	extreme := func(is, value string, orEqual bool) study.Statistic {
		return study.Statistic{Kind: "extreme", Metric: "y", Axis: "policy", Is: is, OrEqual: orEqual, Values: where("", value).Values, Of: of()}
	}
	for _, c := range []struct {
		s     study.Statistic
		want  Verdict
		parts int
		shown string
	}{
		{order("ascending", false, "a", "b", "c"), Holds, 2, ""},
		{order("descending", false, "c", "b", "a"), Holds, 2, ""},
		{order("ascending", false, "a", "c", "b"), DoesNotHold, 2, "b - c"},
		{order("ascending", false, "a", "c", "d"), DoesNotHold, 2, "d - c"}, // equal without width
		{order("ascending", true, "a", "c", "d"), Holds, 2, ""},
		{extreme("smallest", "a", false), Holds, 3, ""},
		{extreme("largest", "c", false), DoesNotHold, 3, "c - d"},
		{extreme("largest", "c", true), Holds, 3, ""},
		{extreme("largest", "b", true), DoesNotHold, 3, ""},
	} {
		r := evaluate(t, run, study.Claim{Statistic: c.s})
		if r.Verdict != c.want || len(r.Parts) != c.parts || c.shown != "" && r.Parts[r.Shown].Label != c.shown {
			t.Errorf("%s %s %v: %s, %d parts, shown %s", c.s.Kind, c.s.Is, c.s.Values, r.Verdict, len(r.Parts), r.Parts[r.Shown].Label)
		}
	}
}

func TestAcross(t *testing.T) {
	uneven := grid(t, []string{"fcfs", "easy"}, []float64{1, 2, 3}, 8, func(p string, l float64, r int) float64 {
		if p == "fcfs" && l == 3 {
			return 5 + 0.01*noise(p, l, r) // below easy at load 3 only
		}
		return float64(len(p)) + 5 + float64(p[0])/1000 + 0.01*noise(p, l, r)
	}, zero)
	s := study.Statistic{Kind: "difference", Metric: "y", Of: policy("easy"), To: policy("fcfs")}
	each := study.Claim{For: "each", Across: []string{"load"}, Expect: positive, Statistic: s}
	r := evaluate(t, uneven, each)
	if len(r.Parts) != 3 || r.Parts[2].Verdict != Holds || r.Parts[2].Label != "load = 3" || r.Verdict != DoesNotHold || r.Shown == 2 {
		t.Errorf("each: %+v", r)
	}
	each.For = "any"
	if r := evaluate(t, uneven, each); r.Verdict != Holds || r.Shown != 2 {
		t.Errorf("any: %s, shown %d", r.Verdict, r.Shown)
	}
	// Loads that change nothing are no choice, under any; that parts come out alike is none of their making.
	run := grid(t, []string{"fcfs", "easy"}, []float64{1, 2, 3}, 8, func(p string, _ float64, r int) float64 {
		return float64(len(p)) + float64(r%3)
	}, zero)
	same := study.Claim{For: "any", Across: []string{"load"}, Expect: positive,
		Statistic: study.Statistic{Kind: "mean", Metric: "y", Of: policy("easy")}}
	if r := evaluate(t, run, same); r.Verdict != CannotTell || !strings.Contains(r.Parts[0].Reason, "all 3 parts rest on the same values") {
		t.Errorf("the same: %s, %s", r.Verdict, r.Parts[0].Reason)
	}
	same.For = "each"
	if r := evaluate(t, run, same); r.Verdict != Holds {
		t.Errorf("the same at each: %s, %s", r.Verdict, r.Parts[0].Reason)
	}
	run = grid(t, []string{"fcfs", "easy"}, []float64{1, 2, 3}, 8, func(_ string, l float64, r int) float64 { return l + float64(r%3) }, zero)
	low := study.Claim{For: "any", Across: []string{"load"}, Expect: positive,
		Statistic: study.Statistic{Kind: "percentile", Metric: "y", At: 100, Of: policy("easy")}}
	if r := evaluate(t, run, low); r.Verdict != Holds { // 100 % at every load
		t.Errorf("alike: %s, %s", r.Verdict, r.Parts[0].Reason)
	}
	// A side that does not vary along the axis serves all of its values.
	s.To = of(where("policy", "fcfs"), where("load", 3.0))
	if r := evaluate(t, uneven, study.Claim{Across: []string{"load"}, Expect: positive, Statistic: s}); r.Verdict != Holds ||
		len(r.Parts) != 3 {
		t.Errorf("fixed side: %+v", r)
	}
}

// TestTheDecidingIntervalIsStated: three parts fail by their intervals of 1-.05/3, and each states that interval.
func TestTheDecidingIntervalIsStated(t *testing.T) {
	run := grid(t, []string{"p"}, []float64{1, 2, 3}, 10, func(_ string, _ float64, r int) float64 { return float64(r) - 4.5 }, zero)
	for _, c := range []struct {
		above float64
		want  Verdict
		said  int
	}{ // half-widths: qt(.975, 9) .9574 = 2.166 and qt(.99167, 9) .9574 = 2.809
		{2.9, DoesNotHold, 1},
		{2.7, CannotTell, 1}, // the plain interval alone would fail it
		{-3, Holds, 0},
	} {
		r := evaluate(t, run, study.Claim{For: "each", Across: []string{"load"}, Expect: region(c.above, math.Inf(1)),
			Statistic: study.Statistic{Kind: "mean", Metric: "y", Of: policy("p")}})
		said := slices.DeleteFunc(slices.Clone(r.Parts[1].Remarks), func(m string) bool { return !strings.HasPrefix(m, "decided by") })
		if r.Verdict != c.want || len(said) != c.said ||
			c.said > 0 && said[0] != "decided by the interval of 98.3%, because there are 3 parts: [-2.8, 2.8]" {
			t.Errorf("above %g: %s, %q", c.above, r.Verdict, r.Parts[1].Remarks)
		}
	}
}

func TestVerdicts(t *testing.T) {
	// -4.5, -3.5, ... 4.5: mean 0, standard error .957, half-width 2.166; not skewed.
	run := grid(t, []string{"p"}, []float64{1}, 10, func(_ string, _ float64, r int) float64 { return float64(r) - 4.5 }, zero)
	inf := math.Inf(1)
	for _, c := range []struct {
		expect study.Region
		want   Verdict
		reason string
	}{
		{region(-2.2, 2.2), Holds, ""},
		{region(-2.1, 2.2), CannotTell, "about 11 replications would decide if the value stayed the same (there are 10)"},
		{region(-0.5, inf), CannotTell, "about 144 replications"}, // sd 3.0277: qt(.975, 143) 3.0277 / sqrt(144) = .4987, of 143 .5005
		{region(0, inf), CannotTell, "almost on it"},
		{region(2.2, inf), DoesNotHold, ""},
		{region(-inf, -2.2), DoesNotHold, ""},
		{study.Region{}, Reported, ""},
	} {
		r := evaluate(t, run, study.Claim{Statistic: study.Statistic{Kind: "mean", Metric: "y", Of: of()}, Expect: c.expect})
		if r.Verdict != c.want || !strings.Contains(r.Parts[0].Reason, c.reason) || (c.reason == "") != (r.Parts[0].Reason == "") {
			t.Errorf("%s: %s, %q", c.expect, r.Verdict, r.Parts[0].Reason)
		}
	}
	windows := Part{Interval: stats.Interval{Low: -2.166, High: 2.166}, Expect: region(-0.5, inf), Replications: 10, most: 30}
	if why := windows.needed("", windows.Interval, .95); !strings.Contains(why, "than the 30 that share no jobs of the log") {
		t.Errorf("of a log with 30 windows: %q", why)
	}
	// An interval without width on an open border is outside, on a closed one inside.
	flat := grid(t, []string{"p"}, []float64{1}, 5, func(string, float64, int) float64 { return 2 }, noise)
	flat.Design.Metrics = []string{"y", "z"}
	for open, want := range map[bool]Verdict{true: DoesNotHold, false: Holds} {
		expect := study.Region{Given: true, Low: 2, High: inf, LowOpen: open}
		if r := evaluate(t, flat, study.Claim{Statistic: study.Statistic{Kind: "mean", Metric: "y", Of: of()},
			Expect: expect}); r.Verdict != want {
			t.Errorf("on the border, open %v: %s", open, r.Verdict)
		}
	}
}

func TestManyPartsFailAtAStricterLevel(t *testing.T) {
	// One of 20 values is just outside the expected region, at a level of 95 %. Chance alone explains one in 20.
	loads := make([]float64, 20)
	for i := range loads {
		loads[i] = float64(i)
	}
	run := grid(t, []string{"p"}, loads, 10, func(_ string, l float64, r int) float64 {
		if l == 0 {
			return float64(r) - 4.5 - 2.3 // interval -4.466 .. -.134
		}
		return float64(r) + 10
	}, zero)
	s := study.Statistic{Kind: "mean", Metric: "y", Of: of()}
	if r := evaluate(t, run, study.Claim{Across: []string{"load"}, Expect: positive, Statistic: s}); r.Verdict != CannotTell {
		t.Errorf("of 20: %s", r.Verdict)
	}
	s.Of = of(where("load", 0.0))
	if r := evaluate(t, run, study.Claim{Expect: positive, Statistic: s}); r.Verdict != DoesNotHold {
		t.Errorf("alone: %s", r.Verdict)
	}
}

func TestWhyOneCannotTell(t *testing.T) {
	whole := func() *frame.Run {
		return grid(t, []string{"fcfs", "easy"}, []float64{1, 2}, 5, func(p string, l float64, r int) float64 { return float64(len(p)+r) + l },
			zero)
	}
	diff := study.Statistic{Kind: "difference", Metric: "y", Of: policy("fcfs"), To: policy("easy")}
	partly := whole()
	partly.Frame = frameOf(t, partly.Frame, ints(15))
	two := grid(t, []string{"fcfs", "easy"}, []float64{1}, 2, noise, zero)
	other := whole()
	other.Name = "other"
	other.Frame = frameOf(t, other.Frame, ints(13))
	crossing := study.Statistic{Kind: "crossing", Metric: "y", X: "load", By: "load", Of: policy("fcfs"), To: policy("easy")}
	toOther := diff
	toOther.To = &study.Selection{Run: "other"}
	toNowhere := diff
	toNowhere.To = &study.Selection{Run: "nowhere"}
	for name, c := range map[string]struct {
		run    *frame.Run
		s      study.Statistic
		reason string
	}{
		"missing":        {partly, diff, "5 of 10 planned instances have no row yet; run it"},
		"too few":        {two, diff, "2 complete replications are too few"},
		"nothing":        {whole(), study.Statistic{Kind: "mean", Metric: "y", Of: policy("sjf")}, "no instance is selected by policy = sjf"},
		"no metric":      {whole(), study.Statistic{Kind: "mean", Metric: "w", Of: of()}, "no metric w"},
		"no denominator": {whole(), study.Statistic{Kind: "ratio", Metric: "z", Of: policy("fcfs"), To: policy("easy")}, "the denominator is 0"},
		"no line":        {whole(), study.Statistic{Kind: "slope", Metric: "y", X: "z", Of: policy("fcfs")}, "no line"},
		"no crossing":    {whole(), crossing, "do not cross between 1 and 2"},
		"other partly":   {whole(), toOther, "run other: 7 of 20 planned instances have no row yet"},
		"no such run":    {whole(), toNowhere, "run nowhere: there are no rows"},
	} {
		r := evaluate(t, c.run, study.Claim{Statistic: c.s, Expect: positive}, other)
		if r.Verdict != CannotTell || !strings.Contains(r.Parts[0].Reason, c.reason) {
			t.Errorf("%s: %s, %q", name, r.Verdict, r.Parts[0].Reason)
		}
	}
}

func TestFailedInstancesTakeTheirReplicationAway(t *testing.T) {
	// The failed instance would have been far off; its replication leaves both sides.
	run := grid(t, []string{"fcfs", "easy"}, []float64{1, 2}, 6, func(p string, l float64, r int) float64 {
		return float64(p[0]) + 100*float64(r*r) + 0.5*l
	}, zero)
	run.Frame.Column("outcome").Levels = []string{"ok", "failed"}
	run.Frame.Column("outcome").Codes[3] = 1
	run.Frame.Column("y").Numbers[3] = math.NaN()
	r := evaluate(t, run, study.Claim{Statistic: study.Statistic{Kind: "difference", Metric: "y", Of: policy("fcfs"), To: policy("easy")},
		Expect: positive, Incomplete: "drop"})
	near(t, "difference", r.Parts[0].Estimate, 'f'-'e')
	if r.Verdict != Holds || r.Parts[0].Replications != 5 || r.Counts != (frame.Counts{Planned: frame.Exactly(24), OK: 23, Failed: 1}) ||
		len(r.Parts[0].Remarks) != 2 {
		t.Errorf("%+v", r)
	}
}

// A border is measured by the arm that must not reach across it.
func TestMarginsOfUnevenIntervals(t *testing.T) {
	i := stats.Interval{Estimate: 10, Low: 8, High: 20}
	inf := math.Inf(1)
	for _, c := range []struct {
		r    study.Region
		i    stats.Interval
		want float64
	}{
		{region(6, inf), i, 2},     // 4 above the border, the arm below is 2
		{region(-inf, 15), i, 0.5}, // 5 below it, the arm above is 10
		{region(11, inf), i, -0.1}, // 1 outside: the arm towards it is 10
		{region(-inf, 9), i, -0.5}, // 1 outside: the arm towards it is 2
		{region(6, 30), i, 2},      // the nearer in arms: 4/2 and 20/10
		{region(9, 30), i, 0.5},    // 1/2 and 20/10
		{region(6, inf), stats.Interval{Estimate: 10, Low: math.Inf(-1), High: inf}, 0},
		{region(-inf, inf), i, inf},
	} {
		if got := margin(c.r, c.i); !(math.Abs(got-c.want) <= 1e-12) && got != c.want {
			t.Errorf("%s of %v: margin %g, want %g", c.r, c.i, got, c.want)
		}
	}
}

// TestExact: a claim about a single replication is judged by its value alone, at the border and beyond it; several are refused.
func TestExact(t *testing.T) {
	run := grid(t, []string{"easy"}, []float64{1}, 1, func(string, float64, int) float64 { return 0.25 }, zero)
	mean := study.Claim{Exact: true, Statistic: study.Statistic{Kind: "mean", Metric: "y", Of: policy("easy")}}
	for _, c := range []struct {
		expect study.Region
		want   Verdict
	}{{region(0, 0.25), Holds}, {region(0, 0.249), DoesNotHold}, {study.Region{Given: true, Low: 0.25, High: 1, LowOpen: true}, DoesNotHold},
		{study.Region{}, Reported}} {
		mean.Expect = c.expect
		if r := evaluate(t, run, mean); r.Verdict != c.want || r.Parts[0].Estimate != 0.25 || !math.IsNaN(r.Parts[0].Low+r.Parts[0].High) {
			t.Errorf("%+v: %s, %+v", c.expect, r.Verdict, r.Parts[0])
		}
	}
	mean.Expect = region(0, 1)
	several := grid(t, []string{"easy"}, []float64{1}, 4, func(p string, l float64, r int) float64 { return 0.5 + noise(p, l, r)/10 }, zero)
	if r := evaluate(t, several, mean); r.Verdict != CannotTell || !strings.Contains(r.Parts[0].Reason, "there are 4") {
		t.Errorf("of four replications: %s, %q", r.Verdict, r.Parts[0].Reason)
	}
	mean.Exact = false
	if r := evaluate(t, run, mean); r.Verdict != CannotTell {
		t.Errorf("of one replication without exact: %s", r.Verdict)
	}
}

// TestRoundingAtBorders: of a single run, a value at the border of the region is judged by the border and not by rounding.
func TestRoundingAtBorders(t *testing.T) {
	run := grid(t, []string{"fcfs", "easy"}, []float64{1}, 1, func(p string, _ float64, _ int) float64 {
		return map[string]float64{"fcfs": 100, "easy": 90}[p]
	}, func(string, float64, int) float64 { return .8 })
	improvement := study.Statistic{Kind: "improvement", Metric: "y", Of: policy("easy"), To: policy("fcfs")}
	mean := study.Statistic{Kind: "mean", Metric: "z", Of: policy("easy")}
	tolerance, low, high := .1, .7, .9
	for _, c := range []struct {
		s      study.Statistic
		expect study.Region
		want   Verdict
	}{
		{improvement, study.Region{Given: true, Low: 10, High: math.Inf(1)}, Holds},
		{improvement, study.Region{Given: true, Low: 10, High: math.Inf(1), LowOpen: true}, DoesNotHold},
		{improvement, study.Region{Given: true, Low: math.Inf(-1), High: 10}, Holds},
		{improvement, study.Region{Given: true, Low: math.Inf(-1), High: 10, HighOpen: true}, DoesNotHold},
		{mean, region(low-tolerance, low+tolerance), Holds}, {mean, region(high-tolerance, high+tolerance), Holds},
		{mean, region(low-tolerance, .8-1e-9), DoesNotHold},
	} {
		if r := evaluate(t, run, study.Claim{Exact: true, Statistic: c.s, Expect: c.expect}); r.Verdict != c.want {
			t.Errorf("%s %v: %s, %v", c.s.Kind, c.expect, r.Verdict, r.Parts[0].Estimate)
		}
	}
}
