package protocol_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim/studies/sodan2003/scojo/plan"
	"schedsweep/sim/studies/sodan2003/scojo/protocol"
)

const level = 3

// world is a grid with what a policy does besides: local jobs come and go, and
// launched jobs run for their reserved time.
type world struct {
	t        *rapid.T
	g        protocol.Grid
	sites    int
	now      float64
	rand     *rand.Rand
	local    [][]plan.ID // by site
	asked    map[int64]protocol.Request
	agreed   map[int64]protocol.Outcome
	launched map[int64]protocol.Outcome
	failed   map[int64]protocol.Outcome
	running  map[int64]float64 // end of each running job
}

func newWorld(t *rapid.T, sites int, p protocol.Params) *world {
	w := &world{t: t, sites: sites, rand: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)), local: make([][]plan.ID, sites),
		asked: map[int64]protocol.Request{}, agreed: map[int64]protocol.Outcome{}, launched: map[int64]protocol.Outcome{},
		failed: map[int64]protocol.Outcome{}, running: map[int64]float64{}}
	if err := p.Check(sites); err != nil {
		t.Fatal(err)
	}
	w.g.Reset(sites, p, protocol.Hooks{}, w.rand, func(_ int, p *plan.Plan) { p.Reset(plan.Whole, level, 0) })
	return w
}

// localWork lets a local job be planned at a site, or one go.
func (w *world) localWork(site int) {
	p := w.g.Plan(site)
	p.Advance(w.now)
	if n := len(w.local[site]); n > 0 && w.rand.IntN(2) == 0 {
		i := w.rand.IntN(n)
		p.Release(w.local[site][i])
		w.local[site] = slices.Delete(w.local[site], i, i+1)
		return
	}
	share, seconds := plan.Share(w.rand.IntN(10)+1)*100_000, float64(w.rand.IntN(200)+1)/4
	if start := p.Earliest(w.now, share, seconds); !math.IsInf(start, 1) {
		id, ok := p.Reserve(-1, start, start+seconds, share, plan.Movable)
		if !ok {
			w.t.Fatal("a local job finds no room where there is some")
		}
		w.local[site] = append(w.local[site], id)
	}
}

// until plays to time t; each instant of the grid's own is looked at.
func (w *world) until(t float64) {
	for {
		next := min(t, w.g.Next())
		for job, end := range w.running {
			next = min(next, end)
			if end <= w.now {
				delete(w.running, job)
				w.g.Ended(job, w.launched[job].Parts)
			}
		}
		if math.IsInf(next, 1) {
			return
		}
		if next < w.now {
			w.t.Fatalf("something was due at %g, before %g", next, w.now)
		}
		w.now = next
		for o := range w.g.Advance(w.now) {
			w.note(o)
		}
		w.look()
		if w.now == t && w.g.Next() > t {
			return
		}
	}
}

// note checks what the grid says of a job.
func (w *world) note(o protocol.Outcome) {
	r := w.asked[o.Job]
	_, launched := w.launched[o.Job]
	if _, failed := w.failed[o.Job]; launched || failed != (o.Kind == protocol.Forgotten) {
		w.t.Fatalf("job %d had come to its end: %+v", o.Job, o)
	}
	switch o.Kind {
	case protocol.Agreed:
		w.agreed[o.Job] = o
	case protocol.Failed:
		w.failed[o.Job] = o
	case protocol.Launch:
		a := w.agreed[o.Job]
		if o.Start != w.now || a.Start != o.Start || o.Start < r.NotBefore {
			w.t.Fatalf("job %d, asked for %+v and agreed as %+v, is launched at %g: %+v", o.Job, r, a, w.now, o)
		}
		if len(o.Parts) != r.Parts {
			w.t.Fatalf("job %d of %d parts starts on %d sites", o.Job, r.Parts, len(o.Parts))
		}
		for i, part := range o.Parts {
			if i > 0 && part.Site <= o.Parts[i-1].Site || r.Candidates != nil && !slices.Contains(r.Candidates, part.Site) {
				w.t.Fatalf("job %d is on the wrong sites: %+v", o.Job, o.Parts)
			}
			res, there := w.g.Plan(part.Site).Of(part.Reservation)
			if !there || res.Kind != plan.Fixed || res.Job != o.Job || res.Start != o.Start || res.Share != r.Share || res.End != o.Start+
				r.Estimate {
				w.t.Fatalf("job %d starts on site %d with %+v (%v)", o.Job, part.Site, res, there)
			}
		}
		w.launched[o.Job], w.running[o.Job] = o, o.Start+r.Estimate
	}
}

// look checks all plans and directories as they stand.
func (w *world) look() {
	for site := range w.sites {
		p := w.g.Plan(site)
		p.Advance(w.now)
		type step struct {
			t     float64
			share plan.Share
			jobs  int
		}
		var steps []step
		known := map[int64]bool{}
		p.Each(func(_ plan.ID, r plan.Reservation, start, end float64) {
			if start, end = max(start, w.now), max(end, w.now); start < end {
				steps = append(steps, step{start, r.Share, 1}, step{end, -r.Share, -1})
			}
			if r.Job < 0 {
				return
			}
			known[r.Job] = true
			if _, there := w.g.Directory(site)[r.Job]; !there {
				w.t.Fatalf("site %d has %+v in its plan and not in its directory", site, r)
			}
		})
		if n := len(w.g.Directory(site)); n != len(known) {
			w.t.Fatalf("site %d has %d entries for %d jobs", site, n, len(known))
		}
		slices.SortFunc(steps, func(a, b step) int {
			if a.t != b.t {
				if a.t < b.t {
					return -1
				}
				return 1
			}
			return a.jobs - b.jobs
		})
		sum, jobs := plan.Share(0), 0
		for _, s := range steps {
			sum, jobs = sum+s.share, jobs+s.jobs
			if sum > plan.Whole || jobs > level {
				w.t.Fatalf("site %d has promised %d to %d jobs at %g", site, sum, jobs, s.t)
			}
		}
	}
}

// empty checks that nothing is left once nothing more is due.
func (w *world) empty() {
	for job := range w.asked {
		_, launched := w.launched[job]
		if _, failed := w.failed[job]; !launched && !failed {
			w.t.Fatalf("job %d waits for ever", job)
		}
	}
	for site := range w.sites {
		p := w.g.Plan(site)
		if got := p.Reservations(); got != len(w.local[site]) {
			w.t.Fatalf("%d reservations are left at site %d, and %d are of local jobs", got, site, len(w.local[site]))
		}
		if left := w.g.Directory(site); len(left) > 0 {
			w.t.Fatalf("the directory of site %d still has %+v", site, left)
		}
	}
	if left := protocol.Left(&w.g); left != 0 {
		w.t.Fatalf("the grid still remembers %d requests and contracts", left)
	}
	if c := w.g.Counts(); c.Requests != int64(len(w.asked)) || c.Launched != int64(len(w.launched)) || c.Failed != int64(len(w.failed)) {
		w.t.Fatalf("%+v counted; %d launched, %d failed", c, len(w.launched), len(w.failed))
	}
}

// draw is a request for a job.
func (w *world) draw(job int64) protocol.Request {
	r := protocol.Request{
		Application: protocol.Application{Job: job, Home: w.rand.IntN(w.sites), Share: plan.Share(w.rand.IntN(10)+1) * 100_000,
			Estimate: float64(w.rand.IntN(200)+1) / 4},
		Parts: w.rand.IntN(w.sites) + 1,
	}
	if w.rand.IntN(3) == 0 {
		r.NotBefore = w.now + float64(w.rand.IntN(100))
	}
	if w.rand.IntN(3) == 0 {
		r.Candidates = w.rand.Perm(w.sites)[:r.Parts+w.rand.IntN(w.sites-r.Parts+1)]
	}
	return r
}

func (w *world) request(r protocol.Request) {
	w.asked[r.Job] = r
	w.g.Request(w.now, r)
}

func params(t *rapid.T) protocol.Params {
	p := protocol.Defaults
	p.Latency = rapid.SampledFrom([]float64{0, .05, .9}).Draw(t, "latency")
	p.Rough = rapid.Bool().Draw(t, "rough")
	p.Slots = rapid.IntRange(1, 5).Draw(t, "slots")
	return p
}

// TestNothingLeaksWhateverFails plays random requests and local work on sites. Some sites misbehave in any way. No plan is ever
// overfull. A job starts on all of its sites at once or not at all. Every request ends and then leaves nothing behind.
func TestNothingLeaksWhateverFails(t *testing.T) {
	launched, failed := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		sites := rapid.IntRange(1, 6).Draw(t, "sites")
		p := params(t)
		p.Tries = rapid.IntRange(1, 4).Draw(t, "tries")
		p.HoldTimeout = rapid.SampledFrom([]float64{1, 20, 60}).Draw(t, "hold timeout")
		for site := range sites {
			f := protocol.Fault{Site: site}
			often := rapid.SampledFrom([]float64{.05, .5, 1})
			switch rapid.SampledFrom([]string{"none", "none", "silent", "late", "garbage", "all"}).Draw(t, "fault") {
			case "silent":
				f.Silent = often.Draw(t, "silent")
			case "late":
				f.Late = rapid.Float64Range(0, 100).Draw(t, "late")
			case "garbage":
				f.Garbage = often.Draw(t, "garbage")
			case "all":
				f.Silent, f.Late, f.Garbage = .05, rapid.Float64Range(0, 3).Draw(t, "late"), .05
			}
			p.Faults = append(p.Faults, f)
		}
		w := newWorld(t, sites, p)
		for job := range int64(rapid.IntRange(1, 25).Draw(t, "jobs")) {
			w.until(w.now + rapid.SampledFrom([]float64{0, .05, .3, 10, 100}).Draw(t, "gap"))
			for range w.rand.IntN(3) {
				w.localWork(w.rand.IntN(sites))
			}
			w.request(w.draw(job))
		}
		w.until(math.Inf(1))
		w.empty()
		launched, failed = launched+len(w.launched), failed+len(w.failed)
	})
	if launched == 0 || failed == 0 {
		t.Errorf("%d jobs were launched and %d given up: one kind was not tried", launched, failed)
	}
}

// TestAllKeepToTheProtocol: then every request is agreed at the first attempt, and costs
// two messages for each remote candidate and four for each remote site.
func TestAllKeepToTheProtocol(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sites := rapid.IntRange(1, 16).Draw(t, "sites")
		p := params(t)
		p.HoldTimeout, p.AnswerTimeout = 1e4, 1e3
		w := newWorld(t, sites, p)
		for job := range int64(rapid.IntRange(1, 12).Draw(t, "jobs")) {
			w.until(w.now + rapid.SampledFrom([]float64{0, .05, 10}).Draw(t, "gap"))
			w.localWork(w.rand.IntN(sites))
			w.request(w.draw(job))
		}
		w.until(math.Inf(1))
		w.empty()
		var messages int64
		for job, o := range w.launched {
			r, remote := w.asked[job], 0
			for _, part := range o.Parts {
				if part.Site != r.Home {
					remote++
				}
			}
			want := int64(4 * remote)
			if p.Rough {
				candidates := sites
				if r.Candidates != nil {
					candidates = len(r.Candidates)
				}
				if r.Candidates == nil || slices.Contains(r.Candidates, r.Home) {
					candidates--
				}
				want += int64(2 * candidates)
			}
			if o.Messages != want {
				t.Fatalf("job %d, %+v on %+v, has cost %d messages, want %d", job, r, o.Parts, o.Messages, want)
			}
			messages += want
		}
		if c := w.g.Counts(); c.Attempts != c.Requests || c.Failed+c.Expired+c.Unused != 0 || c.Messages != messages {
			t.Fatalf("where nobody misbehaves: %+v, and %d messages for the jobs", c, messages)
		}
	})
}

// TestEarliestCommonStart compares the agreed start with a search over all instants at
// which something changes at some site.
func TestEarliestCommonStart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sites := rapid.IntRange(1, 5).Draw(t, "sites")
		p := params(t)
		p.Slots = 1000
		w := newWorld(t, sites, p)
		for range rapid.IntRange(0, 40).Draw(t, "local") {
			w.localWork(w.rand.IntN(sites))
		}
		r := w.draw(1)
		r.Candidates, r.Parts = nil, sites
		w.request(r)
		for len(w.agreed)+len(w.failed) == 0 {
			w.until(w.g.Next())
		}
		agreed := w.agreed[1].Start
		// A start is possible where all have the share without what the job itself has.
		marks := []float64{w.now, r.NotBefore}
		for site := range sites {
			p := w.g.Plan(site)
			var own plan.ID
			p.Each(func(id plan.ID, r plan.Reservation, _, end float64) {
				if marks = append(marks, end); r.Job == 1 {
					own = id
				}
			})
			p.Release(own)
		}
		for _, m := range marks {
			end := m + r.Estimate
			if end-r.Estimate < m { // rounded down, to where the room may end
				end = math.Nextafter(end, math.Inf(1))
			}
			for site := range sites {
				if m >= agreed-1e-9 || m < max(w.now, r.NotBefore) || w.g.Plan(site).Free(m, end) < r.Share {
					break
				}
				if site == sites-1 {
					t.Fatalf("%+v starts at %g and could have started at %g", r, agreed, m)
				}
			}
		}
	})
}

// TestDefaultsSuffice lets each of 16 sites request three jobs at once, all of them on all sites. If all sites keep to the
// protocol, every request succeeds at the first attempt.
func TestDefaultsSuffice(t *testing.T) {
	var g protocol.Grid
	const sites = 16
	g.Reset(sites, protocol.Defaults, protocol.Hooks{}, nil, func(_ int, p *plan.Plan) { p.Reset(plan.Whole, level, 0) })
	for job := range 3 * sites {
		g.Request(0, protocol.Request{Application: protocol.Application{Job: int64(job), Home: job % sites, Share: plan.Whole, Estimate: 1000},
			Parts: sites})
	}
	for !math.IsInf(g.Next(), 1) {
		for range g.Advance(g.Next()) {
		}
	}
	if c := g.Counts(); c.Attempts != c.Requests || c.Launched != c.Requests {
		t.Errorf("%+v", c)
	}
}
