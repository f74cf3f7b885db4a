package protocol

import (
	"cmp"
	"math"
	"slices"

	"schedsweep/sim/studies/sodan2003/scojo/plan"
)

// Request asks for a job.
type Request struct {
	Application
	// Parts is on how many sites the job runs at once, at least 1.
	Parts int
	// Candidates are the sites that it may run on; nil for all.
	Candidates []int
	// NotBefore is the earliest start, in s.
	NotBefore float64
}

// OutcomeKind is the kind of an outcome of a request.
type OutcomeKind uint8

// What becomes of requests: each is launched or fails, and most are agreed before
// that.
const (
	Agreed    OutcomeKind = iota // its start and sites are known; they may still change
	Launch                       // its start has come: all parts start now
	Failed                       // it is given up; its last messages are still under way
	Forgotten                    // they have arrived
)

// Outcome is the outcome of a request.
type Outcome struct {
	Kind OutcomeKind
	Job  int64
	// Start is the agreed start, in s, and Parts are its reservations by site.
	Start float64
	Parts []Part
	// Messages is the number of messages of the request so far.
	Messages int64
	// Why it failed the last time, if it did.
	Why string
}

// Part is a part of a job.
type Part struct {
	Site        int
	Reservation plan.ID
}

// home is a site as the one that asks.
type home struct {
	active *request
	queue  []*request
}

// phase is the state in which a request waits.
type phase uint8

const (
	idle phase = iota
	rough
	fine
	confirming
	agreed
)

type request struct {
	grid       *Grid
	app        Application
	parts      int
	candidates []int
	notBefore  float64

	phase    phase
	attempt  int64
	tries    int
	messages int64
	why      string
	shunned  []int     // sites that did not answer, or with nonsense
	earliest []float64 // by candidate; NaN before its answer
	chosen   []int     // ascending
	asked    int       // number of the chosen sites that have a request for slots
	windows  []plan.Window
	start    float64
	answers  []bool // by chosen site: it has confirmed
}

// Request asks for a job. What becomes of it is an [Outcome] of [Grid.Advance].
func (g *Grid) Request(now float64, r Request) {
	g.now = max(g.now, now)
	g.counts.Requests++
	q := &request{grid: g, app: r.Application, parts: r.Parts, candidates: slices.Clone(r.Candidates), notBefore: r.NotBefore}
	if q.candidates == nil {
		for i := range g.sites {
			q.candidates = append(q.candidates, i)
		}
	}
	g.requests[q.app.Job] = q
	g.at(g.now, rankAny, nil, func() { g.enqueue(q) })
}

func (g *Grid) enqueue(q *request) {
	h := &g.homes[q.app.Home]
	h.queue = append(h.queue, q)
	h.next()
}

// next begins with the next request if none is on.
func (h *home) next() {
	if h.active == nil && len(h.queue) > 0 {
		h.active = h.queue[0]
		h.queue = h.queue[1:]
		h.active.begin()
	}
}

func (q *request) begin() {
	g := q.grid
	g.last++
	g.counts.Attempts++
	q.attempt, q.tries, q.asked = g.last, q.tries+1, 0
	if n := len(q.candidates); n < q.parts {
		q.tries = g.params.Tries
		q.fail("there are fewer sites than parts")
		return
	}
	if !g.params.Rough {
		q.choose(func(int) float64 { return 0 })
		return
	}
	q.phase = rough
	q.earliest = q.earliest[:0]
	for range q.candidates {
		q.earliest = append(q.earliest, math.NaN())
	}
	for _, c := range q.candidates {
		q.send(message{kind: RoughLoadQuery, to: c})
	}
	q.wait(g.now+g.params.RoughTimeout, rankAny, q.chooseEarliest)
}

func (q *request) send(m message) {
	m.from, m.attempt, m.app = q.app.Home, q.attempt, q.app
	q.grid.send(m)
}

// wait has something done at time t if the request still waits for the same then.
func (q *request) wait(t float64, rank uint8, do func()) {
	attempt, phase, asked := q.attempt, q.phase, q.asked
	q.grid.at(t, rank, func() bool { return q.attempt == attempt && q.phase == phase && q.asked == asked }, do)
}

// answered treats an answer to the attempt that is on. Answers repeat what they are
// about, so that an answer to another request is found out.
func (q *request) answered(m *message) {
	switch {
	case m.app != q.app:
	case m.kind == RoughLoadAnswer && q.phase == rough:
		if i := slices.Index(q.candidates, m.from); i >= 0 {
			q.earliest[i] = m.earliest
		}
		if !slices.ContainsFunc(q.earliest, math.IsNaN) {
			q.chooseEarliest()
		}
	case m.kind == FineSchedulingAnswer && q.phase == fine && q.chosen[q.asked-1] == m.from:
		switch {
		case !within(m.windows, q.windows):
			q.shun(m.from)
			q.fail("a site offers something that no message requested")
		case len(m.windows) == 0:
			q.fail("there is no common slot")
		default:
			q.windows = append(q.windows[:0], m.windows...)
			q.ask()
		}
	case m.kind == ConfirmAnswer && q.phase == confirming:
		i := slices.Index(q.chosen, m.from)
		if i < 0 {
			return
		}
		if !m.agreed || m.start != q.start {
			q.fail("a site refuses the slot")
			return
		}
		q.answers[i] = true
		if !slices.Contains(q.answers, false) {
			q.agree()
		}
	}
}

// chooseEarliest chooses the candidates that have answered and offer the earliest starts.
func (q *request) chooseEarliest() {
	q.choose(func(i int) float64 { return q.earliest[i] })
}

// choose chooses among the candidates by when they offer to start. NaN marks a candidate that has not answered. Among
// equal offers the home comes first, and then the sites after it. Sites that have failed the job count last.
func (q *request) choose(earliest func(i int) float64) {
	type offer struct {
		site, far, shunned int // shunned: 1 for the ones that have failed the job
		start              float64
	}
	var offers []offer
	n := len(q.grid.sites)
	for i, c := range q.candidates {
		if t := earliest(i); !math.IsNaN(t) {
			o := offer{site: c, far: (c - q.app.Home + n) % n, start: t}
			if slices.Contains(q.shunned, c) {
				o.shunned = 1
			}
			offers = append(offers, o)
		}
	}
	if len(offers) < q.parts {
		q.fail("too few sites answer")
		return
	}
	slices.SortFunc(offers, func(a, b offer) int {
		return cmp.Or(a.shunned-b.shunned, cmp.Compare(a.start, b.start), a.far-b.far)
	})
	q.chosen = q.chosen[:0]
	for _, o := range offers[:q.parts] {
		q.chosen = append(q.chosen, o.site)
	}
	slices.Sort(q.chosen)
	q.windows = append(q.windows[:0], plan.Window{First: max(q.grid.now, q.notBefore), Last: math.Inf(1)})
	q.phase = fine
	q.ask()
}

// ask asks the next of the chosen sites for slots, or confirms when all have answered.
func (q *request) ask() {
	if q.asked == len(q.chosen) {
		q.confirm()
		return
	}
	to := q.chosen[q.asked]
	q.asked++
	q.send(message{kind: FineSchedulingRequest, to: to, windows: slices.Clone(q.windows)})
	q.wait(q.grid.now+q.grid.params.AnswerTimeout, rankAny, func() {
		q.shun(to)
		q.fail("a site does not answer")
	})
}

// shun remembers that a site has failed the job, which is no site's own.
func (q *request) shun(site int) {
	if site != q.app.Home && !slices.Contains(q.shunned, site) {
		q.shunned = append(q.shunned, site)
	}
}

// confirm decides for the earliest common start that leaves time for the answers.
func (q *request) confirm() {
	g := q.grid
	lead := g.now
	if len(q.chosen) > 1 || q.chosen[0] != q.app.Home {
		lead = lead + g.params.Latency + g.params.Latency // as answers do, to the last bit
	}
	i := slices.IndexFunc(q.windows, func(w plan.Window) bool { return w.Last >= lead })
	if i < 0 {
		q.fail("the common slots have passed")
		return
	}
	q.start = max(q.windows[i].First, lead)
	q.phase = confirming
	q.answers = q.answers[:0]
	for range q.chosen {
		q.answers = append(q.answers, false)
	}
	for _, c := range q.chosen {
		q.send(message{kind: ConfirmSchedule, to: c, start: q.start})
	}
	late := func() {
		for i, c := range q.chosen {
			if !q.answers[i] {
				q.shun(c)
			}
		}
		q.fail("a site does not confirm in time")
	}
	q.wait(min(g.now+g.params.AnswerTimeout, q.start), rankLate, late)
}

func (q *request) agree() {
	g := q.grid
	q.phase = agreed
	g.outcomes = append(g.outcomes, q.outcome(Agreed))
	g.report("Agreement", -1, q.app.Job, number("start", q.start), whole("messages", q.messages))
	q.wait(q.start, rankLaunch, q.launch)
	g.homes[q.app.Home].done()
}

// launch starts all parts, if all sites stand by what they have confirmed.
func (q *request) launch() {
	g := q.grid
	for _, c := range q.chosen {
		if g.sites[c].standing(q.app.Home, q.attempt, q.start) < 0 {
			q.shun(c)
			q.fail("a site does not stand by what it confirmed")
			return
		}
	}
	o := q.outcome(Launch)
	for i, c := range q.chosen {
		s := &g.sites[c]
		k := s.standing(q.app.Home, q.attempt, q.start)
		o.Parts[i].Reservation = s.contracts[k].id
		s.contracts = slices.Delete(s.contracts, k, k+1)
		s.changed()
	}
	g.counts.Launched++
	g.outcomes = append(g.outcomes, o)
	delete(g.requests, q.app.Job)
}

func (q *request) outcome(kind OutcomeKind) Outcome {
	o := Outcome{Kind: kind, Job: q.app.Job, Start: q.start, Messages: q.messages, Why: q.why}
	for _, c := range q.chosen {
		o.Parts = append(o.Parts, Part{Site: c})
	}
	return o
}

// fail ends the attempt at all sites that may hold something for it, and begins
// another one later if there are any left.
func (q *request) fail(why string) {
	g := q.grid
	q.why = why
	g.report("AttemptFailed", -1, q.app.Job, text("why", why), whole("attempt", int64(q.tries)))
	for _, c := range q.chosen[:q.asked] {
		q.send(message{kind: TerminateQuery, to: c})
	}
	active := q.phase != agreed
	q.phase = idle
	if q.tries < g.params.Tries {
		g.at(g.now+g.params.Retry, rankAny, nil, func() { g.enqueue(q) })
	} else {
		g.counts.Failed++
		delete(g.requests, q.app.Job)
		g.outcomes = append(g.outcomes, Outcome{Kind: Failed, Job: q.app.Job, Messages: q.messages, Why: why})
		g.at(g.now+g.params.Latency, rankUnused, nil, func() { g.outcomes = append(g.outcomes, Outcome{Kind: Forgotten, Job: q.app.Job}) })
	}
	if active {
		g.homes[q.app.Home].done()
	}
}

// done lets the home's next request begin.
func (h *home) done() {
	h.active = nil
	h.next()
}

// Ended takes note that a launched job has ended: the rest of its reservations is free, and the directories forget it.
func (g *Grid) Ended(job int64, parts []Part) {
	for _, p := range parts {
		g.sites[p.Site].plan.Release(p.Reservation)
		delete(g.sites[p.Site].directory, job)
	}
}
