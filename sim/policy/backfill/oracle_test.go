package backfill_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"schedsweep/sim"
	_ "schedsweep/sim/policy/queue"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// lines calls f for each line of a gzip file.
func lines(t testing.TB, path string, f func(string)) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	sc := bufio.NewScanner(z)
	for sc.Scan() {
		f(sc.Text())
	}
	if err := sc.Err(); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

var maxProcs = regexp.MustCompile(`^;\s*MaxProcs:\s*(\d+)`)

// readSWF returns the records of an SWF file and its MaxProcs, 0 without one.
func readSWF(t testing.TB, path string) (records [][]float64, procs int) {
	t.Helper()
	lines(t, path, func(line string) {
		if m := maxProcs.FindStringSubmatch(line); m != nil {
			n, err := strconv.Atoi(m[1])
			if err != nil {
				t.Fatalf("%s: %q: %v", path, line, err)
			}
			procs = n
		}
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], ";") {
			return
		}
		r := make([]float64, len(fields))
		for i, f := range fields {
			v, err := strconv.ParseFloat(f, 64)
			if err != nil {
				t.Fatalf("%s: %q: %v", path, line, err)
			}
			r[i] = v
		}
		records = append(records, r)
	})
	return records, procs
}

// row is the line of a job in a reference file.
type row struct {
	sim.JobSpec
	start float64
}

// readStarts returns the rows of a reference schedule in their order.
func readStarts(t testing.TB, path string) []row {
	t.Helper()
	var text strings.Builder
	lines(t, path, func(line string) { text.WriteString(line + "\n") })
	records, err := csv.NewReader(strings.NewReader(text.String())).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	column := map[string]int{}
	for i, name := range records[0] {
		column[name] = i
	}
	var rows []row
	for _, r := range records[1:] {
		number := func(name string) float64 {
			v, err := strconv.ParseFloat(r[column[name]], 64)
			if err != nil {
				t.Fatalf("%s: %v: %v", path, r, err)
			}
			return v
		}
		rows = append(rows, row{start: number("start"), JobSpec: sim.JobSpec{ID: int64(number("job_id")), Submit: number("submit"),
			RunTime: number("run_time"), Walltime: number("requested_time"), Procs: int32(number("procs"))}})
	}
	return rows
}

// pyssJobs reads the jobs of a log as pyss does: size from field 5 and at most
// the machine, run time at most the requested one, and one second for jobs
// without a run time.
func pyssJobs(t testing.TB, path string) ([]sim.JobSpec, int) {
	t.Helper()
	records, procs := readSWF(t, path)
	if procs == 0 {
		procs = machines[strings.TrimSuffix(filepath.Base(path), ".swf.gz")]
	}
	var jobs []sim.JobSpec
	for _, r := range records {
		j := sim.JobSpec{ID: int64(r[0]), Submit: r[1], RunTime: min(r[3], r[8]), Walltime: r[8], Procs: int32(min(r[4], float64(procs)))}
		if j.RunTime <= 0 {
			j.RunTime, j.Walltime = 1, 1
		}
		jobs = append(jobs, j)
	}
	return jobs, procs
}

// machines are the sizes of logs that do not say them.
var machines = map[string]int{"kth5000": 100, "ctc-sp2_5000": 338, "KTH-SP2": 100, "SDSC-SP2": 128}

// machine is the size of the machine of a whole log: known, or what the log
// itself says.
func machine(t *testing.T, name string) int {
	t.Helper()
	if n := machines[name]; n > 0 {
		return n
	}
	logs, err := filepath.Glob(filepath.Join(simtest.Data(t), name+"*.swf.gz"))
	if err != nil || len(logs) != 1 {
		t.Fatalf("%d logs are called %s (%v), so that nobody says how large its machine is", len(logs), name, err)
	}
	_, n := readSWF(t, logs[0])
	return n
}

// recorder keeps the starts by the jobs' sequence numbers.
type recorder struct{ starts []float64 }

func (r *recorder) Submitted(*sim.View, *sim.Job) {}
func (r *recorder) Ended(*sim.View, *sim.Job)     {}
func (r *recorder) Started(_ *sim.View, j *sim.Job) {
	for int64(len(r.starts)) <= j.Seq() {
		r.starts = append(r.starts, -1)
	}
	r.starts[j.Seq()] = j.Start()
}

// policy makes the policy of that name with its default parameters.
func policy(t testing.TB, name string, params any) sim.Policy {
	t.Helper()
	k, ok := sim.Policies.Get(name)
	if !ok {
		t.Fatalf("no policy %q", name)
	}
	p, err := k.New(params, sim.Env{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// run plays jobs and returns their starts in the order of the jobs.
func run(t testing.TB, p sim.Policy, order string, kill bool, procs int, jobs []sim.JobSpec) []float64 {
	t.Helper()
	return runOn(t, p, order, kill, simtest.Machine(t, procs), jobs)
}

// runOn is run on any machine.
func runOn(t testing.TB, p sim.Policy, order string, kill bool, on *sim.Platform, jobs []sim.JobSpec) []float64 {
	t.Helper()
	o, err := sim.EventOrderByName(order)
	if err != nil {
		t.Fatal(err)
	}
	var e sim.Engine
	r := &recorder{}
	if _, err := e.Run(context.Background(), sim.Config{Platform: on, Source: simtest.Source(jobs), Policy: p,
		Progress: progress.Isolated{}, Observers: []sim.Observer{simtest.Watch(r)}, Order: o, KillAtWalltime: kill}); err != nil {
		t.Fatal(err)
	}
	return r.starts
}

func TestOracleEasy(t *testing.T) {
	for _, a := range simtest.Oracles(t, "easy", "*.csv.gz") {
		name, rest, _ := strings.Cut(filepath.Base(a), ".")
		if kind, ok := strings.CutSuffix(rest, ".pyss.csv.gz"); ok {
			jobs, procs := pyssJobs(t, filepath.Join(filepath.Dir(a), name+".swf.gz"))
			t.Run(name+"/"+kind, func(t *testing.T) { compare(t, kind, procs, jobs, readStarts(t, a)) })
			continue
		}
		if rest != "easy.csv.gz" {
			t.Errorf("%s: neither LOG.POLICY.pyss.csv.gz nor LOG.easy.csv.gz", a)
			continue
		}
		t.Run(name+"/easy", func(t *testing.T) {
			rows := readStarts(t, a)
			var jobs []sim.JobSpec
			for _, r := range rows {
				jobs = append(jobs, r.JobSpec)
			}
			compare(t, "easy", machine(t, name), jobs, rows)
		})
	}
}

// compare runs the jobs under a policy and checks every job against its row.
func compare(t *testing.T, kind string, procs int, jobs []sim.JobSpec, rows []row) {
	t.Helper()
	if procs == 0 {
		t.Fatal("the log does not say how large the machine is")
	}
	if len(jobs) != len(rows) {
		t.Fatalf("%d jobs, but %d rows", len(jobs), len(rows))
	}
	byID := map[int64]row{}
	for _, r := range rows {
		byID[r.ID] = r
	}
	if len(byID) != len(rows) {
		t.Fatalf("%d rows have %d different jobs", len(rows), len(byID))
	}
	params := map[string]any{"fcfs": nil, "easy": easyParams("fcfs"), "conservative": conservativeParams("fcfs")}
	if _, ok := params[kind]; !ok {
		t.Fatalf("no policy is known for %q", kind)
	}
	starts := run(t, policy(t, kind, params[kind]), "pyss", true, procs, jobs)
	if kind != "fcfs" { // one class in one partition is the same machine
		for i, start := range runOn(t, policy(t, kind, params[kind]), "pyss", true, classMachine(t, 0, procs), jobs) {
			if start != starts[i] {
				t.Fatalf("job %d starts at %s, and at %s on one class in one partition", jobs[i].ID, seconds(starts[i]), seconds(start))
			}
		}
		t.Logf("compared %d starts on one class in one partition, 0 differ", len(jobs))
	}
	different := 0
	for i, j := range jobs {
		want, ok := byID[j.ID]
		if !ok || want.JobSpec != j {
			t.Fatalf("the input differs: %+v, want %+v", j, want.JobSpec)
		}
		if starts[i] != want.start {
			if different++; different <= 5 {
				t.Errorf("job %d starts at %s, want %s", j.ID, seconds(starts[i]), seconds(want.start))
			}
		}
	}
	t.Logf("compared %d starts, %d differ", len(jobs), different)
	if different > 0 {
		t.Errorf("%d of %d starts differ", different, len(jobs))
	}
}

func seconds(x float64) string { return fmt.Sprintf("%.0f s", x) }
