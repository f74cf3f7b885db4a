package workload_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/policy/queue"
	"schedsweep/sim/simtest"
	"schedsweep/sim/workload"
	"schedsweep/sim/workload/swf"
)

// users draws a log with recorded waits, and the parameters to draw from it.
func users(t *rapid.T) (*swf.Log, func(*workload.LogParams)) {
	text, at := "; UnixStartTime: 1000000000\n; TimeZone: 0\n; MaxProcs: 16\n", 0
	for i := range rapid.IntRange(1, 60).Draw(t, "jobs") {
		at += rapid.OneOf(rapid.IntRange(0, 600), rapid.IntRange(0, 9*24*3600)).Draw(t, "gap")
		run := rapid.IntRange(1, 40_000).Draw(t, "run time")
		text += fmt.Sprintf("%d %d %d %d 4 -1 -1 %d %d -1 1 %d 1 1 1 1 -1 -1\n", i+1, at, rapid.IntRange(1, 40_000).Draw(t, "wait"), run,
			rapid.IntRange(1, 16).Draw(t, "processors"), run, rapid.IntRange(-1, 4).Draw(t, "user"))
	}
	cycle := rapid.SampledFrom([]string{"week", "day"}).Draw(t, "cycle")
	return parsed(t, text), func(p *workload.LogParams) {
		p.Path, p.Replicate.By, p.Replicate.Weeks, p.Replicate.Feedback, p.Replicate.Cycle = "l.swf", "user", 8, "think-time", cycle
		p.Replicate.AllowFew = true
	}
}

// TestFeedbackNull: where every job waits and runs as the log says, drawn users submit
// with feedback what they submit without, to the second.
func TestFeedbackNull(t *testing.T) {
	null := func(t rapid.TB, l *swf.Log, seed uint64, change func(*workload.LogParams)) {
		in := withLog(seed, l)
		in.Procs = 1 << 20 // none is too large, and there is room for all
		w, err := tryMake(t, "swf", in, change)
		if err != nil {
			if strings.Contains(err.Error(), "submit nothing") {
				return
			}
			t.Fatal(err)
		}
		machine := simtest.Machine(t, in.Procs)
		with := played(t, w, machine, &queue.Replay{}, dependent(t, w))
		without := played(t, w, machine, &queue.Replay{}, w.Source())
		if d := cmp.Diff(without, with); d != "" {
			t.Fatalf("jobs (-without +with feedback):\n%s", d)
		}
	}
	t.Run("drawn", rapid.MakeCheck(func(t *rapid.T) {
		l, change := users(t)
		null(t, l, rapid.Uint64().Draw(t, "seed"), change)
	}))
	t.Run("KTH", func(t *testing.T) {
		f, err := os.Open(filepath.Join(simtest.Data(t), "KTH-SP2-1996-2.2.swf.gz"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		l, err := swf.Parse("KTH", f, nil)
		if err != nil {
			t.Fatal(err)
		}
		null(t, l, 1, func(p *workload.LogParams) {
			p.Path, p.Overrun, p.Walltime, p.Replicate.By, p.Replicate.Feedback = "KTH", "keep", "run-time", "user", "think-time"
		})
	})
}

// TestFeedback: on a small machine a batch comes after the end of all jobs of the batch before. It comes its think
// time later, or at its place in the week or day. Jobs keep their distances. Nothing comes after the last week. First
// batches come as drawn. The draws do not depend on feedback.
func TestFeedback(t *testing.T) {
	const gap, weeks = 20 * 60, 8
	rapid.Check(t, func(t *rapid.T) {
		l, change := users(t)
		in := withLog(rapid.Uint64().Draw(t, "seed"), l)
		w, err := tryMake(t, "swf", in, change)
		if err != nil {
			return // no user came
		}
		cycle := 0.0
		plain, err := tryMake(t, "swf", in, func(p *workload.LogParams) {
			change(p)
			cycle = map[string]float64{"week": 7, "day": 1}[p.Replicate.Cycle] * 24 * 3600
			p.Replicate.Feedback, p.Replicate.Cycle = "none", "week"
		})
		if err != nil {
			t.Fatal(err)
		}
		drawn, err := readAll(plain.Source())
		if err != nil {
			t.Fatal(err)
		}
		if same, err := readAll(w.Source()); err != nil || !cmp.Equal(drawn, same) {
			t.Fatalf("feedback changes what is drawn (%v)", err)
		}
		now := map[int64]over{}
		for _, j := range played(t, w, simtest.Machine(t, 16), &queue.FCFS{}, dependent(t, w)) {
			now[j.ID] = j
		}
		type latest struct {
			recorded, end, before, beforeEnd float64 // ends, of the batch and of the one before
			first                            sim.JobSpec
			complete, none                   bool // all of the batch came; nothing comes any more
		}
		of := map[int32]*latest{}
		for _, j := range drawn {
			u := of[j.User]
			if u == nil {
				u = &latest{before: math.NaN(), first: j, complete: true}
				of[j.User] = u
			} else if j.Submit >= u.recorded {
				u.none = u.none || !u.complete
				u.before, u.beforeEnd, u.first = u.recorded, u.end, j
			}
			r := w.Info().Records.Record(j.Record)
			u.recorded = max(u.recorded, j.Submit+r.Wait+j.RunTime)
			got, came := now[j.ID]
			u.end = max(u.end, got.Finish)
			start, think := u.first.Submit, u.first.Submit-u.before
			switch {
			case u.none:
				start = math.Inf(1)
			case think > gap:
				// At the first such time after as many whole cycles as there were.
				for start -= 60 * cycle; start < u.beforeEnd+math.Floor(think/cycle)*cycle; start += cycle {
				}
			case !math.IsNaN(u.before):
				start = u.beforeEnd + think
			}
			want := start + (j.Submit - u.first.Submit)
			if comes := want < weeks*7*24*3600; comes != came || comes && got.Submit != want {
				t.Fatalf("job %d of user %d: submitted at %g (%v), not at %g", j.ID, j.User, got.Submit, came, want)
			}
			u.complete = u.complete && came
		}
	})
}
