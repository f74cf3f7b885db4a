package input_test

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"schedsweep/harness/input"
	"schedsweep/harness/store/golden"
	"schedsweep/sim"
	"schedsweep/sim/audit"
	"schedsweep/sim/platform"
	"schedsweep/sim/policy/queue"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
	"schedsweep/sim/workload"
	"schedsweep/sim/workload/swf"
)

// TestReplayLogs is the null test of the reader: the recorded starts of every real log
// here, and where the machine has no room for them, in a table. A log's count of
// processors in use is taken a second time from its lines.
func TestReplayLogs(t *testing.T) {
	inputs := input.NewFiles(simtest.Data(t))
	var b strings.Builder
	for _, log := range []string{"KTH-SP2-1996-2.2.swf.gz", "CEA-Curie-2011-2.1-cln.swf.gz", "SDSC-SP2-filtered.swf.gz",
		"LLNL-Atlas-2006-2.1-cln.swf.gz", "NASA-iPSC-1993-3.1-cln.swf.gz"} {
		l, err := inputs.Log(log)
		if err != nil {
			t.Fatal(err)
		}
		kind, _ := workload.Kinds.Get("swf")
		p := kind.Params.(workload.LogParams)
		p.Path, p.Size, p.Overrun = log, "allocated", "keep"
		w, err := kind.New(&p, workload.Input{Log: inputs.Log})
		if err != nil {
			t.Fatal(err)
		}
		machine, err := platform.Build(platform.Params{Processors: w.Info().Procs}, 0)
		if err != nil {
			t.Fatal(err)
		}
		policy, books, seen := &queue.Replay{}, audit.New(machine), &exactStarts{log: l}
		_, err = new(sim.Engine).Run(context.Background(), sim.Config{Platform: machine, Source: w.Source(), Records: w.Info().Records,
			Policy: policy, Progress: progress.Isolated{}, Observers: []sim.Observer{books, simtest.Watch(seen)}})
		if !l.Waits() {
			fmt.Fprintf(&b, "%s: %v\n", log, err)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := books.Verdict(true); err != nil {
			t.Error(err)
		}
		v := policy.Values(nil)
		peak, overload := inUse(l, machine.Procs())
		if v[3] != peak || v[4] != overload {
			t.Errorf("%s: by the policy at most %g processors are in use, too many for %g s; by the log's lines %g and %g", log, v[3], v[4], peak,
				overload)
		}
		if float64(seen.late) != v[0] || seen.early > 0 || seen.late > 0 != (overload > 0) {
			t.Errorf("%s: %d starts late and %d early, %g by the policy, with too many processors in use for %g s", log, seen.late, seen.early, v[0],
				overload)
		}
		fmt.Fprintf(&b, "%s on %d processors: %d starts as recorded, %d late, the first at %g s, by at most %g s; in use at most %g, more "+
			"than there are for %g s\n",
			log, machine.Procs(), seen.exact, seen.late, v[1], v[2], v[3], v[4])
	}
	golden.Check(t, filepath.Join("testdata", "replay.txt"), b.String())
}

// exactStarts compares starts with the log's lines.
type exactStarts struct {
	log                *swf.Log
	exact, late, early int
}

func (*exactStarts) Submitted(*sim.View, *sim.Job) {}
func (*exactStarts) Ended(*sim.View, *sim.Job)     {}
func (o *exactStarts) Started(_ *sim.View, j *sim.Job) {
	r := o.log.At(int(j.Spec().Record) - 1)
	switch at := r.Submit + r.Wait; {
	case r.ID != j.ID():
		panic("the job has another's record")
	case j.Start() == at:
		o.exact++
	case j.Start() > at:
		o.late++
	default:
		o.early++
	}
}

// inUse adds up starts and ends of a log in order of time.
func inUse(l *swf.Log, procs int) (peak, overload float64) {
	type change struct {
		time  float64
		procs int32
	}
	var all []change
	for _, r := range l.Records() {
		if r.RunTime > 0 && r.Allocated > 0 {
			all = append(all, change{r.Submit + r.Wait, r.Allocated}, change{r.Submit + r.Wait + r.RunTime, -r.Allocated})
		}
	}
	slices.SortFunc(all, func(a, b change) int { return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.procs, b.procs)) })
	used, last := 0.0, 0.0
	for _, c := range all {
		if used > float64(procs) {
			overload += c.time - last
		}
		used, last = used+float64(c.procs), c.time
		peak = max(peak, used)
	}
	return peak, overload
}
