package swf_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"schedsweep/sim/workload/swf"
)

// dirty is a log with one job for each kind of trouble; the comments name them
// by line.
const dirty = "; MaxProcs: 64\n" + // 1
	"1  0 -1 100   4 -1 -1   8 200 -1 1 1 1 1 1 3 -1 -1\n" + // 2 sizes differ
	"2  1 -1   0   4 -1 -1   4 200 -1 1 1 1 1 1 1 -1 -1\n" + // 3 run time 0
	"3  2 -1  -1   4 -1 -1   4 200 -1 1 1 1 1 1 1 -1 -1\n" + // 4 run time unknown
	"4  3 -1 100   0 -1 -1  -1 200 -1 1 1 1 1 1 1 -1 -1\n" + // 5 no size
	"5  4 -1 100 128 -1 -1 128 200 -1 1 1 1 1 1 1 -1 -1\n" + // 6 too large
	"6  5 -1 100   4 -1 -1   4  -1 -1 1 1 1 1 1 1 -1 -1\n" + // 7 no walltime
	"7  6 -1 300   4 -1 -1   4 200 -1 1 1 1 1 1 1 -1 -1\n" + // 8 overrun
	"7  7 -1 100   4 -1 -1  -1 200 -1 1 1 1 1 1 1 -1 -1\n" + // 9 duplicate, no field 8
	"8 -1 -1 100   4 -1 -1   4 200 -1 1 1 1 1 1 1 -1 -1\n" // 10 no submit time

func parse(t testing.TB, in string) *swf.Log {
	t.Helper()
	l, err := strict("dirty.swf", strings.NewReader(in))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestPrepare goes through the rules; jobs are written as line:size:run:walltime.
func TestPrepare(t *testing.T) {
	for _, c := range []struct {
		name  string
		rules swf.Rules
		want  string
	}{
		{"default", swf.Rules{}, "2:8:100:200 7:4:100:100 8:4:200:200 9:4:100:200"},
		{"allocated", swf.Rules{Size: "allocated"}, "2:4:100:200 7:4:100:100 8:4:200:200 9:4:100:200"},
		{"requested", swf.Rules{Size: "requested"}, "2:8:100:200 7:4:100:100 8:4:200:200"},
		{"keep overruns", swf.Rules{Overrun: "keep"}, "2:8:100:200 7:4:100:100 8:4:300:200 9:4:100:200"},
		{"one second", swf.Rules{ZeroRunTime: "one-second"}, "2:8:100:200 3:4:1:1 4:4:1:1 7:4:100:100 8:4:200:200 9:4:100:200"},
		{"keep zeros", swf.Rules{ZeroRunTime: "keep"}, "2:8:100:200 3:4:0:200 4:4:0:200 7:4:100:100 8:4:200:200 9:4:100:200"},
		{"keep zeros without walltimes", swf.Rules{ZeroRunTime: "keep", Walltime: "run-time"},
			"2:8:100:100 3:4:0:1 4:4:0:1 7:4:100:100 8:4:300:300 9:4:100:100"},
		{"cap", swf.Rules{TooLarge: "cap"}, "2:8:100:200 6:64:100:200 7:4:100:100 8:4:200:200 9:4:100:200"},
		{"larger machine", swf.Rules{Procs: 128}, "2:8:100:200 6:128:100:200 7:4:100:100 8:4:200:200 9:4:100:200"},
		{"own walltimes only", swf.Rules{Walltime: "requested"}, "2:8:100:200 8:4:200:200 9:4:100:200"},
		{"the Feitelson group's simulator", swf.Rules{Size: "allocated", ZeroRunTime: "one-second", TooLarge: "cap"},
			"2:4:100:200 3:4:1:1 4:4:1:1 6:64:100:200 7:4:100:100 8:4:200:200 9:4:100:200"},
	} {
		p, err := parse(t, dirty).Prepare(c.rules)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for i, j := range p.Jobs {
			got = append(got, fmt.Sprintf("%d:%d:%g:%g", p.Line(i), j.Procs, j.RunTime, j.Walltime))
		}
		if d := cmp.Diff(c.want, strings.Join(got, " ")); d != "" {
			t.Errorf("%s: jobs (-want +got):\n%s", c.name, d)
		}
	}
}

func TestPrepareErrors(t *testing.T) {
	for _, c := range []struct {
		in    string
		rules swf.Rules
		want  string
	}{
		{dirty, swf.Rules{TooLarge: "error"}, "dirty.swf:6: job 5 needs 128 processors, the machine has 64; workload.too_large is " +
			"error: set drop or cap, or give a larger machine"},
		{"1 0 0 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1", swf.Rules{}, "dirty.swf: of the log's 1 job none can be used under the rules for size, " +
			"walltime and run time; see the hygiene report:\n" +
			"dirty.swf: 1 job read, 0 kept\n         1 dropped   run time <= 0 (zero_run_time: drop): line 1\n"},
	} {
		_, err := parse(t, c.in).Prepare(c.rules)
		if err == nil {
			t.Errorf("%+v: no error", c.rules)
			continue
		}
		if d := cmp.Diff(c.want, err.Error()); d != "" {
			t.Errorf("message (-want +got):\n%s", d)
		}
	}
}

// TestParts reads jobs that ran in parts. The parts do not count beside the line of the whole job. Their submit times do not matter.
// A part without it is a job, as is the line of a whole job behind one.
func TestParts(t *testing.T) {
	const log = "; UnixStartTime: 700000000\n" + // 1
		"1 700000000 5 70 4 -1 -1 4 200 -1 1 1 1 1 1 1 -1 -1 2 -1 a\n" + // 2 whole
		"1 700000000 5 30 4 -1 -1 4 200 -1 2 1 1 1 1 1 -1 -1 3 -1 b\n" + // 3 its parts
		"1 -1 9 40 4 -1 -1 4 200 -1 3 1 1 1 1 1 -1 -1\n" + // 4
		"2 700000009 5 20 4 -1 -1 4 200 -1 5 1 1 1 1 1 -1 -1 1 -1 a\n" + // 5 another
		"1 700000010 9 40 4 -1 -1 4 200 -1 4 1 1 1 1 1 -1 -1\n" + // 6 not beside the line of the whole job
		"3 700000011 9 40 4 -1 -1 4 200 -1 2 1 1 1 1 1 -1 -1\n" + // 7 before it
		"3 700000012 9 40 4 -1 -1 4 200 -1 1 1 1 1 1 1 -1 -1\n" + // 8
		"4 700000013 9 40 4 -1 -1 4 200 -1 2 1 1 1 1 1 -1 -1\n" + // 9 two without one
		"4 700000014 9 40 4 -1 -1 4 200 -1 3 1 1 1 1 1 -1 -1\n" + // 10
		"5 700000015 9 40 4 -1 -1 4 200 -1 2 1 1 1 1 1 -1 -1 2 -1 a\n" + // 11 in three parts
		"5 -1 9 50 4 -1 -1 4 200 -1 2 1 1 1 1 1 -1 -1 3 -1 a\n" + // 12
		"5 -1 9 60 4 -1 -1 4 200 -1 3 1 1 1 1 1 -1 -1 4 -1 a\n" // 13
	withdrawn := false
	l, err := swf.Parse("parts.swf", strings.NewReader(log), func(_ swf.Header, r []swf.Record) { withdrawn = withdrawn || r == nil })
	if err != nil {
		t.Fatal(err)
	}
	p, err := l.Prepare(swf.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for i, j := range p.Jobs {
		got += fmt.Sprintf("%d:%g:%g:%d ", p.Line(i), j.Submit, j.RunTime, l.Extra(int(j.Record)).GPUs)
	}
	if want := "2:0:70:2 5:9:20:1 6:10:40:-1 7:11:40:-1 8:12:40:-1 9:13:40:-1 10:14:40:-1 11:15:150:2 "; got != want || !withdrawn {
		t.Errorf("jobs %s, want %s; the records count as final: %v", got, want, !withdrawn)
	}
	var b strings.Builder
	if err := p.Report.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"parts.swf: 8 jobs read, 8 kept\n",
		"2 ignored   part of a job, status 2 to 4 (the line of the whole job counts): lines 3, 4\n",
		"5 kept      part of a job, status 2 to 4 (no line of the whole job is before it): lines 6, 7, 9, 10, 11\n",
		"2 repaired  part of a job, status 2 to 4 (its run time is added to the part before, for it has no submit time): lines 12, 13\n",
		"3 kept      duplicate job number (jobs are identified by their position): lines 6, 8, 10\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

func TestReport(t *testing.T) {
	p, err := parse(t, dirty).Prepare(swf.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	want := []swf.Finding{
		{Kind: swf.Unsorted, Action: swf.Repaired, Count: 1, Lines: []int{10}},
		{Kind: swf.DuplicateID, Action: swf.Kept, Count: 1, Lines: []int{9}},
		{Kind: swf.NegativeSubmit, Action: swf.Dropped, Count: 1, Lines: []int{10}},
		{Kind: swf.NoSize, Action: swf.Dropped, Count: 1, Lines: []int{5}},
		{Kind: swf.TooLarge, Action: swf.Dropped, Count: 1, Lines: []int{6}},
		{Kind: swf.ZeroRunTime, Action: swf.Dropped, Count: 2, Lines: []int{3, 4}},
		{Kind: swf.MissingWalltime, Action: swf.Repaired, Count: 1, Lines: []int{7}},
		{Kind: swf.Overrun, Action: swf.Repaired, Count: 1, Lines: []int{8}},
	}
	if d := cmp.Diff(want, p.Report.Findings, cmpopts.IgnoreFields(swf.Finding{}, "Why")); d != "" {
		t.Errorf("findings (-want +got):\n%s", d)
	}
	if p.Report.Read != 9 || p.Report.Jobs != 4 {
		t.Errorf("read %d and kept %d jobs, not 9 and 4", p.Report.Read, p.Report.Jobs)
	}
	var b strings.Builder
	if err := p.Report.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	if want := "         2 dropped   run time <= 0 (zero_run_time: drop): lines 3, 4\n"; !strings.Contains(b.String(), want) {
		t.Errorf("the text lacks %q:\n%s", want, b.String())
	}
}

// TestShared makes sure that results are shared, also between goroutines, and
// that a memory of few results does not mix them up.
func TestShared(t *testing.T) {
	l := parse(t, dirty)
	first, err := l.Prepare(swf.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for n := 1; n < 40; n++ {
				b := swf.Bounds{Submit: [2]float64{0, 1e9}, RunTime: [2]float64{0, float64(n * 10)}, Procs: [2]float64{0, 1e9}}
				want := 0
				for _, j := range first.Jobs {
					if j.RunTime <= float64(n*10) {
						want++
					}
				}
				if got := len(first.Within(b)); got != want {
					t.Errorf("%d jobs run at most %d s, not %d", got, n*10, want)
				}
				if p, err := l.Prepare(swf.Rules{Procs: n}); err != nil && n >= 8 || err == nil && p.Procs != n {
					t.Errorf("prepared for %d processors: %v, %v", n, p, err)
				}
			}
		})
	}
	all.Wait()
	a, _ := l.Prepare(swf.Rules{Procs: 50})
	if b, _ := l.Prepare(swf.Rules{Procs: 50, Size: "requested-else-allocated"}); a != b {
		t.Error("equal rules give two results")
	}
}
