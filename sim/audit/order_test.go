package audit

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/policy/queue"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// ordered makes a policy of a queue in an order; EASY looks at the first job alone when it plans.
func ordered(t interface{ Fatal(...any) }, kind, order string, change func(*backfill.EasyParams)) sim.Policy {
	k, _ := sim.Policies.Get(kind)
	params := any(&backfill.Ordered{Order: backfill.Order(order)})
	if easy, ok := k.Params.(backfill.EasyParams); ok {
		easy.Order, easy.Planning = backfill.Order(order), backfill.Planning{Every: 10, Jobs: 1}
		if change != nil {
			change(&easy)
		}
		params = &easy
	}
	p, err := k.New(params, sim.Env{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// overtaking reports that it starts jobs in order, and does not.
type overtaking struct{ *backfill.Backfill }

func (overtaking) Ranks() bool { return true }

// hasty starts the last job that came, and does not look at priorities.
type hasty struct {
	*queue.FCFS
	last *sim.Job
}

func (p *hasty) Submitted(s *sim.State, j *sim.Job) {
	p.FCFS.Submitted(s, j)
	p.last = j
}

func (p *hasty) Pass(s *sim.State) {
	if p.last.ID() < 3 {
		p.FCFS.Pass(s)
	} else if p.last.State() == sim.Waiting {
		s.Start(p.last)
	}
}

func orderedRun(t interface{ Fatal(...any) }, p sim.Policy, on *sim.Platform, jobs []sim.JobSpec) string {
	books, src := New(on), simtest.List(jobs)
	books.Watch(p)
	if _, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Source: &src, Policy: p, Progress: progress.Isolated{},
		Observers: []sim.Observer{books}, KillAtWalltime: true}); err != nil && !strings.Contains(err.Error(), "wait") {
		t.Fatal(err)
	}
	if err := books.Verdict(false); err != nil {
		return err.Error()
	}
	return ""
}

// TestRequeuedJobsKeepTheirOrder: job 1 is killed at its walltime and runs again before job 2, which was submitted after it.
func TestRequeuedJobsKeepTheirOrder(t *testing.T) {
	whole, _ := inTwo(t)
	for last, second := range map[bool]int64{false: 1, true: 2} {
		books, src, starts := New(whole), simtest.List([]sim.JobSpec{{ID: 1, RunTime: 30, Walltime: 20, Procs: 4},
			{ID: 2, Submit: 1, RunTime: 5, Walltime: 9, Procs: 3}, {ID: 3, Submit: 2, RunTime: 5, Walltime: 9, Procs: 4}}), &started{}
		p := ordered(t, "queue", "fcfs", nil)
		books.Watch(p)
		_, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: whole, Source: &src, Policy: p, Progress: progress.Isolated{},
			Observers: []sim.Observer{books, starts}, KillAtWalltime: true,
			Requeue: sim.Requeue{After: "kill", AtMost: 1, Last: last, WalltimeFactor: 2}})
		if err = errors.Join(err, books.Verdict(false)); err != nil || starts.ids[1] != second {
			t.Errorf("jobs %v started, want job %d as the second: %v", starts.ids, second, err)
		}
	}
}

// TestOrderOfAnEarlierRun: an audit that has checked an order goes on with a policy that backfills, whose jobs have no ranks.
func TestOrderOfAnEarlierRun(t *testing.T) {
	whole, divided := inTwo(t)
	books := New(divided)
	for i, p := range []sim.Policy{ordered(t, "easy", "fcfs", nil), ordered(t, "queue", "fcfs", nil),
		ordered(t, "easy", "fcfs", func(p *backfill.EasyParams) { p.Planning = backfill.Planning{} })} {
		on := map[bool]*sim.Platform{false: whole, true: divided}[i == 0]
		src := simtest.List([]sim.JobSpec{{ID: 1, Submit: 1, RunTime: 3, Walltime: 4, Procs: 2, Partition: int32(len(on.Partitions) / 2)}})
		books.Reset(on)
		books.Watch(p)
		_, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Source: &src, Policy: p, Progress: progress.Isolated{},
			Observers: []sim.Observer{books}})
		if err = errors.Join(err, books.Verdict(false)); err != nil {
			t.Errorf("run %d: %v", i, err)
		}
	}
}

type started struct {
	sim.Quiet
	ids []int64
}

func (o *started) Held(_ *sim.View, now, before *sim.Hold) {
	if before.Job == nil {
		o.ids = append(o.ids, now.Job.ID())
	}
}

// inTwo is a machine of two partitions that share a class.
func inTwo(t *testing.T) (whole, divided *sim.Platform) {
	whole, err := sim.NewPlatform("four", []sim.Cluster{{Name: "a", Nodes: 4, Cores: 1, Speed: 1}}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	divided, err = sim.NewPlatform("four", []sim.Cluster{{Name: "a", Nodes: 4, Cores: 1, Speed: 1}}, sim.Link{})
	if err == nil {
		err = divided.Divide([]sim.Partition{{Name: "p", Classes: []int{0}}, {Name: "q", Classes: []int{0}}})
	}
	if err != nil {
		t.Fatal(err)
	}
	return whole, divided
}

// TestOrderIsHeld: policies that overtake, or that start jobs by old priorities, are noticed.
func TestOrderIsHeld(t *testing.T) {
	whole, divided := inTwo(t)
	all := func(p *backfill.EasyParams) { p.Planning.Jobs = 0 }
	for want, c := range map[string]struct {
		on     *sim.Platform
		policy sim.Policy
		third  int32 // partition of job 3
	}{
		"":  {whole, ordered(t, "queue", "fcfs", nil), 0},
		" ": {divided, ordered(t, "easy", "sjf", nil), 2},
		// EASY as it is says that it backfills
		"  ":  {divided, ordered(t, "easy", "fcfs", all), 1},
		"   ": {divided, overtaking{ordered(t, "easy", "fcfs", all).(*backfill.Backfill)}, 2},
		"audit A18: job 3 started at 10 s before job 2, which waits in the same partition and has priority": {divided,
			overtaking{ordered(t, "easy", "fcfs", all).(*backfill.Backfill)}, 1},
		"audit A18: job 3 started at 2 s before job 2, which waits in the same partition and has priority": {whole,
			&hasty{FCFS: ordered(t, "queue", "largest", nil).(*queue.FCFS)}, 0},
		"audit A18: job 3 started at 2 s by priorities of 1 s, which are out of date": {whole,
			&hasty{FCFS: ordered(t, "queue", "wfp3", nil).(*queue.FCFS)}, 0},
	} {
		part := min(c.third, 1)
		got := orderedRun(t, c.policy, c.on, []sim.JobSpec{{ID: 1, RunTime: 50, Walltime: 50, Procs: 3, Partition: part},
			{ID: 2, Submit: 1, RunTime: 9, Walltime: 9, Procs: 4, Partition: part},
			{ID: 3, Submit: 2, RunTime: 5, Walltime: 20, Procs: 1, Partition: c.third}})
		if want := strings.TrimSpace(want); want == "" && got != "" || !strings.HasPrefix(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestOrdersAreHeld: all orders, with and without partitions, start jobs in order; the same runs in which jobs overtake are noticed.
func TestOrdersAreHeld(t *testing.T) {
	whole, divided := inTwo(t)
	noticed := 0
	rapid.Check(t, func(t *rapid.T) {
		jobs, at := make([]sim.JobSpec, rapid.IntRange(1, 25).Draw(t, "jobs")), 0
		for i := range jobs {
			at += rapid.IntRange(0, 5).Draw(t, "gap")
			run := float64(rapid.IntRange(1, 30).Draw(t, "run"))
			jobs[i] = sim.JobSpec{ID: int64(i), Submit: float64(at), RunTime: run, Walltime: run + float64(rapid.IntRange(0, 9).Draw(t, "more")),
				Procs: int32(rapid.IntRange(1, 4).Draw(t, "procs")), User: int32(rapid.IntRange(1, 3).Draw(t, "user"))}
		}
		order := rapid.SampledFrom(backfill.Priorities.Kinds()).Draw(t, "order").Name
		if got := orderedRun(t, ordered(t, "queue", order, nil), whole, jobs); got != "" {
			t.Fatalf("%s: %s", order, got)
		}
		for i := range jobs {
			jobs[i].Partition = int32(rapid.IntRange(1, 2).Draw(t, "partition"))
		}
		if got := orderedRun(t, ordered(t, "easy", order, nil), divided, jobs); got != "" {
			t.Fatalf("%s: %s", order, got)
		}
		all := func(p *backfill.EasyParams) { p.Planning.Jobs = 0 }
		p := overtaking{ordered(t, "easy", order, all).(*backfill.Backfill)}
		if got := orderedRun(t, p, divided, jobs); strings.HasPrefix(got, "audit A18") {
			noticed++
		} else if got != "" {
			t.Fatal(fmt.Sprint(order, got))
		}
	})
	if noticed == 0 {
		t.Error("no job has overtaken another")
	}
}
