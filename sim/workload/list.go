package workload

import (
	"cmp"
	"fmt"
	"slices"

	"schedsweep/sim"
	"schedsweep/sim/workload/swf"
)

type ListParams struct {
	Jobs []ListedJob `sweep:"jobs" doc:"the jobs" required:"true"`
	Transforms
}

type ListedJob struct {
	ID            int64         `sweep:"id" doc:"the job's number; 0: its position"`
	Submit        float64       `sweep:"submit" doc:"submit time" unit:"s" min:"0" max:"1e10"`
	RunTime       float64       `sweep:"run_time" doc:"run time" unit:"s" min:"0" max:"1e10"`
	Walltime      float64       `sweep:"walltime" doc:"walltime; 0: the run time" unit:"s" min:"0" max:"1e10"`
	Processors    int           `sweep:"processors" doc:"number of processors; 0: one" min:"0" max:"2147483647"`
	Home          int           `sweep:"home" doc:"home cluster, from 0" min:"0" max:"2147483647"`
	User          int           `sweep:"user" doc:"the user's number; 0: unknown" min:"-1" max:"2147483647"`
	Flops         float64       `sweep:"flops" doc:"computation per processor" unit:"flop" min:"0" finite:"yes"`
	Bytes         float64       `sweep:"bytes" doc:"communication per ordered pair of processors" unit:"B" min:"0" finite:"yes"`
	Bandwidth     float64       `sweep:"bandwidth" doc:"bandwidth that each processor requests of the links between clusters" unit:"B/s" min:"0" finite:"yes"`
	Communication float64       `sweep:"communication" unit:"share" doc:"share of the run time that is communication" min:"0" max:"1"`
	Application   string        `sweep:"application" doc:"the program that the job runs"`
	Share         float64       `sweep:"share" unit:"share" doc:"share of its processors that the job asks for; 0: the policy's" min:"0" max:"1"`
	ReservedStart float64       `sweep:"reserved_start" doc:"start time that an agreement elsewhere fixes; 0: none" unit:"s" min:"0" max:"1e10"`
	Priority      int           `sweep:"priority" doc:"larger values go first" min:"-2147483648" max:"2147483647"`
	Partition     string        `sweep:"partition" doc:"partition of platform.partitions; none: the default one"`
	Request       ListedRequest `sweep:"request" doc:"request besides processors, on a platform with nodes"`
	Sites         int           `sweep:"sites" doc:"number of clusters that the job runs on at once; 0: one" min:"0" max:"2147483647"`
}

// Version is one higher where jobs ask for shares. Under scojo, rounding could leave a bit of a site beside these.
func (p *ListParams) Version() int {
	if slices.ContainsFunc(p.Jobs, func(j ListedJob) bool { return j.Share > 0 }) {
		return p.Select.version() + 1
	}
	return p.Select.version()
}

func (p *ListParams) Validate(report func(field, message string)) {
	if len(p.Jobs) == 0 {
		report("jobs", "is empty; list at least one job")
	}
	for i := range p.Jobs {
		j := &p.Jobs[i]
		field := func(name string) string { return fmt.Sprintf("jobs[%d].%s", i, name) }
		if j.ReservedStart > 0 && j.ReservedStart < j.Submit {
			report(field("reserved_start"), fmt.Sprintf("is %g, before the job is submitted at %g", j.ReservedStart, j.Submit))
		}
		if j.RunTime == 0 && j.Walltime == 0 {
			report(field("walltime"), "is 0 and so is the run time; a walltime must be above 0")
		}
	}
	p.Transforms.Validate(report)
}

func init() {
	Add("list", "Jobs written out in the manifest.",
		ListParams{Transforms: DefaultTransforms()}, func(p *ListParams, in Input) (Workload, error) {
			o, err := newListOrigin(p.Jobs, in.Platform)
			if err != nil {
				return nil, err
			}
			return build(o, p.Transforms, in)
		})
}

// FromSource makes a workload of a kind that another package adds. info holds the facts known of its jobs. pass
// begins anew at the first of these jobs, in order of submission and the same each time. Several goroutines call
// pass.
func FromSource(info Info, pass func() sim.Source, t Transforms, in Input) (Workload, error) {
	if err := check(info.Name, t.Validate); err != nil {
		return nil, err
	}
	return build(&foreign{info, pass}, t, in)
}

type foreign struct {
	of     Info
	passes func() sim.Source
}

func (o *foreign) info() Info       { return o.of }
func (o *foreign) pass() sim.Source { return o.passes() }

func sorted(jobs []sim.JobSpec) []sim.JobSpec {
	slices.SortStableFunc(jobs, func(a, b sim.JobSpec) int { return cmp.Compare(a.Submit, b.Submit) })
	return jobs
}

type listOrigin struct {
	name     string
	procs    int // of the machine that they are for, 0 if unknown
	requests bool
	jobs     []sim.JobSpec
}

func newListOrigin(listed []ListedJob, on *sim.Platform) (*listOrigin, error) {
	requests, jobs := false, make([]sim.JobSpec, len(listed))
	for i := range listed {
		l := &listed[i]
		j := sim.JobSpec{ID: l.ID, Submit: l.Submit, RunTime: l.RunTime, Walltime: l.Walltime, Procs: int32(max(1, l.Processors)),
			Home: int32(l.Home), User: int32(cmp.Or(l.User, -1)), Flops: l.Flops, Bytes: l.Bytes, Bandwidth: l.Bandwidth,
			Communication: l.Communication, Application: l.Application, Share: l.Share, ReservedStart: l.ReservedStart,
			Priority: int32(l.Priority), Sites: int32(l.Sites)}
		j.ID = cmp.Or(j.ID, int64(i+1))
		j.Walltime = cmp.Or(j.Walltime, j.RunTime)
		var err error
		if j.Partition, err = partitionNamed(on, l.Partition); err != nil {
			return nil, fmt.Errorf("workload.jobs[%d].partition: %w", i, err)
		}
		at := fmt.Sprintf("workload.jobs[%d].request", i)
		if j.Request, err = l.Request.request(on); err == nil && j.Request != nil {
			requests, err = true, on.Satisfies(&j)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", at, err)
		}
		jobs[i] = j
	}
	if on != nil {
		for i, q := range on.Partitions {
			if !q.Default && !slices.ContainsFunc(jobs, func(j sim.JobSpec) bool { return j.Partition == int32(i+1) }) {
				return nil, fmt.Errorf("platform.partitions.%s: no job uses this partition; give a job in workload.jobs this partition, mark it as "+
					"the default, or drop it", q.Name)
			}
		}
	}
	return &listOrigin{name: "list", jobs: sorted(jobs), requests: requests}, nil
}

func (o *listOrigin) info() Info {
	return Info{Name: o.name, Procs: o.procs, Jobs: len(o.jobs), Requests: o.requests}
}
func (o *listOrigin) pass() sim.Source { return &chosen{of: o, n: o.size(), choice: choice{n: -1}} }
func (o *listOrigin) size() int        { return len(o.jobs) }

func (o *listOrigin) at(i int, j *sim.JobSpec) error {
	*j = o.jobs[i]
	return nil
}

func (o *listOrigin) within(b swf.Bounds) []int32 {
	at := []int32{}
	for i := range o.jobs {
		if j := &o.jobs[i]; b.Have(j.Submit, j.RunTime, j.Procs) {
			at = append(at, int32(i))
		}
	}
	return at
}
