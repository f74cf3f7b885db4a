package workload

import (
	"math/rand/v2"

	"schedsweep/sim"
)

// jittered moves submissions at random and restores their order. It holds only
// the jobs that can still be overtaken, those submitted within twice the largest
// move, in a binary heap.
type jittered struct {
	of    sim.Source
	most  float64
	r     *rand.Rand
	heap  heapOf[moved, *moved]
	read  moved // the job just read; here, so that it is not allocated anew
	seq   int
	ahead float64 // submit time of the last job read, before its move
	done  bool
}

type moved struct {
	sim.JobSpec
	seq int
}

func (a *moved) before(b *moved) bool {
	return a.Submit < b.Submit || a.Submit == b.Submit && a.seq < b.seq
}

func (s *jittered) Next(j *sim.JobSpec) (bool, error) {
	// A job still to be read comes at ahead - most at the earliest.
	for !s.done && (len(s.heap) == 0 || s.heap[0].Submit > max(0, s.ahead-s.most)) {
		m := &s.read
		ok, err := s.of.Next(&m.JobSpec)
		if err != nil {
			return false, err
		}
		if !ok {
			s.done = true
			break
		}
		m.seq = s.seq
		s.seq++
		s.ahead = m.Submit
		m.Submit = max(0, m.Submit+s.most*(2*s.r.Float64()-1))
		s.heap.push(*m)
	}
	if len(s.heap) == 0 {
		return false, nil
	}
	*j = s.heap[0].JobSpec
	s.heap.pop()
	return true, nil
}

// heapOf is a binary heap, the first element at 0.
type heapOf[T any, P interface {
	*T
	before(*T) bool
}] []T

func (h *heapOf[T, P]) push(x T) {
	*h = append(*h, x)
	a := *h
	for i := len(a) - 1; i > 0; {
		up := (i - 1) / 2
		if !P(&a[i]).before(&a[up]) {
			break
		}
		a[i], a[up] = a[up], a[i]
		i = up
	}
}

// pop takes out the first; there must be one.
func (h *heapOf[T, P]) pop() {
	last := len(*h) - 1
	(*h)[0] = (*h)[last]
	*h = (*h)[:last]
	a := *h
	for i := 0; ; {
		down := 2*i + 1
		if down >= len(a) {
			return
		}
		if down+1 < len(a) && P(&a[down+1]).before(&a[down]) {
			down++
		}
		if !P(&a[down]).before(&a[i]) {
			return
		}
		a[i], a[down] = a[down], a[i]
		i = down
	}
}
