package sweep

import (
	"math/bits"
	"sort"
)

// bitmap is a set of positions with rank and select: one bit a position and one
// count every 512, so that a sweep of a million points with cuts costs 140 kB.
type bitmap struct {
	words []uint64
	ranks []int // set bits before each run of 8 words
	count int
}

// newBitmap returns an empty set over n positions.
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
