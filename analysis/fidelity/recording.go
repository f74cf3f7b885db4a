package fidelity

import (
	"cmp"
	"container/heap"
	"errors"
	"fmt"
	"math"
	"slices"

	"schedsweep/sweep/text"
)

// LargestError is the mean time in s by which jobs may start late when a recording is replayed; a log beyond it records another machine.
const LargestError = 60

// replayed is the mean time in s by which jobs start later than recorded on a machine of this size. Each starts at its recorded
// start or as soon after as there is room, the earliest recorded start first. The policy replay has the same rule. A log that is
// far off is not replayed to its end: its error then is a lower bound.
func replayed(jobs []Job, procs int) float64 {
	order := text.Refs(jobs, func(j *Job) *Job { return j })
	slices.SortStableFunc(order, func(a, b *Job) int { return cmp.Compare(a.start(), b.start()) })
	var running endings
	var late []*Job
	free, now, delay := int32(procs), math.Inf(-1), 0.0
	narrowest := int32(math.MaxInt32) // of the late ones
	for len(order) > 0 || len(running) > 0 {
		next := math.Inf(1)
		if len(order) > 0 {
			next = order[0].start()
		}
		if len(running) > 0 {
			next = min(next, running[0].at)
		}
		if len(late) > 0 {
			delay += float64(len(late)) * (next - now)
		}
		now = next
		if delay > 100*LargestError*float64(len(jobs)) {
			break
		}
		for len(running) > 0 && running[0].at <= now {
			free += heap.Pop(&running).(ending).procs
		}
		for len(order) > 0 && order[0].start() <= now {
			narrowest = min(narrowest, order[0].Procs)
			late, order = append(late, order[0]), order[1:]
		}
		if free < narrowest {
			continue
		}
		narrowest = math.MaxInt32
		late = slices.DeleteFunc(late, func(j *Job) bool {
			if j.Procs > free {
				narrowest = min(narrowest, j.Procs)
				return false
			}
			free -= j.Procs
			heap.Push(&running, ending{now + j.Run, j.Procs})
			return true
		})
	}
	if len(late) > 0 && len(order) == 0 && len(running) == 0 {
		return math.Inf(1) // jobs larger than the machine
	}
	return delay / float64(len(jobs))
}

type ending struct {
	at    float64
	procs int32
}

// endings are a heap: the first to end is the first.
type endings []ending

func (e endings) Len() int           { return len(e) }
func (e endings) Less(i, k int) bool { return e[i].at < e[k].at }
func (e endings) Swap(i, k int)      { e[i], e[k] = e[k], e[i] }
func (e *endings) Push(x any)        { *e = append(*e, x.(ending)) }
func (e *endings) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// Refused is an error that names the logs which are no recordings of the machines that they are compared on.
func (r *Result) Refused() error {
	var all []error
	for _, p := range r.Reports {
		if p.Replayed > LargestError {
			all = append(all, fmt.Errorf("%s: the log is no recording of a machine of %d processors: jobs that start as recorded, or as soon after "+
				"as there is room, start %.0f s late in the mean. At most %d s are taken for rounding (up to %d processors are in use)",
				cmp.Or(r.name(p), "the run"), p.Machine.Procs, p.Replayed, LargestError, p.Machine.Peak))
		}
	}
	if all == nil {
		return nil
	}
	return fmt.Errorf("%w; mind the platform, the load (load_factor, size_factor) and the field that gives the size (workload.size), or "+
		"compare anyhow with --any-log", errors.Join(all...))
}

// soon is the longest time in s from the end of a job to a submission of its user that counts as started by that end.
const soon = 30

// afterOwn reports whether a job of the same user ended in the 30 s up to the job's recorded start, or up to some time later than that.
func (s *schedule) afterOwn(j *Job, later float64) bool {
	if j.User < 0 {
		return false
	}
	at, ends := j.start()+later, s.ends[j.User]
	from, _ := slices.BinarySearch(ends, at-soon)
	to, _ := slices.BinarySearch(ends, math.Nextafter(at, math.Inf(1)))
	if end := j.start() + j.Run; at-soon <= end && end <= at { // its own
		to--
	}
	return from < to
}

// own is the share of the recorded waiting time whose jobs started right after an earlier job of their user, and the share that chance
// gives: that of starts an hour later.
func (s *schedule) own(jobs []Job) (share, chance float64) {
	waited, after, by := 0.0, 0.0, 0.0
	for i := range jobs {
		j := &jobs[i]
		if waited += j.Recorded; j.Recorded == 0 {
			continue
		}
		if s.afterOwn(j, 0) {
			after += j.Recorded
		}
		if s.afterOwn(j, 3600) {
			by += j.Recorded
		}
	}
	return after / waited, by / waited
}
