package scojo

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/sodan2003/shares"
)

// foreseen keeps the plan as it is when the last job has come.
type foreseen struct {
	*Policy
	last   float64
	starts map[int64]float64
}

func (p *foreseen) Pass(s *sim.State) {
	p.Policy.Pass(s)
	if s.Now() == p.last && len(p.starts) == 0 {
		p.sites[0].ahead(s.Now(), nil, func(t *task, at float64) { p.starts[t.job.ID()] = at })
	}
}

// happened notes starts.
type happened map[int64]float64

func (happened) Submitted(*sim.View, *sim.Job)     {}
func (h happened) Started(_ *sim.View, j *sim.Job) { h[j.ID()] = j.Start() }
func (happened) Ended(*sim.View, *sim.Job)         {}

// TestPlanIsWhatHappens: once the last job has come, what the plan says is what
// happens, where estimates are exact; to the millionth, for reservations have some
// slack for rounding.
func TestPlanIsWhatHappens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Defaults()
		p.Classes = Classes{Special: 2, Short: 5, Medium: 8}
		p.Variant = rapid.SampledFrom([]string{"fcfs", "pri", "prico", "pricob"}).Draw(t, "variant")
		if rapid.Bool().Draw(t, "three") {
			p.Level, p.Positions, p.Idle, p.Alone = 3, []float64{.4, .4, .2}, "kept", .48
		}
		p.Join.MinPriority = rapid.SampledFrom([]int{5, 15}).Draw(t, "join")
		p.Aging = rapid.SampledFrom([]float64{0, 7.1003}).Draw(t, "aging") // its steps fall on no end
		machine := simtest.Machine(t, 1)
		jobs := simtest.DrawJobs(t, machine)
		for i := range jobs {
			jobs[i].RunTime += 1 + float64(i)/37 // few ends fall together
			jobs[i].Walltime = jobs[i].RunTime
			jobs[i].Sites = int32(rapid.IntRange(-3, 2).Draw(t, "sites"))
		}
		policy := &foreseen{Policy: New(p), last: jobs[len(jobs)-1].Submit, starts: map[int64]float64{}}
		seen := happened{}
		if _, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: machine, Source: simtest.Source(jobs), Policy: policy,
			Progress: shares.New(shares.Defaults), Observers: []sim.Observer{simtest.Watch(seen)}, MaxEvents: 10000}); err != nil {
			t.Fatal(err)
		}
		for _, j := range jobs {
			id := j.ID
			at, waited := policy.starts[id]
			if !waited {
				continue
			}
			if !(math.Abs(seen[id]-at) <= 1e-6*max(1, at)) {
				t.Fatalf("job %d was planned to start at %.9g s and started at %.9g s", id, at, seen[id])
			}
		}
	})
}
