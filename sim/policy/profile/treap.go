package profile

import "math"

// node takes a fresh node for a piece from time t.
func (p *Profile) node(t float64, free int32) int32 {
	// A xorshift sequence (Marsaglia 2003) of full period.
	p.pri ^= p.pri << 13
	p.pri ^= p.pri >> 17
	p.pri ^= p.pri << 5
	x := p.spare
	if x != 0 {
		p.spare = p.nodes[x].right
	} else {
		x = int32(len(p.nodes))
		p.nodes = append(p.nodes, node{})
	}
	p.nodes[x] = node{t: t, free: free, least: free, most: free, pri: p.pri}
	p.pieces++
	return x
}

// pull recomputes what a node knows about its subtree.
func (p *Profile) pull(x int32) {
	n := &p.nodes[x]
	n.least, n.most = n.free, n.free
	if n.left != 0 {
		l := &p.nodes[n.left]
		n.least, n.most = min(n.least, l.least+n.add), max(n.most, l.most+n.add)
	}
	if n.right != 0 {
		r := &p.nodes[n.right]
		n.least, n.most = min(n.least, r.least+n.add), max(n.most, r.most+n.add)
	}
}

// push hands what a node owes to its children.
func (p *Profile) push(x int32) {
	n := &p.nodes[x]
	if n.add == 0 {
		return
	}
	p.addAll(n.left, n.add)
	p.addAll(n.right, n.add)
	n.add = 0
}

// addAll adds k to a whole subtree.
func (p *Profile) addAll(x, k int32) {
	if x == 0 {
		return
	}
	n := &p.nodes[x]
	n.free += k
	n.least += k
	n.most += k
	n.add += k
}

// addFrom adds k to the nodes of subtree x on [start, end).
func (p *Profile) addFrom(x int32, start, end float64, k int32) {
	if x == 0 {
		return
	}
	n := &p.nodes[x]
	switch {
	case n.t < start:
		p.addFrom(n.right, start, end, k)
	case n.t >= end:
		p.addFrom(n.left, start, end, k)
	default:
		n.free += k
		p.addSince(n.left, start, k)
		p.addUntil(n.right, end, k)
	}
	p.pull(x)
}

// addSince adds k to the nodes of subtree x from start on.
func (p *Profile) addSince(x int32, start float64, k int32) {
	if x == 0 {
		return
	}
	n := &p.nodes[x]
	if n.t >= start {
		n.free += k
		p.addAll(n.right, k)
		p.addSince(n.left, start, k)
	} else {
		p.addSince(n.right, start, k)
	}
	p.pull(x)
}

// addUntil adds k to the nodes of subtree x before end.
func (p *Profile) addUntil(x int32, end float64, k int32) {
	if x == 0 {
		return
	}
	n := &p.nodes[x]
	if n.t < end {
		n.free += k
		p.addAll(n.left, k)
		p.addUntil(n.right, end, k)
	} else {
		p.addUntil(n.left, end, k)
	}
	p.pull(x)
}

// ensure makes a piece begin at t.
func (p *Profile) ensure(t float64) {
	if free, exact := p.at(t); !exact {
		p.root = p.insert(p.root, p.node(t, free))
	}
}

// join removes the breakpoint t if there is one and nothing changes there.
func (p *Profile) join(t float64) {
	var before, free int32
	first, found := true, false
	for x, add := p.root, int32(0); x != 0; {
		n := &p.nodes[x]
		switch {
		case n.t < t:
			before, first = n.free+add, false
			add += n.add
			x = n.right
		case n.t == t:
			free, found = n.free+add, true
			fallthrough
		default:
			add += n.add
			x = n.left
		}
	}
	if found && !first && before == free {
		p.remove(t)
	}
}

// insert puts node nd into subtree x and returns the new root of it.
func (p *Profile) insert(x, nd int32) int32 {
	if x == 0 {
		return nd
	}
	t := p.nodes[nd].t
	if p.nodes[nd].pri > p.nodes[x].pri {
		l, r := p.split(x, t)
		p.nodes[nd].left, p.nodes[nd].right = l, r
		p.pull(nd)
		return nd
	}
	p.push(x)
	if t < p.nodes[x].t {
		p.nodes[x].left = p.insert(p.nodes[x].left, nd)
	} else {
		p.nodes[x].right = p.insert(p.nodes[x].right, nd)
	}
	p.pull(x)
	return x
}

// split parts subtree x into what is before t and the rest.
func (p *Profile) split(x int32, t float64) (l, r int32) {
	if x == 0 {
		return 0, 0
	}
	p.push(x)
	if p.nodes[x].t < t {
		l, r = p.split(p.nodes[x].right, t)
		p.nodes[x].right = l
		p.pull(x)
		return x, r
	}
	l, r = p.split(p.nodes[x].left, t)
	p.nodes[x].left = r
	p.pull(x)
	return l, x
}

// merge joins two trees, all of l before all of r.
func (p *Profile) merge(l, r int32) int32 {
	switch {
	case l == 0:
		return r
	case r == 0:
		return l
	case p.nodes[l].pri > p.nodes[r].pri:
		p.push(l)
		p.nodes[l].right = p.merge(p.nodes[l].right, r)
		p.pull(l)
		return l
	default:
		p.push(r)
		p.nodes[r].left = p.merge(l, p.nodes[r].left)
		p.pull(r)
		return r
	}
}

// remove takes out the breakpoint at t, which exists and is not the only one:
// the piece before it, if any, then reaches to the next.
func (p *Profile) remove(t float64) {
	p.root = p.without(p.root, t)
	p.pieces--
}

func (p *Profile) without(x int32, t float64) int32 {
	p.push(x)
	n := &p.nodes[x]
	if n.t == t {
		rest := p.merge(n.left, n.right)
		*n = node{right: p.spare, t: math.NaN()}
		p.spare = x
		return rest
	}
	if t < n.t {
		n.left = p.without(n.left, t)
	} else {
		n.right = p.without(n.right, t)
	}
	p.pull(x)
	return x
}
