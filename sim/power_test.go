package sim_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"schedsweep/sim"
	"schedsweep/sim/power"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// nodes is an independent account of energy. It looks at every node and takes the power that the issue of energy defines: linear between
// idle and busy in the share of cores in use.
type nodes struct {
	sim.Quiet
	t     interface{ Fatalf(string, ...any) }
	on    *sim.Platform
	used  []int // processor -> 1 if a job holds it, -1 if it is down
	at    float64
	class []float64         // joules
	job   map[int64]float64 // joules, of the processors that the job holds
	owner []int64
	jobs  float64 // joules that the engine says ended jobs took
}

func newNodes(t interface{ Fatalf(string, ...any) }, on *sim.Platform) *nodes {
	return &nodes{t: t, on: on, used: make([]int, on.Procs()), owner: make([]int64, on.Procs()), class: make([]float64, len(on.Clusters)),
		job: map[int64]float64{}}
}

func (n *nodes) watts(c int) (watts float64) {
	k := n.on.Clusters[c]
	for first := n.on.First(c); first < n.on.First(c+1); first += k.Cores {
		busy, down := 0., 0.
		for q := first; q < first+k.Cores; q++ {
			switch n.used[q] {
			case 1:
				busy++
			case -1:
				down++
			}
		}
		cores := float64(k.Cores)
		on := (cores - down) / cores // for a node that is partly down
		watts += k.Power.Off*down/cores + on*k.Power.Idle + (k.Power.Busy-k.Power.Idle)*busy/cores
	}
	return watts
}

func (n *nodes) pass(now float64) {
	for c := range n.on.Clusters {
		n.class[c] += n.watts(c) * (now - n.at)
	}
	for q, who := range n.owner {
		if who != 0 {
			k := n.on.Clusters[n.on.ClusterOf(q)]
			n.job[who] += k.Power.Busy / float64(k.Cores) * (now - n.at)
		}
	}
	n.at = now
}

func (n *nodes) Held(s *sim.View, now, before *sim.Hold) {
	n.pass(s.Now())
	set := func(h *sim.Hold, on int) {
		for _, sp := range h.Alloc.Procs {
			for q := sp.Lo; q <= sp.Hi; q++ {
				switch {
				case h.Job != nil:
					n.used[q], n.owner[q] = on, int64(on)*h.Job.ID()
				case h.Outage.Kind == sim.Down:
					n.used[q] = -on
				}
			}
		}
	}
	set(before, 0)
	set(now, 1)
}

func (n *nodes) Settled(s *sim.View) {
	n.pass(s.Now())
	for c := range n.class {
		if got := s.EnergyOn(c).Total(); !(math.Abs(got-n.class[c]) <= 1e-9*(1+got)) {
			n.t.Fatalf("at %g s class %d has taken %v J, want %v", s.Now(), c, got, n.class[c])
		}
		if got, want := s.PowerOn(c), n.watts(c); !(math.Abs(got-want) <= 1e-9*(1+got)) {
			n.t.Fatalf("at %g s class %d draws %v W, want %v", s.Now(), c, got, want)
		}
	}
	if e := s.Energy(); e.Busy < 0 || e.Idle < 0 || e.Down < 0 || e.Busy+e.Idle+e.Down != e.Total() {
		n.t.Fatalf("%+v is no sum of states", e)
	}
}

func (n *nodes) Ended(s *sim.View, j *sim.Job) {
	if got := j.Energy(); !(math.Abs(got-n.job[j.ID()]) <= 1e-9*(1+got)) {
		n.t.Fatalf("job %d took %v J, want %v", j.ID(), got, n.job[j.ID()])
	}
	n.jobs += j.Energy()
	if busy := s.Energy().Busy; s.Running()+s.Waiting() == 0 && !(math.Abs(busy-n.jobs) <= 1e-9*(1+busy)) {
		n.t.Fatalf("busy processors took %v J and jobs %v J", busy, n.jobs)
	}
}

// bill notes what the machine and its jobs took.
type bill struct {
	sim.Quiet
	machine power.Energy
	jobs    []float64
}

func (b *bill) Settled(s *sim.View)           { b.machine = s.Energy() }
func (b *bill) Ended(_ *sim.View, j *sim.Job) { b.jobs = append(b.jobs, j.Energy()) }

// TestEnergyByHand has a node of two cores that draws 100 W idle, 300 W busy, and 10 W while it is down. One core is in use from
// 0 to 10 s. The node is down from 20 to 30 s. A job from 30 to 40 s on both cores ends the run.
func TestEnergyByHand(t *testing.T) {
	on, err := sim.NewPlatform("one", []sim.Cluster{{Name: "a", Nodes: 1, Cores: 2, Speed: 1,
		Power: power.Node{Off: 10, Idle: 100, Busy: 300}}}, sim.Link{})
	if err != nil {
		t.Fatal(err)
	}
	jobs := []sim.JobSpec{{ID: 1, RunTime: 10, Walltime: 10, Procs: 1}, {ID: 2, Submit: 25, RunTime: 10, Walltime: 10, Procs: 2}}
	var seen bill
	_, err = new(sim.Engine).Run(context.Background(), sim.Config{Platform: on, Source: simtest.Source(jobs), Policy: &elastic{},
		Progress: progress.Isolated{}, Observers: []sim.Observer{&seen},
		Outages: []sim.Outage{{Procs: []sim.Span{{Lo: 0, Hi: 1}}, From: 20, Until: 30}}})
	if want := (power.Energy{Busy: 10*150 + 10*300, Idle: 10*50 + 10*100, Down: 10 * 10}); err != nil || seen.machine != want {
		t.Errorf("got %+v, %v, want %+v", seen.machine, err, want)
	}
	if !slices.Equal(seen.jobs, []float64{1500, 3000}) {
		t.Errorf("jobs took %v J", seen.jobs)
	}
}

// TestPowerIsRefused: power must not fall from off to busy, and all classes of a machine have it or none.
func TestPowerIsRefused(t *testing.T) {
	for want, each := range map[string][2]power.Node{
		"draw 0 W off, 9 W idle and 5 W busy": {{Idle: 9, Busy: 5}, {Busy: 1}},
		"draw 10 W off, 9 W idle":             {{Busy: 1}, {Off: 10, Idle: 9, Busy: 20}},
		"draw -1 W off":                       {{Off: -1, Busy: 5}, {Busy: 1}},
		"+Inf W busy":                         {{Busy: math.Inf(1)}, {Busy: 1}},
		"NaN W idle":                          {{Idle: math.NaN(), Busy: 1}, {Busy: 1}},
		`"a" and "b" has power and the other`: {{Busy: 1}, {}},
	} {
		_, err := sim.NewPlatform("two", []sim.Cluster{{Name: "a", Nodes: 1, Cores: 1, Speed: 1, Power: each[0]},
			{Name: "b", Nodes: 1, Cores: 1, Speed: 1, Power: each[1]}}, sim.Link{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want %q", each, err, want)
		}
	}
}
