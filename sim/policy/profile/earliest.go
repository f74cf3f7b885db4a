package profile

import "math"

// Earliest is the earliest start, not before from, at which n processors stay
// free for d seconds. A hole of exactly that length is accepted. It is +Inf when
// there is none, which takes a reservation without an end.
func (p *Profile) Earliest(from float64, n int, d float64) float64 {
	bound := p.bounds.get(n, d)
	s, ok := p.find(max(from, bound), math.Inf(1), n, d)
	if !ok {
		s = math.Inf(1)
	}
	// The walk has proved that nothing fits on [from, s), which bounds other
	// searches if it began no later than any of them can.
	if from <= p.cut {
		p.bounds.set(n, d, s)
	}
	return s
}

// EarlierThan is the earliest start on [from, start) for a job of n processors
// and d seconds that holds a reservation from start on: what the job would find
// if that reservation were taken out. It reports whether there is one. Because
// the own reservation frees n processors from start to start + d, only the time
// before start decides, and nothing needs to be taken out to see it.
func (p *Profile) EarlierThan(from, start float64, n int, d float64) (float64, bool) {
	return p.find(from, start, n, d)
}

// search is the state of one walk over the pieces in order of time.
type search struct {
	nodes []node
	n     int32
	d     float64
	from  float64
	limit float64 // everything from here on counts as free
	start float64 // of the hole that is open
	open  bool
	begun bool // a piece has been seen that begins no later than from
}

// find walks to the first hole of n processors and d seconds that begins on
// [from, limit), where everything from limit on counts as free.
func (p *Profile) find(from, limit float64, n int, d float64) (float64, bool) {
	if !(from < limit) {
		return 0, false
	}
	s := search{nodes: p.nodes, n: int32(n), d: d, from: from, limit: limit, start: from}
	s.walk(p.root, 0)
	return s.start, s.open
}

// walk goes through subtree x, whose counts lack add, and reports whether the
// search is over: a long enough hole is open, or the limit is reached. A subtree
// whose pieces all agree with the hole that is open, or with there being none,
// is skipped; that is right even where later ones may begin before from.
func (s *search) walk(x, add int32) bool {
	for x != 0 {
		n := &s.nodes[x]
		if s.begun && (s.open && n.least+add >= s.n || !s.open && n.most+add < s.n) {
			return false
		}
		if n.t <= s.from {
			s.begun, s.open = true, n.free+add >= s.n
			add += n.add
			x = n.right
			continue
		}
		if n.left != 0 && s.walk(n.left, add+n.add) {
			return true
		}
		if n.t >= s.limit || s.open && s.start+s.d <= n.t {
			return true
		}
		if fits := n.free+add >= s.n; fits != s.open {
			s.open, s.start = fits, n.t
		}
		add += n.add
		x = n.right
	}
	return false
}
