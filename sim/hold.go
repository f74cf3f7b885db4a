package sim

// Hold is the only thing that takes capacity from a machine. Its owner is a job
// or an outage.
type Hold struct {
	// Job is the owner; nil where Outage is.
	Job    *Job
	Outage *Outage
	// Alloc is the held allocation. It is empty before the start, while the job is suspended
	// and after the end. It is read only and valid during the call.
	Alloc Allocation
	// Share is the share of the time of each processor that is held, in [0, 1]; 1 where the owner has its processors
	// for itself.
	Share float64
	// From is the time at which the owner got its first processors, in seconds. Until is when it
	// gives them back by plan: [Job.PlannedEnd], or now if the policy kills the job.
	From, Until float64
	// Killed reports that the job does not end by itself: the policy kills it, or an
	// outage begins on its processors.
	Killed bool
}

// Any reports whether the hold has processors.
func (h *Hold) Any() bool { return len(h.Alloc.Counts) > 0 }

// Procs is the number of processors that are held.
func (h *Hold) Procs() int {
	n := 0
	for _, k := range h.Alloc.Counts {
		n += int(k)
	}
	return n
}

// Change names the step from the hold before to this one: "start",
// "end", "requeue" (an end, after which the job waits again), "preempt", "resume", "kill" or "share".
func (h *Hold) Change(before *Hold) string {
	switch {
	case before.Job == nil && !before.Any():
		return "start"
	case !h.Any() && h.Job != nil && h.Job.state == Waiting:
		return "requeue"
	case !h.Any() && (h.Job == nil || h.Job.state != Suspended):
		return "end"
	case !h.Any():
		return "preempt"
	case !before.Any():
		return "resume"
	case h.Killed != before.Killed:
		return "kill"
	}
	return "share"
}

// fill makes h the hold of j at time now.
func (h *Hold) fill(j *Job, now float64) {
	h.Job, h.Outage, h.Share, h.From, h.Until, h.Killed = j, nil, j.HeldShare(), j.start, j.PlannedEnd(), j.toBeKilled
	if j.toBeKilled {
		h.Until = now
	}
	if j.state == Running {
		h.Alloc = j.alloc
	} else {
		h.Alloc = Allocation{}
	}
}

// changing notes what j holds before a change. The state keeps both holds of a
// change, since what an observer gets would be allocated otherwise.
func (s *State) changing(j *Job) {
	if len(s.observers) > 0 {
		s.before.fill(j, s.now)
	}
}

// held reports the new hold of j to the observers.
func (s *State) held(j *Job) {
	if len(s.observers) > 0 {
		s.after.fill(j, s.now)
		s.tell()
	}
}

// tell tells the observers of a change.
func (s *State) tell() {
	for _, o := range s.observers {
		o.Held(&s.view, &s.after, &s.before)
	}
}
