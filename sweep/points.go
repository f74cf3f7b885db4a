package sweep

import (
	"math/bits"
	"sort"

	"schedsweep/sweep/text"
)

// walk calls visit with the digits of every axis at every point, in order; the
// digits already say where a when: holds an axis at the base.
func (b *block) walk(visit func(point int, digits []int)) {
	digits := make([]int, len(b.Axes))
	for p := range b.points {
		b.digits(p, digits)
		visit(p, digits)
	}
}

// digits sets the digit of every axis at the point; the digit len(values)
// stands for the base.
func (b *block) digits(point int, digits []int) {
	for i := len(b.Dims) - 1; i >= 0; i-- {
		d := &b.Dims[i]
		digit := point % d.Size
		point /= d.Size
		for _, a := range d.Axes {
			digits[a] = digit
		}
	}
	for i := range b.Whens {
		w := &b.Whens[i]
		for c := range w.Conds {
			if !w.Conds[c].Holds(digits) {
				digits[w.Axis] = len(b.Axes[w.Axis].Values)
				break
			}
		}
	}
}

func (b *block) cut(digits []int) bool {
next:
	for _, conds := range b.Excludes {
		for i := range conds {
			if !conds[i].Holds(digits) {
				continue next
			}
		}
		return true
	}
	return false
}

// product multiplies the sizes of the dimensions, or reports that there are too
// many points.
func (l *planner) product(b *block) bool {
	count := 1.0 // exact as far as the limit
	for _, d := range b.Dims {
		count *= float64(d.Size)
	}
	if all := count * float64(b.Replications); all > maxLen {
		l.Out.Add(b.longest(), "use fewer values or replications", "the sweep has %.9g points with %d replications each, %.4g instances in "+
			"all; at most %d are possible", count, b.Replications, all, maxLen)
		return false
	}
	b.points = int(count)
	if b.filtered() && b.points > l.limits.Points {
		l.Out.Add(b.Pos, "use blocks instead of cutting so much away", "a sweep with exclude: or when: may have %d points before cuts, this "+
			"one has %d", l.limits.Points, b.points)
		return false
	}
	return true
}

func (b *block) longest() text.Position {
	at, most := b.Pos, 1
	for _, a := range b.Axes {
		if len(a.Values) > most {
			at, most = a.Pos, len(a.Values)
		}
	}
	return at
}

func (b *block) filtered() bool { return len(b.Whens)+len(b.Excludes) > 0 }

// bitmap is a set of positions with rank and select: one bit a position and one
// count every 512, so that a sweep of a million points with cuts costs 140 kB.
type bitmap struct {
	words []uint64
	ranks []int // set bits before each run of 8 words
	count int
}

func newBitmap(n int) *bitmap { return &bitmap{words: make([]uint64, (n+63)/64)} }

func (b *bitmap) set(i int)      { b.words[i/64] |= 1 << (i % 64) }
func (b *bitmap) clear(i int)    { b.words[i/64] &^= 1 << (i % 64) }
func (b *bitmap) has(i int) bool { return b.words[i/64]>>(i%64)&1 != 0 }

// index makes the set ready for pick; it is called again after changes.
func (b *bitmap) index() {
	b.ranks, b.count = b.ranks[:0], 0
	for i, w := range b.words {
		if i%8 == 0 {
			b.ranks = append(b.ranks, b.count)
		}
		b.count += bits.OnesCount64(w)
	}
}

// pick returns the k-th position of the set, k from 0; it takes time in the
// logarithm of the set's size.
func (b *bitmap) pick(k int) int {
	lo := sort.SearchInts(b.ranks, k+1) - 1 // the last run with k set bits before it, or fewer
	k -= b.ranks[lo]
	for i := lo * 8; ; i++ {
		w := b.words[i]
		if n := bits.OnesCount64(w); k >= n {
			k -= n
			continue
		}
		for ; k > 0; k-- {
			w &= w - 1
		}
		return i*64 + bits.TrailingZeros64(w)
	}
}
