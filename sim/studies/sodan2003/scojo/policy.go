package scojo

import (
	"errors"
	"math"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/studies/sodan2003/shares"
)

// Policy is SCOJO.
type Policy struct {
	p        Params
	env      sim.Env
	sites    []*site
	fresh    []*task // cross-site tasks whose start is to be agreed on a machine of one site
	alarm    float64
	promised []promise // by slot of the job
	counts   struct{ reservations, overruns, promotions int }
	between  between
}

func New(p Params) *Policy { return &Policy{p: p} }

// AbsoluteTimes reports that classes have bounds of their own.
func (p *Policy) AbsoluteTimes() bool { return true }

// Reset refuses a progress model without shares.
func (p *Policy) Reset(s *sim.State) error {
	model, ok := s.Progress().(*shares.Model)
	if !ok {
		return errors.New("policy scojo gives jobs shares of processors' time, which the progress model does not know: take progress {kind: " +
			"shares}")
	}
	n := len(s.Platform().Clusters)
	*p = Policy{p: p.p, env: p.env, alarm: math.Inf(-1)}
	for i := range n {
		p.sites = append(p.sites, &site{p: &p.p, sharing: model, number: i, bound: n > 1, wake: math.Inf(1)})
	}
	s.TrackProcs()
	if n > 1 {
		return p.connect(s)
	}
	return nil
}

// Submitted enters the job into the queue, or among those whose start is to be agreed.
func (p *Policy) Submitted(s *sim.State, j *sim.Job) {
	t := p.task(j)
	switch {
	case !s.HasHome("scojo", j):
	case len(p.sites) > 1 && p.concernsOthers(s, j):
		p.request(t)
	case len(p.sites) == 1 && t.crossSite:
		p.fresh, p.sites[0].news = append(p.fresh, t), true
	default:
		x := p.sites[j.Home()]
		x.waiting, x.news = append(x.waiting, t), true
		p.enter(j)
	}
}

func (p *Policy) task(j *sim.Job) *task {
	crossSite := j.ReservedStart() > 0 || j.Sites() > 1 && (p.p.agrees() || len(p.sites) > 1)
	return &task{job: j, base: p.p.priority(j), crossSite: crossSite, at: math.NaN(),
		after: j.ReservedStart(), position: unplaced, left: j.Walltime()}
}

func (p *Policy) Ended(_ *sim.State, j *sim.Job) {
	for _, x := range p.sites {
		n := len(x.running)
		x.running = slices.DeleteFunc(x.running, func(t *task) bool { return t.job == j })
		x.news = x.news || len(x.running) < n
	}
	p.leave(j)
}

// Pass starts the jobs that should start, and gives every job a share. On a machine of several
// sites only the sites with an event have a pass, and the sites that jobs link to them.
func (p *Policy) Pass(s *sim.State) {
	now := s.Now()
	p.talk(now)
	var touched []*task
	due := p.due(now)
	for _, x := range due {
		x.move(now)
		for _, t := range p.fresh {
			x.agree(t, now)
			p.counts.reservations++
		}
		p.fresh = p.fresh[:0]
		x.pass(now, func(*task) {}, p.changed)
		x.news = false
		for _, r := range x.running {
			r.offered = r.now
		}
		touched = append(touched, x.running...)
	}
	tasks := p.atOnce(touched, now)
	for _, x := range due {
		x.rates()
		x.wake = x.alarm(now)
	}
	p.carryOut(s, tasks)
	next := p.between.grid.Next()
	for _, x := range p.sites {
		next = min(next, x.wake)
	}
	if next != p.alarm && !math.IsInf(next, 1) {
		p.alarm = next
		s.WakeAt(next)
	}
}

func (x *site) move(now float64) {
	x.advance(now - x.since)
	x.since = now
	for _, r := range x.running {
		r.left = r.job.Walltime() - (r.job.Work() - r.job.WorkLeft(now))
	}
}

func (p *Policy) changed(t *task, promoted bool) {
	switch {
	case promoted:
		p.counts.promotions++
	case t.several == nil || t == t.several.tasks[0]:
		p.counts.overruns++
	}
}

// carryOut makes the machine what the sites are: who loses share first, then who
// starts, then who gains. Of a job on several sites there is one task here.
func (p *Policy) carryOut(s *sim.State, tasks []*task) {
	var starting []*task
	for _, gains := range []bool{false, true} {
		for _, t := range tasks {
			switch runs := t.job.State() == sim.Running; {
			case runs && (t.now > t.job.HeldShare()) == gains:
				if share := min(1, t.now); p.promises(s, t) || share != t.job.HeldShare() {
					s.SetShare(t.job, share)
				}
			case !runs && !gains:
				starting = append(starting, t)
			}
		}
		for _, t := range starting {
			p.promises(s, t)
			s.StartShared(t.job, p.procs(s.Platform(), t), min(1, t.now))
		}
		starting = nil
	}
}

// promise is below which share a running job does not fall before a time, in s, or
// until it has had as much as that comes to. An effective one is about the job's rate.
type promise struct {
	share, until float64
	effective    bool
}

// promises makes the task's promise what it is from now on, and reports whether it has
// changed. That of a running job remains.
func (p *Policy) promises(s *sim.State, t *task) bool {
	was := sim.Entry(&p.promised, t.job.Slot())
	is := *was
	if t.job.State() != sim.Running || is.share != t.share {
		is = promise{t.share, t.until(s.Now()), t.effective(&p.p)}
	}
	if t.position == kept {
		is.share = 0
	}
	changed := t.job.State() != sim.Running || is != *was
	if *was = is; changed && s.Listening() {
		s.Report(sim.Message{Name: "Promise", From: -1, To: -1, Job: t.job, Fields: []sim.Field{
			{Name: "share", Value: is.share}, {Name: "until", Value: is.until}, {Name: "effective", Value: is.effective}}})
	}
	return changed
}

// Promised returns below which share the running job does not fall before the time until;
// an effective promise is about its rate.
func (p *Policy) Promised(j *sim.Job) (share, until float64, effective bool) {
	is := p.promised[j.Slot()]
	return is.share, is.until, is.effective
}

var metrics = []sim.Metric{
	{Name: "reservations", Doc: "cross-site jobs whose start was fixed beforehand"},
	{Name: "overruns", Doc: "jobs that went on in the kept share because they had used up their reserved share", Better: sim.Lower},
	{Name: "promotions", Doc: "times that a job got the larger share of one that had ended"},
	{Name: "messages_per_job", Doc: "messages between sites until the start of a job that runs on several of them: mean over these jobs; " +
		"undefined without any", Better: sim.Lower},
	{Name: "attempts", Doc: "attempts of sites to agree on a job, including failed ones"},
	{Name: "expired_holds", Doc: "preliminary reservations at sites that expired", Better: sim.Lower},
	{Name: "given_up", Doc: "jobs that were rejected because their sites came to no agreement", Better: sim.Lower},
}

func (p *Policy) Values(dst []float64) []float64 {
	c, perJob := p.between.grid.Counts(), math.NaN()
	if p.between.launched > 0 {
		perJob = float64(p.between.messages) / float64(p.between.launched)
	}
	return append(dst, float64(p.counts.reservations), float64(p.counts.overruns), float64(p.counts.promotions),
		perJob, float64(c.Attempts), float64(c.Expired), float64(c.Failed))
}
