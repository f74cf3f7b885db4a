package analysis

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"schedsweep/analysis/compare"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/analysis/table"
	"schedsweep/sim/simtest"
)

// summarise returns the summaries of all metrics of the design.
func summarise(f *frame.Frame, d frame.Design) ([]Summary, error) {
	var out []Summary
	err := eachSummary(f, d, nil, func(s Summary) { out = append(out, s) })
	return out, err
}

// bits compares floats bit for bit, all NaNs alike, and looks into the statistics.
var bits = cmp.Options{
	cmp.Comparer(func(a, b float64) bool {
		return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
	}),
	cmp.AllowUnexported(stats.Line{}), cmpopts.EquateEmpty(), cmpopts.IgnoreFields(frame.Design{}, "PlannedOf", "Points"),
}

func TestSummaryCountsFailedMissingAndNotFinite(t *testing.T) {
	all, err := summarise(sample(t), design())
	if err != nil {
		t.Fatal(err)
	}
	if want := 3 * 8 * 2; len(all) != want {
		t.Fatalf("%d summaries, want %d", len(all), want)
	}
	failed := at(t, all, "makespan", "basic", "0")
	if failed.Counts != (frame.Counts{Planned: frame.Exactly(6), OK: 5, Failed: 1}) || failed.N != 5 ||
		warned(failed.Warnings, stats.Failed) != 1 {
		t.Errorf("a group with one failure: %+v", failed)
	}
	nan := at(t, all, "mean_wait", "basic", "30000000")
	if nan.OK != 6 || nan.N != 5 || nan.NotFinite != 1 || warned(nan.Warnings, stats.NotFinite) != 1 {
		t.Errorf("a group with a NaN: %+v", nan)
	}
	few := sample(t)
	rows := ints(few.Rows)[:few.Rows-2]
	all, err = summarise(frameOf(t, few, rows), design())
	if err != nil {
		t.Fatal(err)
	}
	if last := all[len(all)-1]; last.OK != 4 || warned(last.Warnings, stats.Missing) != 2 {
		t.Errorf("a group without two planned rows: %+v", last)
	}
}

func TestSummaryValues(t *testing.T) {
	// By hand: 2, 4, 9 has mean 5, sd sqrt(13), and t(0.975, 2) = 4.302652729749462 (R: qt(0.975, 2)).
	f, err := frame.NewFrame(frame.TextColumn("p", []string{"b", "a", "a", "a"}), frame.NumberColumn("m", "s", []float64{7, 9, 2, 4}),
		frame.NumberColumn("r", "", []float64{0, 0, 1, 2}))
	if err != nil {
		t.Fatal(err)
	}
	all, err := summarise(f, frame.Design{Axes: []string{"p"}, Replication: "r", Metrics: []string{"m"}, Quantiles: []float64{0.25}})
	if err != nil {
		t.Fatal(err)
	}
	a := all[0]
	half := 4.302652729749462 * math.Sqrt(13.0/3) // of the rule for times the upper end is that of the logarithm
	if a.Mean.Estimate != 5 || !(math.Abs(a.Mean.High-5*math.Exp(half/5)) <= 1e-9) || !(math.Abs(a.SD-math.Sqrt(13)) <= 1e-14) || a.Min != 2 ||
		a.Median.Estimate != 4 || a.Median.Bounded() || a.Max != 9 || a.Quantiles[0] != 3 || a.Planned.Known {
		t.Errorf("%+v", a)
	}
	if b := all[1]; b.Mean.Bounded() || b.Mean.Estimate != 7 || warned(b.Warnings, stats.TooFew) != 1 {
		t.Errorf("one value: %+v", b)
	}
}

func TestRepeatedInstancesAreWarnedOf(t *testing.T) {
	f := sample(t)
	all, err := summarise(frameOf(t, f, append(ints(f.Rows), 30, 31, 31)), design())
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, s := range all {
		n += warned(s.Warnings, stats.Duplicate)
	}
	if n != 2*3 { // three rows, two metrics
		t.Errorf("%d repetitions warned of, want 6", n)
	}
}

// An analysis does not depend on the order of the rows or on how shards split them, bit for bit, down to the tables and the
// plotted numbers.
func TestRowsInAnyOrderFromAnyShards(t *testing.T) {
	f := sampleOf(t, 4, 3)
	want, err := Analyse(f, wholeSpec())
	if err != nil {
		t.Fatal(err)
	}
	for range simtest.Cases(25, 100) {
		rows, seed := ints(f.Rows), rand.Uint64()
		r := rand.New(rand.NewPCG(seed, 1))
		r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		got, err := Analyse(frameOf(t, f, rows), wholeSpec())
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if d := cmp.Diff(want, got, bits, cmpopts.IgnoreUnexported(Result{})); d != "" {
			t.Fatalf("seed %d: %s", seed, d)
		}
	}
}

func TestGroupsComeInTheOrderGiven(t *testing.T) {
	f, err := frame.NewFrame(frame.TextColumn("p", []string{"easy", "fcfs", "conservative", "easy", "zeta"}),
		frame.NumberColumn("x", "", []float64{10, 9, 100, math.NaN(), 1}), frame.NumberColumn("m", "", make([]float64, 5)))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range frame.GroupBy(f, []string{"p", "x"}, map[string][]string{"p": {"fcfs", "easy"}}).Groups {
		got = append(got, frame.List(frame.Printed(g.Key)))
	}
	if want := "fcfs, 9; easy, -; easy, 10; conservative, 100; zeta, 1"; strings.Join(got, "; ") != want {
		t.Errorf("%s, want %s", strings.Join(got, "; "), want)
	}
}

// Grouping is checked against the obvious way: a map from the printed key to its rows.
func TestGroupingAgainstAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 200).Draw(t, "rows")
		a, b, c := make([]string, n), make([]float64, n), make([]float64, n)
		for i := range n {
			a[i] = rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "a")
			b[i] = rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1.5, math.NaN(), -3}).Draw(t, "b")
			c[i] = float64(rapid.IntRange(0, 500).Draw(t, "c"))
		}
		f, err := frame.NewFrame(frame.TextColumn("a", a), frame.NumberColumn("b", "", b), frame.NumberColumn("c", "", c))
		if err != nil {
			t.Fatal(err)
		}
		want := map[string][]int32{}
		for i := range n {
			key := frame.List([]string{a[i], frame.Number(b[i]).String(), frame.Number(c[i]).String()})
			want[key] = append(want[key], int32(i))
		}
		got := map[string][]int32{}
		g := frame.GroupBy(f, []string{"a", "b", "c"}, nil)
		for i, gr := range g.Groups {
			got[frame.List(frame.Printed(gr.Key))] = gr.Rows
			for _, r := range gr.Rows {
				if g.Of[r] != int32(i) {
					t.Fatalf("row %d is in group %d, but said to be in %d", r, i, g.Of[r])
				}
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
	})
}

func TestDesignReportsEveryProblem(t *testing.T) {
	_, err := summarise(sample(t), frame.Design{Axes: []string{"policy", "replication"}, Replication: "replication", Outcome: "makespan",
		Metrics: []string{"outcome", "nothing"}})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{`axis "policy": no such column; there are makespan`, `axis "replication" is named twice`,
		`outcome "makespan"`, `metric "outcome": the column holds texts`, `metric "nothing"`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error lacks %q:\n%v", want, err)
		}
	}
}

func TestFrameErrors(t *testing.T) {
	if _, err := frame.NewFrame(frame.NumberColumn("a", "", make([]float64, 2)),
		frame.NumberColumn("b", "", make([]float64, 3))); err == nil || !strings.Contains(err.Error(), `"b" has 3 rows`) {
		t.Errorf("lengths: %v", err)
	}
	if _, err := frame.NewFrame(frame.NumberColumn("a", "", nil), frame.NumberColumn("a", "", nil)); err == nil ||
		!strings.Contains(err.Error(), "twice") {
		t.Errorf("names: %v", err)
	}
	if _, err := frame.NewFrame(frame.Column{Name: "a", Codes: []int32{1}, Levels: []string{"x"}}); err == nil ||
		!strings.Contains(err.Error(), "code 1") {
		t.Errorf("codes: %v", err)
	}
}

// TestOverviewTakesPrefixes: long numbers of joules are in a multiple that the title states, means, intervals and the log itself alike.
func TestOverviewTakesPrefixes(t *testing.T) {
	var all []Summary
	for i, mean := range []float64{4.199e10, 1.4e10, 2e9} {
		s := Summary{Point: []frame.Value{frame.Number(float64(i))}, Metric: "energy", Unit: "J"}
		s.N, s.Log, s.Mean = 5, mean/2, stats.Interval{Estimate: mean, Low: mean - 1e9, High: mean + 1e9}
		all = append(all, s)
	}
	o := overview{design: frame.Design{Axes: []string{"load"}}, levels: map[string]int{}}
	tb := o.table("energy", all, nil)
	if tb.Title != "energy (GJ): mean over 5 replications" {
		t.Error(tb.Title)
	}
	first, log := tb.Rows[0].Cells[2], tb.Rows[1].Cells[2]
	if got := first.Read() + " " + first.Aside + " " + log.Read(); got != "41.99 [40.99, 42.99] 20.99" && got != "41.99 [40.99, 42.99] 21.00" {
		t.Error(got)
	}
}

// TestOverviewKeepsDigitsOfSmallMeans: a mean that is far below the others of its table keeps two digits.
func TestOverviewKeepsDigitsOfSmallMeans(t *testing.T) {
	for _, c := range []struct {
		mean, typical float64
		want          string
	}{{1234.5, 1234.5, "1234"}, {0.8412, 0.8, "0.8412"}, {0.0417, 60000, "0.042"}, {-0.0417, 60000, "-0.042"}, {3.21, 60000, "3.2"},
		{0, 60000, "0"}, {123456, 0.5, "123456.0000"}, {3e-12, 60000, "3e-12"}, {math.NaN(), 60000, "-"}} {
		if got := table.Number(c.mean, overviewDecimals(c.mean, c.typical)).Read(); got != c.want {
			t.Errorf("the mean %g beside %g is %q, want %q", c.mean, c.typical, got, c.want)
		}
	}
}

// TestTablesTakePrefixes: people read joules in the multiple of the first mean that is not 0, and programs plain ones.
func TestTablesTakePrefixes(t *testing.T) {
	d := frame.Design{Axes: []string{"load"}}.Filled()
	statistics, in := newStatisticsTable(d), multiples{}
	c := compare.Comparison{Axes: []string{"load"}, Baseline: []frame.Value{frame.Number(0)}, Metric: "energy", Unit: "J"}
	comparisons := newComparisonsTable(d, &c, false)
	for i, mean := range []float64{0, 4.199e10, 2e9} {
		s := Summary{Point: []frame.Value{frame.Number(float64(i))}, Metric: "energy", Unit: "J", N: 5, SD: 3e9, Min: 1e9, Max: mean}
		s.Mean = stats.Interval{Estimate: mean, Low: mean - 1e9, High: mean + 1e9}
		statistics.Add(statisticsRow(d, in, &s))
	}
	c.N = 5
	c.Level, c.BaseMean, c.OtherMean = []frame.Value{frame.Number(1)}, 2e9, 4.199e10
	c.Difference, c.Ratio = stats.Interval{Estimate: 3.999e10, Low: 3.9e10, High: 4.1e10}, stats.Interval{Estimate: 21, Low: 20, High: 22}
	comparisons.Add(comparisonsRow(d, multiples{}, &c))
	for _, x := range []struct {
		of             *table.Table
		people, number string
	}{
		{statistics, "1 energy GJ 0 0 5 42.0 41.0 43.0 3.0 1.0",
			"1,energy,J,,0,0,5,41990000000,40990000000,42990000000,,3000000000,1000000000"},
		{comparisons, "1 energy GJ 0 0 0 5 0 0 2.0 42.0 40.0 39.0 41.0",
			",5,0,0,2000000000,41990000000,39990000000,39000000000,41000000000,21,20,22,"},
	} {
		var people, programs strings.Builder
		if err := errors.Join(x.of.WriteMarkdown(&people), x.of.WriteCSV(&programs)); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(strings.Fields(strings.ReplaceAll(people.String(), "|", " ")), " "); !strings.Contains(got, x.people) {
			t.Errorf("no %q in\n%s", x.people, people.String())
		}
		if !strings.Contains(programs.String(), x.number) {
			t.Errorf("no %q in\n%s", x.number, programs.String())
		}
	}
}

// TestAxisWithoutEffect: an axis that changes no metric is named, but not where values differ, fail, are compared or undefined,
// or where the axis has one value.
func TestAxisWithoutEffect(t *testing.T) {
	loads := []float64{1, 2}
	warnings := func(y func(p string, load float64, r int) float64, contrasts ...compare.Contrast) (of []string) {
		run := grid(t, []string{"fcfs", "easy"}, loads, 3, y, zero)
		run.Design.Metrics = []string{"y"}
		got, err := Analyse(run.Frame, Spec{Design: run.Design, Contrasts: contrasts})
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range got.Warnings {
			if axis, found := strings.CutSuffix(w.Text, " changes none of the metrics here (y): runs that differ in it alone have the same values. "+
				"See whether the field acts on this workload, platform and policy (schedsweep list "+strings.Fields(w.Text)[1]+")"); found {
				of = append(of, strings.TrimPrefix(axis, "axis "))
			}
		}
		return of
	}
	byPolicy := func(p string, _ float64, r int) float64 {
		return map[string]float64{"easy": 2, "fcfs": 1}[p] * float64(r)
	}
	once := func(p string, load float64, r int) float64 {
		if p == "easy" && load == 2 && r == 2 {
			return math.NaN()
		}
		return byPolicy(p, load, r)
	}
	both := func(_ string, _ float64, r int) float64 { return float64(r) }
	undefined := func(string, float64, int) float64 { return math.NaN() }
	compared := compare.Contrast{Axes: []string{"policy"}, Baseline: []frame.Value{frame.Text("fcfs")}}
	got := [][]string{warnings(byPolicy), warnings(once), warnings(both), warnings(both, compared), warnings(undefined)}
	loads = loads[:1] // one value has no effect to show
	got = append(got, warnings(both))
	if d := cmp.Diff([][]string{{"load"}, nil, {"policy", "load"}, {"load"}, nil, {"policy"}}, got); d != "" {
		t.Error(d)
	}
}
