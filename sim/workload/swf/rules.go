package swf

import "cmp"

// Rules say how jobs are made of a log's lines. The empty string stands for the
// first choice of each.
type Rules struct {
	// Size is the field that gives a job's processors: "requested-else-allocated"
	// (field 8, field 5 where it is missing), "requested" (8), "allocated" (5) or "property" (nodes times cores of
	// field 21).
	Size string
	// Walltime is where the walltime comes from: "requested-else-run-time" (field
	// 9, the run time where it is missing), "requested" (a job without one is
	// dropped) or "run-time".
	Walltime string
	// Overrun is what becomes of run times above the walltime: "cut" (the job was
	// killed at its walltime) or "keep".
	Overrun string
	// ZeroRunTime is what becomes of run times of 0 or below: "drop", "one-second"
	// (run time and walltime become 1 s) or "keep" (run time 0).
	ZeroRunTime string
	// TooLarge is what becomes of jobs larger than the machine: "drop", "cap" (to
	// the machine's size) or "error".
	TooLarge string
	// Procs is the machine's size in processors; 0 means what the log's header
	// says, and if that is silent nothing is too large.
	Procs int
}

// resolved fills in what is not said.
func (r Rules) resolved(l *Log) Rules {
	return Rules{Size: cmp.Or(r.Size, "requested-else-allocated"), Walltime: cmp.Or(r.Walltime, "requested-else-run-time"), Overrun: cmp.Or(r.Overrun, "cut"),
		ZeroRunTime: cmp.Or(r.ZeroRunTime, "drop"), TooLarge: cmp.Or(r.TooLarge, "drop"), Procs: cmp.Or(r.Procs, l.Header.Procs())}
}
