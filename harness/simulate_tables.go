package harness

import (
	"schedsweep/harness/store"
	"schedsweep/sim"
)

// jobsSchema is the jobs dataset.
var jobsSchema = store.Schema{
	{Name: "job_id", Type: store.Int64, Doc: "the job's number in its workload"},
	{Name: "submit", Type: store.Float64, Unit: "s", Doc: "submit time"},
	{Name: "start", Type: store.Float64, Unit: "s", Doc: "start time; null for a rejected job", Nullable: true},
	{Name: "finish", Type: store.Float64, Unit: "s", Doc: "finish time; null for a rejected job", Nullable: true},
	{Name: "processors", Type: store.Int32, Doc: "number of processors asked for"},
	{Name: "allocated", Type: store.String, Doc: "the processors held, as an interval set such as 0-3 7; null for a rejected job", Nullable: true},
	{Name: "walltime", Type: store.Float64, Unit: "s", Doc: "the user's estimate"},
	{Name: "run_time", Type: store.Float64, Unit: "s", Doc: "run time in the workload: how long the job runs undisturbed"},
	{Name: "outcome", Type: store.Category, Doc: "finished, killed (at its walltime) or rejected"},
}

// sharesSchema is the dataset of shares.
var sharesSchema = store.Schema{
	{Name: "site", Type: store.Int32, Doc: "the cluster, from 0"},
	{Name: "job", Type: store.Int64, Doc: "the job's number in its workload"},
	{Name: "from", Type: store.Float64, Unit: "s", Doc: "since when the job has had the share"},
	{Name: "to", Type: store.Float64, Unit: "s", Doc: "until when"},
	{Name: "share", Type: store.Float64, Doc: "of the time of each of its processors there, in [0, 1]"},
}

// table is a file of rows.
type table struct {
	file *store.FileWriter
	row  *store.Row
	err  error
}

// append writes the row that set fills in. After an error it does nothing.
func (t *table) append(set func(r *store.Row)) {
	if t.err == nil {
		t.row.Reset()
		set(t.row)
		t.err = t.file.Append(t.row)
	}
}

func (t *table) close() error {
	if t.err == nil {
		t.err = t.file.Close()
	}
	return t.err
}

// jobRows is an observer that writes a row for each job.
type jobRows struct {
	*table
	text []byte
}

func newJobRows(t *table) sim.Observer { return &jobRows{table: t} }

// Submitted and Started have nothing to add: all is known when the job ends.
func (*jobRows) Submitted(*sim.View, *sim.Job) {}

// Started does nothing.
func (*jobRows) Started(*sim.View, *sim.Job) {}

// Ended writes the job's row.
func (o *jobRows) Ended(_ *sim.View, j *sim.Job) {
	o.append(func(r *store.Row) {
		r.SetInt(0, j.ID())
		r.SetFloat(1, j.Submit())
		if j.State() != sim.Rejected {
			r.SetFloat(2, j.Start())
			r.SetFloat(3, j.Finish())
			o.text = sim.AppendSpans(o.text[:0], j.Alloc().Procs)
			r.SetString(5, string(o.text))
		}
		r.SetInt(4, int64(j.Procs()))
		r.SetFloat(6, j.Walltime())
		r.SetFloat(7, j.RunTime())
		r.SetString(8, j.State().String())
	})
}

// shareRows is an observer that writes a row for each time for which a job had one
// share, on each of its sites.
type shareRows struct {
	*table
	since map[int32]float64 // slot of a running job -> when its share changed last
}

func newShareRows(t *table) sim.Observer { return &shareRows{t, map[int32]float64{}} }

// Submitted has nothing to add.
func (*shareRows) Submitted(*sim.View, *sim.Job) {}

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
