package profile

import "math"

// Profile is a step function of time: the number of free processors on
// [t0, t1), [t1, t2), ..., [tk, infinity). Times are seconds, +Inf is allowed as
// the end of a reservation. The zero value must be Reset before use.
//
// # Structure
//
// The pieces lie in order of time in blocks of at most [blockSize], times and
// counts apart, and the heads of the blocks in one slice. A head knows when its
// block begins, the least and the greatest count in it, and an addition that
// applies to all of it. With k pieces in blocks of B:
//
//   - Free: O(log k);
//   - Reserve, Release: O(B + k/B), where the second term is an addition to the
//     head of each block that lies within;
//   - Cut: O(B) beside the blocks that it forgets;
//   - Earliest, EarlierThan: O(log k + B + k/B + h), where h is the number of
//     pieces, between the start of the search and the answer, in blocks that are
//     neither all wide enough nor all too narrow.
//
// A plan has a few hundred pieces as a rule, where going through neighbours in
// memory is much cheaper than following a tree, and it takes some ten thousand
// before k/B matters.
//
// On a crowded profile h would grow with the number of reservations, and time
// per job with the length of the queue. So the profile remembers what earlier
// searches have proved (see bounds): as long as nothing is released,
// reservations only take, and the earliest start for some width and length
// bounds that of everything wider and longer. A search starts at the best bound
// known and meets few short holes, whatever the queue's length. EarlierThan, which
// belongs to replanning after a release, remembers less, but keeps what a release
// leaves of it (see proofs). A search is one walk in order of time that skips
// blocks that neither open nor close a hole.
//
// Nothing is allocated once the slices have grown to the largest number of
// blocks, and Reset keeps them.
type Profile struct {
	heads  []head  // in order of time, never empty
	blocks []block // by head.at
	spare  []int32 // blocks that no head has
	pieces int
	cut    float64 // when the profile begins
	bounds bounds
	proofs proofs
}

// Reset makes the profile one of total processors, all free from time from on.
func (p *Profile) Reset(total int, from float64) {
	p.spare = p.spare[:0]
	for i := range p.blocks {
		p.spare = append(p.spare, int32(i))
	}
	at := p.take()
	p.blocks[at].t[0], p.blocks[at].free[0] = from, int32(total)
	p.heads = append(p.heads[:0], head{t: from, at: at, n: 1, least: int32(total), most: int32(total)})
	p.pieces = 1
	p.cut = from
	p.bounds.reset(total)
	p.proofs.forget()
}

// Pieces is the number of pieces.
func (p *Profile) Pieces() int { return p.pieces }

// Reserve takes n processors on [start, end). There must be as many, and start
// must not be before the last Cut.
func (p *Profile) Reserve(start, end float64, n int) { p.change(start, end, -int32(n)) }

// Release gives n processors back on [start, end), part or whole of what was
// reserved.
func (p *Profile) Release(start, end float64, n int) {
	if start < end {
		p.bounds.forget()
		p.proofs.released(start)
	}
	p.change(start, end, int32(n))
}

// change adds n on [start, end) and keeps neighbours different.
func (p *Profile) change(start, end float64, n int32) {
	if !(start < end) {
		return
	}
	ends := false
	if !math.IsInf(end, 1) {
		_, _, ends = p.ensure(end)
	}
	b, i, begins := p.ensure(start)
	p.add(b, i, end, n)
	// A piece that was not there before differs by n from its neighbour.
	if ends {
		p.join(end)
	}
	if begins {
		p.join(start)
	}
}

// Free is the number of free processors at time t.
func (p *Profile) Free(t float64) int {
	b, i := p.find(t)
	h := &p.heads[b]
	return int(p.blocks[h.at].free[i] + h.add)
}

// Cut forgets what was before now. Searches and reservations must not begin
// earlier from then on.
func (p *Profile) Cut(now float64) {
	p.cut = now
	b, i := p.find(now)
	if b == 0 && i == 0 {
		return
	}
	for k := range b {
		p.pieces -= int(p.heads[k].n)
		p.spare = append(p.spare, p.heads[k].at)
	}
	p.heads = p.heads[:copy(p.heads, p.heads[b:])]
	if i > 0 {
		p.drop(0, 0, i)
		p.sum(0)
	}
}
