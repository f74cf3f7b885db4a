package frame

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"schedsweep/analysis/stats"
	"schedsweep/sweep/manifest"
	"schedsweep/sweep/text"
)

// Design describes the columns of a frame.
type Design struct {
	// Axes are the varied columns, the replication not among them, in the order in which results are sorted.
	Axes []string
	// Replication is the column that tells repetitions of a point apart; rows of equal replication share their random numbers.
	Replication string
	// Outcome is the column that says how an instance ended; "" when all rows ended well.
	Outcome string
	// OK is the outcome of an instance that ended well; "" means "ok".
	OK string
	// Unstable is the column that is 1 where a run has no steady state, whose means say nothing then; "" when there is none.
	Unstable string
	// Metrics are the columns of numbers to analyse.
	Metrics []string
	// Order lists the levels of axes of text in the order to show; levels not listed follow in alphabetical order.
	Order map[string][]string
	// Classes are the names of classes of jobs, which have metrics too.
	Classes []string
	// Labels are the labels of values of axes, of numbers in the order to show; the analysis and claims use them.
	Labels map[string][]Label
	// Written holds the common spelling of values of axes of text, by axis and value, in figures.
	Written map[string]map[string]string
	// Whole are the axes of whole numbers.
	Whole []string
	// Units are the units of axes that have one.
	Units map[string]string
	// PlannedPerPoint is the number of planned instances of each point of the sweep (the replications).
	PlannedPerPoint Amount
	// PlannedTotal is the number of planned instances of the whole sweep.
	PlannedTotal Amount
	// PlannedOf, when set, replaces PlannedPerPoint: how many instances the point with these values of Axes should have.
	PlannedOf func(point []Value) int
	// Points returns the planned points, as [PlannedPoints]; nil where they are not known, or need not all run.
	Points func() (*Frame, error)
	// Sample is the sample whose points are among those of the sweep; nil for none.
	Sample *manifest.Sample
	// Log has the rows of the log itself, one for each point whose replications are parts of it, with the columns of the frame;
	// nil for none. It is in no statistic: see [LogItself].
	Log *Frame
	// Confidence of all intervals, in (0, 1); 0 means 0.95.
	Confidence float64
	// Looks are the replications at which verdicts are looked at, one look after the other; the error of all together is that of one.
	// None: once, at all that there are.
	Looks []int
	// Precision is the wanted precision of the means of some metrics: at most this half-width of the confidence interval
	// over the mean. Means that are not are warned of.
	Precision map[string]float64
	// Margins are up to which difference two means of some metrics count as the same.
	Margins map[string]stats.Margin
	// Better is "lower" or "higher" for metrics with a better direction.
	Better map[string]string
	// Sums are the metrics that add up over a run, so that a window of a log has less of them than the log itself.
	Sums map[string]bool
	// Quantiles to report of every point, each in [0, 1]; nil means 0.25 and 0.75.
	Quantiles []float64
}

// Resolved checks the design against the frame and fills defaults. Every problem is reported.
func (d Design) Resolved(f *Frame) (Design, error) {
	var errs []error
	check := func(err error) { errs = append(errs, err) }
	need := func(what, name string) *Column {
		c := f.Head(name)
		if c == nil {
			check(f.lacks(what, name))
		}
		return c
	}
	d = d.Filled()
	for i, name := range d.Axes {
		need("axis", name)
		if name == d.Replication || slices.Contains(d.Axes[:i], name) {
			check(fmt.Errorf("axis %q is named twice, or is the replication", name))
		}
	}
	need("replication", d.Replication)
	if d.Outcome != "" {
		if c := need("outcome", d.Outcome); c != nil && !c.IsText() {
			check(fmt.Errorf("outcome %q: the column holds numbers, texts are needed", d.Outcome))
		}
	}
	for _, name := range d.Metrics {
		check(f.HasNumbers("metric", name))
	}
	if d.Unstable != "" {
		check(f.HasNumbers("unstable", d.Unstable))
	}
	return d, errors.Join(errs...)
}

// Only are the metrics of the design, those given first, and how many were given; nil: all.
func (d *Design) Only(first []string) (metrics []string, given int) {
	if first == nil {
		return d.Metrics, len(d.Metrics)
	}
	return text.Once(slices.Clone(first), d.Metrics...), len(first)
}

// Filled replaces zero values by the defaults.
func (d Design) Filled() Design {
	d.OK, d.Confidence = cmp.Or(d.OK, "ok"), cmp.Or(d.Confidence, 0.95)
	if d.Quantiles == nil {
		d.Quantiles = []float64{0.25, 0.75}
	}
	return d
}

// Answered tells for each row whether its instance ended well; nil means all.
func (d *Design) Answered(f *Frame) []bool {
	if d.Outcome == "" {
		return nil
	}
	c := f.Held(d.Outcome)
	well := int32(slices.Index(c.Levels, d.OK))
	var ok []bool // nil until an instance is found that did not
	for row := range int32(f.Rows) {
		code := c.Code(row)
		is := code >= 0 && code == well
		if ok == nil && !is {
			ok = slices.Repeat([]bool{true}, f.Rows)
		}
		if !is {
			ok[row] = false
		}
	}
	return ok
}

// PlannedAt is the number of instances planned for a point.
func (d *Design) PlannedAt(point []Value) Amount {
	if d.PlannedOf != nil {
		return Exactly(d.PlannedOf(point))
	}
	return d.PlannedPerPoint
}

func (d *Design) Without(names ...string) []string {
	return slices.DeleteFunc(slices.Clone(d.Axes), func(a string) bool { return slices.Contains(names, a) })
}

const (
	ReplicationColumn = "replication"
	OutcomeColumn     = "outcome"
)

// SlopeUnit is "s", "s per B/s", "per flop" or "".
func SlopeUnit(y, x string) string {
	if x == "" {
		return y
	}
	return strings.TrimSpace(y + " per " + x)
}

// AxisName is the last part of an axis's path, or the path where that is not unique.
func AxisName(axis string, all []string) string {
	short := axis[strings.LastIndex(axis, ".")+1:]
	for _, a := range all {
		if a != axis && a[strings.LastIndex(a, ".")+1:] == short {
			return axis
		}
	}
	return short
}

// Run is the rows of one run, for claims.
type Run struct {
	Name  string // of its manifest
	Frame *Frame // nil when there are no rows
	// Design needs Axes, Replication, Outcome and Confidence; PlannedPerPoint is the number of replications.
	Design Design
	// Planned has a row for each point of the sweep, with the axes as columns and, where points have unequal numbers of
	// replications, PlannedColumn; nil when unknown.
	Planned *Frame
	// Remarks are warnings about the run as a whole, such as rows that are not its own.
	Remarks []string
	// Remedy is the means to make the missing rows, such as a command.
	Remedy string
}

// Words makes the name of an axis or a metric readable.
func Words(name string) string { return strings.NewReplacer("__", ", ", "_", " ").Replace(name) }

// Assignments are the printed values of axes, each with the name of its axis.
func Assignments(axes, printed []string) []string {
	var out []string
	for i, a := range axes {
		out = append(out, AxisName(a, axes)+" = "+printed[i])
	}
	return out
}

// Printed prints the values of axes, numbers with the unit of their axis and infinity as cells of tables do.
func (d *Design) Printed(axes []string, values []Value) []string {
	out := Printed(values)
	for i, a := range axes {
		switch {
		case d.Labels[a] != nil || values[i].IsText || values[i].IsNull:
		case math.IsInf(values[i].Number, 0):
			out[i] = strings.Replace(out[i], ".inf", "inf", 1)
		case d.Units[a] != "":
			out[i] += " " + d.Units[a]
		}
	}
	return out
}
