package placement_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sim/policy/placement"
	"schedsweep/sim/progress"
	"schedsweep/sim/simtest"
)

// plain is EASY and conservative backfilling with a placement once more: no profile, only a list of who holds what from
// when to when, and every question answered by walking over it.
type plain struct {
	name        string
	easy        bool
	key         func(j *sim.Job) float64
	begins      []float64 // of sessions, all days
	size, total int
	strict      bool
	now         float64
	held        []*holding // in order of submission
	fresh       []*sim.Job
	ended       bool
	early       bool
	news        bool
	overrun     bool    // the plan was made with jobs beyond their walltimes
	woken       bool    // the instant is over
	next        float64 // when a pass is due without news
}

type holding struct {
	job        *sim.Job
	start, end float64
	procs      []int
	runs       bool
}

func (p *plain) Reset(s *sim.State) error {
	s.TrackProcs()
	*p = plain{name: p.name, easy: p.easy, key: p.key, begins: p.begins, size: s.Platform().Clusters[0].Procs(), total: s.Platform().Procs(),
		next: math.Inf(1), strict: !p.easy && s.Order().Name == "cbf2015"}
	return nil
}

const day = 24 * 3600.0

// may reports whether a job may start at t, and when the next session begins.
func (p *plain) may(t, walltime float64) (bool, float64) {
	if len(p.begins) == 0 {
		return true, math.Inf(1)
	}
	for d := 0.0; ; d += day {
		for _, b := range p.begins {
			if d+b > t {
				return walltime <= d+b-t, d + b // the difference, as in the policy
			}
		}
	}
}

func (p *plain) Submitted(s *sim.State, j *sim.Job) {
	for t, k := s.Now(), 0; k < 20; k++ {
		ok, next := p.may(t, j.Walltime())
		if t = next; ok {
			p.fresh, p.news = append(p.fresh, j), true
			return
		}
	}
	s.Reject(j)
}

func (p *plain) Ended(s *sim.State, j *sim.Job) {
	p.ended, p.news = true, true
	p.held = slices.DeleteFunc(p.held, func(h *holding) bool {
		p.early = p.early || h.job == j && j.PlannedEnd() > s.Now()
		return h.job == j
	})
}

// free lists the processors that are free all the time from a to b. It ignores the holding named but.
func (p *plain) free(a, b float64, but *holding) []int {
	var free []int
	for q := range p.total {
		if !slices.ContainsFunc(p.held, func(h *holding) bool {
			end := h.end
			if p.easy && h.runs { // its end may come later in this instant
				end = max(end, math.Nextafter(p.now, math.Inf(1)))
			}
			return h != but && h.start < b && end > a && slices.Contains(h.procs, q)
		}) {
			free = append(free, q)
		}
	}
	return free
}

// try puts h at time t if there is room.
func (p *plain) try(h *holding, t float64) bool {
	free := p.free(t, t+h.job.Walltime(), h)
	if ok, _ := p.may(t, h.job.Walltime()); !ok || len(free) < int(h.job.Procs()) {
		return false
	}
	procs, ok := placement.PlainChoice(p.name, free, int(h.job.Procs()), p.size)
	if ok {
		h.start, h.end, h.procs = t, t+h.job.Walltime(), procs
	}
	return ok
}

// place puts h at its earliest place.
func (p *plain) place(h *holding) {
	times := []float64{p.now}
	for _, o := range p.held {
		if o != h && o.procs != nil {
			times = append(times, max(o.start, p.now), max(o.end, p.now))
			if p.easy {
				times = append(times, max(o.end, math.Nextafter(p.now, math.Inf(1))))
			}
		}
	}
	for _, t := range times {
		for range 2 * len(p.begins) {
			_, t = p.may(t, 0)
			times = append(times, t)
		}
	}
	slices.Sort(times)
	for _, t := range times {
		if p.strict {
			// Until when are as many free at each single moment?
			room := math.Inf(1)
			for _, u := range times {
				if u >= t && len(p.free(u, math.Nextafter(u, math.Inf(1)), h)) < int(h.job.Procs()) {
					room = u
					break
				}
			}
			if !(room-t > h.job.Walltime()) {
				continue
			}
		}
		if p.try(h, t) {
			return
		}
	}
	panic("no place")
}

// inOrder lists the waiting jobs in the order of the queue.
func (p *plain) inOrder() []*holding {
	all := slices.DeleteFunc(slices.Clone(p.held), func(h *holding) bool { return h.runs })
	slices.SortStableFunc(all, func(a, b *holding) int { return cmp.Compare(p.key(a.job), p.key(b.job)) })
	return all
}

func (p *plain) Pass(s *sim.State) {
	p.now = s.Now()
	for _, j := range p.fresh {
		p.held = append(p.held, &holding{job: j})
	}
	if p.fresh = nil; p.easy {
		p.passEasy(s)
		return
	}
	if !p.news && p.now < p.next {
		return
	}
	if late := slices.ContainsFunc(p.held, func(h *holding) bool { return p.late(s, h) }); late || p.overrun {
		p.overrun = late
		p.anew()
	} else {
		p.moveForward()
	}
	for _, h := range p.held {
		if h.procs == nil {
			p.place(h)
		}
	}
	p.news, p.ended, p.early = false, false, false
	p.startDue(s)
}

// late reports whether a job runs beyond its walltime. Where submissions come before ends, one that is to end now may still do so until
// the instant is over.
func (p *plain) late(s *sim.State, h *holding) bool {
	return h.runs && !s.KillsAtWalltime() && (h.job.PlannedEnd() < p.now || h.job.PlannedEnd() == p.now && (p.woken || !s.Order().SubmitFirst))
}

// Woken comes at the end of an instant.
func (p *plain) Woken(s *sim.State) { p.woken = s.Now() >= p.next }

// anew gives all waiting jobs another place. Jobs beyond their walltimes end at the next moment.
func (p *plain) anew() {
	for _, h := range p.held {
		if h.end = max(h.end, math.Nextafter(p.now, math.Inf(1))); !h.runs {
			h.procs = nil
		}
	}
	for _, h := range p.inOrder() {
		p.place(h)
	}
}

// moveForward gives waiting jobs earlier places after ends.
func (p *plain) moveForward() {
	for _, h := range p.inOrder() {
		switch {
		case h.procs == nil: // it is new
		case p.strict && p.ended:
			if len(p.free(p.now, math.Nextafter(p.now, math.Inf(1)), nil)) >= int(h.job.Procs()) {
				p.try(h, p.now)
			}
		case !p.strict && p.early:
			p.place(h)
		}
	}
}

// startDue starts the jobs that are due. The next pass is at a planned start or, where jobs may overrun, at a planned end. While an overrun
// lasts, planned starts bring no pass.
func (p *plain) startDue(s *sim.State) {
	p.next = math.Inf(1)
	waits := false
	for _, h := range p.inOrder() {
		there := func(o *holding) bool {
			return o.runs && slices.ContainsFunc(o.procs, func(q int) bool { return slices.Contains(h.procs, q) })
		}
		switch {
		case h.start > p.now:
			p.next = min(p.next, h.start)
		case slices.ContainsFunc(p.held, there):
			waits = true
		default:
			p.start(s, h)
		}
	}
	if p.overrun {
		if p.next = math.Inf(1); len(p.inOrder()) > 0 {
			_, p.next = p.may(p.now, 0)
		}
	}
	for _, h := range p.held {
		if !s.KillsAtWalltime() && h.runs && h.job.PlannedEnd() > p.now {
			p.next = min(p.next, h.job.PlannedEnd())
		}
	}
	if !p.overrun && waits && !p.woken && !s.KillsAtWalltime() {
		p.next = p.now
	}
	if p.woken = false; !math.IsInf(p.next, 1) {
		s.WakeAt(p.next)
	}
}

func (p *plain) start(s *sim.State, h *holding) {
	var spans []sim.Span
	for _, q := range h.procs {
		spans = append(spans, sim.Span{Lo: int32(q), Hi: int32(q)})
	}
	h.runs = true
	s.StartOn(h.job, spans)
}

func (p *plain) passEasy(s *sim.State) {
	var head *holding
	for _, h := range p.inOrder() {
		if p.try(h, p.now) {
			p.start(s, h)
		} else if head == nil {
			head = h
			p.place(h)
		}
	}
	if head == nil {
		return
	}
	head.procs = nil
	if _, next := p.may(p.now, 0); !math.IsInf(next, 1) {
		s.WakeAt(next)
	}
}

// record writes down who ran when and where.
type record struct{ lines []string }

func (r *record) Submitted(*sim.View, *sim.Job) {}
func (r *record) Started(*sim.View, *sim.Job)   {}
func (r *record) Ended(_ *sim.View, j *sim.Job) {
	var procs []int
	for _, sp := range j.Alloc().Procs {
		for q := sp.Lo; q <= sp.Hi; q++ {
			procs = append(procs, int(q))
		}
	}
	r.lines = append(r.lines, fmt.Sprintf("%d: %g-%g %v", j.ID(), j.Start(), j.Finish(), procs))
}

// orders has the keys of the orders that plain supports.
var orders = map[string]func(j *sim.Job) float64{
	"fcfs":    func(*sim.Job) float64 { return 0 },
	"sjf":     func(j *sim.Job) float64 { return j.Walltime() },
	"largest": func(j *sim.Job) float64 { return -float64(j.Procs()) },
}

// TestEqualsPlain compares EASY and conservative backfilling with every placement, in several orders, with and without
// sessions, where jobs are killed at their walltimes and where they overrun them.
func TestEqualsPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clusters, size := rapid.IntRange(1, 4).Draw(t, "clusters"), rapid.SampledFrom([]int{1, 2, 3, 4, 17}).Draw(t, "size")
		cs := make([]sim.Cluster, clusters)
		for i := range cs {
			cs[i] = sim.Cluster{Nodes: size, Cores: 1, Speed: 1}
		}
		platform, err := sim.NewPlatform("drawn", cs, sim.Link{})
		if err != nil {
			t.Fatal(err)
		}
		specs := make([]sim.JobSpec, rapid.IntRange(1, 20).Draw(t, "jobs"))
		at := 0
		for i := range specs {
			at += rapid.SampledFrom([]int{0, 0, 0, 1, 3, 10}).Draw(t, "gap")
			run := rapid.IntRange(0, 20).Draw(t, "run")
			// Some run to their walltime's end, some beyond it.
			wall := max(1, run+rapid.SampledFrom([]int{-9, -2, 0, 0, 1, 5, 60, 1000}).Draw(t, "over"))
			specs[i] = sim.JobSpec{ID: int64(i), Submit: float64(at), RunTime: float64(run), Walltime: float64(wall),
				Procs: int32(rapid.IntRange(1, platform.Procs()).Draw(t, "procs"))}
		}
		name := rapid.SampledFrom(placement.Names).Draw(t, "placement")
		kind := rapid.SampledFrom([]string{"easy", "conservative"}).Draw(t, "policy")
		by := rapid.SampledFrom([]string{"fcfs", "sjf", "largest"}).Draw(t, "by")
		slow := &plain{name: name, easy: kind == "easy", key: orders[by]}
		placed := backfill.Placed{Placement: name}
		rules := sim.RulesOfOrder
		if rapid.Bool().Draw(t, "sessions") {
			rules = "plain"
			slow.begins = []float64{0, 7, 30, 41, 90}
			for _, b := range slow.begins {
				placed.Sessions = append(placed.Sessions, backfill.Session{Begin: b, Days: "all"})
			}
		}
		var params any = &backfill.EasyParams{Ordered: backfill.Ordered{Order: backfill.Order(by)}, Placed: placed, Rules: rules}
		if !slow.easy {
			params = &backfill.ConservativeParams{Ordered: backfill.Ordered{Order: backfill.Order(by)}, Placed: placed, Rules: rules}
		}
		k, _ := sim.Policies.Get(kind)
		fast, err := k.New(params, sim.Env{})
		if err != nil {
			t.Fatal(err)
		}
		order, kills := rapid.SampledFrom(sim.EventOrders).Draw(t, "order"), rapid.Bool().Draw(t, "kills")
		if rules == "plain" && order.Name == "cbf2015" || order.SubmitFirst && !kills {
			order = sim.EventOrders[0] // plain takes the rules that go with the order, and sees all ends of an instant before its passes
		}
		var lines [2][]string
		for i, policy := range []sim.Policy{fast, slow} {
			var e sim.Engine
			var r record
			if _, err := e.Run(context.Background(),
				sim.Config{Platform: platform, Source: simtest.Source(specs), Policy: policy, Progress: progress.Isolated{},
					Order: order, KillAtWalltime: kills, Observers: []sim.Observer{simtest.Watch(&r)}, MaxEvents: 10_000}); err != nil {
				t.Fatalf("%T: %v", policy, err)
			}
			lines[i] = r.lines
		}
		if !slices.Equal(lines[0], lines[1]) {
			t.Fatalf("%s by %s, %s in order %s, sessions %v:\n%q, plainly\n%q", kind, by, name, order.Name, slow.begins, lines[0], lines[1])
		}
	})
}

// TestOverrunsAreSurvived lets many jobs outlast their walltimes. All of them must finish. The engine reports shared processors.
func TestOverrunsAreSurvived(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		platform := clusters(t, 3, 4)
		specs := make([]sim.JobSpec, rapid.IntRange(1, 20).Draw(t, "jobs"))
		at := 0
		for i := range specs {
			at += rapid.SampledFrom([]int{0, 0, 1, 3}).Draw(t, "gap")
			specs[i] = sim.JobSpec{ID: int64(i), Submit: float64(at), RunTime: float64(rapid.IntRange(0, 30).Draw(t, "run")),
				Walltime: float64(rapid.IntRange(1, 30).Draw(t, "walltime")), Procs: int32(rapid.IntRange(1, 12).Draw(t, "procs"))}
		}
		policy := policy(t, rapid.SampledFrom(placement.Names).Draw(t, "placement"))
		var e sim.Engine
		res, err := e.Run(context.Background(),
			sim.Config{Platform: platform, Source: simtest.Source(specs), Policy: policy, Progress: progress.Isolated{},
				Order: rapid.SampledFrom(sim.EventOrders).Draw(t, "order"), MaxEvents: 10_000})
		if err != nil {
			t.Fatal(err)
		}
		if res.Finished != int64(len(specs)) {
			t.Fatalf("%d of %d jobs finished", res.Finished, len(specs))
		}
	})
}
