package profile

import "math"

// Profile is a step function of time: the number of free processors or nodes on
// [t0, t1), [t1, t2), ..., [tk, infinity). Times are seconds from 0 on, +Inf is
// allowed as the end of a reservation. The zero value must be Reset before use.
//
// # Structure
//
// The pieces lie in order of time in blocks of at most [blockSize], so that a change
// moves a block and not all that follows. With k pieces in blocks of B:
//
//   - Reserve and Release: O(log k + B) and a step for each piece that they change;
//     dividing and joining blocks, which is rare, O(k/B);
//   - Cut: O(B) beside the blocks that it forgets;
//   - Earliest and Advance: O(log k) and a step for each piece between the
//     starts already ruled out and the answer.
//
// With a few dozens of pieces that is one block or two and as fast as a plain
// sorted slice, and there are many such profiles.
//
// On a crowded profile the pieces between would grow with the number of
// reservations, and time per job with the length of the queue. So the profile
// remembers what earlier searches have proved: all of it as long as nothing is
// released (see bounds), and of the last few what a release leaves (see proofs).
//
// Nothing is allocated once the slices have grown to the largest number of
// blocks, and Reset keeps them.
type Profile struct {
	heads  []head
	blocks []block
	spare  []int32 // blocks that are not in use
	bounds bounds
	proofs proofs
}

// Reset makes the profile one of total processors, all free from time from on.
func (p *Profile) Reset(total int, from float64) {
	if len(p.blocks) == 0 {
		p.blocks = append(p.blocks, block{})
	}
	p.spare = p.spare[:0]
	for i := len(p.blocks) - 1; i > 0; i-- {
		p.spare = append(p.spare, int32(i))
	}
	p.heads = append(p.heads[:0], head{from, 0})
	b := &p.blocks[0]
	b.n, b.at[0], b.free[0] = 1, from, int32(total)
	p.bounds.reset(total)
	p.proofs.forget()
}

// Cut forgets the pieces before now. Searches must not begin earlier from then on.
func (p *Profile) Cut(now float64) {
	for len(p.heads) > 1 && p.heads[1].at <= now {
		p.dropBlock(0)
	}
	b := p.block(0)
	k := 0
	for k+1 < b.n && b.at[k+1] <= now {
		k++
	}
	if k > 0 {
		b.remove(0, k)
		p.heads[0].at = b.at[0]
	}
	if b.at[0] < now {
		b.at[0], p.heads[0].at = now, now
	}
}

// Reserve takes n processors on [start, end). There must be as many. What lies
// before the profile's beginning is left out, also by Release.
func (p *Profile) Reserve(start, end float64, n int) { p.change(start, end, -n) }

// Release gives n processors back on [start, end), a part or all of the
// reserved ones.
func (p *Profile) Release(start, end float64, n int) { p.change(start, end, n) }

func (p *Profile) change(start, end float64, n int) {
	start = max(start, p.heads[0].at)
	h, i := p.find(start)
	p.add(spot{h, i}, start, end, n)
}

// add is change where start lies in the piece that is given.
func (p *Profile) add(in spot, start, end float64, n int) {
	if n == 0 || !(start < end) {
		return
	}
	h, i := in.h, in.i
	b := p.block(h)
	fresh := b.at[i] < start
	if fresh {
		h, i, _ = p.insert(h, i+1, start, b.free[i])
	}
	k, m, last, most := p.raise(h, i, end, int32(n))
	if n > 0 {
		p.bounds.epoch++
		p.proofs.given(most, start)
	}
	moved := false
	switch exact := k < len(p.heads) && p.block(k).at[m] == end; {
	case exact && p.block(k).free[m] == last:
		p.remove(k, m)
	case !exact && !math.IsInf(end, 1):
		if m == 0 {
			k--
			m = p.block(k).n
		}
		_, _, moved = p.insert(k, m, end, last-int32(n))
	}
	if moved {
		h, i = p.find(start)
	}
	if !fresh && p.joins(h, i) {
		p.remove(h, i)
	}
	if k > h {
		p.merge(k)
	}
	p.merge(h)
}

// raise adds n to the pieces from i of block h on that begin before end. It
// returns the first one behind them, and what the last one of them and the one
// with most have free now.
func (p *Profile) raise(h, i int, end float64, n int32) (k, m int, last, most int32) {
	for {
		b := p.block(h)
		for ; i < b.n && b.at[i] < end; i++ {
			last = b.free[i] + n
			b.free[i] = last
			most = max(most, last)
		}
		if i < b.n {
			return h, i, last, most
		}
		h, i = h+1, 0
		if h == len(p.heads) {
			return h, 0, last, most
		}
	}
}

// Least is the least number of free processors on [start, end), that at start when
// the interval is empty.
func (p *Profile) Least(start, end float64) int {
	h, i := p.find(start)
	b := p.block(h)
	least := b.free[i]
	for i++; ; i++ {
		if i == b.n {
			if h++; h == len(p.heads) {
				break
			}
			b, i = p.block(h), 0
		}
		if b.at[i] >= end {
			break
		}
		least = min(least, b.free[i])
	}
	return int(least)
}

// Most is the largest number of free processors on [start, end].
func (p *Profile) Most(start, end float64) int {
	h, i := p.find(start)
	most := p.block(h).free[i]
	for ; h < len(p.heads); h, i = h+1, 0 {
		b := p.block(h)
		for ; i < b.n && b.at[i] <= end; i++ {
			most = max(most, b.free[i])
		}
		if i < b.n {
			break
		}
	}
	return int(most)
}

// Lowest is the least number of free processors after a time, and the first instant with it.
func (p *Profile) Lowest(after float64) (at float64, n int) {
	h, i := p.find(after)
	at, least := math.Nextafter(after, math.Inf(1)), p.block(h).free[i]
	for i++; h < len(p.heads); h, i = h+1, 0 {
		for b := p.block(h); i < b.n; i++ {
			if b.free[i] < least {
				at, least = b.at[i], b.free[i]
			}
		}
	}
	return at, int(least)
}

// Until is the first instant from start on at which fewer than n processors are free,
// +Inf where that never comes.
func (p *Profile) Until(start float64, n int) float64 {
	h, i := p.find(start)
	for ; h < len(p.heads); h, i = h+1, 0 {
		for b := p.block(h); i < b.n; i++ {
			if int(b.free[i]) < n {
				return max(start, b.at[i])
			}
		}
	}
	return math.Inf(1)
}
