package harness

// Outcome is how an instance ended. The list is closed.
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
