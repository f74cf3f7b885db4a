package workload

import (
	"fmt"
	"math"
)

// Transforms change a workload's jobs; every kind has them. The package comment
// gives the order in which they apply.
type Transforms struct {
	Select Select `sweep:"select" doc:"which jobs are taken"`
	Submit string `sweep:"submit" doc:"submit times" enum:"as-is: as they are|zero: all 0"`
	// Shift says whether the first job taken is submitted at 0: auto does so
	// where a piece was cut out (select.window, select.skip or a window of jobs).
	Shift      string  `sweep:"shift" doc:"move submit times so that the first is 0" enum:"auto: where a piece was cut out|always: in any case|never: not at all"`
	LoadFactor float64 `sweep:"load_factor" doc:"divides the times between submissions" above:"0"`
	// OfferedLoad is the load to scale submit times to: the processor-seconds of
	// all jobs over the machine's from the first to the last submission. 0 is
	// off. It takes one more pass over the jobs.
	OfferedLoad           float64   `sweep:"offered_load" doc:"scale submit times to this load of the machine; 0: off" min:"0"`
	RunTimeFactor         float64   `sweep:"run_time_factor" doc:"multiplies run times and walltimes" above:"0"`
	SizeFactor            float64   `sweep:"size_factor" doc:"multiplies the processors, rounded, at least 1" above:"0"`
	Jitter                float64   `sweep:"jitter" doc:"moves each submission by up to this, either way" unit:"s" min:"0"`
	WalltimeFactor        float64   `sweep:"walltime_factor" doc:"multiplies walltimes" above:"0"`
	WalltimeMinimumFactor float64   `sweep:"walltime_minimum_factor" doc:"walltimes are at least the run time times this; 0: off" min:"0"`
	ComputationFactor     float64   `sweep:"computation_factor" doc:"flop per processor and second of run time; 0: as the workload says" min:"0"`
	CommunicationFactor   float64   `sweep:"communication_factor" doc:"B per ordered pair of processors and second of run time; 0: as the workload says" min:"0"`
	Estimates             Estimates `sweep:"estimates" doc:"where walltimes come from"`
	Slowdowns             Slowdowns `sweep:"slowdowns" doc:"how jobs bear sharing nodes, and grow by it"`
	Messages              Messages  `sweep:"messages" doc:"what jobs ask of the links between clusters"`
	CrossSite             CrossSite `sweep:"cross_site" doc:"which jobs run on several clusters at once, for policies that go by whole clusters"`
	RoundRobinHomes       int       `sweep:"round_robin_homes" doc:"deal jobs out to so many home clusters in turn; 0: as the workload says" min:"0"`
}

// Select says which jobs are taken.
type Select struct {
	// Jobs is how many, 0 for all. Asking for more than there are is an error.
	Jobs          int        `sweep:"jobs" doc:"how many jobs; 0: all" min:"0"`
	Skip          int        `sweep:"skip" doc:"leave out so many first" min:"0"`
	Window        [2]float64 `sweep:"window" doc:"bounds of submit times" unit:"s"`
	RunTime       [2]float64 `sweep:"run_time" doc:"bounds of run times" unit:"s"`
	Processors    [2]float64 `sweep:"processors" doc:"bounds of sizes"`
	MaxProcessors int        `sweep:"max_processors" doc:"largest size; 0: any" min:"0"`
	// Sample is how Jobs are picked: random, a random sample of distinct jobs in
	// order of the log; window, a random contiguous run of them; disjoint-windows,
	// such a run that no other replication shares a job with, so that there are no
	// more replications than windows; or the first. It says nothing where all jobs
	// are taken. All but the first depend on the replication.
	Sample string `sweep:"sample" doc:"how the jobs are picked" enum:"random: single jobs at random|window: a contiguous window at random|disjoint-windows: windows that no two replications share|first: the first"`
}

// everything is the range without bounds.
func everything() [2]float64 { return [2]float64{math.Inf(-1), math.Inf(1)} }

// DefaultTransforms are the transforms that change nothing.
func DefaultTransforms() Transforms {
	return Transforms{
		Select:     Select{Window: everything(), RunTime: everything(), Processors: everything(), Sample: "random"},
		Submit:     "as-is",
		Shift:      "auto",
		LoadFactor: 1, RunTimeFactor: 1, SizeFactor: 1, WalltimeFactor: 1,
		Estimates: defaultEstimates(), Slowdowns: defaultSlowdowns(), Messages: defaultMessages(), CrossSite: CrossSite{Sites: [2]float64{2, 2}},
	}
}

// logTransforms are those of logs, of which a window is taken: single jobs drawn
// from years of log offer a small part of its load.
func logTransforms() Transforms {
	t := DefaultTransforms()
	t.Select.Sample = "window"
	return t
}

// maxOfferedLoad is the load above which percent must be meant: studies end at two
// or three times the machine.
const maxOfferedLoad = 10

// Validate checks the transforms and the rules between them.
func (t *Transforms) Validate(report func(field, message string)) {
	for _, f := range []struct {
		name  string
		value float64
		zero  bool
	}{
		{"load_factor", t.LoadFactor, false}, {"run_time_factor", t.RunTimeFactor, false},
		{"size_factor", t.SizeFactor, false}, {"walltime_factor", t.WalltimeFactor, false},
		{"offered_load", t.OfferedLoad, true}, {"jitter", t.Jitter, true},
		{"walltime_minimum_factor", t.WalltimeMinimumFactor, true},
		{"computation_factor", t.ComputationFactor, true}, {"communication_factor", t.CommunicationFactor, true},
	} {
		if !(f.value > 0 || f.zero && f.value == 0) || math.IsInf(f.value, 1) {
			bound := "above 0"
			if f.zero {
				bound = "at least 0"
			}
			report(f.name, fmt.Sprintf("is %g; it must be finite and %s", f.value, bound))
		}
	}
	if t.OfferedLoad > maxOfferedLoad {
		report("offered_load", fmt.Sprintf("%g is %g times what the machine can do; a load of %g %% is %g (load_factor scales without a limit)", t.OfferedLoad, t.OfferedLoad, t.OfferedLoad, t.OfferedLoad/100))
	}
	oneOf(report, "submit", t.Submit, "as-is", "zero")
	oneOf(report, "shift", t.Shift, "auto", "always", "never")
	if t.RoundRobinHomes < 0 {
		report("round_robin_homes", fmt.Sprintf("is %d; it must be at least 0", t.RoundRobinHomes))
	}
	if t.Submit == "zero" && (t.OfferedLoad > 0 || t.Jitter > 0) {
		report("submit", "zero leaves no submit times for offered_load or jitter to change; drop one of them")
	}
	t.Select.validate(report)
	t.Estimates.validate(report)
	t.Slowdowns.validate(report)
	t.Messages.validate(report)
	t.CrossSite.validate(report)
}

func (s *Select) validate(report func(field, message string)) {
	for _, n := range []struct {
		name  string
		value int
	}{{"jobs", s.Jobs}, {"skip", s.Skip}, {"max_processors", s.MaxProcessors}} {
		if n.value < 0 {
			report("select."+n.name, fmt.Sprintf("is %d; it must be at least 0", n.value))
		}
	}
	for _, r := range []struct {
		name  string
		value [2]float64
	}{{"window", s.Window}, {"run_time", s.RunTime}, {"processors", s.Processors}} {
		if !(r.value[0] <= r.value[1]) {
			report("select."+r.name, fmt.Sprintf("is [%g, %g]; the first bound must not be above the second", r.value[0], r.value[1]))
		}
	}
	oneOf(report, "select.sample", s.Sample, "random", "window", "disjoint-windows", "first")
	if s.Jobs == 0 && s.Sample == "disjoint-windows" {
		report("select.sample", "disjoint-windows needs select.jobs, the length of a window")
	}
}

func oneOf(report func(field, message string), field, value string, of ...string) {
	for _, o := range of {
		if value == o {
			return
		}
	}
	report(field, fmt.Sprintf("is %q; it must be one of %q", value, of))
}
