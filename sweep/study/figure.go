package study

import (
	"slices"

	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// Figure asks for one figure.
type Figure struct {
	ID    string `sweep:"id" required:"true" doc:"names the figure's files"`
	Title string `sweep:"title" doc:"title above the figure"`
	Kind  string `sweep:"kind" enum:"means: means or medians, instances and trends over x|box: boxes of quartiles at each x, whiskers to the last value within 1.5 times their distance, circles beyond|violin: densities at each x, with the quartiles|ecdf: the share of replications up to each value of x, a metric, or of jobs, where x is a quantity of theirs|ccdf: the share above it|bars: means from 0, with intervals, by the values of an axis or the classes of a quantity of jobs|heat: means over jobs by classes of two quantities of theirs, as colours|timeline: the machine over time|pareto: the means of two metrics, x and y, of each level of series, and their Pareto front|profile: performance profile of the levels of series, the share of instances in which x, a metric, is within a factor of the best|critical-difference: mean ranks of the levels of series by x, a metric, and which of them cannot be told apart|morris: mean size and standard deviation of the effects of each knob of a sample by the method of Morris on x, a metric|indices: bars of what each knob of a sample does to x, a metric: mean sizes of effects, Sobol' indices or ranges" default:"means" doc:"what is drawn"`
	X     string `sweep:"x" required:"true" doc:"axis or metric, or a quantity of jobs (jobs.run_time) or of the machine over time (series.time)"`
	Y     string `sweep:"y" doc:"metric, or a quantity; none in ecdf, ccdf, profile, critical-difference, morris and indices"`
	// Of quantities, see beside.go.
	Colour      string    `sweep:"colour" doc:"quantity of jobs whose mean a heat map shows; the share of the jobs when empty"`
	ColourScale string    `sweep:"colour_scale" enum:"linear: equal differences|log: equal ratios" default:"linear" doc:"scale of a heat map's colours"`
	Normalised  bool      `sweep:"normalised" doc:"a heat map's columns are over the mean of their jobs, or shares of them"`
	Fewest      int       `sweep:"fewest" min:"1" default:"10" doc:"how many jobs a cell of a heat map needs for its mean to be shown"`
	XClasses    []float64 `sweep:"x_classes" min:"0" doc:"lower ends of the classes of jobs along x, in its unit; powers of 2 when empty"`
	YClasses    []float64 `sweep:"y_classes" min:"0" doc:"those along y"`
	Replication int       `sweep:"replication" min:"-1" default:"-1" doc:"the replication that a timeline shows; -1: the mean of all"`
	// Where chooses the rows that are shown; without terms it is all.
	Where     []Term           `sweep:"-"`
	Published []PublishedValue `sweep:"published" doc:"published values, which are marked"`
	Series    string           `sweep:"series" doc:"axis shown by colour and marker"`
	Panels    string           `sweep:"panels" doc:"axis that has a panel for every value"`
	Rows      string           `sweep:"rows" doc:"axis that has a row of panels for every value; panels makes the columns then"`
	Paired    string           `sweep:"paired" enum:"difference: the mean minus the baseline's|ratio: the mean over the baseline's" doc:"draw means against those of analysis.baseline in pairs, with confidence intervals"`
	Points    bool             `sweep:"points" doc:"draw every instance as a point"`
	Line      string           `sweep:"line" enum:"mean: the means of the replications|median: their medians|none: nothing" default:"mean" doc:"what the line joins"`
	Band      bool             `sweep:"band" doc:"confidence band of the mean or median, over replications; without a line that of the trend"`
	Trend     bool             `sweep:"trend" doc:"trendline, by default of least squares"`
	Fit       string           `sweep:"fit" enum:"line: a straight line by least squares|quadratic: a parabola by least squares|theil-sen: a straight line by the medians of the slopes between points, and over replications" default:"line" doc:"what the trend is"`
	XScale    string           `sweep:"x_scale" enum:"linear: equal differences|log: equal ratios" default:"linear" doc:"scale of the x axis"`
	YScale    string           `sweep:"y_scale" enum:"linear: equal differences|log: equal ratios" default:"linear" doc:"scale of the y axis"`
	XLabel    string           `sweep:"x_label" doc:"label of the x axis; the path or metric when empty"`
	YLabel    string           `sweep:"y_label" doc:"label of the y axis; the metric when empty"`
	XLimits   []float64        `sweep:"x_limits" doc:"the two ends of the x axis, in the unit of the axis or metric; the data decide when empty"`
	YLimits   []float64        `sweep:"y_limits" doc:"the two ends of the y axis, in the unit of the metric; the data decide when empty"`
	Scales    string           `sweep:"scales" enum:"shared: neither|free-x: x|free-y: y|free: both" doc:"which axes have a range of their own in each panel; when empty x, where the sweep varies it over other values in each"`
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

// Shares tells whether the figure shows shares of the replications over the values
// of X, and has no Y.
func (f *Figure) Shares() bool { return f.Kind == KindECDF || f.Kind == KindCCDF }

// Spread tells whether the figure shows how replications are spread.
func (f *Figure) Spread() bool { return f.Shares() || f.Kind == KindBox || f.Kind == KindViolin }

// ByClass tells whether the classes of jobs stand in the place of an axis.
func (f *Figure) ByClass() bool {
	return f.X == manifest.ClassAxis || f.Series == manifest.ClassAxis || f.Panels == manifest.ClassAxis || f.Rows == manifest.ClassAxis
}

// byClass is the reader of a figure in which classes of jobs stand in the place of an axis: they are one then, and the
// metrics are those that classes have.
func (l *reader) byClass(f Figure, n *text.Node) *reader {
	if !f.ByClass() {
		return l
	}
	if len(l.JobClasses) == 0 {
		l.Out.Add(n.Pos, "declare them, such as classes: {narrow: processors <= 4, wide: processors > 4}", "the figure is by class, and there are no classes of jobs")
	} else if f.Paired != "" || f.Ranking() {
		l.Out.Add(n.Pos, "draw means, or name metrics by class, such as "+manifest.ByClass("mean_wait_time", l.JobClasses[0].Name), "classes are of the same instances, which are not compared as if they were others")
	}
	classes := manifest.Axis{Path: manifest.ClassAxis, Type: params.String}
	for _, c := range l.JobClasses {
		classes.Values = append(classes.Values, params.Value{Kind: params.String, S: c.Name})
	}
	layout, document, catalog := *l.Layout, *l.Document, *l.Catalog
	catalog.Metrics = text.Names(l.Catalog.ClassMetrics, func(m params.Metric) string { return m.Name })
	document.Catalog, layout.Document = &catalog, &document
	layout.Axes = append(slices.Clone(layout.Axes), classes)
	return &reader{&layout}
}

// The kinds of figures that are drawn otherwise than means.
const (
	KindBox, KindViolin = "box", "violin"
	KindECDF, KindCCDF  = "ecdf", "ccdf"
	KindBars            = "bars"
	KindHeat            = "heat"
	KindTimeline        = "timeline"
)

// drawable reports what a figure asks for and its x axis cannot give, which would
// else come out when the run is done.
func (l *reader) drawable(f Figure, n *text.Node, baseline bool) {
	for _, two := range [][4]string{{"series", f.Series, "panels", f.Panels}, {"series", f.Series, "rows", f.Rows}, {"panels", f.Panels, "rows", f.Rows}} {
		if two[1] != "" && two[1] == two[3] {
			l.Out.Add(n.Place(two[2]), "leave one of them out", "%s and %s are both %s", two[0], two[2], two[1])
		}
	}
	l.limits("x_limits", n, f.XLimits, f.XScale)
	l.limits("y_limits", n, f.YLimits, f.YScale)
	if f.Paired != "" {
		l.paired(f, n, baseline)
	}
	if l.beside(f, n) {
		return
	}
	l.kind(f, n)
	if f.Fit != FitLine && !f.Trend {
		l.Out.Add(n.Place("fit"), "add trend: true", "fit says what the trend is, and there is none")
	}
	key := ""
	switch {
	case f.Trend:
		key = "trend"
	case f.XScale == "log":
		key = "x_scale"
	}
	if what := l.names(f.X); key != "" && what != "" {
		l.Out.Add(n.Place(key), "draw it over a metric or numbers without labels", "%s holds %s, which have neither a logarithmic axis nor a trend", f.X, what)
	}
}

// limits reports ends of an axis that are no range.
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

// paired reports what a figure of paired comparisons cannot show.
func (l *reader) paired(f Figure, n *text.Node, baseline bool) {
	if !baseline {
		l.Out.Add(n.Place("paired"), "give analysis.baseline", "the figure compares with a baseline, and there is none")
	}
	if !l.isAxis(f.X) && slices.Contains(l.Catalog.Metrics, f.X) {
		l.Out.Add(n.Place("x"), "draw it over an axis", "paired comparisons have no %s of their own", f.X)
	}
	for _, other := range []refusal{{"points", f.Points}, {"trend", f.Trend}, {"line", f.Line != "mean"}} {
		if other.asked {
			l.Out.Add(n.Place(other.key), "leave "+other.key+" out", "a paired figure shows means with their intervals")
		}
	}
	if f.Paired == "difference" && f.YScale == "log" {
		l.Out.Add(n.Place("y_scale"), "draw ratios, or a linear scale", "differences may be negative, which a logarithmic axis cannot show")
	}
}

// kind reports what the kind of a figure cannot show, or lacks.
func (l *reader) kind(f Figure, n *text.Node) {
	if f.Ranking() {
		l.ranking(f, n)
		return
	}
	if f.Sensitivity() {
		l.sensitivity(f, n)
		return
	}
	if f.Shares() == (n.Get("y") != nil) {
		if f.Shares() {
			l.Out.Add(n.Place("y"), "leave y out; x is the metric", "%s shows shares of the replications over x", f.Kind)
		} else {
			l.Out.Add(n.Pos, "", "analysis.figures.y is missing: metric")
		}
	}
	onAxis := l.isAxis(f.X)
	switch isMetric := slices.Contains(l.Catalog.Metrics, f.X); {
	case f.Shares() && onAxis && !isMetric:
		l.Out.Add(n.Place("x"), "give the metric for x, and the axis for series or panels", "%s is of a metric, and %s is an axis", f.Kind, f.X)
	case f.Spread() && !f.Shares() && !onAxis && isMetric:
		l.Out.Add(n.Place("x"), "draw it over an axis", "%s has no places for a %s", f.X, f.Kind)
	}
	if !f.Spread() {
		return
	}
	l.refuse(f, n, []refusal{{"points", f.Points && f.Shares()}, {"trend", f.Trend}, {"line", f.Line != "mean"}, {"band", f.Band}, {"paired", f.Paired != ""}})
}

// isAxis tells whether the path is that of an axis.
func (l *reader) isAxis(path string) bool {
	return l.AxisIndex(path) >= 0
}

// numbers reports an x that has no line, for it holds texts.
func (l *reader) numbers(n *text.Node) {
	if n != nil && l.names(n.Text) == texts {
		l.Out.Add(n.Pos, "use a metric or an axis of numbers", "%s holds %s, which have no trend", n.Text, texts)
	}
}

// texts is what names says of an axis of texts.
const texts = "texts"

// names tells what an axis shows in the place of numbers, or nothing.
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
