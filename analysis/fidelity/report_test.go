package fidelity

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/harness/store"
	"schedsweep/sweep/text"
)

// run is a run of jobs.
func run(jobs []Job) *Run {
	r := NewRun(nil, 5)
	r.Jobs = append(r.Jobs, jobs...)
	for i := range r.Jobs {
		r.Jobs[i].Clock, r.clocks = r.Jobs[i].Submit, true
	}
	return r
}

// spread puts jobs some days apart.
func spread(jobs []Job) []Job {
	for i := range jobs {
		jobs[i].Submit *= 400
	}
	return jobs
}

// TestReportLaws: every grouping divides the jobs, shares sum to 1, the order of rows changes nothing, and a run with the
// recorded waits has no error.
func TestReportLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := spread(drawnJobs(t))
		p := Compare(run(jobs), 0.95)
		wrong, off := 0.0, 0.0
		for _, j := range jobs {
			wrong, off = wrong+j.err(), off+math.Abs(j.err())
		}
		n := float64(len(jobs))
		if !(math.Abs(p.Error.Estimate-wrong/n) <= 1e-9*(1+off)) || !(math.Abs(p.Absolute.Estimate-off/n) <= 1e-9*(1+off)) {
			t.Fatalf("error %v and %v, want %v and %v", p.Error.Estimate, p.Absolute.Estimate, wrong/n, off/n)
		}
		for _, g := range p.Groups {
			count, share, signed := 0, 0.0, 0.0
			for _, c := range g.Classes {
				count, share, signed = count+c.Jobs, share+c.Share, signed+c.Signed
			}
			if count != len(jobs) || off > 0 && !(math.Abs(share-1) <= 1e-9) || math.Abs(wrong) > 1 && !(math.Abs(signed-1) <= 1e-9) {
				t.Fatalf("by %s: %d of %d jobs, shares %v and %v", g.By, count, len(jobs), share, signed)
			}
		}
		if again := Compare(run(rapid.Permutation(jobs).Draw(t, "order")), 0.95); !equal(again, p) {
			t.Fatalf("another order of the rows changes\n%+v\ninto\n%+v", p, again)
		}
		for i := range jobs {
			jobs[i].Wait = jobs[i].Recorded
		}
		null := Compare(run(jobs), 0.95)
		if null.Error.Estimate != 0 || null.Absolute.Estimate != 0 || null.Half != 0 || null.MovingError > 0 ||
			math.Abs(null.Correlation.Estimate-1) > 1e-9 { // NaN where all waits are alike
			t.Fatalf("as recorded: %+v", null)
		}
	})
}

// equal compares reports in which NaN is NaN.
func equal(a, b *Report) bool {
	return reflect.DeepEqual(settled(reflect.ValueOf(*a)), settled(reflect.ValueOf(*b)))
}

// settled is a value in which NaN is text.
func settled(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Float64:
		if math.IsNaN(v.Float()) {
			return "NaN"
		}
		return v.Float()
	case reflect.Struct:
		var out []any
		for i := range v.NumField() {
			out = append(out, settled(v.Field(i)))
		}
		return out
	case reflect.Slice:
		var out []any
		for i := range v.Len() {
			out = append(out, settled(v.Index(i)))
		}
		return out
	default:
		return v.Interface()
	}
}

// TestMovingByHand: one job a day for 16 days with recorded waits of 10 s, simulated ones of 10 s but for 150 s on the last: the
// windows that end on days 13, 14 and 15 differ by 0, 0 and 10 s of 10 s each.
func TestMovingByHand(t *testing.T) {
	var jobs []Job
	for d := range 16 {
		jobs = append(jobs, Job{Submit: float64(d)*day + 5, Recorded: 10, Wait: 10})
	}
	jobs[15].Wait = 150
	means, apart := moving(jobs, nil)
	if len(means) != 3 || means[2] != (Moving{16 * day, 10, 20}) || !(math.Abs(apart-10.0/30) <= 1e-12) {
		t.Errorf("%v, %v", means, apart)
	}
	if _, apart := moving(jobs[:13], nil); !math.IsNaN(apart) {
		t.Errorf("of 13 days: %v", apart)
	}
}

// TestHalvesWeeksHoursAndChance: of the waits of TestMovingByHand, the first of the three windows has no error, and the others
// have 10 s of 20. Weeks begin on a Monday, such as 1970-01-05, and 23:00 is in the hour 23. Job 2 starts at 100 s, and a job of
// its user ends 30 s before the time an hour later.
func TestHalvesWeeksHoursAndChance(t *testing.T) {
	var jobs []Job
	for d := range 16 {
		at := float64(d)*day + 23*3600*float64(d%2)
		jobs = append(jobs, Job{Submit: at, Recorded: 10, Wait: 10, User: -1, Queue: -1, Partition: -1, Procs: 1})
	}
	jobs[15].Wait = 150
	p := Compare(run(jobs), 0.95)
	hours := text.Each(p.group(ByHour).Classes, func(c Class) string { return c.Name })
	if p.FirstHalf != 0 || !(math.Abs(p.SecondHalf-0.5) <= 1e-12) || !slices.Equal(hours, []string{"00", "23"}) {
		t.Errorf("%v, %v, hours %v", p.FirstHalf, p.SecondHalf, hours)
	}
	sunday, monday, next := Job{Clock: 4*day - 1}, Job{Clock: 4 * day}, Job{Clock: 11*day - 1}
	if weekOf(&sunday, true) != -1 || weekOf(&monday, true) != 0 || weekOf(&next, true) != 0 {
		t.Errorf("weeks %d, %d and %d", weekOf(&sunday, true), weekOf(&monday, true), weekOf(&next, true))
	}
	pair := []Job{{ID: 1, Run: 3670, Procs: 1}, {ID: 2, Recorded: 100, Run: 10, Procs: 1}}
	if own, chance := newSchedule(pair).own(pair); own != 0 || chance != 1 {
		t.Errorf("own %v, by chance %v", own, chance)
	}
}

// TestWeeksThatAreAlike: the errors of 40 weeks follow one another (autoregressive, r = .6). Intervals that take weeks as
// independent hold the truth in .67 of cases. The intervals of the package hold it in .85 or more.
func TestWeeksThatAreAlike(t *testing.T) {
	const r, n, runs = 0.6, 40, 1500
	random := rand.New(rand.NewPCG(18, 4))
	holds, naive := 0, 0
	for range runs {
		weeks := make([]float64, n)
		x := random.NormFloat64()
		for i := range weeks {
			x = r*x + math.Sqrt(1-r*r)*random.NormFloat64()
			weeks[i] = x
		}
		total := stats.Sum(weeks)
		e, _ := overWeeks(weeks, func(*float64) bool { return true }, func(without int) float64 {
			if without < 0 {
				return total / n
			}
			return (total - weeks[without]) / (n - 1)
		})
		if e.Interval(0.95).Contains(0) {
			holds++
		}
		if stats.NewSample(weeks).MeanInterval(0.95).Contains(0) {
			naive++
		}
	}
	if share := float64(holds) / runs; share < 0.85 {
		t.Errorf("intervals hold the truth in %.3f of cases; those of independent weeks in %.3f", share, float64(naive)/runs)
	}
	t.Logf("%.3f, as if independent %.3f", float64(holds)/runs, float64(naive)/runs)
}

// TestFewWeeks: four have no interval.
func TestFewWeeks(t *testing.T) {
	var jobs []Job
	for w := range 5 {
		jobs = append(jobs, Job{Submit: float64(w) * week, Recorded: float64(10 * w), Wait: float64(w % 2), Procs: 1, User: -1, Queue: -1,
			Partition: -1})
	}
	if p := Compare(run(jobs), 0.95); p.Weeks != 5 || !p.Error.Bounded() {
		t.Errorf("5 weeks: %+v", p.Error)
	}
	if p := Compare(run(jobs[:4]), 0.95); p.Weeks != 4 || p.Error.Bounded() || p.Absolute.Bounded() || p.Correlation.Bounded() {
		t.Errorf("4 weeks: %+v", p)
	}
}

// TestCorrelationOfOneWeek: where recorded waits differ in one week only, those of the other weeks have no correlation, and there
// is no interval.
func TestCorrelationOfOneWeek(t *testing.T) {
	const weeks, each = 10, 50
	random := rand.New(rand.NewPCG(3, 5))
	var xs, ys []float64
	var of []int32
	for w := range weeks {
		for range each {
			x := 0.0
			if w == 4 {
				x = 1000 * random.Float64()
			}
			xs, ys, of = append(xs, x), append(ys, 100*random.ExpFloat64()), append(of, int32(w))
		}
	}
	if i := correlation(xs, ys, of, weeks, 0.95); math.IsNaN(i.Estimate) || i.Bounded() {
		t.Errorf("%+v", i)
	}
}

// TestJobsBesideAreInTheSchedule: a job before the window holds 4 of 5 processors from 0 to 300 s. So the machine is full while a job of
// 3 waits from 100 to 300 s, and 50 + 1200 + 300 of 2000 processor-seconds are in use. The job is in no error.
func TestJobsBesideAreInTheSchedule(t *testing.T) {
	r := run([]Job{{ID: 2, Run: 50, Procs: 1, User: -1, Queue: -1, Partition: -1},
		{ID: 3, Submit: 100, Recorded: 200, Run: 100, Procs: 3, User: -1, Queue: -1, Partition: -1}})
	r.Near = []Job{{ID: 1, Submit: -10, Recorded: 10, Wait: 1e6, Run: 300, Procs: 4, User: -1, Beside: true}}
	p := Compare(r, 0.95)
	if p.Machine.Use != 0.775 || p.Machine.Peak != 5 || p.Machine.Emptied != 0 || p.Jobs != 2 || p.Wait != 0 {
		t.Errorf("%+v", p)
	}
	if causes := p.group(ByCause).Classes; len(causes) != 2 || causes[0].Name != "started at once" || causes[1].Name != "full" {
		t.Errorf("%+v", causes)
	}
}

// TestRowsOfJobs: the rows are of a measured job, one without a recorded wait, one that the simulation rejects, and the like of
// each in the run-up. Every job with a recorded wait is in the recorded schedule, and the measured one alone is compared.
func TestRowsOfJobs(t *testing.T) {
	schema := store.Schema{{Name: "part", Type: store.Category}}
	for _, name := range Columns {
		kind := store.Float64
		if name == "queue" || name == "partition" {
			kind = store.Category
		}
		schema = append(schema, store.Column{Name: name, Type: kind, Nullable: true})
	}
	rows := store.NewTable(schema, 7)
	for i, row := range []struct {
		part            string
		start, recorded float64
	}{{"run-up", 1, 10}, {"run-up", -1, 20}, {"run-up", 1, -1}, {"added", 1, 40}, {"measured", -1, 50}, {"measured", 1, -1},
		{"measured", 1, 70}} {
		rows.Column("part").SetString(i, row.part)
		for name, x := range map[string]float64{"start": row.start, "recorded_wait": row.recorded, "submit": 0, "processors": 1} {
			if x >= 0 {
				rows.Column(name).SetFloat(i, x)
			}
		}
	}
	r := NewRun(nil, 5)
	r.Take(rows, 0, rows.Rows)
	waits := func(jobs []Job) []float64 { return text.Refs(jobs, func(j *Job) float64 { return j.Recorded }) }
	if beside := waits(r.Near); !slices.Equal(waits(r.Jobs), []float64{70}) || !slices.Equal(beside, []float64{10, 20, 50}) ||
		r.Unknown != 1 || r.Rejected != 1 {
		t.Errorf("%+v and %v", r, beside)
	}
}

// TestPanelsSayTheirReplication: panels of figures and names of tables say which number is that of a replication.
func TestPanelsSayTheirReplication(t *testing.T) {
	r := &Result{Axes: []string{"policy", frame.ReplicationColumn}}
	for i := range 2 {
		r.Reports = append(r.Reports, &Report{Point: []frame.Value{frame.Text("easy"), frame.Number(float64(i))}})
	}
	f := r.movingFigure()
	if got := f.Panels[1].Title; got != "replication 1" || f.Series[0] != "easy" || r.name(r.Reports[0]) != "easy, replication 0" {
		t.Errorf("%q, %q, %q", got, f.Series, r.name(r.Reports[0]))
	}
}
