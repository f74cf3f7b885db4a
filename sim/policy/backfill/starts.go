package backfill

import (
	"math"

	"schedsweep/sim"
)

// starts is the planned starts of waiting jobs, in order of (start, when it was planned).
type starts struct {
	order Ends      // whose seq is when it was planned
	plans []promise // by slot
	stamp int64
}

type promise struct {
	start float64
	stamp int64
	job   *sim.Job // nil for none
}

func (h *starts) reset() {
	h.order.Reset()
	clear(h.plans)
	h.stamp = 0
}

// of returns the planned start of j, NaN when there is none.
func (h *starts) of(j *sim.Job) float64 {
	if int(j.Slot()) >= len(h.plans) || h.plans[j.Slot()].job == nil {
		return math.NaN()
	}
	return h.plans[j.Slot()].start
}

// first returns the job that starts first, nil when there is none.
func (h *starts) first() (*sim.Job, float64) {
	if len(h.order.blocks) == 0 {
		return nil, math.Inf(1)
	}
	e := &h.order.blocks[0].first
	return h.plans[e.slot].job, e.time
}

// due appends the jobs that are to start now, or within slack, to dst, and returns the earliest start of the others.
func (h *starts) due(now, slack float64, dst []*sim.Job) ([]*sim.Job, float64) {
	for _, b := range h.order.blocks {
		for _, e := range b.ends {
			if e.time-now > slack {
				return dst, e.time
			}
			dst = append(dst, h.plans[e.slot].job)
		}
	}
	return dst, math.Inf(1)
}

// set plans the start of j, anew if it had one.
func (h *starts) set(j *sim.Job, start float64) {
	p := sim.Entry(&h.plans, j.Slot())
	if p.job != nil {
		h.remove(j)
	}
	h.stamp++
	*p = promise{start, h.stamp, j}
	h.order.enter(end{start, h.stamp, j.Procs(), j.Slot()})
}

// remove takes j out.
func (h *starts) remove(j *sim.Job) {
	p := &h.plans[j.Slot()]
	h.order.leave(end{p.start, p.stamp, j.Procs(), j.Slot()})
	p.job = nil
}
