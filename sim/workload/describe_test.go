package workload_test

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"schedsweep/harness/store/golden"
	"schedsweep/sim"
	"schedsweep/sim/workload"
	"schedsweep/sim/workload/swf"
)

var few = []sim.JobSpec{
	{ID: 7, Submit: 0, RunTime: 3600, Walltime: 7200, Procs: 1, User: 3},
	{ID: 8, Submit: 1800.5, RunTime: 1800, Walltime: 1800, Procs: 2, Home: 1, User: -1},
	{ID: 9, Submit: 5400, RunTime: 900, Walltime: 3600, Procs: 3, User: -1, Flops: 1e9, Bytes: 2.5e6},
	{ID: 10, Submit: 90000, RunTime: 100, Walltime: 1000, Procs: 16, User: 3},
}

func fewJobs(t *testing.T) workload.Workload {
	w, err := workload.FromJobs("few", few, workload.DefaultTransforms(), seed(1))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestDescribe(t *testing.T) {
	// A Saturday at 23:30: the second and third job come on Sunday.
	start := time.Date(2000, 1, 1, 23, 30, 0, 0, time.UTC)
	d, err := workload.Describe(fewJobs(t).Source(), 16, start)
	if err != nil {
		t.Fatal(err)
	}
	work := 3600. + 3600 + 2700 + 1600
	if d.Jobs != 4 || d.Size.Mean != 5.5 || d.Span != 90000 || d.Work != work || !(math.Abs(d.Load-work/16/90000) <= 1e-15) ||
		d.Serial != .25 || d.PowerOfTwo != .5 {
		t.Errorf("description %+v", d)
	}
	// 1800.5 s is half a second past the first midnight, 5400 s one o'clock,
	// 90000 s half past midnight on Monday.
	hours, days := [24]int{0: 2, 1: 1, 23: 1}, [7]int{0: 2, 1: 1, 6: 1}
	if d.Hours != hours || d.Weekdays != days {
		t.Errorf("hours %v, weekdays %v, want %v, %v", d.Hours, d.Weekdays, hours, days)
	}
	// Quantiles of 1, 2, 3, 16 by hand.
	for i, want := range [8]float64{1, 1.15, 1.75, 2.5, 6.25, 3 + .85*13, 3 + .97*13, 16} {
		if !(math.Abs(d.Size.At[i]-want) <= 1e-12) {
			t.Errorf("quantile %g of the sizes is %g, not %g", workload.Levels[i], d.Size.At[i], want)
		}
	}
	var b strings.Builder
	if err := d.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "testdata/describe.txt", b.String())
}

// TestDescribeInSummerTime: the clocks of Berlin went forward at 2:00, 150 minutes after time 0, on a Sunday.
func TestDescribeInSummerTime(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	d, err := workload.Describe(fewJobs(t).Source(), 16, time.Date(2023, 3, 25, 23, 30, 0, 0, berlin))
	if err != nil {
		t.Fatal(err)
	}
	// The last job comes 25 hours after time 0, on Monday at half past one.
	hours, days := [24]int{0: 1, 1: 2, 23: 1}, [7]int{0: 2, 1: 1, 6: 1}
	if d.Hours != hours || d.Weekdays != days {
		t.Errorf("hours %v, weekdays %v, want %v, %v", d.Hours, d.Weekdays, hours, days)
	}
}

// TestDescribeWideNumbers: the widest numbers fit a terminal.
func TestDescribeWideNumbers(t *testing.T) {
	wide := workload.Quantity{Mean: 91.78}
	for i := range wide.At {
		wide.At[i] = 1.23456e-5
	}
	d := workload.Description{Size: wide, RunTime: wide, Walltime: wide, InterArrival: wide, Accuracy: wide}
	var b strings.Builder
	if err := d.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if len(line) > 81 {
			t.Errorf("wider than a terminal: %s", line)
		}
	}
}

// TestDescribeMany goes above the number of values that are kept.
func TestDescribeMany(t *testing.T) {
	if testing.Short() {
		t.Skip("five million jobs")
	}
	const n = 5_000_000
	d, err := workload.Describe(&counting{n: n}, 0, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if d.Jobs != n || d.RunTime.Every != 2 || d.RunTime.Mean != (n+1)/2. {
		t.Errorf("%d jobs, mean %g, every %d", d.Jobs, d.RunTime.Mean, d.RunTime.Every)
	}
	for i, level := range workload.Levels {
		if got := d.RunTime.At[i]; !(math.Abs(got/n-level) <= 1e-5) {
			t.Errorf("quantile %g is %g of %d", level, got, n)
		}
	}
	if _, err := workload.Describe(&counting{}, 0, time.Time{}); err == nil {
		t.Error("no jobs are described")
	}
}

// counting yields jobs that run 1, 2, 3, ... seconds.
type counting struct{ i, n int }

func (c *counting) Next(j *sim.JobSpec) (bool, error) {
	c.i++
	*j = sim.JobSpec{Submit: float64(c.i), RunTime: float64(c.i), Walltime: float64(c.i), Procs: 1}
	return c.i <= c.n, nil
}

func TestWriteSWF(t *testing.T) {
	var b bytes.Buffer
	n, err := workload.WriteSWF(&b, &swf.Header{Lines: []string{"MaxProcs: 16", "", "Note: written"}}, fewJobs(t))
	if err != nil || n != len(few) {
		t.Fatalf("wrote %d jobs, %v", n, err)
	}
	golden.Check(t, "testdata/few.swf", b.String())
	l, err := swf.Parse("few.swf", &b, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := drain(t, make1(t, "swf", withLog(1, l), func(p *workload.LogParams) { p.Path, p.Home = "few.swf", "partition" }).Source())
	want := append([]sim.JobSpec(nil), few...)
	want[2].Flops, want[2].Bytes = 0, 0
	for i := range want {
		want[i].Record = int32(i + 1) // jobs that are read belong to a log
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("written and read again (-want +got):\n%s", d)
	}
}

func TestWriteBatsim(t *testing.T) {
	var b bytes.Buffer
	n, err := workload.WriteBatsim(&b, fewJobs(t), 16)
	if err != nil || n != len(few) {
		t.Fatalf("wrote %d jobs, %v", n, err)
	}
	var parsed struct {
		NbRes int `json:"nb_res"`
		Jobs  []struct {
			ID      string  `json:"id"`
			Subtime float64 `json:"subtime"`
			Profile string  `json:"profile"`
		} `json:"jobs"`
		Profiles map[string]struct {
			Type  string  `json:"type"`
			Delay float64 `json:"delay"`
		} `json:"profiles"`
	}
	if err := json.Unmarshal(b.Bytes(), &parsed); err != nil {
		t.Fatal(err)
	}
	if parsed.NbRes != 16 || len(parsed.Jobs) != 4 || len(parsed.Profiles) != 4 || parsed.Profiles[parsed.Jobs[1].Profile].Delay != 1800 ||
		parsed.Jobs[1].Subtime != 1800.5 {
		t.Errorf("parsed %+v", parsed)
	}
	golden.Check(t, "testdata/few.json", b.String())
	if _, err := workload.WriteBatsim(&b, fewJobs(t), 0); err == nil {
		t.Error("a machine without processors is accepted")
	}
}
