package workload

import (
	"cmp"
	"math"
	"slices"

	"schedsweep/sim"
)

// Dependencies say which jobs of a workload are submitted when others have ended. Jobs are in batches; each waits for
// the end of all jobs of one other or comes by itself. Dependencies do not change and may be shared; they take 48 bytes
// a job at most.
type Dependencies struct {
	batch []int32 // of each job, by position
	next  []int32 // the next job of its batch; -1: it is the last
	of    []batch
	until float64 // jobs that would come then or later do not come, s
}

// linked is an origin whose jobs may depend on others.
type linked interface {
	// link returns on which others the jobs from selected depend, and enters findings and notes on that into i. It
	// returns nil where they depend on none.
	link(selected sim.Source, i *Info) (*Dependencies, error)
}

// batch is jobs that come together, at the distances that the log has between them.
type batch struct {
	first, size        int32
	after              int32   // the batch that has to end before; -1: none
	dependent, sibling int32   // the first batch that waits for this one, the next that waits for the same; -1: none
	think              float64 // from that end to the first submission, s
	period             float64 // where the first submission keeps its place in a cycle so long, s; else 0
}

func (d *Dependencies) open(after int32, think, period float64) int32 {
	b := batch{first: int32(len(d.batch)), after: after, dependent: -1, sibling: -1, think: think, period: period}
	n := int32(len(d.of))
	if after >= 0 {
		b.sibling, d.of[after].dependent = d.of[after].dependent, n
	}
	d.of = append(d.of, b)
	return n
}

// add enters the next job into a batch; last is the one before it in the batch.
func (d *Dependencies) add(batch, last int32) {
	at := int32(len(d.batch))
	d.batch, d.next = append(d.batch, batch), append(d.next, -1)
	if d.of[batch].size++; d.of[batch].size > 1 {
		d.next[last] = at
	}
}

// Source is a pass over the jobs, all that a [Workload.Source] gives, in which they
// come as [sim.Engine] tells of ends. It takes some bytes for each job besides.
func (d *Dependencies) Source(jobs []sim.JobSpec) sim.Source {
	s := &responding{d: d, jobs: jobs, left: make([]int32, len(d.of))}
	for i := range d.of {
		s.left[i] = d.of[i].size
	}
	return s
}

// responding gives jobs that depend on others when those have ended.
type responding struct {
	d     *Dependencies
	jobs  []sim.JobSpec // ascending by record
	at    int           // the next without predecessors is here or later
	left  []int32       // of each batch the jobs that have not ended
	due   heapOf[due, *due]
	ahead due // given last, and not submitted yet
}

// due is the submission of a job, by its position; equal times go in their order.
type due struct {
	at  float64
	job int32
}

func (a *due) before(b *due) bool { return a.at < b.at || a.at == b.at && a.job < b.job }

func (s *responding) Next(j *sim.JobSpec) (bool, error) {
	for s.at < len(s.jobs) && s.d.of[s.d.batch[s.at]].after >= 0 {
		s.at++
	}
	s.ahead.job = -1
	if s.at < len(s.jobs) {
		s.ahead = due{s.jobs[s.at].Submit, int32(s.at)}
	}
	switch {
	case len(s.due) > 0 && (s.ahead.job < 0 || s.due[0].before(&s.ahead)):
		s.ahead = s.due[0]
		s.due.pop()
	case s.ahead.job < 0:
		return false, nil
	default:
		s.at++
	}
	*j = s.jobs[s.ahead.job]
	j.Submit = s.ahead.at
	return true, nil
}

func (s *responding) Ended(j *sim.Job, now float64) bool {
	at, found := slices.BinarySearchFunc(s.jobs, j.Spec().Record, func(of sim.JobSpec, record int32) int {
		return cmp.Compare(of.Record, record)
	})
	if !found {
		return false // the policy's own
	}
	before := len(s.due)
	if n := s.d.batch[at]; s.left[n] > 1 {
		s.left[n]--
	} else {
		for n = s.d.of[n].dependent; n >= 0; n = s.d.of[n].sibling {
			s.release(&s.d.of[n], now)
		}
	}
	if len(s.due) == before {
		return false
	}
	if s.ahead.job >= 0 {
		s.due.push(s.ahead)
	}
	return true
}

// release sets the submit times of the jobs of a batch that has waited until now.
func (s *responding) release(b *batch, now float64) {
	first := s.jobs[b.first].Submit
	start := now + b.think
	if b.period > 0 {
		// Whole cycles of absence stay: without them a fortnight's leave would end after a week.
		earliest := first - math.Floor(b.think/b.period)*b.period
		start = max(now, first+math.Ceil((now-earliest)/b.period)*b.period)
	}
	for i := b.first; i >= 0; i = s.d.next[i] {
		if at := start + (s.jobs[i].Submit - first); at < s.d.until {
			s.due.push(due{at, i})
		}
	}
}
