package queue_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedsweep/sim"
	"schedsweep/sim/audit"
	"schedsweep/sim/policy/queue"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// recorded makes a job whose recorded start is given.
func recorded(id int64, submit, start, run float64, procs int32) sim.JobSpec {
	return sim.JobSpec{ID: id, Submit: submit, RunTime: run, Walltime: max(1, run), Procs: procs, User: -1, Record: 1 + int32(start-submit)}
}

// TestReplay: where the log fits the machine, every start is the recorded one. Elsewhere jobs without room wait and delay no other
// job, and the policy reports them.
func TestReplay(t *testing.T) {
	jobs := []sim.JobSpec{
		recorded(1, 0, 5, 10, 3), // 5-15
		recorded(2, 1, 2, 3, 4),  // 2-5: all four; job 1 starts as it ends
		recorded(3, 2, 8, 4, 2),  // 8-12: one processor is free, so at 15
		recorded(4, 3, 9, 2, 1),  // 9-11 beside job 1, before job 3
		recorded(5, 4, 4, 0, 4),  // takes no time, and no room is left at 4
	}
	p := &queue.Replay{}
	machine := simtest.Machine(t, 4)
	books := audit.New(machine)
	var got simtest.Outcomes
	var said lateness
	if _, err := new(sim.Engine).Run(context.Background(),
		sim.Config{Platform: machine, Source: simtest.Source(jobs), Records: simtest.Records{},
			Policy: p, Progress: progress.Isolated{}, Observers: []sim.Observer{books, &got, &said}}); err != nil {
		t.Fatal(err)
	}
	if err := books.Verdict(true); err != nil {
		t.Error(err)
	}
	starts := map[int64]float64{}
	for _, o := range got {
		starts[o.ID] = o.Start
	}
	if d := cmp.Diff(map[int64]float64{1: 5, 2: 2, 3: 15, 4: 9, 5: 5}, starts); d != "" {
		t.Errorf("starts (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]int64{5, 3}, said.jobs); d != "" {
		t.Errorf("jobs told to be late (-want +got):\n%s", d)
	}
	// In use by the log: 4 of 2-5 (job 5 uses none), 3 of 5-8, 5 of 8-9, 6 of
	// 9-11, 5 of 11-12: more than there are for 4 s.
	want := []float64{2, 4, 7, 6, 4}
	if d := cmp.Diff(want, p.Values(nil)); d != "" {
		t.Errorf("metrics (-want +got):\n%s", d)
	}
}

// TestReplayMeasuredJobs: the metrics are of measured jobs and their time. A run-up and a run-out that are late and too large for the
// machine change none.
func TestReplayMeasuredJobs(t *testing.T) {
	part := func(p sim.Part, j sim.JobSpec) sim.JobSpec { j.Part = p; return j }
	jobs := []sim.JobSpec{
		recorded(3, 20, 21, 5, 3), // 21-26
		recorded(4, 20, 22, 2, 2), // 22-24 by the log: 5 in use for 2 s; at 26
	}
	var all [][]float64
	for _, around := range []bool{false, true} {
		run := slices.Clone(jobs)
		if around {
			run = slices.Concat([]sim.JobSpec{part(sim.RunUp, recorded(1, 0, 1, 9, 4)), part(sim.RunUp, recorded(2, 0, 2, 1, 4))}, jobs,
				[]sim.JobSpec{part(sim.RunOut, recorded(5, 40, 41, 9, 4)), part(sim.RunOut, recorded(6, 40, 42, 1, 4))})
		}
		p := &queue.Replay{}
		if _, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: simtest.Machine(t, 4), Source: simtest.Source(run),
			Records: simtest.Records{}, Policy: p, Progress: progress.Isolated{}}); err != nil {
			t.Fatal(err)
		}
		all = append(all, p.Values(nil))
	}
	if d := cmp.Diff([][]float64{{1, 22, 4, 5, 2}, {1, 22, 4, 5, 2}}, all); d != "" {
		t.Errorf("metrics without and with run-up and run-out (-want +got):\n%s", d)
	}
}

// lateness hears which jobs start late.
type lateness struct {
	simtest.Outcomes
	jobs []int64
}

func (l *lateness) Reported(_ *sim.View, m *sim.Message) {
	if m.Name == "StartsLate" && m.Fields[0].Value == m.Job.Submit()+float64(m.Job.Spec().Record-1) {
		l.jobs = append(l.jobs, m.Job.ID())
	}
}

// TestReplayRefuses: without recorded starts there is nothing to replay.
func TestReplayRefuses(t *testing.T) {
	run := func(r sim.Records, j sim.JobSpec) error {
		_, err := new(sim.Engine).Run(context.Background(),
			sim.Config{Platform: simtest.Machine(t, 4), Source: simtest.Source([]sim.JobSpec{j}), Records: r,
				Policy: &queue.Replay{}, Progress: progress.Isolated{}})
		return err
	}
	j := recorded(7, 0, 0, 1, 1)
	for want, err := range map[string]error{
		"policy replay: the workload has no recorded starts": run(nil, j),
		"it is no log, or its log has no wait times above 0": run(noWaits{}, j),
		"job 7 has no recorded start, others have":           run(oneWait{}, j),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

type noWaits struct{ simtest.Records }

func (noWaits) Waits() bool { return false }

type oneWait struct{ simtest.Records }

func (oneWait) Wait(int32) float64 { return -1 }

// TestReplayNothingLate: a log that fits has no first late job.
func TestReplayNothingLate(t *testing.T) {
	p := &queue.Replay{}
	if _, err := new(sim.Engine).Run(context.Background(),
		sim.Config{Platform: simtest.Machine(t, 4), Source: simtest.Source([]sim.JobSpec{recorded(1, 0, 3, 5, 4), recorded(2, 0, 8, 5, 4)}),
			Records: simtest.Records{}, Policy: p, Progress: progress.Isolated{}}); err != nil {
		t.Fatal(err)
	}
	if v := p.Values(nil); v[0] != 0 || !math.IsNaN(v[1]) || v[2] != 0 || v[3] != 4 || v[4] != 0 {
		t.Errorf("metrics %v", v)
	}
}

// TestReplayCountsRecordedStarts: the account of the log has each job once, at its recorded start, however often it is requeued.
// The processors in use when a measured job starts include those of the jobs that start with it.
//
//	job 1: by the log 0-20 on 3 of 4 processors; killed at its walltime of 10, again 10-30
//	job 2: by the log 10-15 on 1; beside job 1
//	job 3: the same, on 2 processors: late, at 30; it is not measured
func TestReplayCountsRecordedStarts(t *testing.T) {
	jobs := []sim.JobSpec{recorded(1, 0, 0, 20, 3), recorded(2, 1, 10, 5, 1), recorded(3, 2, 10, 5, 2)}
	jobs[0].Walltime, jobs[2].Part = 10, sim.RunOut
	p := &queue.Replay{}
	if _, err := new(sim.Engine).Run(context.Background(),
		sim.Config{Platform: simtest.Machine(t, 4), Source: simtest.Source(jobs), Records: simtest.Records{}, Policy: p, KillAtWalltime: true,
			Requeue: sim.Requeue{After: "kill", AtMost: 1, WalltimeFactor: 2}, Progress: progress.Isolated{}}); err != nil {
		t.Fatal(err)
	}
	want := []float64{0, math.NaN(), 0, 6, 0} // the run-out begins at 2, before too many processors are in use
	if got := p.Values(nil); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("late jobs, first late, largest delay, peak, overload: %v, want %v", got, want)
	}
}
