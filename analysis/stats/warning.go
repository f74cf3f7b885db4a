package stats

import "fmt"

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
	NoEffect   Code = "no-effect"   // an axis changes none of the metrics
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
