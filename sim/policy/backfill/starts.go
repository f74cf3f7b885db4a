package backfill

import (
	"math"

	"schedsweep/sim"
)

// starts is the planned starts of waiting jobs: a binary heap in order of (start,
// when it was planned) that knows where each job stands, so that a start moves
// in O(log k) and what is due comes off the top.
type starts struct {
	heap  []promise
	at    []int32 // slot -> position in heap, -1 for none
	stamp int64
}

type promise struct {
	start float64
	stamp int64
	job   *sim.Job
}

func (h *starts) reset() {
	clear(h.heap)
	h.heap, h.stamp = h.heap[:0], 0
	for i := range h.at {
		h.at[i] = -1
	}
}

func (h *starts) len() int { return len(h.heap) }

// first returns the job that starts first.
func (h *starts) first() (*sim.Job, float64) { return h.heap[0].job, h.heap[0].start }

// of returns the planned start of j, NaN when there is none.
func (h *starts) of(j *sim.Job) float64 {
	if int(j.Slot()) >= len(h.at) || h.at[j.Slot()] < 0 {
		return math.NaN()
	}
	return h.heap[h.at[j.Slot()]].start
}

// due appends the jobs that are to start now, or within slack, in no particular order, and lowers next to the earliest
// start of the others. It visits only these jobs, and their children, from position i on.
func (h *starts) due(i int, now, slack float64, dst []*sim.Job, next *float64) []*sim.Job {
	if i >= len(h.heap) {
		return dst
	}
	if h.heap[i].start-now > slack {
		*next = min(*next, h.heap[i].start)
		return dst
	}
	dst = append(dst, h.heap[i].job)
	return h.due(2*i+2, now, slack, h.due(2*i+1, now, slack, dst, next), next)
}

// set plans the start of j, anew if it had one.
func (h *starts) set(j *sim.Job, start float64) {
	for int(j.Slot()) >= len(h.at) {
		h.at = append(h.at, -1)
	}
	i := h.at[j.Slot()]
	if i < 0 {
		i = int32(len(h.heap))
		h.heap = append(h.heap, promise{})
	}
	h.stamp++
	h.heap[i] = promise{start, h.stamp, j}
	h.fix(int(i))
}

// remove takes j out.
func (h *starts) remove(j *sim.Job) {
	i, last := int(h.at[j.Slot()]), len(h.heap)-1
	h.at[j.Slot()] = -1
	moved := h.heap[last]
	h.heap[last] = promise{}
	h.heap = h.heap[:last]
	if i < last {
		h.heap[i] = moved
		h.fix(i)
	}
}

func (h *starts) before(a, b *promise) bool {
	return a.start < b.start || a.start == b.start && a.stamp < b.stamp
}

// fix moves the entry at i to where it belongs.
func (h *starts) fix(i int) {
	e := h.heap[i]
	for i > 0 && h.before(&e, &h.heap[(i-1)/2]) {
		h.put(i, h.heap[(i-1)/2])
		i = (i - 1) / 2
	}
	for {
		c := 2*i + 1
		if c >= len(h.heap) {
			break
		}
		if c+1 < len(h.heap) && h.before(&h.heap[c+1], &h.heap[c]) {
			c++
		}
		if !h.before(&h.heap[c], &e) {
			break
		}
		h.put(i, h.heap[c])
		i = c
	}
	h.put(i, e)
}

func (h *starts) put(i int, e promise) {
	h.heap[i] = e
	h.at[e.job.Slot()] = int32(i)
}
