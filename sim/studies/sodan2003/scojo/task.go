package scojo

import (
	"math"

	"schedsweep/sim"
)

// slack is the rounding that sums of shares and lengths of reservations may have.
const slack = 1e-9

// rounding is the rounding error of a reservation that is used up, for each second of it.
const rounding = 1e-12

// rest is the rounding error at the end of a reservation of some seconds. Late in a run the clock has longer steps, those of
// floating-point numbers of its size.
func rest(seconds, end float64) float64 {
	return max(rounding*seconds, 2*(math.Nextafter(end, math.Inf(1))-end))
}

// task is a job as the rules see it. Plans that are played ahead have copies.
type task struct {
	job       *sim.Job
	base      int     // priority at submission
	priority  int     // with aging, until the start
	crossSite bool    // starts when it is agreed, and gains nothing from idle share
	at        float64 // the agreed start; NaN while there is none
	after     float64 // it does not start before
	share     float64 // reserved: of time, or of progress where reservations are effective
	position  int     // whose share it has; unplaced, or kept
	seconds   float64 // for how long it is reserved
	reserve   float64 // the unused part of the reservation, in share-seconds
	rest      float64 // rest by rounding of a running task's reservation that is used up, in share-seconds
	left      float64 // run time left by the estimate, in s
	now, rate float64 // share and progress a second at the moment

	several *several // of a job that sites have agreed on; nil for others
	offered float64  // of such a job: offer of this site now
}

// Positions of tasks that have none.
const (
	unplaced = -1 // a reserved share of its own
	kept     = -2 // the share that is never reserved
)

// effective reports whether the task's promise is one of progress.
func (t *task) effective(p *Params) bool {
	return p.effective() && t.several == nil
}

// before reports whether a time is before another by more than rounding: a job that is planned to begin when another
// one ends does not begin before that end.
func before(a, b float64) bool { return a < b-slack*max(1, b) }

// spent reports whether the task has used up its reservation.
func (t *task) spent() bool { return t.reserve <= t.rest }

// until returns when the task will have used up its reservation if it gets no more than that.
func (t *task) until(now float64) float64 {
	if t.spent() {
		return now
	}
	return now + t.reserve/t.share
}

// age makes the waiting task's priority that of now.
func (t *task) age(p *Params, now float64) {
	t.priority = t.base
	if p.Aging > 0 && p.Variant != "fcfs" {
		t.priority += p.AgingStep * int(math.Floor((now-t.job.Submit())/p.Aging))
	}
}
