package backfill

import (
	"errors"
	"math"
	"slices"

	"schedsweep/sim"
)

// Backfill is EASY or conservative backfilling. On a platform that is not divided it is one member. On a divided
// platform each component of node classes that partitions join has a member of its own, with the queue of the jobs of
// its partitions. A member acts only when something happens to its jobs, or at a wake-up that it requested. So jobs
// of disjoint partitions start as if each partition were a machine by itself. Members share the priority: it hears of
// all jobs. They share limits too: where jobs of two members may start at one instant, and a limit allows one of
// them, the member with the first node class goes first.
type Backfill struct {
	make    func(of component, alarm *alarm, events bool, on *sim.Platform) member
	by      Priority // of members
	events  bool
	members []member
	of      []int32   // partition number -> its member
	longest []float64 // partition number -> longest walltime
	news    []bool    // member -> something happened to it since its last pass
	alarms  []*alarm  // of members
	limits  *limits   // shared by members; nil for none
	delays  *delays   // nil for none
	joint   bool      // the bounds of planning are on jobs of all partitions
	cap     float64   // in force at the last pass
}

// member is the policy of one component.
type member interface {
	sim.Policy
	Adopt(s *sim.State, j *sim.Job)
	Woken(s *sim.State)
	Changed(s *sim.State) bool // hears that known events of the platform changed; reports whether they matter to the member
	Planned(j *sim.Job) float64
	AbsoluteTimes() bool
	giveUp(s *sim.State)          // refuses the jobs that the cap admits no more
	overLimits(s *sim.State) bool // a limit holds a job with a reservation by now, which another pass takes from it
}

// parts are common to all members. The methods are those of members that do not say otherwise.
type parts struct {
	queue   Queue
	plan    Plan
	rules   string
	alarm   *alarm
	running Ends
}

// Woken needs no record: a pass follows.
func (p *parts) Woken(*sim.State) {}

// AbsoluteTimes reports whether the queue order or sessions have times of their own.
func (p *parts) AbsoluteTimes() bool { return p.queue.AbsoluteTimes() || p.plan.eligible != nil }

// Planned returns NaN: a later plan may delay a job, or move an earlier one to another class.
func (p *parts) Planned(*sim.Job) float64 { return math.NaN() }

// overLimits is false: there is no reservation that limits take back.
func (p *parts) overLimits(*sim.State) bool { return false }

// startNow starts j if it may start now.
func (p *parts) startNow(s *sim.State, j *sim.Job) bool {
	if !p.plan.PlaceNow(s, j) {
		return false
	}
	if !p.start(s, j) {
		panic("backfill: a place that starts now is taken")
	}
	return true
}

// start starts j at its place, if that is free.
func (p *parts) start(s *sim.State, j *sim.Job) bool {
	if !p.plan.Start(s, j) {
		return false
	}
	p.queue.Remove(j)
	p.running.insert(j, j.Width(), s.Now()+j.Walltime())
	p.queue.Started(s, j)
	return true
}

// newBackfill makes a policy of parameters. Its members plan at fixed times where these say so, for all jobs or for heads of partitions
// alone. Otherwise the member of a component is as make says.
func newBackfill(p *EasyParams, env sim.Env, all bool, make func(p parts, events bool, on *sim.Platform) member) (sim.Policy, error) {
	queue, err := p.Ordered.Queue(env)
	if err != nil {
		return nil, err
	}
	plan, err := p.Plan()
	queue.limits = p.limits(&p.Ordered)
	joint := p.Planning.Jobs > 0 || p.Planning.PerUser > 0
	return &Backfill{by: queue.Priority, limits: queue.limits, delays: p.delays(), joint: joint, make: func(of component, alarm *alarm,
		events bool, on *sim.Platform) member {
		m := parts{queue: queue, plan: plan, rules: p.Rules, alarm: alarm}
		m.plan.of, m.plan.limits, m.queue.alarm = of, queue.limits, alarm
		if p.Planning.Every > 0 {
			return &Cycles{parts: m, p: p.Planning, all: all}
		}
		return make(m, events, on)
	}}, err
}

// alarm is the requested wake-up of a member.
type alarm struct{ due []float64 }

// at asks for a pass of the member at time t. Nil is for policies without members: it asks alone.
func (a *alarm) at(s *sim.State, t float64) {
	if a != nil && !slices.Contains(a.due, t) {
		a.due = append(a.due, t)
	}
	s.WakeAt(t)
}

// rings reports whether the member requested a wake-up now.
func (a *alarm) rings(now float64) bool {
	n := len(a.due)
	a.due = slices.DeleteFunc(a.due, func(t float64) bool { return t <= now })
	return len(a.due) < n
}

// Reset prepares a run, or refuses it.
func (p *Backfill) Reset(s *sim.State) error {
	p.cap = s.Cap()
	on, events := s.Platform(), s.HasEvents()
	if err := errors.Join(p.limits.reset(s), p.delays.reset(s)); err != nil {
		return err
	}
	if on.Divided() || len(p.of) != 1 || p.events != events {
		p.members, p.alarms, p.news = p.members[:0], p.alarms[:0], p.news[:0]
		p.of, p.longest = make([]int32, len(on.Partitions)+1), make([]float64, len(on.Partitions)+1)
		p.longest[0] = math.Inf(1)
		p.events = events || on.Divided() && s.Requests()
		if !on.Divided() {
			p.add(component{}, on)
		} else {
			for _, c := range components(on, p.joint || p.limits != nil || len(on.Licences) > 0 || on.Cap != nil) {
				p.add(c, on)
			}
		}
	}
	for i, m := range p.members {
		p.alarms[i].due, p.news[i] = p.alarms[i].due[:0], false
		if err := m.Reset(s); err != nil {
			return err
		}
	}
	return p.mayDarken(s)
}

// add makes the member of a component.
func (p *Backfill) add(c component, on *sim.Platform) {
	for _, n := range c.partitions {
		p.of[n] = int32(len(p.members))
		if p.longest[n] = on.Partition(n).Walltime; p.longest[n] == 0 {
			p.longest[n] = math.Inf(1)
		}
	}
	wake := &alarm{}
	p.alarms, p.news, p.members = append(p.alarms, wake), append(p.news, false), append(p.members, p.make(c, wake, p.events, on))
}

// member is the one that j belongs to, which has news.
func (p *Backfill) member(j *sim.Job) member {
	i := p.of[j.Partition()]
	p.news[i] = true
	return p.members[i]
}

// Submitted gives the job to its member, or rejects one with a walltime that its partition does not allow.
func (p *Backfill) Submitted(s *sim.State, j *sim.Job) {
	if j.Walltime() > p.longest[j.Partition()] {
		s.Reject(j)
		return
	}
	if p.limits != nil {
		switch p.limits.submitted(s, j) {
		case sim.Rejected:
			s.Reject(j)
			return
		case sim.Withheld:
			return
		}
	}
	p.enter(s, j)
}

// enter gives the job to its member, which may reject it, or holds it until it is eligible.
func (p *Backfill) enter(s *sim.State, j *sim.Job) {
	if p.delays != nil {
		if p.eligible(s); p.delays.holds(s, j) {
			return
		}
	}
	p.admit(s, j)
}

// eligible gives the jobs to their members that are eligible by now. Limits hold some of them.
func (p *Backfill) eligible(s *sim.State) {
	for j := p.delays.next(s.Now()); j != nil; j = p.delays.next(s.Now()) {
		if p.limits.over(j) {
			p.limits.hold(j)
		} else {
			p.admit(s, j)
		}
	}
}

// admit gives the job to its member, which may reject it. That is no reason for a pass.
func (p *Backfill) admit(s *sim.State, j *sim.Job) {
	i := p.of[j.Partition()]
	switch p.members[i].Submitted(s, j); {
	case !j.State().Refused():
		p.news[i] = true
	case p.limits != nil:
		p.limits.left(j)
	}
}

// Ended tells the job's member.
func (p *Backfill) Ended(s *sim.State, j *sim.Job) {
	if p.member(j).Ended(s, j); p.limits != nil {
		p.limits.left(j)
	}
}

// Admits reports why a job has no place in the order, or why a limit cannot count it. It is known from Reset on.
func (p *Backfill) Admits(j *sim.JobSpec, in sim.Records) error {
	if err := admits(p.by, j); err != nil || p.limits == nil {
		return err
	}
	return p.limits.admits(j, in)
}

// ByUsers is [Queue.ByUsers] of the order.
func (p *Backfill) ByUsers() string { return byUsers(p.by) }

// Limits are those of the run.
func (p *Backfill) Limits() []sim.Limit {
	if p.limits == nil {
		return nil
	}
	return p.limits.all
}

// Shift is the rule by which jobs are delayed.
func (p *Backfill) Shift() *sim.Shift {
	if p.delays == nil {
		return nil
	}
	return &p.delays.rule
}

// GiveUp gives up the jobs that limits hold or that the cap no longer admits.
func (p *Backfill) GiveUp(s *sim.State) {
	for _, m := range p.members {
		m.giveUp(s)
	}
	if p.limits != nil {
		for _, h := range p.limits.held {
			s.Withhold(h.job)
		}
		p.limits.held = p.limits.held[:0]
	}
}

// CapacityChanged tells the members, and those pass that keep off another set of events now.
func (p *Backfill) CapacityChanged(s *sim.State) {
	for i, m := range p.members {
		if m.Changed(s) {
			p.news[i] = true
		}
	}
}

// Adopt tells the member that j runs already.
func (p *Backfill) Adopt(s *sim.State, j *sim.Job) { p.member(j).Adopt(s, j) }

// Woken admits the jobs that are eligible by now, and wakes the members that requested it. Jobs that come only in the pass would have the
// policy plan once more after it.
func (p *Backfill) Woken(s *sim.State) {
	if p.delays != nil {
		p.eligible(s)
	}
	for i, m := range p.members {
		if p.alarms[i].rings(s.Now()) {
			p.news[i] = true
			m.Woken(s)
		}
	}
}

// Pass starts jobs in members that have news. After ends, jobs that no limit holds any more come like new ones.
func (p *Backfill) Pass(s *sim.State) {
	if c := s.Cap(); c != p.cap && s.Order().Pass != sim.PassPerInstant { // its change comes after other events of the instant
		p.cap = c
		p.CapacityChanged(s)
	}
	if p.delays != nil {
		p.eligible(s)
	}
	if p.limits != nil {
		for _, j := range p.limits.released() {
			p.enter(s, j)
		}
	}
	for i, some := range p.news {
		if some {
			p.news[i] = false
			p.members[i].Pass(s)
		}
	}
	if p.limits != nil {
		p.overLimits(s)
	}
	if s.Switches() {
		p.boot(s)
	}
}

// overLimits has members pass again while a start anywhere has brought a head over a limit.
func (p *Backfill) overLimits(s *sim.State) {
	for again := true; again; {
		again = false
		for _, m := range p.members {
			for m.overLimits(s) {
				again = true
				m.Pass(s)
			}
		}
	}
}

// Planned returns the planned start of the waiting job j in seconds, or NaN where it has none that is a promise.
func (p *Backfill) Planned(j *sim.Job) float64 {
	return p.members[p.of[j.Partition()]].Planned(j)
}

// Ranks reports whether no member backfills in this run, and no job is delayed.
func (p *Backfill) Ranks() bool {
	return p.delays == nil && !slices.ContainsFunc(p.members, func(m member) bool {
		c, ok := m.(*Cycles)
		return !ok || !c.strict()
	})
}

// line returns the queue of a partition. It has one where [Backfill.Ranks] is true.
func (p *Backfill) line(partition int32) *Queue {
	return &p.members[p.of[partition]].(*Cycles).queue
}

// Rank returns the priority of a waiting job now.
func (p *Backfill) Rank(j *sim.Job) float64 { return p.line(j.Partition()).Rank(j) }

// RankedAt returns when the priorities in a partition were all computed, and whether they must be computed anew.
func (p *Backfill) RankedAt(partition int32) (float64, bool) { return p.line(partition).RankedAt() }

// AbsoluteTimes reports whether the queue order, sessions or delays have times of their own.
func (p *Backfill) AbsoluteTimes() bool {
	return p.delays != nil || len(p.members) > 0 && p.members[0].AbsoluteTimes()
}
