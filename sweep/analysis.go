package sweep

import (
	"reflect"
	"slices"
	"strings"
)

// Analysis says how package analysis treats the rows.
type Analysis struct {
	// Confidence is the level of all intervals, in (0, 1).
	Confidence float64 `sweep:"confidence" above:"0" below:"1" doc:"level of confidence intervals"`
	// Quantiles are those reported of every group, in [0, 1].
	Quantiles []float64 `sweep:"quantiles" min:"0" max:"1" doc:"quantiles reported of every group"`
	// Baseline is the point of some axes that all others are compared with, pair
	// by pair on common random numbers.
	Baseline []AxisValue `sweep:"-"`
	// Precision is how well means must be known; those that are not are remarked on.
	Precision []Precision `sweep:"precision" doc:"how well means must be known: those that are not are remarked on, with the replications that would do"`
	// Trends are least squares lines.
	Trends []Trend `sweep:"trends" doc:"least squares lines"`
	// Figures are drawn from the rows.
	Figures []Figure `sweep:"figures" doc:"figures drawn from the rows"`
}

// AxisValue is one value of one axis.
type AxisValue struct {
	Path  string
	Value Value
}

// Precision asks for the means of a metric to a relative half-width of their
// confidence intervals.
type Precision struct {
	Metric    string  `sweep:"metric" required:"true" doc:"metric whose means must be known"`
	HalfWidth float64 `sweep:"half_width" required:"true" above:"0" below:"1" doc:"half-width of the confidence interval over the mean, at most, such as 0.02"`
}

// Trend asks for a least squares line of y over x in every group.
type Trend struct {
	// X is an axis or a metric, Y a metric, By the axes that make groups.
	X  string   `sweep:"x" required:"true" doc:"axis or metric"`
	Y  string   `sweep:"y" required:"true" doc:"metric"`
	By []string `sweep:"by" doc:"axes whose values make groups"`
}

// Figure asks for one figure.
type Figure struct {
	// ID names the figure's files.
	ID    string `sweep:"id" required:"true" doc:"names the figure's files"`
	Title string `sweep:"title" doc:"title above the figure"`
	// X is an axis or a metric, Y a metric.
	X string `sweep:"x" required:"true" doc:"axis or metric"`
	Y string `sweep:"y" required:"true" doc:"metric"`
	// Where chooses the rows that are shown; without terms it is all.
	Where []Term `sweep:"-"`
	// Series and Panels are axes, or empty.
	Series string `sweep:"series" doc:"axis shown by colour and marker"`
	Panels string `sweep:"panels" doc:"axis that has a panel for every value"`
	// Points draws every instance; Line joins the mean or median of each x; Band
	// is the confidence band of the mean; Trend the least squares line.
	Points bool   `sweep:"points" doc:"draw every instance as a point"`
	Line   string `sweep:"line" enum:"mean|median|none" default:"mean" doc:"what the line joins"`
	Band   bool   `sweep:"band" doc:"confidence band of the mean or median, over replications; without a line that of the trend"`
	Trend  bool   `sweep:"trend" doc:"least squares line"`
	XScale string `sweep:"x_scale" enum:"linear|log" default:"linear" doc:"scale of the x axis"`
	YScale string `sweep:"y_scale" enum:"linear|log" default:"linear" doc:"scale of the y axis"`
	XLabel string `sweep:"x_label" doc:"label of the x axis; the path or metric when empty"`
	YLabel string `sweep:"y_label" doc:"label of the y axis; the metric when empty"`
	// Columns is the number of panels in a row; 0 leaves it to the drawing.
	Columns int `sweep:"columns" min:"0" max:"100" doc:"panels in a row; 0 chooses"`
}

// analysisDefaults are the values of an absent analysis:.
var analysisDefaults = Analysis{Confidence: 0.95, Quantiles: []float64{0.05, 0.25, 0.75, 0.95}}

// studyReader reads what a manifest says of its rows. A value that --set takes off
// an axis is no mistake there: it has no rows.
type studyReader struct{ *layout }

// readStudy reads analysis: and claims: of a manifest that asks for these metrics,
// or for all.
func readStudy(l *layout, metrics []string) (Analysis, []Claim) {
	r := studyReader{l}
	return r.analysis(l.root.get("analysis"), metrics), r.claims(l.root.get("claims"))
}

// analysis reads and checks analysis:.
func (l *studyReader) analysis(n *node, metrics []string) Analysis {
	a := analysisDefaults
	a.Quantiles = slices.Clone(a.Quantiles)
	if n == nil || n.isNull() {
		return a
	}
	info := mustReflect(reflect.TypeOf(a))
	unknown := func(e entry, path string, fields *structInfo) {
		names := fields.names()
		switch {
		case path == "analysis."+e.key:
			names = append(names, "baseline")
		case strings.HasPrefix(path, "analysis.figures["):
			if e.key == whereKey {
				return // read below
			}
			names = append(names, whereKey)
		}
		l.out.add(e.pos, path, didYouMean(e.key, names), "unknown key %s in %s", quote(e.key), path[:len(path)-len(e.key)-1])
	}
	l.dec.structure(n, info, reflect.ValueOf(&a).Elem(), scope{path: "analysis", unknown: unknown}, "baseline")
	a.Baseline = l.baseline(n.get("baseline"))
	l.precision(n.get("precision"), metrics)
	if trends := n.get("trends"); trends != nil {
		for _, t := range trends.items {
			l.axisOrMetric(t.get("x"))
			l.numbers(t.get("x"))
			l.yMetric(t.get("y"))
			if by := t.get("by"); by != nil {
				for _, item := range by.items {
					l.axisName(item, "analysis.trends.by")
				}
			}
		}
	}
	ids := map[string]position{}
	if figures := n.get("figures"); figures != nil {
		for i, f := range figures.items {
			if i < len(a.Figures) {
				a.Figures[i].Where = l.where(f.get(whereKey), "analysis.figures.where")
				l.drawable(a.Figures[i], f)
			}
			l.axisOrMetric(f.get("x"))
			l.yMetric(f.get("y"))
			l.axisName(f.get("series"), "analysis.figures.series")
			l.axisName(f.get("panels"), "analysis.figures.panels")
			l.uniqueID(f.get("id"), "figure", ids)
		}
	}
	return a
}

// precision checks that each metric is asked for once, and has means.
func (l *studyReader) precision(n *node, metrics []string) {
	if n == nil {
		return
	}
	seen := map[string]position{}
	for _, p := range n.items {
		metric := p.get("metric")
		l.yMetric(metric)
		if metric == nil || metric.shape != scalarNode {
			continue
		}
		if was, twice := seen[metric.text]; twice {
			l.out.add(metric.pos, "analysis.precision", "", "the precision of %s is asked for twice; the first is on line %d", metric.text, was.line)
		}
		seen[metric.text] = metric.pos
		if len(metrics) > 0 && !l.overridden && slices.Contains(l.cat.metrics, metric.text) && !slices.Contains(metrics, metric.text) {
			l.out.add(metric.pos, "analysis.precision", "add it to metrics", "%s is none of the metrics, so that it has no means", metric.text)
		}
	}
}

// whereKey is the key of a figure that chooses its rows.
const whereKey = "where"

// where reads the selection of a figure, as those of claims but of this run only.
func (l *studyReader) where(n *node, path string) []Term {
	var out []Term
	for _, e := range l.out.mapping(n, path) {
		if t, ok := l.term(e, path, true); ok {
			out = append(out, t)
		}
	}
	return out
}

// uniqueID checks that an id can name files and occurs once.
func (l *studyReader) uniqueID(n *node, what string, seen map[string]position) {
	if n == nil || n.shape != scalarNode || n.text == "" {
		return
	}
	if !namePattern.MatchString(n.text) {
		l.out.add(n.pos, what, "use letters, digits, dots, dashes and underscores", "%s cannot name files", quote(n.text))
	}
	if was, twice := seen[n.text]; twice {
		l.out.add(n.pos, what, "", "two %ss have the id %s; the first is on line %d", what, quote(n.text), was.line)
	}
	seen[n.text] = n.pos
}

// baseline reads the point that others are compared with.
func (l *studyReader) baseline(n *node) []AxisValue {
	var out []AxisValue
	for _, e := range l.out.mapping(n, "analysis.baseline") {
		i := slices.IndexFunc(l.axes, func(a Axis) bool { return a.Path == e.key })
		if i < 0 {
			l.axisName(&node{text: e.key, pos: e.pos, quoted: true}, "analysis.baseline")
			continue
		}
		if e.value.shape != scalarNode {
			l.out.add(e.value.pos, e.key, "", "the baseline of %s is %s; want one value", e.key, e.value.what())
			continue
		}
		if v, ok := l.wantedValue(l.axisDefOf(i), e.value, Value{Null: true}, true); ok {
			out = append(out, AxisValue{e.key, v})
		}
	}
	return out
}

// axisName checks that a scalar names an axis; an empty one is none.
func (l *studyReader) axisName(n *node, path string) {
	if n == nil || n.shape != scalarNode || n.text == "" || l.broken[n.text] {
		return
	}
	var names []string
	for _, a := range l.axes {
		names = append(names, a.Path)
	}
	if !slices.Contains(names, n.text) {
		l.out.add(n.pos, path, didYouMean(n.text, names), "%s is no axis", quote(n.text))
	}
}

// axisOrMetric checks what stands on an x axis.
func (l *studyReader) axisOrMetric(n *node) {
	if n == nil || n.shape != scalarNode || n.isNull() || l.broken[n.text] || slices.Contains(l.cat.metrics, n.text) {
		return
	}
	names := slices.Clone(l.cat.metrics)
	for _, a := range l.axes {
		if a.Path == n.text {
			return
		}
		names = append(names, a.Path)
	}
	l.out.add(n.pos, "analysis", didYouMean(n.text, names), "%s is neither an axis nor a metric", quote(n.text))
}

// yMetric checks what stands on a y axis, or has means.
func (l *studyReader) yMetric(n *node) {
	if n != nil {
		l.metric(n, "analysis")
	}
}
