package placement_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/policy/placement"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// short are the names that the reference answers have for the placements.
var short = map[string]string{"basic": "basic", "best-effort-contiguous": "bec", "contiguous": "contiguous", "best-effort-local": "bel",
	"local": "local"}

// answer is a row of a reference answer.
type answer struct {
	start, end float64
	procs      string
	order      int
}

// TestOracleCBF replays the runs of the simulator of the authors of the
// placements. The files do not state the size of a cluster: it is the divisor
// of the number of processors with which all placements agree.
func TestOracleCBF(t *testing.T) {
	files, runs, jobs := simtest.Oracles(t, "cbf", "*.swf"), 0, 0
	for _, path := range files {
		specs, total := readSWF(t, path)
		answers := map[string]map[int64]answer{}
		for _, name := range placement.Names {
			answers[name] = readAnswers(t, strings.TrimSuffix(path, ".swf")+"."+short[name]+".csv")
		}
		best, report := -1, []string(nil)
		for size := 1; size <= total; size++ {
			if total%size != 0 {
				continue
			}
			var found []string
			for _, name := range placement.Names {
				found = append(found, replay(t, path, name, specs, answers[name], total, size)...)
			}
			if best < 0 || len(found) < len(report) {
				best, report = size, found
			}
		}
		for i, line := range report {
			if i == 5 {
				t.Errorf("... %d differences in all", len(report))
				break
			}
			t.Errorf("%s, clusters of %d: %s", filepath.Base(path), best, line)
		}
		runs += len(placement.Names)
		jobs += len(placement.Names) * len(specs)
		t.Logf("%s: %d jobs on %d processors in clusters of %d", filepath.Base(path), len(specs), total, best)
	}
	t.Logf("compared %d files, %d runs, %d jobs", len(files), runs, jobs)
}

// replay runs one file and returns the differences.
func replay(t *testing.T, path, name string, specs []sim.JobSpec, answers map[int64]answer, total, size int) []string {
	t.Helper()
	specs = slices.Clone(specs)
	slices.SortStableFunc(specs, func(a, b sim.JobSpec) int {
		if c := cmp.Compare(a.Submit, b.Submit); c != 0 {
			return c
		}
		return cmp.Compare(answers[a.ID].order, answers[b.ID].order)
	})
	order, err := sim.EventOrderByName("cbf2015")
	if err != nil {
		t.Fatal(err)
	}
	out := &schedule{}
	run(t, sim.Config{Platform: clusters(t, total/size, size), Source: simtest.Source(specs), Policy: policy(t, name),
		Progress: progress.Isolated{},
		Order:    order, KillAtWalltime: true, Observers: []sim.Observer{simtest.Watch(out)}})
	var found []string
	if len(out.rows) != len(answers) {
		found = append(found, fmt.Sprintf("%s: %d jobs ran, %d expected", name, len(out.rows), len(answers)))
	}
	for _, r := range out.rows {
		if w := answers[r.id]; r.start != w.start || r.finish != w.end || r.procs != w.procs {
			found = append(found, fmt.Sprintf("%s: job %d runs from %g to %g on %s, expected from %g to %g on %s", name, r.id, r.start, r.finish,
				r.procs, w.start, w.end, w.procs))
		}
	}
	return found
}

func readSWF(t *testing.T, path string) (specs []sim.JobSpec, total int) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		if rest, ok := strings.CutPrefix(line, "; MaxProcs:"); ok {
			if total, err = strconv.Atoi(strings.TrimSpace(rest)); err != nil {
				t.Fatalf("%s: %q: %v", path, line, err)
			}
		}
		if f := strings.Fields(line); len(f) == 18 && !strings.HasPrefix(line, ";") {
			spec := sim.JobSpec{ID: int64(number(t, path, f[0])), Submit: number(t, path, f[1]), Walltime: number(t, path, f[8]),
				Procs: int32(number(t, path, f[7]))}
			spec.RunTime = min(number(t, path, f[3]), spec.Walltime)
			specs = append(specs, spec)
		}
	}
	if total == 0 || len(specs) == 0 {
		t.Fatalf("%s: no MaxProcs or no jobs", path)
	}
	return specs, total
}

func readAnswers(t *testing.T, path string) map[int64]answer {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	col := map[string]int{}
	for i, name := range rows[0] {
		col[name] = i
	}
	for _, name := range []string{"job_id", "start", "end", "assign_order", "processors"} {
		if _, ok := col[name]; !ok {
			t.Fatalf("%s has no column %q", path, name)
		}
	}
	answers := map[int64]answer{}
	for _, r := range rows[1:] {
		var procs []sim.Span
		for _, part := range strings.Fields(r[col["processors"]]) {
			lo, hi, isRange := strings.Cut(part, "-")
			if !isRange {
				hi = lo
			}
			procs = append(procs, sim.Span{Lo: int32(number(t, path, lo)), Hi: int32(number(t, path, hi))})
		}
		answers[int64(number(t, path, r[col["job_id"]]))] = answer{number(t, path, r[col["start"]]), number(t, path, r[col["end"]]),
			string(sim.AppendSpans(nil, procs)), int(number(t, path, r[col["assign_order"]]))}
	}
	return answers
}

func number(t *testing.T, path, s string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return x
}

// schedule records what ran.
type schedule struct{ rows []row }

type row struct {
	id            int64
	start, finish float64
	procs         string
}

func (o *schedule) Submitted(*sim.View, *sim.Job) {}
func (o *schedule) Started(*sim.View, *sim.Job)   {}
func (o *schedule) Ended(_ *sim.View, j *sim.Job) {
	o.rows = append(o.rows, row{j.ID(), j.Start(), j.Finish(), string(sim.AppendSpans(nil, j.Alloc().Procs))})
}

// params are those of conservative backfilling with a placement.
func params(name string) *backfill.ConservativeParams {
	return &backfill.ConservativeParams{Ordered: backfill.Ordered{Order: "fcfs"}, Placed: backfill.Placed{Placement: name},
		Rules: sim.RulesOfOrder}
}

func policy(t rapid.TB, name string) sim.Policy {
	t.Helper()
	k, _ := sim.Policies.Get("conservative")
	p, err := k.New(params(name), sim.Env{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// clusters is a machine of n clusters of the same size.
func clusters(t rapid.TB, n, size int) *sim.Platform {
	t.Helper()
	cs := make([]sim.Cluster, n)
	for i := range cs {
		cs[i] = sim.Cluster{Name: fmt.Sprint("c", i), Nodes: size, Cores: 1, Speed: 1}
	}
	p, err := sim.NewPlatform("test", cs, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func run(t testing.TB, cfg sim.Config) sim.Result {
	t.Helper()
	var e sim.Engine
	res, err := e.Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return res
}
