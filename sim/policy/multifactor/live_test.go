package multifactor_test

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"schedsweep/sim/policy/backfill"
)

// liveBounds are of the kind of [microBounds], for one real run of the first 150 jobs against 8 seeds. One run of a few jobs varies more.
// The bounds were set before the first live run. Forty other seeds of the model took the place of the real run: the bounds are their
// largest scores, and a tenth.
var liveBounds = scores{"mean wait": .13, "mean wait of a seed": .195, "slowdown": .34, "makespan": .105, "user": .365, "kind": .945,
	"size":                 .575,
	"job by job, s":        830,
	"1 - rank correlation": .26, "means, s": 770, "1 - rank correlation of means": .2}

// liveJob is a job of Slurm's file of completed jobs, in seconds of the clock.
type liveJob struct {
	submit, start, end float64
	procs              float64
	user               string
}

// liveJobs reads completed jobs by their names, which are numbers.
func liveJobs(t *testing.T, path string) map[string]liveJob {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	jobs := map[string]liveJob{}
	for line := range strings.Lines(string(text)) {
		of := map[string]string{}
		for _, field := range strings.Fields(line) {
			name, value, _ := strings.Cut(field, "=")
			of[name] = value
		}
		at := func(field string) float64 {
			moment, err := time.Parse("2006-01-02T15:04:05", of[field])
			if err != nil {
				t.Fatalf("job %s: %s: %v", of["Name"], field, err)
			}
			return float64(moment.Unix())
		}
		jobs[of["Name"]] = liveJob{at("SubmitTime"), at("StartTime"), at("EndTime"), number(t, of["ProcCnt"]), of["UserId"]}
	}
	return jobs
}

// liveOutcome returns the outcomes of the jobs.
func liveOutcome(t *testing.T, jobs []microJob, all map[string]liveJob) (o outcome) {
	t.Helper()
	zero := 0.0
	for i := range jobs {
		job, ran := all[fmt.Sprint(jobs[i].ID)]
		if !ran {
			t.Fatalf("Slurm has not completed job %d", jobs[i].ID)
		}
		if i == 0 {
			zero = job.submit - jobs[i].Submit
		}
		o.waits, o.end = append(o.waits, job.start-job.submit), max(o.end, job.end-zero)
	}
	return o
}

// most is the most processors that jobs of a group have at one time, over all groups.
func most(jobs []liveJob, group func(j liveJob) string) (procs float64) {
	for _, at := range jobs {
		sum := 0.0
		for _, j := range jobs {
			if group(j) == group(at) && j.start <= at.start && at.start < j.end {
				sum += j.procs
			}
		}
		procs = max(procs, sum)
	}
	return procs
}

// TestSlurmLive compares what a real slurmctld has done in $SLURM_LIVE (make test-slurm) with the model: the first 150 jobs of the recorded
// site within [liveBounds], and 60 jobs under limits of a QOS, its users and an account.
func TestSlurmLive(t *testing.T) {
	folder := os.Getenv("SLURM_LIVE")
	if folder == "" {
		t.Skip("make test-slurm runs Slurm and sets $SLURM_LIVE")
	}
	all := liveJobs(t, filepath.Join(folder, "log", "jobcomp.log"))
	jobs := micro500(t)[:150]
	real := []outcome{liveOutcome(t, jobs, all)}
	t.Logf("compared %d jobs of one live run, which waited %.0f s", len(jobs), mean(real[0].waits))
	for _, m := range []struct {
		name  string
		model microModel
		miss  bool
	}{
		{"as the site decides", microModel{policy: "conservative", everyone: slurmPlans}, false},
		{"without fair share", microModel{policy: "conservative", everyone: slurmPlans, unfair: true}, true},
		{"EASY", microModel{policy: "easy", everyone: slurmPlans}, true},
		{"size by real nodes", microModel{policy: "conservative", everyone: slurmPlans, real: true}, true},
		{"FCFS-EASY, cores only", microModel{policy: "easy", fcfs: true, cores: true}, true},
	} {
		model := m.model.seeds(t, jobs, 8)
		got, missed := score(jobs, model, real), 0
		t.Logf("%s: mean wait %.0f s", m.name, mean(means(model).waits))
		for _, name := range slices.Sorted(maps.Keys(liveBounds)) {
			verdict := ""
			if got[name] > liveBounds[name] {
				missed++
				if verdict = "  beyond its bound"; !m.miss {
					t.Errorf("%s: %s is %.4g off, and %g is allowed", m.name, name, got[name], liveBounds[name])
				}
			}
			t.Logf("  %-30s %8.4g of %g%s", name, got[name], liveBounds[name], verdict)
		}
		if m.miss && missed == 0 {
			t.Errorf("%s: within all bounds, so that these say nothing", m.name)
		}
	}

	limited := microJobs(t, "../../../.ci/slurm/limited.csv")
	var qos, account []liveJob
	for i := range limited {
		if job := all[fmt.Sprint(limited[i].ID)]; limited[i].qos == "supporters" {
			qos = append(qos, job)
		} else {
			account = append(account, job)
		}
	}
	everyone := func(liveJob) string { return "" }
	for _, limit := range []struct {
		name       string
		most, real float64
	}{{"user of the QOS", 28, most(qos, func(j liveJob) string { return j.user })}, {"QOS", 48, most(qos, everyone)},
		{"account", 60, most(account, everyone)}} {
		t.Logf("processors of one %s: at most %.0f, limit %.0f", limit.name, limit.real, limit.most)
		if limit.real > limit.most || limit.real < .8*limit.most {
			t.Errorf("processors of one %s: %.0f at most, where the limit is %.0f and must bind", limit.name, limit.real, limit.most)
		}
	}
	of := backfill.Who{QOS: "supporters"}
	m := microModel{policy: "conservative", everyone: slurmPlans, limits: []backfill.Limit{
		{Of: of, Each: "user", Running: backfill.Most{Cores: 28}, Otherwise: "hold"},
		{Of: of, Running: backfill.Most{Cores: 48}, Otherwise: "hold"},
		{Of: backfill.Who{Account: "account1"}, Running: backfill.Most{Cores: 60}, Otherwise: "hold"}}}
	model, live := means(m.seeds(t, limited, 8)), liveOutcome(t, limited, all)
	waited, want := mean(model.waits), mean(live.waits)
	t.Logf("compared %d jobs under limits: mean wait %.0f s, of the model %.0f s; makespan %.0f s and %.0f s", len(limited), want, waited,
		live.end, model.end)
	if !(math.Abs(waited/want-1) <= .15) || !(math.Abs(model.end/live.end-1) <= .15) {
		t.Errorf("under limits the mean wait is %.0f s and the makespan %.0f s, live %.0f s and %.0f s: more than 15 %% off", waited,
			model.end, want, live.end)
	}
}
