package backfill

import (
	"errors"
	"math"
	"slices"

	"schedsweep/sim"
)

func init() {
	sim.Policies.Add(sim.Kind[sim.NewPolicy]{
		Name:        "easy",
		Written:     "EASY",
		Doc:         "EASY (aggressive) backfilling: a job may overtake if it does not delay the head of the queue",
		Partitioned: true,
		Params:      EasyParams{Ordered: InOrder("fcfs"), Rules: sim.RulesOfOrder, Placed: Placed{Placement: "any"}},
		New: func(params any, env sim.Env) (sim.Policy, error) {
			p := params.(*EasyParams)
			return newBackfill(p, env, false, func(m parts, events bool, on *sim.Platform) member {
				of := &m.plan.of
				if !events && (len(of.classes) == 0 || of.plain() && (on.Cap == nil || m.plan.counts(on, of.classes[0]) && m.queue.stays())) {
					return &Easy{parts: m, shifted: p.Shift.By != ""}
				}
				return &EasyHeads{parts: m}
			})
		},
	})
}

// EasyParams are the parameters of the policy easy.
type EasyParams struct {
	Ordered
	Rules string `sweep:"rules" doc:"rules to follow where simulators differ" enum:"event-order: the rules that go with the event order|plain: our own|pyss: of the Feitelson group's simulator, for placement any"`
	Placed
	Bounded
	Shifted
	Planning Planning `sweep:"planning" doc:"fixed times at which the policy plans; none: at every event"`
}

// Version sets sessions apart in which a job that no session is long enough for brought a pass, which could start others. Under event
// orders with several passes at an instant, the first ones at the begin of a session looked at new jobs alone.
func (p *EasyParams) Version() int { return p.version() + min(1, len(p.Sessions)) }

// version adds up those of the order and the limits. It sets delays apart in which a limit held no job that became eligible, so that it got
// a reservation. When jobs became eligible at a time of planning, the policy planned twice.
func (p *EasyParams) version() int {
	v := p.Ordered.Version() + p.Bounded.Version()
	if p.Shift.By != "" && (len(p.Limits) > 0 || p.Planning.Every > 0) {
		v++
	}
	return v
}

// Needs is that of the order and of delays.
func (p *EasyParams) Needs(report func(missing, field, message string)) {
	p.Ordered.Needs(report)
	p.Shifted.Needs(report)
}

// Validate refuses rules that a placement does not have.
func (p *EasyParams) Validate(report func(field, message string)) {
	p.Ordered.Validate(report)
	p.refuse(p.Rules, report)
	p.Bounded.validate(report)
	p.Shift.validate(report)
	p.Planning.validate(p.Rules, report)
}

// Easy is EASY backfilling (D. Lifka, "The ANL/IBM SP scheduling system", 1995).
// A pass starts heads of the queue while they fit. The first that does not gets
// a reservation at the shadow time, the earliest at which it fits by walltimes;
// the processors free then beside it are the extra ones. The others start, in
// the order of the queue, if they fit now and either end by the shadow time or
// take no more than the extra processors. The reservation is not kept between
// passes. A job that has passed its walltime is expected to end now.
//
// Under the rules of pyss, processors count as free from the end of a
// walltime on, even before the end itself has been handled. A job that starts on
// them does so later in the same instant.
//
// With a placement, the head's reservation is a set of processors on [shadow, shadow + walltime). The shadow time is
// the earliest start. The placement's rule chooses the processors, among the ones that by planned ends stay free for
// the walltime of the head. Another job starts if the rule finds processors for it that are free for its walltime
// beside this reservation. So a job that outlasts the shadow time takes none of the reserved processors. Every pass
// chooses the reservation anew.
//
// A limit may hold a job when the pass comes to it: the job then leaves the queue without a reservation, until an end may let it start.
// Where a start brings the head over a limit, in its own partition or elsewhere, another pass follows without this head.
//
// What a pass costs does not depend on the length k of the queue alone. When no processor is free it costs nothing.
// After a submission behind a blocked head it costs O(1), because only the new job can start. Otherwise it costs what
// [ends] costs for the shadow time, and O(log k) for each job that starts.
type Easy struct {
	parts   // the plan is kept where there is a placement
	fresh   []*sim.Job
	due     []*sim.Job // starts decided but not yet possible, under the rules of pyss
	byPlan  bool
	shifted bool // jobs are delayed
	unsure  bool // reservations are no promises
	late    bool // the plan was made with jobs beyond their walltimes
	total   int64
	until   float64 // when the session of the last pass ends

	// The outcome of the last pass: the head was blocked, with this room left.
	// Valid until a job ends, passes its walltime, or another becomes the head.
	blocked bool
	head    int64
	room    Room
}

// Reset prepares a run.
func (p *Easy) Reset(s *sim.State) error {
	p.byPlan = s.Order().Resolve(p.rules) == "pyss" && p.plan.rule == ""
	if err := p.plan.mayFollow(s, "easy", p.byPlan, false, p.queue.limits != nil); err != nil {
		return err
	}
	p.until, p.unsure = math.Inf(-1), p.shifted || p.plan.eligible != nil && s.Order().SubmitFirst
	p.running.Reset()
	p.fresh, p.due, p.blocked, p.late = p.fresh[:0], p.due[:0], false, false
	if err := errors.Join(p.queue.Reset(s), p.plan.Reset(s, false)); err != nil {
		return err
	}
	if p.total = int64(p.plan.parts[0].size()); p.plan.watts != nil {
		p.total, p.unsure = p.plan.watts.procs(), true
	}
	if slices.ContainsFunc(p.plan.of.partitions, func(n int32) bool { return s.Platform().Partition(n).Whole }) {
		p.queue.need = p.plan.need
	}
	return nil
}

// Submitted puts the job into the queue.
func (p *Easy) Submitted(s *sim.State, j *sim.Job) {
	if !p.plan.Submitted(s, j) {
		return
	}
	p.queue.Push(s, j)
	p.fresh = append(p.fresh, j)
}

// Adopt notes the planned end of a job that another policy has started.
func (p *Easy) Adopt(s *sim.State, j *sim.Job) {
	p.running.Insert(j, j.PlannedEnd())
	if p.plan.placed {
		p.plan.Adopt(s, j)
	}
	p.queue.Started(s, j)
}

// Ended forgets the planned end.
func (p *Easy) Ended(s *sim.State, j *sim.Job) {
	p.running.remove(j, j.Width(), j.PlannedEnd())
	if p.plan.placed {
		p.plan.Ended(s, j)
	}
	p.queue.Ended(s, j)
	p.blocked = false
}

// Changed takes the cap in force. No other events come: [EasyHeads] serves platforms with them. The pass that follows may be the first
// since a job has passed its walltime.
func (p *Easy) Changed(s *sim.State) bool {
	p.plan.Cut(s.Now())
	if p.plan.watts.inForce(s.Now()) {
		p.total, p.blocked = p.plan.watts.procs(), false
	}
	return true
}

// Planned returns the reservation of the waiting job j in seconds, or NaN where it
// has none. Only the head of the queue has one, and it is a promise only in the
// order of submission: in others a later job may become the head. With sessions
// it is none where an instant has its submissions first: the job whose end the
// reservation waits for still runs then, and the next moment may be too late for
// the session. With delays it is none, because a job that becomes eligible may be the next head.
func (p *Easy) Planned(j *sim.Job) float64 {
	if p.blocked && p.head == j.Seq() && p.queue.Priority == nil && !p.unsure {
		return p.room.Shadow
	}
	return math.NaN()
}

// free is the number of processors that a pass may give out.
func (p *Easy) free(s *sim.State) int32 {
	if p.byPlan {
		return int32(p.total - p.running.sum + p.running.until(s.Now()))
	}
	return int32(p.total - p.running.sum)
}

// Pass starts what may start.
func (p *Easy) Pass(s *sim.State) {
	if len(p.due) > 0 {
		p.startDue(s)
	}
	free := p.free(s)
	if free > 0 && p.queue.count > 0 {
		p.pass(s, free)
	}
	p.fresh = p.fresh[:0]
}

// overLimits reports whether a limit holds the head by now, and processors are free, which others may have then.
func (p *Easy) overLimits(s *sim.State) bool {
	return p.queue.limits != nil && p.blocked && p.free(s) > 0 && p.queue.limits.over(p.queue.job(p.queue.first()))
}

func (p *Easy) pass(s *sim.State, free int32) {
	now := s.Now()
	sorted := p.queue.sort(s)
	head := p.queue.first()
	late := p.running.First() <= now
	longest := math.Inf(1)
	if p.plan.eligible != nil {
		end := 0.0
		if longest, end = p.plan.eligible.At(now); end > p.until { // another session has begun
			p.until, p.blocked = end, false
		}
	}
	if p.plan.placed {
		p.plan.Cut(now)
		if late || p.late {
			p.plan.Renew(s, &p.running)
			p.late = late
		}
	} else if !late && p.stays(p.queue.job(head), sorted) {
		p.room.Now, p.room.Longest = now, longest
		// Jobs refused before are refused now: only new jobs can be let in.
		if len(p.fresh) == 1 {
			if j := p.fresh[0]; p.room.Admits(p.plan.parts[0].need(j), j.Walltime()) {
				p.backfill(s, j, head)
			}
		} else if len(p.fresh) > 1 {
			p.backfillAll(s, head)
		}
		return
	}
	for ; head != 0; head = p.queue.first() {
		j := p.queue.job(head)
		if p.queue.holds(j) {
			continue
		}
		if p.queue.nodes[head].procs > free && p.plan.lost(s, &p.queue, j) {
			continue
		}
		if p.queue.nodes[head].procs > free || j.Walltime() > longest || p.plan.placed && !p.plan.PlaceNow(s, j) {
			break
		}
		free -= p.queue.nodes[head].procs
		p.start(s, j)
	}
	p.blocked = head != 0
	if !p.blocked {
		return
	}
	j := p.queue.job(head)
	p.head = j.Seq()
	p.room = Room{Now: now, Free: free, Longest: longest}
	if p.plan.eligible != nil {
		p.alarm.at(s, p.until)
	}
	if p.plan.placed {
		p.room.Shadow = p.plan.Place(j, now)
		p.room.Extra = p.plan.parts[0].chosen().Beside(j)
		p.backfillAll(s, head)
		p.plan.Withdraw(j, p.room.Shadow)
		return
	}
	idle, procs := p.total-p.running.sum, int64(p.queue.nodes[head].procs)
	p.room.Shadow = now
	if need := procs - idle; need > p.running.sum {
		p.room.Shadow = math.Inf(1) // under the cap in force
	} else if need > 0 {
		p.room.Shadow = max(now, p.running.reaching(need))
	}
	if p.plan.eligible != nil {
		p.room.Shadow = p.plan.eligible.Earliest(p.room.Shadow, j.Walltime())
	}
	p.room.Extra = int32(idle + p.running.until(p.room.Shadow) - procs)
	p.backfillAll(s, head)
}

// stays reports whether the room of the last pass holds: its head is the head. In another order of the others only limits matter.
func (p *Easy) stays(head *sim.Job, sorted bool) bool {
	return p.blocked && head.Seq() == p.head && (!sorted || p.queue.limits == nil) && !p.queue.limits.over(head)
}

// backfillAll starts what the room admits behind the head, in queue order.
func (p *Easy) backfillAll(s *sim.State, head int32) {
	for at := p.queue.place(head); p.room.Free > 0; {
		x := p.queue.fitting(p.queue.roots[0], at, &p.room)
		if x == 0 {
			return
		}
		at = p.queue.place(x)
		p.backfill(s, p.queue.job(x), head)
	}
}

// backfill starts j, which the room admits, unless the placement finds no processors for it.
func (p *Easy) backfill(s *sim.State, j *sim.Job, head int32) {
	if p.queue.holds(j) || p.plan.placed && !p.plan.PlaceNow(s, j) {
		return
	}
	procs := p.plan.parts[0].need(j)
	p.room.Free -= procs
	if p.plan.placed {
		p.room.Extra = p.plan.parts[0].chosen().Beside(p.queue.job(head))
	} else if p.room.Now+j.Walltime() > p.room.Shadow {
		p.room.Extra -= procs
	}
	p.start(s, j)
}

// start moves j from the queue to the running jobs.
func (p *Easy) start(s *sim.State, j *sim.Job) {
	p.queue.Remove(j)
	p.running.insert(j, p.plan.parts[0].need(j), s.Now()+j.Walltime())
	switch {
	case p.byPlan:
		p.due = append(p.due, j)
		p.startDue(s)
		return
	case !p.plan.placed:
		p.plan.parts[0].start(s, j)
	case !p.plan.Start(s, j):
		panic("backfill: a place that starts now is taken")
	}
	p.queue.Started(s, j)
}

// startDue carries out starts in the order in which they were decided. All of
// them happen within the instant of their decision, since every processor that
// counts as free by plan is given back within it.
func (p *Easy) startDue(s *sim.State) {
	n := 0
	for n < len(p.due) && int(p.plan.parts[0].need(p.due[n])) <= p.plan.parts[0].free(s) {
		p.plan.parts[0].start(s, p.due[n])
		p.queue.Started(s, p.due[n])
		n++
	}
	p.due = slices.Delete(p.due, 0, n)
}
