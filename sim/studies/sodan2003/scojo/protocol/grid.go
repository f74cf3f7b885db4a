package protocol

import (
	"cmp"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/studies/sodan2003/scojo/plan"
)

// Hooks connect the sites with the policy that they belong to. Each may be nil.
type Hooks struct {
	// Terms are the shares that a site reserves for an application, and their durations in seconds;
	// by default the requested share. No share refuses it.
	Terms func(site int, a *Application) (plan.Share, float64)
	// Fits reports whether the site can have the application from start to end, +Inf
	// included, beside what the plan holds then: shares may be worth less beside some.
	Fits func(site int, a *Application, start, end float64) bool
	// Changed is called when what a site holds or has confirmed has changed.
	Changed func(site int)
	// Refresh is called before a site looks for slots for an application: its plan must then hold all of its jobs that
	// go before.
	Refresh func(site int, a *Application)
	// Report hears of messages and of reservations.
	Report func(job int64, m sim.Message)
}

// Grid is a number of sites, each with its plan and its directory, and the messages
// under way between them. It is driven from outside: [Grid.Advance] carries out the due events. The zero value must
// be Reset before use.
//
// Events lie in a slice, the next one at its end. With a few messages under way for each site that beats a heap. An
// event costs a binary search and the move of a few pointers.
type Grid struct {
	params   Params
	hooks    Hooks
	rand     *rand.Rand
	now      float64
	sites    []site
	homes    []home
	requests map[int64]*request // by job, until they are launched or given up; looked up only
	last     int64              // attempt
	events   []*event           // latest first
	seq      int64
	outcomes []Outcome
	counts   Counts
}

// Counts are the costs of a run.
type Counts struct {
	// Messages between different sites, with garbage and lost ones included.
	Messages int64
	// Requests, and how they ended: Launched or Failed.
	Requests, Launched, Failed int64
	// Attempts is the number of attempts at an agreement.
	Attempts int64
	// Expired is the number of holds that were neither confirmed nor terminated in time,
	// Unused that of contracts that were given up at their start.
	Expired, Unused int64
}

// An event is a message that arrives, or a deadline, which matters as long as
// something is not settled.
type event struct {
	time float64
	rank uint8
	seq  int64
	open func() bool // nil: always
	do   func()
}

// At one instant launches come first, then messages, and some messages may make further jobs ready for launch. Jobs
// that are not agreed or launched by then are given up last.
const (
	rankLaunch uint8 = iota
	rankAny
	rankLate
	rankUnused
)

// Reset makes a grid of n sites without jobs; prepare sets up each site's plan. The
// numbers are for faults, and may be nil where there are none.
func (g *Grid) Reset(sites int, p Params, h Hooks, r *rand.Rand, prepare func(site int, p *plan.Plan)) {
	*g = Grid{params: p, hooks: h, rand: r, sites: g.sites, homes: make([]home, sites), requests: map[int64]*request{},
		events: g.events[:0], outcomes: g.outcomes[:0]}
	if len(g.sites) != sites {
		g.sites = make([]site, sites)
	}
	for i := range g.sites {
		s := &g.sites[i]
		*s = site{grid: g, number: i, plan: s.plan, directory: Directory{}}
		prepare(i, &s.plan)
	}
	for _, f := range p.Faults {
		g.sites[f.Site].fault = f
	}
}

// Plan and Directory are those of a site.
func (g *Grid) Plan(site int) *plan.Plan { return &g.sites[site].plan }

func (g *Grid) Directory(site int) Directory { return g.sites[site].directory }

// Holding reports whether a site holds slots without knowing yet which is taken: it must promise nothing else meanwhile
// that its plan does not show.
func (g *Grid) Holding(site int) bool { return g.sites[site].serving != nil }

// Contracts visits the reservations that a site has confirmed and that have not started yet.
func (g *Grid) Contracts(site int, visit func(r plan.Reservation)) {
	s := &g.sites[site]
	for _, c := range s.contracts {
		if r, there := s.plan.Of(c.id); there {
			visit(r)
		}
	}
}

// Counts are the counts since Reset.
func (g *Grid) Counts() Counts { return g.counts }

// Next returns the time of the next event, in s; +Inf when nothing is.
func (g *Grid) Next() float64 {
	for n := len(g.events); n > 0; n-- {
		if e := g.events[n-1]; e.open == nil || e.open() {
			return e.time
		}
		g.events = g.events[:n-1]
	}
	return math.Inf(1)
}

// Advance does all that is due by now, and tells what becomes of requests as it comes:
// the next site with a request knows what the caller has launched at the same instant.
func (g *Grid) Advance(now float64) iter.Seq[Outcome] {
	return func(yield func(Outcome) bool) {
		for g.Next() <= now {
			e := g.events[len(g.events)-1]
			g.events = g.events[:len(g.events)-1]
			g.now = max(g.now, e.time)
			g.outcomes = g.outcomes[:0]
			e.do()
			for _, o := range g.outcomes {
				if !yield(o) {
					return
				}
			}
		}
		g.now = max(g.now, now)
	}
}

// at has something done at time t, if it is still open then; nil for anyway.
func (g *Grid) at(t float64, rank uint8, open func() bool, do func()) {
	g.seq++
	e := &event{time: t, rank: rank, seq: g.seq, open: open, do: do}
	i, _ := slices.BinarySearchFunc(g.events, e, func(a, b *event) int {
		return cmp.Or(cmp.Compare(b.time, a.time), cmp.Compare(b.rank, a.rank), cmp.Compare(b.seq, a.seq))
	})
	g.events = slices.Insert(g.events, i, e)
}

func (g *Grid) send(m message) {
	if m.from == m.to {
		g.at(g.now, rankAny, nil, func() { g.arrives(&m) })
		return
	}
	from, message, arrives := &g.sites[m.from], m, g.now+g.params.Latency
	if m.kind == ConfirmSchedule || m.kind == ConfirmAnswer {
		arrives += from.fault.Late
	}
	switch {
	case m.kind.answer() && from.silent():
		g.reportSent(&m, "not sent", math.NaN())
		return
	case from.garbles():
		message.garble(g.rand)
		g.reportSent(&m, "garbage", arrives)
	default:
		g.reportSent(&m, "", arrives)
	}
	g.counts.Messages++
	if q := g.requests[m.app.Job]; q != nil {
		q.messages++
	}
	g.at(arrives, rankAny, nil, func() { g.arrives(&message) })
}

// arrives gives a message to its receiver, if it makes any sense.
func (g *Grid) arrives(m *message) {
	if !m.sane() {
		return
	}
	if m.kind.answer() {
		if q := g.requests[m.app.Job]; q != nil && q.attempt == m.attempt && q.app.Home == m.to {
			q.answered(m)
		}
		return
	}
	g.sites[m.to].receive(m)
}

func (k Kind) answer() bool {
	return k == RoughLoadAnswer || k == FineSchedulingAnswer || k == ConfirmAnswer
}
