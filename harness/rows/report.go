package rows

import (
	"time"

	"schedsweep/harness"
	"schedsweep/sim"
	"schedsweep/sim/workload"
)

// Report is the result of one instance. It goes from process to process as it is.
type Report struct {
	Outcome    harness.Outcome
	Err, Stack string
	Result     sim.Result
	// Metrics are the names of those of all runs, of the policy and of the progress
	// model, and Values theirs; empty unless Outcome is OK.
	Metrics []string
	Values  []float64
	// TextNames are the names of metrics that are texts, and Texts theirs.
	TextNames, Texts []string
	Audit            string // ok, off, or the violation
	Dropped          int64  // jobs that the log's hygiene rules leave out, -1 without a log
	Sample           *workload.Sample
	Digest           int64 // of the jobs submitted, where Sample is not nil; complete where Outcome is OK
	Users            int   // of the log, where users are drawn
	Streams          int   // random ones that the policy and the progress model requested
	Wall             time.Duration
}

// The audit's verdicts that are not violations.
const (
	AuditOK  = "ok"
	AuditOff = "off"
)
