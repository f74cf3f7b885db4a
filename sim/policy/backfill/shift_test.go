package backfill_test

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	diff "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/audit"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/power"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// eligible returns the time at which a job may enter the queue, by a look at each second: values are those of the seconds from 0 on.
func eligible(values []float64, j *sim.JobSpec, most int) float64 {
	mean := func(t int) float64 {
		sum := 0.
		for at := t; at < t+int(j.Walltime); at++ {
			if at >= len(values) {
				return math.NaN()
			}
			sum += values[at]
		}
		return sum
	}
	best := int(j.Submit)
	for t := best; t <= int(j.Submit)+most; t++ {
		if mean(t) < mean(best) {
			best = t
		}
	}
	return float64(best)
}

// drawShift draws a tariff, the values of its seconds, and the parameters of a shift: user 1 has a bound of its own.
func drawShift(t *rapid.T) (steps *power.Steps, values []float64, shift backfill.Shifted, most func(*sim.JobSpec) int) {
	var from, value []float64
	for range rapid.IntRange(1, 12).Draw(t, "steps") {
		from, value = append(from, float64(len(values))), append(value, float64(rapid.IntRange(-3, 5).Draw(t, "value")))
		for range rapid.IntRange(1, 30).Draw(t, "length") {
			values = append(values, value[len(value)-1])
		}
	}
	all, own := rapid.IntRange(1, 60).Draw(t, "most"), rapid.IntRange(0, 60).Draw(t, "own")
	shift.Shift = backfill.Shift{By: rapid.SampledFrom([]string{"carbon", "price"}).Draw(t, "by"), AtMost: float64(all),
		Classes: []backfill.Class{{Of: backfill.Who{User: "1"}, AtMost: float64(own)}}}
	return power.NewSteps(from, value, float64(len(values))), values, shift, func(j *sim.JobSpec) int {
		if j.User == 1 {
			return own
		}
		return all
	}
}

// shiftedStarts plays jobs under an audit and returns their starts by their numbers, NaN for jobs that never start.
func shiftedStarts(t testing.TB, policy sim.Policy, on *sim.Platform, kill bool, jobs []sim.JobSpec,
	events ...sim.Outage) []float64 {
	starts := make([]float64, len(jobs))
	for i := range starts {
		starts[i] = math.NaN()
	}
	seen, books := simtest.Outcomes{}, audit.New(on)
	books.Watch(policy)
	books.Expect(on, events, nil)
	if _, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Source: simtest.Source(jobs), Policy: policy,
		Progress: progress.Isolated{}, KillAtWalltime: kill, Outages: events,
		Observers: []sim.Observer{simtest.Watch(&seen), books}}); err != nil {
		t.Fatal(err)
	}
	if err := books.Verdict(true); err != nil {
		t.Fatal(err)
	}
	for _, o := range seen {
		if o.Start >= 0 {
			starts[o.ID] = o.Start
		}
	}
	return starts
}

// shiftedParams are parameters of easy or conservative.
func shiftedParams(name string, order backfill.Order, shift backfill.Shifted) any {
	if name == "easy" {
		p := easyParams(order).(*backfill.EasyParams)
		p.Shifted = shift
		return p
	}
	p := conservativeParams(order).(*backfill.ConservativeParams)
	p.Shifted = shift
	return p
}

// TestShift compares the starts of delayed jobs with a plain simulation. There a job arrives when it is eligible, and keeps its
// place by submission in the queue.
func TestShift(t *testing.T) {
	for name, pass := range map[string]func(*reference, []*refJob){"easy": easy, "conservative": conservative} {
		t.Run(name, func(t *testing.T) {
			delayed := 0
			rapid.Check(t, func(rt *rapid.T) {
				procs, kill := rapid.IntRange(1, 8).Draw(rt, "procs"), name == "conservative" || rapid.Bool().Draw(rt, "kill")
				jobs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) sim.JobSpec {
					run := float64(rapid.IntRange(0, 20).Draw(t, "run"))
					return sim.JobSpec{Submit: max(0, float64(rapid.IntRange(-5, 8).Draw(t, "gap"))), RunTime: run,
						Walltime: max(1, run, float64(rapid.IntRange(0, 30).Draw(t, "walltime"))), User: int32(rapid.IntRange(0, 2).Draw(t, "user")),
						Procs: int32(rapid.IntRange(1, procs).Draw(t, "procs"))}
				}), 1, 40).Draw(rt, "jobs")
				for i := range jobs[1:] {
					jobs[i+1].Submit += jobs[i].Submit
					jobs[i+1].ID = int64(i + 1)
				}
				steps, values, shift, most := drawShift(rt)
				on := simtest.Machine(t, procs)
				on.Clusters[0].Power = power.Node{Idle: 1, Busy: 2}
				on.Tariffs[map[string]power.Tariff{"carbon": power.Carbon, "price": power.Price}[shift.Shift.By]] = steps
				late := slices.Clone(jobs)
				for i := range late {
					if late[i].Submit = eligible(values, &jobs[i], most(&jobs[i])); late[i].Submit > jobs[i].Submit {
						delayed++
					}
				}
				slices.SortStableFunc(late, func(a, b sim.JobSpec) int { return cmp.Compare(a.Submit, b.Submit) })
				bySubmission := func(r *reference, fresh []*refJob) {
					order := func(a, b *refJob) int { return cmp.Compare(a.ID, b.ID) }
					if name == "easy" {
						r.waiting, fresh = append(r.waiting, fresh...), nil
					}
					slices.SortFunc(r.waiting, order)
					pass(r, fresh)
					slices.SortFunc(r.waiting, order)
				}
				want := make([]float64, len(jobs))
				for i, start := range (&reference{procs: procs}).play(late, kill, bySubmission) {
					want[late[i].ID] = start
				}
				if got := shiftedStarts(t, policy(t, name, shiftedParams(name, "fcfs", shift)), on, kill, jobs); !slices.Equal(got, want) {
					rt.Fatalf("kill %v: starts\n%v, want\n%v", kill, got, want)
				}
			})
			if delayed == 0 {
				t.Error("no job was delayed")
			}
		})
	}
}

// TestShiftedJobsComeLater compares, on node classes with events, caps and nodes that are switched off, runs with delays and runs of jobs
// that are submitted when they are eligible. Queues are in an order that does not depend on submissions.
func TestShiftedJobsComeLater(t *testing.T) {
	later := 0
	n := uint64(0)
	rapid.Check(t, func(rt *rapid.T) {
		n++
		r := rand.New(rand.NewPCG(n, 38))
		c := drawCapped(t, r)
		if r.IntN(2) == 0 {
			c.on.Cap = nil
		}
		if r.IntN(2) == 0 {
			c.events, c.on.Off = nil, power.SwitchOff{On: true, After: float64(r.IntN(6))}
			for i := range c.on.Clusters {
				w := &c.on.Clusters[i].Power
				w.Boot = power.Transition{Time: float64(r.IntN(5)), Power: w.Idle}
				w.Shutdown = power.Transition{Time: float64(r.IntN(3)), Power: w.Idle}
			}
		}
		steps, values, shift, most := drawShift(rt)
		c.on.Tariffs = [power.Tariffs]*power.Steps{steps, steps}
		for i, w := range r.Perm(len(c.jobs)) {
			c.jobs[i].ID, c.jobs[i].Walltime = int64(i), float64(w+1)
		}
		late := slices.Clone(c.jobs)
		for i := range late {
			late[i].Submit = eligible(values, &c.jobs[i], most(&c.jobs[i]))
		}
		slices.SortStableFunc(late, func(a, b sim.JobSpec) int { return cmp.Compare(a.Submit, b.Submit) })
		name := []string{"easy", "conservative"}[r.IntN(2)]
		play := func(jobs []sim.JobSpec, shift backfill.Shifted) []float64 {
			return shiftedStarts(t, policy(t, name, shiftedParams(name, "sjf", shift)), c.on, true, jobs, c.events...)
		}
		got, want := play(c.jobs, shift), play(late, backfill.Shifted{})
		if d := diff.Diff(want, got, cmpopts.EquateNaNs()); d != "" {
			rt.Fatalf("%s: %s", name, d)
		}
		if !slices.Equal(got, play(c.jobs, backfill.Shifted{})) {
			later++
		}
	})
	if later == 0 {
		t.Error("no case differs from the one without delays")
	}
}
