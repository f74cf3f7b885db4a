package timeslice

import (
	"math"
	"slices"
)

// flat is the plan as one sorted slice, searched from its beginning piece by
// piece: slow and obvious.
type flat struct {
	at   []float64
	free []int32
}

func (p *flat) reset(n int, from float64) {
	p.at = append(p.at[:0], from)
	p.free = append(p.free[:0], int32(n))
}

func (p *flat) cut(now float64) {
	for len(p.at) > 1 && p.at[1] <= now {
		p.at, p.free = p.at[1:], p.free[1:]
	}
	p.at[0] = max(p.at[0], now)
}

// split makes a piece begin at t and returns its index.
func (p *flat) split(t float64) int {
	i, found := slices.BinarySearch(p.at, t)
	if !found {
		p.at = slices.Insert(p.at, i, t)
		p.free = slices.Insert(p.free, i, p.free[i-1])
	}
	return i
}

func (p *flat) add(start, end float64, n int) {
	start = max(start, p.at[0])
	if !(start < end) {
		return
	}
	i, k := p.split(start), len(p.at)
	if !math.IsInf(end, 1) {
		k = p.split(end)
	}
	for j := i; j < k; j++ {
		p.free[j] += int32(n)
	}
	for j := len(p.at) - 1; j > 0; j-- {
		if p.free[j] == p.free[j-1] {
			p.at, p.free = slices.Delete(p.at, j, j+1), slices.Delete(p.free, j, j+1)
		}
	}
}

// earliest tries the beginning of every piece, counting everything from limit on
// as free. It is limit when no start before fits.
func (p *flat) earliest(from, limit float64, n int, d float64) float64 {
	for i := -1; i < len(p.at); i++ {
		s := from
		if i >= 0 {
			s = p.at[i]
		}
		if s < from {
			continue
		}
		if s >= limit {
			break
		}
		if p.fits(s, limit, n, d) {
			return s
		}
	}
	return limit
}

func (p *flat) fits(s, limit float64, n int, d float64) bool {
	for i, x := range p.at {
		ends := i+1 == len(p.at) || p.at[i+1] > s
		if ends && x < min(limit, s+d) && p.free[i] < int32(n) {
			return false
		}
	}
	return true
}

func (p *flat) least(start, end float64) int {
	least := int32(math.MaxInt32)
	for i, x := range p.at {
		if (i+1 == len(p.at) || p.at[i+1] > start) && (x < end || x <= start) {
			least = min(least, p.free[i])
		}
	}
	return int(least)
}
