package stats

import "slices"

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
	{Unfinished, "is of runs in which jobs were rejected, withheld, over-cap or killed",
		"are of runs in which jobs were rejected, withheld, over-cap or killed"},
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
