// Package contract is the suite that every kind of workload passes, at seeds at
// random:
//
//   - jobs come in order of submission and are such as the engine takes: times at
//     least 0 and finite, walltimes above 0, at least one processor;
//   - a workload can be read again and again, also by two sources in turns, and
//     is the same when it is made anew;
//   - a source that has come to its end stays there;
//   - where jobs wait for others, each is submitted once at most, at the time of the end that it waited for or later.
//     Two passes that hear of the same ends give the same jobs;
//   - its parameters are not changed.
//
// The kinds of package workload are tested with their default parameters. The
// package is for tests only. It says nothing about whether the jobs are as
// published: that is for the tests against reference answers.
package contract

import (
	"fmt"
	"math"
	"slices"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"schedsweep/sim"
	"schedsweep/sim/simtest"
	"schedsweep/sim/workload"
)

// enough is the number of jobs of a workload that are examined.
const enough = 300

// Test checks the workload that newWorkload makes from params and what in gives
// but for its streams; name is for messages.
func Test(t rapid.TB, name string, params any, in workload.Input,
	newWorkload func(params any, in workload.Input) (workload.Workload, error)) {
	t.Helper()
	before := fmt.Sprintf("%+v", params)
	rapid.Check(t, func(t *rapid.T) {
		in.Streams = sim.Streams{Root: rapid.Uint64().Draw(t, "seed"), Replication: uint64(rapid.IntRange(0, 3).Draw(t, "replication"))}
		build := func() workload.Workload {
			w, err := newWorkload(params, in)
			if err != nil {
				t.Fatalf("workload %s: %v", name, err)
			}
			return w
		}
		w := build()
		one, two := w.Source(), w.Source()
		var first, second []sim.JobSpec
		for len(first) < enough {
			a, b := next(t, one), next(t, two)
			if a != nil {
				first = append(first, *a)
			}
			if b != nil {
				second = append(second, *b)
			}
			if a == nil && b == nil {
				break
			}
		}
		if len(first) == 0 {
			t.Fatalf("workload %s has no jobs", name)
		}
		if !cmp.Equal(first, second) {
			t.Fatalf("two sources read in turns differ:\n%s", cmp.Diff(first, second))
		}
		if again := read(t, w.Source()); !cmp.Equal(first, again) {
			t.Fatalf("read again it differs:\n%s", cmp.Diff(first, again))
		}
		if again := read(t, build().Source()); !cmp.Equal(first, again) {
			t.Fatalf("made anew it differs:\n%s", cmp.Diff(first, again))
		}
		if n := w.Info().Jobs; n > 0 && len(first) != min(n, enough) {
			t.Fatalf("it promises %d jobs and has %d", n, len(first))
		}
		check(t, first)
		if d := w.Info().Dependencies; d != nil {
			respond(t, read(t, w.Source()), d)
		}
	})
	if after := fmt.Sprintf("%+v", params); after != before {
		t.Errorf("workload %s has changed its parameters from %s to %s", name, before, after)
	}
}

// next is the source's next job, nil at its end, which must be one.
func next(t *rapid.T, src sim.Source) *sim.JobSpec {
	t.Helper()
	var j sim.JobSpec
	ok, err := src.Next(&j)
	if err != nil {
		t.Fatal(err)
	}
	if ok {
		return &j
	}
	if again, err := src.Next(&j); again || err != nil {
		t.Fatalf("a source that has come to its end has more: %v", err)
	}
	return nil
}

func read(t *rapid.T, src sim.Source) []sim.JobSpec {
	t.Helper()
	var jobs []sim.JobSpec
	for len(jobs) < enough {
		j := next(t, src)
		if j == nil {
			break
		}
		jobs = append(jobs, *j)
	}
	return jobs
}

// check checks that the engine takes the jobs.
func check(t *rapid.T, jobs []sim.JobSpec) {
	t.Helper()
	last := 0.0
	for _, j := range jobs {
		for _, f := range []float64{j.Submit, j.RunTime, j.Walltime, j.Flops, j.Bytes} {
			if !(f >= 0) || math.IsInf(f, 1) {
				t.Fatalf("job %d has a number that is negative or not finite: %+v", j.ID, j)
			}
		}
		if j.Submit < last || j.Walltime == 0 || j.Procs < 1 || j.Home < 0 {
			t.Fatalf("job %d comes before its predecessor (%g s), or has no walltime, processors or home: %+v", j.ID, last, j)
		}
		last = j.Submit
	}
}

// respond plays jobs that wait for others on a machine without bounds, where one that
// runs ends or the next comes.
func respond(t *rapid.T, jobs []sim.JobSpec, d *workload.Dependencies) {
	t.Helper()
	one, two := d.Source(jobs).(sim.Responsive), d.Source(jobs).(sim.Responsive)
	var running []sim.JobSpec
	seen, now, next := map[int32]bool{}, 0.0, nextOf(t, one, two, 0)
	for next != nil || len(running) > 0 {
		if next != nil && (len(running) == 0 || rapid.Bool().Draw(t, "comes")) {
			if seen[next.Record] {
				t.Fatalf("job %d comes twice", next.ID)
			}
			seen[next.Record], now = true, max(now, next.Submit)
			running, next = append(running, *next), nextOf(t, one, two, next.Submit)
			continue
		}
		k := rapid.IntRange(0, len(running)-1).Draw(t, "ends")
		if now += float64(rapid.IntRange(0, 1000).Draw(t, "after")); next != nil {
			now = min(now, next.Submit)
		}
		j := simtest.NewJob(running[k], int64(len(seen)))
		*simtest.Field[sim.JobState](j, "state") = rapid.SampledFrom([]sim.JobState{sim.Finished, sim.Rejected}).Draw(t, "state")
		running = slices.Delete(running, k, k+1)
		comes := one.Ended(j, now)
		if two.Ended(j, now) != comes {
			t.Fatalf("after the end of job %d one pass has jobs that come of it and the other has none", j.ID())
		}
		if comes {
			next = nextOf(t, one, two, now)
		}
	}
}

// nextOf is the next job of both passes, nil where there is none now.
func nextOf(t *rapid.T, one, two sim.Source, now float64) *sim.JobSpec {
	t.Helper()
	var a, b sim.JobSpec
	more, err := one.Next(&a)
	again, err2 := two.Next(&b)
	if err != nil || err2 != nil || more != again || !cmp.Equal(a, b) {
		t.Fatalf("two passes that hear of the same ends differ: %+v (%v, %v), %+v (%v, %v)", a, more, err, b, again, err2)
	}
	if !more {
		return nil
	}
	if a.Submit < now {
		t.Fatalf("job %d comes at %g, before the end or the submission at %g", a.ID, a.Submit, now)
	}
	return &a
}
