package solver

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"schedsweep/sim"
)

// remembered is the largest number of failed states that a search keeps: some 300 MB.
const remembered = 2 << 20

// running is an option that runs in the search.
type running struct {
	end int
	*option
}

// search decides whether all jobs can end within a number of slots.
type search struct {
	*instance
	limits  Limits
	visited int64
	over    bool // a limit was met

	horizon int
	now     int
	left    int
	start   []int // of each position; -1: not started
	chosen  []*option
	running []running
	free    room
	before  room // the free room before the ends of this instant
	rate    int64
	budget  int64 // worth that may still be wasted until the horizon

	failed  map[string]failure
	key     []byte
	profile []running
	found   int
	yield   func() bool // a plan is complete; true ends the search

	// For plans of a small sum of finish times, in slots.
	sum, sumBelow int64 // so far, and what plans must stay below; 0: any sum will do
	byWorth       []int // positions by worth
	byLeast       []int // positions by least slots
	cut           int   // number of branches that sums alone ended
}

// failure reports that a state was left without a plan.
type failure struct {
	rest int32 // this number of slots does not suffice from it,
	sum  int64 // if the sum of finish times would be this at least; see drift
}

func newSearch(in *instance, limits Limits) *search {
	return &search{instance: in, limits: limits, failed: map[string]failure{},
		byWorth: sim.Ranked(len(in.order), func(a, b int) int { return cmp.Compare(in.worth[a], in.worth[b]) }),
		byLeast: sim.Ranked(len(in.order), func(a, b int) int { return in.least[a] - in.least[b] })}
}

// decide looks for plans of that many slots, until yield returns true. It reports
// whether it did.
func (s *search) decide(horizon int, yield func() bool) bool {
	n := len(s.order)
	s.horizon, s.now, s.left, s.yield, s.found = horizon, 0, n, yield, 0
	s.start, s.chosen = make([]int, n), make([]*option, n)
	s.free, s.before, s.rate, s.running = s.room(), s.room(), 0, s.running[:0]
	s.budget, s.sum, s.cut = s.full*int64(horizon), 0, 0
	for i := range s.start {
		s.start[i] = -1
		s.budget -= s.worth[i]
	}
	for i := range s.held {
		h := &s.held[i]
		s.free.take(h, 1)
		s.running = append(s.running, running{h.slots, h})
	}
	return s.budget >= 0 && s.instant(0)
}

// pause reports whether a limit is met.
func (s *search) pause() bool {
	s.visited++
	if s.limits.Nodes > 0 && s.visited > s.limits.Nodes || s.limits.Stop != nil && s.visited&1023 == 0 && s.limits.Stop() {
		s.over = true
	}
	return s.over
}

// instant starts jobs from that position on at s.now, or none and lets time pass.
func (s *search) instant(from int) bool {
	if s.sumBelow > 0 && s.sum+s.sumLeft() >= s.sumBelow {
		s.cut++
		return false
	}
	if s.left == 0 {
		s.found++
		return s.yield()
	}
	if s.pause() || s.wasteful(from) {
		return false
	}
	for i := from; i < len(s.start); i++ {
		if s.start[i] >= 0 || s.twin[i] >= 0 && s.start[s.twin[i]] < 0 {
			continue
		}
		for k := range s.options[i] {
			o := &s.options[i][k]
			// What fits before the ends of this instant could start a slot earlier.
			if o.extra > s.budget || s.now+o.slots > s.horizon || !s.free.fits(o) || s.now > 0 && s.before.fits(o) {
				continue
			}
			s.begin(i, o)
			if s.instant(i + 1) {
				return true
			}
			s.undo(i, o)
			if s.over {
				return false
			}
		}
	}
	return s.pass()
}

func (s *search) begin(i int, o *option) {
	s.free.take(o, 1)
	s.running = append(s.running, running{s.now + o.slots, o})
	s.rate += o.rate
	s.sum += int64(s.now + o.slots)
	s.budget -= o.extra
	s.start[i], s.chosen[i] = s.now, o
	s.left--
}

func (s *search) undo(i int, o *option) {
	s.free.take(o, -1)
	s.running = s.running[:len(s.running)-1]
	s.rate -= o.rate
	s.sum -= int64(s.now + o.slots)
	s.budget += o.extra
	s.start[i] = -1
	s.left++
}

// wasteful reports whether, for any further starts now, more than the budget is
// wasted until something ends.
func (s *search) wasteful(from int) bool {
	earn, room, span := float64(s.rate), s.free.total, math.MaxInt
	for i := range s.start {
		if s.start[i] >= 0 {
			continue
		}
		span = min(span, s.least[i])
		if i >= from && room > 0 {
			n := min(room, s.options[i][0].nodes)
			earn += s.dense[i] * float64(n)
			room -= n
		}
	}
	for i := range s.running {
		span = min(span, s.running[i].end-s.now)
	}
	return (s.full-int64(math.Ceil(earn*(1+1e-12))))*int64(span) > s.budget
}

// pass lets time pass until the next end.
func (s *search) pass() bool {
	if len(s.running) == 0 {
		return false
	}
	next := math.MaxInt
	for i := range s.running {
		next = min(next, s.running[i].end)
	}
	waste := (s.full - s.rate) * int64(next-s.now)
	if waste > s.budget {
		return false
	}
	for i := range s.start {
		if s.start[i] >= 0 {
			continue
		}
		if next+s.least[i] > s.horizon {
			return false
		}
		if s.now+s.least[i] <= next && s.hole(i, next) {
			return false
		}
	}
	key := s.state()
	if f, ok := s.failed[string(key)]; ok && int(f.rest) >= s.horizon-s.now && (f.sum == anySum || s.sumBelow > 0 && f.sum <= s.drift()) {
		if f.sum > anySum {
			s.cut++
		}
		return false
	}
	state := string(key)

	now, before, found, cut := s.now, s.before, s.found, s.cut
	all := slices.Clone(s.running)
	s.before = room{slices.Clone(s.free.nodes), slices.Clone(s.free.links), s.free.total}
	free := s.free
	s.free = room{slices.Clone(free.nodes), slices.Clone(free.links), free.total}
	rate := s.rate
	kept := s.running[:0]
	for _, r := range all {
		if r.end == next {
			s.free.take(r.option, -1)
			s.rate -= r.rate
		} else {
			kept = append(kept, r)
		}
	}
	s.running, s.now = kept, next
	s.budget -= waste
	if s.instant(0) {
		return true
	}
	s.running = append(s.running[:0], all...)
	s.now, s.before, s.free, s.rate = now, before, free, rate
	s.budget += waste
	if !s.over && len(s.failed) < remembered {
		f := failure{int32(s.horizon - s.now), anySum}
		if cut != s.cut || found != s.found {
			f.sum = s.drift()
		}
		if f.sum == anySum || s.sumBelow > 0 {
			s.failed[state] = f
		}
	}
	return false
}

// anySum means a failure that no sum explains.
const anySum = math.MinInt64

// drift is the sum of finish times if those of the jobs left were their distance
// from now: of two visits to a state, the one with less can only do better.
func (s *search) drift() int64 { return s.sum + int64(s.left)*int64(s.now) }

// sumLeft is a lower bound of the sum of finish times of the jobs left: the k-th
// of them ends when the k of the least worth could be done, and the k shortest.
func (s *search) sumLeft() int64 {
	total, worth, short := int64(s.left)*int64(s.now), int64(0), 0
	for _, i := range s.byWorth {
		if s.start[i] >= 0 {
			continue
		}
		worth += s.worth[i]
		for s.start[s.byLeast[short]] >= 0 {
			short++
		}
		total += max((worth+s.full-1)/s.full, int64(s.least[s.byLeast[short]]))
		short++
	}
	return total
}

// hole reports whether job i would be over before anything else happens, if only
// it started now.
func (s *search) hole(i, next int) bool {
	for k := range s.options[i] {
		if o := &s.options[i][k]; s.now+o.slots <= next && s.free.fits(o) {
			return true
		}
	}
	return false
}

// state encodes the jobs left, and the nodes and bandwidth in use, with the time until each end. The rest of the
// search depends on them.
func (s *search) state() []byte {
	b := s.key[:0]
	for i := 0; i < len(s.start); i += 8 {
		var bits byte
		for k := i; k < min(i+8, len(s.start)); k++ {
			if s.start[k] < 0 {
				bits |= 1 << (k - i)
			}
		}
		b = append(b, bits)
	}
	s.profile = append(s.profile[:0], s.running...)
	slices.SortFunc(s.profile, func(x, y running) int { return x.end - y.end })
	for i := 0; i < len(s.profile); {
		end := s.profile[i].end
		b = binary.AppendUvarint(b, uint64(end-s.now))
		first := i
		for ; i < len(s.profile) && s.profile[i].end == end; i++ {
		}
		for k := range s.nodes {
			var n int32
			for _, r := range s.profile[first:i] {
				n += r.use[k]
			}
			b = binary.AppendUvarint(b, uint64(n))
		}
		for k := range s.links {
			var n int64
			for _, r := range s.profile[first:i] {
				n += r.load[k]
			}
			b = binary.AppendUvarint(b, uint64(n))
		}
	}
	s.key = b
	return b
}
