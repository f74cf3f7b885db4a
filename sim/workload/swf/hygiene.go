package swf

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// The kinds of findings, in the order of the report.
const (
	ShortLine       = "wrong number of fields"
	NotANumber      = "not a number"
	Unsorted        = "not in order of submission"
	DuplicateID     = "duplicate job number"
	NegativeSubmit  = "submit time < 0"
	ZeroRunTime     = "run time <= 0"
	NoSize          = "size <= 0"
	TooLarge        = "size larger than the machine"
	FromEpoch       = "submit time counted from 1970"
	MissingWalltime = "missing walltime"
	Overrun         = "run time above the walltime"
)

type hygiene struct {
	log   *Log
	rules Rules

	duplicate, negative, zero, noSize, tooLarge, missing, overrun Finding
}

func newHygiene(l *Log, rules Rules) *hygiene {
	h := &hygiene{log: l, rules: rules}
	h.duplicate = Finding{Kind: DuplicateID, Action: Kept, Why: "jobs are told apart by their position"}
	h.negative = Finding{Kind: NegativeSubmit, Action: Dropped, Why: "the time of submission is unknown"}
	h.zero = map[string]Finding{
		"drop":       {Action: Dropped, Why: "zero_run_time: drop"},
		"one-second": {Action: Repaired, Why: "run time and walltime become 1 s"},
		"keep":       {Action: Kept, Why: "as run time 0"},
	}[rules.ZeroRunTime]
	h.zero.Kind = ZeroRunTime
	h.noSize = Finding{Kind: NoSize, Action: Dropped, Why: "no field gives the size; size: " + rules.Size}
	h.tooLarge = Finding{Kind: TooLarge, Action: Dropped, Why: fmt.Sprintf("it has %d processors; too_large: drop", rules.Procs)}
	if rules.TooLarge == "cap" {
		h.tooLarge.Action, h.tooLarge.Why = Repaired, fmt.Sprintf("the job gets all %d processors", rules.Procs)
	}
	h.missing = Finding{Kind: MissingWalltime, Action: Repaired, Why: "the run time serves"}
	if rules.Walltime == "requested" {
		h.missing.Action, h.missing.Why = Dropped, "walltime: requested"
	}
	h.overrun = Finding{Kind: Overrun, Action: Repaired, Why: "cut at the walltime"}
	if rules.Overrun == "keep" {
		h.overrun.Action, h.overrun.Why = Kept, "overrun: keep"
	}
	h.duplicates()
	return h
}

// duplicates counts the records whose number another one before has.
func (h *hygiene) duplicates() {
	if h.log.distinct {
		return
	}
	type numbered struct {
		id   int64
		line int32
	}
	all := make([]numbered, 0, h.log.size)
	for _, r := range h.log.Records() {
		all = append(all, numbered{r.ID, r.Line})
	}
	slices.SortFunc(all, func(a, b numbered) int { return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.line, b.line)) })
	var lines []int
	for i := 1; i < len(all); i++ {
		if all[i].id == all[i-1].id {
			lines = append(lines, int(all[i].line))
		}
	}
	slices.Sort(lines)
	for _, l := range lines {
		h.duplicate.Add(l)
	}
}

// job makes a job of the record at a position and reports whether it can be used.
func (h *hygiene) job(at int, j *Job) (bool, error) {
	r := h.log.At(at)
	line := int(r.Line)
	*j = Job{ID: r.ID, Submit: r.Submit, RunTime: r.RunTime, Walltime: r.RequestedTime,
		Procs: h.size(at, r), User: r.User, Partition: r.Partition, Record: int32(at)}
	if j.Submit < 0 {
		h.negative.Add(line)
		return false, nil
	}
	if j.Procs <= 0 {
		h.noSize.Add(line)
		return false, nil
	}
	if h.rules.Procs > 0 && int(j.Procs) > h.rules.Procs {
		if h.rules.TooLarge == "error" {
			return false, fmt.Errorf("%s:%d: job %d needs %d processors, the machine has %d; set too_large: drop or cap, or give a larger machine",
				h.log.Name, line, r.ID, j.Procs, h.rules.Procs)
		}
		h.tooLarge.Add(line)
		if h.rules.TooLarge == "drop" {
			return false, nil
		}
		j.Procs = int32(h.rules.Procs)
	}
	if j.RunTime <= 0 {
		h.zero.Add(line)
		switch h.rules.ZeroRunTime {
		case "drop":
			return false, nil
		case "one-second":
			j.RunTime, j.Walltime = 1, 1
			return true, nil
		}
		j.RunTime = 0
	}
	return h.walltime(j, line), nil
}

// walltime settles the walltime and what it means for the run time.
func (h *hygiene) walltime(j *Job, line int) bool {
	if h.rules.Walltime == "run-time" {
		j.Walltime = j.RunTime
	} else if j.Walltime <= 0 {
		h.missing.Add(line)
		if h.rules.Walltime == "requested" {
			return false
		}
		j.Walltime = j.RunTime
	}
	if j.Walltime <= 0 {
		// Only a run time of 0 that is kept leads here.
		j.Walltime = 1
	}
	if j.RunTime > j.Walltime {
		h.overrun.Add(line)
		if h.rules.Overrun == "cut" {
			j.RunTime = j.Walltime
		}
	}
	return true
}

func (h *hygiene) size(at int, r *Record) int32 {
	switch h.rules.Size {
	case "allocated":
		return r.Allocated
	case "requested":
		return r.Requested
	case "property":
		return h.log.Extra(at).Required
	}
	if r.Requested > 0 {
		return r.Requested
	}
	return r.Allocated
}

func (h *hygiene) report(jobs int) *Report {
	l := h.log
	short, bad, unsorted := l.short, l.notWhole, l.unsorted
	short.Kind, short.Action, short.Why = ShortLine, Dropped, "invalid: skip"
	bad.Kind, bad.Action, bad.Why = NotANumber, Dropped, "invalid: skip"
	unsorted.Kind, unsorted.Action, unsorted.Why = Unsorted, Repaired, "sorted, equal times in order of the file"
	epoch := l.fromEpoch
	epoch.Kind, epoch.Action, epoch.Why = FromEpoch, Repaired, "UnixStartTime is taken off"
	rep := &Report{Log: l.Name, Read: l.size, Jobs: jobs, Findings: slices.Clone(l.found), Notes: l.notes}
	for _, f := range []Finding{short, bad, epoch, unsorted, h.duplicate, h.negative, h.noSize, h.tooLarge, h.zero, h.missing, h.overrun} {
		if f.Count > 0 {
			rep.Findings = append(rep.Findings, f)
		}
	}
	return rep
}

func (h *hygiene) text() string {
	var b strings.Builder
	// Writing to a Builder cannot fail.
	_ = h.report(0).WriteText(&b)
	return b.String()
}

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
