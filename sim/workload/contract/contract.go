// Package contract is the suite that every kind of workload passes, at seeds at
// random:
//
//   - jobs come in order of submission and are such as the engine takes: times at
//     least 0 and finite, walltimes above 0, at least one processor;
//   - a workload can be read again and again, also by two sources in turns, and
//     is the same when it is made anew;
//   - a source that has come to its end stays there;
//   - its parameters are not changed.
//
// The kinds of package workload are tested with their default parameters. The
// package is for tests only. It says nothing about whether the jobs are as
// published: that is for the tests against reference answers.
package contract

import (
	"fmt"
	"math"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"schedsweep/sim"
	"schedsweep/sim/workload"
)

// enough is how many jobs of a workload are looked at.
const enough = 300

// Test checks the workload that newWorkload makes from params and what in gives
// but for its streams; name is for messages.
func Test(t rapid.TB, name string, params any, in workload.Input, newWorkload func(params any, in workload.Input) (workload.Workload, error)) {
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
