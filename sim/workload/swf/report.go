package swf

import (
	"fmt"
	"io"
	"strings"
)

// Action is what was done about a finding.
type Action string

const (
	Dropped  Action = "dropped"  // the job or line is left out
	Repaired Action = "repaired" // a value was replaced
	Kept     Action = "kept"     // nothing was changed
)

// Finding counts one kind of trouble in a log.
type Finding struct {
	// Kind is what is wrong, such as "run time <= 0".
	Kind string
	// Action is what was done, Why in a few words for what reason or how.
	Action Action
	Why    string
	// Count is the number of jobs or lines, Lines the first few of them.
	Count int
	Lines []int
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
	// Read is the number of jobs that could be read, Jobs of those that are
	// left.
	Read, Jobs int
	// Findings are all kinds of trouble in a fixed order, those with a count of
	// 0 left out.
	Findings []Finding
	// Notes are what else a reader has to say, such as which columns it did not use.
	Notes []string
}

// Dropped returns how many jobs are left out, lines that cannot be read among
// them: they are in neither Read nor Jobs.
func (r *Report) Dropped() int {
	n := 0
	for i := range r.Findings {
		if r.Findings[i].Action == Dropped {
			n += r.Findings[i].Count
		}
	}
	return n
}

// WriteText writes the report for people to read.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d jobs read, %d kept\n", r.Log, r.Read, r.Jobs)
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
