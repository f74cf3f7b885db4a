package workload_test

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/workload"
	"schedsweep/sim/workload/swf"
)

// withLogs is an input of several logs, by name.
func withLogs(t testing.TB, logs map[string]string) workload.Input {
	t.Helper()
	in := seed(1)
	parsed := map[string]*swf.Log{}
	for name, text := range logs {
		l, err := swf.Parse(name, strings.NewReader(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		parsed[name] = l
	}
	in.Log = func(path string) (*swf.Log, error) {
		if parsed[path] == nil {
			return nil, fmt.Errorf("there is no %s", path)
		}
		return parsed[path], nil
	}
	return in
}

// line is a job of a log: number, submission, run time, processors, user.
func line(id, submit, run, procs, user int) string {
	return fmt.Sprintf("%d %d -1 %d %d -1 -1 %d %d -1 1 %d 1 -1 -1 -1 -1 -1\n", id, submit, run, procs, procs, 2*run, user)
}

const header = "; MaxProcs: 8\n"

func TestGridMergesLogs(t *testing.T) {
	in := withLogs(t, map[string]string{
		"a.swf": header + line(1, 100, 10, 2, 3) + line(2, 150, 20, 9, 4) + line(3, 170, 30, 8, -1),
		"b.swf": header + line(7, 5000, 40, 16, 3) + line(9, 5070, 50, 1, 0),
	})
	params := func(p *workload.GridParams) {
		p.Logs = []workload.GridLog{{Path: "a.swf"}, {Path: "b.swf", Processors: 16}}
	}
	w := make1(t, "grid", in, params)
	// Job 2 of a is larger than a's cluster; of two at 70 s the first cluster's comes first.
	want := []sim.JobSpec{
		{ID: 1, Submit: 0, RunTime: 10, Walltime: 20, Procs: 2, Home: 0, User: 6},
		{ID: 2, Submit: 0, RunTime: 40, Walltime: 80, Procs: 16, Home: 1, User: 7},
		{ID: 3, Submit: 70, RunTime: 30, Walltime: 60, Procs: 8, Home: 0, User: -1},
		{ID: 4, Submit: 70, RunTime: 50, Walltime: 100, Procs: 1, Home: 1, User: 1},
	}
	for range 2 { // passes do not disturb one another
		if d := cmp.Diff(want, drain(t, w.Source())); d != "" {
			t.Error(d)
		}
	}
	info := w.Info()
	if info.Name != "a.swf + b.swf" || info.Procs != 24 || info.Jobs != 4 || info.Hygiene.Read != 5 || len(info.Hygiene.Findings) != 1 ||
		!strings.HasPrefix(info.Hygiene.Findings[0].Kind, "a.swf: ") {
		t.Errorf("info %+v, hygiene %+v", info, info.Hygiene)
	}
	w = make1(t, "grid", in, func(p *workload.GridParams) {
		params(p)
		p.TooLarge, p.Select.Window, p.Shift = "cap", [2]float64{10, 70}, "never"
		p.Select.RunUp = 0
	})
	got := drain(t, w.Source())
	if len(got) != 3 || got[0].Procs != 8 || got[0].Submit != 50 || got[0].ID != 3 {
		t.Errorf("capped and cut: %+v", got)
	}
}

func TestGridRefuses(t *testing.T) {
	in := withLogs(t, map[string]string{"a.swf": line(1, 0, 10, 2, 3), "users.swf": header + line(1, 0, 10, 2, math.MaxInt32),
		"bad.swf": header + "1 2 3\n" + line(1, 0, 10, 2, 3)})
	of := func(paths ...string) func(*workload.GridParams) {
		return func(p *workload.GridParams) {
			for _, f := range paths {
				p.Logs = append(p.Logs, workload.GridLog{Path: f})
			}
		}
	}
	for want, change := range map[string]func(*workload.GridParams){
		"logs is empty":                              of(),
		"logs[1].path is empty":                      of("a.swf", ""),
		"give workload.logs[].processors":            of("a.swf"),
		"there is no b.swf":                          of("b.swf"),
		"bad.swf":                                    of("bad.swf"),
		"sets the home clusters, and so do the logs": func(p *workload.GridParams) { of("users.swf")(p); p.RoundRobinHomes = 2 },
	} {
		if _, err := tryMake(t, "grid", in, change); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if _, err := readAll(make1(t, "grid", in, of("users.swf", "users.swf")).Source()); err == nil ||
		!strings.Contains(err.Error(), "users.swf:2") {
		t.Errorf("error %v, want one with the line of the user", err)
	}
	if _, err := tryMake(t, "grid", seed(1), of("a.swf")); err == nil || !strings.Contains(err.Error(), "no access to logs") {
		t.Errorf("error %v", err)
	}
}

// The jobs of each home cluster are those of its log alone, and all are in order of time.
func TestGridKeepsEachLog(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var b [2]strings.Builder
		for k := range b {
			b[k].WriteString(header)
			at := rapid.IntRange(0, 50).Draw(r, "start")
			for i := range rapid.IntRange(1, 20).Draw(r, "jobs") {
				b[k].WriteString(line(i+1, at, rapid.IntRange(1, 9).Draw(r, "run"), rapid.IntRange(1, 10).Draw(r, "procs"), 1))
				at += rapid.IntRange(0, 3).Draw(r, "gap")
			}
			b[k].WriteString(line(99, at, 5, 1, 1)) // one at least fits
		}
		in := withLogs(t, map[string]string{"0": b[0].String(), "1": b[1].String()})
		all := drain(t, make1(t, "grid", in, func(p *workload.GridParams) { p.Logs = []workload.GridLog{{Path: "0"}, {Path: "1"}} }).Source())
		var mine [2][]sim.JobSpec
		for i, j := range all {
			if i > 0 && j.Submit < all[i-1].Submit {
				t.Fatalf("job %d comes at %g after one at %g", j.ID, j.Submit, all[i-1].Submit)
			}
			mine[j.Home] = append(mine[j.Home], j)
		}
		for k := range mine {
			alone := drain(t, make1(t, "swf", in, func(p *workload.LogParams) { p.Path, p.Shift = fmt.Sprint(k), "always" }).Source())
			for i := range mine[k] {
				like := &alone[min(i, len(alone)-1)]
				mine[k][i].ID, mine[k][i].Record, mine[k][i].Home, mine[k][i].User = like.ID, like.Record, 0, 1
			}
			if d := cmp.Diff(alone, mine[k]); d != "" {
				t.Fatal(d)
			}
		}
	})
}

func TestGridOfRealLogs(t *testing.T) {
	dir := traces(t)
	in := seed(1)
	in.Log = func(path string) (*swf.Log, error) { return readLog(t, filepath.Join(dir, path)), nil }
	w := make1(t, "grid", in, func(p *workload.GridParams) {
		p.Logs = []workload.GridLog{{Path: "KTH-SP2-1996-2.2.swf.gz"}, {Path: "SDSC-SP2-filtered.swf.gz"}}
	})
	homes := [2]int{}
	for _, j := range drain(t, w.Source()) {
		homes[j.Home]++
		if j.Procs > [2]int32{100, 128}[j.Home] {
			t.Fatalf("job %d of cluster %d has %d processors", j.ID, j.Home, j.Procs)
		}
	}
	if w.Info().Procs != 228 || homes[0] < 28000 || homes[1] != 54006 {
		t.Errorf("%d processors, %v jobs", w.Info().Procs, homes)
	}
}
