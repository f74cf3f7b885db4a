package workload_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/sim"
	"schedsweep/sim/workload"
	"schedsweep/sim/workload/swf"
)

// TestWaitsOfZeroAreNoRecording: a log whose waits are all 0 has none.
func TestWaitsOfZeroAreNoRecording(t *testing.T) {
	for waits, want := range map[[2]string]bool{{"0", "0"}: false, {"-1", "0"}: false, {"-1", "-1"}: false, {"0", "1"}: true} {
		l, err := swf.Parse("l.swf", strings.NewReader("1 100 "+waits[0]+" 50 4 -1 -1 8 200 -1 1 3 5 1 1 2 -1 -1\n"+
			"2 110 "+waits[1]+" 50 4 -1 -1 8 200 -1 1 3 5 1 1 2 -1 -1\n"), nil)
		if err != nil {
			t.Fatal(err)
		}
		if l.Waits() != want {
			t.Errorf("waits %v: the log has some is %v, want %v", waits, l.Waits(), want)
		}
	}
}

// TestRecords: the record of a job has the log's other fields. It belongs to the right job, although the log was not sorted, an
// earlier job was dropped, and a window was cut out.
func TestRecords(t *testing.T) {
	l, err := swf.Parse("l.swf", strings.NewReader(
		"3 120 30 50 4 -1 -1 8 200 2048 1 3 6 1 7 2 1 60\n"+
			"1 100 7 50 4 -1 -1 8 200 -1 1 3 5 1 1 2 -1 -1\n"+
			"2 110 -1 0 4 -1 -1 8 200 -1 1 3 5 1 1 2 -1 -1\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	w := make1(t, "swf", withLog(1, l), func(p *workload.LogParams) {
		p.Path, p.Select.Window, p.Select.RunUp = "l.swf", [2]float64{105, 200}, 0
	})
	r := w.Info().Records
	jobs := drain(t, w.Source())
	if len(jobs) != 1 || !r.Waits() {
		t.Fatalf("jobs %+v, waits known: %v", jobs, r.Waits())
	}
	want := sim.Record{Submit: 120, Wait: 30, Memory: 2 << 20, ThinkTime: 60, SoftWalltime: -1, Preceding: 1, User: 3,
		Group: 6, Account: -1, Queue: 7,
		Partition: 2, Property: -1, Nodes: -1, GPUs: -1}
	if d := cmp.Diff(want, r.Record(jobs[0].Record)); d != "" {
		t.Errorf("record (-want +got):\n%s", d)
	}
}
