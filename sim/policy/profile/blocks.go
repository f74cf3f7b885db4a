package profile

import (
	"math"
	"slices"
)

// blockSize is the largest number of pieces in a block. With 32 and with 128 the
// plans of the benchmarks, of some hundred to some ten thousand pieces, take
// within 10 % of the same time.
const blockSize = 64

// block is a run of pieces: free processors, without what the head adds, on
// [t[i], t[i+1]). The last one reaches to the next block.
type block struct {
	t    [blockSize]float64
	free [blockSize]int32
}

// head is what is known of a block.
type head struct {
	t           float64 // of the first piece
	at          int32   // which block
	n           int32   // pieces, at least 1
	least, most int32   // free processors
	add         int32   // to each count in the block
}

// take returns a block that no head has.
func (p *Profile) take() int32 {
	if last := len(p.spare) - 1; last >= 0 {
		at := p.spare[last]
		p.spare = p.spare[:last]
		return at
	}
	p.blocks = append(p.blocks, block{})
	p.spare = slices.Grow(p.spare, len(p.blocks)) // for all of them, at Reset
	return int32(len(p.blocks) - 1)
}

// find returns the piece in which t lies: its head and its place in the block. A
// time before the profile lies in the first piece.
func (p *Profile) find(t float64) (b, i int) {
	for lo, hi := 1, len(p.heads); lo < hi; {
		m := int(uint(lo+hi) >> 1)
		if p.heads[m].t <= t {
			b, lo = m, m+1
		} else {
			hi = m
		}
	}
	h := &p.heads[b]
	ts := p.blocks[h.at].t[:h.n]
	for lo, hi := 1, len(ts); lo < hi; {
		m := int(uint(lo+hi) >> 1)
		if ts[m] <= t {
			i, lo = m, m+1
		} else {
			hi = m
		}
	}
	return b, i
}

// sum recomputes what head b knows of its counts.
func (p *Profile) sum(b int) {
	h := &p.heads[b]
	least, most := int32(math.MaxInt32), int32(math.MinInt32)
	for _, f := range p.blocks[h.at].free[:h.n] {
		least, most = min(least, f), max(most, f)
	}
	h.least, h.most = least+h.add, most+h.add
}

// ensure makes a piece begin at t, returns it and reports whether it was there.
func (p *Profile) ensure(t float64) (b, i int, was bool) {
	b, i = p.find(t)
	h := &p.heads[b]
	if p.blocks[h.at].t[i] == t {
		return b, i, true
	}
	if h.n == blockSize {
		p.split(b)
		if h = &p.heads[b]; i >= int(h.n) {
			i -= int(h.n)
			b++
			h = &p.heads[b]
		}
	}
	k := &p.blocks[h.at]
	copy(k.t[i+2:h.n+1], k.t[i+1:h.n])
	copy(k.free[i+2:h.n+1], k.free[i+1:h.n])
	k.t[i+1], k.free[i+1] = t, k.free[i]
	h.n++
	p.pieces++
	return b, i + 1, false
}

// split moves the later half of full block b to a block of its own after it.
func (p *Profile) split(b int) {
	const half = blockSize / 2
	at := p.take()
	h := &p.heads[b]
	from, to := &p.blocks[h.at], &p.blocks[at]
	copy(to.t[:], from.t[half:])
	copy(to.free[:], from.free[half:])
	h.n = half
	next := head{t: to.t[0], at: at, n: blockSize - half, add: h.add}
	p.heads = append(p.heads, head{})
	copy(p.heads[b+2:], p.heads[b+1:])
	p.heads[b+1] = next
	p.sum(b)
	p.sum(b + 1)
}

// drop takes pieces i to j-1 out of block b, not all of them. What head b knows
// of its counts is left to the caller.
func (p *Profile) drop(b, i, j int) {
	h := &p.heads[b]
	k := &p.blocks[h.at]
	copy(k.t[i:], k.t[j:h.n])
	copy(k.free[i:], k.free[j:h.n])
	h.n -= int32(j - i)
	h.t = k.t[0]
	p.pieces -= j - i
}

// remove takes out piece i of block b, which has the count of the one before it.
func (p *Profile) remove(b, i int) {
	if p.heads[b].n == 1 {
		p.pieces--
		p.forget(b)
		return
	}
	p.drop(b, i, i+1)
	if i == 0 {
		p.sum(b)
	}
	if p.heads[b].n > blockSize/4 {
		return
	}
	if b+1 < len(p.heads) && p.heads[b].n+p.heads[b+1].n <= blockSize/2 {
		p.merge(b)
	} else if b > 0 && p.heads[b-1].n+p.heads[b].n <= blockSize/2 {
		p.merge(b - 1)
	}
}

// merge moves the pieces of the block after b into b.
func (p *Profile) merge(b int) {
	h, next := &p.heads[b], &p.heads[b+1]
	to, from := &p.blocks[h.at], &p.blocks[next.at]
	copy(to.t[h.n:], from.t[:next.n])
	for i, f := range from.free[:next.n] {
		to.free[int(h.n)+i] = f + next.add - h.add
	}
	h.n += next.n
	h.least, h.most = min(h.least, next.least), max(h.most, next.most)
	p.forget(b + 1)
}

// forget takes out head b.
func (p *Profile) forget(b int) {
	p.spare = append(p.spare, p.heads[b].at)
	p.heads = p.heads[:b+copy(p.heads[b:], p.heads[b+1:])]
}

// add adds n to the pieces from piece i of block b on that begin before end.
func (p *Profile) add(b, i int, end float64, n int32) {
	for ; b < len(p.heads) && p.heads[b].t < end; b, i = b+1, 0 {
		h := &p.heads[b]
		if i == 0 && b+1 < len(p.heads) && p.heads[b+1].t <= end {
			h.add += n
			h.least += n
			h.most += n
			continue
		}
		k := &p.blocks[h.at]
		ts := k.t[:h.n]
		for ; i < len(ts) && ts[i] < end; i++ {
			k.free[i] += n
		}
		p.sum(b)
	}
}

// join removes the piece that begins at t when it has the count of the one before
// it.
func (p *Profile) join(t float64) {
	b, i := p.find(t)
	h := &p.heads[b]
	k := &p.blocks[h.at]
	if i > 0 {
		if k.free[i-1] == k.free[i] {
			p.remove(b, i)
		}
	} else if b > 0 {
		before := &p.heads[b-1]
		if p.blocks[before.at].free[before.n-1]+before.add == k.free[0]+h.add {
			p.remove(b, 0)
		}
	}
}
