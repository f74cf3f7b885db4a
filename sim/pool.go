package sim

import "slices"

// jobPool recycles Jobs, so that a run of any length allocates for the jobs in
// the system at its worst moment and then no more. Jobs live in chunks: their
// addresses never change.
type jobPool struct {
	chunks [][]Job
	used   int // jobs handed out for the first time in this run
	idle   []*Job

	clusters int
	counts   []int32 // memory for allocations to come
}

const poolChunk = 256

func (p *jobPool) reset(clusters int) {
	p.used, p.clusters = 0, clusters
	p.idle = p.idle[:0]
}

// get returns a fresh job. Its slot is below the largest number of jobs that
// were in the system at once.
func (p *jobPool) get() *Job {
	var j *Job
	if n := len(p.idle); n > 0 {
		j = p.idle[n-1]
		p.idle = p.idle[:n-1]
	} else {
		if p.used == len(p.chunks)*poolChunk {
			p.chunks = append(p.chunks, make([]Job, poolChunk))
		}
		j = &p.chunks[p.used/poolChunk][p.used%poolChunk]
		j.slot = int32(p.used)
		p.used++
		if cap(j.alloc.Counts) < p.clusters {
			j.alloc.Counts = p.newCounts()
		}
	}
	j.reset()
	return j
}

// newCounts is memory for the counts of one allocation, cut from a larger piece, for
// in a queue that grows every job would ask for its own.
func (p *jobPool) newCounts() []int32 {
	if len(p.counts) < p.clusters {
		p.counts = make([]int32, poolChunk*p.clusters)
	}
	n := p.clusters
	c := p.counts[:0:n]
	p.counts = p.counts[n:]
	return c
}

// Entry returns entry n of a list, which it lengthens where that is needed: of data about jobs the one of [Job.Slot].
func Entry[T any](list *[]T, n int32) *T {
	for int(n) >= len(*list) {
		*list = append(*list, *new(T))
	}
	return &(*list)[n]
}

// Ranked returns the numbers below n in order; equal ones ascend.
func Ranked(n int, compare func(a, b int) int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, compare)
	return order
}

// put takes back a job that no observer will hear of again.
func (p *jobPool) put(j *Job) { p.idle = append(p.idle, j) }
