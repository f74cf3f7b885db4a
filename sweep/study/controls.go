package study

import (
	"cmp"
	"slices"
	"strings"

	"schedsweep/sweep/text"
)

// The properties of a drawn workload that may control means.
const (
	ControlLoad       = "offered_load"
	ControlBacklog    = "mean_backlog"
	ControlRunTime    = "mean_run_time"
	ControlProcessors = "mean_processors"
	ControlWork       = "mean_work"
)

// ControlNames are all of these.
var ControlNames = []string{ControlLoad, ControlBacklog, ControlRunTime, ControlProcessors, ControlWork}

func (l *reader) controls(n *text.Node) {
	for i, c := range n.All() {
		switch {
		case c.Shape != text.Scalar:
		case slices.ContainsFunc(n.Items[:i], func(o *text.Node) bool { return o.Text == c.Text }):
			l.Out.Add(c.Pos, "", "%s is named twice", c.Text)
		case !slices.Contains(ControlNames, c.Text):
			hint := cmp.Or(text.DidYouMean(c.Text, ControlNames), "the properties are "+strings.Join(ControlNames, ", "))
			l.Out.Add(c.Pos, hint, "%s is no property of a drawn workload; metrics cannot control, for policies change them", text.Quote(c.Text))
		}
	}
}
