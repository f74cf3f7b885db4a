package workload

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"schedsweep/sim"
	"schedsweep/sim/workload/swf"
)

type GridParams struct {
	Logs        []GridLog `sweep:"logs" doc:"the logs, in the order of their home clusters" required:"true"`
	Overrun     string    `sweep:"overrun" doc:"run times above the walltime" enum:"cut: cut there|keep: kept"`
	ZeroRunTime string    `sweep:"zero_run_time" doc:"run times of 0 s and less" enum:"drop: the job is left out|one-second: run time and walltime become 1 s|keep: they run for 0 s, with a walltime of 1 s if none is known"`
	TooLarge    string    `sweep:"too_large" doc:"jobs larger than their home cluster" enum:"drop: left out and counted|cap: they become as large as it|error: an error"`
	Invalid     string    `sweep:"invalid" doc:"lines that cannot be read" enum:"error: an error|skip: left out and counted"`
	Transforms
}

// Version changes with the selection.
func (p *GridParams) Version() int { return p.Select.version() }

type GridLog struct {
	Path       string `sweep:"path" doc:"the log, .swf or .swf.gz" required:"true" file:"input"`
	Processors int    `sweep:"processors" doc:"processors of the home cluster; 0: the log's" min:"0" max:"2147483647"`
}

// Needs is that of the transforms of logs.
func (p *GridParams) Needs(report func(missing, field, message string)) {
	p.Transforms.needs(logTransforms(), report)
}

func (p *GridParams) Validate(report func(field, message string)) {
	if len(p.Logs) == 0 {
		report("logs", "is empty; name at least one log")
	}
	for i, l := range p.Logs {
		if l.Path == "" {
			report(fmt.Sprintf("logs[%d].path", i), "is empty; name an .swf or .swf.gz file")
		}
	}
	if p.RoundRobinHomes > 0 {
		report("round_robin_homes", "sets the home clusters, and so do the logs; drop one of the two")
	}
	p.Transforms.Validate(report)
}

func init() {
	AddVersion(logVersion, "grid",
		"Job logs of several clusters, each the home of its own log's jobs, merged by time from the first submission of each.",
		GridParams{Overrun: "cut", ZeroRunTime: "drop", TooLarge: "drop", Invalid: "error", Transforms: logTransforms()}, newGrid)
}

func newGrid(p *GridParams, in Input) (Workload, error) {
	if in.Log == nil {
		return nil, fmt.Errorf("grid: there is no access to logs, so %q cannot be read", p.Logs[0].Path)
	}
	o := &gridOrigin{}
	for _, l := range p.Logs {
		log, err := in.Log(l.Path)
		if err != nil {
			return nil, err
		}
		if err := log.Invalid(); err != nil && p.Invalid == "error" {
			return nil, err
		}
		procs := cmp.Or(l.Processors, log.Header.Procs())
		if procs == 0 {
			return nil, fmt.Errorf("grid: the header of %s does not say how many processors its cluster has; give workload.logs[].processors",
				log.Name)
		}
		jobs, err := log.Prepare(swf.Rules{Size: "requested-else-allocated", Walltime: "requested-else-run-time",
			Overrun: p.Overrun, ZeroRunTime: p.ZeroRunTime, TooLarge: p.TooLarge, Procs: procs})
		if err != nil {
			return nil, err
		}
		o.logs, o.names, o.procs = append(o.logs, jobs), append(o.names, log.Name), o.procs+procs
	}
	o.merge()
	return build(o, p.Transforms, in)
}

// gridOrigin yields the jobs of prepared logs, which it shares. It keeps 8 bytes
// a job.
type gridOrigin struct {
	logs  []*swf.Prepared
	names []string
	procs int
	order []gridPlace
}

type gridPlace struct{ log, job int32 }

// submit is a job's time since the first submission of its log.
func (o *gridOrigin) submit(p gridPlace) float64 {
	jobs := o.logs[p.log].Jobs
	return jobs[p.job].Submit - jobs[0].Submit
}

// merge puts the jobs in order of time, those of one instant in order of the
// clusters. O(n log n).
func (o *gridOrigin) merge() {
	for l, log := range o.logs {
		for i := range log.Jobs {
			o.order = append(o.order, gridPlace{int32(l), int32(i)})
		}
	}
	slices.SortStableFunc(o.order, func(a, b gridPlace) int { return cmp.Compare(o.submit(a), o.submit(b)) })
}

func (o *gridOrigin) info() Info {
	all := &swf.Report{Log: strings.Join(o.names, " + ")}
	for l, log := range o.logs {
		all.Read, all.Jobs = all.Read+log.Report.Read, all.Jobs+log.Report.Jobs
		for _, f := range log.Report.Findings {
			f.Kind = o.names[l] + ": " + f.Kind
			all.Findings = append(all.Findings, f)
		}
	}
	return Info{Name: all.Log, Procs: o.procs, Jobs: len(o.order), Hygiene: all}
}

func (o *gridOrigin) pass() sim.Source { return &chosen{of: o, n: o.size(), choice: choice{n: -1}} }
func (o *gridOrigin) size() int        { return len(o.order) }

// at numbers the jobs by their places, and the users so that those of two logs
// differ.
func (o *gridOrigin) at(i int, j *sim.JobSpec) error {
	p := o.order[i]
	r := &o.logs[p.log].Jobs[p.job]
	*j = sim.JobSpec{ID: int64(i + 1), Submit: o.submit(p), RunTime: r.RunTime, Walltime: r.Walltime, Procs: r.Procs, Home: p.log,
		User: r.User}
	if r.User >= 0 {
		user := int64(r.User)*int64(len(o.logs)) + int64(p.log)
		if user > math.MaxInt32 {
			return fmt.Errorf("grid: %s:%d: the user's number %d is too large to differ from the numbers of the other logs",
				o.names[p.log], o.logs[p.log].Line(int(p.job)), r.User)
		}
		j.User = int32(user)
	}
	return nil
}

func (o *gridOrigin) within(b swf.Bounds) []int32 {
	at := []int32{}
	for i, p := range o.order {
		r := &o.logs[p.log].Jobs[p.job]
		if b.Have(o.submit(p), r.RunTime, r.Procs) {
			at = append(at, int32(i))
		}
	}
	return at
}
