// Package harness and those below it run sweeps. This one defines an instance of a
// plan is to all of them: its sections, its name and its outcome.
//
//	manifest -> input: plan, files, workloads -> run: pool of workers -> rows -> store (Parquet)
//
// Imports go one way: harness <- folder <- rows <- input <- run. An instance is a pure
// function of its parameters; the harness adds a clock, a time limit, a file system and
// panics. An instance that fails is a row that says so and does not affect the others.
// Statistics over instances are computed in package analysis.
package harness

import (
	"errors"
	"fmt"
	"math"
	"time"

	"schedsweep/sim/metrics"
	"schedsweep/sweep"
	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
)

// Outcome is the way in which an instance ended. The list is closed.
type Outcome string

// The outcomes. All but Cancelled are rows; a cancelled instance was never run,
// and the same command runs it.
const (
	OK          Outcome = "ok"
	Failed      Outcome = "failed"       // an error or a panic; the row holds it
	Timeout     Outcome = "timeout"      // engine.timeout passed
	EventBudget Outcome = "event-budget" // engine.max_events was exceeded
	Cancelled   Outcome = "cancelled"    // the run was drained before its turn
)

// Outcomes lists them.
var Outcomes = []Outcome{OK, Failed, Timeout, EventBudget, Cancelled}

// Seconds returns a duration of s seconds, to the nearest nanosecond, but at most 146 years: [time.Duration] then holds the sum of two.
func Seconds(s float64) time.Duration {
	return time.Duration(math.Round(min(s*float64(time.Second), 1<<62)))
}

// SemanticVersion is that of the simulator: it is part of every instance's id
// and is raised when answers of all kinds change. What changes an answer of one
// policy, workload or progress model raises the version of its kind.
const SemanticVersion = 3

// The sections of a manifest in the order in which a plan holds them.
const (
	SectionWorkload = iota
	SectionPlatform
	SectionProgress
	SectionPolicy
	SectionEngine
	Sections // their number
)

// EngineParams are the fields of a manifest's engine section.
type EngineParams struct {
	EventOrder string        `sweep:"event_order" enum:"default: ends, submissions, one pass|pyss: as the Feitelson group's simulator|cbf2015: as the simulator of conservative backfilling with contiguity and locality" doc:"order of events at one instant; by default, policy.rules are those of the same simulator"`
	AtWalltime string        `sweep:"at_walltime" enum:"kill: it ends there|continue: it runs on" doc:"treatment of a job that has not finished at its walltime"`
	Requeue    RequeueParams `sweep:"requeue" doc:"killed jobs that run again"`
	Threshold  float64       `sweep:"slowdown_threshold" unit:"s" above:"0" doc:"threshold of the bounded slowdown"`
	Audit      bool          `sweep:"audit" identity:"no" doc:"check each run independently of its policy; the verdict is a column"`
	MaxEvents  int64         `sweep:"max_events" min:"0" identity:"no" doc:"event budget of an instance; 0 means none"`
	Timeout    float64       `sweep:"timeout" unit:"s" min:"0" identity:"no" doc:"limit of the wall-clock time of an instance; 0: none"`
}

// RequeueParams say which jobs that end with work left go back to the queue, to run again from their beginning.
type RequeueParams struct {
	After          string  `sweep:"after" enum:"never: none|node_fail: jobs whose nodes went down (platform.events)|kill: these, and jobs killed at their walltime or by the policy" doc:"jobs that go back to the queue"`
	AtMost         int     `sweep:"at_most" min:"1" max:"100" doc:"most returns of a job to the queue"`
	Keep           string  `sweep:"keep" enum:"submission: the place of its submission|nothing: it goes behind all jobs that were submitted before" doc:"its place in the queue; its wait counts from its submission in any case, and ends with its last start"`
	WalltimeFactor float64 `sweep:"walltime_factor" min:"1" max:"1000" doc:"multiplies the walltime of a job that was killed at it; 1: such a job is over, for it would end the same way"`
}

// Needs refuses fields that say nothing.
func (p *EngineParams) Needs(report func(missing, field, message string)) {
	if r, plain := p.Requeue, DefaultEngine.Requeue; r.After == plain.After && r != plain {
		report("requeue.after", "requeue.after", "is never, and the other fields of requeue are for jobs that go back to the queue; set "+
			"after: node_fail or after: kill, or drop them")
	} else if r.After == "node_fail" && r.WalltimeFactor != plain.WalltimeFactor {
		report("requeue.after", "requeue.walltime_factor", fmt.Sprintf("is %g, and jobs that are killed at their walltime do not go back to "+
			"the queue; set after: kill, or drop it", r.WalltimeFactor))
	}
}

// Version counts the answers of runs in which killed jobs go back to the queue. They have the place of their submission under all
// policies, and under conservative also among the jobs of one instant. Rows of jobs have the user's walltime, not a multiple.
// Runs that go on at the walltime and have submissions first count apart: conservative took the end of a job at its walltime for certain.
func (p *EngineParams) Version() int {
	n := 0
	if p.EventOrder == "pyss" && p.AtWalltime == "continue" {
		n = 4
	}
	switch {
	case p.Requeue.After == "kill" && p.Requeue.WalltimeFactor > 1:
		return n + 3
	case p.Requeue.After == "kill":
		return n + 2
	case p.Requeue.After == "node_fail":
		return n + 1
	}
	return n
}

// DefaultEngine are the engine's parameters where a manifest gives none.
var DefaultEngine = EngineParams{EventOrder: "default", AtWalltime: "kill",
	Requeue: RequeueParams{After: "never", AtMost: 1, Keep: "submission",
		WalltimeFactor: 1}, Threshold: metrics.DefaultThreshold, Audit: true}

// Name names an instance by its number and the values of its axes.
func Name(plan *sweep.Plan, inst *sweep.Instance) string {
	return fmt.Sprintf("instance %d (%s)", inst.Index, Describe(plan.Axes(), inst.Values, inst.Replication))
}

// Describe describes an instance by the values of its axes.
func Describe(axes []manifest.Axis, values []params.Value, replication int) string {
	text := ""
	for i, v := range values {
		text += fmt.Sprintf("%s=%s, ", axes[i].Path, v)
	}
	if replication == sweep.LogItself {
		return text + "the log itself"
	}
	return fmt.Sprintf("%sreplication %d", text, replication)
}

// ErrInput reports that an input file is there but cannot be used.
var ErrInput = errors.New("unusable input")

// Unusable returns an error that is [ErrInput] too. Its text is the format with its values alone.
func Unusable(format string, args ...any) error { return Mark(fmt.Errorf(format, args...), ErrInput) }

// Mark returns an error that is another too, which its text does not name.
func Mark(err, is error) error { return marked{err, is} }

type marked struct {
	error
	is error
}

func (m marked) Is(target error) bool { return target == m.is }
func (m marked) Unwrap() error        { return m.error }
