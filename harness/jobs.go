package harness

import (
	"schedsweep/harness/store"
	"schedsweep/sim"
	"schedsweep/sweep"
)

// jobsSchema is the jobs dataset.
var jobsSchema = store.Schema{
	{Name: instanceColumn, Type: store.Category, Doc: instanceDoc},
	{Name: "job_id", Type: store.Int64, Doc: "the job's number in its workload"},
	{Name: "submit", Type: store.Float64, Unit: "s", Doc: "submit time"},
	{Name: "start", Type: store.Float64, Unit: "s", Doc: "start time; null for a rejected job", Nullable: true},
	{Name: "finish", Type: store.Float64, Unit: "s", Doc: "finish time; null for a rejected job", Nullable: true},
	{Name: "processors", Type: store.Int32, Doc: "number of processors asked for"},
	{Name: "allocated", Type: store.String, Doc: "the processors held, as an interval set such as 0-3 7; null for a rejected job", Nullable: true},
	{Name: "walltime", Type: store.Float64, Unit: "s", Doc: "the user's estimate"},
	{Name: "run_time", Type: store.Float64, Unit: "s", Doc: "run time in the workload: how long the job runs undisturbed"},
	{Name: "outcome", Type: store.Category, Doc: "finished, killed (at its walltime, or by the policy) or rejected"},
	{Name: "held", Type: store.Float64, Unit: "s", Doc: "how long it held its processors: finish - start without the time for which it was suspended; null for a rejected job", Nullable: true},
	{Name: "home", Type: store.Int32, Doc: "cluster at which it was submitted, from 0; 0 where there is one"},
	{Name: "user", Type: store.Int32, Doc: "user's number in the log; null where that is not known", Nullable: true},
}

// jobRows is an observer that writes a row for each job, in the order in which jobs end.
type jobRows struct {
	*table
	text []byte
}

func newJobRows(t *table) sim.Observer { return &jobRows{table: t} }

func (o *jobRows) begin(inst *sweep.Instance, _ sim.Progress) { o.id = inst.ID.String() }

// Submitted and Started have nothing to add: all is known when the job ends.
func (*jobRows) Submitted(*sim.View, *sim.Job) {}

// Started does nothing.
func (*jobRows) Started(*sim.View, *sim.Job) {}

// Ended writes the job's row.
func (o *jobRows) Ended(_ *sim.View, j *sim.Job) {
	o.append(func(r *store.Row) {
		r.SetString(0, o.id)
		r.SetInt(1, j.ID())
		r.SetFloat(2, j.Submit())
		if j.State() != sim.Rejected {
			r.SetFloat(3, j.Start())
			r.SetFloat(4, j.Finish())
			o.text = sim.AppendSpans(o.text[:0], j.Alloc().Procs)
			r.SetString(6, string(o.text))
			r.SetFloat(10, j.Held())
		}
		r.SetInt(5, int64(j.Procs()))
		r.SetFloat(7, j.Walltime())
		r.SetFloat(8, j.RunTime())
		r.SetString(9, j.State().String())
		r.SetInt(11, int64(j.Home()))
		if j.User() >= 0 {
			r.SetInt(12, int64(j.User()))
		}
	})
}
