package metrics

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/policy/queue"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// TestUnmeasuredJobsAreSimulatedOnly: metrics over jobs are those of the measured ones
// among all that are simulated. Held processors count in the measured time, no matter
// which job holds them.
func TestUnmeasuredJobsAreSimulatedOnly(t *testing.T) {
	machine := simtest.Machine(t, 8)
	rapid.Check(t, func(t *rapid.T) {
		jobs := simtest.DrawJobs(t, machine)
		from := rapid.IntRange(0, len(jobs)-1).Draw(t, "from")
		to := rapid.IntRange(from+1, len(jobs)).Draw(t, "to")
		for i := range jobs {
			switch {
			case i < from:
				jobs[i].Part = sim.RunUp
			case i >= to:
				jobs[i].Part = sim.RunOut
			}
		}
		var c Collector
		c.Reset(published(machine))
		var outcomes simtest.Outcomes
		var e sim.Engine
		res, err := e.Run(context.Background(), sim.Config{Platform: machine, Source: simtest.Source(jobs), Policy: &queue.FCFS{},
			Progress: progress.Isolated{}, Observers: []sim.Observer{&c, &outcomes}})
		if err != nil {
			t.Fatal(err)
		}
		first, last, wait := jobs[from].Submit, math.Inf(-1), 0.
		for i := from; i < to; i++ {
			wait += outcomes[i].Start - jobs[i].Submit
			last = max(last, outcomes[i].Finish)
		}
		until := last
		if to < len(jobs) {
			until = jobs[to].Submit
		}
		held, queued, ends := 0., 0., 0.
		for i, o := range outcomes {
			queued += max(0, min(o.Start, until)-max(jobs[i].Submit, first))
			// At one instant, ends come before submissions, and jobs of 0 s that start then end behind these.
			if (first < o.Finish || first == o.Start) && (o.Finish < until || o.Finish == until && (o.Start < until || to == len(jobs))) {
				ends++
			}
			held += float64(jobs[i].Procs) * max(0, min(o.Finish, until)-max(o.Start, first))
		}
		n := float64(to - from)
		if res.Measured != int64(to-from) {
			t.Errorf("%d jobs are measured of %d to %d", res.Measured, from, to)
		}
		want := map[string]float64{"measured_time": until - first, "makespan": last - first,
			"mean_wait_time": wait / n}
		if until > first {
			want["utilisation"] = held / (8 * (until - first))
			want["core_utilisation"] = want["utilisation"]
			want["mean_queue_length"] = queued / (until - first)
			want["throughput"] = 3600 * ends / (until - first)
		}
		got := c.Values(nil)
		for i, m := range Catalog() {
			if w, ok := want[m.Name]; ok && !(math.Abs(got[i]-w) <= 1e-9*(1+math.Abs(w))) {
				t.Errorf("%s is %v, want %v (%d jobs, measured from %d to %d)", m.Name, got[i], w, len(jobs), from, to)
			}
		}
	})
}

// registering adds a job of its own behind each of the first two submissions.
type registering struct {
	queue.FCFS
	id int64
}

func (p *registering) Submitted(s *sim.State, j *sim.Job) {
	p.FCFS.Submitted(s, j)
	if p.id++; p.id < 3 {
		p.FCFS.Submitted(s, s.Register(sim.JobSpec{ID: 1<<40 + p.id, Submit: s.Now(), RunTime: 1e5, Walltime: 1e5, Procs: 1, User: -1}))
	}
}

// TestRegisteredJobsAreInNoMetric: jobs that a policy adds are simulated, and metrics are those of the workload's jobs.
func TestRegisteredJobsAreInNoMetric(t *testing.T) {
	machine := simtest.Machine(t, 8)
	rapid.Check(t, func(t *rapid.T) {
		jobs := simtest.DrawJobs(t, machine)
		var c Collector
		c.Reset(published(machine))
		seen := &ownWaits{}
		var e sim.Engine
		res, err := e.Run(context.Background(), sim.Config{Platform: machine, Source: simtest.Source(jobs), Policy: &registering{},
			Progress: progress.Isolated{}, Observers: []sim.Observer{&c, seen}})
		if err != nil {
			t.Fatal(err)
		}
		if seen.added == 0 || res.Measured != int64(len(jobs)) {
			t.Fatalf("%d jobs are measured of %d, beside %d of the policy's", res.Measured, len(jobs), seen.added)
		}
		for i, m := range Catalog() {
			if got := c.Values(nil)[i]; m.Name == "mean_wait_time" && !(math.Abs(got-seen.waits/float64(len(jobs))) <= 1e-9*(1+seen.waits)) {
				t.Errorf("a mean wait of %g s, want %g", got, seen.waits/float64(len(jobs)))
			}
		}
	})
}

type ownWaits struct {
	sim.Quiet
	added int
	waits float64
}

func (o *ownWaits) Ended(_ *sim.View, j *sim.Job) {
	if j.ID() >= 1<<40 {
		o.added++
	} else {
		o.waits += j.Start() - j.Submit()
	}
}
