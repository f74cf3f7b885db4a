package workload

import (
	"fmt"

	"schedsweep/sim"
)

// link ties the jobs of each drawn user to one another by his think times (D. G.
// Feitelson, JSSPP 2021; the rules are our reading of it). By the log's recorded waits and
// run times his jobs form batches: a job that he submitted before all those of a batch
// had ended belongs to it, another begins the next one. A batch comes its think time
// after the end of the one before, or, where he was away for longer than the session
// gap, at its place in the week or the day: at the first such time from that end on,
// after as many whole weeks or days as the log has. Jobs of a batch keep their
// distances. Users come when they were drawn to come; what would come after the last
// week does not.
func (s *resampled) link(selected sim.Source, i *Info) (*Dependencies, error) {
	p := s.how
	if p.Feedback == "none" {
		return s.of.requeued(), nil
	}
	log := s.of.log
	if !log.Waits() {
		return nil, fmt.Errorf("workload %s: replicate.feedback: the log has no recorded waits (field 3 of SWF, the start in a table), so that nobody knows what its users waited for; take a log that has them, or leave feedback out", log.Name)
	}
	type latest struct {
		batch, job int32
		end        float64 // of all its jobs, as recorded
	}
	d, users := newDependencies(s.weeks*week, s.of.requeue), map[int32]*latest{}
	_, err := Each(selected, func(at int, j *sim.JobSpec) error {
		r := log.At(s.record(j.Record))
		if r.Wait < 0 {
			return fmt.Errorf("%s:%d: replicate.feedback: job %d has no recorded wait, others have; leave such jobs out, or leave feedback out", log.Name, r.Line, r.ID)
		}
		u := users[j.User]
		switch {
		case u == nil:
			u = &latest{batch: d.open(-1, 0, 0)}
			users[j.User] = u
		case j.Submit >= u.end:
			think, period := j.Submit-u.end, 0.0
			if think > p.SessionGap {
				period = week
				if p.Cycle == "day" {
					period = week / 7
				}
			}
			u.batch = d.open(u.batch, think, period)
		}
		d.add(u.batch, u.job)
		u.job, u.end = int32(at), max(u.end, j.Submit+r.Wait+max(0, r.RunTime))
		return nil
	})
	return d, err
}
