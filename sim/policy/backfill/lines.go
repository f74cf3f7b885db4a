package backfill

import "schedsweep/sim"

// Lines are waiting jobs in lines of their own, each in order of submission.
type Lines struct{ waiting tree }

// Reset empties the lines, which are that many.
func (l *Lines) Reset(lines int) { l.waiting.reset(lines) }

// Push adds a job to a line.
func (l *Lines) Push(j *sim.Job, line int32) { l.waiting.join(l.waiting.enter(j, line, 0, j.Procs())) }

// Remove takes out a waiting job.
func (l *Lines) Remove(j *sim.Job) { l.waiting.leave(j.Slot() + 1) }

// Empty reports whether no job waits in a line.
func (l *Lines) Empty(line int) bool { return l.waiting.roots[line] == 0 }

// Head returns the first job of a line, nil for none.
func (l *Lines) Head(line int) *sim.Job { return l.waiting.job(l.waiting.firstOf(int32(line))) }

// Next returns the first job of a line that was submitted after another one and that the room admits, nil for none.
func (l *Lines) Next(line int, behind int64, r *Room) *sim.Job {
	return l.waiting.job(l.waiting.fitting(l.waiting.roots[line], after{rank: behind}, r))
}
