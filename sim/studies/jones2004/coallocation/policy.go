package coallocation

import (
	"math"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
)

// Policy is all three policies.
//
// A pass with scan backfilling goes through the queue from head to tail and
// starts every job that fits. Free processors only become fewer in a pass, so the jobs that fit are found by their
// width. With k jobs waiting, a pass costs O(log k) for each job that starts, and O(1) besides, times the queues.
//
// With EASY backfilling, jobs start in order of submission until a job does not fit. This job gets a reservation at
// the shadow time, the earliest time at which it fits by the walltimes of the running jobs. The reservation is on the
// cluster where the job then fits best, unless it may be spread. The others start, in order of the queue, if they do
// not delay it. With per-cluster queues, Policy seeks the jobs that may overtake queue by queue. Under no-sharing
// these queues have nothing to do with each other, so each has a head of its own. Policy expects jobs that outlive
// their walltime to end now. Jobs that a progress model slows down often outlive it. The reservation is then as good
// as the walltimes are.
type Policy struct {
	name       string
	scope      scope
	perCluster bool
	easy       bool

	waiting backfill.Lines // one line, or one for each home cluster
	lines   int
	newest  int64 // number of the job submitted last
	seen    int64 // the same at the end of the last pass
	counts  []int32
	largest int32         // the widest job that can ever run, but for no-sharing
	ended   bool          // a job has ended since the last pass
	free    backfill.Room // of the line that is looked at

	plan   plan    // the running jobs, by planned end; for EASY
	claims []claim // of the last pass, one for each line under no-sharing per cluster, else one

	started, migrated int64
}

func (p *Policy) Reset(s *sim.State) error {
	clusters := s.Platform().Clusters
	p.lines = 1
	if p.perCluster || p.scope == atHome {
		p.lines = len(clusters)
	}
	p.waiting.Reset(p.lines)
	p.newest, p.seen = -1, -1
	p.largest = 0
	for i := range clusters {
		p.largest = max(p.largest, int32(clusters[i].Procs()))
	}
	if p.scope == spread {
		p.largest = int32(s.Platform().Procs())
	}
	p.counts = append(p.counts[:0], make([]int32, len(clusters))...)
	p.plan.reset(len(clusters))
	p.claims = p.claims[:0]
	heads := 1
	if p.perCluster && p.scope == atHome {
		heads = p.lines
	}
	for range heads {
		p.claims = append(p.claims, none)
	}
	p.ended, p.started, p.migrated = true, 0, 0
	return nil
}

// Submitted puts the job into its queue, or refuses it where it can never run.
func (p *Policy) Submitted(s *sim.State, j *sim.Job) {
	clusters := s.Platform().Clusters
	if !s.HasHome(p.name, j) {
		return
	}
	if j.Procs() > p.largest || p.scope == atHome && int(j.Procs()) > clusters[j.Home()].Procs() {
		s.Reject(j)
		return
	}
	if j.Seq() < p.newest { // a requeued job keeps its place, which is not behind the others
		p.ended = true
	}
	p.newest = max(p.newest, j.Seq())
	if p.lines == 1 {
		p.waiting.Push(j, 0)
	} else {
		p.waiting.Push(j, j.Home())
	}
}

// Adopt notes a job that another policy has started.
func (p *Policy) Adopt(_ *sim.State, j *sim.Job) {
	if p.easy {
		p.plan.add(j)
	}
}

func (p *Policy) Ended(_ *sim.State, j *sim.Job) {
	p.ended = true
	if p.easy {
		p.plan.remove(j)
	}
}

func (p *Policy) Pass(s *sim.State) {
	if p.easy {
		p.passEasy(s)
	} else {
		for i := range p.lines {
			p.backfill(s, i, &p.claims[0], p.ended)
		}
	}
	p.ended, p.seen = false, p.newest
}

// backfill starts the jobs that a claim admits, from the head of a line to its tail. Without all it begins at the
// first new job, because no other job can have got room.
func (p *Policy) backfill(s *sim.State, at int, c *claim, all bool) {
	if p.waiting.Empty(at) {
		return
	}
	behind := int64(-1)
	if !all {
		behind = p.seen
	}
	for r := &p.free; ; {
		p.room(r, s, at, c)
		j := p.waiting.Next(at, behind, r)
		if j == nil {
			return
		}
		behind = j.Seq()
		p.waiting.Remove(j)
		p.place(s, j, c)
		if c.head != nil && r.Now+j.Walltime() > c.shadow {
			if c.cluster < 0 || p.counts[c.cluster] > 0 {
				c.extra -= j.Procs()
			} else {
				c.moved = p.scope == whole
			}
		}
		p.start(s, j)
	}
}

func (p *Policy) start(s *sim.State, j *sim.Job) {
	if j.Part() == sim.Measured {
		p.started++
		if p.counts[j.Home()] == 0 {
			p.migrated++
		}
	}
	s.StartCounts(j, p.counts)
	if p.easy {
		p.plan.add(j)
	}
}

// Values appends the share of the starts of measured jobs that got no processor of their home.
func (p *Policy) Values(dst []float64) []float64 {
	return append(dst, float64(p.migrated)/float64(p.started))
}

// Planned returns the reservation of the waiting job j in seconds, or NaN where
// it has none: only blocked heads have, under EASY backfilling.
func (p *Policy) Planned(j *sim.Job) float64 {
	for i := range p.claims {
		if c := &p.claims[i]; c.head == j && c.seq == j.Seq() {
			return c.shadow
		}
	}
	return math.NaN()
}
