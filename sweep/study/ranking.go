package study

import (
	"slices"

	"schedsweep/sweep/text"
)

// The kinds of figures that tell which levels of an axis are better than others.
const (
	KindPareto  = "pareto"
	KindProfile = "profile"
	KindRanks   = "critical-difference"
)

// Ranking tells whether the figure sets the levels of Series against one another, by
// metrics of which lower or higher is better.
func (f *Figure) Ranking() bool {
	return f.Kind == KindPareto || f.Kind == KindProfile || f.Kind == KindRanks
}

// OneMetric tells whether X is the metric and there is no Y.
func (f *Figure) OneMetric() bool {
	return f.Shares() || f.Ranking() && f.Kind != KindPareto || f.Sensitivity()
}

// ranking reports what a figure that ranks cannot show, or lacks.
func (l *reader) ranking(f Figure, n *text.Node) {
	needed := []string{"x"}
	if f.OneMetric() {
		if n.Get("y") != nil {
			l.Out.Add(n.Place("y"), "leave y out; x is the metric", "a figure of the kind %s is of one metric", f.Kind)
		}
	} else if n.Get("y") == nil {
		l.Out.Add(n.Pos, "", "analysis.figures.y is missing: metric")
	} else if needed = append(needed, "y"); f.X == f.Y {
		l.Out.Add(n.Place("y"), "give another metric", "x and y are both %s", f.Y)
	}
	for _, key := range needed {
		name := map[string]string{"x": f.X, "y": f.Y}[key]
		switch isMetric := slices.Contains(l.Catalog.Metrics, name); {
		case name == "":
		case !isMetric && l.isAxis(name):
			l.Out.Add(n.Place(key), "give a metric, and the axis for series", "a %s is of metrics, and %s is an axis", f.Kind, name)
		case isMetric && l.Catalog.Better[name] == "":
			l.Out.Add(n.Place(key), "schedsweep list metrics says of which one of them is", "of %s neither lower nor higher values are better, so that it cannot tell what is best", name)
		}
	}
	if f.Series == "" {
		l.Out.Add(n.Pos, "give series", "a figure of the kind %s sets the levels of an axis against one another", f.Kind)
	}
	ranks := f.Kind == KindRanks
	l.refuse(f, n, []refusal{{"points", f.Points}, {"trend", f.Trend}, {"line", f.Line != "mean"}, {"band", f.Band}, {"paired", f.Paired != ""}, {"published", len(f.Published) > 0},
		{"x_scale", ranks && f.XScale == "log"}, {"y_scale", f.OneMetric() && f.YScale == "log"}, {"x_limits", ranks && f.XLimits != nil}, {"y_limits", ranks && f.YLimits != nil}, {"scales", ranks && f.Scales != ""}})
}

// refusal is a key that a kind of figures does not have.
type refusal struct {
	key   string
	asked bool
}

// refuse reports the keys that were asked for.
func (l *reader) refuse(f Figure, n *text.Node, keys []refusal) {
	for _, other := range keys {
		if other.asked {
			l.Out.Add(n.Place(other.key), "leave "+other.key+" out", "a figure of the kind %s has no %s", f.Kind, other.key)
		}
	}
}
