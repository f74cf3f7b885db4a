package study

import (
	"cmp"
	"slices"
	"strings"

	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// Statistic is the value that a claim computes from rows. Which fields mean something depends on
// Kind; see the package comment.
type Statistic struct {
	// Kind is mean, difference, ratio, improvement, slope, spread, crossing,
	// order, extreme, share or percentile.
	Kind   string `sweep:"-"`
	Metric string `sweep:"metric" doc:"metric"`
	X      string `sweep:"x" doc:"axis of numbers, or metric"`
	By     string `sweep:"by" doc:"axis whose values make the points of the curves, where x is a metric"`
	As     string `sweep:"as" enum:"difference: of minus to|ratio: of over to|improvement: percentage by which of is below to" doc:"comparison of the two sides"`
	Scale  string `sweep:"scale" enum:"linear: of the means|log: of their logarithms, as a figure with a logarithmic y axis has them" doc:"straight lines between the points"`
	// Axis is that of an order or extreme, Values its values in the order claimed;
	// an extreme has one.
	Axis   string         `sweep:"axis" doc:"axis whose values are ordered"`
	Values []params.Value `sweep:"-"`
	Is     string         `sweep:"is" doc:"direction"`
	// OrEqual lets equality satisfy an order, an extreme or a share; of a share
	// values are equal that differ by less than EqualWithin times the larger one.
	OrEqual     bool    `sweep:"or_equal" doc:"equality counts too"`
	EqualWithin float64 `sweep:"equal_within" unit:"share" min:"0" max:"1" doc:"relative difference below which values are equal"`
	At          float64 `sweep:"at" doc:"value whose place in the distribution is wanted"`
	// Where restricts both sides, Of and To choose them; To is nil where there is
	// one side only. Of is nil only where Parts are given.
	Where []Term     `sweep:"-"`
	Of    *Selection `sweep:"-"`
	To    *Selection `sweep:"-"`
	// Parts are the two statistics that a difference, ratio or improvement is
	// made of where it is not made of means.
	Parts []Statistic `sweep:"-"`
}

func (s *Statistic) Walk(visit func(*Statistic)) {
	visit(s)
	for i := range s.Parts {
		s.Parts[i].Walk(visit)
	}
}

// StatisticKinds are all that a claim can compute.
var StatisticKinds = []Kind{
	{Name: "mean", Doc: "mean of a metric", Fields: []string{"metric"}, Required: []string{"metric"}, Sides: []string{"of"}},
	{Name: "difference", Doc: "difference of the means of a metric (of - to), or of two statistics", Fields: []string{"metric"},
		Required: []string{"metric", "of", "to"}, Sides: []string{"of", "to"}, Joins: true},
	{Name: "ratio", Doc: "ratio of the means of a metric (of / to), or of two statistics", Fields: []string{"metric"},
		Required: []string{"metric", "of", "to"}, Sides: []string{"of", "to"}, Joins: true},
	{Name: "improvement", Doc: "percentage by which the mean of a metric is smaller: 100 (1 - of / to), or that of two statistics",
		Fields: []string{"metric"}, Required: []string{"metric", "of", "to"}, Sides: []string{"of", "to"}, Joins: true},
	{Name: "slope", Doc: "slope of the least squares line of a metric over x; of two sides the difference unless as: says otherwise",
		Fields: []string{"metric", "x", "as"}, Required: []string{"metric", "x"}, Sides: []string{"of", "to"}},
	{Name: "spread", Doc: "standard deviation of a metric around its least squares line over x; of two sides the ratio unless as: says " +
		"otherwise", Fields: []string{"metric", "x", "as"}, Required: []string{"metric", "x"}, Sides: []string{"of", "to"}},
	{Name: "crossing", Doc: "x at which the means of two sides cross, linear between the points unless scale: says otherwise",
		Fields: []string{"metric", "x", "by", "scale"}, Required: []string{"metric", "x", "of", "to"}, Sides: []string{"of", "to"}},
	{Name: "order", Doc: "the means of a metric at values of an axis come in this order", Fields: []string{"metric", "axis", "is", "or_equal"},
		Required: []string{"metric", "axis", "values", "is"}, Sides: []string{"of"}, Is: []string{"ascending", "descending"},
		Others: []string{"values"}, ordinal: true},
	{Name: "extreme", Doc: "the mean of a metric at one value of an axis is the largest or smallest of all",
		Fields: []string{"metric", "axis", "is", "or_equal"}, Required: []string{"metric", "axis", "value", "is"}, Sides: []string{"of"},
		Is: []string{"largest", "smallest"}, Others: []string{"value"}, ordinal: true},
	{Name: "share", Doc: "share of the instances of one side that are lower or higher than all their partners of the other",
		Fields: []string{"metric", "is", "or_equal", "equal_within"}, Required: []string{"metric", "is", "of", "to"}, Sides: []string{"of", "to"},
		Is: []string{"lower", "higher"}, whole: 1},
	{Name: "percentile", Doc: "percent of the rows whose metric is below at, those equal to it by half", Fields: []string{"metric", "at"},
		Required: []string{"metric", "at"}, Sides: []string{"of"}, whole: 100},
}

// PartKinds are the kinds that may be parts of another statistic. A crossing has no standard error.
var PartKinds = slices.DeleteFunc(slices.Clone(StatisticKinds), func(k Kind) bool { return k.ordinal || k.Name == "crossing" })

const maxParts = 4

func (l *reader) statistic(k *Kind, n *text.Node, path string, depth int) Statistic {
	s := Statistic{Kind: k.Name}
	if n.Shape == text.List && k.Joins {
		s.Parts = l.parts(k, n, path, depth)
		return s
	}
	if !l.kindMap(n, path, k, &s, RunKey) {
		return s
	}
	run := ""
	if v := n.Get(RunKey); v != nil {
		run = l.runName(v)
	}
	s.Of = &Selection{Run: run}
	if v := n.Get("of"); v != nil && slices.Contains(k.Sides, "of") {
		s.Of = l.selection(v, path+".of", run)
	}
	if v := n.Get("to"); v != nil && slices.Contains(k.Sides, "to") {
		s.To = l.selection(v, path+".to", run)
	}
	own := s.Of.Run == "" || s.To != nil && s.To.Run == ""
	s.Where = l.terms(n.Get(WhereKey), path+"."+WhereKey, own)
	l.finish(&s, k, n, path, own)
	return s
}

// parts reads the two statistics of a list.
func (l *reader) parts(k *Kind, n *text.Node, path string, depth int) []Statistic {
	if len(n.Items) != 2 {
		l.Out.Add(n.Pos, "write "+k.Name+": [{mean: {...}}, {mean: {...}}]", "%s is made of %s; want two", path,
			text.Counted(len(n.Items), "statistic"))
		return nil
	}
	if depth == maxParts {
		l.Out.Add(n.Pos, "", "statistics are made of statistics more than %d deep", maxParts)
		return nil
	}
	var out []Statistic
	for _, item := range n.Items {
		if item.Shape != text.Map {
			l.Out.Add(item.Pos, "write - mean: {...}", "a part of %s is %s; want a map", path, item.What())
			continue
		}
		l.Out.Keys(item, path, Names(PartKinds))
		if kind, at := l.statisticOf(item, PartKinds); kind != nil {
			out = append(out, l.statistic(kind, at, path+"."+kind.Name, depth+1))
		}
	}
	return out
}

// finish checks names against each other and against the manifest, and fills
// in defaults.
func (l *reader) finish(s *Statistic, k *Kind, n *text.Node, path string, own bool) {
	if v := n.Get("metric"); v != nil {
		l.Metric(v)
	}
	if v := n.Get("x"); v != nil && slices.Contains(k.Fields, "x") && own {
		l.axisOrMetric(v)
		l.numericAxis(v)
	}
	for _, key := range []string{"by", "axis"} {
		if v := n.Get(key); v != nil && slices.Contains(k.Fields, key) && own {
			l.axisName(v)
		}
	}
	switch k.Name {
	case "slope", "spread":
		switch {
		case s.As != "" && s.To == nil && n.Get("to") == nil:
			l.Out.Add(n.Get("as").Pos, "add to:", "as: joins two sides, and there is one")
		case s.As == "" && s.To != nil:
			s.As = map[string]string{"slope": "difference", "spread": "ratio"}[k.Name]
		}
	case "crossing":
		s.Scale = cmp.Or(s.Scale, "linear")
		if s.By != "" {
			break
		}
		if s.By = s.X; slices.Contains(l.Catalog.Metrics, s.X) {
			l.Out.Add(n.Pos, "add by: with the axis whose values make the points",
				"x is the metric %s, so that the rows of a point are unknown", s.X)
		}
	case "share":
		if s.To != nil && s.Of.Run != s.To.Run {
			l.Out.Add(n.Pos, "compare means: ratio: {...}", "a share compares pairs, and rows of two runs are no pairs")
		}
		if n.Get("equal_within") != nil && !s.OrEqual {
			l.Out.Add(n.Get("equal_within").Pos, "add or_equal: true", "equality does not count, so that equal_within means nothing")
		}
	}
	if k.ordinal {
		s.Values = l.axisValues(s.Axis, n, path, k.Others[0], own)
	}
}

// numericAxis reports an axis of texts where numbers are needed.
func (l *reader) numericAxis(n *text.Node) {
	if i := l.AxisIndex(n.Text); n.Shape == text.Scalar && i >= 0 && !l.Axes[i].Numeric() {
		l.Out.Add(n.Pos, "", "axis %s has no numbers", n.Text)
	}
}

func (l *reader) axisValues(axisPath string, n *text.Node, path, key string, own bool) []params.Value {
	axis := l.AxisIndex(axisPath)
	if n = n.Get(key); n == nil || own && axis < 0 {
		return nil
	}
	items := []*text.Node{n}
	if key == "values" {
		if items = l.Out.List(n, path+".values"); n.Shape == text.List && len(items) < 2 {
			l.Out.Add(n.Pos, "", "an order needs two values or more; there are %d", len(items))
		}
	}
	var out []params.Value
	for _, item := range items {
		v, ok := l.chosen(axis, item, axisPath, own)
		if ok && slices.Contains(out, v) {
			l.Out.Add(item.Pos, "", "%s occurs twice in the order", strings.TrimSpace(v.String()))
		}
		out = append(out, v)
	}
	return out
}
