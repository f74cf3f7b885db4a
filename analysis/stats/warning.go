package stats

import (
	"fmt"
	"slices"
)

// Code names the kind of a [Warning]; programs compare it, people read the text.
type Code string

// The closed list of warning kinds.
const (
	TooFew     Code = "too-few"     // an interval would need more values
	NotFinite  Code = "not-finite"  // NaN or infinite values were left out
	Unpaired   Code = "unpaired"    // values without a partner were left out of a paired comparison
	Duplicate  Code = "duplicate"   // several rows claim the same instance
	Failed     Code = "failed"      // instances that did not end well
	Missing    Code = "missing"     // planned instances without a row
	Degenerate Code = "degenerate"  // no answer exists, such as a line through one abscissa
	NearZero   Code = "near-zero"   // a ratio's denominator may be 0
	Pooled     Code = "pooled"      // rows that differ in an axis were put together
	NotDrawn   Code = "not-drawn"   // values that a figure cannot show
	NoBaseline Code = "no-baseline" // the baseline of a comparison does not occur
	Sharing    Code = "sharing"     // replications have jobs in common
	Drift      Code = "drift"       // a mean depends on how long its runs are
	Unfinished Code = "unfinished"  // jobs were rejected or killed
	OtherJobs  Code = "other-jobs"  // the sides of a comparison have different jobs
	Looks      Code = "looks"       // verdicts of several looks
	LogItself  Code = "log-itself"  // a mean is far from that of the log itself
	Imprecise  Code = "imprecise"   // a mean is less precise than required
	Assumed    Code = "assumed"     // a log lacks a value, and another one serves
)

// Warning is a remark on a result: a number of rows left out, or why an interval is infinite.
type Warning struct {
	Code Code
	Text string
}

func (w Warning) String() string { return w.Text }

func Warnf(code Code, format string, args ...any) Warning {
	return Warning{Code: code, Text: fmt.Sprintf(format, args...)}
}

// Noted counts means or comparisons, and the ones with a warning about their estimand. The zero value has counted none.
type Noted struct {
	seen int
	with [len(notes)]int
}

// notes are the kinds of warnings that are counted, with the words for one and for several.
var notes = [...]struct {
	code     Code
	one, all string
}{
	{Drift, "depends on how long runs are", "depend on how long runs are"},
	{Unfinished, "is of runs in which jobs were rejected or killed", "are of runs in which jobs were rejected or killed"},
	{OtherJobs, "is of sides with different jobs", "are of sides with different jobs"},
	{LogItself, "has a mean that is far from the log itself", "have a mean that is far from the log itself"},
	{Sharing, "is of replications that share jobs", "are of replications that share jobs"},
}

// See counts one with these warnings.
func (n *Noted) See(warnings []Warning) {
	n.seen++
	for i := range notes {
		if slices.ContainsFunc(warnings, func(w Warning) bool { return w.Code == notes[i].code }) {
			n.with[i]++
		}
	}
}

// Any reports whether any was counted.
func (n *Noted) Any() bool { return n.seen > 0 }

// Of returns warnings with the number of values of each kind of warning; what names one of them, such as "mean".
func (n *Noted) Of(what string) (ws []Warning) {
	for i, count := range n.with {
		switch {
		case count > 0 && n.seen == 1:
			ws = append(ws, Warnf(notes[i].code, "the %s %s", what, notes[i].one))
		case count > 0:
			ws = append(ws, Warnf(notes[i].code, "%d of %d %ss %s", count, n.seen, what, notes[i].all))
		}
	}
	return ws
}
