package workload

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"schedsweep/sim"
	"schedsweep/sim/workload/swf"
)

type LogParams struct {
	Path string `sweep:"path" doc:"the log, .swf or .swf.gz" required:"true" file:"input"`
	LogRules
	Home string `sweep:"home" doc:"home cluster of a job" enum:"none: jobs have none|partition: field 16, counted from 1"`
	Transforms
}

// Version changes with the rules and the selection.
func (p *LogParams) Version() int { return p.LogRules.version() + p.Select.version() }

// LogRules are the rules by which jobs are made of what a log says.
type LogRules struct {
	Size         string `sweep:"size" doc:"processors of a job; the fields in brackets are those of SWF" enum:"requested-else-allocated: the requested ones (8), else the allocated ones (5)|requested: the requested ones (8)|allocated: the allocated ones (5)|property: nodes times cores (21), of SWF alone"`
	Walltime     string `sweep:"walltime" doc:"walltime of a job; the field in brackets is that of SWF" enum:"requested-else-run-time: the requested time (9), else the run time|requested: the requested time (9)|run-time: the run time"`
	Overrun      string `sweep:"overrun" doc:"run times above the walltime" enum:"cut: cut there|keep: kept"`
	ZeroRunTime  string `sweep:"zero_run_time" doc:"run times of 0 s and less" enum:"drop: the job is left out|one-second: run time and walltime become 1 s|keep: they run for 0 s, with a walltime of 1 s if none is known"`
	TooLarge     string `sweep:"too_large" doc:"jobs that the machine cannot run" enum:"drop: left out and counted|cap: they get all processors; requests stay|error: an error"`
	MachineProcs int    `sweep:"machine_procs" doc:"processors of the machine where the platform states none, and the size above which jobs are too large; 0: those of the platform, else of the log's header" min:"0"`
	Invalid      string `sweep:"invalid" doc:"lines that cannot be read. Such rows of tables are left out and counted always, unless a number may be thousands or a decimal" enum:"error: an error|skip: left out and counted"`
	Dependencies string `sweep:"dependencies" doc:"jobs that name a preceding one (fields 17 and 18)" enum:"ignore: submitted as recorded|follow: submitted their think time after its end, whenever that is"`
	// Partition is in order of the log's partitions.
	Partition []LogPartition `sweep:"partition" keyed:"log" doc:"partition of the platform for each partition of the log, by number or name; others go to the default one"`
	Requests  []string       `sweep:"requests" doc:"resources besides processors that jobs request, from the log: nodes, memory, gpus, features (property); gpus are on the nodes that the log states, else on one; needs platform.nodes"`
	Replicate Replicate      `sweep:"replicate" doc:"other logs of the same users"`
}

// LogPartition says to which partition of the platform jobs of a partition of the log are submitted.
type LogPartition struct {
	Log string `sweep:"log" doc:"number or name in the log"`
	To  string `sweep:"to" required:"true" doc:"partition of platform.partitions"`
}

func defaultRules() LogRules {
	return LogRules{Size: "requested-else-allocated", Walltime: "requested-else-run-time", Overrun: "cut",
		ZeroRunTime: "drop", TooLarge: "drop", Invalid: "error", Dependencies: "ignore",
		Replicate: defaultReplicate()}
}

func defaultLog() LogParams {
	return LogParams{LogRules: defaultRules(), Home: "none", Transforms: logTransforms()}
}

// Needs refuses times of users who wait for nothing.
func (p *LogRules) Needs(report func(missing, field, message string)) {
	r, plain := &p.Replicate, defaultReplicate()
	if r.By != plain.By && r.Feedback == plain.Feedback && (r.SessionGap != plain.SessionGap || r.Cycle != plain.Cycle) {
		report("replicate.feedback", "replicate.feedback", "is none, and session_gap and cycle say how users wait; add feedback: think-time, "+
			"or drop them")
	}
}

// validate checks the rules between these rules and the transforms.
func (p *LogRules) validate(report func(field, message string), t *Transforms) {
	validateRequests(p.Requests, report)
	if t.SizeFactor != 1 && slices.Contains(p.Requests, "nodes") {
		report("size_factor", fmt.Sprintf("is %g and changes processors, and jobs request the log's numbers of nodes, which would stay; drop "+
			"one of the two (requests)", t.SizeFactor))
	}
	r, plain := &p.Replicate, defaultReplicate()
	drawn, waits := r.By != plain.By, p.Dependencies != "ignore" || r.Feedback != plain.Feedback
	switch {
	case !drawn && *r != plain:
		report("replicate.by", "is nothing, and the other fields of replicate say how users are drawn; add by: user, or drop them")
	case drawn && p.Dependencies != "ignore":
		report("dependencies", "uses the log's job numbers, and drawn users (replicate.by) have others; drop one of the two, or "+
			"let their jobs wait for one another (replicate.feedback)")
	}
	for _, x := range []struct {
		set   bool
		field string
	}{
		{waits && t.Jitter > 0, "jitter"}, {waits && t.LoadFactor != 1, "load_factor"},
		{waits && t.OfferedLoad > 0, "offered_load"},
		{waits && t.Submit == "zero", "submit"}, {waits && drawn && t.shifts(), "shift"},
	} {
		if x.set {
			report(x.field, "moves submissions (shift: auto does where a window is selected), but jobs that wait for others come when the others "+
				"have ended (dependencies, replicate.feedback). Drop one of the two, or draw more "+
				"users (replicate.load) or weeks (replicate.weeks)")
		}
	}
}

// Needs is that of the rules and of the transforms.
func (p *LogParams) Needs(report func(missing, field, message string)) {
	p.LogRules.Needs(report)
	p.Transforms.needs(logTransforms(), report)
}

func (p *LogParams) Validate(report func(field, message string)) {
	if p.Path == "" {
		report("path", "is empty; name an .swf or .swf.gz file")
	}
	if p.Home == "partition" && p.RoundRobinHomes > 0 {
		report("home", "is partition, and round_robin_homes sets the home cluster too; drop one of them")
	}
	p.LogRules.validate(report, &p.Transforms)
	p.Transforms.Validate(report)
}

// logVersion is that of the kinds that take windows of logs. Version 1: a window has
// run-up and run-out, and the load of its whole log.
const logVersion = 1

func init() {
	AddVersion(logVersion, "swf", "A job log in the Standard Workload Format.",
		defaultLog(), newLog)
}

func newLog(p *LogParams, in Input) (Workload, error) {
	if in.Log == nil {
		return nil, fmt.Errorf("swf: there is no access to logs, so %q cannot be read", p.Path)
	}
	log, err := in.Log(p.Path)
	if err != nil {
		return nil, err
	}
	return p.origin(log, in, p.Home == "partition", p.Transforms)
}

// origin makes a workload of a log by the rules.
func (p *LogRules) origin(log *swf.Log, in Input, partition bool, t Transforms) (Workload, error) {
	err := log.Invalid()
	if err != nil && p.Invalid == "error" {
		return nil, err
	}
	procs, size := cmp.Or(p.MachineProcs, in.Procs), cmp.Or(p.MachineProcs, log.Header.Procs())
	rules := swf.Rules{Size: p.Size, Walltime: p.Walltime, Overrun: p.Overrun, ZeroRunTime: p.ZeroRunTime, TooLarge: p.TooLarge, Procs: procs}
	if rules.Into, err = p.into(log, in.Platform); err != nil {
		return nil, err
	}
	if log.Grows() {
		if partition || t != logTransforms() || p.Dependencies != "ignore" ||
			p.Replicate.By != "nothing" || p.Size == "property" || len(p.Requests) > 0 {
			return nil, errors.New("the transforms need the whole log")
		}
		return build(&streamed{log: log, procs: size, next: log.Stream(rules)}, t, in)
	}
	prepared, err := log.Prepare(rules)
	if err != nil {
		return nil, err
	}
	o := &logOrigin{log: log, procs: size, jobs: prepared, partition: partition, dependencies: p.Dependencies}
	if err := p.requests(o, in.Platform); err != nil {
		return nil, err
	}
	if p.Replicate.By == "nothing" {
		return build(o, t, in)
	}
	drawn, err := newResampled(o, &p.Replicate, in.Streams)
	if err != nil {
		return nil, err
	}
	return build(drawn, t, in)
}

// logOrigin yields the jobs of a prepared log, which it shares.
type logOrigin struct {
	log          *swf.Log
	procs        int // of the machine, 0 if unknown
	jobs         *swf.Prepared
	requests     []*sim.Request // by position; nil where jobs request nothing
	partition    bool
	dependencies string
}

func (o *logOrigin) info() Info {
	start, _ := o.log.Header.LocalStart()
	i := Info{Name: o.log.Name, Procs: o.procs, Jobs: len(o.jobs.Jobs), Hygiene: o.jobs.Report, Start: start,
		Records: records{o.log}, Requests: o.requests != nil}
	if i.Jobs > 0 {
		i.Last = o.jobs.Jobs[i.Jobs-1].Submit
	}
	return i
}

func (o *logOrigin) pass() sim.Source            { return &chosen{of: o, n: o.size(), choice: choice{n: -1}} }
func (o *logOrigin) size() int                   { return len(o.jobs.Jobs) }
func (o *logOrigin) within(b swf.Bounds) []int32 { return o.jobs.Within(b) }

func (o *logOrigin) at(i int, j *sim.JobSpec) error {
	r := &o.jobs.Jobs[i]
	*j = specOf(r)
	if o.requests != nil {
		j.Request = o.requests[i]
	}
	if o.partition {
		if r.Partition < 1 {
			return fmt.Errorf("%s:%d: field 16 (partition) is %d; home: partition needs cluster numbers from 1", o.log.Name, o.jobs.Line(i),
				r.Partition)
		}
		j.Home = r.Partition - 1
	}
	return nil
}

func specOf(r *swf.Job) sim.JobSpec {
	return sim.JobSpec{ID: r.ID, Submit: r.Submit, RunTime: r.RunTime, Walltime: r.Walltime,
		Procs: r.Procs, User: r.User, Record: r.Record + 1, Partition: r.Into}
}

// streamed yields the jobs of a log that is read while they run.
type streamed struct {
	log   *swf.Log
	procs int
	next  func(*swf.Job) (bool, error)
	job   swf.Job
}

func (o *streamed) info() Info {
	return Info{Name: o.log.Name, Procs: o.procs, Records: records{o.log}}
}

func (o *streamed) pass() sim.Source { return o }

func (o *streamed) Next(j *sim.JobSpec) (bool, error) {
	ok, err := o.next(&o.job)
	*j = specOf(&o.job)
	return ok, err
}

// records are those of a log, as the engine asks for them.
type records struct{ log *swf.Log }

func (r records) Record(n int32) sim.Record {
	of, more := r.log.At(int(n)-1), r.log.Extra(int(n)-1)
	memory := of.RequestedMemory
	if memory > 0 {
		memory *= 1024 // SWF counts in kB
	}
	return sim.Record{Submit: of.Submit, Wait: of.Wait, Memory: memory, ThinkTime: of.ThinkTime, SoftWalltime: more.SoftWalltime,
		Preceding: int64(of.Preceding), User: of.User,
		Group: of.Group, Account: more.Account, Queue: of.Queue, Partition: of.Partition, Property: more.Property,
		Nodes: more.Nodes, GPUs: more.GPUs}
}

func (r records) Wait(n int32) float64 { return r.log.At(int(n) - 1).Wait }

func (r records) Waits() bool { return r.log.Waits() }

func (r records) Names() sim.Names { return r.log.Names }

func (r records) Calendar() (start time.Time, zone string) {
	start, _ = r.log.Header.LocalStart()
	return start, r.log.Header.Get("TimeZoneString")
}

// TableFile names the table of the jobs, and the rows. It is the part of the kind's
// parameters by which logs are shared.
type TableFile struct {
	Path string `sweep:"path" doc:"the table: CSV and the like (also .gz), PBS accounting, JSON, Parquet" required:"true" file:"input"`
	Map  string `sweep:"map" doc:"column map: the name of a shipped one, or a YAML file (schedsweep workload map)" required:"true" file:"input"`
	Zone string `sweep:"zone" doc:"clock of times without a zone, such as Europe/Rome, UTC or UTC-7; empty: the map's"`
	From string `sweep:"from" doc:"date from which submissions count, and time 0; empty: the first submission's"`
	To   string `sweep:"to" doc:"date before which submissions count; empty: all"`
}

type TableParams struct {
	TableFile
	LogRules
	Transforms
}

// Version is that of [LogParams].
func (p *TableParams) Version() int { return p.LogRules.version() + p.Select.version() }

// Needs is that of [LogParams].
func (p *TableParams) Needs(report func(missing, field, message string)) {
	p.LogRules.Needs(report)
	p.Transforms.needs(logTransforms(), report)
}

func (p *TableParams) Validate(report func(field, message string)) {
	if p.Path == "" {
		report("path", "is empty; name a table")
	}
	if p.Map == "" {
		report("map", "is empty; name a column map")
	}
	if p.Size == "property" {
		report("size", "is property, which is for logs of 21 fields; take another")
	}
	p.LogRules.validate(report, &p.Transforms)
	p.Transforms.Validate(report)
}

func init() {
	AddVersion(logVersion, "table", "A job log in a table, such as an accounting dump or a published data set, by a column map.",
		TableParams{LogRules: defaultRules(), Transforms: logTransforms()}, func(p *TableParams, in Input) (Workload, error) {
			if in.Table == nil {
				return nil, fmt.Errorf("table: there is no access to tables, so %q cannot be read", p.Path)
			}
			log, err := in.Table(p.TableFile)
			if err != nil {
				return nil, err
			}
			return p.origin(log, in, false, p.Transforms)
		})
}
