package backfill

import (
	"errors"
	"fmt"
	"math"

	"schedsweep/sim"
	"schedsweep/sim/power"
)

// Planning holds the fixed times at which a policy plans, where it does not plan at every event.
type Planning struct {
	Every  float64 `sweep:"every" unit:"s" min:"0" finite:"yes" doc:"period of planning (bf_interval); between, only heads of partitions start; 0: plan at every event"`
	Window float64 `sweep:"window" unit:"s" min:"0" doc:"jobs that would start later than this from now get no reservation (bf_window); 0: any time"`
	Jobs   int     `sweep:"jobs" min:"0" doc:"most jobs that are looked at each time, in the order of the queue and without held jobs (bf_max_job_test); 0: all"`
	// WholeNodes is Slurm's rule for waiting jobs. Running jobs hold their cores.
	WholeNodes bool `sweep:"whole_nodes" doc:"a reservation takes its nodes as a whole, on platforms where jobs get nodes (Slurm's plan)"`
	PerUser    int  `sweep:"per_user" min:"0" doc:"most of them of one user (bf_max_job_user); 0: all"`
}

// validate refuses bounds without a period, and rules of other simulators with one.
func (p *Planning) validate(rules string, report func(field, message string)) {
	if p.Every == 0 && *p != (Planning{}) {
		report("planning.every", "is 0, and the other fields of planning say how the policy plans at that period; set it, or drop them")
	}
	if 0 < p.Every && p.Every < .001 {
		report("planning.every", fmt.Sprintf("is %g s; the shortest period is 0.001 s, and 0 plans at every event", p.Every))
	}
	if p.Every > 0 && rules != "plain" && rules != sim.RulesOfOrder {
		report("planning.every", "goes with the rules plain; drop rules")
	}
}

// Cycles is backfilling that plans at fixed times, as Slurm does: conservative backfilling for all jobs, or EASY for heads of partitions.
//
// At each multiple of the period the plan is made anew, of the running jobs and then, in the order of the queue, of the jobs that wait. A
// job that can start beside the reservations before it starts. Others get a reservation: with conservative backfilling each, with EASY the
// first of its partition. Nothing else is reserved, nor is a start that lies beyond the window. Reservations are not kept.
//
// Between these times a pass starts jobs in the order of the queue. In each partition it stops at the first job that cannot start now.
//
// A plan is not made anew where nothing has happened since the last: no job came, started or ended, and no priority was calculated. Time
// alone lets no job start, because holes before reservations only shrink. But a job beyond its walltime moves reservations, and some orders
// change with time: as long as it runs, or under such an order, the plan is made anew each time if jobs wait. So it is before a cap changes
// for the last time, where a bound on jobs counts one that the cap will no longer admit.
//
// A plan costs what [Plan.Place] costs for each job that is looked at.
type Cycles struct {
	parts
	p       Planning
	all     bool    // every job gets a reservation
	due     float64 // when to plan, +Inf where nothing has happened
	planned float64 // when it was planned last
	heads   []bool  // by partition number: a job waits that cannot start
	waiting []int32 // jobs by partition number
	users   map[int32]int
}

// Reset prepares a run, or refuses it.
func (p *Cycles) Reset(s *sim.State) error {
	rules := s.Order().Resolve(p.rules)
	if err := p.plan.mayFollow(s, "with planning.every", rules == "pyss" && p.plan.rule == "", false, p.queue.limits != nil); err != nil {
		return err
	}
	n := len(s.Platform().Partitions) + 1
	p.due, p.planned, p.heads, p.waiting, p.users = math.Inf(1), math.Inf(-1), make([]bool, n), make([]int32, n), map[int32]int{}
	p.running.Reset()
	p.queue.need = p.plan.need
	if p.plan.reserveWhole = p.p.WholeNodes; p.plan.reserveWhole && !s.Requests() {
		return errors.New("policy.planning.whole_nodes: the plan knows no nodes where jobs request none; drop it, or give jobs requests")
	}
	return errors.Join(p.queue.Reset(s), p.plan.Reset(s, false))
}

// news has the policy plan at the next multiple of the period.
func (p *Cycles) news(s *sim.State) { p.planFrom(s, s.Now()) }

// planFrom has the policy plan at the first multiple of the period from a time on, but not twice.
func (p *Cycles) planFrom(s *sim.State, t float64) {
	if !p.isTime(t) || p.planned == t {
		t = nextMultiple(t, p.p.Every)
	}
	if t < p.due {
		p.due = t
		p.alarm.at(s, t)
	}
}

// isTime reports whether now is a multiple of the period.
func (p *Cycles) isTime(now float64) bool { return p.p.Every*math.Round(now/p.p.Every) == now }

// Submitted puts the job into the queue.
func (p *Cycles) Submitted(s *sim.State, j *sim.Job) {
	if !p.plan.Submitted(s, j) {
		return
	}
	p.queue.Push(s, j)
	p.waiting[j.Partition()]++
	p.news(s)
}

// Adopt takes the rest of the walltime of a job that another policy has started.
func (p *Cycles) Adopt(s *sim.State, j *sim.Job) {
	p.running.insert(j, j.Width(), p.plan.Adopt(s, j))
	p.queue.Started(s, j)
	p.news(s)
}

// Ended gives back the job's processors.
func (p *Cycles) Ended(s *sim.State, j *sim.Job) {
	p.running.remove(j, j.Width(), j.PlannedEnd())
	p.plan.Ended(s, j)
	p.queue.Ended(s, j)
	p.news(s)
}

// Changed has the plan keep off the events that are known now.
func (p *Cycles) Changed(s *sim.State) bool {
	changed, _ := p.plan.learn(s)
	if changed && p.queue.count > 0 { // a cap may change for ever
		p.news(s)
	}
	return changed
}

// AbsoluteTimes says that the period does not scale with the jobs.
func (p *Cycles) AbsoluteTimes() bool { return true }

// strict reports whether no job overtakes another of its partition: a plan that looks at the first job alone backfills nothing.
func (p *Cycles) strict() bool { return p.p.Jobs == 1 && p.queue.Ranks() }

// Pass plans if it is time to, and starts heads otherwise.
func (p *Cycles) Pass(s *sim.State) {
	now := s.Now()
	p.plan.Cut(now)
	if p.queue.sort(s) && p.queue.count > 0 && !p.isTime(now) {
		p.news(s)
	}
	cycle, late := now >= p.due || p.isTime(now), p.running.First() <= now
	if late || cycle {
		p.plan.Renew(s, &p.running)
	}
	if clear(p.heads); cycle {
		p.due, p.planned = math.Inf(1), now
		p.reserve(s)
	} else {
		p.startHeads(s)
	}
	if cycle || late {
		p.plan.Renew(s, &p.running)
	}
	if p.plan.eligible != nil && p.queue.count > 0 {
		p.plan.awaitSession(s, p.alarm)
		p.news(s) // another session may let others start
	}
	if !s.KillsAtWalltime() && p.queue.count > 0 {
		p.planFrom(s, max(now, p.running.First())) // an overrun may do so, too
	}
	if limit := s.Platform().Cap; limit != nil && p.queue.count > 0 && p.expires(limit, now) {
		p.news(s)
	}
	awaits := s.Running() > 0 || len(p.plan.known) > 0 || p.plan.watts != nil
	if by := p.queue.Priority; by != nil && !math.IsInf(by.Period(), 1) && p.queue.count > 0 && awaits {
		p.news(s)
	}
}

// expires reports whether a job that the plan looked at may lose its last chance to start before something else happens.
func (p *Cycles) expires(limit *power.Cap, now float64) bool {
	return (p.p.Jobs > 0 || p.p.PerUser > 0) && limit.Ahead && limit.Watts.Every == 0 && !math.IsInf(limit.Watts.After(now), 1)
}

// startHeads starts jobs in the order of the queue, in each partition until one cannot start.
func (p *Cycles) startHeads(s *sim.State) {
	open := 0 // partitions with waiting jobs that no job blocks
	for _, n := range p.waiting {
		if n > 0 {
			open++
		}
	}
	for j := range p.queue.All(s) {
		if n := j.Partition(); !p.heads[n] && !p.starts(s, j) {
			if p.plan.lost(s, &p.queue, j) {
				p.left(s, j, true)
				continue
			}
			if p.heads[n] = true; open == 1 {
				return
			}
			open--
		}
	}
}

// reserve plans: it starts the jobs that can start, and gives others reservations.
func (p *Cycles) reserve(s *sim.State) {
	clear(p.users)
	looked, last := 0, s.Now()+p.p.Window
	if p.p.Window == 0 {
		last = math.Inf(1)
	}
	for j := range p.queue.All(s) {
		if p.held(s, j) {
			continue
		}
		if p.users[j.User()]++; p.p.PerUser > 0 && p.users[j.User()] > p.p.PerUser {
			continue
		}
		if looked++; p.p.Jobs > 0 && looked > p.p.Jobs {
			return
		}
		if p.starts(s, j) {
			continue
		}
		if p.plan.lost(s, &p.queue, j) {
			looked--
			p.users[j.User()]--
			p.left(s, j, true)
			continue
		}
		if n := j.Partition(); p.all || !p.heads[n] {
			p.heads[n] = true
			if start := p.plan.Place(j, s.Now()); start > last {
				p.plan.Withdraw(j, start)
			}
		}
	}
}

// starts starts j if it may start now, or takes it out if a limit holds it. It reports whether it did one of the two.
func (p *Cycles) starts(s *sim.State, j *sim.Job) bool {
	if p.held(s, j) {
		return true
	}
	gone := p.startNow(s, j)
	p.left(s, j, gone)
	return gone
}

// held reports whether a limit holds j, and takes it out then.
func (p *Cycles) held(s *sim.State, j *sim.Job) bool {
	held := p.queue.holds(j)
	p.left(s, j, held)
	return held
}

// left notes that j has left the queue, if it has.
func (p *Cycles) left(s *sim.State, j *sim.Job, gone bool) {
	if gone {
		p.waiting[j.Partition()]--
		p.news(s)
	}
}
