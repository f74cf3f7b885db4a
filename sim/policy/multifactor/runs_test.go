package multifactor_test

import (
	"cmp"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"schedsweep/sim/policy/multifactor"
	"schedsweep/sim/simtest"
)

// TestOracleSlurmRuns holds what whole runs recorded of usage, fair-share factors and priorities against the arithmetic, with the
// recorded starts and ends. Calculations are every 300 s from about 21 s of the controller's clock on at 25 times its speed.
func TestOracleSlurmRuns(t *testing.T) {
	for _, path := range simtest.Oracles(t, "slurm", "micro*/*.jobs.csv.gz") {
		name := strings.TrimSuffix(filepath.Base(path), ".jobs.csv.gz")
		t.Run(name, func(t *testing.T) {
			dir := filepath.Dir(path)
			s := readSite(t, filepath.Join(dir, "slurm.conf"))
			jobs := table(t, path)
			calculations := 0.0
			for _, row := range table(t, filepath.Join(dir, "runs.csv")) {
				if row["run"] == name {
					calculations = number(t, row["controller_start"]) + .84*number(t, row["speed"])
				}
			}
			usageOfRun(t, dir, name, jobs, calculations, s.halfLife)
			if files, _ := filepath.Glob(filepath.Join(dir, name+".priority.csv.gz")); len(files) > 0 {
				prioritiesOfRun(t, &s, files[0], jobs, calculations)
			}
		})
	}
}

// usageOfRun compares factors and usage at every calculation after which a sample was written.
func usageOfRun(t *testing.T, dir, name string, jobs []map[string]string, calculated, halfLife float64) {
	t.Helper()
	tree, users, _ := newTree(t, filepath.Join(dir, "assoc.txt"))
	rows := table(t, filepath.Join(dir, name+".usage.csv.gz"))
	factors, differ, now := 0, 0, calculated
	var errors []float64
	tree.Rank()
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n]["time"] == rows[0]["time"] {
			n++
		}
		at := number(t, rows[0]["time"])
		for ; now+300 <= at; now += 300 {
			for _, job := range jobs {
				if job["end"] != "" && job["start"] != "" {
					from, to := max(number(t, job["start"]), now), min(number(t, job["end"]), now+300)
					tree.Charge(users[job["account"]+"/"+job["user"]], number(t, job["cpus"])*max(to-from, 0))
				}
			}
			tree.Decay(multifactor.Decay(300, halfLife))
			tree.Rank()
		}
		if at-now > 60 || at-now < 6 { // usage of later ends is in, or the sample may be of before
			rows = rows[n:]
			continue
		}
		for _, row := range rows[:n] {
			user, ok := users[row["account"]+"/"+row["user"]]
			if !ok {
				continue
			}
			factors++
			if !(math.Abs(tree.Factor(user)-number(t, row["fairshare"])) <= 1e-5) {
				differ++
			}
			if raw := number(t, row["raw_usage"]); raw > 0 {
				errors = append(errors, math.Abs(tree.Usage(user)/raw-1))
			}
		}
		rows = rows[n:]
	}
	slices.Sort(errors)
	median := errors[len(errors)/2]
	t.Logf("compared %d fair-share factors, %d differ; usage is off by %.3g %% in the median", factors, differ, 100*median)
	if factors == 0 || median > .01 || float64(differ) > .01*float64(factors) || name == "run1" && differ > 0 {
		t.Errorf("%d of %d factors differ, usage is off by %.3g in the median", differ, factors, median)
	}
}

// prioritiesOfRun compares size, age and sum of every recorded priority.
func prioritiesOfRun(t *testing.T, s *site, path string, jobs []map[string]string, calculated float64) {
	t.Helper()
	of := map[string]map[string]string{}
	for _, job := range jobs {
		of[job["job"]] = job
	}
	compared, off := 0, map[string]int{}
	for _, row := range table(t, path) {
		job := of[row["job"]]
		compared++
		size := s.weights.Size * multifactor.Size(1, s.nodes, number(t, job["cpus"]), s.cpus)
		if math.Round(size) != number(t, row["size"]) {
			off["size"]++
		}
		// The sample may be of either side of a calculation, and the moment is known to a few seconds.
		at := number(t, row["time"])
		near := math.Inf(1)
		for _, k := range []float64{0, 1} {
			last := calculated + 300*(math.Floor((at-calculated)/300)-k)
			age := s.weights.Age * multifactor.Age(last-number(t, job["eligible"]), s.maxAge)
			near = min(near, math.Abs(age-number(t, row["age"])))
		}
		if near > 12*s.weights.Age/s.maxAge {
			off["age"]++
		}
		sum := 0.0
		for _, part := range []string{"age", "fairshare", "size", "partition", "qos"} {
			sum += number(t, row[part])
		}
		if !(math.Abs(sum-number(t, row["priority"])) <= 4) {
			off["sum"]++
		}
	}
	t.Logf("compared %d priorities", compared)
	if compared == 0 || cmp.Or(off["size"], off["age"], off["sum"]) != 0 {
		t.Errorf("of %d priorities are off: %v", compared, off)
	}
}
