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

// Source yields the jobs of a workload in order of submission.
type Source interface {
	// Next fills in the next job and reports whether there was one. The engine
	// asks for one job ahead of the clock, so a source of any length needs no
	// more memory than one job.
	Next(*JobSpec) (bool, error)
}

// JobList is a source of the jobs in it, which one pass uses up.
type JobList []JobSpec

// Next takes the first job.
func (l *JobList) Next(j *JobSpec) (bool, error) {
	if len(*l) == 0 {
		return false, nil
	}
	*j, *l = (*l)[0], (*l)[1:]
	return true, nil
}

// PoissonStream is the law by which the jobs of a cluster come: times between submissions that are exponential
// and independent, and jobs independent of these and of one another.
type PoissonStream struct {
	Jobs         int     // until it ends
	Rate         float64 // jobs a second
	Work, Square float64 // mean of a job's processor-seconds, and of their square
}

// Responsive is implemented by a source whose jobs wait for the end of others: it hears the ends of its jobs.
type Responsive interface {
	Source
	// Ended reports that j was finished, killed or rejected at time now, by j.State(), and
	// reports whether jobs come of it. If so the engine asks Next again, also where Next returned false before. The
	// answer replaces the job given last, which was not submitted yet; Next must give that job again in its turn.
	// Jobs that come are submitted at now at the earliest. It hears of a job that the policy made, too.
	Ended(j *Job, now float64) bool
}
