package backfill_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/simtest"
)

// classMachine returns a machine of classes with these numbers of processors, each in its own partition. With only, it has just
// that class.
func classMachine(t testing.TB, only int, procs ...int) *sim.Platform {
	t.Helper()
	var classes []sim.Cluster
	var parts []sim.Partition
	for i, n := range procs {
		classes = append(classes, sim.Cluster{Name: fmt.Sprint("c", i), Nodes: n, Cores: 1, Speed: 1})
		parts = append(parts, sim.Partition{Name: fmt.Sprint("p", i), Classes: []int{i}, Default: i == only})
	}
	p, err := sim.NewPlatform("classes", classes, sim.Link{})
	if err == nil {
		err = p.Divide(parts)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// curieClasses are the processors of Curie's thin, large and hybrid nodes, by the header of the log.
var curieClasses = []int{80640, 11520, 1152}

// curieJobs are the jobs of the log that ran, with the processors that they got; the partition is that of their nodes.
func curieJobs(t testing.TB) []sim.JobSpec {
	t.Helper()
	records, _ := readSWF(t, filepath.Join(simtest.Data(t), "CEA-Curie-2011-2.1-cln.swf.gz"))
	var jobs []sim.JobSpec
	for i, r := range records {
		if r[3] <= 0 || r[4] <= 0 {
			continue
		}
		j := sim.JobSpec{ID: int64(i), Submit: r[1], RunTime: r[3], Walltime: r[8], Procs: int32(r[4]), Partition: 1}
		if j.Walltime <= 0 {
			j.Walltime = j.RunTime
		}
		switch r[15] {
		case 4, 17:
			j.Partition = 2
		case 8:
			j.Partition = 3
		}
		jobs = append(jobs, j)
	}
	slices.SortStableFunc(jobs, func(a, b sim.JobSpec) int { return int(a.Submit - b.Submit) })
	return jobs
}

// TestCurieByClass: each partition of Curie runs as if it were a machine by itself, and one class in one partition is the machine as it
// was.
func TestCurieByClass(t *testing.T) {
	if testing.Short() {
		t.Skip("20 runs of half a second")
	}
	jobs := curieJobs(t)
	for _, order := range []backfill.Order{"fcfs", "largest"} {
		easy := func() sim.Policy { return policy(t, "easy", easyParams(order)) }
		together, different := runOn(t, easy(), "default", false, classMachine(t, 0, curieClasses...), jobs), 0
		for part := range curieClasses {
			var of []int
			var alone []sim.JobSpec
			for i, j := range jobs {
				if int(j.Partition) == part+1 {
					j.Partition = 0
					of, alone = append(of, i), append(alone, j)
				}
			}
			for k, start := range run(t, easy(), "default", false, curieClasses[part], alone) {
				if start != together[of[k]] {
					different++
				}
			}
		}
		t.Logf("order %s: compared %d starts on three classes, %d differ", order, len(jobs), different)
		if different > 0 {
			t.Errorf("order %s: %d of %d starts differ", order, different, len(jobs))
		}
	}
	for i := range jobs {
		jobs[i].Partition = 0
	}
	plain := run(t, policy(t, "easy", easyParams("fcfs")), "default", false, 93312, jobs)
	if !slices.Equal(plain, runOn(t, policy(t, "easy", easyParams("fcfs")), "default", false, classMachine(t, 0, 93312), jobs)) {
		t.Error("one class in one partition is another machine")
	}
	t.Logf("compared %d starts on one class in one partition", len(jobs))
}
