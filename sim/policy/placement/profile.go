package placement

import "slices"

// interval is a time from start to the start of the next interval, or for ever, in
// which the free processors do not change. Neighbours are not equal.
type interval struct {
	start float64
	stamp int64 // of the last change of the set
	free  int32 // size of the set
	set   int32 // where the set is in the arena, in sets
}

// profile is the sets of free processors over time. Pieces lie end to end in
// order of time; the last is open-ended. Sets live in one arena and are reused,
// so that a grown profile allocates nothing. Finding a time takes a binary
// search, cutting moves the intervals behind, 24 bytes each.
type profile struct {
	intervals []interval
	stamp     int64 // counts changes of sets
	trial     bool  // changes are not counted, because they are taken back
	words     int
	arena     []uint64
	idle      []int32 // unused sets of the arena
	grouped   bool    // falls are kept
	version   int64   // counts changes, also those of a trial
	// falls are the starts of intervals, ascending, that lack processors of the interval before. A place begins there that has not
	// started. Between falls the free processors only become more. Starts of intervals that are forgotten may be among them.
	falls []float64
}

// reset makes all n numbers free from time now on. They are procs processors.
func (p *profile) reset(words, n, procs int, now float64) {
	p.words = words
	p.stamp, p.falls = 0, p.falls[:0]
	p.version++
	p.arena, p.idle, p.intervals = p.arena[:0], p.idle[:0], p.intervals[:0]
	set := p.fresh()
	p.set(set).fill(n)
	p.intervals = append(p.intervals, interval{now, 0, int32(procs), set})
}

// fresh returns an unused set of any content.
func (p *profile) fresh() int32 {
	if n := len(p.idle); n > 0 {
		set := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return set
	}
	set := len(p.arena) / p.words
	p.arena = slices.Grow(p.arena, p.words)[:len(p.arena)+p.words]
	return int32(set)
}

// set returns the words of a set, valid until the next fresh.
func (p *profile) set(i int32) Set {
	return p.arena[int(i)*p.words : int(i+1)*p.words : int(i+1)*p.words]
}

// of returns the free processors of interval i.
func (p *profile) of(i int) Set { return p.set(p.intervals[i].set) }

// end returns where interval i ends; i is not the last interval.
func (p *profile) end(i int) float64 { return p.intervals[i+1].start }

// advance forgets the intervals before now. The first one then starts at now.
func (p *profile) advance(now float64) {
	k := 0
	for k+1 < len(p.intervals) && p.end(k) <= now {
		p.idle = append(p.idle, p.intervals[k].set)
		k++
	}
	if k > 0 {
		p.intervals = p.intervals[:copy(p.intervals, p.intervals[k:])]
	}
	p.intervals[0].start = now
	k = 0
	for k < len(p.falls) && p.falls[k] <= now {
		k++
	}
	p.falls = p.falls[:copy(p.falls, p.falls[k:])]
}

// find returns the interval that t, which is not before the first, lies in.
func (p *profile) find(t float64) int {
	lo, hi := 0, len(p.intervals)
	for hi-lo > 1 {
		if m := int(uint(lo+hi) / 2); p.intervals[m].start <= t {
			lo = m
		} else {
			hi = m
		}
	}
	return lo
}

// cut makes an interval start at t, which is not before the first, and returns it.
func (p *profile) cut(t float64) int {
	i := p.find(t)
	if p.intervals[i].start == t {
		return i
	}
	set := p.fresh()
	copy(p.set(set), p.of(i))
	p.intervals = slices.Insert(p.intervals, i+1, interval{t, p.intervals[i].stamp, p.intervals[i].free, set})
	return i + 1
}

// take marks the q processors of s, which are free, as taken from time a to b.
func (p *profile) take(a, b float64, s Set, q int) {
	p.change(a, b, -q, s)
}

// give marks the q processors of s, which are taken, as free from time a to b.
func (p *profile) give(a, b float64, s Set, q int) {
	p.change(a, b, q, s)
}

// change adds n to the free processors from time a to b. The processors are those of s.
func (p *profile) change(a, b float64, n int, s Set) {
	if a == b { // so late that a place has no length in floating point
		return
	}
	i, j := p.cut(a), p.cut(b)
	lo, hi := 0, p.words
	if p.grouped {
		lo, hi = s.extent()
	}
	p.version++
	if !p.trial {
		p.stamp++
	}
	for k := i; k < j; k++ {
		c := &p.intervals[k]
		if c.free += int32(n); !p.trial {
			c.stamp = p.stamp
		}
		if free := p.set(c.set)[lo:hi]; n < 0 {
			free.Drop(s[lo:hi])
		} else {
			free.Join(s[lo:hi])
		}
	}
	if p.grouped {
		p.fall(i)
		p.fall(j)
	}
	p.join(j)
	p.join(i)
}

// fall enters whether interval i is a fall.
func (p *profile) fall(i int) {
	if i == 0 {
		return
	}
	at := p.intervals[i].start
	k, was := slices.BinarySearch(p.falls, at)
	if is := !p.of(i - 1).within(p.of(i)); is && !was {
		p.falls = slices.Insert(p.falls, k, at)
	} else if was && !is {
		p.falls = slices.Delete(p.falls, k, k+1)
	}
}

// mark counts a change from time a, which is not before the first interval, to b.
func (p *profile) mark(a, b float64) {
	p.stamp++
	for k := p.find(a); k < len(p.intervals) && p.intervals[k].start < b; k++ {
		p.intervals[k].stamp = p.stamp
	}
}

// join makes one of interval i and the one before it if they are equal. A hole
// that begins inside a stretch of equal sets begins at its start as well, so
// joining changes no search. It keeps the profile as short as the plan is.
func (p *profile) join(i int) {
	if i == 0 || p.intervals[i-1].free != p.intervals[i].free || !slices.Equal(p.of(i-1), p.of(i)) {
		return
	}
	p.intervals[i-1].stamp = max(p.intervals[i-1].stamp, p.intervals[i].stamp)
	p.idle = append(p.idle, p.intervals[i].set)
	p.intervals = slices.Delete(p.intervals, i, i+1)
}
