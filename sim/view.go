package sim

import (
	"fmt"
	"math"
	"slices"
)

// View is the machine in its state, to be read: what observers get, and what
// policies and progress models read in their [State] and [Rates].
type View struct {
	now      float64
	platform *Platform
	order    EventOrder
	killing  bool
	records  Records
	requests bool

	heap     eventHeap
	seq      int64
	free     []int32   // per cluster
	total    int       // free on all clusters
	out      []int32   // per cluster, out of service
	dark     []int32   // per cluster, of nodes that are off, boot or shut down
	away     int       // all of out and dark
	switches *switches // nil where nodes are always on
	tracked  bool
	numbered bool // tracked on request of policy or progress model
	procs    spanSet
	shared   sharedProcs

	load     float64 // processors that jobs hold; a shared one counts by its shares
	area     float64 // processor-seconds that jobs have held until areaAt
	areaAt   float64
	meters   []meter // per cluster; empty where the platform has no power
	charging bool    // energy has a tariff

	waiting, running, suspended int
	lined                       int     // waiting jobs of the workload
	queued                      float64 // job-seconds that these have waited until queuedAt
	queuedAt                    float64
	finished                    int64
	changed                     bool // running jobs changed since the last Update
	more                        bool // the source has another job
	responsive                  bool // and may yet have some when jobs end
	err                         error
}

// view embeds a View without letting others replace it.
type view = View

// Now is the simulated time in seconds.
func (v *View) Now() float64 { return v.now }

// Platform is the machine's description; read only.
func (v *View) Platform() *Platform { return v.platform }

// Order is the event order of the run.
func (v *View) Order() EventOrder { return v.order }

// Free is the number of free processors.
func (v *View) Free() int { return v.total }

// FreeOn is the number of free processors of cluster c.
func (v *View) FreeOn(c int) int { return int(v.free[c]) }

// Busy is the number of processors that jobs hold.
func (v *View) Busy() int { return v.platform.Procs() - v.total - v.away }

// Unpowered is the number of processors of nodes that are off, boot or shut down.
func (v *View) Unpowered() (n int) {
	for _, dark := range v.dark {
		n += int(dark)
	}
	return n
}

// UnpoweredOn is the number of those of cluster or class c.
func (v *View) UnpoweredOn(c int) int { return int(v.dark[c]) }

// Capacity is the number of processors in service, which outages lower.
func (v *View) Capacity() int {
	n := v.platform.Procs()
	for _, out := range v.out {
		n -= int(out)
	}
	return n
}

// Area returns the processor-seconds that jobs have held until now: the integral of the processors held, of shared
// ones of the shares.
func (v *View) Area() float64 { return v.area + v.load*(v.now-v.areaAt) }

// hold changes the processors that jobs hold.
func (v *View) hold(by float64) {
	v.area, v.areaAt = v.Area(), v.now
	if v.load += by; v.running == 0 {
		v.load = 0 // rounding left a rest
	}
}

// Queued returns the job-seconds that jobs of the workload have waited until now: the integral of their number in the queue.
func (v *View) Queued() float64 { return v.queued + float64(v.lined)*(v.now-v.queuedAt) }

// queue changes the number of waiting jobs by j.
func (v *View) queue(j *Job, by int) {
	if v.waiting += by; j.spec.Part != Added {
		v.queued, v.queuedAt = v.Queued(), v.now
		v.lined += by
	}
}

// Finished is the number of jobs of the workload that have done all their work.
func (v *View) Finished() int64 { return v.finished }

// Waiting is the number of jobs that wait.
func (v *View) Waiting() int { return v.waiting }

// Running is the number of jobs that run.
func (v *View) Running() int { return v.running }

// Suspended is the number of jobs that are suspended.
func (v *View) Suspended() int { return v.suspended }

// More reports whether the workload has jobs that have not been submitted yet, or
// may have, because its jobs wait for ends ([Responsive]) and one is in the system.
func (v *View) More() bool {
	return v.more || v.responsive && v.waiting+v.running+v.suspended > 0
}

// Requests reports whether jobs may have a [Request], or may span classes.
func (v *View) Requests() bool {
	return v.requests || slices.ContainsFunc(v.platform.Partitions, func(q Partition) bool { return q.Span })
}

// KillsAtWalltime reports whether jobs are ended at their walltime, so that a
// plan by walltimes is never overrun.
func (v *View) KillsAtWalltime() bool { return v.killing }

// Numbered reports whether the policy or the progress model has requested that the processors of each job be known.
// [Config.TrackProcs] has it done besides, which must change no number of a run.
func (v *View) Numbered() bool { return v.numbered }

// ExpectedEnd is the end that planners expect of a job with this planned end, in
// seconds: the planned end itself, or, of a job that has overrun it, the next
// moment that there is.
func (v *View) ExpectedEnd(planned float64) float64 {
	return max(planned, math.Nextafter(v.now, math.Inf(1)))
}

// limit returns the time at which the walltime ends j.
func (v *View) limit(j *Job) float64 {
	if v.killing {
		return j.PlannedEnd()
	}
	return math.Inf(1)
}

// take enters that j holds what j.alloc says; give that it does no more.
func (v *View) take(j *Job) {
	if j.shared != nil {
		v.share(j, 1)
		return
	}
	for c, n := range j.alloc.Counts {
		v.free[c] -= n
	}
	v.total -= int(j.width)
	v.running++
	v.hold(float64(j.width))
	v.draws(j, 0, 1)
	if v.switches != nil {
		v.switches.uses(v.now, j.alloc.Procs, 1)
	}
	v.changed = true
}

func (v *View) give(j *Job) {
	if j.shared != nil {
		v.share(j, -1)
		return
	}
	for c, n := range j.alloc.Counts {
		v.free[c] += n
	}
	v.total += int(j.width)
	v.procs.giveAll(j.alloc.Procs)
	v.running--
	v.hold(-float64(j.width))
	v.draws(j, 1, 0)
	if v.switches != nil {
		v.switches.uses(v.now, j.alloc.Procs, -1)
	}
	v.changed = true
}

func (v *View) wake(t float64, rank uint8) {
	if !(t >= v.now) {
		v.fail("asks to be woken at %g, before now (%g)", t, v.now)
		return
	}
	v.seq++
	v.heap.push(event{time: t, rank: rank, seq: v.seq})
}

// stop ends the run with an error; the first counts.
func (v *View) stop(err error) {
	if v.err == nil {
		v.err = fmt.Errorf("at %g s: %w", v.now, err)
	}
}

// fail remembers the first wrong action; the engine ends the run with it.
func (v *View) fail(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf("at %g s the scheduler "+format, append([]any{v.now}, args...)...)
	}
}

func (v *View) endRank() uint8 {
	if v.order.SubmitFirst {
		return rankSecond
	}
	return rankFirst
}

// upRank is the rank of ends of outages.
func (v *View) upRank() uint8 {
	if v.order.Pass == PassPerInstant {
		return rankUp
	}
	return rankOver
}

func (v *View) submitRank() uint8 {
	if v.order.SubmitFirst {
		return rankFirst
	}
	return rankSecond
}
