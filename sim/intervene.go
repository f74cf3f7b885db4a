package sim

// Kill ends the running job j at this instant with its work unfinished. Its end is an event of its own: the policy
// hears Ended, and gets a pass, after what it does now.
func (s *State) Kill(j *Job) {
	switch {
	case j.state != Running:
		s.fail("kills job %d, which is %s", j.spec.ID, j.state)
		return
	case s.err != nil || j.toBeKilled:
		return
	}
	s.changing(j)
	j.kill, j.toBeKilled = true, true
	s.held(j)
	s.heap.move(int(j.pos), s.now)
}

// Register puts a job of the policy's own making into the queue at this instant, submitted now, and returns it. The
// policy knows of it thereby and does not hear Submitted. No metric counts it, for it is none of the workload's. A job
// that no workload could have ends the run with an error, and nil is returned.
func (s *State) Register(spec JobSpec) *Job {
	spec.Submit, spec.Part = s.now, Added
	if err := spec.check(s.now, s.platform); err != nil {
		s.stop(err)
	}
	if s.err != nil {
		return nil
	}
	j := s.engine.enter(&spec)
	s.engine.entered(j)
	return j
}

// Stay keeps the run going while wake-ups are due, though no job waits, runs or is to come: for a policy that may yet
// register jobs. Without wake-ups the run ends all the same.
func (s *State) Stay(on bool) { s.stays = on }
