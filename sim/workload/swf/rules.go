package swf

import "fmt"

// Rules say how jobs are made of a log's lines. The empty string stands for the
// first choice of each.
type Rules struct {
	// Size is the field that gives a job's processors: "requested-else-allocated"
	// (field 8, field 5 where it is missing), "requested" (8) or "allocated" (5).
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

// choices are the rules' values, the default first.
var choices = []struct {
	name  string
	field func(*Rules) *string
	of    []string
}{
	{"size", func(r *Rules) *string { return &r.Size }, []string{"requested-else-allocated", "requested", "allocated"}},
	{"walltime", func(r *Rules) *string { return &r.Walltime }, []string{"requested-else-run-time", "requested", "run-time"}},
	{"overrun", func(r *Rules) *string { return &r.Overrun }, []string{"cut", "keep"}},
	{"zero_run_time", func(r *Rules) *string { return &r.ZeroRunTime }, []string{"drop", "one-second", "keep"}},
	{"too_large", func(r *Rules) *string { return &r.TooLarge }, []string{"drop", "cap", "error"}},
}

// resolved fills in the defaults and refuses what is none of the choices.
func (r Rules) resolved(l *Log) (Rules, error) {
next:
	for _, c := range choices {
		v := c.field(&r)
		if *v == "" {
			*v = c.of[0]
		}
		for _, o := range c.of {
			if *v == o {
				continue next
			}
		}
		return r, fmt.Errorf("%s: %s is %q; it must be one of %q", l.Name, c.name, *v, c.of)
	}
	if r.Procs < 0 {
		return r, fmt.Errorf("%s: the machine has %d processors; give at least 1, or 0 for what the log says", l.Name, r.Procs)
	}
	if r.Procs == 0 {
		r.Procs = l.Header.Procs()
	}
	return r, nil
}
