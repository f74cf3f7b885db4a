package lomarc

import (
	"math/bits"

	"schedsweep/sim/studies/zeng2009/timeslice"
)

// line is the waiting jobs of a class by their numbers, of which those from
// 64*base on are kept. It is made anew, at a glance for each job, whenever the
// class has changed.
type line struct {
	class   timeslice.Class
	changes int
	base    int
	set     []uint64         // which wait
	jobs    []*timeslice.Job // by number; only those that wait count
}

// update makes the line that of v's waiting jobs, of which there must be some.
func (q *line) update(v *timeslice.VM) {
	if q.class == v.Class && q.changes == v.Changes {
		return
	}
	first, last := v.Waiting[0], v.Waiting[len(v.Waiting)-1]
	q.class, q.changes, q.base = v.Class, v.Changes, first.Number>>6
	words := last.Number>>6 + 1 - q.base
	q.set = append(q.set[:0], make([]uint64, words)...)
	for len(q.jobs) < 64*words {
		q.jobs = append(q.jobs, nil)
	}
	for _, j := range v.Waiting {
		i := j.Number - q.base<<6
		q.set[i>>6] |= 1 << (i & 63)
		q.jobs[i] = j
	}
}

// next is the first job of a subset from number n on, nil when there is none.
func (q *line) next(set []uint64, n int) *timeslice.Job {
	at := max(0, n-q.base<<6)
	for i, skip := at>>6, at&63; i < len(set); i, skip = i+1, 0 {
		if w := set[i] >> skip << skip; w != 0 {
			return q.jobs[i<<6+bits.TrailingZeros64(w)]
		}
	}
	return nil
}
