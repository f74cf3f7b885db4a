package coallocation_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/policy/contract"
	"schedsweep/sim/simtest"
	"schedsweep/sim/studies/jones2004/communication"
)

// plain is the three policies written down without any thought of cost.
type plain struct {
	name             string
	perCluster, easy bool
	waiting, running []*sim.Job
}

func (p *plain) Reset(*sim.State) error { p.waiting, p.running = nil, nil; return nil }
func (p *plain) Submitted(s *sim.State, j *sim.Job) {
	widest := 0
	for c := range s.Platform().Clusters {
		n := s.Platform().Clusters[c].Procs()
		switch {
		case p.name == "co-allocation":
			widest += n
		case p.name == "migration-only" || c == int(j.Home()):
			widest = max(widest, n)
		}
	}
	if int(j.Procs()) > widest {
		s.Reject(j)
		return
	}
	p.waiting = append(p.waiting, j)
}

func (p *plain) Ended(_ *sim.State, j *sim.Job) {
	p.running = slices.DeleteFunc(p.running, func(r *sim.Job) bool { return r == j })
}

// held is the data of a reservation.
type held struct {
	head    *sim.Job
	at      float64
	cluster int // -1: any
	extra   int
}

// counts returns what j would get, nil if it may not start.
func (p *plain) counts(s *sim.State, j *sim.Job, h *held) []int32 {
	clusters := len(s.Platform().Clusters)
	counts := make([]int32, clusters)
	late := h != nil && s.Now()+j.Walltime() > h.at
	barred := func(c int) bool { return late && h.cluster == c && int(j.Procs()) > h.extra }
	if p.name == "no-sharing" {
		if s.FreeOn(int(j.Home())) < int(j.Procs()) || barred(int(j.Home())) {
			return nil
		}
		counts[j.Home()] = j.Procs()
		return counts
	}
	if late && h.cluster < 0 && int(j.Procs()) > h.extra {
		return nil
	}
	bestFit := func(n int, but []int) int {
		best := -1
		for c := range clusters {
			if f := s.FreeOn(c); f >= n && !slices.Contains(but, c) && !barred(c) && (best < 0 || f < s.FreeOn(best)) {
				best = c
			}
		}
		return best
	}
	if c := bestFit(int(j.Procs()), nil); c >= 0 {
		counts[c] = j.Procs()
		return counts
	}
	if p.name == "migration-only" || s.Free() < int(j.Procs()) {
		return nil
	}
	byFree := make([]int, clusters)
	for c := range byFree {
		byFree[c] = c
	}
	slices.SortStableFunc(byFree, func(a, b int) int { return s.FreeOn(b) - s.FreeOn(a) })
	sum := 0
	for m, c := range byFree {
		if sum+s.FreeOn(c) < int(j.Procs()) {
			sum += s.FreeOn(c)
			continue
		}
		for _, whole := range byFree[:m] {
			counts[whole] = int32(s.FreeOn(whole))
		}
		counts[bestFit(int(j.Procs())-sum, byFree[:m])] = int32(int(j.Procs()) - sum)
		return counts
	}
	return nil
}

// reserve looks for the earliest time at which j fits. Jobs past their walltimes end now.
func (p *plain) reserve(s *sim.State, j *sim.Job) *held {
	var times []float64
	for _, r := range p.running {
		times = append(times, max(s.Now(), r.PlannedEnd()))
	}
	slices.Sort(times)
	for _, at := range times {
		free := make([]int, len(s.Platform().Clusters))
		total := 0
		for c := range free {
			free[c] = s.FreeOn(c)
			for _, r := range p.running {
				if r.PlannedEnd() <= at {
					free[c] += int(r.Alloc().Counts[c])
				}
			}
			total += free[c]
		}
		if p.name == "co-allocation" {
			if total >= int(j.Procs()) {
				return &held{j, at, -1, total - int(j.Procs())}
			}
			continue
		}
		best := -1
		for c, f := range free {
			if f >= int(j.Procs()) && (p.name == "migration-only" || c == int(j.Home())) && (best < 0 || f < free[best]) {
				best = c
			}
		}
		if best >= 0 {
			return &held{j, at, best, free[best] - int(j.Procs())}
		}
	}
	panic("no time at which the head fits")
}

func (p *plain) Pass(s *sim.State) {
	if p.easy && p.perCluster && p.name == "no-sharing" {
		for c := range s.Platform().Clusters {
			p.queue(s, func(j *sim.Job) bool { return int(j.Home()) == c })
		}
		return
	}
	p.queue(s, func(*sim.Job) bool { return true })
}

// queue starts what may start of the jobs of a queue.
func (p *plain) queue(s *sim.State, mine func(*sim.Job) bool) {
	start := func(j *sim.Job, counts []int32) {
		p.waiting = slices.DeleteFunc(p.waiting, func(w *sim.Job) bool { return w == j })
		p.running = append(p.running, j)
		s.StartCounts(j, counts)
	}
	var h *held
	if p.easy {
		for _, j := range slices.Clone(p.waiting) {
			if !mine(j) {
				continue
			}
			counts := p.counts(s, j, nil)
			if counts == nil {
				h = p.reserve(s, j)
				break
			}
			start(j, counts)
		}
		if h == nil {
			return
		}
	}
	rest := slices.Clone(p.waiting)
	if p.perCluster {
		slices.SortStableFunc(rest, func(a, b *sim.Job) int { return int(a.Home() - b.Home()) })
	}
	for _, j := range rest {
		if !mine(j) || h != nil && j == h.head {
			continue
		}
		if counts := p.counts(s, j, h); counts != nil {
			if h != nil && s.Now()+j.Walltime() > h.at && (h.cluster < 0 || counts[h.cluster] > 0) {
				h.extra -= int(j.Procs())
			}
			start(j, counts)
		}
	}
}

// each calls f for each combination of parameters.
func each(f func(name, queue, backfilling string)) {
	for _, name := range []string{"no-sharing", "migration-only", "co-allocation"} {
		for _, queue := range []string{"global", "per-cluster"} {
			for _, backfilling := range []string{"scan", "easy"} {
				f(name, queue, backfilling)
			}
		}
	}
}

// drawn is a workload in which much happens at once.
func drawn(t *rapid.T, p *sim.Platform) []sim.JobSpec {
	var list []sim.JobSpec
	submit := 0.0
	widest := rapid.IntRange(1, p.Procs()).Draw(t, "widest")
	for id := range rapid.IntRange(1, 80).Draw(t, "jobs") {
		submit += max(0, float64(rapid.IntRange(-6, 5).Draw(t, "gap")))
		run := float64(rapid.IntRange(0, 15).Draw(t, "run"))
		list = append(list, sim.JobSpec{ID: int64(id + 1), Submit: submit, RunTime: run,
			Walltime: max(1, run+float64(rapid.IntRange(-3, 9).Draw(t, "loose"))),
			Procs:    int32(rapid.IntRange(1, widest).Draw(t, "procs")), Home: int32(rapid.IntRange(0, len(p.Clusters)-1).Draw(t, "home")),
			User: -1})
	}
	return list
}

func sizes(t *rapid.T) []int {
	return rapid.SliceOfN(rapid.IntRange(1, 12), 1, 5).Draw(t, "clusters")
}

func TestAgainstPlainReference(t *testing.T) {
	each(func(name, queue, backfilling string) {
		t.Run(fmt.Sprint(name, "/", queue, "/", backfilling), func(t *testing.T) {
			p := policy(t, name, queue, backfilling)
			rapid.Check(t, func(rt *rapid.T) {
				m := machine(t, sizes(rt)...)
				list := drawn(rt, m)
				cfg := sim.Config{Platform: m, KillAtWalltime: rapid.Bool().Draw(rt, "kill")}
				play := func(p sim.Policy) outcomes {
					got := outcomes{}
					cfg.Policy, cfg.Source, cfg.Observers = p, simtest.Source(list), []sim.Observer{simtest.Watch(got)}
					cfg.Progress = communication.NewBandwidth(communication.BandwidthParams{ComputationFraction: .7, BisectionBandwidth: 1800 * mbps})
					run(t, cfg)
					for id, o := range got {
						if o.start != o.start { // a rejected job has no times
							got[id] = outcome{-1, -1, o.alloc}
						}
					}
					return got
				}
				want := play(&plain{name: name, perCluster: queue == "per-cluster", easy: backfilling == "easy"})
				if diff := cmp.Diff(want, play(p), cmp.AllowUnexported(outcome{})); diff != "" {
					rt.Fatalf("another schedule than the plain one:\n%s", diff)
				}
			})
		})
	})
}

func TestContract(t *testing.T) {
	each(func(name, queue, backfilling string) {
		t.Run(fmt.Sprint(name, "/", queue, "/", backfilling), func(t *testing.T) {
			contract.Test(t, name, nil, func(any, sim.Env) (sim.Policy, error) { return policy(t, name, queue, backfilling), nil })
		})
	})
}
