package rows

import (
	"schedsweep/harness"
	"schedsweep/harness/store"
	"schedsweep/sim"
	"schedsweep/sweep"
)

// derivedSchema is the schema of further columns of files of jobs: quantities of jobs under the names that figures use, which
// readers would else compute.
var derivedSchema = store.Schema{
	{Name: "wait_time", Type: store.Float64, Unit: "s", Doc: "start - submit; null for a rejected job", Nullable: true},
	{Name: "response_time", Type: store.Float64, Unit: "s", Doc: "finish - submit; null for a rejected job", Nullable: true},
	{Name: "slowdown", Type: store.Float64, Unit: "1", Doc: "response_time / run_time, of a killed job response_time / held; null for a " +
		"rejected job and for a run time of 0", Nullable: true},
	{Name: "bounded_slowdown", Type: store.Float64, Unit: "1", Doc: "max(1, response_time / max(run_time, threshold)), of a killed job with " +
		"held for run_time; the threshold is engine.slowdown_threshold; null for a rejected job", Nullable: true},
}

// thresholds gives engine.slowdown_threshold of an instance by its id.
type thresholds func(id string) float64

func thresholdOf(inst *sweep.Instance) float64 {
	return inst.Sections[harness.SectionEngine].Params.(*harness.EngineParams).Threshold
}

// thresholdsOf are those of a plan. Memory: an entry for each instance whose threshold is not that of the first.
func thresholdsOf(plan *sweep.Plan) thresholds {
	first, others := 0.0, map[string]float64{}
	for i, inst := range plan.All() {
		if v := thresholdOf(inst); i == 0 {
			first = v
		} else if v != first {
			others[inst.ID.String()] = v
		}
	}
	return func(id string) float64 {
		if v, ok := others[id]; ok {
			return v
		}
		return first
	}
}

// derivedRows appends rows of jobs with the derived columns.
type derivedRows struct {
	to         Appender
	row        *store.Row
	cells      []store.Cell
	thresholds thresholds
}

func (d *derivedRows) Append(job *store.Row) error {
	d.row.Reset()
	d.cells = append(append(d.cells[:0], job.Cells()...), make([]store.Cell, len(derivedSchema))...)
	if err := d.row.SetCells(d.cells); err != nil {
		return err
	}
	of := func(name string) float64 {
		v, _ := job.Float(jobsSchema.Index(name))
		return v
	}
	if _, ran := job.Float(jobsSchema.Index("start")); ran {
		wait, response, alone := len(jobsSchema), of("finish")-of("submit"), of("run_time")
		if outcome, _ := job.Text(jobsSchema.Index("outcome")); outcome == sim.Killed.String() {
			alone = of("held")
		}
		id, _ := job.Text(jobsSchema.Index(instanceColumn))
		d.row.SetFloat(wait, of("start")-of("submit"))
		d.row.SetFloat(wait+1, response)
		if alone > 0 {
			d.row.SetFloat(wait+2, response/alone)
		}
		d.row.SetFloat(wait+3, max(1, response/max(alone, d.thresholds(id))))
	}
	return d.to.Append(d.row)
}
