package workload_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"testing"

	"schedsweep/sim"
	_ "schedsweep/sim/policy/backfill"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
	"schedsweep/sim/workload"
)

// waitOf adds up the waits of measured jobs, all or by their numbers.
type waitOf struct {
	sim.Quiet
	waits map[int64]float64
}

func (o *waitOf) Ended(_ *sim.View, j *sim.Job) {
	if j.Part() == sim.Measured && j.State() != sim.Rejected {
		o.waits[j.ID()] = j.Start() - j.Submit()
	}
}

// pointerTo is a pointer to a copy of params, as a policy takes them.
func pointerTo(params any) any {
	if params == nil {
		return nil
	}
	v := reflect.New(reflect.TypeOf(params))
	v.Elem().Set(reflect.ValueOf(params))
	return v.Interface()
}

// playLog returns the waits of the measured jobs of a log under a policy.
func playLog(t *testing.T, policy string, procs int, w workload.Workload) map[int64]float64 {
	t.Helper()
	k, _ := sim.Policies.Get(policy)
	p, err := k.New(pointerTo(k.Params), sim.Env{})
	if err != nil {
		t.Fatal(err)
	}
	machine, err := sim.NewPlatform("log's", []sim.Cluster{{Name: "c", Nodes: procs, Cores: 1, Speed: 1}}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	seen := &waitOf{waits: map[int64]float64{}}
	var e sim.Engine
	if _, err := e.Run(context.Background(), sim.Config{Platform: machine, Source: w.Source(), Policy: p, Progress: progress.Isolated{},
		Observers: []sim.Observer{seen}, KillAtWalltime: true}); err != nil {
		t.Fatal(err)
	}
	return seen.waits
}

// TestWindowsWaitAsTheirLog uses windows of 300, 1,000 and 4,000 jobs. With default run-up and run-out, their jobs wait in the mean
// as long as in the whole log, within 2 %. Without them they do not, so that the test can fail.
func TestWindowsWaitAsTheirLog(t *testing.T) {
	type played struct {
		log, policy string
		procs       int
	}
	all := []played{{"KTH-SP2-1996-*.swf.gz", "easy", 100}, {"KTH-SP2-1996-*.swf.gz", "conservative", 100},
		{"SDSC-SP2-filtered.swf.gz", "easy", 128}}
	if testing.Short() || simtest.Cases(0, 1) == 0 { // the others are hundreds of windows
		all = all[:1]
	}
	for _, of := range all {
		l := readLog(t, matching(t, filepath.Join(traces(t), of.log))[0])
		in := withLog(1, l)
		in.Procs = of.procs
		whole := playLog(t, of.policy, of.procs, make1(t, "swf", in, func(p *workload.LogParams) { p.Path = l.Name }))
		for _, size := range []int{300, 1000, 4000} {
			for _, empty := range []bool{false, true} {
				t.Run(fmt.Sprint(l.Name, "/", of.policy, "/", size, map[bool]string{true: "/on an empty machine"}[empty]), func(t *testing.T) {
					windows := len(whole) / size
					ours, theirs, n := 0., 0., 0
					for k := range windows {
						in.Streams.Replication = uint64(k)
						w := make1(t, "swf", in, func(p *workload.LogParams) {
							p.Path, p.Select.Jobs, p.Select.Sample = l.Name, size, "disjoint-windows"
							if empty {
								p.Select.RunUp, p.Select.RunOut = 0, 0
							}
						})
						waits := playLog(t, of.policy, of.procs, w)
						if len(waits) != size {
							t.Fatalf("%d of %d jobs are measured", len(waits), size)
						}
						for id, wait := range waits {
							ours, theirs, n = ours+wait, theirs+whole[id], n+1
						}
					}
					off := 100 * (ours - theirs) / theirs
					t.Logf("%d windows: mean wait %.0f s, in the whole log %.0f s: %+.1f %%", windows, ours/float64(n), theirs/float64(n), off)
					if far := math.Abs(off) > 2; far != empty {
						t.Errorf("%+.1f %% off; it must be at most 2 with run-up and run-out, and more without", off)
					}
				})
			}
		}
	}
}
