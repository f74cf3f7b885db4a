package gantt

import (
	"fmt"
	"math"

	"schedsweep/sweep/text"
)

// Submission is a job of a trace, whether or not it ran. Times are in s. A time that the trace lacks is NaN.
type Submission struct {
	Job, Seq                        int64 // its number in the workload, and in order of submission from 0
	Submit, Start, Finish, Walltime float64
	Procs                           int
	User                            int64  // -1 where it is not known
	State                           string // how it ended; "" where the trace ends before
	Allocated                       string // the processors of its first start
	Preempted                       int    // how often it was
}

// Wait is how long the job waited; NaN where it did not start.
func (j *Submission) Wait() float64 { return j.Start - j.Submit }

// around counts the jobs that waited before j at its submission, and those submitted later that started before a time.
func (s *Schedule) around(j *Submission, until float64) (ahead, overtaken int) {
	for i := range s.Submitted {
		o := &s.Submitted[i]
		switch {
		case o.Seq < j.Seq && !(o.Start <= j.Submit) && o.State != "reject":
			ahead++
		case o.Seq > j.Seq && o.Start < until:
			overtaken++
		}
	}
	return ahead, overtaken
}

// taken are the changes of the processors that are busy or out of service.
func (s *Schedule) taken() []change { return append(s.busy(), s.gone...) }

// Why says in sentences why a job of a trace waited, as far as the schedule tells: which jobs were before it, when there were
// processors enough for it, and who overtook it.
func (s *Schedule) Why(at int) (sentences []string) {
	say := func(format string, args ...any) { sentences = append(sentences, fmt.Sprintf(format, args...)) }
	j := &s.Submitted[at]
	until := j.Start
	switch {
	case j.Start == j.Submit:
		return []string{"It started when it was submitted."}
	case j.State == "reject":
		return []string{"The policy refused it."}
	case math.IsNaN(until):
		until = math.Inf(1)
		say("It has not started in this trace.")
	}
	ahead, overtaken := s.around(j, until)
	_, total := s.size()
	levels := s.levels("taken", (*Schedule).taken)
	for _, p := range levels {
		total = max(total, p.Y)
	}
	enough, first, before := math.NaN(), math.NaN(), 0.0
	for _, p := range levels {
		if p.X >= until {
			break
		}
		if p.X <= j.Submit {
			before = p.Y
		}
		free := total-p.Y >= float64(j.Procs)
		switch {
		case !free:
			enough = math.NaN()
		case math.IsNaN(enough):
			enough = max(p.X, j.Submit)
			if math.IsNaN(first) && p.X > j.Submit {
				first = enough
			}
		}
	}
	busy, ends := "busy", "for jobs to end"
	if len(s.gone) > 0 {
		busy, ends = "busy or out of service", "for jobs to end or for processors to return to service"
	}
	say("At its submission %s waited before it, and %g of %g processors were %s.", text.Counted(ahead, "job"), before, total, busy)
	switch {
	case float64(j.Procs) > total:
		say("It asks for %d processors, more than this schedule ever uses.", j.Procs)
	case math.IsNaN(enough) && !math.IsNaN(first):
		say("From %.6g s on enough processors were free for a while, and the policy kept them for other jobs.", first)
	case math.IsNaN(enough) && j.Procs == 1:
		say("Up to its start no processor was free: it waited %s.", ends)
	case math.IsNaN(enough):
		say("Up to its start fewer than the %d processors that it needs were free: it waited %s.", j.Procs, ends)
	default:
		say("From %.6g s on enough processors were free, and the policy did not start it: it kept them for other jobs (a reservation or "+
			"the order of the queue), or a limit or the place of the free processors was in the way.", enough)
	}
	for i := range s.Jobs {
		if o := &s.Jobs[i]; o.Finish == j.Start {
			say("It started when job %s ended.", o.ID)
			break
		}
	}
	if overtaken > 0 {
		say("Jobs that were submitted later and started before it: %d.", overtaken)
	}
	return sentences
}
