// Package study reads the parts of a manifest on its rows: their analysis, the
// figures drawn from them, and the published claims that they are held against.
// What becomes of them is package analysis' matter.
package study

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// Analysis sets the treatment of the rows by package analysis.
type Analysis struct {
	Confidence float64   `sweep:"confidence" above:"0" below:"1" unit:"share" doc:"level of confidence intervals"`
	Quantiles  []float64 `sweep:"quantiles" unit:"share" min:"0" max:"1" doc:"quantiles reported of every group"`
	// Baseline is the point of some axes that all others are compared with, pair
	// by pair on common random numbers.
	Baseline     []AxisValue `sweep:"-"`
	Precision    []Precision `sweep:"precision" doc:"precision to which means must be known; a less precise mean produces a warning, with the replications that would suffice"`
	Margins      []Margin    `sweep:"margins" doc:"largest difference at which two means of a metric count as equivalent"`
	Looks        []float64   `sweep:"looks" min:"2" doc:"replications at which run looks at the verdicts, in ascending order up to replications. run stops at the first look that decides all comparisons. All looks together have the error of one"`
	Controls     []string    `sweep:"controls" doc:"properties of drawn workloads by which means are controlled: offered_load, mean_backlog, mean_run_time, mean_processors, mean_work"`
	ControlDraws int         `sweep:"control_draws" min:"2" max:"1000000" doc:"further replications of each workload that are drawn, not simulated, for the expectation of controls"`
	LogItself    bool        `sweep:"log_itself" doc:"simulate the log itself once beside windows of it and drawn users, for a row in tables and a mark in figures; it is in no mean"`
	Trends       []Trend     `sweep:"trends" doc:"trendlines"`
	Figures      []Figure    `sweep:"figures" doc:"figures drawn from the rows"`
}

// AxisValue is one value of one axis.
type AxisValue struct {
	Path  string
	Value params.Value
}

// Precision asks for the means of a metric to a relative half-width of their
// confidence intervals.
type Precision struct {
	Metric    string  `sweep:"metric" required:"true" doc:"metric whose means must be known"`
	HalfWidth float64 `sweep:"half_width" required:"true" above:"0" below:"1" unit:"share" doc:"half-width of the confidence interval over the mean, at most, such as 0.02"`
}

// Margin sets the largest difference at which two means of a metric count as equivalent: one
// of Share and Value is given.
type Margin struct {
	Metric string  `sweep:"metric" required:"true" doc:"metric that is compared"`
	Share  float64 `sweep:"share" unit:"share" above:"0" below:"1" doc:"share of the baseline's mean, such as 0.02"`
	Value  float64 `sweep:"value" above:"0" doc:"in the metric's unit"`
}

// Trend asks for a trendline of y over x in every group.
type Trend struct {
	X   string   `sweep:"x" required:"true" doc:"axis or metric"`
	Y   string   `sweep:"y" required:"true" doc:"metric"`
	By  []string `sweep:"by" doc:"axes whose values make groups"`
	Fit string   `sweep:"fit" enum:"line: a straight line by least squares|quadratic: a parabola by least squares|theil-sen: a straight line by the medians of the slopes between points, and over replications" default:"line" doc:"the curve of the fit"`
}

// The kinds of trendlines; "" is a line.
const (
	FitLine      = "line"
	FitQuadratic = "quadratic"
	FitTheilSen  = "theil-sen"
)

// AnalysisDefaults are the values of an absent analysis:.
var AnalysisDefaults = Analysis{Confidence: 0.95, Quantiles: []float64{0.05, 0.25, 0.75, 0.95}, ControlDraws: 1000, LogItself: true}

// reader reads the parts of a manifest on its rows. A value that --set takes off
// an axis is no mistake there: it has no rows.
type reader struct{ *manifest.Layout }

// Read reads analysis:, claims: and find: of a manifest that asks for these metrics,
// or for all.
func Read(l *manifest.Layout, metrics []string) (Analysis, []Claim, []Question) {
	r := reader{l}
	return r.analysis(l.Root.Get("analysis"), metrics), r.claims(l.Root.Get("claims")), r.questions(l.Root.Get(FindKey))
}

func (l *reader) analysis(n *text.Node, metrics []string) Analysis {
	a := AnalysisDefaults
	a.Quantiles = slices.Clone(a.Quantiles)
	if n == nil || n.IsNull() {
		return a
	}
	info := params.MustReflect(reflect.TypeOf(a))
	unknown := func(e text.Entry, path string, fields *params.Struct) {
		names := fields.Names()
		switch {
		case path == "analysis."+e.Key:
			names = append(names, "baseline")
		case strings.HasPrefix(path, "analysis.figures["):
			if e.Key == WhereKey || fieldOfSomeKind(e.Key) {
				return // read below
			}
			names = append(names, WhereKey)
			for _, k := range FigureKinds {
				names = append(names, k.Fields().Names()...)
			}
		}
		l.Out.Add(e.Pos, text.DidYouMean(e.Key, names), "unknown key %s in %s", text.Quote(e.Key), path[:len(path)-len(e.Key)-1])
	}
	l.Decoder.Structure(n, info, reflect.ValueOf(&a).Elem(), params.Scope{Path: "analysis", Unknown: unknown}, "baseline")
	a.Baseline = l.baseline(n.Get("baseline"))
	l.eachMetric(n.Get("precision"), "precision", metrics)
	l.controls(n.Get("controls"))
	if draws := n.Get("control_draws"); draws != nil && n.Get("controls") == nil {
		l.Out.Add(draws.Pos, "add controls: [mean_backlog], or leave it out", "control_draws are for controls, and there are none")
	}
	l.looks(a.Looks, n)
	l.eachMetric(n.Get("margins"), "margins", metrics)
	for _, m := range n.Get("margins").All() {
		if (m.Get("share") == nil) == (m.Get("value") == nil) {
			l.Out.Add(m.Pos, "", "a margin is a share of the baseline's mean or a value in the metric's unit: give one of share and value")
		}
	}
	for _, t := range n.Get("trends").All() {
		x := t.Get("x")
		if l.axisOrMetric(x); x != nil && l.names(x.Text) == texts {
			l.Out.Add(x.Pos, "use a metric or an axis of numbers", "%s holds %s, which have no trend", x.Text, texts)
		}
		l.Metric(t.Get("y"))
		for _, item := range t.Get("by").All() {
			l.axisName(item)
		}
	}
	ids := map[string]text.Position{}
	for i, f := range n.Get("figures").All() {
		if i < len(a.Figures) {
			l.figure(&a.Figures[i], f, fmt.Sprintf("analysis.figures[%d]", i), n.Get("baseline") != nil)
		}
		l.uniqueID(f.Get("id"), "figure", ids)
	}
	return a
}

// looks checks looks of verdicts.
func (l reader) looks(looks []float64, n *text.Node) {
	at := n.Get("looks")
	if len(looks) == 0 {
		return
	}
	for i, k := range looks {
		if k != math.Trunc(k) {
			l.Out.Add(at.Pos, "", "a look is at %g replications: it must be a whole number", k)
		}
		if i > 0 && k <= looks[i-1] {
			l.Out.Add(at.Pos, "", "looks are at %g and then at %g replications: write them in ascending order", looks[i-1], k)
		}
	}
	if n.Get("baseline") == nil {
		l.Out.Add(at.Pos, "", "looks are for verdicts, and nothing is compared: give analysis.baseline")
	}
	if last := looks[len(looks)-1]; last > 0 && last != float64(l.Replications) { // a check above names 0 as too small
		l.Out.Add(at.Pos, "", "the last look is at %g replications, and there are %d: make them equal", last, l.Replications)
	}
}

// LooksAt are Looks as numbers of replications.
func (a *Analysis) LooksAt() []int { return text.Each(a.Looks, func(k float64) int { return int(k) }) }

// Named are the metrics that a manifest with these questions names, and that its figures, claims,
// questions and the notes beside means need. The name of a metric includes the metrics of all classes.
func Named(l *manifest.Layout, questions []Question) []string {
	var named []string
	var walk func(n *text.Node)
	walk = func(n *text.Node) {
		if n != nil && n.Shape == text.Scalar {
			named = append(named, n.Text)
		}
		for _, item := range n.All() {
			walk(item)
		}
		for _, e := range n.Pairs() {
			walk(e.Value)
		}
	}
	for _, key := range []string{manifest.OverriddenMetrics, "analysis", "claims", FindKey} {
		walk(l.Root.Get(key))
	}
	for i := range questions {
		named = append(named, questions[i].Controlled()...)
	}
	return slices.DeleteFunc(slices.Clone(l.Catalog.Metrics), func(name string) bool {
		metric, _, _ := strings.Cut(name, manifest.ByClass("", ""))
		return !slices.Contains(named, name) && !slices.Contains(named, metric) && !slices.Contains(l.Catalog.Notes, name)
	})
}

// eachMetric checks that each metric of the list at the key is named once, and has means.
func (l *reader) eachMetric(n *text.Node, key string, metrics []string) {
	seen := map[string]text.Position{}
	for _, p := range n.All() {
		metric := p.Get("metric")
		l.Metric(metric)
		if metric == nil || metric.Shape != text.Scalar {
			continue
		}
		if was, twice := seen[metric.Text]; twice {
			l.Out.Add(metric.Pos, "", "%s is named twice in %s; the first is on line %d", metric.Text, key, was.Line)
		}
		seen[metric.Text] = metric.Pos
		if len(metrics) > 0 && !l.Overridden(manifest.OverriddenMetrics) && slices.Contains(l.Catalog.Metrics, metric.Text) &&
			!slices.Contains(metrics, metric.Text) {
			l.Out.Add(metric.Pos, "add it to metrics", "%s is none of the metrics, so that it has no means", metric.Text)
		}
	}
}

// WhereKey is the key of figures, statistics and questions that chooses rows.
const WhereKey = "where"

// uniqueID checks that an id can name files and occurs once.
func (l *reader) uniqueID(n *text.Node, what string, seen map[string]text.Position) {
	if n == nil || n.Shape != text.Scalar || n.Text == "" {
		return
	}
	if !manifest.NamePattern.MatchString(n.Text) {
		l.Out.Add(n.Pos, "use letters, digits, dots, dashes and underscores", "%s cannot name files", text.Quote(n.Text))
	}
	if was, twice := seen[n.Text]; twice {
		l.Out.Add(n.Pos, "", "two %ss have the id %s; the first is on line %d", what, text.Quote(n.Text), was.Line)
	}
	seen[n.Text] = n.Pos
}

func (l *reader) baseline(n *text.Node) []AxisValue {
	var out []AxisValue
	for _, e := range l.Out.Mapping(n, "analysis.baseline") {
		i := l.AxisIndex(e.Key)
		if i < 0 {
			l.axisName(&text.Node{Text: e.Key, Pos: e.Pos, Quoted: true})
			continue
		}
		if e.Value.Shape != text.Scalar {
			l.Out.Add(e.Value.Pos, "", "the baseline of %s is %s; want one value", e.Key, e.Value.What())
			continue
		}
		if v, ok := l.WantedValue(l.AxisDefOf(i), e.Value, params.Value{Null: true}, true); ok {
			out = append(out, AxisValue{e.Key, v})
		}
	}
	return out
}

// axisName checks that a scalar names an axis; an empty one is none.
func (l *reader) axisName(n *text.Node) {
	if n == nil || n.Shape != text.Scalar || n.Text == "" || l.Broken[n.Text] {
		return
	}
	if names := l.AxisNames(); !slices.Contains(names, n.Text) {
		l.Out.Add(n.Pos, text.DidYouMean(n.Text, names), "%s is no axis", text.Quote(n.Text))
	}
}

// axisOrMetric checks the field of an x axis.
func (l *reader) axisOrMetric(n *text.Node) {
	if n == nil || n.Shape != text.Scalar || n.IsNull() || l.Broken[n.Text] || l.isAxis(n.Text) {
		return
	}
	if slices.Contains(l.Catalog.Metrics, n.Text) {
		l.Metric(n)
		return
	}
	axes := l.AxisNames()
	hint := text.DidYouMean(n.Text, slices.Concat(l.Catalog.Metrics, axes))
	if hint == "" && len(axes) > 0 {
		hint = "the axes are " + strings.Join(axes, ", ") + "; schedsweep list metrics has the metrics"
	}
	l.Out.Add(n.Pos, hint, "%s is neither an axis nor a metric", text.Quote(n.Text))
}
