package contract_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
	"schedsweep/sim"
	"schedsweep/sim/policy/contract"
	"schedsweep/sim/policy/queue"
	"schedsweep/sim/simtest"
)

// leaky keeps its queue over the end of a run; after a complete run it is empty.
type leaky struct {
	jobs []*sim.Job
	seqs []int64
}

func (p *leaky) Reset(*sim.State) error { return nil }
func (p *leaky) Submitted(_ *sim.State, j *sim.Job) {
	p.jobs, p.seqs = append(p.jobs, j), append(p.seqs, j.Seq())
}
func (p *leaky) Ended(*sim.State, *sim.Job) {}
func (p *leaky) Pass(s *sim.State) {
	for len(p.jobs) > 0 && int(p.jobs[0].Procs()) <= s.Free() {
		s.Start(p.jobs[0])
		p.jobs = p.jobs[1:]
	}
}

// meddling changes the machine.
type meddling struct{ queue.FCFS }

func (p *meddling) Ended(s *sim.State, _ *sim.Job) { s.Platform().Clusters[0].Speed++ }

// deaf has a wake-up with a mistake in its signature.
type deaf struct{ queue.FCFS }

func (p *deaf) Woken(*sim.View) {}

// overheard rejects jobs while somebody listens, nameless says nothing.
type overheard struct{ queue.FCFS }

func (p *overheard) Submitted(s *sim.State, j *sim.Job) {
	if s.Listening() {
		s.Reject(j)
		return
	}
	p.FCFS.Submitted(s, j)
}

type nameless struct{ queue.FCFS }

func (p *nameless) Pass(s *sim.State) {
	s.Report(sim.Message{From: -1, To: -1})
	p.FCFS.Pass(s)
}

// A kind that says it is clairvoyant passes the suite in TestAllPolicies.
func init() {
	sim.Policies.Add(sim.Kind[sim.NewPolicy]{Name: "exact", Clairvoyant: true, Params: queue.None{},
		New: func(any, sim.Env) (sim.Policy, error) { return &exact{}, nil }})
}

// exact is first fit where jobs whose true run time is short go first, as no real scheduler can let them.
type exact struct{ waiting []*sim.Job }

func (p *exact) Reset(*sim.State) error             { p.waiting = nil; return nil }
func (p *exact) Submitted(_ *sim.State, j *sim.Job) { p.waiting = append(p.waiting, j) }
func (p *exact) Ended(*sim.State, *sim.Job)         {}
func (p *exact) Pass(s *sim.State) {
	slices.SortStableFunc(p.waiting, func(a, b *sim.Job) int { return cmp.Compare(a.RunTime(), b.RunTime()) })
	p.waiting = slices.DeleteFunc(p.waiting, func(j *sim.Job) bool {
		if int(j.Procs()) > s.Free() {
			return false
		}
		s.Start(j)
		return true
	})
}

// spoiling changes its parameters.
type spoiling struct {
	queue.FCFS
	n *int
}

func (p *spoiling) Reset(s *sim.State) error { *p.n++; return p.FCFS.Reset(s) }

// TestSuiteNotices: policies that break a rule fail the suite, by its reason; what
// a leak does to the next run depends on the jobs.
func TestSuiteNotices(t *testing.T) {
	for want, policy := range map[string]func() sim.Policy{
		"":                                    func() sim.Policy { return &queue.FCFS{} },
		"[rapid]":                             func() sim.Policy { return &leaky{} },
		"audit A9: platform":                  func() sim.Policy { return &meddling{} },
		"Woken is not that of sim.Woken":      func() sim.Policy { return &deaf{} },
		"an observer listens to its messages": func() sim.Policy { return &overheard{} },
		"that had not ended by":               func() sim.Policy { return &exact{} },
		"it needs a name, and clusters tha":   func() sim.Policy { return &nameless{} },
	} {
		if testing.Short() && want == "that had not ended by" {
			continue // a few cases may not show it
		}
		said := simtest.Said(t, func(t rapid.TB) {
			contract.Test(t, "toy", new(int), func(any, sim.Env) (sim.Policy, error) { return policy(), nil })
		})
		if !strings.Contains(said, want) || want == "" && said != "" {
			t.Errorf("want %q, the suite said %q", want, said)
		}
	}
	type params struct{ N int }
	p := &params{}
	said := simtest.Said(t, func(t rapid.TB) {
		contract.Test(t, "toy", p, func(any, sim.Env) (sim.Policy, error) { return &spoiling{n: &p.N}, nil })
	})
	if !strings.Contains(said, "policy toy has changed its parameters from &{N:0} to") {
		t.Errorf("the suite said %q", said)
	}
}
