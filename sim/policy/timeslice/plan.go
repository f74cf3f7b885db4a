package timeslice

import "math"

// Plan is the availability profile of one virtual machine: free nodes on
// [at, next at), in the machine's own time. Its pieces lie in order in blocks of
// up to [room], so that a change moves a block and not all that follows. With k
// pieces:
//
//   - Add takes O(log k) steps, O(room) for moving pieces and O(1) for each piece
//     that it changes; dividing and joining blocks, which is rare, O(k/room).
//   - Earliest and Advance take O(log k) steps and one for each piece between what
//     [proofs] rules out and the answer.
//   - Copy and Reset allocate nothing once the plan has been as large.
//
// With a few dozens of pieces that is one block or two and as fast as a plain
// sorted slice; and plans of that size are copied and made anew often. Package
// profile's plan is a sibling for one long queue: its blocks also know their
// extremes and an addition to all of them, and it is not copied.
type Plan struct {
	heads  []head
	blocks []block
	spare  []int32 // blocks that are not in use
	proofs proofs
}

// Reset makes the plan one of n nodes, all free from time from on.
func (p *Plan) Reset(n int, from float64) {
	if len(p.blocks) == 0 {
		p.blocks = append(p.blocks, block{})
	}
	p.spare = p.spare[:0]
	for i := len(p.blocks) - 1; i > 0; i-- {
		p.spare = append(p.spare, int32(i))
	}
	p.heads = append(p.heads[:0], head{from, 0})
	b := &p.blocks[0]
	b.n, b.at[0], b.free[0] = 1, from, int32(n)
	p.proofs.forget()
}

// Copy makes p equal to q.
func (p *Plan) Copy(q *Plan) {
	p.heads = append(p.heads[:0], q.heads...)
	p.blocks = append(p.blocks[:0], q.blocks...)
	p.spare = append(p.spare[:0], q.spare...)
	p.proofs = q.proofs
}

// Cut forgets what was before now.
func (p *Plan) Cut(now float64) {
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

// Add adds n nodes, or takes them where n is negative, on [start, end). What
// lies before the plan's beginning is left out.
func (p *Plan) Add(start, end float64, n int) {
	start = max(start, p.heads[0].at)
	h, i := p.find(start)
	p.add(spot{h, i}, start, end, n)
}

// add is Add where start lies in the piece that is given.
func (p *Plan) add(in spot, start, end float64, n int) {
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
func (p *Plan) raise(h, i int, end float64, n int32) (k, m int, last, most int32) {
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

// Earliest is the earliest start, not before from, at which n nodes stay free
// for d seconds; +Inf when there is none. Neither it nor what follows asks for
// times before the plan's beginning, or negative ones.
func (p *Plan) Earliest(from float64, n int, d float64) float64 {
	s, _ := p.search(from, math.Inf(1), n, d)
	return s
}

// Advance moves a reservation of n nodes for d seconds from start to the earliest
// start on [from, start) at which there is room for it once it is taken out. It
// returns where the reservation begins then.
func (p *Plan) Advance(from, start float64, n int, d float64) float64 {
	s, in := p.search(from, start, n, d)
	if !(s < start) {
		return start
	}
	// What the old and the new place have in common does not change.
	p.add(in, s, min(start, s+d), -n)
	tail := max(start, s+d)
	p.add(p.findNear(in.h, tail), tail, start+d, n)
	return s
}

// search is the earliest start, not before from, and the piece that it lies in,
// if everything from limit on is free; limit when there is none before.
func (p *Plan) search(from, limit float64, n int, d float64) (float64, spot) {
	s, in := p.walk(p.proofs.bound(from, limit, int32(n), d), limit, n, d)
	if from <= p.heads[0].at {
		p.proofs.note(int32(n), d, s)
	}
	return s, in
}

// walk is search without proofs. It takes the pieces as they come, without jumps
// by whether they fit: in a crowded plan holes are many and short, and a wrong
// guess of the processor costs as much as ten pieces. Times are compared as bits,
// whose order is that of the times from 0 on.
func (p *Plan) walk(from, limit float64, n int, d float64) (float64, spot) {
	h, i := p.find(from)
	b, w := p.block(h), int32(n)
	if b.at[i] >= min(limit, from+d) {
		return from, spot{h, i}
	}
	// The piece lies in a stretch that begins at start, where a job would last
	// until end.
	start, end, last := order(from), order(from+d), order(limit)
	first, firstBlock := i, h
	blocked := b.free[i] < w
	for i++; ; i = 0 {
		at, free, known := b.at[:b.n], b.free[:b.n], start
		for ; i < len(at) && i < len(free); i++ {
			x, y := order(at[i]), order(at[i]+d)
			if blocked {
				start = x
			}
			if blocked {
				end = y
			}
			if blocked {
				first = i
			}
			if x >= end || x >= last {
				if start != known {
					firstBlock = h
				}
				return math.Float64frombits(uint64(start)), spot{firstBlock, first}
			}
			blocked = free[i] < w
		}
		if start != known {
			firstBlock = h
		}
		if h++; h == len(p.heads) {
			break
		}
		b = p.block(h)
	}
	if blocked {
		return limit, spot{}
	}
	return math.Float64frombits(uint64(start)), spot{firstBlock, first}
}

// Least is the least number of free nodes on [start, end).
func (p *Plan) Least(start, end float64) int {
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
