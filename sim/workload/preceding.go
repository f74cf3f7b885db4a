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

// link makes a job wait for the preceding job that the log names (SWF fields 17 and
// 18): it is submitted its think time after the end of that, whenever that is and
// however it ends, killed and rejected included. Of several jobs of one number it is
// the last before. Where no job of that number comes before among those that are
// played, the job comes when the log says; so there are no cycles.
func (o *logOrigin) link(selected sim.Source, i *Info) (*Dependencies, error) {
	if o.dependencies != "follow" {
		return o.requeued(), nil
	}
	missing := swf.Finding{Kind: precedingMissing, Action: swf.Kept, Why: "of the jobs that are played none has its number; submitted as recorded"}
	later := swf.Finding{Kind: precedingLater, Action: swf.Kept, Why: "submitted as recorded"}
	unknown := swf.Finding{Kind: thinkTimeMissing, Action: swf.Repaired, Why: "0 s after the end of the preceding job"}
	d, byNumber, waiting := newDependencies(math.Inf(1), o.requeue), map[int64]int32{}, 0
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
		return nil, fmt.Errorf("workload %s: dependencies: of the jobs that are played none names a preceding job (field 17 of SWF, %d name one that does not come before); leave dependencies out, or draw users whose jobs wait for one another (replicate: {by: user, feedback: think-time})", o.log.Name, len(alone))
	}
	report := *i.Hygiene
	report.Findings = slices.Clone(report.Findings)
	for _, f := range []swf.Finding{missing, later, unknown} {
		if f.Count > 0 {
			report.Findings = append(report.Findings, f)
		}
	}
	report.Notes = append(slices.Clone(report.Notes), fmt.Sprintf("%d jobs that are played wait for the end of another", waiting))
	i.Hygiene = &report
	return d, nil
}

// requeued is for jobs that wait for nobody: they may be submitted again.
func (o *logOrigin) requeued() *Dependencies {
	if o.requeue.Attempts == 0 {
		return nil
	}
	return newDependencies(math.Inf(1), o.requeue)
}
