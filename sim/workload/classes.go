package workload

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"schedsweep/sim"
)

type ClassesParams struct {
	Jobs     int        `sweep:"jobs" min:"0" doc:"number of jobs in all, in proportion to the jobs of the classes; 0: the sum of these" max:"10000000"`
	Classes  []JobClass `sweep:"classes" required:"true" doc:"classes of jobs that are alike"`
	Arrivals []Arrivals `sweep:"arrivals" required:"true" doc:"arrival rules"`
	Transforms
}

type JobClass struct {
	Name         string     `sweep:"name" identity:"no" doc:"name of the class"`
	Jobs         int        `sweep:"jobs" min:"0" doc:"number of jobs; 0: one" max:"10000000"`
	RunTime      [2]float64 `sweep:"run_time" unit:"s" required:"true" doc:"bounds of the run times, uniform" above:"0" finite:"yes"`
	Processors   [2]float64 `sweep:"processors" doc:"bounds of the sizes, uniform among whole numbers; [0, 0]: one"`
	Applications []string   `sweep:"applications" doc:"the programs, one drawn for each job"`
	// Priority, Share and Sites are those of [sim.JobSpec]; Sites only of CrossSite
	// jobs, which are drawn.
	Priority  int     `sweep:"priority" doc:"larger values go first" min:"-2147483648" max:"2147483647"`
	Share     float64 `sweep:"share" unit:"share" min:"0" max:"1" doc:"share of its processors that a job asks for; 0: the policy's"`
	CrossSite int     `sweep:"cross_site" min:"0" doc:"number of jobs, drawn at random, that run on several clusters at once" max:"2147483647"`
	Sites     int     `sweep:"sites" min:"0" doc:"number of clusters that these run on" max:"2147483647"`
	// Arrivals names the arrivals, "" the first; jobs that have the same share their
	// places, those of lower Rank before others and those of one rank shuffled.
	Arrivals string `sweep:"arrivals" doc:"name of an arrival rule; default: the first"`
	Rank     int    `sweep:"rank" doc:"place among classes that come alike: lower ones first, equal ones shuffled"`
}

// Arrivals are a way in which jobs come. Times are in s.
type Arrivals struct {
	Name   string  `sweep:"name" doc:"name of the arrival rule"`
	Rule   string  `sweep:"rule" default:"even" enum:"even: equally spread over a time|uniform: at random within a time|periodic: one every period|poisson: one every period in the mean, exponential|bursts: bursts every period, in which jobs come one gap after another" doc:"the rule"`
	From   float64 `sweep:"from" min:"0" unit:"s" doc:"start of the arrivals" finite:"yes"`
	Over   float64 `sweep:"over" min:"0" unit:"s" doc:"the time of even and uniform" finite:"yes"`
	Period float64 `sweep:"period" min:"0" unit:"s" doc:"from job to job, or from burst to burst" finite:"yes"`
	Bursts int     `sweep:"bursts" min:"0" doc:"number of bursts, to which jobs are dealt out in turns; 0: the number of jobs of the first class with these arrivals"`
	Gap    float64 `sweep:"gap" min:"0" unit:"s" doc:"from job to job within a burst" finite:"yes"`
}

// Needs refuses fields of other rules where an arrival rule is not given, and clusters for no jobs.
func (p *ClassesParams) Needs(report func(missing, field, message string)) {
	for i, a := range p.Arrivals {
		at := fmt.Sprintf("arrivals[%d]", i)
		if a.Rule == "even" && a.Over > 0 && (a.Period > 0 || a.Bursts > 0 || a.Gap > 0) {
			report(at+".rule", at, "names no rule, and the rule even uses over alone; add rule, or drop period, bursts and gap")
		}
	}
	for i, c := range p.Classes {
		at := fmt.Sprintf("classes[%d]", i)
		if c.CrossSite == 0 && c.Sites > 0 {
			report(at+".cross_site", at+".sites", fmt.Sprintf("is %d, and no job runs on several clusters; give cross_site, or drop it", c.Sites))
		}
	}
	p.Transforms.Needs(report)
}

func (p *ClassesParams) Validate(report func(field, message string)) {
	names := map[string]bool{"": true}
	for i, a := range p.Arrivals {
		field := func(name string) string { return fmt.Sprintf("arrivals[%d].%s", i, name) }
		if a.Name != "" && names[a.Name] {
			report(field("name"), fmt.Sprintf("is %q, as another's", a.Name))
		}
		names[a.Name] = true
		if i > 0 && a.Name == "" {
			report(field("name"), "is empty, and classes without arrivals have the first ones; give the others a name")
		}
		switch a.Rule {
		case "even", "uniform":
			if a.Over == 0 && a.Period > 0 {
				report(field("over"), fmt.Sprintf("is 0, so all jobs come at once, and the rule %s has no period; give over", a.Rule))
			}
		case "periodic", "poisson":
			if a.Period == 0 && a.Over > 0 {
				report(field("period"), fmt.Sprintf("is 0, so all jobs come at once, and the rule %s has no over; give period", a.Rule))
			}
		}
	}
	for _, list := range []struct {
		name string
		n    int
	}{{"classes", len(p.Classes)}, {"arrivals", len(p.Arrivals)}} {
		if list.n == 0 {
			report(list.name, "is empty; list at least one")
		}
	}
	for i, n := range p.counts() {
		p.Classes[i].validate(fmt.Sprintf("classes[%d].", i), n, names, report)
	}
	p.Transforms.Validate(report)
}

func (c *JobClass) validate(prefix string, jobs int, arrivals map[string]bool, report func(field, message string)) {
	if c.Processors != [2]float64{} {
		WholeRange(report, prefix+"processors", c.Processors, 1)
	}
	if c.CrossSite > 0 && c.Sites < 2 {
		report(prefix+"sites", fmt.Sprintf("is %d; jobs that run on several clusters need at least 2", c.Sites))
	}
	if c.CrossSite > jobs {
		report(prefix+"cross_site", fmt.Sprintf("is %d, and the class has %d of the jobs; take at most as many", c.CrossSite, jobs))
	}
	if !arrivals[c.Arrivals] {
		report(prefix+"arrivals", fmt.Sprintf("is %q, which no arrivals are called", c.Arrivals))
	}
}

func (c *JobClass) size() (lo, hi float64) {
	if c.Processors == [2]float64{} {
		return 1, 1
	}
	return c.Processors[0], c.Processors[1]
}

func init() {
	Add("classes", "Classes of jobs with counts and bounds of their run times, in an order drawn, that come spread, at random, regularly "+
		"or in bursts.",
		ClassesParams{Transforms: DefaultTransforms()}, func(p *ClassesParams, in Input) (Workload, error) {
			jobs := p.draw(in.Streams) // every replication has its own, unlike the jobs of a list
			pass := func() sim.Source { return new(sim.JobList(jobs)) }
			return build(&foreign{Info{Name: "classes", Jobs: len(jobs)}, pass}, p.Transforms, in)
		})
}

func (p *ClassesParams) counts() []int {
	out, rest, sum := make([]int, len(p.Classes)), make([]float64, len(p.Classes)), 0
	for i := range p.Classes {
		out[i] = max(1, p.Classes[i].Jobs)
		sum += out[i]
	}
	if p.Jobs == 0 || sum == 0 {
		return out
	}
	left := p.Jobs
	for i := range out {
		exact := float64(out[i]) * float64(p.Jobs) / float64(sum)
		out[i] = int(exact)
		rest[i] = exact - float64(out[i])
		left -= out[i]
	}
	order := sim.Ranked(len(out), func(a, b int) int { return cmp.Compare(rest[b], rest[a]) })
	for _, i := range order[:left] {
		out[i]++
	}
	return out
}

type ranked struct {
	sim.JobSpec
	rank int
}

// draw makes the jobs, in order of submission. Each class and each arrivals have
// streams of their own.
func (p *ClassesParams) draw(streams sim.Streams) []sim.JobSpec {
	coming, rules := make([][]ranked, len(p.Arrivals)), slices.Clone(p.Arrivals)
	for i, n := range p.counts() {
		c := &p.Classes[i]
		at := max(0, slices.IndexFunc(p.Arrivals, func(a Arrivals) bool { return a.Name == c.Arrivals }))
		rules[at].Bursts = cmp.Or(rules[at].Bursts, n)
		coming[at] = append(coming[at], c.draw(n, streams, strconv.Itoa(i))...)
	}
	var all []sim.JobSpec
	for i := range p.Arrivals {
		jobs, part := coming[i], strconv.Itoa(i)
		streams.New("order", part).Shuffle(len(jobs), func(a, b int) { jobs[a], jobs[b] = jobs[b], jobs[a] })
		slices.SortStableFunc(jobs, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
		for k, at := range rules[i].times(len(jobs), streams.New("arrivals", part)) {
			jobs[k].Submit = at
			all = append(all, jobs[k].JobSpec)
		}
	}
	sorted(all)
	for i := range all {
		all[i].ID = int64(i + 1)
	}
	return all
}

// draw makes n jobs of the class that have no time yet.
func (c *JobClass) draw(n int, streams sim.Streams, part string) []ranked {
	runTimes, sizes, programs := streams.New("runtimes", part), streams.New("sizes", part), streams.New("applications", part)
	out := make([]ranked, n)
	lo, hi := c.size()
	for i := range out {
		run := c.RunTime[0] + (c.RunTime[1]-c.RunTime[0])*runTimes.Float64()
		j := sim.JobSpec{RunTime: run, Walltime: run, Procs: int32(lo) + sizes.Int32N(int32(hi-lo)+1), User: -1, Priority: int32(c.Priority),
			Share: c.Share}
		if len(c.Applications) > 0 {
			j.Application = c.Applications[programs.IntN(len(c.Applications))]
		}
		out[i] = ranked{j, c.Rank}
	}
	for _, i := range streams.New("cross-site", part).Perm(n)[:min(c.CrossSite, n)] {
		out[i].Sites = int32(c.Sites)
	}
	return out
}

func (a *Arrivals) times(n int, r *rand.Rand) []float64 {
	out := make([]float64, n)
	last := a.From
	for k := range out {
		switch a.Rule {
		case "uniform":
			out[k] = a.From + a.Over*r.Float64()
		case "periodic":
			out[k] = a.From + float64(k)*a.Period
		case "poisson":
			last += a.Period * r.ExpFloat64()
			out[k] = last
		case "bursts":
			out[k] = a.From + float64(k%a.Bursts)*a.Period + float64(k/a.Bursts)*a.Gap
		default:
			out[k] = a.From + float64(k)*a.Over/float64(n)
		}
	}
	if a.Rule == "uniform" {
		slices.Sort(out)
	}
	return out
}
