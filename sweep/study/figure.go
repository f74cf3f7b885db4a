package study

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// Figure asks for one figure: its kind, and the fields that kinds share.
type Figure struct {
	ID    string `sweep:"id" required:"true" doc:"names the figure's files"`
	Title string `sweep:"title" doc:"title above the figure"`
	Kind  string `sweep:"kind" default:"means" doc:"kind of figure"`
	X     string `sweep:"x" required:"true" doc:"axis or metric, or a quantity of jobs (jobs.run_time) or of the machine over time (series.time)"`
	Y     string `sweep:"y" doc:"metric, or a quantity; none in figures of one metric"`
	// Params points to a struct as that of the [FigureKind], which has the fields of that kind.
	Params any `sweep:"-"`
	// Where chooses the rows that are shown; without terms all rows are.
	Where     []Term           `sweep:"-"`
	Published []PublishedValue `sweep:"published" doc:"published values, which are marked"`
	Series    string           `sweep:"series" doc:"axis shown by colour and marker"`
	Panels    string           `sweep:"panels" doc:"axis that has a panel for every value"`
	Rows      string           `sweep:"rows" doc:"axis that has a row of panels for every value; panels makes the columns then"`
	XScale    string           `sweep:"x_scale" enum:"auto: classes where x has at most 5 whole numbers or an infinite one, log for ratios, else linear|linear: equal differences|log: equal ratios|classes: equal distances, a place for each value" default:"auto" doc:"scale of the x axis"`
	YScale    string           `sweep:"y_scale" enum:"auto: log for ratios, else linear|linear: equal differences|log: equal ratios" default:"auto" doc:"scale of the y axis"`
	XLabel    string           `sweep:"x_label" doc:"label of the x axis; the path or metric when empty"`
	YLabel    string           `sweep:"y_label" doc:"label of the y axis; the metric when empty"`
	XLimits   []float64        `sweep:"x_limits" doc:"the two ends of the x axis, in the unit of the axis or metric; the data decide when empty"`
	YLimits   []float64        `sweep:"y_limits" doc:"the two ends of the y axis, in the unit of the metric; the data decide when empty"`
	Scales    string           `sweep:"scales" enum:"shared: neither|free-x: x|free-y: y|free: both" doc:"axes with a range of their own in each panel; when empty: x, if the sweep varies it over other values in each panel"`
	Width     float64          `sweep:"width" min:"0" max:"2000" doc:"width of the figure in millimetres, such as 85 for a column of a paper and 180 for its page; 0 chooses"`
	Height    float64          `sweep:"height" min:"0" max:"2000" doc:"height of a panel's plot area in millimetres; 0 chooses"`
	Columns   int              `sweep:"columns" min:"0" max:"100" doc:"panels in a row; 0 chooses"`
}

// PublishedValue is a value of the metric that a study published.
type PublishedValue struct {
	Value float64 `sweep:"value" required:"true" doc:"the value, in the unit of the metric"`
	// Where chooses the places at which it is marked, as that of a figure its rows.
	Where []Term `sweep:"-"`
}

// FigureKind describes the possible fields of a kind of figures. Package plot declares the kinds, each beside the
// function that draws it.
type FigureKind struct {
	Name, Doc string
	Params    any      // a struct of the fields that are the kind's own, with their defaults; nil for none
	Without   []string // fields of [Figure] that it does not have; without y it is of one metric, which is X
	Required  []string // fields of [Figure] that it needs beside x
	Dataset   string   // whose quantities it may show, "" for none
	// Check reports fields that the figure cannot have; nil for none.
	Check func(*FigureCheck)
}

// FigureKinds are the kinds of figures that this program draws, by name. A program without package plot has none, and
// does not read the figures of a manifest.
var FigureKinds []*FigureKind

// Scales of the axes of figures, beside linear and log.
const (
	ScaleAuto    = "auto"
	ScaleClasses = "classes"
)

// OnScale reports whether the figure has something along x that only a scale has, such as a trend.
func (f *Figure) OnScale() bool {
	on, ok := f.Params.(interface{ OnScale() bool })
	return ok && on.OnScale()
}

// DefaultFigureKind is the kind of a figure that names none.
const DefaultFigureKind = "means"

// AddFigureKind makes a kind known to manifests; it is called while the program starts.
func AddFigureKind(k *FigureKind) {
	i, _ := slices.BinarySearchFunc(FigureKinds, k.Name, func(k *FigureKind, name string) int { return cmp.Compare(k.Name, name) })
	FigureKinds = slices.Insert(FigureKinds, i, k)
}

// FigureKindOf is the kind of that name; nil for an unknown one.
func FigureKindOf(name string) *FigureKind {
	name = cmp.Or(name, DefaultFigureKind)
	return text.First(FigureKinds, func(k *FigureKind) bool { return k.Name == name })
}

// Fields are those of the kind's own.
func (k *FigureKind) Fields() *params.Struct {
	return params.MustReflect(reflect.TypeOf(k.New()).Elem())
}

// New returns parameters with their defaults.
func (k *FigureKind) New() any {
	if k.Params == nil {
		return &struct{}{}
	}
	p := reflect.New(reflect.TypeOf(k.Params))
	p.Elem().Set(reflect.ValueOf(k.Params))
	return p.Interface()
}

// OneMetric reports whether figures of the kind have no y.
func (k *FigureKind) OneMetric() bool { return slices.Contains(k.Without, "y") }

// ByClass reports whether the classes of jobs stand in the place of an axis.
func (f *Figure) ByClass() bool {
	return f.X == manifest.ClassAxis || f.Series == manifest.ClassAxis || f.Panels == manifest.ClassAxis || f.Rows == manifest.ClassAxis
}

// byClass is the reader of a figure in which classes of jobs stand in the place of an axis: they are one then, and the
// metrics are the per-class ones.
func (l *reader) byClass(f *Figure, n *text.Node) *reader {
	if !f.ByClass() {
		return l
	}
	if len(l.JobClasses) == 0 {
		l.Out.Add(n.Pos, "declare them, such as classes: {narrow: processors <= 4, wide: processors > 4}",
			"the figure is by class, and there are no classes of jobs")
	}
	classes := axisOf(manifest.ClassAxis, text.Each(l.JobClasses, func(c manifest.Class) string { return c.Name }))
	layout, document, catalog := *l.Layout, *l.Document, *l.Catalog
	catalog.Metrics = text.Each(l.Catalog.ClassMetrics, func(m params.Metric) string { return m.Name })
	document.Catalog, layout.Document = &catalog, &document
	layout.Axes = append(slices.Clone(layout.Axes), classes)
	return &reader{&layout}
}

// OutcomeKey is the name of the outcomes of instances in a figure's selection, and Outcomes are these.
const OutcomeKey = "outcome"

var Outcomes = []string{"ok", "failed", "timeout", "event-budget"}

// byOutcome is the reader of a figure's selection, which has outcomes beside the axes.
func (l *reader) byOutcome() *reader {
	layout := *l.Layout
	layout.Axes = append(slices.Clone(layout.Axes), axisOf(OutcomeKey, Outcomes))
	return &reader{&layout}
}

func axisOf(path string, values []string) manifest.Axis {
	return manifest.Axis{Path: path, Type: params.String,
		Values: text.Each(values, func(v string) params.Value { return params.Value{Kind: params.String, S: v} })}
}

// figure reads the fields that the decoder left of a figure, and checks it.
func (l *reader) figure(f *Figure, n *text.Node, path string, baseline bool) {
	l = l.byClass(f, n)
	f.Where = l.byOutcome().terms(n.Get(WhereKey), "analysis.figures.where", true)
	for k, p := range n.Get("published").All() {
		if k < len(f.Published) {
			f.Published[k].Where = l.terms(p.Get(WhereKey), "analysis.figures.published.where", true)
		}
	}
	kind := FigureKindOf(f.Kind)
	if len(FigureKinds) == 0 {
		return
	} else if kind == nil {
		names := text.Each(FigureKinds, func(k *FigureKind) string { return k.Name })
		remedy := text.MeantOneOf(f.Kind, names)
		if f.Kind == "paired" {
			remedy = "leave kind out and write paired: ratio"
		}
		l.Out.Add(n.Place("kind"), remedy, "%s.kind cannot be %s", path, text.Quote(f.Kind))
		return
	}
	own := kind.Fields()
	given, into := text.NewMap(n.Pos), kind.New()
	for _, e := range n.Pairs() {
		switch {
		case own.ByName[e.Key] != nil:
			given.Entries = append(given.Entries, e)
		case e.Key == "y" && kind.OneMetric():
			what := "metric"
			if DatasetOf(f.X) != "" {
				what = "quantity"
			}
			l.Out.Add(e.Value.Pos, "leave y out; x is the "+what, "a figure of the kind %s is of one %s", kind.Name, what)
		case slices.Contains(kind.Without, e.Key) || fieldOfSomeKind(e.Key):
			l.Out.Add(e.Value.Pos, "leave "+e.Key+" out", "a figure of the kind %s has no %s", kind.Name, e.Key)
		}
	}
	l.Decoder.Structure(given, own, reflect.ValueOf(into).Elem(), params.Scope{Path: path})
	f.Params = into
	for _, key := range kind.Required {
		if n.Get(key) == nil && key == "y" {
			l.Out.Add(n.Pos, "", "analysis.figures.y is missing: metric")
		} else if n.Get(key) == nil {
			l.Out.Add(n.Pos, "give "+key, "a figure of the kind %s needs %s", kind.Name, key)
		}
	}
	l.drawable(f, kind, n, baseline)
	for _, key := range []string{"x", "y"} {
		if l.quantity(n.Get(key)) {
			continue
		}
		if key == "x" {
			l.axisOrMetric(n.Get(key))
		} else {
			l.Metric(n.Get(key))
		}
	}
	for _, key := range []string{"series", "panels", "rows"} {
		l.axisName(n.Get(key))
	}
}

func fieldOfSomeKind(name string) bool {
	return len(FigureKinds) == 0 || slices.ContainsFunc(FigureKinds, func(k *FigureKind) bool { return k.Fields().ByName[name] != nil })
}

// drawable reports what a figure asks for and its axes cannot give, which would else come out when the run is done.
func (l *reader) drawable(f *Figure, kind *FigureKind, n *text.Node, baseline bool) {
	for _, two := range [][4]string{{"series", f.Series, "panels", f.Panels}, {"series", f.Series, "rows", f.Rows},
		{"panels", f.Panels, "rows", f.Rows}} {
		if two[1] != "" && two[1] == two[3] {
			l.Out.Add(n.Place(two[2]), "leave one of them out", "%s and %s are both %s", two[0], two[2], two[1])
		}
	}
	l.limits("x_limits", n, f.XLimits, f.XScale)
	l.limits("y_limits", n, f.YLimits, f.YScale)
	c := &FigureCheck{Figure: f, Layout: l.Layout, Node: n, Baseline: baseline, reader: l}
	if f.XScale == "log" || f.XScale == "linear" {
		c.Numbers("x_scale")
	}
	if len(f.XLimits) > 0 && (l.names(f.X) == texts || f.XScale == ScaleClasses) {
		c.RefuseOut("x_limits", "the values of %s have places, and no scale that limits could cut", f.X)
	}
	if f.XScale == ScaleClasses && !c.IsAxis(f.X) {
		c.Refuse("x_scale", "use linear or log", "only the values of an axis are classes, and %s is none", f.X)
	}
	dataset := f.Dataset()
	if dataset != "" && kind.Dataset == "" {
		c.Refuse("kind", "use ecdf, ccdf, bars or heat for jobs, timeline for series", "a figure of the kind %s has no quantities of %s",
			kind.Name, dataset)
		return
	}
	if kind.Check != nil {
		kind.Check(c)
	}
	if dataset == "" {
		return
	}
	if f.ByClass() {
		l.classesInRows(f, n)
	}
	if !l.Overridden(manifest.OverriddenDatasets) && !slices.Contains(l.Root.Get("datasets").Texts(), dataset) {
		l.Out.Add(n.Pos, "add datasets: ["+dataset+"]", "the figure is of %s, which no run of the manifest writes", dataset)
	}
}

func (l *reader) limits(key string, n *text.Node, ends []float64, scale string) {
	node := n.Get(key)
	if node == nil || len(ends) == 0 {
		return
	}
	if len(ends) != 2 || !(ends[0] < ends[1]) {
		l.Out.Add(node.Pos, "give two numbers, the lower one first", "%s is no range", key)
	} else if scale == "log" && ends[0] <= 0 {
		l.Out.Add(node.Pos, "start above 0", "%s starts at %v, which a logarithmic axis does not have", key, ends[0])
	}
}

// FigureCheck is a figure of a manifest, for the check of its kind.
type FigureCheck struct {
	*Figure
	Layout   *manifest.Layout // of the manifest; classes of jobs are an axis where the figure is by class
	Node     *text.Node       // as written
	Baseline bool             // the analysis has one
	reader   *reader
}

// Refuse reports a mistake at the key, or at the figure where it is not written.
func (c *FigureCheck) Refuse(key, hint, format string, args ...any) {
	c.Layout.Out.Add(c.Node.Place(key), hint, format, args...)
}

// RefuseOut reports a field that the kind has, but not together with others.
func (c *FigureCheck) RefuseOut(key, format string, args ...any) {
	c.Refuse(key, "leave "+key+" out", format, args...)
}

func (c *FigureCheck) IsAxis(path string) bool { return c.reader.isAxis(path) }

func (c *FigureCheck) IsMetric(name string) bool {
	return slices.Contains(c.Layout.Catalog.Metrics, name)
}

func (c *FigureCheck) Quantity(key string) { c.reader.quantity(c.Node.Get(key)) }

// Numbers reports, at the key that asks for it, an x that has no scale and no trend.
func (c *FigureCheck) Numbers(key string) {
	what := c.reader.names(c.X)
	if what == "" && c.XScale == ScaleClasses {
		what = "classes"
	}
	if what != "" {
		c.Refuse(key, "draw it over a metric or numbers without labels", "%s holds %s, which have neither a scale nor a trend", c.X,
			what)
	}
}

// NotByClass reports classes of jobs in the place of an axis.
func (c *FigureCheck) NotByClass() {
	if c.ByClass() && len(c.Layout.JobClasses) > 0 {
		c.Refuse("", "draw means, or name metrics by class, such as "+manifest.ByClass("mean_wait_time", c.Layout.JobClasses[0].Name),
			"classes are of the same instances, which are not compared as if they were others")
	}
}

// Classes reports ends of classes of jobs, at the key, that do not ascend.
func (c *FigureCheck) Classes(key string, ends []float64) {
	if c.Node.Get(key) != nil && (len(ends) < 2 || !slices.IsSorted(ends) || len(slices.Compact(slices.Clone(ends))) < len(ends)) {
		c.Refuse(key, "give at least two numbers, each above the one before", "these ends make no classes")
	}
}

// Dataset is the one beside instances that the figure is of, such as jobs; "" where it is of the rows of instances.
func (f *Figure) Dataset() string { return cmp.Or(DatasetOf(f.X), DatasetOf(f.Y)) }

// The datasets of quantities.
const (
	DatasetJobs   = "jobs"
	DatasetSeries = "series"
)

// DatasetOf is the dataset of a quantity, "" of an axis or a metric.
func DatasetOf(name string) string {
	if d, _, dotted := strings.Cut(name, "."); dotted && (d == DatasetJobs || d == DatasetSeries) {
		return d
	}
	return ""
}

// quantity checks the name of a quantity, and tells whether it is meant as one. So is a name without its dataset that nothing else has.
func (l *reader) quantity(n *text.Node) bool {
	if n == nil || n.Shape != text.Scalar || l.isAxis(n.Text) || slices.Contains(l.Catalog.Metrics, n.Text) {
		return false
	}
	if slices.Contains(l.Catalog.Quantities, n.Text) {
		return true
	}
	for _, d := range []string{DatasetJobs, DatasetSeries} {
		if full := d + "." + n.Text; slices.Contains(l.Catalog.Quantities, full) {
			l.Out.Add(n.Pos, "write "+full, "%s is a quantity without its dataset", text.Quote(n.Text))
			return true
		}
	}
	if DatasetOf(n.Text) == "" {
		return false
	}
	of := slices.DeleteFunc(slices.Clone(l.Catalog.Quantities), func(q string) bool { return DatasetOf(q) != DatasetOf(n.Text) })
	l.Out.Add(n.Pos, text.DidYouMean(n.Text, of), "there is no quantity %s", text.Quote(n.Text))
	return true
}

// classesInRows reports classes that rows of the dataset do not tell apart.
func (l *reader) classesInRows(f *Figure, n *text.Node) {
	if f.Dataset() != DatasetJobs {
		l.Out.Add(n.Pos, "", "a %s is of the machine, and of no class of jobs", f.Kind)
		return
	}
	for _, c := range l.JobClasses {
		leftOut := slices.ContainsFunc(f.Where, func(t Term) bool {
			return t.Path == manifest.ClassAxis && !slices.ContainsFunc(t.Values, func(v params.Value) bool { return v.S == c.Name })
		})
		for _, t := range slices.Concat(c.Any...) {
			if !leftOut && !slices.ContainsFunc(l.Catalog.JobFields, func(j params.JobField) bool { return j.Name == t.Field && j.InRows }) {
				l.Out.Add(n.Pos, "draw a metric by class, such as y: mean_wait_time, or leave the class out with where: {class: [...]}",
					"rows of jobs do not say the %s of a job, by which the class %s goes", t.Field, c.Name)
			}
		}
	}
}

func (l *reader) isAxis(path string) bool {
	return l.AxisIndex(path) >= 0
}

const texts = "texts"

// names returns the kind of the texts that an axis shows in the place of numbers, or nothing.
func (l *reader) names(path string) string {
	i := l.AxisIndex(path)
	switch {
	case i < 0:
		return ""
	case !l.Axes[i].Numeric():
		return texts
	case l.Axes[i].Labels != nil:
		return "numbers with labels"
	}
	return ""
}
