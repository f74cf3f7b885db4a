package frame

// Run is the rows of one run, for claims.
type Run struct {
	Name  string // of its manifest
	Frame *Frame // nil when there are no rows
	// Design needs Axes, Replication, Outcome and Confidence; PlannedPerPoint is the number of replications.
	Design Design
	// Planned has a row for each point of the sweep, with the axes as columns and, where points have unequal numbers of
	// replications, PlannedColumn; nil when unknown.
	Planned *Frame
	// Instances is how many instances the whole run should have; 0 when unknown. It is used where Planned is nil.
	Instances int
	// Remarks are warnings about the run as a whole, such as rows that are not its own.
	Remarks []string
	// Remedy says how the rows that are missing are made, such as a command.
	Remedy string
}
