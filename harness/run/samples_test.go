package run

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"schedsweep/harness/harnesstest"
	"schedsweep/harness/input"
	"schedsweep/harness/store"
	"schedsweep/sim/workload"
	"schedsweep/sweep"
)

// logged is a manifest over a log of n jobs, one a minute, and the lines given
// beside it.
func logged(t *testing.T, n int, more, text string) (*sweep.Manifest, *input.Files) {
	t.Helper()
	dir := t.TempDir()
	var log strings.Builder
	log.WriteString("; MaxProcs: 64\n")
	for i := range n {
		fmt.Fprintf(&log, "%d %d -1 %d 4 -1 -1 4 900 -1 1 1 1 1 1 1 -1 -1\n", i+1, 60*i, 100+i%7)
	}
	for name, content := range map[string]string{"jobs.swf": log.String() + more, "m.yaml": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	m, in, err := input.Load(filepath.Join(dir, "m.yaml"), input.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m, in
}

// A job too few fields wide and one that is no number are two of three lines.
func TestSkippedLinesAreCounted(t *testing.T) {
	m, in := logged(t, 1, "2 5 10\n3 x -1 100 4 -1 -1 4 900 -1 1 1 1 1 1 1 -1 -1\n",
		"name: skip\nworkload: {kind: swf, path: jobs.swf, invalid: skip}\npolicy: {kind: fcfs}\n")
	notes, err := Check(harnesstest.PlanOf(t, m), in)
	if want := "jobs.swf: 2 of 3 jobs are left out before any selection: 1 wrong number of fields; 1 not a number"; err != nil ||
		len(notes) != 1 || !strings.HasPrefix(notes[0], want) {
		t.Errorf("notes %q, error %v; want %q", notes, err, want)
	}
	table := ranTable(t, m, in)
	if n, ok := table.Column("dropped").Float(0); !ok || n != 2 {
		t.Errorf("dropped %v, want 2", n)
	}
}

// What a plan says of its samples is what the rows tell, and equal digests are
// equal jobs.
func TestRowsTellTheirSamples(t *testing.T) {
	text := "name: samples\nreplications: 4\nworkload: {kind: swf, path: jobs.swf, select: %s}\naxes: {policy.kind: [fcfs, easy], " +
		"workload.load_factor: [1, 2]}\n"
	for _, c := range []struct {
		choice   string
		distinct int
	}{{"{jobs: 60}", 4}, {"{jobs: 20, sample: disjoint-windows}", 4}, {"{jobs: 30, sample: random}", 4}, {"{jobs: 30, sample: first}", 1},
		{"{}", 1}} {
		m, in := logged(t, 100, "", fmt.Sprintf(text, c.choice))
		samplings, err := input.Samplings(harnesstest.PlanOf(t, m), in)
		if err != nil || len(samplings) != 1 || len(samplings[0].Samples) != 4 {
			t.Fatalf("%s: %+v, %v", c.choice, samplings, err)
		}
		if single := samplings[0].Samples[0].First < 0; single != strings.Contains(c.choice, "random") {
			t.Errorf("%s: single jobs are drawn: %v", c.choice, single) // a window unless one asks for it
		}
		table := ranTable(t, m, in)
		digests := map[[2]float64]map[float64]bool{}
		for row := range table.Rows {
			number := func(name string) float64 {
				if x, ok := table.Column(name).Float(row); ok {
					return x
				}
				return math.NaN()
			}
			s := samplings[0].Samples[int(number("replication"))]
			got := workload.Sample{Of: int(number("sample_of")), Jobs: int(number("measured_jobs")), First: -1}
			if first := number("sample_first"); !math.IsNaN(first) {
				got.First = int(first)
			}
			if s.RunUp, s.Before = 0, 0; got != s { // which no column has
				t.Errorf("%s: row %d has the sample %+v, the plan %+v", c.choice, row, got, s)
			}
			key := [2]float64{number("workload.load_factor")}
			if digests[key] == nil {
				digests[key] = map[float64]bool{}
			}
			digests[key][number("jobs_digest")] = true
		}
		for key, d := range digests {
			if len(d) != c.distinct {
				t.Errorf("%s: %d different workloads at %v, want %d", c.choice, len(d), key, c.distinct)
			}
		}
	}
}

func TestTooFewWindows(t *testing.T) {
	m, in := logged(t, 100, "", "name: few\nreplications: 4\nworkload: {kind: swf, path: jobs.swf, select: {jobs: 30, sample: "+
		"disjoint-windows}}\npolicy: {kind: fcfs}\n")
	if _, err := input.Samplings(harnesstest.PlanOf(t, m), in); err == nil || !strings.Contains(err.Error(), "use at most 3 replications") {
		t.Errorf("error %v", err)
	}
}

// ranTable runs a sweep and returns its rows.
func ranTable(t *testing.T, m *sweep.Manifest, in *input.Files) *store.Table {
	t.Helper()
	dir := t.TempDir()
	sum, err := Sweep(context.Background(), Config{Manifest: m, Inputs: in, Dir: dir})
	if err != nil || sum.Bad() > 0 {
		t.Fatalf("%+v, %v", sum, err)
	}
	return harnesstest.RowsOf(t, dir)
}

// TestRandomStreamsOfARun: rows count the random streams of a run beside those of its workload, by which repeated runs are known.
func TestRandomStreamsOfARun(t *testing.T) {
	text := "name: streams\nworkload: {kind: lublin, jobs: 20}\nplatform: {processors: 128}\npolicy: {kind: fcfs}\n" +
		"axes: {platform.events: [{label: none, value: []}, {label: drawn, value: [{law: exponential, mean_between_failures: 30d, " +
		"repair: 10min}]}]}\n"
	m, in := harnesstest.Loaded(t, text)
	table := ranTable(t, m, in)
	for row := range table.Rows {
		events := table.Column("platform.events").Text(row)
		if n, ok := table.Column("policy_streams").Float(row); !ok || (n == 1) != (events == "drawn") || (n == 0) != (events == "none") {
			t.Errorf("with events %s a run has %g random streams, %v", events, n, ok)
		}
	}
}

// TestJobsThatWait: a run submits a job when the one that it names has ended, also where
// bounds of the selection leave the number of jobs unknown.
func TestJobsThatWait(t *testing.T) {
	m, in := logged(t, 1, "2 1 -1 300 64 -1 -1 64 300 -1 1 1 1 1 1 1 1 50\n3 2 -1 10 1 -1 -1 1 300 -1 1 1 1 1 1 1 2 5\n",
		"name: waits\nworkload: {kind: swf, path: jobs.swf, dependencies: follow, select: {max_processors: 64}}\n"+
			"axes: {policy.kind: [fcfs, easy, conservative]}\n")
	table := ranTable(t, m, in)
	for row := range table.Rows {
		// The first runs until 100, the second from 150 to 450, the third from 455 to 465.
		makespan, _ := table.Column("makespan").Float(row)
		wait, _ := table.Column("mean_wait_time").Float(row)
		if jobs, _ := table.Column("finished").Float(row); jobs != 3 || makespan != 465 || wait != 0 {
			t.Errorf("%g jobs, makespan %g s, wait %g s", jobs, makespan, wait)
		}
	}
}
