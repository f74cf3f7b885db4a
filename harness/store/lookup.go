package store

import (
	"hash/maphash"
	"math/bits"
)

// Lookup finds the place of a key in a list, in the same time however long the list is. Memory: 5 to 11 bytes a key, and the list.
type Lookup struct {
	n     int
	slots []int32 // 1 + a place, at the hash of its key or behind it; 0: free
	seed  maphash.Seed
	key   func(place int) *[16]byte
}

// NewLookup is of a list of n keys. It is not distinct where two are equal, and then finds none.
func NewLookup(n int, key func(place int) *[16]byte) (l Lookup, distinct bool) {
	l = Lookup{n, make([]int32, 1<<bits.Len(uint(n*4/3))), maphash.MakeSeed(), key}
	for i := range n {
		s := l.slot(key(i))
		if *s != 0 {
			return Lookup{}, false
		}
		*s = int32(i) + 1
	}
	return l, true
}

// slot is the one that has the key, or would have it.
func (l *Lookup) slot(key *[16]byte) *int32 {
	for k := maphash.Bytes(l.seed, key[:]); ; k++ {
		if s := &l.slots[k&uint64(len(l.slots)-1)]; *s == 0 || *l.key(int(*s - 1)) == *key {
			return s
		}
	}
}

// Find returns the place of a key; a list without it has none.
func (l *Lookup) Find(key [16]byte) (place int, ok bool) {
	if len(l.slots) == 0 {
		return 0, false
	}
	place = int(*l.slot(&key)) - 1
	return max(place, 0), place >= 0
}

// Finder is Find for keys that mostly come in the order of the list. It looks behind the last place first, which takes a fraction of
// the time: a long list is not in the processor's cache.
func (l *Lookup) Finder() func(key [16]byte) (place int, ok bool) {
	next := 0
	return func(key [16]byte) (place int, ok bool) {
		if place = next; place >= l.n || *l.key(place) != key {
			if place, ok = l.Find(key); !ok {
				return 0, false
			}
		}
		next = place + 1
		return place, true
	}
}
