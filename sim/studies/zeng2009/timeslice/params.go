package timeslice

import (
	"fmt"
	"math"

	"schedsweep/sim"
)

// Slicing are the parameters of the time slices. The defaults are those of Zeng
// and Sodan 2009, section 5.1.
type Slicing struct {
	Interval    float64 `sweep:"interval" unit:"s" above:"0" finite:"yes" doc:"time in which every class of jobs gets one slice"`
	MediumShare float64 `sweep:"medium_share" unit:"share" above:"0" max:"1" doc:"part of an interval, less a short slice, for medium jobs; long jobs get the rest"`
	ShortSlice  float64 `sweep:"short_slice" unit:"s" min:"0" doc:"length of the slice for short jobs, in intervals at whose start there are some; 0: never"`
	Overhead    float64 `sweep:"overhead" unit:"s" min:"0" doc:"time at the start of each slice in which nothing runs"`
	ShortLimit  float64 `sweep:"short_limit" unit:"s" above:"0" doc:"jobs up to this walltime are short"`
	LongLimit   float64 `sweep:"long_limit" unit:"s" above:"0" doc:"jobs above this walltime are long, the others medium"`
	Backfilling string  `sweep:"backfilling" enum:"conservative: no job delays an earlier one|easy: no job delays the head of the class's queue" doc:"backfilling within a class, in its own time"`
	Reach       float64 `sweep:"compression_reach" unit:"s" min:"0" doc:"each compression of a class's plan moves up jobs planned to start within this of its own time, in order of submission. Every second one reaches twice as far, every fourth four times, and so on. If no job is planned within that, the reach counts from the first planned start; 0: each moves all that wait"`
	// ReplanOrder is the order in which waiting jobs take places in a plan that is
	// made anew, after something has started otherwise than planned: that of their
	// planned starts keeps backfilled jobs in their position, section 4.7 of Zeng
	// and Sodan; in that of submission they lose it.
	ReplanOrder    string  `sweep:"replan_order" enum:"planned: that of their planned starts, so that backfilled jobs keep their position|submission: that of submission" doc:"order in which waiting jobs take places when a class's plan is made anew"`
	OtherClasses   string  `sweep:"non_type_backfilling" enum:"on: of all other classes|short: short ones only|off: none" doc:"jobs of other classes that get idle nodes of a slice until its end"`
	Yield          bool    `sweep:"non_type_yields" doc:"are jobs of other classes preempted for a later job of the slice's class, the last ones started or resumed first, or does it wait for the slice's end"`
	EstimateFactor float64 `sweep:"estimate_factor" above:"0" doc:"multiplies the response times that are estimated at submission"`
	Two            float64 `sweep:"self_sl_2" above:"0" doc:"SELF_SL_2: slowdown up to which two processes of a job share a node"`
	Four           float64 `sweep:"max_sl" above:"0" doc:"MAX_SL: slowdown that a job should experience at most"`
	HighLoad       int     `sweep:"high_load" min:"1" doc:"N_H: number of waiting jobs from which on the load counts as high; only measured"`
	Threshold      float64 `sweep:"relative_response_threshold" unit:"s" above:"0" doc:"run times below this count as this in relative response times"`
}

// DefaultSlicing are the published parameters.
var DefaultSlicing = Slicing{Interval: 3600, MediumShare: .3, ShortSlice: 600, Overhead: 60, ShortLimit: sim.DefaultBounds.Short,
	LongLimit:   sim.DefaultBounds.Long,
	Backfilling: "conservative", Reach: 86400, ReplanOrder: "planned", OtherClasses: "on", EstimateFactor: .75, Two: 1.12, Four: 1.25,
	HighLoad: sim.DefaultBounds.HighLoad, Threshold: sim.DefaultBounds.Least}

// Needs refuses a rule for jobs of other classes where these get no nodes.
func (p *Slicing) Needs(report func(missing, field, message string)) {
	if p.Yield && p.OtherClasses == "off" {
		report("non_type_backfilling", "non_type_yields", "is true, and no job gets nodes of another class's slice; change "+
			"non_type_backfilling, or drop it")
	}
}

// Validate checks that every slice is longer than its overhead, and that short jobs may run somewhere.
func (p *Slicing) Validate(report func(field, message string)) {
	rest := p.Interval - p.ShortSlice
	least := math.Min(rest*p.MediumShare, rest*(1-p.MediumShare))
	if !(least > p.Overhead) {
		report("interval", fmt.Sprintf("is %g s; the short slice takes %g s, and medium_share %g divides the rest. A slice has %g s then, not "+
			"more than the overhead of %g s: take a longer interval or a smaller overhead",
			p.Interval, p.ShortSlice, p.MediumShare, least, p.Overhead))
	}
	if p.ShortSlice > 0 && !(p.ShortSlice > p.Overhead) {
		report("short_slice", fmt.Sprintf("is %g s, not more than the overhead of %g s; take a longer one, or 0 for none", p.ShortSlice,
			p.Overhead))
	}
	if p.ShortSlice == 0 && p.OtherClasses == "off" && p.ShortLimit > 0 {
		report("short_slice", fmt.Sprintf("is 0, and non_type_backfilling is off, so that jobs up to short_limit (%g s) would never run; give "+
			"them a slice, or idle nodes (non_type_backfilling: short)", p.ShortLimit))
	}
	if !(p.LongLimit >= p.ShortLimit) {
		report("long_limit", fmt.Sprintf("is %g s, below short_limit (%g s)", p.LongLimit, p.ShortLimit))
	}
}

// Class is one of the classes of jobs.
type Class int

// The classes in the order of their slices.
const (
	Short Class = iota
	Medium
	Long
	classes
)

func (c Class) String() string { return [...]string{"short", "medium", "long"}[c] }

func (p *Slicing) classOf(walltime float64) Class {
	switch {
	case walltime <= p.ShortLimit:
		return Short
	case walltime <= p.LongLimit:
		return Medium
	}
	return Long
}

func init() {
	sim.Policies.Add(sim.Kind[sim.NewPolicy]{
		Name: "timeslice",
		Doc: "Scojo-PECT: preemptive time slices for short, medium and long jobs, each class space-shared by first come first served with " +
			"backfilling",
		Params:  DefaultSlicing,
		Metrics: Metrics,
		Version: 2,
		New: func(params any, _ sim.Env) (sim.Policy, error) {
			return New(*params.(*Slicing)), nil
		},
	})
}

// Version raises the versions of plans that are compressed within a reach, and of slices with jobs of all classes, by 1 each. When all that
// a compression looked at have started, the next one follows at once. Nodes of preempted short jobs are idle for other classes.
func (p *Slicing) Version() (v int) {
	if p.Backfilling == "conservative" && p.Reach > 0 {
		v++
	}
	if p.OtherClasses == "on" {
		v++
	}
	return v
}

func New(p Slicing) *Scheduler { return &Scheduler{P: p} }

// AbsoluteTimes reports that slices have lengths of their own.
func (p *Scheduler) AbsoluteTimes() bool { return true }
