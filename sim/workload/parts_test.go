package workload_test

import (
	"fmt"
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/workload"
	"schedsweep/sim/workload/swf"
)

// tenJobs is a log of jobs 1 to 10, submitted every 100 s, of 1 to 10 processors.
func tenJobs(t *testing.T) *swf.Log {
	t.Helper()
	var text strings.Builder
	for i := 1; i <= 10; i++ {
		fmt.Fprintf(&text, "%d %d 0 50 %d -1 -1 %d 60 -1 1 %d -1 -1 -1 -1 -1 -1\n", i, 100*i, i, i, i)
	}
	l, err := swf.Parse("ten.swf", strings.NewReader(text.String()), nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// said writes jobs as their numbers, those before the measured ones behind <, those
// after behind >.
func said(jobs []sim.JobSpec) string {
	var s []string
	for _, j := range jobs {
		s = append(s, map[sim.Part]string{sim.RunUp: "<", sim.RunOut: ">"}[j.Part]+fmt.Sprint(j.ID))
	}
	return strings.Join(s, " ")
}

// TestParts: the jobs around the selection are played and not measured, as far as the log reaches, within the other
// bounds. So are the edges of the selection.
func TestParts(t *testing.T) {
	l := tenJobs(t)
	for name, c := range map[string]struct {
		set  func(p *workload.LogParams)
		want string
	}{
		"all jobs": {func(p *workload.LogParams) {}, "1 2 3 4 5 6 7 8 9 10"},
		"a window, default": {func(p *workload.LogParams) {
			p.Select.Jobs, p.Select.Skip, p.Select.Sample = 3, 4, "first"
		}, "<1 <2 <3 <4 5 6 7 >8 >9 >10"},
		"a window": {func(p *workload.LogParams) {
			p.Select.Jobs, p.Select.Skip, p.Select.Sample, p.Select.RunUp, p.Select.RunOut = 3, 4, "first", 2, 1
		}, "<3 <4 5 6 7 >8"},
		"none": {func(p *workload.LogParams) {
			p.Select.Jobs, p.Select.Skip, p.Select.Sample, p.Select.RunUp, p.Select.RunOut = 3, 4, "first", 0, 0
		}, "5 6 7"},
		"skipped jobs": {func(p *workload.LogParams) { p.Select.Skip, p.Select.RunUp = 7, 2 }, "<6 <7 8 9 10"},
		"a window of time": {func(p *workload.LogParams) {
			p.Select.Window, p.Select.RunUp, p.Select.RunOut = [2]float64{400, 600}, 1, 2
		}, "<3 4 5 6 >7 >8"},
		"other bounds": {func(p *workload.LogParams) {
			p.Select.Window, p.Select.Processors, p.Select.RunUp, p.Select.RunOut = [2]float64{400, 600}, [2]float64{1, 7}, 1, 2
		}, "<3 4 5 6 >7"},
		"single jobs":      {func(p *workload.LogParams) { p.Select.Jobs, p.Select.Sample = 10, "random" }, "1 2 3 4 5 6 7 8 9 10"},
		"all at 0":         {func(p *workload.LogParams) { p.Select.Jobs, p.Select.Sample, p.Submit = 2, "first", "zero" }, "1 2"},
		"edges by jobs":    {func(p *workload.LogParams) { p.WarmUp.Jobs, p.CoolDown.Jobs = 2, 1 }, "<1 <2 3 4 5 6 7 8 9 >10"},
		"edges by share":   {func(p *workload.LogParams) { p.WarmUp.Share, p.CoolDown.Share = .2, .5 }, "<1 <2 3 4 5 >6 >7 >8 >9 >10"},
		"edges by time":    {func(p *workload.LogParams) { p.WarmUp.Time, p.CoolDown.Time = 250, 150 }, "<1 <2 <3 4 5 6 7 8 >9 >10"},
		"edges, half load": {func(p *workload.LogParams) { p.WarmUp.Time, p.LoadFactor = 250, .5 }, "<1 <2 3 4 5 6 7 8 9 10"},
		"edges of a window": {func(p *workload.LogParams) {
			p.Select.Jobs, p.Select.Skip, p.Select.Sample, p.Select.RunUp, p.Select.RunOut = 5, 3, "first", 1, 1
			p.WarmUp.Jobs, p.CoolDown.Time = 1, 50
		}, "<3 <4 5 6 7 >8 >9"},
	} {
		t.Run(name, func(t *testing.T) {
			w := make1(t, "swf", withLog(1, l), func(p *workload.LogParams) { p.Path = "ten.swf"; c.set(p) })
			jobs := drain(t, w.Source())
			if got := said(jobs); got != c.want {
				t.Errorf("jobs %s, want %s", got, c.want)
			}
			if w.Info().Jobs != len(jobs) {
				t.Errorf("%d jobs are announced, %d come", w.Info().Jobs, len(jobs))
			}
			if jobs[0].Submit != 0 && w.Info().Jobs < 10 {
				t.Errorf("the first of a piece comes at %g s", jobs[0].Submit)
			}
		})
	}
	for _, none := range []func(p *workload.LogParams){
		func(p *workload.LogParams) { p.WarmUp.Jobs, p.CoolDown.Jobs = 6, 4 },
		func(p *workload.LogParams) { p.WarmUp.Time = 901 },
		func(p *workload.LogParams) { p.CoolDown.Time = 901 },
		func(p *workload.LogParams) { p.WarmUp.Jobs, p.CoolDown.Time = 5, 401 },
	} {
		if _, err := tryMake(t, "swf", withLog(1, l), func(p *workload.LogParams) { p.Path = "ten.swf"; none(p) }); err == nil ||
			!strings.Contains(err.Error(), "none of its 10 jobs") {
			t.Errorf("no job is measured: %v", err)
		}
	}
	if _, err := tryMake(t, "swf", withLog(1, l), func(p *workload.LogParams) {
		p.Path, p.WarmUp = "ten.swf", workload.Edge{Jobs: 6, Time: 3}
	}); err == nil || !strings.Contains(err.Error(), "give one of them") {
		t.Errorf("jobs and time: %v", err)
	}
}

// TestLoadOfWindows: a window's load is scaled by the factor of the whole log, or to the load that the manifest gives.
func TestLoadOfWindows(t *testing.T) {
	l := tenJobs(t) // 55 processors * 50 s in 900 s of 10 processors: a load of .3056
	for of, want := range map[string]float64{"log": 100 * (2750. / 9000) / .5, "selection": 100 * (900. / 2000) / .5} {
		in := withLog(1, l)
		in.Procs = 10
		w := make1(t, "swf", in, func(p *workload.LogParams) {
			p.Path, p.OfferedLoad, p.OfferedLoadOf = "ten.swf", .5, of
			p.Select.Jobs, p.Select.Skip, p.Select.Sample, p.Select.RunUp = 3, 4, "first", 0 // 5, 6 and 7 processors
		})
		if apart := drain(t, w.Source())[1].Submit; !near(apart, want) {
			t.Errorf("%s: jobs come every %g s, want %g", of, apart, want)
		}
	}
}

func near(a, b float64) bool { return a-b < 1e-9*b && b-a < 1e-9*b }

// TestTaken: by itself a window is its jobs, from 0 on.
func TestTaken(t *testing.T) {
	w, err := workload.Taken(make1(t, "swf", withLog(1, tenJobs(t)), func(p *workload.LogParams) {
		p.Path, p.Select.Jobs, p.Select.Skip, p.Select.Sample = "ten.swf", 3, 4, "first"
	}))
	if err != nil {
		t.Fatal(err)
	}
	if jobs := drain(t, w.Source()); said(jobs) != "5 6 7" || jobs[0].Submit != 0 || w.Info().Jobs != 3 {
		t.Errorf("taken are %s of %d, from %g s", said(jobs), w.Info().Jobs, jobs[0].Submit)
	}
}

// TestTakenKeepDraws: a window has by itself the walltimes and homes that it has behind its run-up.
func TestTakenKeepDraws(t *testing.T) {
	for _, model := range []string{"uniform", "tsafrir"} {
		whole := make1(t, "swf", withLog(1, tenJobs(t)), func(p *workload.LogParams) {
			p.Path, p.Select.Jobs, p.Select.Skip, p.Select.Sample, p.Select.RunOut = "ten.swf", 3, 4, "first", 2
			p.Estimates.Model, p.RoundRobinHomes = model, 3
		})
		w, err := workload.Taken(whole)
		if err != nil {
			t.Fatal(err)
		}
		all := drain(t, whole.Source())[4:]
		for i, j := range drain(t, w.Source()) {
			if want := all[i]; j.ID != want.ID || j.Walltime != want.Walltime || j.Home != want.Home || j.Part != want.Part {
				t.Errorf("%s: alone %+v, behind its run-up %+v", model, j, want)
			}
		}
	}
}
