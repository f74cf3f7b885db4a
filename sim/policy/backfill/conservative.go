package backfill

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"schedsweep/sim"
)

func init() {
	sim.Policies.Add(sim.Kind[sim.NewPolicy]{
		Name:        "conservative",
		Doc:         "conservative backfilling: every job has a planned start from its submission on, and no later job delays it",
		Partitioned: true,
		Params:      ConservativeParams{Ordered: InOrder("fcfs"), Placed: Placed{Placement: "any"}, Rules: sim.RulesOfOrder},
		New: func(params any, env sim.Env) (sim.Policy, error) {
			p := params.(*ConservativeParams).easy()
			return newBackfill(p, env, true, func(m parts, _ bool, _ *sim.Platform) member {
				m.queue.flat = true
				return &Conservative{parts: m}
			})
		},
	})
}

// ConservativeParams are the parameters of the policy conservative: those of easy, with rules of its own.
type ConservativeParams struct {
	// Ordered is the order in which waiting jobs are moved forward when room is
	// left. A place at submission is given in order of submission, in every order of the queue.
	Ordered
	Bounded
	Shifted
	Planning Planning `sweep:"planning" doc:"fixed times at which the policy plans; none: at every event"`
	Placed
	Rules string `sweep:"rules" doc:"rules to follow where simulators differ" enum:"event-order: the rules that go with the event order|plain: our own|pyss: of the Feitelson group's simulator, for placement any|cbf2015: of the simulator of contiguity and locality, for the other placements"`
}

func (p *ConservativeParams) easy() *EasyParams {
	return &EasyParams{Ordered: p.Ordered, Rules: p.Rules, Placed: p.Placed, Bounded: p.Bounded, Shifted: p.Shifted, Planning: p.Planning}
}

// Version sets limits apart that held a job which waited for the end of an overrun, where the plan knows which processors are free. Other
// jobs could take its place.
func (p *ConservativeParams) Version() int {
	if p.Planning.Every > 0 {
		return p.easy().Version()
	}
	return p.easy().version() + min(1, len(p.Limits))
}

// Needs is that of easy.
func (p *ConservativeParams) Needs(report func(missing, field, message string)) {
	p.easy().Needs(report)
}

// Validate refuses rules that a placement does not have.
func (p *ConservativeParams) Validate(report func(field, message string)) {
	p.easy().Validate(report)
}

// startSlack is the time before its planned start at which a job may start on the processors of its placement, in seconds, if
// they are free: the slack of the simulator cbf2015.
const startSlack = 1e-6

// Conservative is conservative backfilling: each job is given the earliest place by walltimes when it is submitted, so
// no job is delayed by a later one (A. W. Mu'alem, D. G. Feitelson, "Utilization, predictability, workloads, and user
// runtime estimates in scheduling the IBM SP2 with backfilling", IEEE TPDS 2001). Holes of exactly a job's length are
// accepted.
//
// When a job ends before its walltime the plan is compressed. Each waiting job, in the order of the queue, is taken
// out and takes the earliest start not later than its own. With a placement its processors are chosen anew. When
// nothing ended early nothing is replanned. A job that the caps to come did not admit beside the others is tried once
// more where others have moved. Where nodes are switched off under a cap, the plan is also compressed when nodes change
// their states. Under the rules of pyss the plan is compressed after every end. A place may then begin at a planned end
// before that end has been handled; the job starts later in the same instant. Under the rules of cbf2015, Dutot, Poquet
// and Trystram's simulator (2015), after every end each waiting job moves to now, by its own placement, or stays exactly
// where it was.
//
// Where jobs are not ended at their walltime, a job that has passed it is expected to end at any moment. As long as
// there is such a job, each pass makes the whole plan anew, in the order of the queue. The processors of such a job count as
// taken now and free at once after now. The policy notices an overrun when it begins. While an overrun lasts, planned starts bring no
// pass. An event of the platform that begins does, and so does an order that is computed at fixed times.
//
// A limit may hold a job when it is due: the job then leaves the plan, which is compressed, until an end may let it start. Where limits
// admit it on another class of its partition, it gets a place there instead. Where submissions come before ends, a pass within an instant
// holds no job: an end of the same instant may let it start.
//
// Planning a job costs what [Plan.Place] costs. Compressing looks at each waiting job. It searches for a job unless
// the searches before it prove that the job cannot move. Each job that moves costs two changes of the profile.
// Starting a job that is due costs O(log k) with k jobs waiting.
type Conservative struct {
	parts
	starts  starts
	keeps   bool // running is kept: jobs may overrun, or the platform has events
	learned bool // planners have learnt of an event of the platform, or that nodes have come on, since the last pass
	fresh   []*sim.Job
	due     []*sim.Job // scratch
	pyss    bool
	cbf     bool
	ended   bool    // a job has ended since the last pass
	early   bool    // one of them before its planned end
	dropped bool    // a limit has taken a job out of the plan
	overrun bool    // the plan was made with jobs beyond their walltimes
	news    bool    // jobs were submitted or have ended since the last pass
	woken   bool    // all other events of this instant have been handled
	next    float64 // when a pass is due without news
	wake    float64 // when the last wake-up is due
}

// Reset prepares a run, or refuses it.
func (p *Conservative) Reset(s *sim.State) error {
	rules := s.Order().Resolve(p.rules)
	p.pyss, p.cbf = rules == "pyss" && p.plan.rule == "", rules == "cbf2015" && p.plan.rule != ""
	if err := p.plan.mayFollow(s, "conservative", p.pyss, p.cbf, p.queue.limits != nil); err != nil {
		return err
	}
	limit := s.Platform().Cap
	p.keeps, p.learned = !s.KillsAtWalltime() || s.HasEvents() || limit != nil && !limit.Ahead, false
	p.running.Reset()
	p.starts.reset()
	p.fresh, p.ended, p.early, p.overrun, p.news, p.woken, p.dropped = p.fresh[:0], false, false, false, false, false, false
	p.next, p.wake = math.Inf(1), math.Inf(1)
	if len(p.plan.of.classes) > 0 {
		p.queue.need = p.plan.need
	}
	return errors.Join(p.queue.Reset(s), p.plan.Reset(s, p.cbf))
}

// Submitted keeps the job for the next pass, which plans it: what ended at the
// same instant must have left its room to the jobs that waited before.
func (p *Conservative) Submitted(s *sim.State, j *sim.Job) {
	if !p.plan.Submitted(s, j) {
		return
	}
	p.fresh, p.news = append(p.fresh, j), true
}

// Adopt takes the rest of the walltime of a job that another policy has started.
func (p *Conservative) Adopt(s *sim.State, j *sim.Job) {
	end := p.plan.Adopt(s, j)
	if p.keeps {
		p.running.Insert(j, end)
	}
	p.queue.Started(s, j)
	p.news = true
}

// Ended gives back the rest of the job's walltime.
func (p *Conservative) Ended(s *sim.State, j *sim.Job) {
	if p.keeps {
		p.running.remove(j, j.Width(), p.plan.End(j))
	}
	if p.plan.Ended(s, j) {
		p.early = true
	}
	p.queue.Ended(s, j)
	p.ended, p.news = true, true
}

// Changed has the plan keep off the events that are known now. The pass that follows plans all jobs anew where one is new. Before the first
// job there is nothing to plan anew. An event that was known ahead may be the first since a job has passed its walltime.
func (p *Conservative) Changed(s *sim.State) bool {
	changed, more := p.plan.learn(s)
	changed = changed || p.plan.begins && !s.KillsAtWalltime() && p.running.First() <= s.Now()
	p.news, p.learned = p.news || changed, p.learned || more && s.Waiting()+s.Running() > 0
	return changed
}

// Woken comes after all ends and submissions of the instant.
func (p *Conservative) Woken(s *sim.State) { p.woken = p.isDue(s.Now()) }

// isDue reports whether a pass is due without news: for a planned start or end, for a boot, or, while an overrun lasts, for an order of the
// queue that is computed anew.
func (p *Conservative) isDue(now float64) bool {
	return now >= p.next || now == p.plan.bootAt || p.overrun && now == p.queue.asked
}

// Pass brings the plan up to date and starts the jobs that are due. A wake-up for a plan that has changed since changes
// nothing. Where there are limits, a wake-up comes after all that changes what they count.
func (p *Conservative) Pass(s *sim.State) {
	now := s.Now()
	if due := p.isDue(now); !p.news && (!due || p.queue.limits != nil && !p.woken) {
		if p.woken = false; !due {
			p.askWake(s)
		}
		return
	}
	p.news = false
	p.plan.Cut(now)
	p.plan.dusk(now)
	if len(p.fresh) > 1 { // held and requeued jobs come in between
		slices.SortFunc(p.fresh, func(a, b *sim.Job) int { return cmp.Compare(a.Seq(), b.Seq()) })
	}
	if late := p.late(s); late || p.overrun || p.learned {
		p.overrun, p.learned = late, false
		p.replan(s)
	} else {
		p.moveForward(s)
		for _, j := range p.fresh {
			p.queue.Push(s, j)
			p.starts.set(j, p.plan.Place(j, now))
		}
	}
	p.fresh, p.ended, p.early = p.fresh[:0], false, false
	for p.startDue(s); p.dropped; p.startDue(s) {
		p.dropped, p.early = false, true
		p.moveForward(s)
		p.early = false
	}
	p.plan.booting = p.plan.dim
	p.woken = false
}

// drop takes back the place of a job that is due and would exceed a limit there. It reports whether the job has none now that is due.
func (p *Conservative) drop(s *sim.State, j *sim.Job) bool {
	if !p.queue.limits.stops(j, p.plan.class(j)) {
		return false
	}
	held := p.queue.holds(j)
	p.plan.Withdraw(j, p.starts.of(j))
	p.starts.remove(j)
	p.dropped = true
	if held {
		return true
	}
	start := p.plan.Place(j, s.Now())
	p.starts.set(j, start)
	return start > s.Now()
}

// late reports whether a job still runs at its planned end or later.
func (p *Conservative) late(s *sim.State) bool {
	return !s.KillsAtWalltime() && p.running.First() <= s.Now()
}

// Planned returns the planned start of the waiting job j in seconds, or NaN
// before the pass that plans it.
func (p *Conservative) Planned(j *sim.Job) float64 { return p.starts.of(j) }

// moveForward moves waiting jobs to earlier places after ends, in the order of the queue.
func (p *Conservative) moveForward(s *sim.State) {
	now := s.Now()
	switch {
	case p.cbf && p.ended:
		p.queue.sort(s)
		free := p.plan.parts[0].chosen().Free()
		for _, e := range p.queue.inLine() {
			if e.procs > free || p.queue.gone(e) {
				continue
			}
			if j := p.queue.job(e.node); p.plan.parts[0].chosen().MoveUp(j, now) {
				p.starts.set(j, now)
				free = p.plan.parts[0].chosen().Free()
			}
		}
	case !p.cbf && (p.early || p.pyss && p.ended):
		p.queue.sort(s)
		if moved, lack := p.compress(now, now); moved && lack {
			p.compress(now, math.MaxFloat64)
		}
	}
}

// compress moves waiting jobs to earlier places, in the order of the queue: the ones whose places begin after a time. It reports whether
// some have moved, and whether some have no place, because no cap to come admits them.
func (p *Conservative) compress(now, after float64) (moved, lack bool) {
	for _, e := range p.queue.inLine() {
		if p.queue.gone(e) {
			continue
		}
		j := p.queue.job(e.node)
		old := p.starts.of(j)
		if old <= after && !(after == now && p.plan.placed) {
			continue
		}
		start := p.plan.Advance(j, now, old)
		if start < old {
			p.starts.set(j, start)
			moved = true
		}
		lack = lack || math.IsInf(start, 1)
	}
	return moved, lack
}

// replan makes the whole plan anew around jobs that have passed their walltime, and for the last time after they have
// gone. It also does so around an event of the platform that has become known.
func (p *Conservative) replan(s *sim.State) {
	for _, j := range p.fresh {
		p.queue.Push(s, j)
	}
	p.queue.sort(s)
	p.plan.Renew(s, &p.running)
	for _, e := range p.queue.inLine() {
		if j := p.queue.job(e.node); !p.queue.gone(e) {
			p.starts.set(j, p.plan.Place(j, s.Now()))
		}
	}
}

// startDue starts jobs whose time has come, and asks for a wake-up. Without a placement it starts them in the order in
// which their starts were planned, and where there are limits in the order of the queue. Under pyss some of
// their processors may be given back only later
// in this instant; then another pass follows. With a placement it starts them in the order of the queue, each as soon as
// its own processors are free.
func (p *Conservative) startDue(s *sim.State) {
	now, slack := s.Now(), 0.0
	switch {
	case p.queue.limits != nil: // a job that waits for the end of an overrun is not due: limits count the overrun still
	case p.plan.placed:
		slack = startSlack
	default:
		j, start := p.starts.first()
		for start <= now && p.start(s, j) {
			j, start = p.starts.first()
		}
	}
	due, next := p.starts.due(now, slack, p.due[:0])
	p.due, p.next = due, next
	if p.queue.limits != nil && len(due) > 1 { // keys may have changed since, and limits depend on the order
		p.queue.sort(s)
	}
	waits, held := false, false
	if p.plan.placed || p.queue.limits != nil {
		slices.SortFunc(p.due, p.queue.compare)
		for _, j := range p.due {
			if !p.woken && s.Order().SubmitFirst && p.queue.limits.stops(j, p.plan.class(j)) { // ends of this instant may be still to come
				held = true
				continue
			}
			if !p.drop(s, j) && !p.start(s, j) && p.plan.placed {
				if at := p.starts.of(j); at > now {
					p.next = min(p.next, at)
				} else {
					waits = true
				}
			}
		}
	}
	if p.nextPass(s, waits); held {
		p.next = now
		p.askWake(s)
	}
}

// start starts j if its processors are free.
func (p *Conservative) start(s *sim.State, j *sim.Job) bool {
	if !p.plan.Start(s, j) {
		return false
	}
	p.starts.remove(j)
	p.queue.Remove(j)
	if p.keeps {
		p.running.insert(j, j.Width(), p.plan.End(j))
	}
	p.queue.Started(s, j)
	return true
}

// nextPass has a pass come at the next planned start. Where jobs may overrun, it also has one come at the next planned end
// of a running job, so that an overrun is noticed when it begins. While an overrun lasts, planned starts build on an unknown end and
// are no reason for a pass. A job that can start then starts when another job ends, was planned for the planned end of a running job, or
// waited for another session.
//
// If waits is set, a job is due and finds another job still there. It waits for that job's end at this instant, or learns
// from a wake-up after it that there is none.
func (p *Conservative) nextPass(s *sim.State, waits bool) {
	now := s.Now()
	if p.overrun {
		p.next, waits = math.Inf(1), false
		if p.plan.eligible != nil && p.queue.count > 0 {
			_, p.next = p.plan.eligible.At(now)
		}
	}
	if !s.KillsAtWalltime() {
		p.next = min(p.next, p.running.after(now))
	}
	if waits {
		if p.woken || s.KillsAtWalltime() {
			return
		}
		p.next = now
	}
	p.askWake(s)
}

// askWake asks to be woken for the next pass. With a placement, an earlier wake-up that is still to come asks again.
func (p *Conservative) askWake(s *sim.State) {
	if !p.plan.placed {
		if p.next != p.wake && p.next < math.Inf(1) {
			p.alarm.at(s, p.next)
		}
		p.wake = p.next
	} else if p.next < math.Inf(1) && (p.wake <= s.Now() || p.wake > p.next) {
		p.wake = p.next
		p.alarm.at(s, p.next)
	}
}
