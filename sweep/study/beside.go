package study

import (
	"slices"
	"strings"

	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// Dataset is the one beside instances that the figure is of, such as jobs; "" where it is of the rows of instances.
func (f *Figure) Dataset() string {
	for _, name := range f.Quantities() {
		return datasetOf(name)
	}
	return ""
}

// Quantities are those of a dataset that the figure shows, each once.
func (f *Figure) Quantities() []string {
	var out []string
	for _, name := range []string{f.X, f.Y, f.Colour} {
		if datasetOf(name) != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// The datasets of quantities.
const (
	datasetJobs   = "jobs"
	datasetSeries = "series"
	// SeriesTime is what timelines are over.
	SeriesTime = datasetSeries + ".time"
)

// datasetOf is that of a quantity, "" of an axis or a metric.
func datasetOf(name string) string {
	if d, _, dotted := strings.Cut(name, "."); dotted && (d == datasetJobs || d == datasetSeries) {
		return d
	}
	return ""
}

// quantity checks the name of a quantity, and tells whether it is meant as one.
func (l *reader) quantity(n *text.Node) bool {
	if n == nil || n.Shape != text.Scalar || datasetOf(n.Text) == "" {
		return false
	}
	if slices.Contains(l.Catalog.Quantities, n.Text) {
		return true
	}
	of := slices.DeleteFunc(slices.Clone(l.Catalog.Quantities), func(q string) bool { return datasetOf(q) != datasetOf(n.Text) })
	l.Out.Add(n.Pos, text.DidYouMean(n.Text, of), "there is no quantity %s", text.Quote(n.Text))
	return true
}

// beside reports what a figure of a dataset beside instances lacks, or of its kind cannot show, and tells whether it is one.
func (l *reader) beside(f Figure, n *text.Node) bool {
	l.quantity(n.Get("colour"))
	var foreign []refusal
	for _, key := range []refusal{{"colour", f.Kind == KindHeat}, {"colour_scale", f.Kind == KindHeat}, {"normalised", f.Kind == KindHeat}, {"fewest", f.Kind == KindHeat}, {"y_classes", f.Kind == KindHeat},
		{"x_classes", f.Kind == KindHeat || f.Kind == KindBars && datasetOf(f.X) != ""}, {"replication", f.Kind == KindTimeline}} {
		foreign = append(foreign, refusal{key.key, n.Get(key.key) != nil && !key.asked})
	}
	l.refuse(f, n, foreign)
	l.classes("x_classes", n, f.XClasses)
	l.classes("y_classes", n, f.YClasses)
	x, y, dataset := datasetOf(f.X), datasetOf(f.Y), f.Dataset()
	switch {
	case f.Shares() && x == datasetJobs:
		if n.Get("y") != nil {
			l.Out.Add(n.Place("y"), "leave y out; x is the quantity", "%s shows shares of the jobs over x", f.Kind)
		}
	case f.Kind == KindHeat:
		if x != datasetJobs || y != datasetJobs || f.Colour != "" && datasetOf(f.Colour) != datasetJobs {
			l.Out.Add(n.Place("kind"), "such as x: jobs.processors, y: jobs.run_time, colour: jobs.wait_time", "a heat map is of quantities of jobs, on both axes and as colour")
		}
		if f.Series != "" {
			l.Out.Add(n.Place("series"), "use panels or rows", "a heat map shows one series")
		}
	case f.Kind == KindTimeline:
		if f.X != SeriesTime || y != datasetSeries {
			l.Out.Add(n.Place("kind"), "such as x: "+SeriesTime+", y: series.queue_length", "a timeline is of a quantity of the machine over time")
		}
	case f.Kind == KindBars:
		if f.Y == "" || x == datasetSeries || y == datasetSeries || x == datasetJobs && y != datasetJobs || x == "" && !l.isAxis(f.X) && slices.Contains(l.Catalog.Metrics, f.X) {
			l.Out.Add(n.Place("kind"), "such as x: policy.kind, y: mean_wait_time, or x: jobs.run_time, y: jobs.wait_time", "bars are of a metric or a quantity of jobs by an axis, or of a quantity of jobs by classes of one")
		}
		if f.YScale == "log" {
			l.Out.Add(n.Place("y_scale"), "use a linear scale, or the kind means", "bars begin at 0, which a logarithmic axis does not have")
		}
	case dataset != "":
		l.Out.Add(n.Place("kind"), "use ecdf, ccdf, bars or heat for jobs, timeline for series", "a figure of the kind %s has no quantities of %s", f.Kind, dataset)
		return true
	default:
		return false
	}
	l.refuse(f, n, []refusal{{"points", f.Points}, {"trend", f.Trend}, {"line", f.Line != "mean"}, {"paired", f.Paired != ""}, {"band", f.Band && (f.Kind == KindHeat || f.Kind == KindBars)}, {"published", f.Kind == KindHeat && len(f.Published) > 0}})
	if f.ByClass() && dataset != "" {
		l.classesInRows(f, n)
	}
	if dataset != "" && !l.Overridden(manifest.OverriddenDatasets) && !slices.Contains(l.Root.Get("datasets").Texts(), dataset) {
		l.Out.Add(n.Pos, "add datasets: ["+dataset+"]", "the figure is of %s, which no run of the manifest writes", dataset)
	}
	return true
}

// classesInRows reports classes that rows of the dataset do not tell apart.
func (l *reader) classesInRows(f Figure, n *text.Node) {
	if f.Dataset() != datasetJobs {
		l.Out.Add(n.Pos, "", "a %s is of the machine, and of no class of jobs", f.Kind)
		return
	}
	for _, c := range l.JobClasses {
		if !slices.ContainsFunc(f.Where, func(t Term) bool {
			return t.Path == manifest.ClassAxis && !slices.ContainsFunc(t.Values, func(v params.Value) bool { return v.S == c.Name })
		}) {
			for _, t := range slices.Concat(c.Any...) {
				if !slices.ContainsFunc(l.Catalog.JobFields, func(j params.JobField) bool { return j.Name == t.Field && j.InRows }) {
					l.Out.Add(n.Pos, "draw a metric by class, such as y: mean_wait_time, or leave the class out with where: {class: [...]}", "rows of jobs do not say the %s of a job, by which the class %s goes", t.Field, c.Name)
				}
			}
		}
	}
}

// classes reports ends of classes that do not ascend.
func (l *reader) classes(key string, n *text.Node, ends []float64) {
	if node := n.Get(key); node != nil && (len(ends) < 2 || !slices.IsSorted(ends) || len(slices.Compact(slices.Clone(ends))) < len(ends)) {
		l.Out.Add(node.Pos, "give at least two numbers, each above the one before", "these ends make no classes")
	}
}
