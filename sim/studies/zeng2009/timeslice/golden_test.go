package timeslice_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/zeng2009/slicetest"
	"schedsweep/sim/studies/zeng2009/slowdowns"
	"schedsweep/sim/studies/zeng2009/timeslice"
)

// trace records what an observer sees.
type trace struct{ log []string }

func (l *trace) add(s *sim.View, what string, j *sim.Job) {
	l.log = append(l.log, fmt.Sprintf("%g %s %d on %s", s.Now(), what, j.ID(), sim.AppendSpans(nil, j.Alloc().Procs)))
}
func (l *trace) Submitted(*sim.View, *sim.Job)     {}
func (l *trace) Started(s *sim.View, j *sim.Job)   { l.add(s, "start", j) }
func (l *trace) Ended(s *sim.View, j *sim.Job)     { l.add(s, "end", j) }
func (l *trace) Preempted(s *sim.View, j *sim.Job) { l.add(s, "preempt", j) }
func (l *trace) Resumed(s *sim.View, j *sim.Job)   { l.add(s, "resume", j) }

// hundred is an interval of 100 s: medium jobs from 0 to 40, long ones from 40
// to 100, each less 10 s of overhead. Medium jobs have from 5 to 50 s.
func hundred() timeslice.Slicing {
	p := timeslice.DefaultSlicing
	p.Interval, p.MediumShare, p.ShortSlice, p.Overhead, p.ShortLimit, p.LongLimit = 100, .4, 0, 10, 5, 50
	return p
}

func job(id int64, submit, run float64, procs int32) sim.JobSpec {
	return sim.JobSpec{ID: id, Submit: submit, RunTime: run, Walltime: run, Procs: procs}
}

// late is a job of time 0 that runs for another time than its walltime.
func late(id int64, run, walltime float64, procs int32) sim.JobSpec {
	return sim.JobSpec{ID: id, RunTime: run, Walltime: walltime, Procs: procs}
}

// TestSlices plays small workloads on 4 nodes of one core; the times follow from
// the intervals in hundred.
func TestSlices(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*timeslice.Slicing)
		jobs   []sim.JobSpec
		want   []string
	}{
		// The medium job does 30 of its 50 s in its first slice and the rest in its
		// next. The long one of 100 s needs all nodes: it does 50 s in its first
		// slice, 10 s between the end of the medium job and the end of that slice,
		// and 40 s in its second.
		{"preempted on the same nodes", func(*timeslice.Slicing) {}, []sim.JobSpec{job(1, 0, 50, 2), job(2, 0, 100, 4)}, []string{
			"10 start 1 on 0-1", "40 preempt 1 on 0-1", "50 start 2 on 0-3", "100 preempt 2 on 0-3",
			"110 resume 1 on 0-1", "130 end 1 on 0-1", "130 resume 2 on 0-3", "140 preempt 2 on 0-3", "150 resume 2 on 0-3", "190 end 2 on 0-3"}},
		{"nothing for others", func(p *timeslice.Slicing) { p.OtherClasses = "off" }, []sim.JobSpec{job(1, 0, 50, 2), job(2, 0, 100, 4)},
			[]string{
				"10 start 1 on 0-1", "40 preempt 1 on 0-1", "50 start 2 on 0-3", "100 preempt 2 on 0-3",
				"110 resume 1 on 0-1", "130 end 1 on 0-1", "150 resume 2 on 0-3", "200 end 2 on 0-3"}},
		// A short job takes the node that the long slice leaves idle.
		{"short job in a long slice", func(*timeslice.Slicing) {}, []sim.JobSpec{job(1, 45, 60, 3), job(2, 60, 5, 1)}, []string{
			"50 start 1 on 0-2", "60 start 2 on 3", "65 end 2 on 3", "100 preempt 1 on 0-2", "110 resume 1 on 0-2", "120 end 1 on 0-2"}},
		// It is preempted with the slice, and resumed on its node beside the medium
		// job in the next one.
		{"short job preempted", func(*timeslice.Slicing) {}, []sim.JobSpec{job(1, 45, 60, 3), job(2, 97, 5, 1), job(3, 101, 30, 3)}, []string{
			"50 start 1 on 0-2", "97 start 2 on 3", "100 preempt 1 on 0-2", "100 preempt 2 on 3",
			"110 start 3 on 0-2", "110 resume 2 on 3", "112 end 2 on 3", "140 end 3 on 0-2", "150 resume 1 on 0-2", "160 end 1 on 0-2"}},
		// Beside the medium job 2 it cannot be resumed. Nodes 2 and 3 are idle, and the long job takes one of them.
		{"short job preempted on nodes that others take", func(*timeslice.Slicing) {}, []sim.JobSpec{
			job(1, 97, 5, 4), job(2, 101, 30, 2), job(3, 105, 60, 1)}, []string{
			"97 start 1 on 0-3", "100 preempt 1 on 0-3", "110 start 2 on 0-1", "110 start 3 on 2", "140 end 2 on 0-1", "140 preempt 3 on 2",
			"150 resume 3 on 2", "180 end 3 on 2", "180 resume 1 on 0-3", "182 end 1 on 0-3"}},
		// With a slice of 20 s for short jobs that wait at an interval's start, the
		// other 80 s are divided: medium from 120 to 152, long from 152 on.
		{"short slice", func(p *timeslice.Slicing) { p.ShortSlice = 20 }, []sim.JobSpec{job(1, 45, 60, 4), job(2, 60, 5, 1)}, []string{
			"50 start 1 on 0-3", "100 preempt 1 on 0-3", "110 start 2 on 0", "115 end 2 on 0", "115 resume 1 on 0-3", "120 preempt 1 on 0-3",
			"130 resume 1 on 0-3", "135 end 1 on 0-3"}},
		// Rounding sets the planned end of job 1 behind its end.
		{"idle nodes after an end that was rounded", func(*timeslice.Slicing) {}, []sim.JobSpec{job(1, 30, 17.3, 4), job(2, 112, 5, 1)}, []string{
			"30 start 1 on 0-3", "40 preempt 1 on 0-3", "50 resume 1 on 0-3", "57.3 end 1 on 0-3", "112 start 2 on 0", "117 end 2 on 0"}},
		// A short job that comes to an empty machine at an interval's start counts in it.
		{"short slice from an empty machine", func(p *timeslice.Slicing) { p.ShortSlice, p.OtherClasses = 20, "off" }, []sim.JobSpec{
			job(1, 0, 5, 1), job(2, 0, 20, 4), job(3, 300, 20, 4), job(4, 300, 5, 1)}, []string{
			"10 start 1 on 0", "15 end 1 on 0", "30 start 2 on 0-3", "50 end 2 on 0-3",
			"310 start 4 on 0", "315 end 4 on 0", "330 start 3 on 0-3", "350 end 3 on 0-3"}},
		// Jobs 1 and 2 run past their walltimes of 6 and 8 s. Job 3 waits for their nodes from 16 s on. That keeps job 4 from
		// none of the idle nodes at 18 s, where the plan has it, though nothing ends then.
		{"planned behind jobs that end late", func(*timeslice.Slicing) {}, []sim.JobSpec{
			late(1, 28, 6, 1), late(2, 25, 8, 1), late(3, 4, 10, 3), job(4, 0, 7, 1)}, []string{
			"10 start 1 on 0", "10 start 2 on 1", "18 start 4 on 2", "25 end 4 on 2", "35 end 2 on 1", "35 start 3 on 1-3",
			"38 end 1 on 0", "39 end 3 on 1-3"}},
		// Jobs 1 and 2 end early at 11 s. The compression then reaches jobs 3 and 4. Job 5 was planned behind job 4, beyond the reach. It
		// starts with them.
		{"planned beyond the reach", func(p *timeslice.Slicing) { p.Reach = 3 }, []sim.JobSpec{
			late(1, 1, 20, 2), late(2, 1, 40, 2), job(3, 0, 20, 1), job(4, 0, 6, 1), job(5, 0, 15, 1)}, []string{
			"10 start 1 on 0-1", "10 start 2 on 2-3", "11 end 1 on 0-1", "11 end 2 on 2-3", "11 start 3 on 0", "11 start 4 on 1", "11 start 5 on 2",
			"17 end 4 on 1", "26 end 5 on 2", "31 end 3 on 0"}},
		// A medium job waits for the long one that has its slice's nodes, or has it
		// preempted.
		{"waits", func(*timeslice.Slicing) {}, []sim.JobSpec{job(1, 15, 60, 3), job(2, 20, 10, 2)}, []string{
			"15 start 1 on 0-2", "40 preempt 1 on 0-2", "50 resume 1 on 0-2", "85 end 1 on 0-2", "85 start 2 on 0-1", "95 end 2 on 0-1"}},
		{"yields", func(p *timeslice.Slicing) { p.Yield = true }, []sim.JobSpec{job(1, 15, 60, 3), job(2, 20, 10, 2)}, []string{
			"15 start 1 on 0-2", "20 preempt 1 on 0-2", "20 start 2 on 0-1", "30 end 2 on 0-1", "30 resume 1 on 0-2", "40 preempt 1 on 0-2",
			"50 resume 1 on 0-2", "95 end 1 on 0-2"}},
		// Job 1 ends 7 s early. Jobs 2 and 4 move to that moment, and job 3 from 28 to 25, the planned end of job 4 before
		// it moved. Nothing ends at 25.
		{"planned for a time at which nothing ends", func(*timeslice.Slicing) {}, []sim.JobSpec{
			{ID: 1, RunTime: 1, Walltime: 8, Procs: 4}, job(2, 0, 10, 1), job(3, 0, 6, 4), job(4, 0, 7, 1)}, []string{
			"10 start 1 on 0-3", "11 end 1 on 0-3", "11 start 2 on 0", "11 start 4 on 1", "18 end 4 on 1", "21 end 2 on 0",
			"25 start 3 on 0-3", "31 end 3 on 0-3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := hundred()
			c.change(&p)
			var e sim.Engine
			l := &trace{}
			slicetest.Play(t, &e, slicetest.Machine(t, 4, 1), timeslice.New(p), c.jobs, true, simtest.Watch(l))
			if got, want := strings.Join(l.log, "\n"), strings.Join(c.want, "\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestBackfilling: on 4 nodes job 1 has 2 for 100 s. Job 2 needs 3 and can start at 100 s. Job 3 needs all 4 for 10
// s, at 150 s. Job 4 needs 1 for 300 s. Under EASY job 4 starts at once, for job 2 leaves it a node, and job 3 waits
// for it. Conservative backfilling protects job 3 too, so job 4 starts behind it.
func TestBackfilling(t *testing.T) {
	for backfilling, want := range map[string][4]float64{"easy": {0, 100, 300, 0}, "conservative": {0, 100, 150, 160}} {
		p := timeslice.DefaultSlicing
		p.Interval, p.MediumShare, p.ShortSlice, p.Overhead, p.ShortLimit, p.Backfilling = 1e6, .9, 0, 0, 1, backfilling
		var e sim.Engine
		l := starts{}
		slicetest.Play(t, &e, slicetest.Machine(t, 4, 1), timeslice.New(p),
			[]sim.JobSpec{job(1, 0, 100, 2), job(2, 0, 50, 3), job(3, 0, 10, 4), job(4, 0, 300, 1)}, true, simtest.Watch(l))
		for i, w := range want {
			if got := l[int64(i+1)]; !(math.Abs(got-w) <= 1e-6) {
				t.Errorf("%s: job %d starts at %v s, want %v", backfilling, i+1, got, w)
			}
		}
	}
}

// starts remembers when jobs started.
type starts map[int64]float64

func (f starts) Submitted(*sim.View, *sim.Job)   {}
func (f starts) Started(s *sim.View, j *sim.Job) { f[j.ID()] = s.Now() }
func (f starts) Ended(*sim.View, *sim.Job)       {}

// finishes remembers what became of jobs.
type finishes map[int64]float64

func (f finishes) Submitted(*sim.View, *sim.Job) {}
func (f finishes) Started(*sim.View, *sim.Job)   {}
func (f finishes) Ended(s *sim.View, j *sim.Job) { f[j.ID()] = s.Now() }

// promises remembers the estimates that the policy makes at submission.
type promises struct {
	*timeslice.Scheduler
	at map[int64]float64
}

func (p promises) Submitted(s *sim.State, j *sim.Job) {
	p.Scheduler.Submitted(s, j)
	p.at[j.ID()] = s.Now() + p.Of(j).Estimate/p.P.EstimateFactor
}

// TestEstimatesAreExact: where classes do not help each other out, estimates of
// run times are exact and there are no short jobs, nothing is left to chance: the
// response time estimated at submission, which is placed into the kept plan, is
// what a full simulation of the class's queue gives. Here the run itself is that
// simulation.
func TestEstimatesAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := hundred()
		p.OtherClasses, p.ShortLimit = "off", .1
		policy := promises{timeslice.New(p), map[int64]float64{}}
		jobs := make([]sim.JobSpec, rapid.IntRange(1, 40).Draw(t, "jobs"))
		submit := 0.0
		for i := range jobs {
			submit += max(0, rapid.Float64Range(-30, 60).Draw(t, "gap"))
			jobs[i] = job(int64(i+1), submit, rapid.Float64Range(1, 90).Draw(t, "run"), int32(rapid.IntRange(1, 24).Draw(t, "procs")))
			jobs[i].Traits = slowdowns.Slowdowns{Node: rapid.Float64Range(.9, 1.4).Draw(t, "node"),
				Core: rapid.Float64Range(1, 1.7).Draw(t, "core")}.Traits()
		}
		var e sim.Engine
		done := finishes{}
		slicetest.Play(t, &e, slicetest.Machine(t, 6, 4), policy, jobs, true, simtest.Watch(done))
		for id, want := range policy.at {
			if !(math.Abs(done[id]-want) <= 1e-6) {
				t.Fatalf("job %d was expected to end at %v s and ended at %v s", id, want, done[id])
			}
		}
	})
}

// TestDelaysOfMeasuredJobs: a run-up that waits does not change the delay factors of the measured jobs.
func TestDelaysOfMeasuredJobs(t *testing.T) {
	var all []string
	for _, part := range []sim.Part{sim.Measured, sim.RunUp} {
		jobs := []sim.JobSpec{job(1, 0, 45, 4), job(2, 0, 200, 4), job(3, 1000, 50, 2), job(4, 1000, 100, 4)}
		if jobs[0].Part, jobs[1].Part = part, part; part == sim.Measured {
			jobs = jobs[2:]
		}
		var e sim.Engine
		policy := timeslice.New(hundred())
		slicetest.Play(t, &e, slicetest.Machine(t, 4, 1), policy, jobs, true)
		all = append(all, fmt.Sprintf("%.9g", policy.Values(nil)))
	}
	if all[0] != all[1] {
		t.Errorf("without a run-up %s, with one %s", all[0], all[1])
	}
}
