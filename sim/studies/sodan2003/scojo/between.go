package scojo

import (
	"math/rand/v2"

	"cmp"
	"fmt"
	"math"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/studies/sodan2003/scojo/plan"
	"schedsweep/sim/studies/sodan2003/scojo/protocol"
)

// between holds the state of the protocol between several sites.
type between struct {
	grid     protocol.Grid
	state    *sim.State
	jobs     map[int64]*several // by [sim.Job.Seq]; looked up only
	messages int64              // of those launched on more than one site
	launched int64
}

// several is a job on whose sites these agree.
type several struct {
	task  *task // as submitted
	parts []protocol.Part
	tasks []*task // by part, when it has started
	seen  bool
}

func (p *Policy) connect(s *sim.State) error {
	n := len(p.sites)
	if err := p.p.Protocol.Check(n); err != nil {
		return fmt.Errorf("policy scojo on platform %q: policy.%w", s.Platform().Name, err)
	}
	b := &p.between
	b.state, b.jobs = s, map[int64]*several{}
	hooks := protocol.Hooks{Terms: p.terms, Fits: p.fits, Refresh: p.refresh, Changed: func(site int) { p.sites[site].stale = true }}
	if s.Listening() {
		hooks.Report = p.report
	}
	var faults *rand.Rand // a run without faults draws nothing
	if len(p.p.Protocol.Faults) > 0 {
		faults = p.env.Stream("faults")
	}
	b.grid.Reset(n, p.p.Protocol, hooks, faults, func(_ int, own *plan.Plan) {
		own.Reset(plan.ShareOf(1-p.p.Kept), p.p.level(), s.Now())
	})
	return nil
}

// concernsOthers reports whether a job is more than a site's own.
func (p *Policy) concernsOthers(s *sim.State, j *sim.Job) bool {
	return j.Sites() > 1 || j.ReservedStart() > 0 || int(j.Procs()) > s.Platform().Clusters[j.Home()].Procs()
}

// request asks for a job: on as many sites as it wants, or the fewest that hold it in
// equal parts; all sites hold any, in parts as equal as may be.
func (p *Policy) request(t *task) {
	machine, n := p.between.state.Platform(), len(p.sites)
	procs := int(t.job.Procs())
	r := protocol.Request{Application: p.application(t.job), NotBefore: t.after}
	if r.Parts = min(int(t.job.Sites()), n); procs < r.Parts {
		p.between.state.Fail(fmt.Errorf("policy scojo: job %d is to run on %d sites and asks for %d processors; it needs at least one on "+
			"each", t.job.ID(), t.job.Sites(), procs))
		return
	}
	for ; r.Parts < n; r.Parts++ {
		r.Candidates = r.Candidates[:0]
		for c := range machine.Clusters {
			if machine.Clusters[c].Procs()*r.Parts >= procs {
				r.Candidates = append(r.Candidates, c)
			}
		}
		if len(r.Candidates) >= r.Parts {
			break
		}
	}
	if r.Parts == n {
		r.Candidates = nil
	}
	m := &several{task: t}
	t.several, t.crossSite = m, r.Parts > 1 || t.after > 0
	p.sites[0].offer(t, 0) // the same at all sites
	r.Share = plan.ShareOf(t.share)
	p.between.jobs[t.job.Seq()] = m
	p.between.grid.Request(p.between.state.Now(), r)
}

// application returns the entry of a job in directories.
func (p *Policy) application(j *sim.Job) protocol.Application {
	return protocol.Application{Job: j.Seq(), Home: int(j.Home()), Share: plan.ShareOf(j.Share()), Estimate: j.Walltime()}
}

// enter and leave keep the directories; on a machine of one site there are no requests.
func (p *Policy) enter(j *sim.Job) {
	if len(p.sites) > 1 {
		p.between.grid.Directory(int(j.Home()))[j.Seq()] = p.application(j)
	}
}

func (p *Policy) leave(j *sim.Job) {
	if len(p.sites) == 1 {
		return
	}
	if m := p.between.jobs[j.Seq()]; m != nil {
		p.between.grid.Ended(j.Seq(), m.parts)
		delete(p.between.jobs, j.Seq())
		return
	}
	delete(p.between.grid.Directory(int(j.Home())), j.Seq())
}

// talk carries out the due events between the sites.
func (p *Policy) talk(now float64) {
	if len(p.sites) == 1 {
		return
	}
	b := &p.between
	for o := range b.grid.Advance(now) {
		m := b.jobs[o.Job]
		switch o.Kind {
		case protocol.Agreed:
			p.counts.reservations++
		case protocol.Launch:
			p.launch(m, &o, now)
		case protocol.Failed:
			p.giveUp(m)
		case protocol.Forgotten:
			delete(b.jobs, o.Job)
		}
	}
	for _, x := range p.sites {
		p.settle(x)
	}
}

// giveUp rejects a job. Other sites hold slots for it until they hear of that. They have a copy, as the engine uses the job
// again.
func (p *Policy) giveUp(m *several) {
	job := m.task.job
	p.between.state.Reject(job)
	gone := *job
	m.task.job = &gone
	for _, x := range p.sites {
		for _, t := range x.agreed {
			if t.several == m {
				t.job = &gone
			}
		}
	}
}

func (p *Policy) launch(m *several, o *protocol.Outcome, now float64) {
	if len(o.Parts) > 1 {
		p.between.launched++
		p.between.messages += o.Messages
	}
	m.parts = o.Parts
	for _, part := range o.Parts {
		x := p.sites[part.Site]
		x.move(now)
		t := m.at(o.Start)
		t.position = x.vacant(0)
		x.start(t, now, func(*task) {})
		m.tasks = append(m.tasks, t)
	}
}

// at is a part of the job with an agreed start.
func (m *several) at(start float64) *task {
	t := *m.task
	t.at = start
	return &t
}

// settle copies the grid's agreements of one site to that site.
func (p *Policy) settle(x *site) {
	if !x.stale {
		return
	}
	b := &p.between
	x.stale = false
	x.frozen, x.agreed = b.grid.Holding(x.number), x.agreed[:0]
	x.news = x.news || !x.frozen // nothing starts meanwhile
	b.grid.Contracts(x.number, func(r plan.Reservation) {
		if m := b.jobs[r.Job]; m != nil { // the meaning of a site that sends garbage is unknown
			x.agreed = append(x.agreed, m.at(r.Start))
		}
	})
	slices.SortStableFunc(x.agreed, func(a, b *task) int { return cmp.Compare(a.at, b.at) })
}

// terms returns the shares that any site reserves for a job.
func (p *Policy) terms(_ int, a *protocol.Application) (plan.Share, float64) {
	m := p.between.jobs[a.Job]
	if m == nil {
		return 0, 0
	}
	return plan.ShareOf(m.task.share), m.task.seconds
}

// fits reports whether a site has room by its own rules. Jobs that run beyond their reservation have no promise and
// keep no job out. Nor does the rest of a reservation that rounding leaves.
func (p *Policy) fits(site int, a *protocol.Application, start, end float64) bool {
	return p.sites[site].fits(p.between.jobs[a.Job].task, p.between.state.Now(), start+slack*max(1, start), end)
}

// refresh computes a site's plan by its rules, as if nothing else came but the application. Waiting tasks behind it have
// no place in the plan: it takes its turn, and they wait for it.
func (p *Policy) refresh(site int, a *protocol.Application) {
	x, now, own := p.sites[site], p.between.state.Now(), p.between.grid.Plan(site)
	p.settle(x)
	x.move(now)
	for _, id := range x.planned {
		own.Release(id)
	}
	x.planned = x.planned[:0]
	reserve := func(t *task, start, share, seconds float64, kind plan.Kind) {
		// Reservations last longer than the jobs when the rules are played on, by their allowance for slowdowns and
		// rounding. So they push other reservations back. Rounding pushes none behind an agreed start, and lets none that
		// ends there reach beyond it.
		part := plan.ShareOf(share)
		start = own.Earliest(start, part, seconds-2*slack*max(1, start+seconds))
		end := start + seconds
		for _, f := range x.agreed {
			if end > f.at && end <= f.at+rest(t.seconds, f.at) {
				end = f.at
			}
		}
		end = min(end, own.Until(start, part))
		if late := start + 2*slack*max(1, start); kind == plan.Movable && late < end {
			start = late // so that rounding has none of the reservations that it follows end later
		}
		if id, ok := own.Reserve(t.job.Seq(), start, end, part, kind); ok {
			x.planned = append(x.planned, id)
		}
	}
	var promised []*task
	for _, r := range x.running {
		if !r.spent() {
			promised = append(promised, r)
		}
	}
	for _, r := range promised {
		if r.several == nil {
			reserve(r, now, x.assigned(r, promised), r.until(now)-now, plan.Fixed)
		}
	}
	with := x.copied()
	if m := p.between.jobs[a.Job]; m != nil { // the meaning of a site that sends garbage is unknown
		with.keepBefore(m.task, now)
	}
	with.ahead(now, nil, func(t *task, at float64) {
		if t.several == nil {
			reserve(t, at, t.share, t.seconds, plan.Movable)
		}
	})
}

// due are the sites that need a pass. Jobs that run on several link these: the time that a site has for them depends on
// the others, and all must decide by the same state of affairs, or two jobs might wait for each other.
func (p *Policy) due(now float64) []*site {
	var due []*site
	linked := false
	for _, x := range p.sites {
		x.news = x.news || x.wake <= now
		linked = linked || x.news && x.linked()
	}
	for _, x := range p.sites {
		if x.news || linked && x.linked() {
			due = append(due, x)
		}
	}
	if linked {
		for _, x := range due {
			x.move(now)
		}
		for _, x := range due {
			for _, r := range x.running {
				if r.several != nil {
					r.several.level()
				}
			}
		}
	}
	return due
}

// linked reports whether jobs run here and elsewhere.
func (x *site) linked() bool {
	return slices.ContainsFunc(x.running, func(r *task) bool { return r.several != nil && len(r.several.parts) > 1 })
}

// level makes equal what the parts have left of their reservations, which differs by rounding.
func (m *several) level() {
	least := m.tasks[0].reserve
	for _, t := range m.tasks {
		least = min(least, t.reserve)
	}
	for _, t := range m.tasks {
		t.reserve = least
	}
}

// atOnce gives the parts of a job one share, the least that a site has for it, and
// leaves one task for each job.
func (p *Policy) atOnce(tasks []*task, now float64) []*task {
	alone := tasks[:0]
	for _, t := range tasks {
		m := t.several
		if m == nil {
			alone = append(alone, t)
			continue
		}
		if m.seen {
			continue
		}
		m.seen = true
		least := math.Inf(1)
		for i, part := range m.tasks {
			p.sites[m.parts[i].Site].move(now)
			least = min(least, part.offered)
		}
		for _, part := range m.tasks {
			part.now = least
		}
		alone = append(alone, m.tasks[0])
	}
	for _, t := range alone {
		if t.several != nil {
			t.several.seen = false
		}
	}
	return alone
}

// procs returns the lowest of a site's processors, shared or not, or of all sites'
// of the job, in parts as equal as may be.
func (p *Policy) procs(machine *sim.Platform, t *task) []sim.Span {
	left := t.job.Procs()
	if t.several == nil {
		first := int32(machine.First(int(t.job.Home())))
		return []sim.Span{{Lo: first, Hi: first + left - 1}}
	}
	parts := slices.Clone(t.several.parts)
	size := func(part protocol.Part) int { return machine.Clusters[part.Site].Procs() }
	slices.SortStableFunc(parts, func(a, b protocol.Part) int { return size(a) - size(b) })
	var spans []sim.Span
	for i, part := range parts {
		n := int32(min(size(part), int(left)/(len(parts)-i)))
		left -= n
		first := int32(machine.First(part.Site))
		spans = append(spans, sim.Span{Lo: first, Hi: first + n - 1})
	}
	slices.SortFunc(spans, func(a, b sim.Span) int { return int(a.Lo - b.Lo) })
	return spans
}

// report reports the messages between the sites to an observer.
func (p *Policy) report(job int64, m sim.Message) {
	if known := p.between.jobs[job]; known != nil && !known.task.job.State().Refused() {
		m.Job = known.task.job
	}
	p.between.state.Report(m)
}
