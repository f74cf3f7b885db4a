package backfill_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/power"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// server is one node with Poisson arrivals, and what a run of it measures after a warm-up.
type server struct {
	sim.Quiet
	r              *rand.Rand
	rate, mean     float64
	fixed          bool
	jobs, warm     int
	made           int
	at             float64
	response       float64
	from, to       power.Energy
	begin, measure float64
}

func (w *server) Next(j *sim.JobSpec) (bool, error) {
	if w.made == w.jobs {
		return false, nil
	}
	w.made++
	w.at += w.r.ExpFloat64() / w.rate
	run := w.mean
	if !w.fixed {
		run *= w.r.ExpFloat64()
	}
	*j = sim.JobSpec{ID: int64(w.made), Submit: w.at, RunTime: run, Walltime: 1e6, Procs: 1, User: -1}
	return true, nil
}

// Submitted measures states from one arrival to the last one.
func (w *server) Submitted(s *sim.View, j *sim.Job) {
	if j.ID() == int64(w.warm) {
		w.from, w.begin = s.Energy(), s.Now()
	}
	w.to, w.measure = s.Energy(), s.Now()-w.begin
}

func (w *server) Ended(_ *sim.View, j *sim.Job) {
	if j.ID() > int64(w.warm) {
		w.response += (j.Finish() - j.Submit()) / float64(w.jobs-w.warm)
	}
}

// TestServerWithSetUp holds one server with Poisson arrivals, a set-up and switch-off at once against the M/G/1 queue with set-up: the mean
// response is that of M/G/1 plus (2 E[S] + rate E[S^2]) / (2 (1 + rate E[S])), where S is the set-up. While the server does not work it is
// off for 1/rate and boots for E[S] in turn. The set-up and the service are fixed or exponential.
func TestServerWithSetUp(t *testing.T) {
	const mean, setUp = 100., 150.
	replications, within := simtest.Cases(60, 1000), .03
	if replications == 1000 {
		within = .01
	}
	kind, _ := sim.Policies.Get("easy")
	p, err := kind.New(&backfill.EasyParams{Ordered: backfill.Ordered{Order: "fcfs"}, Placed: backfill.Placed{Placement: "any"},
		Rules: "plain"}, sim.Env{})
	if err != nil {
		t.Fatal(err)
	}
	var e sim.Engine
	for _, varies := range []bool{false, true} {
		fixed, squared := varies, setUp*setUp // the service is fixed where the set-up is not
		on, err := sim.NewPlatform("server", []sim.Cluster{{Name: "node", Nodes: 1, Cores: 1, Speed: 1, Power: power.Node{Off: 1, Idle: 1,
			Busy: 1, Boot: power.Transition{Time: setUp, Power: 1, Exponential: varies}, Shutdown: power.Transition{Power: 1}}}}, sim.Link{})
		if err != nil {
			t.Fatal(err)
		}
		if on.Off = (power.SwitchOff{On: true}); varies {
			squared *= 2
		}
		for _, c := range []struct {
			load float64
			jobs int
		}{{.2, 500}, {.5, 1000}, {.8, 4000}} {
			t.Run(fmt.Sprint("load ", c.load, ", set-up exponential ", varies, ", service fixed ", fixed), func(t *testing.T) {
				rate, second := c.load/mean, 2*mean*mean
				if fixed {
					second = mean * mean
				}
				want := map[string]float64{
					"response": mean + rate*second/(2*(1-c.load)) + (2*setUp+rate*squared)/(2*(1+rate*setUp)),
					"busy":     c.load, "off": (1 - c.load) / (1 + rate*setUp), "boot": (1 - c.load) * rate * setUp / (1 + rate*setUp)}
				values := map[string][]float64{}
				for k := range replications {
					w := &server{r: rand.New(rand.NewPCG(uint64(k), 0x9e3779b97f4a7c15*uint64(c.jobs))), rate: rate,
						mean: mean, fixed: fixed, jobs: c.jobs, warm: c.jobs / 10}
					if _, err := e.Run(context.Background(), sim.Config{Platform: on, Source: w, Policy: p, Progress: progress.Isolated{},
						Switching: rand.New(rand.NewPCG(uint64(k), 37)).ExpFloat64, Observers: []sim.Observer{w}}); err != nil {
						t.Fatal(err)
					}
					if w.to.Idle+w.to.Shutdown > 0 {
						t.Fatalf("the server took %+v J: it is never idle", w.to)
					}
					values["response"] = append(values["response"], w.response)
					for name, took := range map[string]float64{"busy": w.to.Busy - w.from.Busy, "off": w.to.Off - w.from.Off,
						"boot": w.to.Boot - w.from.Boot} { // a share of long times, not a mean of shares of short ones
						values[name] = append(values[name], want[name]+(took-want[name]*w.measure)*rate/float64(c.jobs-w.warm))
					}
				}
				for name, want := range want {
					sum, squares, n := 0., 0., float64(replications)
					for _, v := range values[name] {
						sum += v / n
					}
					for _, v := range values[name] {
						squares += (v - sum) * (v - sum) / (n - 1)
					}
					half := 1.96 * math.Sqrt(squares/n)
					t.Logf("%s %.5g, want %.5g (%+.2f %%), 95 %% interval %+.2f %%", name, sum, want, 100*(sum/want-1), 100*half/want)
					if !(math.Abs(sum-want) <= within*want) || !(math.Abs(sum-want) <= 1.5*half) {
						t.Errorf("%s is %g, want %g", name, sum, want)
					}
				}
			})
		}
	}
}
