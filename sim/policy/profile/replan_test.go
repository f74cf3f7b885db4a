package profile

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// steps is the profile as one list of pieces, without blocks and without memory.
type steps []step

type step struct {
	t    float64
	free int
}

func (p *steps) at(t float64) int {
	i := 0
	for i+1 < len(*p) && (*p)[i+1].t <= t {
		i++
	}
	return i
}

func (p *steps) ensure(t float64) {
	if i := p.at(t); (*p)[i].t != t && !math.IsInf(t, 1) {
		*p = slices.Insert(*p, i+1, step{t, (*p)[i].free})
	}
}

func (p *steps) add(start, end float64, n int) {
	p.ensure(start)
	p.ensure(end)
	for i := range *p {
		if s := &(*p)[i]; s.t >= start && s.t < end {
			s.free += n
		}
	}
}

func (p *steps) cut(now float64) {
	*p = slices.Delete(*p, 0, p.at(now))
	(*p)[0].t = max((*p)[0].t, now)
	*p = slices.CompactFunc(*p, func(a, b step) bool { return a.free == b.free })
}

func (p *steps) earliest(from float64, n int, d float64) float64 {
	s := from
	for i := p.at(from); ; i++ {
		next := math.Inf(1)
		if i+1 < len(*p) {
			next = (*p)[i+1].t
		}
		if (*p)[i].free < n {
			s = next
		}
		if s+d <= next || math.IsInf(next, 1) {
			return s
		}
	}
}

// TestReplanningEqualsTakingOut goes through reservations round after round, as
// compression does: each is taken out of a list of pieces and put at its
// earliest place, and Advance must do the same without taking it out. Kinds of jobs
// are few, so that the proofs of one search serve others. The plan has several
// blocks, and some reservations are cancelled on the way. Between rounds time
// passes, a reservation ends early and a new one is made.
func TestReplanningEqualsTakingOut(t *testing.T) {
	type job struct {
		start, d float64
		n        int
	}
	moved, stayed, blocks := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.IntRange(1, 40).Draw(t, "total")
		var p Profile
		p.Reset(total, 0)
		list := steps{{0, total}}
		now := 0.0
		unit := rapid.SampledFrom([]float64{1, 0.1, 1.0 / 3}).Draw(t, "unit")
		kinds := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) job {
			d := unit * float64(rapid.IntRange(1, 40).Draw(t, "d"))
			if rapid.IntRange(0, 40).Draw(t, "endless") == 0 {
				d = math.Inf(1)
			}
			return job{0, d, rapid.IntRange(1, total).Draw(t, "n")}
		}), 1, 12).Draw(t, "kinds")
		var jobs []job
		for range rapid.IntRange(1, 8).Draw(t, "rounds") {
			for range rapid.SampledFrom([]int{0, 3, 30, 300}).Draw(t, "fresh") {
				j := rapid.SampledFrom(kinds).Draw(t, "kind")
				j.start = p.Earliest(now, j.n, j.d)
				if want := list.earliest(now, j.n, j.d); j.start != want {
					t.Fatalf("Earliest(%g, %d, %g) = %g, want %g", now, j.n, j.d, j.start, want)
				}
				if !math.IsInf(j.start, 1) {
					p.Reserve(j.start, j.start+j.d, j.n)
					list.add(j.start, j.start+j.d, -j.n)
					jobs = append(jobs, j)
				}
			}
			now += unit * float64(rapid.IntRange(0, 30).Draw(t, "step"))
			p.Cut(now)
			list.cut(now)
			early := -1
			if len(jobs) > 0 {
				early = rapid.IntRange(0, len(jobs)-1).Draw(t, "early")
			}
			kept := jobs[:0]
			for i, j := range jobs {
				if i == early && j.start+j.d > now {
					p.Release(max(now, j.start), j.start+j.d, j.n)
					list.add(max(now, j.start), j.start+j.d, j.n)
				} else if j.start > now {
					kept = append(kept, j)
				}
			}
			jobs = kept
			cancel := rapid.SampledFrom([]int{0, 2, 10}).Draw(t, "one in so many is cancelled")
			for range rapid.IntRange(1, 2).Draw(t, "times") {
				kept := jobs[:0]
				for _, j := range jobs {
					if cancel > 0 && rapid.IntRange(1, cancel).Draw(t, "lot") == 1 {
						p.Release(j.start, j.start+j.d, j.n)
						list.add(j.start, j.start+j.d, j.n)
						continue
					}
					later := now + unit*float64(rapid.SampledFrom([]int{0, 0, 5, 50}).Draw(t, "later"))
					list.add(j.start, j.start+j.d, j.n)
					for _, from := range []float64{later, now} {
						want := min(list.earliest(from, j.n, j.d), j.start)
						s := p.Advance(from, j.start, j.n, j.d)
						if s != want {
							t.Fatalf("Advance(%g, %g, %d, %g) = %g, want %g", from, j.start, j.n, j.d, s, want)
						}
						if s < j.start {
							moved++
						} else {
							stayed++
						}
						j.start = s
					}
					list.add(j.start, j.start+j.d, -j.n)
					kept = append(kept, j)
				}
				jobs = kept
			}
			p.Cut(now)
			list.cut(now)
			same(t, &p, list)
			blocks = max(blocks, len(p.heads))
		}
	})
	t.Logf("%d moved, %d stayed, up to %d blocks", moved, stayed, blocks)
	if moved == 0 || stayed == 0 || blocks < 2 && !testing.Short() {
		t.Error("too little was tried")
	}
}

// same compares the pieces one by one.
func same(t *rapid.T, p *Profile, list steps) {
	var got steps
	for h := range p.heads {
		b := p.block(h)
		if b.n < 1 || p.heads[h].at != b.at[0] {
			t.Fatalf("block %d of %d pieces begins at %g, not at %g", h, b.n, b.at[0], p.heads[h].at)
		}
		for i := range b.n {
			got = append(got, step{b.at[i], int(b.free[i])})
		}
	}
	if len(p.spare)+len(p.heads) != len(p.blocks) {
		t.Fatalf("%d blocks in use and %d spare of %d", len(p.heads), len(p.spare), len(p.blocks))
	}
	if !slices.Equal(got, list) {
		t.Fatalf("pieces %v, want %v", got, list)
	}
}
