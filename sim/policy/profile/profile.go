package profile

import "math"

// Profile is a step function of time: the number of free processors on
// [t0, t1), [t1, t2), ..., [tk, infinity). Times are seconds, +Inf is allowed as
// the end of a reservation. The zero value must be Reset before use.
//
// # Structure
//
// The breakpoints are the nodes of a treap in order of time, in one slice with a
// free list. Each node carries the count of its piece and, for its subtree, the
// least and the greatest count and an addition that its children have not seen
// yet. With k breakpoints, in expected time:
//
//   - Reserve, Release: O(log k), whatever the number of pieces covered;
//   - Free: O(log k);
//   - Cut: O(log k) for each breakpoint that it forgets, each of which was
//     inserted once;
//   - Earliest, EarlierThan: O(log k + h), where h is the number of holes that
//     are wide enough but too short between the start of the search and the
//     answer.
//
// On a crowded profile h would grow with the number of reservations, and time
// per job with the length of the queue. So the profile remembers what earlier
// searches have proved (see bounds): as long as nothing is released,
// reservations only take, and the earliest start for some width and length
// bounds that of everything wider and longer. A search starts at the best bound
// known and meets few short holes, whatever the queue's length. EarlierThan, which
// belongs to replanning after a release, has no such bounds. A search is
// one walk in order of time that skips subtrees that neither open nor close a
// hole; it never starts again from the root.
//
// Nothing is allocated once the slice has grown to the largest number of
// breakpoints, and Reset keeps it. Priorities come from a fixed sequence, so
// time too is the same in equal runs.
type Profile struct {
	nodes  []node // 0 is the empty tree
	root   int32
	spare  int32 // head of the free list, linked by right
	pri    uint32
	pieces int
	cut    float64 // when the profile begins
	bounds bounds
}

// node is a breakpoint: free processors on [t, next breakpoint).
type node struct {
	t           float64
	free        int32
	least, most int32 // of free in the subtree
	add         int32 // owed to both children
	left, right int32
	pri         uint32
}

// Reset makes the profile one of total processors, all free from time from on.
func (p *Profile) Reset(total int, from float64) {
	p.nodes = append(p.nodes[:0], node{least: math.MaxInt32, most: math.MinInt32})
	p.root, p.spare, p.pri, p.pieces = 0, 0, 1, 0
	p.cut = from
	p.root = p.node(from, int32(total))
	p.bounds.reset(total)
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
	}
	p.change(start, end, int32(n))
}

// change adds n on [start, end) and keeps neighbours different.
func (p *Profile) change(start, end float64, n int32) {
	if !(start < end) {
		return
	}
	p.ensure(start)
	if !math.IsInf(end, 1) {
		p.ensure(end)
	}
	p.addFrom(p.root, start, end, n)
	p.join(start)
	p.join(end)
}

// Free is the number of free processors at time t.
func (p *Profile) Free(t float64) int {
	free, _ := p.at(t)
	return int(free)
}

// at returns the count at time t and whether a piece begins exactly there.
func (p *Profile) at(t float64) (free int32, exact bool) {
	add := int32(0)
	for x := p.root; x != 0; {
		n := &p.nodes[x]
		if n.t == t {
			return n.free + add, true
		}
		if n.t < t {
			free = n.free + add
			add += n.add
			x = n.right
		} else {
			add += n.add
			x = n.left
		}
	}
	return free, false
}

// Cut forgets what was before now. Searches and reservations must not begin
// earlier from then on.
func (p *Profile) Cut(now float64) {
	p.cut = now
	for {
		first, second := p.firstTwo()
		if second == 0 || p.nodes[second].t > now {
			return
		}
		p.remove(p.nodes[first].t)
	}
}

// firstTwo returns the two earliest breakpoints; the second is 0 when there is
// only one.
func (p *Profile) firstTwo() (first, second int32) {
	first = p.root
	for p.nodes[first].left != 0 {
		second, first = first, p.nodes[first].left
	}
	if r := p.nodes[first].right; r != 0 {
		for second = r; p.nodes[second].left != 0; {
			second = p.nodes[second].left
		}
	}
	return first, second
}
