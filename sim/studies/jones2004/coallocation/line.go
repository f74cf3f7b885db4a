package coallocation

import (
	"math"
	"math/bits"

	"schedsweep/sim"
	"schedsweep/sim/policy/backfill"
)

// line is a queue that finds the next job that fits. Jobs have places in order
// of submission; a tree over the places knows the narrowest and the shortest job
// of each of its parts (the shortest only on request). Jobs that leave
// leave holes, which are closed when the places are used up.
//
// With k jobs, push and take cost O(log k) on average, and nothing is allocated
// once the line has been as long as it will be. next costs O(log k) where the
// width alone decides, and O(1) when no job fits. Where width and length decide together, next costs more only for
// parts that have jobs narrow enough and others short enough.
type line struct {
	jobs  []*sim.Job // by place, nil for holes
	procs []int32    // the tree: node i has the children 2i and 2i+1, the leaves begin at len(jobs)
	walls []float64  // the same for walltimes; empty where they do not count
	timed bool
	end   int // the first place never used
	count int
	fresh int // the first place that has been used since the last look
}

// leastPlaces is the number of places of a line that was never longer.
const leastPlaces = 32

func (q *line) reset(timed bool) {
	q.timed = timed
	q.count = 0
	if len(q.jobs) == 0 || timed && len(q.walls) == 0 {
		q.grow(max(leastPlaces, len(q.jobs)))
	}
	clear(q.jobs)
	q.rebuild()
}

// grow makes room for this number of places, a power of two.
func (q *line) grow(places int) {
	jobs := make([]*sim.Job, places)
	copy(jobs, q.jobs)
	q.jobs, q.procs = jobs, make([]int32, 2*places)
	if q.timed {
		q.walls = make([]float64, 2*places)
	}
}

// push appends j.
func (q *line) push(j *sim.Job) {
	if q.end == len(q.jobs) {
		if q.count > q.end/2 {
			q.grow(2 * q.end)
		}
		q.rebuild()
	}
	q.jobs[q.end] = j
	for i := q.end + len(q.jobs); i > 0 && j.Procs() < q.procs[i]; i >>= 1 {
		q.procs[i] = j.Procs()
	}
	if q.timed {
		for i := q.end + len(q.jobs); i > 0 && j.Walltime() < q.walls[i]; i >>= 1 {
			q.walls[i] = j.Walltime()
		}
	}
	q.end++
	q.count++
}

func (q *line) take(place int) *sim.Job {
	j := q.jobs[place]
	q.jobs[place] = nil
	q.count--
	i := place + len(q.jobs)
	q.procs[i] = math.MaxInt32
	for i >>= 1; i > 0; i >>= 1 {
		least := min(q.procs[2*i], q.procs[2*i+1])
		if q.procs[i] == least {
			break
		}
		q.procs[i] = least
	}
	if q.timed {
		i = place + len(q.jobs)
		q.walls[i] = math.Inf(1)
		for i >>= 1; i > 0; i >>= 1 {
			least := min(q.walls[2*i], q.walls[2*i+1])
			if q.walls[i] == least {
				break
			}
			q.walls[i] = least
		}
	}
	if q.count == 0 {
		q.end, q.fresh = 0, 0
	}
	return j
}

// rebuild closes the holes and makes the tree anew, in time linear in the places.
func (q *line) rebuild() {
	n, fresh := 0, 0
	for i, j := range q.jobs {
		if i == q.fresh {
			fresh = n
		}
		if j != nil {
			q.jobs[n] = j
			n++
		}
	}
	if q.fresh >= len(q.jobs) {
		fresh = n
	}
	clear(q.jobs[n:])
	q.end, q.fresh = n, fresh
	places := len(q.jobs)
	for i := range places {
		q.procs[places+i] = math.MaxInt32
		if i < n {
			q.procs[places+i] = q.jobs[i].Procs()
		}
	}
	for i := places - 1; i > 0; i-- {
		q.procs[i] = min(q.procs[2*i], q.procs[2*i+1])
	}
	if !q.timed {
		return
	}
	for i := range places {
		q.walls[places+i] = math.Inf(1)
		if i < n {
			q.walls[places+i] = q.jobs[i].Walltime()
		}
	}
	for i := places - 1; i > 0; i-- {
		q.walls[i] = min(q.walls[2*i], q.walls[2*i+1])
	}
}

// next returns the first place from a place on whose job the room admits, or -1.
func (q *line) next(from int, r *backfill.Room) int {
	if from >= q.end {
		return -1
	}
	i := 1
	if from > 0 {
		i = from + len(q.jobs)
	}
	for {
		procs := q.procs[i]
		if procs <= r.Free && (procs <= r.Extra || r.Now+q.walls[i] <= r.Shadow) {
			if i >= len(q.jobs) {
				return i - len(q.jobs)
			}
			i *= 2
			continue
		}
		// A right child's next neighbour is its first ancestor's that is a left one.
		if i >>= bits.TrailingZeros(^uint(i)); i == 0 {
			return -1
		}
		i++
	}
}
