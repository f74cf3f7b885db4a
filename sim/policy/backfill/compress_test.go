package backfill_test

import (
	"context"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// planner is a policy that says what it plans.
type planner interface {
	sim.Policy
	Planned(j *sim.Job) float64
}

// traced wraps a policy and keeps, for each pass, its moment and a hash of the
// planned starts of all that wait after it.
type traced struct {
	planner
	waiting []*sim.Job
	passes  []trace
}

type trace struct {
	now  float64
	hash uint64
}

func (w *traced) Submitted(s *sim.State, j *sim.Job) {
	w.waiting = append(w.waiting, j)
	w.planner.Submitted(s, j)
}

func (w *traced) Woken(s *sim.State) {
	if p, ok := w.planner.(sim.Woken); ok {
		p.Woken(s)
	}
}

func (w *traced) Pass(s *sim.State) {
	w.planner.Pass(s)
	h := fnv.New64a()
	var b [16]byte
	kept := w.waiting[:0]
	for _, j := range w.waiting {
		if j.State() == sim.Waiting {
			kept = append(kept, j)
			at := math.Float64bits(w.Planned(j))
			for i := range 8 {
				b[i], b[8+i] = byte(j.Seq()>>(8*i)), byte(at>>(8*i))
			}
			h.Write(b[:])
		}
	}
	w.waiting = kept
	w.passes = append(w.passes, trace{s.Now(), h.Sum64()})
}

// keys are the orders that the full loop knows.
var keys = map[string]func(j *sim.Job, now float64) float64{
	"fcfs": func(*sim.Job, float64) float64 { return 0 },
	"sjf":  func(j *sim.Job, _ float64) float64 { return j.Walltime() },
	"wfp3": func(j *sim.Job, now float64) float64 {
		w := (now - j.Submit()) / j.Walltime()
		return -w * w * w * float64(j.Procs())
	},
}

// always has no sessions.
func always(float64, float64) (bool, float64) { return true, math.Inf(1) }

// fatal is the common part of the two kinds of tests.
type fatal interface {
	Helper()
	Fatalf(string, ...any)
}

// sameAsFullLoop runs the jobs under both and compares every start and, after
// every pass, every planned start. It returns the number of passes.
func sameAsFullLoop(ft fatal, p sim.Policy, machine *sim.Platform, order, event string, kill bool,
	may func(t, walltime float64) (bool, float64), jobs []sim.JobSpec) int {
	ft.Helper()
	o, err := sim.EventOrderByName(event)
	if err != nil {
		ft.Fatalf("%v", err)
	}
	play := func(p planner) ([]trace, []float64) {
		w, r := &traced{planner: p}, &recorder{}
		var e sim.Engine
		if _, err := e.Run(context.Background(), sim.Config{Platform: machine, Source: simtest.Source(jobs), Policy: w,
			Progress: progress.Isolated{}, Observers: []sim.Observer{simtest.Watch(r)}, Order: o, KillAtWalltime: kill}); err != nil {
			ft.Fatalf("%v", err)
		}
		return w.passes, r.starts
	}
	want, wantStarts := play(&fullLoop{key: keys[order], may: may})
	got, starts := play(p.(planner))
	for i := range min(len(want), len(got)) {
		if got[i] != want[i] {
			ft.Fatalf("%s, %s, kill %v: pass %d at %g s leaves another plan than the full loop's at %g s", order, event, kill, i, got[i].now,
				want[i].now)
		}
	}
	if len(got) != len(want) {
		ft.Fatalf("%d passes, the full loop has %d", len(got), len(want))
	}
	for i := range wantStarts {
		if starts[i] != wantStarts[i] {
			ft.Fatalf("job %d starts at %g s, in the full loop at %g s", i, starts[i], wantStarts[i])
		}
	}
	return len(got)
}

var inShifts = calendarOf(shifts, 60)

// TestCompressionEqualsFullLoop draws jobs of few kinds and of many, in bursts,
// with exact and loose estimates and some that are too short, with and without sessions.
func TestCompressionEqualsFullLoop(t *testing.T) {
	policies := map[string]sim.Policy{}
	for order := range keys {
		policies[order] = policy(t, "conservative", conservativeParams(backfill.Order(order)))
		p := parts{backfill.Ordered{Order: backfill.Order(order)}, backfill.Placed{Placement: "any", Sessions: shifts}, "plain"}
		policies[order+" in sessions"] = policy(t, "conservative", p.of("conservative"))
	}
	machines := make([]*sim.Platform, 33)
	for i := 1; i < len(machines); i++ {
		machines[i] = simtest.Machine(t, i)
	}
	rapid.Check(t, func(t *rapid.T) {
		order := rapid.SampledFrom([]string{"fcfs", "sjf", "wfp3"}).Draw(t, "order")
		event := rapid.SampledFrom([]string{"default", "pyss", "cbf2015"}).Draw(t, "event order")
		kill := event == "pyss" || rapid.Bool().Draw(t, "kill")
		procs := rapid.IntRange(1, 32).Draw(t, "procs")
		unit := rapid.SampledFrom([]float64{1, 0.1, 1.0 / 3}).Draw(t, "unit")
		kind := rapid.Custom(func(t *rapid.T) sim.JobSpec {
			wall := unit * float64(rapid.IntRange(1, 60).Draw(t, "walltime"))
			return sim.JobSpec{Walltime: wall, Procs: int32(rapid.IntRange(1, procs).Draw(t, "procs"))}
		})
		kinds := rapid.SliceOfN(kind, 1, 8).Draw(t, "kinds")
		jobs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) sim.JobSpec {
			j := rapid.OneOf(rapid.SampledFrom(kinds), kind).Draw(t, "kind")
			j.RunTime = j.Walltime * float64(rapid.IntRange(0, 12).Draw(t, "tenths of the walltime")) / 10
			j.Submit = unit * max(0, float64(rapid.IntRange(-20, 10).Draw(t, "gap")))
			return j
		}), 1, 120).Draw(t, "jobs")
		for i := range jobs[1:] {
			jobs[i+1].Submit += jobs[i].Submit
		}
		name, may := order, always
		if event != "pyss" && unit == 1 && rapid.Bool().Draw(t, "sessions") {
			name, may = order+" in sessions", inShifts.may
		}
		sameAsFullLoop(t, policies[name], machines[procs], order, event, kill, may, jobs)
	})
}

// TestCompressionOfLogsEqualsFullLoop takes the beginning of each log with four
// kinds of estimates: its own, 1 to 10 times the run time, the next of a few
// values that people choose (as in D. Tsafrir, Y. Etsion, D. G. Feitelson,
// "Modeling user runtime estimates", JSSPP 2005), and 0.5 to 3 times without the
// kill, so that jobs overrun them. Arrivals are moved together so that jobs wait.
func TestCompressionOfLogsEqualsFullLoop(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	paths, err := filepath.Glob(filepath.Join(simtest.Data(t), "*.swf.gz"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d logs: %v", len(paths), err)
	}
	most := simtest.Cases(600, 1500)
	modes := []float64{60, 300, 900, 1800, 3600, 7200, 14400, 28800, 43200, 64800, 86400, 259200}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			var log []sim.JobSpec
			records, procs := readSWF(t, path)
			if procs == 0 {
				procs = 256
			}
			for _, r := range records {
				if n := max(r[7], r[4]); n > 0 && n <= float64(procs) && r[3] > 0 && len(log) < most {
					log = append(log, sim.JobSpec{ID: int64(r[0]), Submit: r[1], RunTime: r[3], Walltime: max(r[3], r[8]), Procs: int32(n)})
				}
			}
			if len(log) < most {
				t.Fatalf("%d jobs only", len(log))
			}
			rng := rand.New(rand.NewPCG(3, 4))
			machine := simtest.Machine(t, procs)
			estimates := map[string]func(run, own float64) float64{
				"own":    func(_, own float64) float64 { return own },
				"factor": func(run, _ float64) float64 { return run * (1 + 9*rng.Float64()) },
				"modes": func(run, _ float64) float64 {
					i := 0
					for i < len(modes) && (modes[i] < run || rng.IntN(2) == 0) {
						i++
					}
					return max(run, modes[min(i, len(modes)-1)])
				},
				"overrun": func(run, _ float64) float64 { return run * (0.5 + 2.5*rng.Float64()) },
			}
			work := 0.0
			for _, j := range log {
				work += j.RunTime * float64(j.Procs)
			}
			// As if the machine could just do it all by the last arrival.
			squeeze := min(1, work/float64(procs)/max(1, log[most-1].Submit-log[0].Submit))
			passes := 0
			for _, name := range []string{"own", "factor", "modes", "overrun"} {
				jobs := append([]sim.JobSpec(nil), log...)
				for i := range jobs {
					j := &jobs[i]
					j.Submit, j.Walltime = math.Round((j.Submit-log[0].Submit)*squeeze), estimates[name](j.RunTime, j.Walltime)
				}
				for _, event := range []string{"default", "pyss", "cbf2015"} {
					if kill := name != "overrun"; kill || event != "pyss" {
						passes += sameAsFullLoop(t, policy(t, "conservative", conservativeParams("fcfs")), machine, "fcfs", event, kill, always, jobs)
					}
				}
			}
			t.Logf("compared the plans after %d passes", passes)
		})
	}
}
