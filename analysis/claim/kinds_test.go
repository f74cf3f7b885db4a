package claim

import (
	"math"
	"math/rand/v2"
	"testing"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

func linear(a, b map[string]float64, residual map[string]float64) func(string, float64, int) float64 {
	return func(p string, load float64, rep int) float64 {
		sign := []float64{1, -1, -1, 1}[int(load)]
		return a[p] + b[p]*load + sign*residual[p] + float64(rep)*0.01
	}
}

func TestKinds(t *testing.T) {
	a, b := map[string]float64{"fcfs": 10, "easy": 4}, map[string]float64{"fcfs": 1, "easy": 4}
	residual := map[string]float64{"fcfs": 1, "easy": 2}
	run := grid(t, []string{"fcfs", "easy"}, []float64{0, 1, 2, 3}, 5, linear(a, b, residual), func(_ string, load float64, _ int) float64 {
		return 10 + 2*load
	})
	run.Design.Metrics = []string{"y", "z"} // z is the same in all replications, which y tells apart
	// Means over loads 0..3 and replications 0..4: fcfs 10+1.5+.02, easy 4+6+.02.
	fcfs, easy := 11.52, 10.02
	// A line through 20 points; squared residuals: those given, and .01 rep around its mean, which adds 4 * .001.
	spread := func(r float64) float64 { return math.Sqrt((20*r*r + 4*0.001) / 18) }
	both := func(s study.Statistic) study.Statistic {
		s.Metric, s.Of, s.To = "y", policy("fcfs"), policy("easy")
		return s
	}
	one := func(s study.Statistic) study.Statistic {
		s.Metric, s.Of = "y", policy("fcfs")
		return s
	}
	for name, c := range map[string]struct {
		s    study.Statistic
		want float64
		unit string
	}{
		"mean":            {one(study.Statistic{Kind: "mean"}), fcfs, "s"},
		"mean of a range": {study.Statistic{Kind: "mean", Metric: "z", Of: of(study.Term{Path: "load", Range: true, From: 1, To: 2})}, 13, ""},
		"mean of values": {study.Statistic{Kind: "mean", Metric: "z", Of: of(where("load", 0.0, 3.0)),
			Where: []study.Term{where("policy", "fcfs")}}, 13, ""},
		"difference":       {both(study.Statistic{Kind: "difference"}), fcfs - easy, "s"},
		"ratio":            {both(study.Statistic{Kind: "ratio"}), fcfs / easy, ""},
		"improvement":      {both(study.Statistic{Kind: "improvement"}), 100 * (1 - fcfs/easy), "%"},
		"slope":            {one(study.Statistic{Kind: "slope", X: "load"}), 1, "s"},
		"slope on metric":  {one(study.Statistic{Kind: "slope", X: "z"}), 0.5, "s"},
		"slope difference": {both(study.Statistic{Kind: "slope", X: "load", As: "difference"}), -3, "s"},
		"slope ratio":      {both(study.Statistic{Kind: "slope", X: "load", As: "ratio"}), 0.25, ""},
		"spread":           {one(study.Statistic{Kind: "spread", X: "load"}), spread(1), "s"},
		"spread ratio":     {both(study.Statistic{Kind: "spread", X: "load", As: "ratio"}), spread(1) / spread(2), ""},
		"percentile":       {study.Statistic{Kind: "percentile", Metric: "z", At: 12, Of: policy("fcfs")}, 37.5, "%"},
		"joined": {study.Statistic{Kind: "ratio", Parts: []study.Statistic{
			one(study.Statistic{Kind: "mean"}), {Kind: "difference",
				Parts: []study.Statistic{one(study.Statistic{Kind: "mean"}), {Kind: "mean", Metric: "z", Of: of()}}}}}, fcfs / (fcfs - 13), ""},
		// Residuals +1, -1, -1, +1 against +2, -2, -2, +2: curves (11, 10, 11, 14) and (6, 6, 10, 18), plus .02; the gap is
		// 5, 4, 1, -4 and crosses at 2 + 1/5.
		"crossing": {both(study.Statistic{Kind: "crossing", X: "load", By: "load"}), 2.2, ""},
		// The same against the metric z = 10 + 2 load.
		"crossing over a metric": {both(study.Statistic{Kind: "crossing", X: "z", By: "load"}), 14.4, ""},
	} {
		r := evaluate(t, run, study.Claim{Statistic: c.s})
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

func TestRatioOfMeansHasTheDeltaMethodsWidthOrThatOfThePairs(t *testing.T) {
	// For the ratio of paired means the jackknife and the linear (delta) variance agree to the order 1/n: sum of
	// (a - r b)^2 over n (n-1) mean(b)^2.
	const n = 400
	run := grid(t, []string{"a", "bb"}, []float64{1}, n, func(p string, l float64, r int) float64 { // noise differs by the length of names
		return 5 + float64(len(p)) + noise(p, l, r)
	}, zero)
	y := run.Frame.Column("y").Numbers
	ma, mb := stats.NewSample(y[:n]).Mean(), stats.NewSample(y[n:]).Mean()
	var q float64
	for i := range n {
		e := y[i] - ma/mb*y[n+i]
		q += e * e
	}
	half := stats.TQuantile(0.95, n-1) * math.Sqrt(q/(n*(n-1))) / mb
	var logs []float64
	for i := range n {
		logs = append(logs, math.Log(y[i]/y[n+i]))
	}
	half = max(half, ma/mb*stats.TQuantile(0.95, n-1)*stats.NewSample(logs).SD()/math.Sqrt(n))
	p := evaluate(t, run, study.Claim{Statistic: study.Statistic{Kind: "ratio", Metric: "y", Of: policy("a"), To: policy("bb")}}).Parts[0]
	if rel := p.HalfWidth()/half - 1; !(math.Abs(rel) <= 0.01) {
		t.Errorf("half-width %v, delta method %v", p.HalfWidth(), half)
	}
}

// TestRoundingIsNoDifference: means of the same waits, added up in another order, are not in an order.
func TestRoundingIsNoDifference(t *testing.T) {
	y := func(p string, _ float64, r int) float64 {
		if p == "rounded" {
			return (10 + float64(r)) * (1 - 1e-14)
		}
		return 10 + float64(r)
	}
	run := grid(t, []string{"fcfs", "rounded"}, []float64{1, 2}, 10, y, noise)
	e := evaluate(t, run, study.Claim{Statistic: study.Statistic{Kind: "order", Metric: "y", Axis: "policy", Is: "ascending", Of: of(),
		Values: where("", "rounded", "fcfs").Values}})
	if e.Verdict == "holds" {
		t.Errorf("an order of equal means holds: %+v", e)
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
			return 10 * (1 + 1e-11)
		case p == "rounded":
			return 10 * (1 - 1e-13)
		case p == "sjf" && r > 0:
			return 8
		}
		return 11
	}
	run := grid(t, []string{"fcfs", "easy", "sjf", "rounded"}, []float64{1, 2}, 10, y, noise)
	run.Design.Metrics = []string{"y", "z"}
	for name, c := range map[string]struct {
		s    study.Statistic
		want float64
	}{
		"lower":          {study.Statistic{Is: "lower", Of: policy("easy"), To: policy("fcfs")}, 0.6},
		"lower or equal": {study.Statistic{Is: "lower", OrEqual: true, EqualWithin: 1e-9, Of: policy("easy"), To: policy("fcfs")}, 0.7},
		"exactly equal":  {study.Statistic{Is: "lower", OrEqual: true, Of: policy("easy"), To: policy("fcfs")}, 0.6},
		"higher":         {study.Statistic{Is: "higher", Of: policy("easy"), To: policy("fcfs")}, 0.4},
		"than all":       {study.Statistic{Is: "lower", Of: policy("easy"), To: policy("fcfs", "sjf")}, 0.1},
		"at other loads": {study.Statistic{Is: "lower", Of: of(where("policy", "easy"), where("load", 1.0)),
			To: of(where("policy", "fcfs"), where("load", 2.0))}, 0.6},
		"lower by rounding": {study.Statistic{Is: "lower", Of: policy("rounded"), To: policy("fcfs")}, 0},
		"equal but for it":  {study.Statistic{Is: "higher", OrEqual: true, Of: policy("rounded"), To: policy("fcfs")}, 1},
		"all of the trials": {study.Statistic{Is: "higher", OrEqual: true, Of: policy("fcfs"), To: policy("fcfs")}, 1},
	} {
		c.s.Kind, c.s.Metric = "share", "y"
		p := evaluate(t, run, study.Claim{Statistic: c.s}).Parts[0]
		if p.Reason != "" || p.Low < 0 || p.High > 1 {
			t.Errorf("%s: %v, %s", name, p.Interval, p.Reason)
		}
		near(t, name, p.Estimate, c.want)
		if c.want == 1 { // Clopper and Pearson: 10 of 10 have the lower bound .025^(1/10) = .6915
			near(t, "low", p.Low, math.Pow(0.025, 0.1))
			near(t, "high", p.High, 1)
		}
	}
	// One pair a replication: the share is a mean of zeros and ones.
	p := evaluate(t, run, study.Claim{
		Statistic: study.Statistic{Kind: "share", Metric: "y", Is: "lower", Of: policy("easy"), To: policy("fcfs")}}).Parts[0]
	want := stats.NewSample([]float64{1, 1, 1, 1, 1, 1, 0, 0, 0, 0}).Estimate().Interval(0.95)
	near(t, "low", p.Low, want.Low)
	near(t, "high", p.High, want.High)
}

// Where all replications agree on a part of the whole, the interval is the mean of those of the points: easy is lower at the first two
// loads, and at the last in no replication. Agreement is no certainty.
func TestShareThatAllReplicationsHave(t *testing.T) {
	y := func(p string, load float64, r int) float64 {
		if p == "easy" && load < 3 {
			return 9
		}
		return 10 + float64(r)
	}
	run := grid(t, []string{"fcfs", "easy"}, []float64{1, 2, 3}, 10, y, noise)
	run.Design.Metrics = []string{"y", "z"}
	sure := math.Pow(0.025, 0.1) // the lower bound of Clopper and Pearson of 10 of 10; the upper one of 0 of 10 is 1 - sure
	for _, c := range []struct {
		s     study.Statistic
		whole float64
	}{
		{study.Statistic{Kind: "share", Metric: "y", Is: "lower", Of: policy("easy"), To: policy("fcfs")}, 1},
		{study.Statistic{Kind: "percentile", Metric: "y", At: 9.5, Of: policy("easy")}, 100},
	} {
		p := evaluate(t, run, study.Claim{Statistic: c.s}).Parts[0]
		near(t, c.s.Kind, p.Estimate, c.whole*2/3)
		near(t, c.s.Kind+" low", p.Low, c.whole*2/3*sure)
		near(t, c.s.Kind+" high", p.High, c.whole*(2.0/3+(1-sure)/3))
	}
}

// TestSharesThatAllReplicationsHave: easy is lower than fcfs at load 1 and not at 2, in all of ten replications. The difference and the
// ratio of the two shares are no more certain than the shares.
func TestSharesThatAllReplicationsHave(t *testing.T) {
	y := func(p string, load float64, r int) float64 {
		if p == "easy" && load < 2 {
			return 9
		}
		return 10 + float64(r)
	}
	run := grid(t, []string{"fcfs", "easy"}, []float64{1, 2}, 10, y, noise)
	run.Design.Metrics = []string{"y", "z"}
	sure := math.Pow(0.025, 0.1)
	share := func(is string, load float64) study.Statistic {
		return study.Statistic{Kind: "share", Metric: "y", Is: is, OrEqual: is == "higher", Of: policy("easy"), To: policy("fcfs"),
			Where: []study.Term{where("load", load)}}
	}
	for _, c := range []struct {
		kind          string
		a, b          study.Statistic
		low, is, high float64
	}{
		{"difference", share("lower", 1), share("lower", 2), 2*sure - 1, 1, 1},
		{"ratio", share("lower", 1), share("higher", 2), sure, 1, 1 / sure},
	} {
		p := evaluate(t, run, study.Claim{Statistic: study.Statistic{Kind: c.kind, Metric: "y", Parts: []study.Statistic{c.a, c.b}}}).Parts[0]
		near(t, c.kind, p.Estimate, c.is)
		near(t, c.kind+" low", p.Low, c.low)
		near(t, c.kind+" high", p.High, c.high)
	}
}

func TestDifferenceIsThePairedInterval(t *testing.T) {
	// R's sleep data, the two drugs as policies and the persons as replications: the differences are 1.2, 2.4, 1.3, 1.3, 0,
	// 1, 1.8, 0.8, 4.6, 1.4, and a claim's interval is that of the tables.
	sleep := map[string][]float64{
		"one": {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0},
		"two": {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4},
	}
	run := grid(t, []string{"one", "two"}, []float64{1}, 10, func(p string, _ float64, r int) float64 { return sleep[p][r] }, zero)
	r := evaluate(t, run, study.Claim{Statistic: study.Statistic{Kind: "difference", Metric: "y", Of: policy("two"), To: policy("one")},
		Expect: positive})
	p := r.Parts[0]
	near(t, "difference", p.Estimate, 1.58)
	table := stats.NewSample([]float64{1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4}).Estimate().Interval(0.95)
	near(t, "low", p.Low, table.Low)
	near(t, "high", p.High, table.High)
	if r.Verdict != Holds || p.Replications != 10 || p.Unit != "s" || r.Counts != (frame.Counts{Planned: frame.Exactly(20), OK: 20}) {
		t.Errorf("%+v", r)
	}
	// Values are negative, so that the ratio has Fieller's interval.
	var pairs []stats.Pair
	for i := range 10 {
		pairs = append(pairs, stats.Pair{Base: sleep["two"][i], Other: sleep["one"][i]})
	}
	ratio := stats.ComparePaired(pairs, .95).Ratio
	p = evaluate(t, run, study.Claim{Statistic: study.Statistic{Kind: "ratio", Metric: "y", Of: policy("one"), To: policy("two")}}).Parts[0]
	near(t, "ratio", p.Estimate, ratio.Estimate)
	near(t, "low of the ratio", p.Low, ratio.Low)
	near(t, "high of the ratio", p.High, ratio.High)
}

// The standard error of a ratio of spreads is the jackknife of its logarithm. It is at least half the standard error of
// the log ratios of the contributions of replications to the two variances. The test computes both from lines fitted anew
// without each replication.
func TestRatioOfSpreadsByDefinition(t *testing.T) {
	const n = 6
	loads := []float64{0, 1, 2, 3}
	y := func(p string, l float64, r int) float64 {
		return l + float64(1+r*r%5)*math.Sin(float64(r*7+int(l)*3+int(p[0])*11))
	}
	run := grid(t, []string{"a", "b"}, loads, n, y, zero)
	spread := func(p string, leave int) float64 {
		var points []stats.XY
		for _, l := range loads {
			for r := range n {
				if r != leave {
					points = append(points, stats.XY{X: l, Y: y(p, l, r)})
				}
			}
		}
		return stats.FitLine(points, nil).ResidualSD
	}
	value := math.Log(spread("a", -1) / spread("b", -1))
	var leftOut, brings []float64
	for r := range n {
		leftOut = append(leftOut, math.Log(spread("a", r)/spread("b", r)))
		of := n*math.Pow(spread("a", -1), 2) - (n-1)*math.Pow(spread("a", r), 2)
		to := n*math.Pow(spread("b", -1), 2) - (n-1)*math.Pow(spread("b", r), 2)
		if of > 0 && to > 0 {
			brings = append(brings, math.Log(of/to))
		}
	}
	est := stats.Jackknife(value, []stats.Class{{LeftOut: leftOut}})
	floor := stats.NewSample(brings).Estimate().SE / 2
	if floor <= est.SE {
		t.Fatalf("floor %g, jackknife %g: the test shows nothing of the floor", floor, est.SE)
	}
	est.SE = floor
	want := est.Exponential(0.95)
	p := evaluate(t, run, study.Claim{
		Statistic: study.Statistic{Kind: "spread", Metric: "y", X: "load", As: "ratio", Of: policy("a"), To: policy("b")}}).Parts[0]
	near(t, "low", p.Low, want.Low)
	near(t, "high", p.High, want.High)
}

// Sides that differ by rounding only are equal: a claim of more and a claim of less do not hold, however many replications there are.
func TestSidesThatDifferByRounding(t *testing.T) {
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 3))
		level := map[int]float64{}
		run := grid(t, []string{"fcfs", "easy"}, []float64{1, 2, 3}, 6, func(_ string, _ float64, r int) float64 {
			if level[r] == 0 {
				level[r] = random.ExpFloat64() * 1000
			}
			return level[r] * (1 + 1e-16*float64(random.IntN(5)))
		}, noise)
		run.Design.Metrics = []string{"y", "z"}
		for kind, equal := range map[string]float64{"difference": 0, "ratio": 1, "improvement": 0} {
			for _, expect := range []study.Region{{Given: true, Low: equal, High: math.Inf(1), LowOpen: true},
				{Given: true, Low: math.Inf(-1), High: equal, HighOpen: true}} {
				r := evaluate(t, run, study.Claim{Expect: expect,
					Statistic: study.Statistic{Kind: kind, Metric: "y", Of: policy("fcfs"), To: policy("easy")}})
				if p := r.Parts[0]; r.Verdict != DoesNotHold || p.Low != equal || p.High != equal {
					t.Fatalf("seed %d, %s: %s by %v", seed, kind, r.Verdict, p.Interval)
				}
			}
		}
	}
}
