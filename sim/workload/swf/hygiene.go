package swf

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"schedsweep/sim"
)

// The kinds of findings, in the order of the report.
const (
	ShortLine       = "wrong number of fields"
	NotANumber      = "not a number"
	WholeNodes      = "whole nodes required, excl"
	PartOfAJob      = "part of a job, status 2 to 4"
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
	log     *Log
	rules   Rules
	placing *placing // nil for a machine without partitions

	duplicate, negative, zero, noSize, tooLarge, missing, overrun Finding
}

func newHygiene(l *Log, rules Rules) *hygiene {
	h := &hygiene{log: l, rules: rules}
	h.placing = newPlacing(&h.rules)
	h.duplicate = Finding{Kind: DuplicateID, Action: Kept, Why: "jobs are identified by their position"}
	h.negative = Finding{Kind: NegativeSubmit, Action: Dropped, Why: "the time of submission is unknown"}
	h.zero = map[string]Finding{
		"drop":       {Action: Dropped, Why: "zero_run_time: drop"},
		"one-second": {Action: Repaired, Why: "run time and walltime become 1 s"},
		"keep":       {Action: Kept, Why: "as run time 0"},
	}[rules.ZeroRunTime]
	h.zero.Kind = ZeroRunTime
	h.noSize = Finding{Kind: NoSize, Action: Dropped, Why: "no field gives the size; size: " + rules.Size}
	h.tooLarge = Finding{Kind: TooLarge, Action: Dropped, Why: "it has " + sim.Counted(rules.Procs, "processor") + "; too_large: drop"}
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
			return false, fmt.Errorf("%s:%d: job %d needs %d processors, the machine has %d; workload.too_large is error: "+
				"set drop or cap, or give a larger machine", h.log.Name, line, r.ID, j.Procs, h.rules.Procs)
		}
		h.tooLarge.Add(line)
		if h.rules.TooLarge == "drop" {
			return false, nil
		}
		j.Procs = int32(h.rules.Procs)
	}
	if h.placing != nil {
		if ok, err := h.placing.place(j, h.log.Name, line); !ok || err != nil {
			return false, err
		}
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
	parts, loose, joined := l.parts, l.loose, l.joined
	parts.Kind, parts.Action, parts.Why = PartOfAJob, Ignored, "the line of the whole job counts"
	loose.Kind, loose.Action, loose.Why = PartOfAJob, Kept, "no line of the whole job is before it"
	joined.Kind, joined.Action, joined.Why = PartOfAJob, Repaired, "its run time is added to the part before, for it has no submit time"
	epoch := l.fromEpoch
	epoch.Kind, epoch.Action, epoch.Why = FromEpoch, Repaired, "UnixStartTime is taken off"
	rep := &Report{Log: l.Name, Read: l.size, Jobs: jobs, Findings: slices.Clone(l.found), Notes: l.notes}
	all := []Finding{short, bad, parts, loose, joined, epoch, unsorted, h.duplicate, h.negative, h.noSize, h.tooLarge, h.zero, h.missing,
		h.overrun}
	for _, f := range slices.Concat(all, h.placing.findings()) {
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

// Rules say how jobs are made of a log's lines. The empty string means the first choice of each.
type Rules struct {
	// Size is the field that gives a job's processors: "requested-else-allocated"
	// (field 8, field 5 where it is missing), "requested" (8), "allocated" (5) or "property" (nodes times cores of
	// field 21).
	Size string
	// Walltime is the source of the walltime: "requested-else-run-time" (field 9, the run time
	// where it is missing), "requested" (a job without one is dropped) or "run-time".
	Walltime string
	// Overrun is the treatment of run times above the walltime: "cut" (the job was killed at its
	// walltime) or "keep".
	Overrun string
	// ZeroRunTime is the treatment of run times of 0 or below: "drop", "one-second" (run time and
	// walltime become 1 s) or "keep" (run time 0).
	ZeroRunTime string
	// TooLarge is the treatment of jobs larger than the machine: "drop", "cap" (to the machine's
	// size) or "error".
	TooLarge string
	// Procs is the machine's size in processors; 0 means what the log's header
	// says, and if that is silent nothing is too large.
	Procs int
	// Into are the machine's partitions, nil where it has none.
	Into *Partitions
}

func (r Rules) resolved(l *Log) Rules {
	return Rules{Size: cmp.Or(r.Size, "requested-else-allocated"), Walltime: cmp.Or(r.Walltime, "requested-else-run-time"),
		Overrun:     cmp.Or(r.Overrun, "cut"),
		ZeroRunTime: cmp.Or(r.ZeroRunTime, "drop"), TooLarge: cmp.Or(r.TooLarge, "drop"), Procs: cmp.Or(r.Procs, l.Header.Procs()), Into: r.Into}
}

// Action is the treatment of a finding.
type Action string

const (
	Dropped  Action = "dropped"  // the job or line is left out
	Repaired Action = "repaired" // a value was replaced
	Kept     Action = "kept"     // nothing was changed
	Ignored  Action = "ignored"  // the line or row is no job of its own, as that of a job's step
)

// Finding counts one kind of trouble in a log.
type Finding struct {
	// Kind names the trouble, such as "run time <= 0".
	Kind string
	// Action is the treatment of the jobs or lines, Why its reason in a few words.
	Action Action
	Why    string
	// Count is the number of jobs or lines, Lines the first few of them.
	Count int
	Lines []int
	// Values are the cells of these lines that cannot be read; nil for other trouble.
	Values []string
}

const sample = 5

func (f *Finding) Add(line int) {
	f.Count++
	if len(f.Lines) < sample {
		f.Lines = append(f.Lines, line)
	}
}

// Report is the hygiene report: what of a log was dropped, repaired or kept as
// it is, and why. Nothing else was changed.
type Report struct {
	// Log is the log's name.
	Log string
	// Read is the number of jobs that could be read, Jobs of the ones that are left.
	Read, Jobs int
	// Findings are all kinds of trouble in a fixed order, those with a count of
	// 0 left out.
	Findings []Finding
	// Notes are further remarks of a reader, such as which columns it did not use.
	Notes []string
}

// Dropped returns the number of jobs that are left out, with unreadable lines:
// they are in neither Read nor Jobs. Lines and rows that are no jobs do not count.
func (r *Report) Dropped() int {
	n := 0
	for i := range r.Findings {
		if r.Findings[i].Action == Dropped {
			n += r.Findings[i].Count
		}
	}
	return n
}

// LeftOut says in one sentence how many jobs are left out, and why.
func (r *Report) LeftOut() string {
	verb := "are"
	if r.Dropped() == 1 {
		verb = "is"
	}
	return fmt.Sprintf("%s: %d of %d jobs %s left out before any selection: %s (see schedsweep workload describe)", r.Log, r.Dropped(),
		r.Jobs+r.Dropped(), verb, r.list(Dropped))
}

// Altered says in one sentence in how many jobs a value was replaced, and why; "" for none.
func (r *Report) Altered() string {
	all := r.list(Repaired)
	if all == "" {
		return ""
	}
	return fmt.Sprintf("%s: repaired: %s (see schedsweep workload describe)", r.Log, all)
}

// list is the kinds of findings with an action, each once with its count.
func (r *Report) list(action Action) string {
	var kinds, all []string
	counts := map[string]int{}
	for _, f := range r.Findings {
		if f.Action != action {
			continue
		}
		if counts[f.Kind] == 0 {
			kinds = append(kinds, f.Kind)
		}
		counts[f.Kind] += f.Count
	}
	for _, kind := range kinds {
		all = append(all, fmt.Sprintf("%d %s", counts[kind], kind))
	}
	return strings.Join(all, "; ")
}

// WriteText writes the report for people to read.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s read, %d kept\n", r.Log, sim.Counted(r.Read, "job"), r.Jobs)
	for i := range r.Findings {
		f := &r.Findings[i]
		fmt.Fprintf(&b, "  %8d %-8s  %s (%s): line", f.Count, f.Action, f.Kind, f.Why)
		if f.Count > 1 {
			b.WriteByte('s')
		}
		for j, l := range f.Lines {
			if j > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, " %d", l)
			if f.Values != nil {
				fmt.Fprintf(&b, " (%.40q)", f.Values[j])
			}
		}
		if f.Count > len(f.Lines) {
			b.WriteString(", ...")
		}
		b.WriteByte('\n')
	}
	for _, n := range r.Notes {
		b.WriteString("  " + n + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
