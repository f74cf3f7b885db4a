package backfill

import "schedsweep/sim"

// fifo is a first-in first-out queue in a slice: pushing appends, popping moves
// the head, and the dead front is cut off when it is longer than the rest, so
// both take constant time on average and nothing is allocated once it has grown.
type fifo struct {
	jobs  []*sim.Job
	first int
}

func (q *fifo) reset()          { q.jobs, q.first = q.jobs[:0], 0 }
func (q *fifo) len() int        { return len(q.jobs) - q.first }
func (q *fifo) head() *sim.Job  { return q.jobs[q.first] }
func (q *fifo) push(j *sim.Job) { q.jobs = append(q.jobs, j) }

func (q *fifo) pop() *sim.Job {
	j := q.jobs[q.first]
	q.first++
	if q.first > len(q.jobs)/2 {
		q.jobs = q.jobs[:copy(q.jobs, q.jobs[q.first:])]
		q.first = 0
	}
	return j
}
