package protocol

import (
	"math"
	"slices"

	"schedsweep/sim/studies/sodan2003/scojo/plan"
)

// site is the state of a site towards others.
type site struct {
	grid      *Grid
	number    int
	plan      plan.Plan
	directory Directory
	fault     Fault
	serving   *contract   // the hold that is out
	waiting   []*message  // FineSchedulingRequests that wait for it to be settled
	contracts []*contract // confirmed and not yet started
}

// contract is a reservation with the request that it serves.
type contract struct {
	from    int
	attempt int64
	job     int64
	id      plan.ID
}

func (c *contract) of(m *message) bool { return c != nil && c.from == m.from && c.attempt == m.attempt }

func (s *site) silent() bool  { return s.fault.Silent > 0 && s.grid.rand.Float64() < s.fault.Silent }
func (s *site) garbles() bool { return s.fault.Garbage > 0 && s.grid.rand.Float64() < s.fault.Garbage }

// receive treats a request.
func (s *site) receive(m *message) {
	s.plan.Advance(s.grid.now)
	switch m.kind {
	case RoughLoadQuery:
		s.refresh(&m.app)
		earliest := math.Inf(1)
		if share, seconds := s.terms(&m.app); share > 0 {
			earliest = s.plan.Earliest(s.grid.now, share, seconds)
		}
		s.answer(m, message{kind: RoughLoadAnswer, earliest: earliest})
	case FineSchedulingRequest:
		s.waiting = append(s.waiting, m)
		s.serve()
	case ConfirmSchedule:
		s.answer(m, message{kind: ConfirmAnswer, start: m.start, agreed: s.confirm(m)})
	case TerminateQuery:
		s.terminate(m)
	}
}

func (s *site) answer(to *message, m message) {
	m.from, m.to, m.attempt, m.app = s.number, to.from, to.attempt, to.app
	s.grid.send(m)
}

func (s *site) refresh(a *Application) {
	if s.grid.hooks.Refresh != nil {
		s.grid.hooks.Refresh(s.number, a)
	}
}

func (s *site) terms(a *Application) (plan.Share, float64) {
	if s.grid.hooks.Terms != nil {
		return s.grid.hooks.Terms(s.number, a)
	}
	return a.Share, a.Estimate
}

// serve offers slots to the first who waits, one after the other as long as nothing
// can be held for them.
func (s *site) serve() {
	for s.serving == nil && len(s.waiting) > 0 {
		m := s.waiting[0]
		s.waiting = s.waiting[1:]
		s.offer(m)
	}
}

func (s *site) offer(m *message) {
	g := s.grid
	if _, there := s.directory[m.app.Job]; there {
		// It has its reservation already: what an attempt that failed has left, or not
		// what its site sent.
		s.answer(m, message{kind: FineSchedulingAnswer})
		return
	}
	s.refresh(&m.app)
	share, seconds := s.terms(&m.app)
	var windows []plan.Window
	if share > 0 {
		windows = s.windows(m, share, seconds)
	}
	expires := g.now + g.params.HoldTimeout
	if id, ok := s.plan.Hold(m.app.Job, windows, share, seconds, expires); ok {
		c := &contract{m.from, m.attempt, m.app.Job, id}
		s.serving = c
		s.directory[m.app.Job] = m.app
		s.changed()
		g.report("Hold", s.number, m.app.Job, number("share", share.Fraction()), number("expires", expires), text("starts", windowsText(windows)))
		g.at(expires, rankAny, func() bool { return s.serving == c }, func() { s.expire(c) })
	}
	s.answer(m, message{kind: FineSchedulingAnswer, windows: windows})
}

// windows are the starts that will do and are free.
func (s *site) windows(m *message, share plan.Share, seconds float64) (windows []plan.Window) {
	g := s.grid
	for _, w := range m.windows {
		if first := max(w.First, g.now); first <= w.Last {
			windows = s.plan.Windows(windows, first, w.Last, share, seconds, g.params.Slots)
		}
	}
	if g.hooks.Fits != nil {
		starts := []float64{0} // 0: from the beginning of a window
		s.plan.Each(func(_ plan.ID, _ plan.Reservation, _, end float64) { starts = append(starts, end) })
		slices.Sort(starts)
		kept := windows[:0]
		for _, w := range windows {
			for _, start := range starts {
				first := max(w.First, start)
				if (start == 0 || start > w.First) && first <= w.Last && g.hooks.Fits(s.number, &m.app, first, w.Last+seconds) {
					kept = append(kept, plan.Window{First: first, Last: w.Last})
					break
				}
			}
		}
		windows = kept
	}
	if n := len(windows); n > g.params.Slots {
		windows[g.params.Slots-1] = windows[n-1]
		windows = windows[:g.params.Slots]
	}
	return windows
}

// changed tells the policy that holds or confirmations have changed.
func (s *site) changed() {
	if s.grid.hooks.Changed != nil {
		s.grid.hooks.Changed(s.number)
	}
}

// expire lets go of a hold whose time is over.
func (s *site) expire(c *contract) {
	s.plan.Advance(s.grid.now)
	s.grid.counts.Expired++
	s.grid.report("HoldExpired", s.number, c.job)
	s.settle(c)
	s.serve()
}

// settle removes all that there is of a contract.
func (s *site) settle(c *contract) {
	if s.serving == c {
		s.serving = nil
	}
	s.plan.Release(c.id)
	delete(s.directory, c.job)
	s.changed()
}

// confirm makes a contract of the hold that m speaks of, and reports whether it could.
func (s *site) confirm(m *message) bool {
	c := s.serving
	if !c.of(m) || !s.plan.Confirm(c.id, m.start) {
		return false
	}
	s.contracts, s.serving = append(s.contracts, c), nil
	s.changed()
	s.grid.report("Reservation", s.number, c.job, number("start", m.start))
	s.grid.at(m.start, rankUnused, func() bool { return slices.Contains(s.contracts, c) }, func() {
		s.grid.counts.Unused++
		s.release(slices.Index(s.contracts, c), "ReservationUnused")
	})
	s.serve()
	return true
}

// release gives up contract i.
func (s *site) release(i int, why string) {
	c := s.contracts[i]
	s.contracts = slices.Delete(s.contracts, i, i+1)
	s.settle(c)
	s.grid.report(why, s.number, c.job)
}

// terminate removes all that there is of the attempt that m speaks of.
func (s *site) terminate(m *message) {
	s.waiting = slices.DeleteFunc(s.waiting, func(w *message) bool { return w.from == m.from && w.attempt == m.attempt })
	if i := slices.IndexFunc(s.contracts, func(c *contract) bool { return c.of(m) }); i >= 0 {
		s.release(i, "ReservationReleased")
	}
	if c := s.serving; c.of(m) {
		s.settle(c)
		s.grid.report("HoldReleased", s.number, c.job)
		s.serve()
	}
}

// standing is the contract of an attempt of site from, -1 where there is none.
func (s *site) standing(from int, attempt int64, start float64) int {
	return slices.IndexFunc(s.contracts, func(c *contract) bool {
		r, there := s.plan.Of(c.id)
		return c.from == from && c.attempt == attempt && there && r.Start == start
	})
}

// Application is a site's entry of a job that is in its plan or wants to be.
type Application struct {
	// Job is the number by which all sites know the job.
	Job int64
	// Home is the site at which the job was submitted.
	Home int
	// Share is the share that the request wants of each site.
	Share plan.Share
	// Estimate is the estimated run time under Share, in s.
	Estimate float64
}

// Directory is a site's dynamic directory: all jobs that are in its plan, waiting, running or preliminary, by their numbers.
type Directory map[int64]Application
