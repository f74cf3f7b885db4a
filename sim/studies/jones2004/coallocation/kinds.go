package coallocation

import "schedsweep/sim"

func init() {
	add("no-sharing", "each job runs on its home cluster, as if the other clusters did not exist", atHome, 0)
	// Version 1: with EASY, reservations move with the best fit.
	add("migration-only", "each job runs whole on one cluster: the one with the fewest free processors that suffice", whole, 1)
	add("co-allocation", "a job runs whole on one cluster if it fits, by best fit, else on the fewest clusters that have room for it "+
		"together", spread, 0)
}

func add(name, doc string, r scope, version int) {
	sim.Policies.Add(sim.Kind[sim.NewPolicy]{
		Name: name, Doc: doc, Version: version, Params: Params{Queue: "global", Backfilling: "scan"},
		Metrics: []sim.Metric{{Name: "migrated_share", Share: true,
			Doc: "share of the starts of measured jobs without a processor of the home cluster"}},
		New: func(params any, _ sim.Env) (sim.Policy, error) {
			p := params.(*Params)
			return &Policy{name: name, scope: r, perCluster: p.Queue == "per-cluster", easy: p.Backfilling == "easy"}, nil
		},
	})
}

// Params are the parameters of all three policies.
type Params struct {
	Queue       string `sweep:"queue" enum:"global: one queue in order of submission|per-cluster: one for each home cluster, visited in order of the clusters" doc:"queues of waiting jobs"`
	Backfilling string `sweep:"backfilling" enum:"scan: all jobs that fit, in order of the queue|easy: jobs that fit and do not delay the head of the queue. The head of several queues is the job submitted first, under no-sharing each has its own" doc:"jobs that may overtake the head of the queue"`
}

// Version raises the versions of the policies with EASY. 1: all jobs past their walltimes are expected to end now.
func (p *Params) Version() int {
	if p.Backfilling == "easy" {
		return 1
	}
	return 0
}

// scope is the set of processors that a job may use.
type scope uint8

const (
	atHome scope = iota // on its home cluster
	whole               // on one cluster
	spread              // anywhere, on several clusters at once if need be
)
