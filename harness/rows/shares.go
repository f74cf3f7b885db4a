package rows

import (
	"schedsweep/harness/store"
	"schedsweep/sim"
)

// shares is the dataset of shares, which no run folder has.
var shares = Dataset{Name: "shares", Doc: "one row for each time for which a job had one share of a site's processors, as simulate " +
	"--shares writes it",
	Columns: sharesSchema, observer: newShareRows}

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
	sim.Quiet
	*table
	since map[int32]float64 // slot of a running job -> when its share changed last
}

func newShareRows(t *table) sim.Observer { return &shareRows{table: t, since: map[int32]float64{}} }

func (o *shareRows) Held(s *sim.View, now, before *sim.Hold) {
	if now.Job == nil || now.Any() && before.Any() && now.Share == before.Share {
		return
	}
	from := o.since[now.Job.Slot()]
	o.since[now.Job.Slot()] = s.Now()
	for c, n := range before.Alloc.Counts {
		if n == 0 || from == s.Now() || before.Share == 0 {
			continue
		}
		o.append(func(r *store.Row) {
			r.SetInt(0, int64(c))
			r.SetInt(1, now.Job.ID())
			r.SetFloat(2, from)
			r.SetFloat(3, s.Now())
			r.SetFloat(4, before.Share)
		})
	}
}
