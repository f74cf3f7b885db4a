package workload_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/sim"
	"schedsweep/sim/workload"
	"schedsweep/sim/workload/swf"
)

const smallLog = "; MaxProcs: 64\n; StartTime: Mon Sep 23 14:00:31 CEST 1996\n" +
	"1 100 -1 50 4 -1 -1 8 200 -1 1 3 1 1 1 2 -1 -1\n" +
	"broken\n" +
	"2 110 -1 60 4 -1 -1 -1 -1 -1 1 4 1 1 1 1 -1 -1\n" +
	"3 120 -1 70 60 -1 -1 60 90 -1 1 5 1 1 1 0 -1 -1\n"

func small(t testing.TB) *swf.Log {
	t.Helper()
	l, err := swf.Parse("small.swf", strings.NewReader(smallLog), nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestLog(t *testing.T) {
	l := small(t)
	w := make1(t, "swf", withLog(1, l), func(p *workload.LogParams) { p.Path, p.Invalid = "small.swf", "skip" })
	want := []sim.JobSpec{
		{ID: 1, Submit: 100, RunTime: 50, Walltime: 200, Procs: 8, User: 3, Record: 1},
		{ID: 2, Submit: 110, RunTime: 60, Walltime: 60, Procs: 4, User: 4, Record: 2},
		{ID: 3, Submit: 120, RunTime: 70, Walltime: 90, Procs: 60, User: 5, Record: 3},
	}
	if d := cmp.Diff(want, drain(t, w.Source())); d != "" {
		t.Errorf("jobs (-want +got):\n%s", d)
	}
	info := w.Info()
	if info.Name != "small.swf" || info.Procs != 64 || info.Jobs != 3 || info.Start.Format("Mon 15:04:05") != "Mon 14:00:31" {
		t.Errorf("info %+v", info)
	}
	if f := info.Hygiene.Findings; !slices.ContainsFunc(f, func(f swf.Finding) bool { return f.Kind == swf.NotANumber && f.Count == 1 }) {
		t.Errorf("the report counts not one line that is no number:\n%+v", info.Hygiene)
	}
	// The platform's size counts where the manifest gives none.
	in := withLog(1, l)
	in.Procs = 32
	if jobs := drain(t, make1(t, "swf", in, func(p *workload.LogParams) { p.Path, p.Invalid = "small.swf", "skip" }).Source()); len(
		jobs) != 2 {
		t.Errorf("%d jobs fit a platform of 32 processors, not 2", len(jobs))
	}
}

func TestLogErrors(t *testing.T) {
	for _, c := range []struct {
		change func(*workload.LogParams)
		want   string
	}{
		{func(p *workload.LogParams) { p.Invalid = "error" },
			`small.swf:4: field 1 (job number): not a number (the lines of an SWF log hold 18 numbers): "broken"; correct the line, or set invalid: skip to leave such lines out`},
		{func(p *workload.LogParams) { p.Home = "partition" }, "small.swf:6: field 16 (partition) is 0; home: partition needs cluster numbers " +
			"from 1"},
		{func(p *workload.LogParams) { p.Home, p.RoundRobinHomes = "partition", 3 }, "swf: workload.home is partition, and round_robin_homes " +
			"sets the home cluster too; drop one of them"},
		{func(p *workload.LogParams) { p.TooLarge, p.MachineProcs = "error", 50 }, "small.swf:6: job 3 needs 60 processors, the machine has " +
			"50; workload.too_large is error: set drop or cap, or give a larger machine"},
	} {
		w, err := tryMake(t, "swf", withLog(1, small(t)), func(p *workload.LogParams) {
			p.Path, p.Invalid = "small.swf", "skip"
			c.change(p)
		})
		if err == nil {
			_, err = readAll(w.Source())
		}
		if err == nil || err.Error() != c.want {
			t.Errorf("message\n%v\nwant\n%s", err, c.want)
		}
	}
}

// TestConcurrent reads one shared log by many workloads at once.
func TestConcurrent(t *testing.T) {
	l := small(t)
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			w, err := tryMake(t, "swf", withLog(uint64(n), l), func(p *workload.LogParams) {
				p.Path, p.Invalid, p.RunTimeFactor = "small.swf", "skip", float64(n+1)
				p.Select.Jobs, p.Select.Sample, p.Select.MaxProcessors = 2, "random", 60+n%2
			})
			if err != nil {
				t.Error(err)
				return
			}
			for range 50 {
				if jobs, err := readAll(w.Source()); err != nil || len(jobs) != 2 {
					t.Errorf("%d jobs, %v", len(jobs), err)
				}
			}
		})
	}
	all.Wait()
}

func TestList(t *testing.T) {
	w := make1(t, "list", seed(1), func(p *workload.ListParams) {
		p.Jobs = []workload.ListedJob{{Submit: 9, RunTime: 5},
			{ID: 40, Submit: 3, RunTime: 2, Walltime: 4, Processors: 3, Home: 1, User: 6, Flops: 7, Bytes: 8},
			{Submit: 9, Walltime: 1, Application: "grid", Share: .4, ReservedStart: 12, Priority: -5, Sites: 2}}
		p.LoadFactor = 3
	})
	want := []sim.JobSpec{
		{ID: 40, Submit: 1, RunTime: 2, Walltime: 4, Procs: 3, Home: 1, User: 6, Flops: 7, Bytes: 8},
		{ID: 1, Submit: 3, RunTime: 5, Walltime: 5, Procs: 1, User: -1},
		{ID: 3, Submit: 3, Walltime: 1, Procs: 1, User: -1, Application: "grid", Share: .4, ReservedStart: 4, Priority: -5, Sites: 2},
	}
	if d := cmp.Diff(want, drain(t, w.Source())); d != "" {
		t.Errorf("jobs (-want +got):\n%s", d)
	}
}
