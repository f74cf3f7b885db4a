package sim

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// Streams derives named random streams from one root. Streams of different
// names are independent, and no use of one shifts another, so a component that
// draws more does not disturb its neighbours.
type Streams struct {
	// Root is the master seed, Replication the number of the repetition. They
	// are hashed apart: replication 1 of seed 1 is not replication 0 of seed 2.
	Root        uint64
	Replication uint64

	asked *int
}

// Noting returns the same streams, which count the requests for them.
func (s Streams) Noting(asked *int) Streams {
	s.asked = asked
	return s
}

// Mixed makes a number that looks random from one that does not: the finaliser of SplitMix64 (G. L. Steele, D. Lea,
// C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
func Mixed(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// New returns the stream of that name. The name and any further parts are
// hashed with their lengths, so that ("a", "bc") and ("ab", "c") differ.
// The generator is PCG; its state is the SHA-256 of
// LE64(root) LE64(replication) (LE64(len) part)*.
func (s Streams) New(name string, parts ...string) *rand.Rand {
	if s.asked != nil {
		*s.asked++
	}
	h := sha256.New()
	var b [8]byte
	put := func(v uint64) {
		binary.LittleEndian.PutUint64(b[:], v)
		h.Write(b[:])
	}
	put(s.Root)
	put(s.Replication)
	put(uint64(len(name)))
	h.Write([]byte(name))
	for _, p := range parts {
		put(uint64(len(p)))
		h.Write([]byte(p))
	}
	sum := h.Sum(nil)
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(sum), binary.LittleEndian.Uint64(sum[8:])))
}
