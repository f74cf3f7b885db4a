package frame

import (
	"math"
	"testing"
)

// TestUnfinished: each mean of rows with jobs that were rejected or killed says so.
func TestUnfinished(t *testing.T) {
	const rejected = " jobs were rejected, withheld or over-cap, and are not in it"
	const killed = " jobs were killed, and count with the time that they ran"
	for want, of := range map[string][2][]float64{
		"":                    {{0, 0, 0, 0}, {0, 0, 0, 0}},
		"7 of 400" + rejected: {{0, 3, 0, 4}, {0, 0, 0, 0}},
		"1 of 400" + rejected + "; 2 of 400" + killed: {{1, 0, 0, 0}, {0, 0, 2, 0}},
	} {
		f, err := NewFrame(NumberColumn(ReplicationColumn, "", []float64{0, 1, 2, 3}), NumberColumn("wait_growth", "", []float64{0, 0, 0, 0}),
			NumberColumn(ColumnJobs, "", []float64{100, 100, 100, 100}), NumberColumn(ColumnRejected, "", of[0]),
			NumberColumn(ColumnKilled, "", of[1]))
		if err != nil {
			t.Fatal(err)
		}
		for _, metric := range []string{"utilisation", "mean_wait_time"} {
			if got := said(f, metric); got != want {
				t.Errorf("%s of %v: %q, want %q", metric, of, got, want)
			}
		}
	}
}

// TestUnfinishedOfWhom: a class's metric has the counts of the class where the rows have them. A number of jobs has no note. Counts
// with jobs that are not measured say so.
func TestUnfinishedOfWhom(t *testing.T) {
	f, err := NewFrame(NumberColumn(ReplicationColumn, "", []float64{0, 1}), NumberColumn(ColumnJobs, "", []float64{100, 100}),
		NumberColumn(ColumnMeasured, "", []float64{80, 100}), NumberColumn(ColumnKilled, "", []float64{5, 0}),
		NumberColumn("jobs__wide", "", []float64{20, 30}), NumberColumn("killed__wide", "", []float64{2, 1}),
		NumberColumn("jobs__slim", "", []float64{60, 70}), NumberColumn("killed__slim", "", []float64{0, 0}))
	if err != nil {
		t.Fatal(err)
	}
	const killed, beside = " were killed, and count with the time that they ran", " (counted with the jobs that are not measured)"
	for metric, want := range map[string]string{
		"mean_wait_time": "5 of 200 jobs" + killed + beside, "mean_wait_time__wide": "3 of 50 jobs of the class" + killed,
		"mean_wait_time__slim": "", "mean_wait_time__other": "5 of 200 jobs of all classes" + killed + beside,
		"jobs": "", "killed": "", "finished__wide": "", "rejected__other": "",
	} {
		if got := said(f, metric); got != want {
			t.Errorf("%s: %q, want %q", metric, got, want)
		}
	}
}

// TestOtherJobs: sides with different jobs have a warning, unless a value of the workload is the reason.
func TestOtherJobs(t *testing.T) {
	for name, c := range map[string]struct {
		axis   string
		digest []float64
		want   string
	}{
		"the same":         {"policy", []float64{1, 2, 1, 2}, ""},
		"another":          {"platform.processors", []float64{1, 2, 1, 3}, "the sides have different jobs in 1 of 2 replications "},
		"of another load":  {"workload.load_factor", []float64{1, 2, 3, 4}, ""},
		"a replica of one": {"policy", []float64{1, 2, 2, 1}, "the sides have different jobs in 2 of 2 replications "},
		"one is not known": {"policy", []float64{math.NaN(), 2, 1, 3}, "the sides have different jobs in 1 of 1 replication "},
	} {
		f, err := NewFrame(NumberColumn(ReplicationColumn, "", []float64{0, 1, 0, 1}), NumberColumn(c.axis, "", []float64{1, 1, 2, 2}),
			NumberColumn(ColumnSampleOf, "", []float64{9, 9, 9, 9}), NumberColumn(ColumnJobsDigest, "", c.digest))
		if err != nil {
			t.Fatal(err)
		}
		d := Design{Axes: []string{c.axis}, Replication: ReplicationColumn}
		got := ""
		for _, w := range NewSharers(f, &d, NewReplications(f, &d)).OtherJobs([]int32{0, 1}, []int32{2, 3}) {
			got += w.Text
		}
		if len(got) < len(c.want) || got[:len(c.want)] != c.want || c.want == "" && got != "" {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
