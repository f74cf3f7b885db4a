package workload

import (
	"fmt"
	"math"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/workload/swf"
)

// What the hygiene report says of preceding jobs.
const (
	precedingMissing = "preceding job is not there"
	precedingLater   = "preceding job does not come before"
	thinkTimeMissing = "missing think time"
)

// link makes a job wait for the preceding job that the log names (SWF fields 17 and 18): it is submitted its think time
// after the end of that, whenever that is and however it ends, killed and rejected included. Of several jobs of one
// number it is the last before. Where no job of that number comes before among the simulated ones, the job comes when
// the log says; so there are no cycles.
func (o *logOrigin) link(selected sim.Source, i *Info) (*Dependencies, error) {
	if o.dependencies != "follow" {
		return nil, nil
	}
	missing := swf.Finding{Kind: precedingMissing, Action: swf.Kept, Why: "of the jobs that are played none has its number; submitted as " +
		"recorded"}
	later := swf.Finding{Kind: precedingLater, Action: swf.Kept, Why: "submitted as recorded"}
	unknown := swf.Finding{Kind: thinkTimeMissing, Action: swf.Repaired, Why: "0 s after the end of the preceding job"}
	d, byNumber, waiting := &Dependencies{until: math.Inf(1)}, map[int64]int32{}, 0
	var alone []*swf.Record // with a preceding job that has not come
	if _, err := Each(selected, func(_ int, j *sim.JobSpec) error {
		r, after, think := o.log.At(int(j.Record)-1), int32(-1), 0.0
		if r.Preceding > 0 {
			if at, known := byNumber[int64(r.Preceding)]; !known {
				alone = append(alone, r)
			} else {
				after, think = at, max(0, r.ThinkTime)
				waiting++
				if r.ThinkTime < 0 {
					unknown.Add(int(r.Line))
				}
			}
		}
		n := d.open(after, think, 0)
		d.add(n, -1)
		byNumber[j.ID] = n
		return nil
	}); err != nil {
		return nil, err
	}
	for _, r := range alone {
		of := &missing
		if _, known := byNumber[int64(r.Preceding)]; known {
			of = &later
		}
		of.Add(int(r.Line))
	}
	if waiting == 0 {
		return nil, fmt.Errorf("%s: workload.dependencies: of the jobs that are played none names a preceding job (field 17 of SWF, %d name "+
			"one that does not come before). Leave dependencies out, or draw users whose jobs wait for one another (replicate: {by: user, "+
			"feedback: think-time})", o.log.Name, len(alone))
	}
	report := *i.Hygiene
	report.Findings = slices.Clone(report.Findings)
	for _, f := range []swf.Finding{missing, later, unknown} {
		if f.Count > 0 {
			report.Findings = append(report.Findings, f)
		}
	}
	report.Notes = append(slices.Clone(report.Notes), sim.Counted(waiting, "played job")+" to wait for the end of another")
	i.Hygiene = &report
	return d, nil
}

// link ties the jobs of each drawn user to one another by the user's think times (D. G.
// Feitelson, JSSPP 2021; the rules are our reading of it). By the log's recorded waits and
// run times the jobs form batches: a job that was submitted before the end of a batch
// belongs to it, another begins the next one. A batch comes its think time after the end of the batch
// before. Where the user was away for longer than the session gap, it comes at its place in the week or the day: at the
// first such time from that end on, after as many whole weeks or days as the log has. Jobs of a batch keep their
// distances. Users come when they were drawn to come; what would come after the last week does not.
func (s *resampled) link(selected sim.Source, i *Info) (*Dependencies, error) {
	p := s.how
	if p.Feedback == "none" {
		return nil, nil
	}
	log := s.of.log
	if !log.Waits() {
		return nil, fmt.Errorf("%s: workload.replicate.feedback: the log has no recorded waits above 0 (field 3 of SWF, the start in a table), "+
			"so that it is unknown what its users waited for. Take a log that has them, or leave feedback out", log.Name)
	}
	type latest struct {
		batch, job int32
		end        float64 // of all its jobs, as recorded
	}
	d, users := &Dependencies{until: s.weeks * week}, map[int32]*latest{}
	_, err := Each(selected, func(at int, j *sim.JobSpec) error {
		r := log.At(s.record(j.Record))
		if r.Wait < 0 {
			return fmt.Errorf("%s:%d: replicate.feedback: job %d has no recorded wait, others have; leave such jobs out, or leave feedback out",
				log.Name, r.Line, r.ID)
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
