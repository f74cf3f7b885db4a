package rows

import (
	"math"
	"slices"
	"strings"

	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/harness/store"
	"schedsweep/sim"
	"schedsweep/sim/metrics"
	"schedsweep/sweep"
	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
)

// Layout holds the position of each value of an instance's row.
type Layout struct {
	schema                                    store.Schema
	axes, replication, sample, counts, ending int
	metrics                                   map[string]int // by name
	named                                     []string       // contents of the last column; nil for no such column
}

// newLayout is the schema of the instances dataset of a plan: the id, a column
// for each axis, what all plans have in common, and the metrics of its
// runs.
func newLayout(axes []manifest.Axis, metrics []sim.Metric) Layout {
	l := Layout{schema: store.Schema{{Name: "id", Type: store.String, Doc: "content id of the instance: hash of all that affects its answer"}}}
	add := func(name string, t store.Type, unit, doc string, nullable bool) {
		l.schema = append(l.schema, store.Column{Name: name, Type: t, Unit: unit, Doc: doc, Nullable: nullable})
	}
	l.axes = len(l.schema)
	for _, a := range axes {
		add(a.Path, columnTypes[a.Type], a.Unit, axisDoc+a.Doc, true)
	}
	l.replication = len(l.schema)
	add(replicationColumn, store.Int32, "", "number of the repetition, from 0; equal numbers share their random streams. -1: the log itself, "+
		"simulated once beside windows of it or drawn users; it is no repetition, and belongs in no mean over them", false)
	add("seed", store.Int64, "", "master seed of the manifest", false)
	l.metrics = map[string]int{}
	for _, m := range metrics {
		l.metrics[m.Name] = len(l.schema)
		l.schema = append(l.schema, metricColumn(m))
	}
	l.sample = len(l.schema)
	add("sample_of", store.Int64, "", "jobs of the log or list within the bounds of select, without the skipped ones, before the "+
		"instance's are taken; null where a model draws them", true)
	add("sample_first", store.Int64, "", "position of the first job taken among these and the skipped ones, from 0; null where single "+
		"jobs are drawn at random, or by a model", true)
	add("jobs_digest", store.Int64, "", "hash of the jobs as they were submitted, with all their fields but the number: equal where two "+
		"instances played the same jobs; null where a model draws them", true)
	l.counts = len(l.schema)
	add("dropped", store.Int64, "", "jobs of the log that are left out before any selection, by its hygiene rules or because their lines "+
		"cannot be read (invalid: skip). Null where the workload is no log", true)
	add("jobs", store.Int64, "", "jobs submitted", true)
	add("finished", store.Int64, "", "jobs that did all their work", true)
	add("killed", store.Int64, "", "jobs ended with work left: at their walltime, by the policy or by the platform", true)
	add("rejected", store.Int64, "", "jobs refused by the policy, withheld by a limit, or that no cap admitted", true)
	add("events", store.Int64, "", "events handled by the engine", true)
	add("measured_jobs", store.Int64, "", "jobs submitted that metrics count: without jobs of run-up, run-out, warm_up and cool_down, and "+
		"without jobs that the policy has added", true)
	add("policy_streams", store.Int64, "", "random streams that the policy, the progress model and failures of nodes used; without any, "+
		"runs of the same jobs are the same; null where the run has no answer", true)
	add("log_users", store.Int64, "", "users of the log from which the replication draws its own; null where it draws none", true)
	l.ending = len(l.schema)
	add("outcome", store.Category, "", "ok, failed, timeout or event-budget", false)
	add("error", store.String, "", "cause of the failure, where outcome is not ok", true)
	add(stackColumn, store.String, "", "the stack of a panic", true)
	add("audit", store.Category, "", "verdict of the independent audit: ok, off, or the violation", false)
	add("wall_time", store.Float64, "s", "wall-clock time of the instance; differs from run to run", false)
	return l
}

func LayoutOf(plan *sweep.Plan) Layout {
	l := newLayout(plan.Axes(), MetricsOf(plan))
	if l.named = plan.Named(); l.named != nil {
		l.schema = append(l.schema, store.Column{Name: computedColumn, Type: store.Category, Nullable: true,
			Doc: "metrics of the row, where others were not computed (metrics: {compute: named}); null where all were"})
	}
	return l
}

// replicationColumn is the number of an instance's replication, or [sweep.LogItself].
const replicationColumn = "replication"

// computedColumn says of rows without some metrics which ones they have.
const computedColumn = "computed"

func metricColumn(m sim.Metric) store.Column {
	c := store.Column{Name: m.Name, Type: store.Float64, Unit: m.Unit, Doc: m.Doc, Nullable: true}
	if m.Text {
		c.Type = store.Category
	}
	if m.Measured {
		c.Doc = measuredDoc + c.Doc
	}
	return c
}

// IsAxis reports whether a column holds the values of an axis.
func IsAxis(c store.Column) bool { return strings.HasPrefix(c.Doc, axisDoc) }

// Volatile are the columns of the instances dataset that a repetition of the
// same run need not repeat.
var Volatile = []string{"wall_time"}

// stackColumn has addresses of memory, which differ from run to run.
const stackColumn = "stack"

// The beginnings of definitions: of axes, and of columns that differ from run to run.
const (
	axisDoc     = "axis: "
	measuredDoc = "measured: "
)

// Instances joins the rows of the instances dataset that belong together: the rows of one id. Answers must agree in all columns but
// three kinds: axes, which are as the manifest calls them; columns that may differ between two runs of one instance; columns by
// class, as the classes may have been others.
var Instances = store.Records{
	Key: "id", Status: "outcome", Answered: string(harness.OK), Writer: folder.MetaProgram, Partial: computedColumn,
	Answer: func(c store.Column) bool {
		return c.Name != "audit" && c.Name != computedColumn && !metrics.IsByClass(c.Doc) && !slices.Contains(Volatile, c.Name) && !IsAxis(c) &&
			!strings.HasPrefix(c.Doc, measuredDoc)
	},
}

// cells take values by number: those of a row by column, those of a column by row.
type cells interface {
	SetFloat(i int, v float64)
	SetInt(i int, v int64)
	SetBool(i int, v bool)
	SetString(i int, v string)
}

// setValue gives a null cell the value of an axis.
func setValue(to cells, i int, v params.Value) {
	switch {
	case v.Null:
	case v.Kind == params.Float:
		to.SetFloat(i, v.F)
	case v.Kind == params.Int:
		to.SetInt(i, v.I)
	case v.Kind == params.Bool:
		to.SetBool(i, v.B)
	default:
		to.SetString(i, v.S)
	}
}

// Fill writes an instance's row.
func (l *Layout) Fill(row *store.Row, inst *sweep.Instance, r *Report) {
	row.Reset()
	row.SetString(0, inst.ID.String())
	for i, v := range inst.Values {
		setValue(row, l.axes+i, v)
	}
	row.SetInt(l.replication, int64(inst.Replication))
	row.SetInt(l.replication+1, int64(inst.Seed))
	for i, name := range r.Metrics {
		if at, kept := l.metrics[name]; kept && !math.IsNaN(r.Values[i]) {
			row.SetFloat(at, r.Values[i])
		}
	}
	for i, name := range r.TextNames {
		if r.Texts[i] != "" {
			row.SetString(l.metrics[name], r.Texts[i])
		}
	}
	if l.named != nil {
		row.SetString(len(l.schema)-1, strings.Join(l.named, " "))
	}
	res := &r.Result
	if r.Sample != nil {
		row.SetInt(l.sample, int64(r.Sample.Of))
		if r.Sample.First >= 0 {
			row.SetInt(l.sample+1, int64(r.Sample.First))
		}
		if r.Outcome == harness.OK {
			row.SetInt(l.sample+2, r.Digest)
		}
	}
	if r.Dropped >= 0 {
		row.SetInt(l.counts, r.Dropped)
	}
	for i, n := range []int64{res.Submitted, res.Finished, res.Killed, res.Rejected, res.Events, res.Measured} {
		row.SetInt(l.counts+1+i, n)
	}
	if r.Outcome == harness.OK {
		row.SetInt(l.ending-2, int64(r.Streams))
	}
	if r.Users > 0 {
		row.SetInt(l.ending-1, int64(r.Users))
	}
	row.SetString(l.ending, string(r.Outcome))
	if r.Err != "" {
		row.SetString(l.ending+1, r.Err)
	}
	if r.Stack != "" {
		row.SetString(l.ending+2, r.Stack)
	}
	row.SetString(l.ending+3, r.Audit)
	row.SetFloat(l.ending+4, r.Wall.Seconds())
}

// columnTypes are those of axes.
var columnTypes = [...]store.Type{params.Float: store.Float64, params.Int: store.Int64, params.Bool: store.Bool,
	params.String: store.Category}

// MetricsOf are the metrics of a plan's runs: those of all runs, those of
// classes of jobs, and those of the kinds of policies and progress models that occur in it, in order of their names.
func MetricsOf(plan *sweep.Plan) []sim.Metric {
	var own []sim.Metric
	for _, r := range plan.Variants(harness.SectionPolicy) {
		kind, _ := sim.Policies.Get(r.Kind)
		own = append(own, kind.Metrics...)
	}
	for _, r := range plan.Variants(harness.SectionProgress) {
		kind, _ := sim.ProgressModels.Get(r.Kind)
		own = append(own, kind.Metrics...)
	}
	slices.SortFunc(own, func(a, b sim.Metric) int { return strings.Compare(a.Name, b.Name) })
	own = slices.CompactFunc(own, func(a, b sim.Metric) bool { return a.Name == b.Name }) // several kinds may share one
	all := append(metrics.Catalog(), ClassMetrics(plan.Classes(), nil)...)
	if named := plan.Named(); named != nil {
		all = slices.DeleteFunc(all, func(m sim.Metric) bool { return ofObservers(m.Name) && !slices.Contains(named, m.Name) })
	}
	return append(all, own...)
}

// ofObservers reports whether a metric, or the one that a class has, is in the catalog of all runs: jobs are counted anyway.
func ofObservers(name string) bool {
	name, _, _ = strings.Cut(name, manifest.ByClass("", ""))
	return slices.ContainsFunc(metrics.Catalog(), func(m sim.Metric) bool { return m.Name == name })
}
