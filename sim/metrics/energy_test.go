package metrics

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/policy/queue"
	"schedsweep/sim/power"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// TestEnergyOfTheMeasuredTime integrates the power of a machine over the measured time, from the intervals in which jobs ran.
func TestEnergyOfTheMeasuredTime(t *testing.T) {
	const idle, busy, procs = 70. / 2, 230. / 2, 8 // watts of a processor
	machine, err := sim.NewPlatform("powered", []sim.Cluster{{Name: "c", Nodes: 4, Cores: 2, Speed: 1,
		Power: power.Node{Off: 9, Idle: 70, Busy: 230}}}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	machine.Tariffs[power.Carbon] = power.NewSteps([]float64{0, 70}, []float64{2, .5}, math.Inf(1))
	grams := func(from, until float64) float64 { // of a watt
		return 2*max(0, min(until, 70)-from) + .5*max(0, until-max(from, 70))
	}
	rapid.Check(t, func(t *rapid.T) {
		jobs := simtest.DrawJobs(t, machine)
		from := rapid.IntRange(0, len(jobs)-1).Draw(t, "from")
		to := rapid.IntRange(from+1, len(jobs)).Draw(t, "to")
		for i := range jobs {
			switch {
			case i < from:
				jobs[i].Part = sim.RunUp
			case i >= to:
				jobs[i].Part = sim.RunOut
			}
		}
		var c Collector
		c.Reset(published(machine))
		var outcomes simtest.Outcomes
		if _, err := new(sim.Engine).Run(context.Background(), sim.Config{Platform: machine, Source: simtest.Source(jobs),
			Policy: &queue.FCFS{}, Progress: progress.Isolated{}, Observers: []sim.Observer{&c, &outcomes}}); err != nil {
			t.Fatal(err)
		}
		first, until, ofJobs, response := jobs[from].Submit, 0., 0., 0.
		charge, chargedToJobs := 0., 0.
		for i := from; i < to; i++ {
			until = max(until, outcomes[i].Finish)
			ofJobs += busy * float64(jobs[i].Procs) * (outcomes[i].Finish - outcomes[i].Start)
			chargedToJobs += busy * float64(jobs[i].Procs) * grams(outcomes[i].Start, outcomes[i].Finish)
			response += (outcomes[i].Finish - jobs[i].Submit) / float64(to-from)
		}
		if to < len(jobs) {
			until = jobs[to].Submit
		}
		held, peak := 0., 0.
		for i, o := range outcomes {
			held += float64(jobs[i].Procs) * max(0, min(o.Finish, until)-max(o.Start, first))
			charge += busy * float64(jobs[i].Procs) * grams(max(o.Start, first), max(o.Start, first, min(o.Finish, until)))
			at, used := max(o.Start, first), 0. // power rises with starts alone, so its largest value is after one, or at the begin
			for k, p := range outcomes {
				if p.Start <= at && at < p.Finish {
					used += float64(jobs[k].Procs)
				}
			}
			if at < until {
				peak = max(peak, idle*procs+(busy-idle)*used)
			}
		}
		if until == first {
			peak = 0 // the measured time is empty
		}
		time := until - first
		all := held*busy + (procs*time-held)*idle
		want := map[string]float64{"energy": all, "busy_energy": held * busy, "idle_energy": (procs*time - held) * idle, "down_energy": 0,
			"mean_power": all / time, "peak_power": peak, "energy_per_core_hour": all / (held / 3600), "energy_delay_product": all * response,
			"job_energy": ofJobs, "busy_carbon": charge, "unused_carbon": idle * (procs*grams(first, until) - charge/busy),
			"carbon": charge + idle*(procs*grams(first, until)-charge/busy), "job_carbon": chargedToJobs, "cost": math.NaN()}
		for i, v := range c.Values(nil) {
			name := Catalog()[i].Name
			w, ok := want[name]
			if math.IsInf(w, 0) {
				w = math.NaN()
			}
			if ok && (math.IsNaN(w) != math.IsNaN(v) || math.Abs(w-v) > 1e-9*(1+math.Abs(all)+math.Abs(w))) {
				t.Errorf("%s = %v, want %v", name, v, w)
			}
		}
	})
}
