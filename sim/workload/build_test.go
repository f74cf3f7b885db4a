package workload_test

import (
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/workload"
	"schedsweep/sim/workload/swf"
)

// make1 builds a workload of a kind from its defaults after a change.
func make1[P any](t testing.TB, kind string, in workload.Input, change func(*P)) workload.Workload {
	t.Helper()
	w, err := tryMake(t, kind, in, change)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func tryMake[P any](t rapid.TB, kind string, in workload.Input, change func(*P)) (workload.Workload, error) {
	t.Helper()
	k, ok := workload.Kinds.Get(kind)
	if !ok {
		t.Fatalf("there is no kind %q", kind)
	}
	p := k.Params.(P)
	if change != nil {
		change(&p)
	}
	return k.New(&p, in)
}

// drain reads all jobs of a source.
func drain(t testing.TB, src sim.Source) []sim.JobSpec {
	t.Helper()
	jobs, err := readAll(src)
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

func readAll(src sim.Source) ([]sim.JobSpec, error) {
	var jobs []sim.JobSpec
	for {
		var j sim.JobSpec
		ok, err := src.Next(&j)
		if !ok || err != nil {
			return jobs, err
		}
		jobs = append(jobs, j)
	}
}

func seed(n uint64) workload.Input {
	return workload.Input{Streams: sim.Streams{Root: n}}
}

// withLog is an input whose one log is l.
func withLog(n uint64, l *swf.Log) workload.Input {
	in := seed(n)
	in.Log = func(string) (*swf.Log, error) { return l, nil }
	return in
}
