package lomarc

import (
	"fmt"

	"schedsweep/sim"
	"schedsweep/sim/policy/placement"
	"schedsweep/sim/policy/profile"
	"schedsweep/sim/studies/zeng2009/slowdowns"
	"schedsweep/sim/studies/zeng2009/timeslice"
)

// Policy is G-LOMARC-TS in time slices. A pass costs time in the waiting jobs of the slice's class squared at worst: each is
// tried as a primary with all others. It tries later jobs than the first only while nodes are idle.
type Policy struct {
	timeslice.Scheduler
	p          Params
	ppn        int  // of waiting jobs in groups
	pairs      bool // groups are pairs, and no job takes all cores of its nodes
	first      bool // the first group that is fair is taken, not the best
	firstBlock bool // candidates are those of the first block
	unsorted   bool // blocks are not sorted
	product    bool // of slowdowns is compared with MAX_SL
	plain      bool // run times, not slowed down, are compared with MATCHED_LONGER

	cases      [3]int // the paper's numbers, in the order of asking
	candidates []member
	set, rest  []member // scratch
	partners   []member // running jobs that may be matched
	arena      []member // of the sets that groups hold
	groups     []group
	releases   []timeslice.Release // of started jobs as of basis, in order of time
	queue      []*timeslice.Job    // waiting jobs as of basis, in the order of planning anew
	basis      basis
	trial      profile.Profile     // scratch
	held       []timeslice.Release // by the group in question, in order of time
	victims    [3]victim           // by class
	jobs       []*timeslice.Job    // scratch of the jobs that start together
	spots      []int               // scratch of their nodes
	extra      placement.Set       // scratch of nodes that were idle
	seen       [3]sight
	stats      stats
}

// sight holds the inputs, besides the time, of the decision whether it is worth while to try to
// match the jobs of a class again.
type sight struct{ changes, idle int }

func New(p Params) *Policy {
	l := &Policy{p: p, product: p.Preselect == "product", plain: p.LongerBy == "plain"}
	l.P = p.Slicing
	switch p.Variant {
	case "cst":
		l.pairs = true
	case "cstws":
		l.pairs, l.first = true, true
	case "fbo":
		l.firstBlock = true
	case "ns":
		l.unsorted = true
	case "nh":
		l.first = true
	}
	if l.pairs {
		l.MaxPPN = 2
	}
	l.cases = [3]int{1, 2, 3}
	if p.FirstMatch == "running" {
		l.cases = [3]int{2, 3, 1}
	}
	if p.Variant != "ssp" {
		l.Match = l.match
	}
	return l
}

func (l *Policy) Reset(s *sim.State) error {
	if err := l.Scheduler.Reset(s); err != nil {
		return err
	}
	if l.Cores < 2 && l.p.Variant != "ssp" {
		return fmt.Errorf("policy lomarc needs nodes of at least 2 cores; platform %q has %d: take variant ssp, or other nodes",
			s.Platform().Name, l.Cores)
	}
	l.ppn = min(l.p.GroupPPN, l.Cores/2)
	l.stats, l.basis = stats{}, basis{changes: -1}
	l.victims = [3]victim{}
	for c := range l.seen {
		l.seen[c] = sight{-1, -1}
	}
	return nil
}

// match starts jobs of the class in its own slice: the first waiting job by the option that gains most, again and
// again, and then what can be backfilled. A job that is backfilled can bring another one to the head of the queue, and
// leave room now for jobs before it. So match begins anew until nothing can be backfilled.
func (l *Policy) match(s *sim.State, v *timeslice.VM) {
	t := v.Now(s.Now())
	if seen := (sight{v.Changes, l.Idle(v)}); seen == l.seen[v.Class] && !v.AnyDue(t) {
		return
	}
	for l.startHeads(s, v, t); l.backfillAll(s, v, t); {
		l.startHeads(s, v, t)
	}
	l.seen[v.Class] = sight{v.Changes, l.Idle(v)}
}

// startHeads starts the first waiting job as long as that is possible.
func (l *Policy) startHeads(s *sim.State, v *timeslice.VM, t float64) {
	for len(v.Waiting) > 0 && l.startFirst(s, v, t) {
		v.Tidy(t)
	}
}

// backfillAll tries to start each job behind the first, in order of submission, and reports whether it has started any.
func (l *Policy) backfillAll(s *sim.State, v *timeslice.VM, t float64) (any bool) {
	for i := 1; i < len(v.Waiting) && l.Idle(v) > 0; {
		n := len(v.Waiting)
		if !l.backfill(s, v, v.Waiting[i], t) {
			i++
			continue
		}
		any = true
		v.Tidy(t)
		// Those before i that have started with it make i point further down. Those behind it count, too. A count of those before it
		// alone would be the strict order of submission, with other rows of all groups. The study's page has the difference.
		i = max(1, i-(n-len(v.Waiting)-1))
	}
	return any
}

// startFirst tries to start the first waiting job, with or without others.
func (l *Policy) startFirst(s *sim.State, v *timeslice.VM, t float64) bool {
	j := v.Waiting[0]
	if l.lowLoad(v) {
		if j.PPN != 1 || !v.Due(j, t) {
			v.Resize(j, 1)
		}
		l.Start(s, v, j)
		return true
	}
	if l.burst(s, v, t) {
		return true
	}
	l.groups, l.arena = l.groups[:0], l.arena[:0]
	for _, c := range l.cases {
		switch c {
		case 1:
			l.waitingPrimary(v, j)
		case 2:
			l.withRunning(s, v, j, t)
		case 3:
			l.runningPrimary(s, v, j, t)
		}
		if l.first && l.startBest(s, v, t) {
			return true
		}
	}
	if g, ok := l.fullNodes(v, j); ok {
		l.groups = append(l.groups, g)
	}
	if l.startBest(s, v, t) {
		return true
	}
	return l.startPlanned(s, v, j, t)
}

// backfill tries to start a later job: as a primary of waiting jobs, alone on
// full nodes, or as planned.
func (l *Policy) backfill(s *sim.State, v *timeslice.VM, j *timeslice.Job, t float64) bool {
	l.groups, l.arena = l.groups[:0], l.arena[:0]
	alone, full := l.fullNodes(v, j)
	if full {
		// It must not get in the way of anybody's reservation but its own.
		n, length := l.full(j)
		full = v.LeastWithout(j, t, t+length) >= n
	}
	l.waitingPrimary(v, j)
	if full {
		l.groups = append(l.groups, alone)
	}
	return l.startBest(s, v, t) || l.startPlanned(s, v, j, t)
}

// startPlanned starts j by itself if the plan has it start now.
func (l *Policy) startPlanned(s *sim.State, v *timeslice.VM, j *timeslice.Job, t float64) bool {
	if !v.Due(j, t) || !l.MakeRoom(s, v, j.Nodes) {
		return false
	}
	l.Start(s, v, j)
	return true
}

// lowLoad reports whether all waiting jobs fit with one process a node.
func (l *Policy) lowLoad(v *timeslice.VM) bool {
	if l.pairs && !l.p.PairsLowLoad {
		return false
	}
	left := l.Idle(v)
	for _, j := range v.Waiting {
		if left -= int(j.Procs()); left < 0 {
			return false
		}
	}
	return true
}

// burst starts consecutive serial jobs at the head of the queue together on one
// node, as many as it has cores, if they bear each other.
func (l *Policy) burst(s *sim.State, v *timeslice.VM, t float64) bool {
	n := 0
	for n < min(l.Cores, len(v.Waiting)) && v.Waiting[n].Procs() == 1 && l.bears(v.Waiting[:n], v.Waiting[n]) {
		n++
	}
	if n < 2 || !v.Due(v.Waiting[0], t) || l.Idle(v) == 0 {
		return false
	}
	jobs := append(l.jobs[:0], v.Waiting[:n]...)
	l.jobs = jobs
	for i, j := range jobs {
		if j.On.Clear(); i == 0 {
			l.Claim(v, 1, j.On)
		} else {
			j.On.Copy(jobs[0].On)
		}
	}
	l.StartUnit(s, v, l.NewUnit(v), jobs)
	l.stats.bursts++
	l.stats.burstJobs += n
	return true
}

// bears reports whether j and each of the others slow each other down within
// MAX_SL.
func (l *Policy) bears(others []*timeslice.Job, j *timeslice.Job) bool {
	for _, o := range others {
		if slowdowns.Of(j.Job).Beside(slowdowns.Of(o.Job)) > l.p.Four || slowdowns.Of(o.Job).Beside(slowdowns.Of(j.Job)) > l.p.Four {
			return false
		}
	}
	return true
}
