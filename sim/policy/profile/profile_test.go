package profile_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/sim/policy/profile"
)

// plain is the profile as a list of what holds processors: slow and obvious.
type plain struct {
	total int
	held  []hold
}

type hold struct {
	start, end float64
	n          int
}

func (p *plain) free(t float64) int {
	n := p.total
	for _, h := range p.held {
		if h.start <= t && t < h.end {
			n -= h.n
		}
	}
	return n
}

// least is the smallest count on [start, end); a step can only be at a start or
// an end of something held.
func (p *plain) least(start, end float64) int {
	n := p.free(start)
	for _, h := range p.held {
		for _, t := range []float64{h.start, h.end} {
			if start < t && t < end {
				n = min(n, p.free(t))
			}
		}
	}
	return n
}

// earliest tries from and every later end.
func (p *plain) earliest(from float64, n int, d float64) float64 {
	best := math.Inf(1)
	try := func(t float64) {
		if from <= t && t < best && p.least(t, t+d) >= n {
			best = t
		}
	}
	try(from)
	for _, h := range p.held {
		try(h.end)
	}
	return best
}

// most is the largest count on [start, end].
func (p *plain) most(start, end float64) int {
	n := p.free(start)
	for _, h := range p.held {
		if start < h.end && h.end <= end && !math.IsInf(h.end, 1) {
			n = max(n, p.free(h.end))
		}
	}
	return n
}

// lowest is the smallest count after a time.
func (p *plain) lowest(after float64) int {
	n := p.free(after)
	for _, h := range p.held {
		if h.start > after {
			n = min(n, p.free(h.start))
		}
	}
	return n
}

// until tries start and every later beginning of something held.
func (p *plain) until(start float64, n int) float64 {
	first := math.Inf(1)
	try := func(t float64) {
		if start <= t && t < first && p.free(t) < n {
			first = t
		}
	}
	try(start)
	for _, h := range p.held {
		try(h.start)
	}
	return first
}

func (p *plain) cut(now float64) {
	kept := p.held[:0]
	for _, h := range p.held {
		if h.end > now {
			kept = append(kept, h)
		}
	}
	p.held = kept
}

func TestProfileEqualsPlainList(t *testing.T) {
	var p profile.Profile
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.IntRange(1, 20).Draw(t, "total")
		ref := plain{total: total}
		now := 0.0
		p.Reset(total, now)
		length := func() float64 {
			if rapid.IntRange(0, 30).Draw(t, "endless") == 0 {
				return math.Inf(1)
			}
			return float64(rapid.IntRange(1, 12).Draw(t, "length"))
		}
		size := func() int { return rapid.IntRange(1, total).Draw(t, "size") }
		t.Repeat(map[string]func(*rapid.T){
			"reserve": func(t *rapid.T) {
				n, d := size(), length()
				from := now
				if rapid.Bool().Draw(t, "later") {
					from += float64(rapid.IntRange(0, 20).Draw(t, "from"))
				}
				s := p.Earliest(from, n, d)
				if want := ref.earliest(from, n, d); s != want {
					t.Fatalf("Earliest(%g, %d, %g) = %g, want %g", from, n, d, s, want)
				}
				if !math.IsInf(s, 1) {
					p.Reserve(s, s+d, n)
					ref.held = append(ref.held, hold{s, s + d, n})
				}
			},
			"release": func(t *rapid.T) {
				if len(ref.held) == 0 {
					t.Skip("nothing is held")
				}
				i := rapid.IntRange(0, len(ref.held)-1).Draw(t, "which")
				h := &ref.held[i]
				from := max(h.start, now)
				p.Release(from, h.end, h.n)
				if h.start < now {
					h.end = now
				} else {
					h.end = h.start
				}
			},
			"move": func(t *rapid.T) {
				if len(ref.held) == 0 {
					t.Skip("nothing is held")
				}
				h := &ref.held[rapid.IntRange(0, len(ref.held)-1).Draw(t, "which")]
				if h.start < now || h.start >= h.end {
					t.Skip("it runs")
				}
				d := h.end - h.start
				start := h.start
				h.end = start
				s, want := p.Advance(now, start, h.n, d), min(ref.earliest(now, h.n, d), start)
				if s != want {
					t.Fatalf("Advance(%g, %g, %d, %g) = %g, want %g", now, start, h.n, d, s, want)
				}
				*h = hold{s, s + d, h.n}
			},
			"cut": func(t *rapid.T) {
				now += float64(rapid.IntRange(0, 4).Draw(t, "step"))
				p.Cut(now)
				ref.cut(now)
			},
			"": func(t *rapid.T) {
				for _, h := range ref.held {
					for _, x := range []float64{h.start, h.end, (h.start + h.end) / 2, now} {
						for _, y := range []float64{x, x + 3, h.end} {
							if x < now || math.IsInf(x, 1) || y < x {
								continue
							}
							if got, want := p.Most(x, y), ref.most(x, y); got != want {
								t.Fatalf("Most(%g, %g) = %d, want %d", x, y, got, want)
							}
							if got, want := p.Least(x, y), ref.least(x, y); got != want {
								t.Fatalf("%d free on [%g, %g), want %d", got, x, y, want)
							}
						}
						if x >= now && !math.IsInf(x, 1) {
							if at, got := p.Lowest(x); got != ref.lowest(x) || at <= x || ref.free(at) != got && ref.free(x) != got {
								t.Fatalf("Lowest(%g) = %g, %d, want %d", x, at, got, ref.lowest(x))
							}
							if got, want := p.Until(x, h.n), ref.until(x, h.n); got != want {
								t.Fatalf("%d are free from %g until %g, want %g", h.n, x, got, want)
							}
						}
					}
				}
			},
		})
	})
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	var p profile.Profile
	run := func() {
		p.Reset(64, 0)
		for i := range 200 {
			n, d := i*37%64+1, float64(i*53%97+1)
			s := p.Earliest(0, n, d)
			p.Reserve(s, s+d, n)
			if i%3 == 0 {
				p.Release(s, s+d, n)
			}
		}
		p.Cut(500)
	}
	run()
	if n := testing.AllocsPerRun(10, run); n != 0 {
		t.Errorf("%g allocations a run, want none", n)
	}
}
