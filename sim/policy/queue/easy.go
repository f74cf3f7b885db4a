package queue

import (
	"fmt"
	"math"

	"schedsweep/sim"
)

func init() {
	sim.Policies.Add(sim.Kind[sim.NewPolicy]{
		Name:   "easy",
		Doc:    "EASY (aggressive) backfilling: a job may overtake if it does not delay the head of the queue",
		Params: EasyParams{Ordered: Ordered{Order: "fcfs"}, Rules: sim.RulesOfOrder},
		New: func(params any, _ sim.Env) (sim.Policy, error) {
			p := params.(*EasyParams)
			o, err := orderByName(p.Order)
			if err != nil {
				return nil, err
			}
			sessions, err := newSessions(p.Sessions)
			return &Easy{queue: waiting{order: o}, rules: p.Rules, sessions: sessions}, err
		},
	})
}

// EasyParams are the parameters of the policy easy.
type EasyParams struct {
	Ordered
	Rules string `sweep:"rules" doc:"whose rules hold where simulators differ" enum:"event-order: those that go with the event order|plain: our own|pyss: of the Feitelson group's simulator"`
	// Sessions are site rules; those of the SP2 at KTH are in manifests/fidelity.yaml.
	Sessions []Session `sweep:"sessions" doc:"parts of days and weeks before whose ends all jobs have to end by their walltimes; jobs that no session is long enough for are rejected"`
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
// walltime on, even before the end itself has been handled; a job that starts on
// them does so later in the same instant.
//
// What a pass costs does not depend on the length k of the queue alone: nothing
// when no processor is free, O(1) after a submission behind a blocked head,
// where only the new job can start, and otherwise what [ends] costs for the shadow
// time and O(log k) for each job that starts.
type Easy struct {
	queue   waiting
	rules   string
	running ends
	fresh   []*sim.Job
	due     fifo // starts decided but not yet possible, under the rules of pyss
	byPlan  bool
	total   int64

	sessions sessions
	until    float64 // when the session of the last pass ends

	// The outcome of the last pass: the head was blocked, with this room left.
	// Valid until a job ends, passes its walltime, or another becomes the head.
	blocked bool
	head    int64
	room    room
}

// Reset prepares a run.
func (p *Easy) Reset(s *sim.State) error {
	p.byPlan = s.Order().Resolve(p.rules) == "pyss"
	if p.byPlan && !s.KillsAtWalltime() {
		return fmt.Errorf("policy easy with the rules of pyss needs jobs to be ended at their walltime: set the kill at the walltime, or take other rules (policy.rules, by default those of engine.event_order)")
	}
	if p.byPlan && len(p.sessions.begins) > 0 {
		return fmt.Errorf("policy easy: sessions go with the rules plain (policy.rules, by default those of engine.event_order)")
	}
	p.sessions.reset(s.Records())
	p.until = math.Inf(-1)
	p.queue.reset()
	p.running.reset()
	p.due.reset()
	p.fresh, p.blocked, p.total = p.fresh[:0], false, int64(s.Platform().Procs())
	return nil
}

// Submitted puts the job into the queue.
func (p *Easy) Submitted(s *sim.State, j *sim.Job) {
	p.sessions.place(s, j)
	if math.IsInf(p.sessions.next(s.Now(), j.Walltime()), 1) {
		s.Reject(j)
		return
	}
	p.queue.push(j, s.Now())
	p.fresh = append(p.fresh, j)
}

// Adopt notes the planned end of a job that another policy has started.
func (p *Easy) Adopt(_ *sim.State, j *sim.Job) {
	p.running.insert(j, j.PlannedEnd())
}

// Ended forgets the planned end.
func (p *Easy) Ended(_ *sim.State, j *sim.Job) {
	p.running.remove(j)
	p.blocked = false
}

// AbsoluteTimes reports whether the queue order or sessions have times of their own.
func (p *Easy) AbsoluteTimes() bool { return p.queue.order.Absolute || len(p.sessions.begins) > 0 }

// Planned returns the reservation of the waiting job j in seconds, or NaN where it
// has none. Only the head of the queue has one, and it is a promise only in the
// order of submission: in others a later job may become the head.
func (p *Easy) Planned(j *sim.Job) float64 {
	if p.blocked && p.head == j.Seq() && p.queue.order.Name == "fcfs" {
		return p.room.shadow
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
	p.startDue(s)
	free := p.free(s)
	if free > 0 && p.queue.count > 0 {
		p.pass(s, free)
	}
	p.fresh = p.fresh[:0]
}

func (p *Easy) pass(s *sim.State, free int32) {
	p.queue.sort(s.Now())
	head := p.queue.first()
	late := p.running.first() <= s.Now()
	end, longest := p.sessions.at(s.Now())
	if end > p.until { // another session has begun
		p.until, p.blocked = end, false
	}
	if p.blocked && p.queue.job(head).Seq() == p.head && !late && !p.queue.order.Changes {
		p.room.now, p.room.longest = s.Now(), longest
		// What was refused before is refused now: only new jobs can be let in.
		if len(p.fresh) == 1 {
			if j := p.fresh[0]; p.room.admits(j.Procs(), j.Walltime()) {
				p.backfill(s, j)
			}
		} else if len(p.fresh) > 1 {
			p.backfillAll(s, p.queue.place(head))
		}
		return
	}
	for ; head != 0; head = p.queue.first() {
		j := p.queue.job(head)
		if j.Procs() > free || j.Walltime() > longest {
			break
		}
		free -= j.Procs()
		p.start(s, j)
	}
	p.blocked = head != 0
	if !p.blocked {
		return
	}
	j := p.queue.job(head)
	idle := p.total - p.running.sum
	shadow := s.Now()
	if need := int64(j.Procs()) - idle; need > 0 {
		shadow = max(shadow, p.running.reaching(need))
	}
	if len(p.sessions.begins) > 0 {
		shadow = p.sessions.next(shadow, j.Walltime())
		s.WakeAt(p.until)
	}
	p.head = j.Seq()
	p.room = room{now: s.Now(), free: free, longest: longest, shadow: shadow, extra: int32(idle + p.running.until(shadow) - int64(j.Procs()))}
	p.backfillAll(s, p.queue.place(head))
}

// backfillAll starts what the room admits behind a position, in queue order.
func (p *Easy) backfillAll(s *sim.State, at after) {
	for p.room.free > 0 {
		x := p.queue.fitting(p.queue.root, at, &p.room)
		if x == 0 {
			return
		}
		at = p.queue.place(x)
		p.backfill(s, p.queue.job(x))
	}
}

func (p *Easy) backfill(s *sim.State, j *sim.Job) {
	p.room.free -= j.Procs()
	if p.room.now+j.Walltime() > p.room.shadow {
		p.room.extra -= j.Procs()
	}
	p.start(s, j)
}

// start moves j from the queue to what runs.
func (p *Easy) start(s *sim.State, j *sim.Job) {
	p.queue.remove(j)
	p.running.insert(j, s.Now()+j.Walltime())
	if !p.byPlan {
		s.Start(j)
		return
	}
	p.due.push(j)
	p.startDue(s)
}

// startDue carries out starts in the order in which they were decided. All of
// them happen within the instant of their decision, since every processor that
// counts as free by plan is given back within it.
func (p *Easy) startDue(s *sim.State) {
	for p.due.len() > 0 && int(p.due.head().Procs()) <= s.Free() {
		s.Start(p.due.pop())
	}
}
