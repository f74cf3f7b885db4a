package rows

import (
	"slices"

	"schedsweep/harness/store"
	"schedsweep/sim"
	"schedsweep/sweep"
)

// evalysSchema is the jobs dataset under the names that evalys' JobSet and Batsim's
// tools know, with what they derive from it.
var evalysSchema = store.Schema{
	{Name: "job_id", Type: store.Int64, Doc: "the job's number in its workload"},
	{Name: "workload_name", Type: store.Category, Doc: instanceDoc},
	{Name: "submission_time", Type: store.Float64, Unit: "s", Doc: "submit time"},
	{Name: "requested_number_of_resources", Type: store.Int32, Doc: "number of requested processors"},
	{Name: "requested_time", Type: store.Float64, Unit: "s", Doc: "the user's estimate"},
	{Name: "success", Type: store.Int32, Doc: "1 for a job that did all its work, else 0"},
	{Name: "final_state", Type: store.Category, Doc: "COMPLETED_SUCCESSFULLY, COMPLETED_WALLTIME_REACHED (killed, there or otherwise) " +
		"or REJECTED"},
	{Name: "starting_time", Type: store.Float64, Unit: "s", Doc: "start time; null for a rejected job", Nullable: true},
	{Name: "execution_time", Type: store.Float64, Unit: "s", Doc: "finish_time - starting_time; null for a rejected job", Nullable: true},
	{Name: "finish_time", Type: store.Float64, Unit: "s", Doc: "finish time; null for a rejected job", Nullable: true},
	{Name: "waiting_time", Type: store.Float64, Unit: "s", Doc: "starting_time - submission_time; null for a rejected job", Nullable: true},
	{Name: "turnaround_time", Type: store.Float64, Unit: "s", Doc: "finish_time - submission_time; null for a rejected job", Nullable: true},
	{Name: "stretch", Type: store.Float64, Unit: "1", Doc: "turnaround_time / execution_time; null for a rejected job and for one that " +
		"took no time", Nullable: true},
	{Name: "allocated_resources", Type: store.String, Doc: "the processors held, as an interval set such as 0-3 7; empty for a rejected job"},
}

var evalysStates = map[string]string{
	sim.Finished.String(): "COMPLETED_SUCCESSFULLY", sim.Killed.String(): "COMPLETED_WALLTIME_REACHED", sim.Rejected.String(): "REJECTED",
	sim.Withheld.String(): "REJECTED",
	sim.OverCap.String():  "REJECTED",
}

type evalysRows struct {
	to  Appender
	row *store.Row
}

// createFile begins a file of rows of the dataset. Those of jobs have derived columns too, or may be in the columns of evalys.
// Rows are appended to the second result, and the first is closed.
func (d *Dataset) createFile(path string, meta map[string]string, evalys bool, of thresholds) (*store.FileWriter, Appender, error) {
	if d.Name != beside[0].Name {
		w, err := store.CreateFile(path, d.Columns, meta)
		return w, w, err
	}
	if !evalys {
		schema := slices.Concat(d.Columns, derivedSchema)
		w, err := store.CreateFile(path, schema, meta)
		return w, &derivedRows{to: w, row: schema.NewRow(), thresholds: of}, err
	}
	w, err := store.CreateFile(path, evalysSchema, meta)
	return w, &evalysRows{w, evalysSchema.NewRow()}, err
}

// File is a file of the rows of one run.
type File struct {
	*Recording
	w *store.FileWriter
}

// JobsFile begins a file of jobs of the instance, in the columns of evalys if so.
func JobsFile(path string, meta map[string]string, evalys bool, inst *sweep.Instance) (*File, error) {
	threshold := thresholdOf(inst)
	return beside[0].file(path, meta, evalys, func(string) float64 { return threshold })
}

// SharesFile begins a file of the shares of jobs.
func SharesFile(path string, meta map[string]string) (*File, error) {
	return shares.file(path, meta, false, nil)
}

func (d *Dataset) file(path string, meta map[string]string, evalys bool, of thresholds) (*File, error) {
	w, to, err := d.createFile(path, meta, evalys, of)
	if err != nil {
		return nil, err
	}
	return &File{d.Record(to), w}, nil
}

// Close ends the file, which is then there.
func (f *File) Close() error {
	if err := f.Err(); err != nil {
		return err
	}
	return f.w.Close()
}

// Abort leaves no file, unless it was closed.
func (f *File) Abort() { f.w.Abort() }

func (e *evalysRows) Append(job *store.Row) error {
	id, _ := job.Text(0)
	number, _ := job.Int(1)
	submit, _ := job.Float(2)
	start, ran := job.Float(3)
	finish, _ := job.Float(4)
	processors, _ := job.Int(5)
	allocated, _ := job.Text(6)
	walltime, _ := job.Float(7)
	outcome, _ := job.Text(9)
	r := e.row
	r.Reset()
	r.SetInt(0, number)
	r.SetString(1, id)
	r.SetFloat(2, submit)
	r.SetInt(3, processors)
	r.SetFloat(4, walltime)
	r.SetInt(5, 0)
	if outcome == sim.Finished.String() {
		r.SetInt(5, 1)
	}
	r.SetString(6, evalysStates[outcome])
	r.SetString(13, allocated)
	if ran {
		r.SetFloat(7, start)
		r.SetFloat(8, finish-start)
		r.SetFloat(9, finish)
		r.SetFloat(10, start-submit)
		r.SetFloat(11, finish-submit)
		if finish > start {
			r.SetFloat(12, (finish-submit)/(finish-start))
		}
	}
	return e.to.Append(r)
}
