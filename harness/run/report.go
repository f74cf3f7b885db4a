package run

import (
	"time"

	"schedsweep/harness"
	"schedsweep/harness/folder"
	"schedsweep/sweep"
)

// Summary describes a finished run. Planned = Existing + Ran() + Cancelled at the end.
type Summary struct {
	folder.Counts
	// Unanswered are those of the existing whose outcome is not ok.
	Unanswered int
	// Foreign are the rows in the folder of instances that the plan does not
	// have; not counted where the run is one shard of several.
	Foreign int
	// Elsewhere reports that the folder was begun on a machine that rounds otherwise:
	// its rows may differ from new ones in the last digits.
	Elsewhere bool
	Workers   int // of this run
	Cancelled int // did not get their turn
	// Stopped names the limit that ended the run, "" if none did.
	Stopped string
	// Late reports that instances were left because of the deadline, and Wants how long
	// the shortest of them is predicted to take, 0 where nothing tells.
	Late    bool
	Wants   time.Duration
	Earlier int // ran in earlier rounds, or in parts of other shards; Counts are without them
	Elapsed time.Duration
}

// Failure is an instance without an answer.
type Failure struct {
	ID      sweep.ID
	Index   int
	Name    string // its number and the values of its axes
	Outcome harness.Outcome
	Err     string
}

// Reporter hears what happens in a run, one call at a time. It must return
// quickly: workers wait for it.
type Reporter interface {
	// Began reports the numbers of planned and of existing instances.
	Began(Summary)
	// Progress tells the counts after each instance.
	Progress(Summary)
	// Failed tells of an instance without an answer, before its Progress.
	Failed(Failure)
	// Ended tells the final counts.
	Ended(Summary)
}

type silent struct{}

func (silent) Began(Summary)    {}
func (silent) Progress(Summary) {}
func (silent) Failed(Failure)   {}
func (silent) Ended(Summary)    {}

func failureOf(plan *sweep.Plan, inst *sweep.Instance, o harness.Outcome, why string) Failure {
	return Failure{inst.ID, inst.Index, harness.Name(plan, inst), o, why}
}
