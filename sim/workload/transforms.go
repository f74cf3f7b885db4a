package workload

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"schedsweep/sim"
)

// Transforms change a workload's jobs; every kind has them, and those of
// [StudyTransforms] besides. The package comment
// gives the order in which they apply.
type Transforms struct {
	Select Select `sweep:"select" doc:"jobs that are taken"`
	// WarmUp and CoolDown are the first and the last of the jobs taken; they are
	// simulated like the others and no metric counts them.
	WarmUp   Edge   `sweep:"warm_up" doc:"the first jobs taken, which are simulated and not measured"`
	CoolDown Edge   `sweep:"cool_down" doc:"the last jobs taken, which are simulated and not measured"`
	Submit   string `sweep:"submit" doc:"submit times" enum:"as-is: as they are|zero: all 0"`
	// Shift reports whether the first job taken is submitted at 0: auto does so
	// where a piece was cut out (select.window, select.skip or a window of jobs).
	Shift      string  `sweep:"shift" doc:"move submit times so that the first is 0" enum:"auto: only for jobs cut out of a log|always: in any case|never: not at all"`
	LoadFactor float64 `sweep:"load_factor" doc:"divides the times between submissions, after offered_load" above:"0" finite:"yes"`
	// OfferedLoad is the load to scale submit times to: the processor-seconds of
	// all jobs over the machine's from the first to the last submission. 0 is
	// off. It takes one more pass over the jobs that OfferedLoadOf names, if any. Scaling
	// each replication of a model to exactly the load would make short runs calmer than
	// long ones, because what varies from day to day is levelled out.
	OfferedLoad           float64   `sweep:"offered_load" unit:"share" doc:"scale submit times to this load of the machine; 0: off" min:"0"`
	OfferedLoadOf         string    `sweep:"offered_load_of" doc:"load that offered_load scales" enum:"log: the load of all jobs from which select takes a window, not of the window; a random sample has its own|selection: the load of the jobs taken|model: the load expected of a model, not of a replication; not where select or a transform of a study changes the set of jobs"`
	RunTimeFactor         float64   `sweep:"run_time_factor" doc:"multiplies run times and walltimes" above:"0" finite:"yes"`
	SizeFactor            float64   `sweep:"size_factor" doc:"multiplies the processors, rounded, at least 1" above:"0" finite:"yes"`
	Jitter                float64   `sweep:"jitter" doc:"moves each submission by up to this, either way; not before 0" unit:"s" min:"0" finite:"yes"`
	WalltimeFactor        float64   `sweep:"walltime_factor" doc:"multiplies walltimes, after estimates has set them" above:"0" finite:"yes"`
	WalltimeMinimumFactor float64   `sweep:"walltime_minimum_factor" doc:"walltimes are at least the run time times this; 0: off" min:"0" finite:"yes"`
	ComputationFactor     float64   `sweep:"computation_factor" doc:"flop per processor and second of run time; 0: as the workload says" min:"0" finite:"yes"`
	CommunicationFactor   float64   `sweep:"communication_factor" doc:"B per ordered pair of processors and second of run time; 0: as the workload says" min:"0" finite:"yes"`
	Estimates             Estimates `sweep:"estimates" doc:"source of walltimes"`
	RoundRobinHomes       int       `sweep:"round_robin_homes" doc:"number of home clusters that receive jobs in turn; 0: as the workload says" min:"0"`
}

// Select chooses the jobs that are taken.
type Select struct {
	// Jobs is the number of jobs, 0 for all. Asking for more than there are is an error.
	Jobs          int        `sweep:"jobs" doc:"number of jobs; 0: all" min:"0"`
	Skip          int        `sweep:"skip" doc:"number of first jobs to leave out; the run-up of a window may contain them" min:"0"`
	Window        [2]float64 `sweep:"window" doc:"bounds of submit times" unit:"s"`
	RunTime       [2]float64 `sweep:"run_time" doc:"bounds of run times" unit:"s"`
	Processors    [2]float64 `sweep:"processors" doc:"bounds of sizes"`
	MaxProcessors int        `sweep:"max_processors" doc:"largest size; 0: any" min:"0"`
	// RunUp and RunOut are how many jobs before and behind the window taken, within
	// the other bounds and as far as the log reaches, are simulated and not measured:
	// a window begins on the machine that its log had, and not on an empty one. They
	// do nothing for single jobs, and none are taken where all are submitted at 0.
	RunUp  int `sweep:"run_up" doc:"jobs before the window taken that are simulated and not measured" min:"0"`
	RunOut int `sweep:"run_out" doc:"jobs behind it that are simulated and not measured" min:"0"`
	// Sample is the method that picks Jobs. random picks a random sample of distinct jobs in order of the log; window picks a
	// random contiguous run of jobs. disjoint-windows picks such a run that no other replication shares a job with, so
	// that there are no more replications than windows. first picks the first jobs. Sample has no effect where all jobs
	// are taken. All but the first depend on the replication.
	Sample string `sweep:"sample" doc:"method that picks the jobs" enum:"random: single jobs at random|window: a contiguous window at random|disjoint-windows: windows that no two replications share|first: the first"`
}

// everything is the range without bounds.
func everything() [2]float64 { return [2]float64{math.Inf(-1), math.Inf(1)} }

// DefaultTransforms are the transforms that change nothing.
func DefaultTransforms() Transforms {
	return Transforms{
		Select: Select{Window: everything(), RunTime: everything(), Processors: everything(), Sample: "random"},
		Submit: "as-is",
		Shift:  "auto", OfferedLoadOf: "selection",
		LoadFactor: 1, RunTimeFactor: 1, SizeFactor: 1, WalltimeFactor: 1,
		Estimates: Estimates{Model: "as-is", Factor: 2, Tsafrir: Tsafrir{LongestShare: .1, HeadValues: 20, HeadShare: .89, HeadDecay: .13,
			TailExponent: 2.4, CountFactor: 1.1, CountExponent: .5, Curve: 1.13, Granularity: 60}},
	}
}

// keepsLoad reports that jobs come when, with the sizes and for as long as they were drawn.
func keepsLoad(t *Transforms, studies []Transform) bool {
	same := DefaultTransforms()
	same.WarmUp, same.CoolDown, same.OfferedLoadOf = t.WarmUp, t.CoolDown, t.OfferedLoadOf
	same.WalltimeFactor, same.WalltimeMinimumFactor, same.Estimates = t.WalltimeFactor, t.WalltimeMinimumFactor, t.Estimates
	same.ComputationFactor, same.CommunicationFactor = t.ComputationFactor, t.CommunicationFactor
	return reflect.DeepEqual(*t, same) && !slices.ContainsFunc(studies, func(s Transform) bool {
		return s.Shapes() && s.Pass(0, sim.Streams{}) != nil
	})
}

// RunUp is the default number of jobs before the window of a log that are simulated and not measured.
const RunUp = 3000

// logTransforms are the transforms of logs and their windows: single jobs drawn
// from years of log offer a small part of its load. With as many jobs around a window, the mean wait is within 2 % of
// that of the same jobs in the whole log. This was measured on KTH-SP2 and SDSC-SP2, for windows of 300 to 4,000 jobs
// (docs/explanation/run-up.md).
func logTransforms() Transforms {
	t := DefaultTransforms()
	t.Select.Sample, t.Select.RunUp, t.Select.RunOut = "window", RunUp, 1000
	t.OfferedLoadOf = "log"
	return t
}

// shifts reports whether the first job taken is submitted at 0.
func (t *Transforms) shifts() bool {
	return t.Shift == "always" || t.Shift == "auto" &&
		(t.Select.Window != everything() || t.Select.Skip > 0 || t.Select.windows())
}

// maxOfferedLoad is the load above which percent must be meant: studies end at two
// or three times the machine.
const maxOfferedLoad = 10

func (t *Transforms) Validate(report func(field, message string)) {
	if math.IsInf(t.OfferedLoad, 1) {
		report("offered_load", fmt.Sprintf("has no end; write a load of at most %d, such as .9", maxOfferedLoad))
	} else if t.OfferedLoad > maxOfferedLoad {
		report("offered_load", fmt.Sprintf("is %g, which is %g %% of what the machine can do; write %g %% (load_factor scales without a limit)",
			t.OfferedLoad, 100*t.OfferedLoad, t.OfferedLoad))
	}
	if t.Submit == "zero" && (t.OfferedLoad > 0 || t.LoadFactor != 1 || t.Jitter > 0) {
		report("submit", "is zero, which leaves no submit times for offered_load, load_factor or jitter to change; drop one of them")
	}
	t.Select.validate(report)
	t.WarmUp.validate(report, "warm_up")
	t.CoolDown.validate(report, "cool_down")
	t.Estimates.validate(report)
}

// Needs refuses fields that change nothing without another.
func (t *Transforms) Needs(report func(missing, field, message string)) {
	t.needs(DefaultTransforms(), report)
}

// needs is Needs for a kind with other defaults.
func (t *Transforms) needs(plain Transforms, report func(missing, field, message string)) {
	if t.Estimates.Model == plain.Estimates.Model && t.Estimates != plain.Estimates {
		report("estimates.model", "estimates", "has the model as-is, so factor and tsafrir change no walltime; write model: factor, uniform or "+
			"tsafrir, or drop them")
	}
	if t.OfferedLoad == 0 && t.OfferedLoadOf != plain.OfferedLoadOf {
		report("offered_load", "offered_load_of", "says which load offered_load scales, and there is none; give offered_load, or drop it")
	}
	s := &t.Select
	if s.Jobs == 0 && s.Sample != plain.Select.Sample {
		report("select.jobs", "select.sample", "says how select.jobs are picked, and all jobs are taken; give select.jobs, or drop it")
	}
	for _, edge := range []struct {
		field   string
		n, same int
		all     bool // it acts also where all jobs are taken
	}{{"run_up", s.RunUp, plain.Select.RunUp, s.Skip > 0}, {"run_out", s.RunOut, plain.Select.RunOut, false}} {
		missing, remedy, idle := "select.jobs", "give select.jobs", s.Jobs == 0 && !edge.all
		if s.Jobs > 0 {
			missing, remedy, idle = "select.sample", "write sample: window", s.Sample == "random"
		}
		if edge.n > 0 && edge.n != edge.same && idle {
			report(missing, "select."+edge.field, fmt.Sprintf("is %d, and no window of jobs is taken; %s, or drop it", edge.n, remedy))
		}
	}
}

func (s *Select) validate(report func(field, message string)) {
	if s.Jobs == 0 && s.Sample == "disjoint-windows" {
		report("select.sample", "is disjoint-windows, which needs select.jobs, the length of a window")
	}
}

// WholeRange checks bounds of whole numbers, both ends included.
func WholeRange(report func(field, message string), field string, bounds [2]float64, least float64) {
	if lo, hi := bounds[0], bounds[1]; lo < least || hi > math.MaxInt32 || lo != math.Floor(lo) || hi != math.Floor(hi) {
		report(field, fmt.Sprintf("is [%g, %g]; it must be two whole numbers, the first at least %g", lo, hi, least))
	}
}
