package contract

import (
	"slices"

	"schedsweep/sim"
)

// pausing is first come first served that suspends every job once, for a second
// in which nothing starts, where the progress model allows it.
type pausing struct {
	queue, running []*sim.Job // running have not been suspended yet
	held           *sim.Job
	until          float64
}

// Reset forgets all jobs.
func (p *pausing) Reset(*sim.State) error {
	p.queue, p.running, p.held = p.queue[:0], p.running[:0], nil
	return nil
}

// Submitted appends the job to the queue.
func (p *pausing) Submitted(_ *sim.State, j *sim.Job) { p.queue = append(p.queue, j) }

// Ended forgets the job.
func (p *pausing) Ended(_ *sim.State, j *sim.Job) {
	p.running = slices.DeleteFunc(p.running, func(r *sim.Job) bool { return r == j })
}

// Pass resumes, starts and suspends.
func (p *pausing) Pass(s *sim.State) {
	if p.held != nil {
		if s.Now() < p.until {
			return
		}
		s.Resume(p.held)
		p.held = nil
	}
	for len(p.queue) > 0 && int(p.queue[0].Procs()) <= s.Free() {
		s.Start(p.queue[0])
		p.running, p.queue = append(p.running, p.queue[0]), p.queue[1:]
	}
	if len(p.running) > 0 && p.running[0].Start() < s.Now() && s.CanPreempt() {
		p.held, p.running, p.until = p.running[0], p.running[1:], s.Now()+1
		s.Preempt(p.held)
		s.WakeAt(p.until)
	}
}
