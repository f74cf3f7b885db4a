package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/analysis/stats"
	"schedsweep/sweep"
)

// grid is a run of the policies at each load, with as many replications; value gives the metric y, second the metric z.
func grid(t testing.TB, policies []string, loads []float64, replications int, value, second func(policy string, load float64, rep int) float64) *Run {
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
	frame := func(columns ...Column) *Frame {
		f, err := NewFrame(columns...)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	return &Run{
		Frame:   frame(TextColumn("policy", policy), NumberColumn("load", "", load), NumberColumn("replication", "", rep), TextColumn("outcome", outcome), NumberColumn("y", "s", y), NumberColumn("z", "", z)),
		Planned: frame(TextColumn("policy", planPolicy), NumberColumn("load", "", planLoad)),
		Design:  Design{Axes: []string{"policy", "load"}, Replication: "replication", Outcome: "outcome", PlannedPerPoint: replications},
		Remedy:  "run it",
	}
}

func zero(string, float64, int) float64 { return 0 }

func where(path string, values ...any) sweep.Term {
	t := sweep.Term{Path: path}
	for _, v := range values {
		switch v := v.(type) {
		case string:
			t.Values = append(t.Values, sweep.Value{Kind: sweep.String, S: v})
		case float64:
			t.Values = append(t.Values, sweep.Value{Kind: sweep.Float, F: v})
		}
	}
	return t
}

func of(terms ...sweep.Term) *sweep.Selection { return &sweep.Selection{Terms: terms} }

func policy(names ...any) *sweep.Selection { return of(where("policy", names...)) }

func region(low, high float64) sweep.Region { return sweep.Region{Given: true, Low: low, High: high} }

var positive = sweep.Region{Given: true, Low: 0, High: math.Inf(1), LowOpen: true}

func evaluate(t testing.TB, run *Run, c sweep.Claim, others ...*Run) ClaimResult {
	t.Helper()
	more := map[string]*Run{}
	for _, r := range others {
		more[r.Name] = r
	}
	return EvaluateClaims([]sweep.Claim{c}, run, more)[0]
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-10*math.Max(1, math.Abs(want))) {
		t.Errorf("%s = %.17g, want %.17g", what, got, want)
	}
}

// noise differs from instance to instance and is the same in every run of the tests.
func noise(p string, load float64, rep int) float64 {
	return math.Mod(float64(rep*7919+int(load*1000)*104729+len(p)*1299709), 1000) / 1000
}

func TestDifferenceIsStudentsPairedInterval(t *testing.T) {
	// R's sleep data, the two drugs as policies and the persons as replications: t.test(..., paired = TRUE) gives 1.58,
	// 0.7001142 .. 2.4598858.
	sleep := map[string][]float64{
		"one": {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0},
		"two": {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4},
	}
	run := grid(t, []string{"one", "two"}, []float64{1}, 10, func(p string, _ float64, r int) float64 { return sleep[p][r] }, zero)
	r := evaluate(t, run, sweep.Claim{Statistic: sweep.Statistic{Kind: "difference", Metric: "y", Of: policy("two"), To: policy("one")}, Expect: positive})
	p := r.Parts[0]
	near(t, "difference", p.Estimate, 1.58)
	near(t, "low", p.Low, 0.7001142367230175)
	near(t, "high", p.High, 2.459885763276983)
	if r.Verdict != Holds || p.Replications != 10 || p.Unit != "s" || r.Counts != (Counts{Planned: 20, OK: 20}) {
		t.Errorf("%+v", r)
	}
}

// linear is b*load + a with a for each policy and a residual of +-1 that sums to 0 in every replication and has no slope.
func linear(a, b map[string]float64, residual map[string]float64) func(string, float64, int) float64 {
	return func(p string, load float64, rep int) float64 {
		sign := []float64{1, -1, -1, 1}[int(load)]
		return a[p] + b[p]*load + sign*residual[p] + float64(rep)*0.01
	}
}

func TestKinds(t *testing.T) {
	a, b := map[string]float64{"fcfs": 10, "easy": 4}, map[string]float64{"fcfs": 1, "easy": 4}
	residual := map[string]float64{"fcfs": 1, "easy": 2}
	run := grid(t, []string{"fcfs", "easy"}, []float64{0, 1, 2, 3}, 5, linear(a, b, residual), func(_ string, load float64, _ int) float64 { return 10 + 2*load })
	// Means over loads 0..3 and replications 0..4: fcfs 10+1.5+.02, easy 4+6+.02.
	fcfs, easy := 11.52, 10.02
	// A line through 20 points; squared residuals: those given, and .01 rep around its mean, which adds 4 * .001.
	spread := func(r float64) float64 { return math.Sqrt((20*r*r + 4*0.001) / 18) }
	both := func(s sweep.Statistic) sweep.Statistic {
		s.Metric, s.Of, s.To = "y", policy("fcfs"), policy("easy")
		return s
	}
	one := func(s sweep.Statistic) sweep.Statistic {
		s.Metric, s.Of = "y", policy("fcfs")
		return s
	}
	for name, c := range map[string]struct {
		s    sweep.Statistic
		want float64
		unit string
	}{
		"mean":             {one(sweep.Statistic{Kind: "mean"}), fcfs, "s"},
		"mean of a range":  {sweep.Statistic{Kind: "mean", Metric: "z", Of: of(sweep.Term{Path: "load", Range: true, From: 1, To: 2})}, 13, ""},
		"mean of values":   {sweep.Statistic{Kind: "mean", Metric: "z", Of: of(where("load", 0.0, 3.0)), Where: []sweep.Term{where("policy", "fcfs")}}, 13, ""},
		"difference":       {both(sweep.Statistic{Kind: "difference"}), fcfs - easy, "s"},
		"ratio":            {both(sweep.Statistic{Kind: "ratio"}), fcfs / easy, ""},
		"improvement":      {both(sweep.Statistic{Kind: "improvement"}), 100 * (1 - fcfs/easy), "%"},
		"slope":            {one(sweep.Statistic{Kind: "slope", X: "load"}), 1, "s"},
		"slope on metric":  {one(sweep.Statistic{Kind: "slope", X: "z"}), 0.5, "s"},
		"slope difference": {both(sweep.Statistic{Kind: "slope", X: "load", As: "difference"}), -3, "s"},
		"slope ratio":      {both(sweep.Statistic{Kind: "slope", X: "load", As: "ratio"}), 0.25, ""},
		"spread":           {one(sweep.Statistic{Kind: "spread", X: "load"}), spread(1), "s"},
		"spread ratio":     {both(sweep.Statistic{Kind: "spread", X: "load", As: "ratio"}), spread(1) / spread(2), ""},
		"percentile":       {sweep.Statistic{Kind: "percentile", Metric: "z", At: 12, Of: policy("fcfs")}, 37.5, "%"},
		"joined": {sweep.Statistic{Kind: "ratio", Parts: []sweep.Statistic{
			one(sweep.Statistic{Kind: "mean"}), {Kind: "difference", Parts: []sweep.Statistic{one(sweep.Statistic{Kind: "mean"}), {Kind: "mean", Metric: "z", Of: of()}}}}}, fcfs / (fcfs - 13), ""},
		// Residuals +1, -1, -1, +1 against +2, -2, -2, +2: curves (11, 10, 11, 14) and (6, 6, 10, 18), plus .02; the gap is
		// 5, 4, 1, -4 and crosses at 2 + 1/5.
		"crossing": {both(sweep.Statistic{Kind: "crossing", X: "load", By: "load", Pick: "only"}), 2.2, ""},
		// The same against the metric z = 10 + 2 load.
		"crossing over a metric": {both(sweep.Statistic{Kind: "crossing", X: "z", By: "load", Pick: "only"}), 14.4, ""},
	} {
		r := evaluate(t, run, sweep.Claim{Statistic: c.s})
		p := r.Parts[0]
		if p.Reason != "" || r.Verdict != Reported || p.Unit != c.unit {
			t.Errorf("%s: verdict %s, unit %q, reason %q", name, r.Verdict, p.Unit, p.Reason)
		}
		near(t, name, p.Estimate, c.want)
		if !(p.Low <= p.Estimate && p.Estimate <= p.High) || math.IsInf(p.High, 0) {
			t.Errorf("%s: interval %v", name, p.Interval)
		}
	}
}

func TestRatioOfMeansHasTheDeltaMethodsWidth(t *testing.T) {
	// For the ratio of paired means the jackknife and the linear (delta) variance agree to the order 1/n: sum of
	// (a - r b)^2 over n (n-1) mean(b)^2.
	const n = 400
	run := grid(t, []string{"a", "b"}, []float64{1}, n, func(p string, l float64, r int) float64 {
		return 5 + float64(len(p)) + noise(p+"x", l+float64(p[0]), r)
	}, zero)
	y := run.Frame.Column("y").Numbers
	ma, mb := stats.NewSample(y[:n]).Mean(), stats.NewSample(y[n:]).Mean()
	var q float64
	for i := range n {
		e := y[i] - ma/mb*y[n+i]
		q += e * e
	}
	half := stats.TQuantile(0.95, n-1) * math.Sqrt(q/(n*(n-1))) / mb
	p := evaluate(t, run, sweep.Claim{Statistic: sweep.Statistic{Kind: "ratio", Metric: "y", Of: policy("a"), To: policy("b")}}).Parts[0]
	if rel := p.HalfWidth()/half - 1; math.Abs(rel) > 0.01 {
		t.Errorf("half-width %v, delta method %v", p.HalfWidth(), half)
	}
}

func TestShare(t *testing.T) {
	// easy is lower than fcfs in 6 of 10 replications and equal in one; sjf only in the first.
	y := func(p string, _ float64, r int) float64 {
		switch {
		case p == "fcfs":
			return 10
		case p == "easy" && r < 6:
			return 9
		case p == "easy" && r == 6:
			return 10 * (1 + 1e-12)
		case p == "sjf" && r > 0:
			return 8
		}
		return 11
	}
	run := grid(t, []string{"fcfs", "easy", "sjf"}, []float64{1, 2}, 10, y, zero)
	for name, c := range map[string]struct {
		s    sweep.Statistic
		want float64
	}{
		"lower":             {sweep.Statistic{Is: "lower", Of: policy("easy"), To: policy("fcfs")}, 0.6},
		"lower or equal":    {sweep.Statistic{Is: "lower", OrEqual: true, EqualWithin: 1e-9, Of: policy("easy"), To: policy("fcfs")}, 0.7},
		"exactly equal":     {sweep.Statistic{Is: "lower", OrEqual: true, Of: policy("easy"), To: policy("fcfs")}, 0.6},
		"higher":            {sweep.Statistic{Is: "higher", Of: policy("easy"), To: policy("fcfs")}, 0.4},
		"than all":          {sweep.Statistic{Is: "lower", Of: policy("easy"), To: policy("fcfs", "sjf")}, 0.1},
		"at other loads":    {sweep.Statistic{Is: "lower", Of: of(where("policy", "easy"), where("load", 1.0)), To: of(where("policy", "fcfs"), where("load", 2.0))}, 0.6},
		"all of the trials": {sweep.Statistic{Is: "higher", OrEqual: true, Of: policy("fcfs"), To: policy("fcfs")}, 1},
	} {
		c.s.Kind, c.s.Metric = "share", "y"
		p := evaluate(t, run, sweep.Claim{Statistic: c.s}).Parts[0]
		if p.Reason != "" || p.Low < 0 || p.High > 1 {
			t.Errorf("%s: %v, %s", name, p.Interval, p.Reason)
		}
		near(t, name, p.Estimate, c.want)
		if c.want == 1 { // Clopper and Pearson: 10 of 10 have the lower bound .025^(1/10) = .6915
			near(t, "low", p.Low, math.Pow(0.025, 0.1))
			near(t, "high", p.High, 1)
		}
	}
	// One pair a replication: the jackknife of a share is that of a mean of zeros and ones.
	p := evaluate(t, run, sweep.Claim{Statistic: sweep.Statistic{Kind: "share", Metric: "y", Is: "lower", Of: policy("easy"), To: policy("fcfs")}}).Parts[0]
	near(t, "half-width", p.HalfWidth(), stats.TQuantile(0.95, 9)*math.Sqrt(0.6*0.4/9))
}

func TestPermutationChangesNothing(t *testing.T) {
	run := grid(t, []string{"fcfs", "easy"}, []float64{0, 1, 2, 3}, 4, func(p string, l float64, r int) float64 {
		return l*float64(len(p)) - float64(p[0])/30 + noise(p, l+float64(p[0]), r)/7
	}, func(p string, l float64, r int) float64 { return l + noise(p, l, r)/3 })
	both := sweep.Statistic{Metric: "y", X: "z", By: "load", Pick: "first", As: "difference", Is: "lower", Of: policy("fcfs"), To: policy("easy")}
	var claims []sweep.Claim
	for _, kind := range []string{"difference", "ratio", "improvement", "slope", "spread", "crossing", "share"} {
		s := both
		s.Kind = kind
		claims = append(claims, sweep.Claim{ID: kind, Statistic: s, Expect: positive, Across: map[bool][]string{true: {"load"}}[kind == "ratio"]})
	}
	claims = append(claims, sweep.Claim{Statistic: sweep.Statistic{Kind: "order", Metric: "y", Axis: "policy", Is: "ascending", Values: where("", "easy", "fcfs").Values, Of: of()}, Across: []string{"load"}})
	text := func(r *Run) string {
		var b strings.Builder
		for _, tb := range ClaimTables(r.Design, EvaluateClaims(claims, r, nil)) {
			if err := tb.WriteCSV(&b); err != nil {
				t.Fatal(err)
			}
		}
		return b.String()
	}
	want := text(run)
	if strings.Contains(want, "NaN") || !strings.Contains(want, "crossing") {
		t.Fatalf("the claims give nothing:\n%s", want)
	}
	rapid.Check(t, func(rt *rapid.T) {
		again := *run
		again.Frame = frameOf(t, run.Frame, rapid.Permutation(ints(run.Frame.Rows)).Draw(rt, "order"))
		if got := text(&again); got != want {
			rt.Fatalf("another order of the rows changes\n%s\ninto\n%s", want, got)
		}
	})
}

func TestScaling(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		scale := math.Ldexp(1, rapid.IntRange(-20, 20).Draw(rt, "power"))
		y := func(k float64) func(string, float64, int) float64 {
			return func(p string, l float64, r int) float64 { return k * (float64(len(p)) + l + noise(p, l, r)) }
		}
		a, b := grid(t, []string{"fcfs", "sjf"}, []float64{0, 1, 2}, 4, y(1), zero), grid(t, []string{"fcfs", "sjf"}, []float64{0, 1, 2}, 4, y(scale), zero)
		for kind, factor := range map[string]float64{"difference": scale, "slope": scale, "spread": 1, "ratio": 1, "improvement": 1} {
			as := map[string]string{"slope": "difference", "spread": "ratio"}[kind]
			c := sweep.Claim{Statistic: sweep.Statistic{Kind: kind, As: as, Metric: "y", X: "load", Of: policy("fcfs"), To: policy("sjf")}}
			p, q := evaluate(t, a, c).Parts[0], evaluate(t, b, c).Parts[0]
			if q.Estimate != p.Estimate*factor || q.Low != p.Low*factor || q.High != p.High*factor {
				rt.Fatalf("%s: %v becomes %v when the metric is scaled by %v", kind, p.Interval, q.Interval, scale)
			}
		}
	})
}

func TestOrderAndExtreme(t *testing.T) {
	mean := map[string]float64{"a": 1, "b": 2, "c": 3, "d": 3}
	run := grid(t, []string{"a", "b", "c", "d"}, []float64{1, 2}, 6, func(p string, l float64, r int) float64 {
		if p == "d" {
			p = "c"
		}
		return mean[p] + 0.1*noise(p, l, r)
	}, zero)
	order := func(is string, orEqual bool, values ...any) sweep.Statistic {
		return sweep.Statistic{Kind: "order", Metric: "y", Axis: "policy", Is: is, OrEqual: orEqual, Values: where("", values...).Values, Of: of()}
	}
	extreme := func(is, value string, orEqual bool) sweep.Statistic {
		return sweep.Statistic{Kind: "extreme", Metric: "y", Axis: "policy", Is: is, OrEqual: orEqual, Values: where("", value).Values, Of: of()}
	}
	for _, c := range []struct {
		s     sweep.Statistic
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
		r := evaluate(t, run, sweep.Claim{Statistic: c.s})
		if r.Verdict != c.want || len(r.Parts) != c.parts || c.shown != "" && r.Parts[r.Shown].Label != c.shown {
			t.Errorf("%s %s %v: %s, %d parts, shown %s", c.s.Kind, c.s.Is, c.s.Values, r.Verdict, len(r.Parts), r.Parts[r.Shown].Label)
		}
	}
}

func TestAcross(t *testing.T) {
	run := grid(t, []string{"fcfs", "easy"}, []float64{1, 2, 3}, 8, func(p string, l float64, r int) float64 {
		if p == "fcfs" && l == 3 {
			return 5 + 0.01*noise(p, l, r) // below easy at load 3 only
		}
		return float64(len(p)) + 5 + float64(p[0])/1000 + 0.01*noise(p, l, r)
	}, zero)
	s := sweep.Statistic{Kind: "difference", Metric: "y", Of: policy("easy"), To: policy("fcfs")}
	each := sweep.Claim{For: "each", Across: []string{"load"}, Expect: positive, Statistic: s}
	r := evaluate(t, run, each)
	if len(r.Parts) != 3 || r.Parts[2].Verdict != Holds || r.Parts[2].Label != "load = 3" || r.Verdict != DoesNotHold || r.Shown == 2 {
		t.Errorf("each: %+v", r)
	}
	each.For = "any"
	if r := evaluate(t, run, each); r.Verdict != Holds || r.Shown != 2 {
		t.Errorf("any: %s, shown %d", r.Verdict, r.Shown)
	}
	// A side that does not vary along the axis serves all of its values.
	s.To = of(where("policy", "fcfs"), where("load", 3.0))
	if r := evaluate(t, run, sweep.Claim{Across: []string{"load"}, Expect: positive, Statistic: s}); r.Verdict != Holds || len(r.Parts) != 3 {
		t.Errorf("fixed side: %+v", r)
	}
}

func TestVerdicts(t *testing.T) {
	// 0, 1, ... 9: mean 4.5, standard error .957, half-width 2.166.
	run := grid(t, []string{"p"}, []float64{1}, 10, func(_ string, _ float64, r int) float64 { return float64(r) }, zero)
	inf := math.Inf(1)
	for _, c := range []struct {
		expect sweep.Region
		want   Verdict
		reason string
	}{
		{region(2.3, 6.7), Holds, ""},
		{region(2.4, 6.7), CannotTell, "about 11 replications would decide (there are 10)"},
		{region(4, inf), CannotTell, "about 188 replications"}, // 10 (2.1659 / .5)^2 = 187.6
		{region(4.5, inf), CannotTell, "almost on it"},
		{region(6.7, inf), DoesNotHold, ""},
		{region(-inf, 2.3), DoesNotHold, ""},
		{sweep.Region{}, Reported, ""},
	} {
		r := evaluate(t, run, sweep.Claim{Statistic: sweep.Statistic{Kind: "mean", Metric: "y", Of: of()}, Expect: c.expect})
		if r.Verdict != c.want || !strings.Contains(r.Parts[0].Reason, c.reason) || (c.reason == "") != (r.Parts[0].Reason == "") {
			t.Errorf("%s: %s, %q", c.expect, r.Verdict, r.Parts[0].Reason)
		}
	}
	// An interval without width on an open border is outside, on a closed one inside.
	flat := grid(t, []string{"p"}, []float64{1}, 5, func(string, float64, int) float64 { return 2 }, zero)
	for open, want := range map[bool]Verdict{true: DoesNotHold, false: Holds} {
		expect := sweep.Region{Given: true, Low: 2, High: inf, LowOpen: open}
		if r := evaluate(t, flat, sweep.Claim{Statistic: sweep.Statistic{Kind: "mean", Metric: "y", Of: of()}, Expect: expect}); r.Verdict != want {
			t.Errorf("on the border, open %v: %s", open, r.Verdict)
		}
	}
}

func TestManyPartsFailAtAStricterLevel(t *testing.T) {
	// Of 20 values of which one lies just outside at the level of 95 %, none need be wrong.
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
	s := sweep.Statistic{Kind: "mean", Metric: "y", Of: of()}
	if r := evaluate(t, run, sweep.Claim{Across: []string{"load"}, Expect: positive, Statistic: s}); r.Verdict != CannotTell {
		t.Errorf("of 20: %s", r.Verdict)
	}
	s.Of = of(where("load", 0.0))
	if r := evaluate(t, run, sweep.Claim{Expect: positive, Statistic: s}); r.Verdict != DoesNotHold {
		t.Errorf("alone: %s", r.Verdict)
	}
}

func TestWhyOneCannotTell(t *testing.T) {
	whole := func() *Run {
		return grid(t, []string{"fcfs", "easy"}, []float64{1, 2}, 5, func(p string, l float64, r int) float64 { return float64(len(p)+r) + l }, zero)
	}
	diff := sweep.Statistic{Kind: "difference", Metric: "y", Of: policy("fcfs"), To: policy("easy")}
	partly := whole()
	partly.Frame = frameOf(t, partly.Frame, ints(15))
	two := grid(t, []string{"fcfs", "easy"}, []float64{1}, 2, zero, zero)
	other := whole()
	other.Name = "other"
	other.Planned, other.Instances, other.Frame = nil, 20, frameOf(t, other.Frame, ints(7))
	crossing := sweep.Statistic{Kind: "crossing", Metric: "y", X: "load", By: "load", Pick: "only", Of: policy("fcfs"), To: policy("easy")}
	toOther := diff
	toOther.To = &sweep.Selection{Run: "other"}
	toNowhere := diff
	toNowhere.To = &sweep.Selection{Run: "nowhere"}
	for name, c := range map[string]struct {
		run    *Run
		s      sweep.Statistic
		reason string
	}{
		"missing":        {partly, diff, "5 of 10 planned instances have no row yet; run it"},
		"too few":        {two, diff, "2 complete replications are too few"},
		"nothing":        {whole(), sweep.Statistic{Kind: "mean", Metric: "y", Of: policy("sjf")}, "no instance is selected by policy = sjf"},
		"no metric":      {whole(), sweep.Statistic{Kind: "mean", Metric: "w", Of: of()}, "no metric w"},
		"no denominator": {whole(), sweep.Statistic{Kind: "ratio", Metric: "z", Of: policy("fcfs"), To: policy("easy")}, "the denominator is 0"},
		"no line":        {whole(), sweep.Statistic{Kind: "slope", Metric: "y", X: "z", Of: policy("fcfs")}, "no line"},
		"no crossing":    {whole(), crossing, "do not cross between 1 and 2"},
		"other partly":   {whole(), toOther, "run other: 13 of 20 planned instances have no row yet"},
		"no such run":    {whole(), toNowhere, "run nowhere: there are no rows"},
	} {
		r := evaluate(t, c.run, sweep.Claim{Statistic: c.s, Expect: positive}, other)
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
	r := evaluate(t, run, sweep.Claim{Statistic: sweep.Statistic{Kind: "difference", Metric: "y", Of: policy("fcfs"), To: policy("easy")}, Expect: positive})
	near(t, "difference", r.Parts[0].Estimate, 'f'-'e')
	if r.Verdict != Holds || r.Parts[0].Replications != 5 || r.Counts != (Counts{Planned: 24, OK: 23, Failed: 1}) || len(r.Parts[0].Remarks) != 2 {
		t.Errorf("%+v", r)
	}
}

func TestTwoRuns(t *testing.T) {
	y := func(gap float64) func(string, float64, int) float64 {
		return func(p string, l float64, r int) float64 {
			return map[string]float64{"fcfs": gap, "easy": 1}[p] * (10 + noise("", l, r))
		}
	}
	own, other := grid(t, []string{"fcfs", "easy"}, []float64{1, 2}, 6, y(1.5), zero), grid(t, []string{"fcfs", "easy"}, []float64{1, 2, 3}, 9, y(1.2), zero)
	other.Name = "other"
	here := sweep.Statistic{Kind: "ratio", Metric: "y", Of: policy("fcfs"), To: policy("easy")}
	there := here
	there.Of, there.To = policy("fcfs"), policy("easy")
	there.Of.Run, there.To.Run = "other", "other"
	r := evaluate(t, own, sweep.Claim{Statistic: sweep.Statistic{Kind: "ratio", Parts: []sweep.Statistic{here, there}}, Expect: positive}, other)
	near(t, "ratio of ratios", r.Parts[0].Estimate, 1.25)
	if r.Verdict != Holds || r.Parts[0].Replications != 6 || r.Counts != (Counts{Planned: 24 + 54, OK: 24 + 54}) {
		t.Errorf("%+v", r)
	}
	// Means of two runs: Welch's standard error.
	c := sweep.Claim{Statistic: sweep.Statistic{Kind: "difference", Metric: "y", Of: of(where("policy", "fcfs"), where("load", 1.0)), To: &sweep.Selection{Run: "other", Terms: []sweep.Term{where("policy", "fcfs"), where("load", 1.0)}}}}
	p := evaluate(t, own, c, other).Parts[0]
	variance := func(f *Frame, n int) float64 {
		s := stats.NewSample(slices.Clone(f.Column("y").Numbers[:n]))
		return s.SD() * s.SD() / float64(n)
	}
	va, vb := variance(own.Frame, 6), variance(other.Frame, 9)
	df := int((va + vb) * (va + vb) / (va*va/5 + vb*vb/8))
	near(t, "half-width", p.HalfWidth(), stats.TQuantile(0.95, df)*math.Sqrt(va+vb))
}

func TestCrossings(t *testing.T) {
	line := func(xy ...float64) curve {
		var c curve
		for i := 0; i < len(xy); i += 2 {
			c = append(c, stats.XY{X: xy[i], Y: xy[i+1]})
		}
		return c
	}
	for _, c := range []struct {
		name   string
		a, b   curve
		want   string
		reason string
	}{
		{"once", line(0, 0, 1, 1), line(0, 0.25, 1, 0.25), "[0.25]", ""},
		{"horizontal", line(0, 0, 1, 1), line(math.NaN(), 0.75), "[0.75]", ""},
		{"at a point", line(0, 0, 1, 1, 2, 2), line(0, 1, 2, 1), "[1]", ""},
		{"touching", line(0, 0, 1, 1, 2, 0), line(0, 1, 2, 1), "[]", ""},
		{"together", line(0, 0, 1, 1, 2, 1, 3, 2), line(math.NaN(), 1), "[1.5]", ""},
		{"twice", line(0, 0, 1, 2, 2, 0), line(math.NaN(), 1), "[0.5 1.5]", ""},
		{"grids of their own", line(0, 0, 2, 2), line(0.5, 2, 1.5, 0), "[1]", ""},
		{"apart", line(0, 0, 1, 1), line(2, 0, 3, 1), "[]", "no range of x in common"},
		{"both flat", line(math.NaN(), 0), line(math.NaN(), 1), "[]", "neither side"},
	} {
		found, _, _, reason := crossings(c.a, c.b)
		if fmt.Sprint(found) != c.want || !strings.Contains(reason, c.reason) || (c.reason == "") != (reason == "") {
			t.Errorf("%s: %v, %q", c.name, found, reason)
		}
	}
}

func TestUnstablePointsLeaveTheCurve(t *testing.T) {
	// The curves cross at 1.5; at load 3 one replication of fcfs has no mean, being unstable.
	run := grid(t, []string{"fcfs", "easy"}, []float64{0, 1, 2, 3}, 4, func(p string, l float64, r int) float64 {
		if p == "easy" {
			return 15
		}
		return 10*l + float64(r)/100 - 0.015
	}, zero)
	y := run.Frame.Column("y").Numbers
	y[12] = math.NaN() // fcfs at load 3, replication 0
	p := evaluate(t, run, sweep.Claim{Statistic: sweep.Statistic{Kind: "crossing", Metric: "y", X: "load", By: "load", Pick: "only", Of: policy("fcfs"), To: policy("easy")}}).Parts[0]
	near(t, "crossing", p.Estimate, 1.5)
	if p.Replications != 4 || len(p.Remarks) != 1 || !strings.Contains(p.Remarks[0], "load = 3") {
		t.Errorf("%d replications, remarks %q", p.Replications, p.Remarks)
	}
}

// BenchmarkClaims: a claim across 20 values of 4,000 instances and one pooled slope; target: below 50 ms.
func BenchmarkClaims(b *testing.B) {
	loads := make([]float64, 40)
	for i := range loads {
		loads[i] = float64(i)
	}
	run := grid(b, []string{"a", "b", "c", "d", "e"}, loads, 20, func(p string, l float64, r int) float64 { return float64(p[0]) + l*noise(p, l, r) }, zero)
	claims := []sweep.Claim{
		{Statistic: sweep.Statistic{Kind: "difference", Metric: "y", Of: policy("a"), To: policy("b")}, Across: []string{"load"}, Expect: positive},
		{Statistic: sweep.Statistic{Kind: "slope", Metric: "y", X: "load", As: "ratio", Of: policy("a"), To: policy("b")}, Expect: positive},
	}
	b.ReportAllocs()
	for b.Loop() {
		EvaluateClaims(claims, run, nil)
	}
}
