package plan_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim/studies/sodan2003/scojo/plan"
)

func TestShareOfNeverUndercuts(t *testing.T) {
	for fraction, want := range map[float64]plan.Share{0: 0, 1: plan.Whole, .4: 400_000, .3 * 1.33: 399_000, .1 + .2: 300_000, 1. / 3: 333_334,
		1e-6: 1, 1e-7: 1} {
		if got := plan.ShareOf(fraction); got != want {
			t.Errorf("ShareOf(%v) = %d, want %d", fraction, got, want)
		}
	}
}

// plain is the plan as a simple list of all promises. A hold takes its share at an instant if any start in one of its windows
// would.
type plain struct {
	capacity plan.Share
	level    int
	held     map[plan.ID]*promise
}

type promise struct {
	plan.Reservation
	windows []plan.Window
}

func (r *promise) covers(t float64) bool {
	if r.Kind != plan.Held {
		return r.Start <= t && t < r.End
	}
	return slices.ContainsFunc(r.windows, func(w plan.Window) bool { return w.First <= t && t < w.Last+r.Seconds })
}

func (p *plain) free(t float64) plan.Share {
	n, jobs := p.capacity, 0
	for _, r := range p.held {
		if r.covers(t) {
			n, jobs = n-r.Share, jobs+1
		}
	}
	if n >= 0 && jobs == p.level {
		return 0
	} else if jobs > p.level {
		return -1
	}
	return n
}

// marks are the instants at which something may change.
func (p *plain) marks() []float64 {
	var at []float64
	for _, r := range p.held {
		at = append(at, r.Start, r.End)
		for _, w := range r.windows {
			at = append(at, w.First, w.Last+r.Seconds)
		}
	}
	slices.Sort(at)
	return at
}

func (p *plain) least(start, end float64) plan.Share {
	n := p.free(start)
	for _, t := range p.marks() {
		if start < t && t < end {
			n = min(n, p.free(t))
		}
	}
	return n
}

func (p *plain) earliest(from float64, s plan.Share, seconds float64) float64 {
	for _, t := range append([]float64{from}, p.marks()...) {
		if t >= from && !math.IsInf(t, 1) && p.least(t, t+seconds) >= s {
			return t
		}
	}
	return math.Inf(1)
}

// offered reports whether a job may start at t.
func (p *plain) offered(t, from, until float64, s plan.Share, seconds float64) bool {
	return from <= t && t <= until && p.least(t, t+seconds) >= s
}

// TestPlanEqualsPlainList lets everything happen in any order: never is more promised
// than there is, the earliest place is the earliest, windows are what they say,
// holds go at their time, and nothing leaks.
func TestPlanEqualsPlainList(t *testing.T) {
	var p plan.Plan // one for all runs: Reset must forget all
	rapid.Check(t, func(t *rapid.T) {
		ref := plain{capacity: plan.Share(rapid.IntRange(1, 10).Draw(t, "capacity")) * 100_000, level: rapid.IntRange(1, 4).Draw(t, "level"),
			held: map[plan.ID]*promise{}}
		now := 0.0
		p.Reset(ref.capacity, ref.level, now)
		var ids, gone []plan.ID
		job := int64(0)
		share := func() plan.Share {
			return plan.Share(rapid.IntRange(1, int(ref.capacity)/100_000).Draw(t, "share")) * 100_000
		}
		length := func() float64 { return float64(rapid.IntRange(1, 12).Draw(t, "length")) / 4 }
		later := func() float64 { return now + float64(rapid.IntRange(0, 40).Draw(t, "later"))/4 }
		some := func() plan.ID {
			if len(ids) == 0 {
				t.Skip("nothing is promised")
			}
			return rapid.SampledFrom(ids).Draw(t, "which")
		}
		drop := func(id plan.ID) {
			delete(ref.held, id)
			i := slices.Index(ids, id)
			ids, gone = slices.Delete(ids, i, i+1), append(gone, id)
		}
		t.Repeat(map[string]func(*rapid.T){
			"earliest": func(t *rapid.T) {
				s, d, from := share(), length(), later()
				start, want := p.Earliest(from, s, d), ref.earliest(from, s, d)
				if start != want {
					t.Fatalf("Earliest(%g, %d, %g) = %g, want %g", from, s, d, start, want)
				}
				if math.IsInf(start, 1) {
					return
				}
				kind := rapid.SampledFrom([]plan.Kind{plan.Movable, plan.Movable, plan.Fixed}).Draw(t, "kind")
				id, ok := p.Reserve(job, start, start+d, s, kind)
				if !ok {
					t.Fatalf("what is free at %g is not given", start)
				}
				ref.held[id] = &promise{Reservation: plan.Reservation{Job: job, Kind: kind, Share: s, Start: start, End: start + d, Seconds: d}}
				ids = append(ids, id)
				job++
			},
			"anywhere": func(t *rapid.T) {
				s, d, start := share(), length(), later()-2
				want := start >= now && ref.least(start, start+d) >= s
				id, ok := p.Reserve(job, start, start+d, s, plan.Fixed)
				if ok != want {
					t.Fatalf("Reserve(%g, %d, %g) reports %v", start, s, d, ok)
				}
				if ok {
					ref.held[id] = &promise{Reservation: plan.Reservation{Job: job, Kind: plan.Fixed, Share: s, Start: start, End: start + d, Seconds: d}}
					ids = append(ids, id)
					job++
				}
			},
			"hold": func(t *rapid.T) {
				s, d, from := share(), length(), later()
				until := math.Inf(1)
				if rapid.Bool().Draw(t, "bounded") {
					until = from + 6
				}
				windows := p.Windows(nil, from, until, s, d, 1000)
				for x := now; x < now+30; x += .25 {
					in := slices.ContainsFunc(windows, func(w plan.Window) bool { return w.First <= x && x <= w.Last })
					if in != ref.offered(x, from, until, s, d) {
						t.Fatalf("%d for %g s is offered at %g: %v; windows %v", s, d, x, in, windows)
					}
				}
				most := rapid.IntRange(1, 3).Draw(t, "most")
				few := p.Windows(nil, from, until, s, d, most)
				if len(windows) > 0 && (len(few) != min(most, len(windows)) || !slices.Equal(few[:len(few)-1], windows[:len(few)-1]) ||
					few[len(few)-1] != windows[len(windows)-1]) {
					t.Fatalf("%d of the windows %v are %v", most, windows, few)
				}
				expires := later()
				if _, ok := p.Hold(job, []plan.Window{{First: now - 1, Last: now}}, s, d, expires); ok {
					t.Fatal("the past is held")
				}
				id, ok := p.Hold(job, few, s, d, expires)
				if ok != (len(few) > 0) {
					t.Fatalf("the windows %v are held: %v", few, ok)
				}
				if ok {
					r, _ := p.Of(id)
					ref.held[id] = &promise{r, few}
					ids = append(ids, id)
					job++
				}
			},
			"confirm": func(t *rapid.T) {
				id, start := some(), later()-2
				r := ref.held[id]
				want := r.Kind == plan.Held && start >= now &&
					slices.ContainsFunc(r.windows, func(w plan.Window) bool { return w.First <= start && start <= w.Last })
				if got := p.Confirm(id, start); got != want {
					t.Fatalf("%+v is confirmed at %g: %v", *r, start, got)
				}
				if want {
					r.Kind, r.Start, r.End, r.windows = plan.Fixed, start, start+r.Seconds, nil
				}
			},
			"release": func(t *rapid.T) {
				id := some()
				p.Release(id)
				drop(id)
			},
			"clock": func(t *rapid.T) {
				now += float64(rapid.IntRange(0, 12).Draw(t, "step")) / 4
				var want []plan.ID
				for _, id := range ids {
					if r := ref.held[id]; r.Kind == plan.Held && r.Expires <= now {
						want = append(want, id)
					}
				}
				got := slices.Clone(p.Advance(now))
				slices.Sort(got)
				slices.Sort(want)
				if !slices.Equal(got, want) {
					t.Fatalf("by %g the holds %v have expired, want %v", now, got, want)
				}
				for _, id := range want {
					drop(id)
				}
			},
			"stale": func(t *rapid.T) {
				if len(gone) == 0 {
					t.Skip("nothing is gone")
				}
				id := rapid.SampledFrom(gone).Draw(t, "gone")
				p.Release(id)
				if _, there := p.Of(id); there || p.Confirm(id, now) {
					t.Fatal("a reservation that is gone has come back")
				}
			},
			"": func(t *rapid.T) {
				if p.Reservations() != len(ids) {
					t.Fatalf("%d reservations, want %d", p.Reservations(), len(ids))
				}
				for _, id := range ids {
					if r, ok := p.Of(id); !ok || r != ref.held[id].Reservation {
						t.Fatalf("reservation %+v, want %+v", r, ref.held[id].Reservation)
					}
				}
				covered := map[plan.ID]bool{}
				p.Each(func(id plan.ID, r plan.Reservation, start, end float64) {
					covered[id] = true
					if held := ref.held[id]; r != held.Reservation || !held.covers(start) || !held.covers(math.Nextafter(end, start)) ||
						!math.IsInf(end, 1) && held.covers(end) {
						t.Fatalf("%+v is said to cover [%g, %g)", *held, start, end)
					}
				})
				if len(covered) != len(ids) {
					t.Fatalf("%d of %d reservations are visited", len(covered), len(ids))
				}
				for _, x := range append(ref.marks(), now) {
					if x < now || math.IsInf(x, 1) {
						continue
					}
					free := ref.free(x)
					if free < 0 {
						t.Fatalf("%d too much is promised at %g", -free, x)
					}
					if got := p.Free(x, x); got != free {
						t.Fatalf("%d is free at %g, want %d", got, x, free)
					}
				}
			},
		})
		for _, id := range slices.Clone(ids) {
			p.Release(id)
		}
		if p.Reservations() != 0 || p.Free(now, math.Inf(1)) != ref.capacity || p.Earliest(now, ref.capacity, 1e9) != now {
			t.Fatal("something is still promised when all is released")
		}
	})
}

// TestSteadyStateAllocatesNothing plays a crowded site twice.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	var p plan.Plan
	var windows []plan.Window
	play := func() {
		p.Reset(plan.Whole, 3, 0)
		for i := range 100 {
			share, d := plan.Share(i*37%10+1)*100_000, float64(i*53%97+1)
			start := p.Earliest(0, share, d)
			id, _ := p.Reserve(int64(i), start, start+d, share, plan.Movable)
			windows = p.Windows(windows[:0], 0, math.Inf(1), share, d, 3)
			hold, _ := p.Hold(int64(i), windows, share, d, float64(i+1))
			p.Confirm(hold, windows[0].First)
			if i%3 == 0 {
				p.Release(id)
			}
		}
	}
	play()
	if n := testing.AllocsPerRun(10, play); n != 0 {
		t.Errorf("%g allocations a run, want none", n)
	}
}
