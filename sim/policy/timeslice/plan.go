package timeslice

import (
	"math"
	"slices"
)

// Plan is the availability profile of one virtual machine: free nodes on
// [at[i], at[i+1]), in the machine's own time. It is a plain sorted slice: with
// a few dozens or hundreds of jobs in a class one pass over cache-resident
// memory is several times faster than the trees of package profile, and plans
// are copied and made anew often.
type Plan struct {
	at   []float64
	free []int32
}

// Reset makes the plan one of n nodes, all free from time from on.
func (p *Plan) Reset(n int, from float64) {
	p.at = append(p.at[:0], from)
	p.free = append(p.free[:0], int32(n))
}

// Copy makes p equal to q.
func (p *Plan) Copy(q *Plan) {
	p.at = append(p.at[:0], q.at...)
	p.free = append(p.free[:0], q.free...)
}

// Cut forgets what was before now.
func (p *Plan) Cut(now float64) {
	k := 0
	for k+1 < len(p.at) && p.at[k+1] <= now {
		k++
	}
	if k > 0 {
		p.at = slices.Delete(p.at, 0, k)
		p.free = slices.Delete(p.free, 0, k)
	}
	if p.at[0] < now {
		p.at[0] = now
	}
}

// piece is the index of the piece that holds t, the first one for times before.
func (p *Plan) piece(t float64) int {
	lo, hi := 0, len(p.at)
	for hi-lo > 1 {
		if m := int(uint(lo+hi) >> 1); p.at[m] <= t {
			lo = m
		} else {
			hi = m
		}
	}
	return lo
}

// split makes a piece begin at t and returns its index.
func (p *Plan) split(t float64) int {
	i := p.piece(t)
	if p.at[i] >= t {
		return i
	}
	p.at = slices.Insert(p.at, i+1, t)
	p.free = slices.Insert(p.free, i+1, p.free[i])
	return i + 1
}

// join removes the breakpoint i if nothing changes there.
func (p *Plan) join(i int) {
	if i > 0 && i < len(p.at) && p.free[i] == p.free[i-1] {
		p.at = slices.Delete(p.at, i, i+1)
		p.free = slices.Delete(p.free, i, i+1)
	}
}

// Add adds n nodes, or takes them where n is negative, on [start, end). What
// lies before the plan's beginning is left out.
func (p *Plan) Add(start, end float64, n int) {
	start = max(start, p.at[0])
	if !(start < end) {
		return
	}
	i := p.split(start)
	k := len(p.at)
	if !math.IsInf(end, 1) {
		k = p.split(end)
	}
	for j := i; j < k; j++ {
		p.free[j] += int32(n)
	}
	p.join(k)
	p.join(i)
}

// Earliest is the earliest start, not before from, at which n nodes stay free
// for d seconds; +Inf when there is none.
func (p *Plan) Earliest(from float64, n int, d float64) float64 {
	s, _ := p.before(from, math.Inf(1), n, d)
	return s
}

// EarlierThan is the earliest start on [from, start) for a job of n nodes and d
// seconds that holds a reservation from start on, as if that were taken out. It
// reports whether there is one.
func (p *Plan) EarlierThan(from, start float64, n int, d float64) (float64, bool) {
	s, ok := p.before(from, start, n, d)
	return s, ok && s < start
}

// before counts everything from limit on as free.
func (p *Plan) before(from, limit float64, n int, d float64) (float64, bool) {
	s, open := from, true
	for i := p.piece(from); i < len(p.at); i++ {
		if i > 0 && p.at[i] >= limit || open && p.at[i] >= s+d {
			break
		}
		if fits := p.free[i] >= int32(n); fits != open {
			open, s = fits, max(p.at[i], from)
		}
	}
	if !open {
		return limit, false
	}
	return s, true
}

// Least is the least number of free nodes on [start, end).
func (p *Plan) Least(start, end float64) int {
	i := p.piece(start)
	least := p.free[i]
	for i++; i < len(p.at) && p.at[i] < end; i++ {
		least = min(least, p.free[i])
	}
	return int(least)
}
