package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"schedsweep/harness"
	"schedsweep/harness/input"
	"schedsweep/harness/rows"
	"schedsweep/sim"
	"schedsweep/sim/trace"
	"schedsweep/sweep"
)

// Value is a metric of one simulation.
type Value struct {
	sim.Metric
	Value float64 // NaN where the run does not define it
}

// Text is a metric of one simulation that is a text.
type Text struct {
	sim.Metric
	Value string // "" where the run does not define it
}

// Simulation is the result of one instance.
type Simulation struct {
	ID       sweep.ID
	Instance string // its number and the values of its axes
	rows.Report
	Metrics  []Value
	Texts    []Text
	Programs int // folders of programs that were kept

	inst sweep.Instance
}

// Kept selects the outputs of [Simulate]; the zero value is nothing.
type Kept struct {
	// Jobs is a file, .csv or .parquet, of a row for each job; Evalys says that it has
	// the columns that evalys reads.
	Jobs   string
	Evalys bool
	// Shares is a file, .csv or .parquet, of a row for each time for which a job had
	// one share of a site.
	Shares string
	// Programs is a folder for what the programs that the run asks, such as solvers,
	// were given and left: a folder 1, 2, ... for each call, all new.
	Programs string
	// Trace gets a line for each event, up to the failure of an instance without an
	// answer. With TraceText the lines are for people; else they are JSON.
	Trace     io.Writer
	TraceText bool
	// Meta is the text of the footers of files; see [folder.Meta].
	Meta map[string]string
}

// Simulate runs the plan's instance of that number in full. Rows of jobs come in
// the order in which jobs end. Without an answer there is no such file: half of the
// jobs look like all of them. An instance whose parts do not go together is an
// error, as in [Check].
func Simulate(ctx context.Context, plan *sweep.Plan, inputs *input.Files, index int, keep Kept) (out Simulation, err error) {
	if index < 0 || index >= plan.Len() {
		return out, fmt.Errorf("instance %d: the plan has instances 0 to %d", index, plan.Len()-1)
	}
	var inst sweep.Instance
	plan.At(index, &inst)
	out.ID = inst.ID
	out.Instance = fmt.Sprintf("instance %d of %d (%s)", index, plan.Len(), harness.Describe(plan.Axes(), inst.Values, inst.Replication))

	w := newWorker(plan, input.NewWorkloads(inputs), time.Now)
	if err := allowed(inputs, inst.Sections[harness.SectionPolicy]); err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, w.builder.host.modules.Close()) }()
	if keep.Jobs == "" && keep.Shares == "" && keep.Programs == "" && keep.Trace == nil {
		if r, ok := w.ahead(ctx, &inst); ok {
			out.tell(plan, &inst, &r)
			return out, nil
		}
	}
	if _, err := w.builder.check(&inst); errors.Is(err, harness.ErrInput) {
		return out, err
	} else if err != nil {
		return out, fmt.Errorf("%w: %s: %w", ErrCombination, harness.Name(plan, &inst), err)
	}
	var extra []sim.Observer
	var files []*rows.File
	defer func() {
		for _, f := range slices.Backward(files) { // the first may have made the folder of all
			f.Abort()
		}
	}()
	meta := map[string]string{"schedsweep.instance": inst.ID.String()}
	maps.Copy(meta, keep.Meta)
	if keep.Jobs != "" {
		f, err := rows.JobsFile(keep.Jobs, meta, keep.Evalys, &inst)
		if err != nil {
			return out, err
		}
		files = append(files, f)
	}
	if keep.Shares != "" {
		f, err := rows.SharesFile(keep.Shares, meta)
		if err != nil {
			return out, err
		}
		files = append(files, f)
	}
	for _, f := range files {
		extra = append(extra, f.Observer)
	}
	var events *trace.Writer
	if keep.Trace != nil {
		events = trace.New(keep.Trace, keep.TraceText)
		extra = append(extra, events)
		events.Begin(sim.Field{Name: "id", Value: inst.ID.String()}, sim.Field{Name: "instance", Value: out.Instance})
	}
	w.builder.host.keep = keep.Programs
	r, err := w.run(ctx, &inst, extra, len(extra) > 0)
	out.Programs = w.builder.host.kept
	if events != nil {
		outcome := r.Outcome
		if err != nil {
			outcome = harness.Cancelled
		}
		events.End(sim.Field{Name: "outcome", Value: string(outcome)}, sim.Field{Name: "error", Value: r.Err},
			sim.Field{Name: "events", Value: r.Result.Events}, sim.Field{Name: "end", Value: r.Result.End})
		err = errors.Join(err, events.Err())
	}
	if err != nil {
		return out, err
	}
	out.tell(plan, &inst, &r)
	if out.Outcome == harness.OK {
		for _, f := range files {
			if err := f.Close(); err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

// ahead runs an instance of a log while the log is read; see [input.Workloads.Ahead].
func (w *worker) ahead(ctx context.Context, inst *sweep.Instance) (r rows.Report, ok bool) {
	if inst.Sections[harness.SectionEngine].Params.(*harness.EngineParams).Timeout > 0 {
		return r, false
	}
	of, ok := w.builder.workloads.Ahead(ctx, inst, func(ctx context.Context) bool {
		r, _ = w.run(ctx, inst, nil, false)
		return r.Outcome == harness.OK
	})
	if ok {
		r.Sample, r.Dropped = of.Sample, int64(of.Info.Hygiene.Dropped())
	}
	return r, ok
}

// tell fills in the result of the instance.
func (out *Simulation) tell(plan *sweep.Plan, inst *sweep.Instance, r *rows.Report) {
	out.inst, out.Report = *inst, *r
	defined := map[string]sim.Metric{}
	for _, m := range rows.MetricsOf(plan) {
		defined[m.Name] = m
	}
	for i, name := range r.Metrics {
		if m, kept := defined[name]; kept {
			out.Metrics = append(out.Metrics, Value{m, r.Values[i]})
		}
	}
	for i, name := range r.TextNames {
		out.Texts = append(out.Texts, Text{defined[name], r.Texts[i]})
	}
}
