package analysis

import (
	"math"
	"slices"
	"strings"
	"testing"

	"schedsweep/analysis/compare"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
)

// TestRemarksOnce: a sentence that holds for several means is printed once, with its points; a sentence about one mean names its column.
func TestRemarksOnce(t *testing.T) {
	number := func(v float64) frame.Value { return frame.Value{Number: v} }
	policy := func(name string) frame.Value { return frame.Value{Text: name, IsText: true} }
	unstable := func(n int) []stats.Warning {
		return []stats.Warning{stats.Warnf(stats.Drift, "%d of 20 runs are unstable: it depends on how long a run is", n)}
	}
	grows := []stats.Warning{stats.Warnf(stats.Drift, "grows by 35 %% within a run: it depends on how long a run is"),
		stats.Warnf(stats.TooFew, "too few")}
	var all []Summary
	add := func(load float64, name string, ws []stats.Warning) {
		s := Summary{Point: []frame.Value{number(load), policy(name)}, Metric: "wait", Warnings: ws}
		s.N, s.Log = 20, math.NaN()
		all = append(all, s)
	}
	identical := []stats.Warning{frame.IdenticalRemark()}
	add(.6, "fcfs", identical)
	add(.6, "easy", nil)
	add(.7, "fcfs", grows)
	add(.8, "fcfs", unstable(4))
	add(.9, "fcfs", unstable(3))
	add(.8, "easy", nil)
	add(.9, "easy", unstable(10))
	o := overview{design: frame.Design{Axes: []string{"load", "policy"}}, across: []string{"policy"}, constant: []bool{false},
		levels: map[string]int{}}
	tb := o.table("wait", all, nil)
	var got []string
	for _, r := range tb.Rows {
		got = append(got, strings.Join(r.Notes, " | "))
	}
	once := "0.8 fcfs; 0.9 fcfs, easy: 3 to 10 of 20 runs are unstable: it depends on how long a run is"
	want := []string{"fcfs: " + identical[0].Text, "fcfs: grows by 35 % within a run: it depends on how long a run is | too few", once, once}
	if !slices.Equal(got, want) || !slices.Equal(tb.NamesRows, []string{once}) {
		t.Errorf("got %q, with rows named by %q", got, tb.NamesRows)
	}
}

// TestRemarksOnManyMeans: a remark on many means counts them, and one on few names their rows as the table does.
func TestRemarksOnManyMeans(t *testing.T) {
	for n, want := range map[int]string{2: "0.233333; 1.23333: grows by 35 %",
		40: "40 of 40 means (the table statistics says which): grows by 35 %"} {
		var all []Summary
		for i := range n {
			s := Summary{Point: []frame.Value{frame.Number(float64(i) + 0.7/3)}, Metric: "wait",
				Warnings: []stats.Warning{stats.Warnf(stats.Drift, "grows by 35 %%")}}
			s.N, s.Log = 20, math.NaN()
			all = append(all, s)
		}
		o := overview{design: frame.Design{Axes: []string{"load"}}, levels: map[string]int{}}
		if got := o.table("wait", all, nil).Rows[0].Notes; !slices.Equal(got, []string{want}) {
			t.Errorf("%d means: %q, want %q", n, got, want)
		}
	}
}

// TestRemarksOnAllMeans: a note on shared or identical replications names no means where all have it.
func TestRemarksOnAllMeans(t *testing.T) {
	var all []Summary
	for _, name := range []string{"fcfs", "easy"} {
		s := Summary{Point: []frame.Value{{Text: name, IsText: true}}, Metric: "wait", Warnings: []stats.Warning{frame.IdenticalRemark()}}
		s.N, s.Log = 20, math.NaN()
		all = append(all, s)
	}
	o := overview{design: frame.Design{Axes: []string{"policy"}}, across: []string{"policy"}, constant: []bool{false},
		levels: map[string]int{}}
	if got := o.table("wait", all, nil).Rows[0].Notes; !slices.Equal(got, []string{frame.IdenticalRemark().Text}) {
		t.Errorf("got %q", got)
	}
}

// TestUndefinedMeansAreShown: a mean that runs are too short for has a row without a number, with the reason. A mean without any value
// and without a reason has none.
func TestUndefinedMeansAreShown(t *testing.T) {
	var all []Summary
	for i, by := range []int{5, 47, 0} {
		s := Summary{Point: []frame.Value{{Number: float64(i)}}, Metric: "steady"}
		if s.Mean, s.Log = stats.NoInterval(math.NaN()), math.NaN(); by > 0 {
			s.Warnings = []stats.Warning{stats.Warnf(stats.TooFew, "there are 0"), stats.Warnf(stats.Drift, "undefined, by %d %%", by)}
		}
		all = append(all, s)
	}
	o := overview{design: frame.Design{Axes: []string{"load"}}, levels: map[string]int{}}
	var got []string
	for _, r := range o.table("steady", all, nil).Rows {
		got = append(got, r.Cells[1].Read()+" "+strings.Join(r.Notes, "|"))
	}
	if want := []string{"- 0; 1: undefined, by 5 to 47 %", "- 0; 1: undefined, by 5 to 47 %"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	all[0].Log = 581 // the log itself has a row below
	o.levels, o.heads = map[string]int{}, nil
	if rows := o.table("steady", all, nil).Rows; len(rows) != 4 || rows[0].Cells[2].Read() != "-" || rows[1].Cells[2].Read() != "581" {
		t.Errorf("with the log itself: %v", rows)
	}
}

// TestFailedPointsAreShown: a point at which all instances failed has a cell that says so, and its note.
func TestFailedPointsAreShown(t *testing.T) {
	var all []Summary
	for load := range 2 {
		for _, policy := range []string{"a", "b"} {
			s := Summary{Point: []frame.Value{frame.Number(float64(load)), {Text: policy, IsText: true}}, Metric: "wait", Log: math.NaN()}
			if s.OK, s.N, s.Mean = 4, 4, stats.NoInterval(7); load == 1 || policy == "b" {
				s.Counts, s.N, s.Mean = frame.Counts{Failed: 4}, 0, stats.NoInterval(math.NaN())
				s.Warnings = []stats.Warning{stats.Warnf(stats.Failed, "4 of 4 failed"), stats.Warnf(stats.TooFew, "there are 0")}
			}
			all = append(all, s)
		}
	}
	o := overview{design: frame.Design{Axes: []string{"load", "policy"}}, across: []string{"policy"}, constant: []bool{false},
		levels: map[string]int{}}
	var got []string
	for _, r := range o.table("wait", all, nil).Rows {
		got = append(got, r.Cells[1].Read()+r.Cells[1].Aside+", "+r.Cells[2].Read()+r.Cells[2].Aside+": "+strings.Join(r.Notes, " | "))
	}
	const note = "0 b; 1 a, b: 4 of 4 failed"
	if want := []string{"7.000, -failed: " + note, "-failed, -failed: " + note}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestReadingExplainsDashes: dashes of tables are explained where there are some.
func TestReadingExplainsDashes(t *testing.T) {
	r := Result{Design: frame.Design{Axes: []string{"policy", "depth"}}, across: []string{"policy"}}
	level, mean := "A level of - means that the axis does not vary there.", "A mean of - means that there are no such runs."
	add := func(policy string, depth float64) {
		r.Statistics = append(r.Statistics, Summary{Point: []frame.Value{frame.Text(policy), frame.Number(depth)}})
	}
	add("easy", 1)
	add("conservative", 1)
	if got := r.Reading(); strings.Contains(got, level) || strings.Contains(got, mean) {
		t.Errorf("explains what is not there: %s", got)
	}
	add("fcfs", math.NaN())
	if got := r.Reading(); !strings.Contains(got, level) || !strings.Contains(got, mean) {
		t.Error(got)
	}
}

// TestReadingExplainsNotes: notes on the length of runs and on shared jobs have their meaning and remedy below the tables.
func TestReadingExplainsNotes(t *testing.T) {
	r := Result{Statistics: []Summary{{}}}
	for _, text := range []string{"A run is", "share jobs"} {
		if got := r.Reading(); got == "" || strings.Contains(got, text) {
			t.Errorf("%q is in the reading of tables without such notes: %q", text, got)
		}
	}
	r.Statistics = []Summary{{Warnings: []stats.Warning{stats.Warnf(stats.Drift, "grows")}},
		{Sharing: frame.Sharing{Replications: 2, Distinct: 2, Overlap: .3}}}
	for _, text := range []string{"A run is the simulation of one replication.", "take fewer replications that share jobs"} {
		if got := r.Reading(); !strings.Contains(got, text) {
			t.Errorf("%q is not in %q", text, got)
		}
	}
}

// TestOverviewOfOnePair: the difference of one replication is shown without an interval, and the text below the tables says so.
func TestOverviewOfOnePair(t *testing.T) {
	one := compare.Comparison{Axes: []string{"policy.kind"}, Baseline: []frame.Value{frame.Text("easy")}}
	one.N, one.Confidence, one.BaseMean, one.OtherMean, one.Verdict = 1, .95, 200, 215.4, compare.CannotTell
	one.Difference = stats.Interval{Estimate: 15.4, Low: math.Inf(-1), High: math.Inf(1)}
	zero := one
	zero.BaseMean, zero.OtherMean = 0, 15.4
	if a, b := asideDifference(&one, 1), asideDifference(&zero, 1); a != "+7.7%" || b != "+15.4" {
		t.Errorf("beside the means stand %q and %q", a, b)
	}
	several := one
	several.N, several.Difference = 5, stats.Interval{Estimate: 15.4, Low: 1, High: 30}
	const alone = "A difference of one replication has no interval."
	const both = "Each cell shows the mean and its paired difference from kind = easy in %"
	for want, all := range map[string][]compare.Comparison{
		both + ". " + alone:                        {one},
		both + ", with its 95% interval. ~":        {several},
		both + ", with its 95% interval. " + alone: {several, one},
	} {
		r := &Result{Statistics: make([]Summary, 1), Comparisons: [][]compare.Comparison{all}}
		if got := r.reading(); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestPercentOfNothing: a share that rounds to 0 has no minus sign.
func TestPercentOfNothing(t *testing.T) {
	for share, want := range map[float64]string{-0.0003: "+0.0", 0.0003: "+0.0", -0.02: "-2.0", -0.12: "-12"} {
		if got := percent("%+.*f", share); got != want {
			t.Errorf("%g is %s, want %s", share, got, want)
		}
	}
}

// TestTitleOfAGate: the family of a gate is all comparisons, also where the first metric has no better direction.
func TestTitleOfAGate(t *testing.T) {
	spec := wholeSpec()
	spec.Trends, spec.Figures = nil, nil
	for gate, want := range map[bool]string{false: "paired; p by Holm over those of a metric", true: "paired; p by Holm over all"} {
		spec.Contrasts[0].Gate = gate
		r, err := Analyse(sample(t), spec)
		if err != nil {
			t.Fatal(err)
		}
		if title := r.Tables()[1].Title; !strings.HasSuffix(title, want) {
			t.Errorf("gate %t: %s", gate, title)
		}
	}
}

// TestOneTableWithoutAxes: metrics of a sweep without axes are the rows of one table. One sentence covers the missing intervals.
func TestOneTableWithoutAxes(t *testing.T) {
	var all []Summary
	for metric, unit := range map[string]string{"wait": "s", "use": "-"} {
		s := Summary{Metric: metric, Unit: unit}
		s.N, s.OK, s.Planned, s.Log = 1, 1, frame.Amount{N: 1, Known: true}, math.NaN()
		s.Mean = stats.Interval{Estimate: 3, Low: math.Inf(-1), High: math.Inf(1)}
		s.Warnings = []stats.Warning{stats.Warnf(stats.TooFew, "a confidence interval needs at least 2 values, there is 1")}
		all = append(all, s)
	}
	r := &Result{Statistics: all}
	got := r.Overview([]string{"wait", "use"})
	if len(got) != 1 || got[0].Title != "means over 1 replication" || len(got[0].Rows) != 2 || got[0].Rows[0].Cells[0].Text != "wait (s)" ||
		len(got[0].Rows[0].Notes) != 0 {
		t.Errorf("%+v", got)
	}
	if want, got := "A mean of one replication has no interval. ", r.Reading(); !strings.HasPrefix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := r.Overview([]string{"wait"}); len(got) != 1 || got[0].ID != "wait" {
		t.Errorf("%+v", got)
	}
}
