package harness

import (
	"schedsweep/harness/store"
	"schedsweep/sim"
)

// sharesSchema is the dataset of shares.
var sharesSchema = store.Schema{
	{Name: "site", Type: store.Int32, Doc: "the cluster, from 0"},
	{Name: "job", Type: store.Int64, Doc: "the job's number in its workload"},
	{Name: "from", Type: store.Float64, Unit: "s", Doc: "since when the job has had the share"},
	{Name: "to", Type: store.Float64, Unit: "s", Doc: "until when"},
	{Name: "share", Type: store.Float64, Doc: "of the time of each of its processors there, in [0, 1]"},
}

// shareRows is an observer that writes a row for each time for which a job had one
// share, on each of its sites.
type shareRows struct {
	quiet
	*table
	since map[int32]float64 // slot of a running job -> when its share changed last
}

func newShareRows(t *table) sim.Observer { return &shareRows{table: t, since: map[int32]float64{}} }

// Started notes when the job had its first share.
func (o *shareRows) Started(s *sim.View, j *sim.Job) { o.since[j.Slot()] = s.Now() }

// Preempted ends the time of its share.
func (o *shareRows) Preempted(s *sim.View, j *sim.Job) { o.until(s, j, j.Grant().Share) }

// Resumed begins the next.
func (o *shareRows) Resumed(s *sim.View, j *sim.Job) { o.Started(s, j) }

// ShareChanged ends the time of its share and begins the next.
func (o *shareRows) ShareChanged(s *sim.View, j *sim.Job, from sim.Grant) {
	if from.Share != j.Grant().Share {
		o.until(s, j, from.Share)
	}
}

// Ended ends the time of its share.
func (o *shareRows) Ended(s *sim.View, j *sim.Job) {
	if j.State() != sim.Rejected {
		o.until(s, j, j.Grant().Share)
	}
}

// until writes the rows of a share that the job had until now.
func (o *shareRows) until(s *sim.View, j *sim.Job, share float64) {
	from := o.since[j.Slot()]
	o.since[j.Slot()] = s.Now()
	for c, n := range j.Alloc().Counts {
		if n == 0 || from == s.Now() || share == 0 {
			continue
		}
		o.append(func(r *store.Row) {
			r.SetInt(0, int64(c))
			r.SetInt(1, j.ID())
			r.SetFloat(2, from)
			r.SetFloat(3, s.Now())
			r.SetFloat(4, share)
		})
	}
}
