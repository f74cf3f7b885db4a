package multifactor_test

import (
	"cmp"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/policy/multifactor"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// sampled is the order of recorded priorities, by job.
type sampled map[int64]float64

func (p sampled) Key(_ *sim.State, j *sim.Job) float64 { return -p[j.ID()] }
func (sampled) Period() float64                        { return math.Inf(1) }

// ofSample are the inputs of the order sampled.
var ofSample sampled

func init() {
	backfill.Priorities.Add(sim.Kind[backfill.NewPriority]{Name: "sampled", Doc: "recorded priorities",
		New: func(any, sim.Env) (backfill.Priority, error) { return ofSample, nil }})
}

// nodeSite is the site of slurm/micro with a class for each node, so that jobs can be put on their recorded nodes: a job that runs on one
// node requires its feature, a job on several nodes one of its own.
func nodeSite(t *testing.T, own map[string][]string) (*sim.Platform, map[string]uint64) {
	t.Helper()
	like := microSite(t)
	var clusters []sim.Cluster
	for _, c := range []int{0, 1, 3, 2} { // of alike classes the first is taken
		class := like.Clusters[c]
		class.Switch = cmp.Or(class.Switch, class.Name)
		for n := range class.Nodes {
			one := class
			one.Nodes, one.Name = 1, class.Name+string(rune('1'+n))
			clusters = append(clusters, one)
		}
	}
	bits := map[string]uint64{}
	features := slices.Clone(like.Features)
	for _, name := range sortedKeys(own) {
		bits[name] = 1 << len(features)
		features = append(features, name)
		for i := range clusters {
			if slices.Contains(own[name], clusters[i].Name) {
				clusters[i].Features |= bits[name]
			}
		}
	}
	on, err := sim.NewPlatform("micro", clusters, sim.Link{})
	if err == nil {
		all := make([]int, len(clusters))
		for i := range all {
			all[i] = i
		}
		on.Features = features
		err = on.Divide([]sim.Partition{{Name: "normal", Classes: all, Span: true, Default: true}})
	}
	if err != nil {
		t.Fatal(err)
	}
	return on, bits
}

func sortedKeys[V any](m map[string]V) []string {
	all := make([]string, 0, len(m))
	for k := range m {
		all = append(all, k)
	}
	sort.Strings(all)
	return all
}

// recordedJob is a job of a run, times in seconds after the first submission.
type recordedJob struct {
	*microJob
	submit, start, end float64
	on                 []string
}

// decide returns the jobs that a model starts at time now from the recorded state.
func decide(t *testing.T, jobs []recordedJob, now float64, started map[int64]bool, priority func(*recordedJob) float64,
	policy string, order backfill.Order, planning backfill.Planning) (starts []int64) {
	t.Helper()
	var list []sim.JobSpec
	own, runs, at := map[string][]string{}, map[int64]string{}, map[int64]float64{}
	for i := range jobs {
		j := &jobs[i]
		if running := j.start <= now && !started[j.ID]; running && j.end > now-1 { // a node is free about 1 s after an end
			runs[j.ID] = strings.Join(j.on, " ")
			own[runs[j.ID]] = j.on
		} else if running || j.submit > now {
			continue
		}
		at[j.ID] = j.start
		list = append(list, j.JobSpec)
	}
	on, bits := nodeSite(t, own)
	ofSample = sampled{}
	for i := range list {
		j, ask := &list[i], *list[i].Request
		j.Submit, j.Request, j.RunTime = 0, &ask, j.Walltime
		if where, is := runs[j.ID]; is {
			ask.Features |= bits[where]
			j.Walltime = max(at[j.ID]+j.Walltime-now, 1)
			j.RunTime, ofSample[j.ID] = j.Walltime, math.MaxFloat64
		} else {
			k := slices.IndexFunc(jobs, func(r recordedJob) bool { return r.ID == j.ID })
			ofSample[j.ID] = priority(&jobs[k])
		}
	}
	slices.SortStableFunc(list, func(a, b sim.JobSpec) int { // jobs that run come first under any order
		return cmp.Compare(min(len(runs[b.ID]), 1), min(len(runs[a.ID]), 1))
	})
	ordered, placed := backfill.InOrder(order), backfill.Placed{Placement: "any"}
	var params any = &backfill.EasyParams{Ordered: ordered, Placed: placed, Rules: "plain", Planning: planning}
	if policy == "conservative" {
		params = &backfill.ConservativeParams{Ordered: ordered, Placed: placed, Rules: "plain", Planning: planning}
	}
	kind, _ := sim.Policies.Get(policy)
	p, err := kind.New(params, sim.Env{})
	if err != nil {
		t.Fatal(err)
	}
	log := &startTimes{starts: map[int64]float64{}}
	_, err = new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Source: simtest.Source(list), Policy: p, Requests: true,
		Progress: progress.Isolated{}, Observers: []sim.Observer{log}, MaxEvents: int64(len(list)) + 1})
	if err != nil && !errors.Is(err, sim.ErrEventBudget) {
		t.Fatal(err)
	}
	for i := range list {
		start, is := log.starts[list[i].ID]
		if is = is && start == 0; runs[list[i].ID] == "" {
			if is {
				starts = append(starts, list[i].ID)
			}
		} else if !is {
			t.Fatalf("at %g s job %d does not fit where it runs by the record: %s", now, list[i].ID, runs[list[i].ID])
		}
	}
	return starts
}

// TestOracleSlurmDecisions: from the recorded state at each cycle of Slurm's backfill scheduler, which jobs start now? Conservative
// backfilling finds at least 80 % of the jobs that Slurm started in the cycle. Models that plan less find fewer.
func TestOracleSlurmDecisions(t *testing.T) {
	paths := simtest.Oracles(t, "slurm", "micro*/*.priority.csv.gz")
	micro := micro500(t)
	planned := backfill.Planning{Every: 30, Window: 86400, Jobs: 1200, PerUser: 200, WholeNodes: true}
	byCores := planned
	byCores.WholeNodes = false
	models := []struct {
		name, policy string
		order        backfill.Order
		planning     backfill.Planning
		found, wrong int
	}{
		{name: "as Slurm plans, in whole nodes", policy: "conservative", order: "sampled", planning: planned},
		{name: "conservative by vectors", policy: "conservative", order: "sampled", planning: byCores},
		{name: "EASY with multifactor", policy: "easy", order: "sampled", planning: byCores},
		{name: "FCFS-EASY", policy: "easy", order: "fcfs", planning: byCores},
	}
	all, cycles := 0, 0
	for _, path := range paths {
		s := readSite(t, filepath.Join(filepath.Dir(path), "slurm.conf"))
		run := strings.TrimSuffix(path, ".priority.csv.gz")
		if _, err := os.Stat(run + ".cycles.csv.gz"); err != nil {
			t.Fatal(err)
		}
		jobs := recordedJobs(t, run+".jobs.csv.gz", micro)
		priority := samples(t, &s, path, jobs)
		for _, row := range table(t, run+".cycles.csv.gz") {
			if row["started"] == "" {
				continue
			}
			now, started := number(t, row["cycle"]), map[int64]bool{}
			for _, id := range strings.Fields(row["started"]) {
				started[int64(number(t, id))] = true
			}
			all, cycles = all+len(started), cycles+1
			for m := range models {
				for _, id := range decide(t, jobs, now, started, func(j *recordedJob) float64 { return priority(j, now) }, models[m].policy,
					models[m].order, models[m].planning) {
					if started[id] {
						models[m].found++
					} else {
						models[m].wrong++
					}
				}
			}
		}
	}
	for i, m := range models {
		share := float64(m.found) / float64(all)
		t.Logf("compared %d starts of %d cycles: %s finds %.1f %%, and starts %d others", all, cycles, m.name, 100*share, m.wrong)
		if (share >= .8) != (i < 2) {
			t.Errorf("%s finds %.3f of the starts", m.name, share)
		}
	}
}

// recordedJobs reads a run.
func recordedJobs(t *testing.T, path string, micro []microJob) (jobs []recordedJob) {
	t.Helper()
	for _, row := range table(t, path) {
		k := slices.IndexFunc(micro, func(j microJob) bool { return float64(j.ID) == number(t, row["job"]) })
		jobs = append(jobs, recordedJob{&micro[k], number(t, row["submit"]), number(t, row["start"]), number(t, row["end"]),
			strings.Fields(row["nodes"])})
	}
	slices.SortStableFunc(jobs, func(a, b recordedJob) int { return cmp.Compare(a.submit, b.submit) })
	return jobs
}

// samples returns the priority of a waiting job at a time: of the last sample that has the job, else of the next. A job that no sample has
// gets its size and the fair share that its user had in the last sample.
func samples(t *testing.T, s *site, path string, jobs []recordedJob) func(*recordedJob, float64) float64 {
	t.Helper()
	type sample struct{ at, priority, fair float64 }
	of, users, owner := map[int64][]sample{}, map[string][]sample{}, map[int64]string{}
	for i := range jobs {
		owner[jobs[i].ID] = jobs[i].user
	}
	for _, row := range table(t, path) {
		x, id := sample{number(t, row["time"]), number(t, row["priority"]), number(t, row["fairshare"])}, int64(number(t, row["job"]))
		of[id], users[owner[id]] = append(of[id], x), append(users[owner[id]], x)
	}
	last := func(all []sample, now float64) sample {
		if len(all) == 0 {
			return sample{fair: s.weights.FairShare}
		}
		return all[max(sort.Search(len(all), func(i int) bool { return all[i].at > now })-1, 0)]
	}
	return func(j *recordedJob, now float64) float64 {
		if all := of[j.ID]; len(all) > 0 {
			return last(all, now).priority
		}
		return s.weights.Partition + s.weights.Size*multifactor.Size(1, s.nodes, float64(j.Procs), s.cpus) + last(users[j.user], now).fair
	}
}
