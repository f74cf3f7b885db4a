package backfill

import (
	"fmt"
	"math"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/policy/placement"
)

// Plan holds processors over time: for the jobs that run, until their planned ends, and the jobs that have
// been given a place. A place is a start at which the job is eligible and at which its processors stay free for its
// walltime: a number of them, or, with a placement, the set that the rule chooses. Both are searched in turn until they
// agree on a start.
//
// On a divided platform the plan is one of node classes that partitions join. A place is on one class of the job's partition: the
// class with the earliest start, the first of the partition's list among equals. Where jobs with whole nodes and
// others meet on a class, the plan knows which processors are free. The placement is then basic where none is chosen,
// and whole nodes are chosen among the nodes that are free as a whole. So it is with events of the platform that are
// about a part of a class, or reserve it.
//
// A policy holds or starts each job that runs through its plan, and ends it there.
type Plan struct {
	eligible Eligible  // nil: always
	rule     string    // of placement, "" for none
	of       component // of a divided platform
	limits   *limits   // of the policy, which bar jobs from classes; nil for none
	parts    []part    // of its classes, or the one of the whole platform
	tries    [][]int32 // partition number -> parts, in the partition's order; nil where there is one part
	at       []int32   // slot of a job with a place -> its part; kept where there are several
	placed   bool      // by a placement
	// reserveWhole makes later places take whole nodes.
	reserveWhole  bool
	known, old    []known // events of the platform that the parts keep off; scratch
	lends, begins bool    // one of them is a reservation, or begins now
	watts         *watts  // under a cap
	switches      bool    // idle nodes are switched off
	dim           bool    // some nodes are not on
	dark          int     // their processors
	booting       bool    // a pass is over, after which nodes may have to boot
	boots         float64 // longest boot of nodes that are off
	bootAt        float64 // when the last wake-up for a boot is due
	allOn         float64 // when all nodes that are not on can be, by the last pass
	latest        float64 // no place has ended later so far; kept under a cap
	least         float64 // of the last search: no start before, nor for a larger job; boots may need power from later on
	moved         float64 // when a job came, started or ended last
}

// groupFrom is the number of processors from which on plans of groups are faster than plans of single processors. Both cost the same at
// some 2,000 processors (EASY and conservative backfilling on 10,000 jobs of Lublin's model). The former grow with the number of jobs, the
// latter with the machine too: EASY on Curie's 93,312 processors takes a twentieth of the time.
const groupFrom = 2048

// Reset makes the plan that of an idle machine, or refuses the machine. A strict plan follows the rules of cbf2015
// where it has a placement.
func (p *Plan) Reset(s *sim.State, strict bool) error {
	if p.eligible != nil {
		p.eligible.Reset(s)
	}
	on := s.Platform()
	classes := p.of.classes
	byNodes := on.Divided() && s.Requests()
	if len(classes) == 0 || byNodes {
		classes = []int{-1}
	}
	var err error
	if p.watts, err = newWatts(s); err != nil {
		return err
	}
	rule := p.rule
	mixed := on.Divided() && p.of.mixed(on)
	if rule == "" && (mixed || s.HasPartialEvents()) {
		rule = "basic"
	}
	if byNodes && p.rule != "" {
		return fmt.Errorf("placement %s chooses processors, and jobs that request memory, GPUs or features, or span classes, get nodes: "+
			"take placement any", p.rule)
	}
	p.placed, p.known, p.lends = rule != "" || byNodes, nil, false
	p.switches, p.dim, p.dark, p.booting, p.bootAt, p.latest, p.moved = s.Switches(), false, 0, false, math.Inf(-1), 0, s.Now()
	p.parts = slices.Grow(p.parts[:0], len(classes))[:len(classes)]
	for i, class := range classes {
		q := &p.parts[i]
		q.class, q.on, q.closed, q.before = class, on, q.closed[:0], q.before[:0]
		switch {
		case byNodes:
			q.sets, q.all = placement.NewNodes(p.of.classes, p.reserveWhole, p.limits.only), p.of.classes
		case !p.placed:
			q.sets = nil
			q.counts.Reset(q.size(), s.Now())
		case q.sets == nil:
			if q.sets, err = placement.NewPlan(rule); err != nil {
				return err
			}
		}
		if q.own = q.procs(on); !p.placed {
			continue
		}
		if !byNodes {
			q.chosen().Group(!strict && (p.switches || mixed || s.HasEvents() || q.size() >= groupFrom))
		}
		q.sets.Within(class)
		if err := q.sets.Reset(s, strict); err != nil {
			return err
		}
	}
	p.watts.joins(p, s.Now())
	p.joins(classes)
	return nil
}

// joins notes which parts the partitions join.
func (p *Plan) joins(classes []int) {
	if p.tries = nil; len(classes) == 1 {
		return
	}
	on := p.parts[0].on
	p.tries = make([][]int32, len(on.Partitions)+1)
	for _, n := range p.of.partitions {
		for _, class := range on.Partition(n).Classes {
			p.tries[n] = append(p.tries[n], int32(slices.Index(classes, class)))
		}
	}
}

// part returns the part with the place of j.
func (p *Plan) part(j *sim.Job) *part { return p.partOf(j.Slot()) }

func (p *Plan) partOf(slot int32) *part {
	if len(p.parts) == 1 {
		return &p.parts[0]
	}
	return &p.parts[p.at[slot]]
}

// enter notes in which part the place of j is, and takes it.
func (p *Plan) enter(j *sim.Job, i int32, start float64) {
	if p.tries != nil {
		*sim.Entry(&p.at, j.Slot()) = i
	}
	p.parts[i].take(j, start)
	if p.watts != nil {
		p.latest = max(p.latest, start+j.Walltime())
		p.watts.take(&p.parts[i], p.parts[i].need(j), start, start+j.Walltime(), 1)
		p.watts.book(j.Slot(), p.parts[i].boots)
	}
}

// need is the fewest processors that j may get.
func (p *Plan) need(j *sim.Job) int32 {
	if p.tries == nil {
		return p.parts[0].need(j)
	}
	least := int32(math.MaxInt32)
	for _, i := range p.tries[j.Partition()] {
		least = min(least, p.parts[i].need(j))
	}
	return least
}

// mayFollow refuses runs in which the policy cannot follow the rules of a simulator.
func (p *Plan) mayFollow(s *sim.State, policy string, pyss, cbf, limited bool) error {
	plain := ""
	switch {
	case !pyss && !cbf:
		return nil
	case pyss && !s.KillsAtWalltime():
		return fmt.Errorf("policy %s with the rules of pyss needs jobs to be ended at their walltime: set the kill at the walltime, or take "+
			"other rules (policy.rules, by default those of engine.event_order)", policy)
	case s.Requests():
		plain = "jobs with requests go"
	case s.HasEvents():
		plain = "events of the platform, and nodes that are switched off, go"
	case s.Platform().Cap != nil:
		plain = "a power cap goes"
	case limited:
		plain = "limits go"
	case p.eligible != nil:
		plain = "sessions go"
	case len(p.of.classes) > 0 && (!p.of.plain() || p.of.mixed(s.Platform())):
		plain = "partitions that share node classes, or have several, go"
	default:
		return nil
	}
	return fmt.Errorf("policy %s: %s with the rules plain (policy.rules, by default those of engine.event_order)", policy, plain)
}

// Submitted reports whether the job can ever start, and refuses it otherwise.
func (p *Plan) Submitted(s *sim.State, j *sim.Job) bool {
	p.moved = s.Now()
	return p.eligible == nil && p.watts == nil || p.accepts(s, j)
}

func (p *Plan) accepts(s *sim.State, j *sim.Job) bool {
	if p.eligible != nil {
		if p.eligible.Submitted(s, j); math.IsInf(p.eligible.Earliest(s.Now(), j.Walltime()), 1) {
			s.Reject(j)
		}
	}
	if j.State() == sim.Waiting && p.watts != nil && p.over(s, j) {
		s.RejectOverCap(j)
	}
	return j.State() == sim.Waiting
}

// Cut forgets the time before now.
func (p *Plan) Cut(now float64) {
	for i := range p.parts {
		p.parts[i].cut(now)
	}
	if p.watts != nil {
		if p.watts.size == 0 {
			p.watts.use.Cut(now)
		}
		p.watts.until = max(p.watts.until, now)
	}
}

// Adopt holds the processors of a job that runs already on a platform that is not divided, and returns its planned end.
func (p *Plan) Adopt(s *sim.State, j *sim.Job) float64 {
	p.Cut(s.Now())
	q := &p.parts[0]
	if q.sets != nil {
		end := q.sets.Adopt(j)
		q.sets.Hold(j.Slot(), s.Now(), end)
		return end
	}
	q.counts.Reserve(s.Now(), j.PlannedEnd(), int(j.Procs()))
	return j.PlannedEnd()
}

// Renew makes the plan one of the running jobs alone. Jobs that have passed their planned ends are expected to end at
// the next moment.
func (p *Plan) Renew(s *sim.State, running *Ends) {
	for i := range p.parts {
		p.parts[i].clear(s)
	}
	if p.watts != nil {
		p.watts.clear(s.Now())
		p.watts.underWay(p.watts.ways, 1)
	}
	for _, b := range running.blocks {
		for i := range b.ends {
			e, at := &b.ends[i], int32(0)
			if p.tries != nil {
				at = p.at[e.slot]
			}
			p.parts[at].hold(e, s.Now(), s.ExpectedEnd(e.time))
			p.watts.take(&p.parts[at], e.procs, s.Now(), s.ExpectedEnd(e.time), 1)
		}
	}
}

// Place gives j its earliest place from now on and returns its start, +Inf where events leave it none for ever: it has no place then.
func (p *Plan) Place(j *sim.Job, now float64) float64 {
	at, start := p.find(j, now, now)
	if start < math.Inf(1) {
		p.enter(j, at, start)
	}
	return start
}

// PlaceNow gives j a place that starts now, if there is one whose processors are free, and reports whether there is.
func (p *Plan) PlaceNow(s *sim.State, j *sim.Job) bool {
	if p.eligible != nil && p.eligible.Earliest(s.Now(), j.Walltime()) > s.Now() {
		return false
	}
	if p.tries == nil {
		if p.parts[0].fits(s, j) && p.watts.fits(&p.parts[0], j, s.Now()) {
			p.enter(j, 0, s.Now())
			return true
		}
		return false
	}
	for _, i := range p.tries[j.Partition()] {
		if !p.limits.bars(j, p.parts[i].class) && p.parts[i].fits(s, j) && p.watts.fits(&p.parts[i], j, s.Now()) {
			p.enter(j, i, s.Now())
			return true
		}
	}
	return false
}

// Advance gives a waiting job that was planned to start later than now its earliest place anew, and returns its start,
// which is never later than before.
func (p *Plan) Advance(j *sim.Job, now, start float64) float64 {
	if p.eligible != nil || p.tries != nil || len(p.known) > 0 || p.switches || p.limits.closed(j) > 0 ||
		p.watts != nil && (p.watts.size == 0 || math.IsInf(start, 1)) {
		return p.anew(j, now, start)
	}
	q := &p.parts[0]
	if q.sets != nil {
		return q.sets.Advance(j)
	}
	return q.counts.Advance(now, start, int(q.need(j)), j.Walltime())
}

// anew gives j its earliest place, or leaves it where it was if all others are later: nodes that the rule of placement prefers may have to
// boot, and find no power, or a limit closes the class of its place to the job for now.
func (p *Plan) anew(j *sim.Job, now, start float64) float64 {
	if math.IsInf(start, 1) {
		return p.Place(j, now)
	}
	sole := p.tries == nil || len(p.tries[j.Partition()]) == 1
	if p.switches && p.watts == nil && p.eligible == nil && sole {
		return p.part(j).chosen().Again(j, now)
	}
	q, booked, from := p.part(j), surplus{}, now
	dims := p.watts != nil && p.dim
	if dims {
		booked = p.watts.booked[j.Slot()]
	}
	if sets, is := q.sets.(*placement.Plan); is && sole {
		if p.watts != nil && p.watts.size == 0 && booked.units == 0 { // else some of the power before the place is its own
			from = p.watts.use.Soonest(now, start, p.watts.need(q.class, q.need(j)), j.Walltime())
		}
		stays := false
		if from, stays = sets.Soonest(j, from); stays && booked.units == 0 {
			return start
		}
	}
	may := dims || p.limits.closed(j) > 0 // all others may be later
	if q.sets != nil && may {
		q.sets.Keep(j)
	}
	p.Withdraw(j, start)
	at, t := p.find(j, now, from)
	if may && t > start {
		if q.boots = booked; q.sets != nil {
			q.sets.ChooseKept(j)
		}
		at, t = int32(slices.IndexFunc(p.parts, func(o part) bool { return o.class == q.class })), start
	}
	if t < math.Inf(1) {
		p.enter(j, at, t)
	}
	return t
}

// class is the node class of the place of j, -1 where it has no class of its own.
func (p *Plan) class(j *sim.Job) int {
	q := p.part(j)
	if nodes, is := q.sets.(*placement.Nodes); is {
		return nodes.Class(j)
	}
	return q.class
}

// Withdraw takes back the place of a waiting job.
func (p *Plan) Withdraw(j *sim.Job, start float64) {
	if start < math.Inf(1) {
		p.release(p.part(j), j, start, start+j.Walltime())
	}
}

// release gives back what j has in a part.
func (p *Plan) release(q *part, j *sim.Job, now, end float64) {
	q.release(j, now, end)
	if p.watts != nil {
		p.watts.take(q, q.need(j), now, end, -1)
		p.watts.unbook(j.Slot())
	}
}

// Start starts j, whose place starts now, and reports whether its processors are free: another job may still be there,
// past its planned end.
func (p *Plan) Start(s *sim.State, j *sim.Job) bool {
	q := p.part(j)
	p.moved = s.Now()
	if p.watts != nil && !s.Admits(q.class, q.need(j)) {
		return false
	}
	if q.sets != nil {
		return q.sets.Start(s, j)
	}
	if int(q.need(j)) > q.free(s) {
		return false
	}
	q.start(s, j)
	return true
}

// End is the planned end of a job that runs.
func (p *Plan) End(j *sim.Job) float64 {
	if q := p.part(j); q.sets != nil {
		return q.sets.End(j)
	}
	return j.PlannedEnd()
}

// Ended gives back what a job that ran holds from now on, and reports whether that is anything.
func (p *Plan) Ended(s *sim.State, j *sim.Job) bool {
	now, end, q := s.Now(), p.End(j), p.part(j)
	p.moved = now
	if q.sets != nil {
		q.sets.Ended(j)
	}
	if now >= end {
		return false
	}
	p.Cut(now)
	p.release(q, j, now, end)
	return true
}
