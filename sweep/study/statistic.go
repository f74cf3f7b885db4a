package study

import (
	"reflect"
	"slices"
	"strings"

	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// Statistic is what a claim computes from rows. Which fields mean something
// depends on Kind; see the package comment.
type Statistic struct {
	// Kind is mean, difference, ratio, improvement, slope, spread, crossing,
	// order, extreme, share or percentile.
	Kind   string `sweep:"-"`
	Metric string `sweep:"metric" doc:"metric"`
	X      string `sweep:"x" doc:"axis of numbers, or metric"`
	By     string `sweep:"by" doc:"axis whose values make the points of the curves, where x is a metric"`
	As     string `sweep:"as" enum:"difference: of minus to|ratio: of over to|improvement: by how many per cent of is below to" doc:"how the two sides become one number"`
	Pick   string `sweep:"pick" enum:"only: several are no answer|first: the first along x|last: the last along x" doc:"which crossing"`
	Scale  string `sweep:"scale" enum:"linear: of the means|log: of their logarithms, as a figure with a logarithmic y axis has them" doc:"straight lines between the points"`
	// Axis is that of an order or extreme, Values its values in the order claimed;
	// an extreme has one.
	Axis   string         `sweep:"axis" doc:"axis whose values are ordered"`
	Values []params.Value `sweep:"-"`
	Is     string         `sweep:"is" doc:"which way"`
	// OrEqual lets equality satisfy an order, an extreme or a share; of a share
	// values are equal that differ by less than EqualWithin times the larger one.
	OrEqual     bool    `sweep:"or_equal" doc:"equality counts too"`
	EqualWithin float64 `sweep:"equal_within" min:"0" max:"1" doc:"relative difference below which values are equal"`
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

// walk visits the statistic and those that it is made of.
func (s *Statistic) walk(visit func(*Statistic)) {
	visit(s)
	for i := range s.Parts {
		s.Parts[i].walk(visit)
	}
}

// StatisticKind says what a kind of statistic takes.
type StatisticKind struct {
	Name, Doc string
	Fields    []string // of Statistic
	Required  []string // of fields and sides
	Sides     []string // of "of", "to"
	Is        []string // what is: may be
	Values    string   // the key of axis values, "" for none
	Joins     bool     // may be made of two statistics
	ordinal   bool     // says itself what is expected, and cannot be a part
}

// StatisticKinds are all that a claim can compute.
var StatisticKinds = []StatisticKind{
	{Name: "mean", Doc: "mean of a metric", Fields: []string{"metric"}, Required: []string{"metric"}, Sides: []string{"of"}},
	{Name: "difference", Doc: "difference of the means of a metric (of - to), or of two statistics", Fields: []string{"metric"}, Required: []string{"metric", "of", "to"}, Sides: []string{"of", "to"}, Joins: true},
	{Name: "ratio", Doc: "ratio of the means of a metric (of / to), or of two statistics", Fields: []string{"metric"}, Required: []string{"metric", "of", "to"}, Sides: []string{"of", "to"}, Joins: true},
	{Name: "improvement", Doc: "by how many percent the mean of a metric is smaller: 100 (1 - of / to), or that of two statistics", Fields: []string{"metric"}, Required: []string{"metric", "of", "to"}, Sides: []string{"of", "to"}, Joins: true},
	{Name: "slope", Doc: "slope of the least squares line of a metric over x; of two sides the difference unless as: says otherwise", Fields: []string{"metric", "x", "as"}, Required: []string{"metric", "x"}, Sides: []string{"of", "to"}},
	{Name: "spread", Doc: "standard deviation of a metric around its least squares line over x; of two sides the ratio unless as: says otherwise", Fields: []string{"metric", "x", "as"}, Required: []string{"metric", "x"}, Sides: []string{"of", "to"}},
	{Name: "crossing", Doc: "x at which the means of two sides cross, linear between the points unless scale: says otherwise", Fields: []string{"metric", "x", "by", "pick", "scale"}, Required: []string{"metric", "x", "of", "to"}, Sides: []string{"of", "to"}},
	{Name: "order", Doc: "the means of a metric at values of an axis come in this order", Fields: []string{"metric", "axis", "is", "or_equal"}, Required: []string{"metric", "axis", "values", "is"}, Sides: []string{"of"}, Is: []string{"ascending", "descending"}, Values: "values", ordinal: true},
	{Name: "extreme", Doc: "the mean of a metric at one value of an axis is the largest or smallest of all", Fields: []string{"metric", "axis", "is", "or_equal"}, Required: []string{"metric", "axis", "value", "is"}, Sides: []string{"of"}, Is: []string{"largest", "smallest"}, Values: "value", ordinal: true},
	{Name: "share", Doc: "share of the instances of one side that are lower or higher than all their partners of the other", Fields: []string{"metric", "is", "or_equal", "equal_within"}, Required: []string{"metric", "is", "of", "to"}, Sides: []string{"of", "to"}, Is: []string{"lower", "higher"}},
	{Name: "percentile", Doc: "percent of the rows whose metric is below at, those equal to it by half", Fields: []string{"metric", "at"}, Required: []string{"metric", "at"}, Sides: []string{"of"}},
}

// StatisticNames are the keys that choose one.
func StatisticNames() []string {
	var out []string
	for _, k := range StatisticKinds {
		out = append(out, k.Name)
	}
	return out
}

// PartNames are the kinds that another statistic may be made of. A crossing has no standard error to go by.
func PartNames() []string {
	var out []string
	for _, k := range StatisticKinds {
		if !k.ordinal && k.Name != "crossing" {
			out = append(out, k.Name)
		}
	}
	return out
}

// maxParts bounds statistics made of statistics.
const maxParts = 4

// keys lists what the kind takes.
func (k *StatisticKind) keys() []string {
	out := slices.Concat(k.Fields, k.Sides, []string{"where", RunKey})
	if k.Values != "" {
		out = append(out, k.Values)
	}
	return out
}

// statistic reads a statistic of the kind.
func (l *reader) statistic(k *StatisticKind, n *text.Node, path string, depth int) Statistic {
	s := Statistic{Kind: k.Name}
	if n.Shape == text.List && k.Joins {
		s.Parts = l.parts(k, n, path, depth)
		return s
	}
	if !l.kindMap(n, path, k.Name, k.keys(), k.Required) {
		return s
	}
	info := params.MustReflect(reflect.TypeFor[Statistic]())
	for _, name := range k.Fields {
		if v := n.Get(name); v != nil {
			f := *info.ByName[name]
			if name == "is" {
				f.Enum = k.Is
			}
			l.Decoder.Field(v, &f, reflect.ValueOf(&s).Elem().FieldByIndex(f.Index), params.Scope{Path: path + "." + name})
		}
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
	for _, e := range l.Out.Mapping(n.Get("where"), path+".where") {
		if t, ok := l.term(e, own); ok {
			s.Where = append(s.Where, t)
		}
	}
	l.finish(&s, k, n, path, own)
	return s
}

// parts reads the two statistics of a list.
func (l *reader) parts(k *StatisticKind, n *text.Node, path string, depth int) []Statistic {
	if len(n.Items) != 2 {
		l.Out.Add(n.Pos, "write "+k.Name+": [{mean: {...}}, {mean: {...}}]", "%s is made of %d statistics; want two", path, len(n.Items))
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
		l.Out.Keys(item, path, PartNames())
		if kind, at := l.statisticOf(item, PartNames()); kind != nil {
			out = append(out, l.statistic(kind, at, path+"."+kind.Name, depth+1))
		}
	}
	return out
}

// finish checks names against each other and against the manifest, and fills
// in defaults.
func (l *reader) finish(s *Statistic, k *StatisticKind, n *text.Node, path string, own bool) {
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
		if s.Pick == "" {
			s.Pick = "only"
		}
		if s.Scale == "" {
			s.Scale = "linear"
		}
		metric := slices.Contains(l.Catalog.Metrics, s.X)
		switch {
		case metric && s.By == "":
			l.Out.Add(n.Pos, "add by: with the axis whose values make the points", "x is the metric %s, so that nothing says which rows make a point", s.X)
		case !metric && s.By == "":
			s.By = s.X
		}
	case "share":
		if s.To != nil && s.Of.Run != s.To.Run {
			l.Out.Add(n.Pos, "compare means: ratio: {...}", "a share compares pairs, and rows of two runs are no pairs")
		}
		if n.Get("equal_within") != nil && !s.OrEqual {
			l.Out.Add(n.Get("equal_within").Pos, "add or_equal: true", "equality does not count, so that equal_within means nothing")
		}
	}
	if k.Values != "" {
		s.Values = l.axisValues(s.Axis, n.Get(k.Values), path, k, own)
	}
}

// numericAxis reports an axis of texts where numbers are needed.
func (l *reader) numericAxis(n *text.Node) {
	for _, a := range l.Axes {
		if n.Shape == text.Scalar && a.Path == n.Text && a.Type != params.Float && a.Type != params.Int {
			l.Out.Add(n.Pos, "", "axis %s has no numbers", a.Path)
		}
	}
}

// axisValues reads value: or values: of an axis.
func (l *reader) axisValues(path string, n *text.Node, where string, k *StatisticKind, own bool) []params.Value {
	axis := slices.IndexFunc(l.Axes, func(a manifest.Axis) bool { return a.Path == path })
	if n == nil || own && axis < 0 {
		return nil
	}
	items := []*text.Node{n}
	if k.Values == "values" {
		if items = l.Out.List(n, where+".values"); n.Shape == text.List && len(items) < 2 {
			l.Out.Add(n.Pos, "", "an order needs two values or more; there are %d", len(items))
		}
	}
	var out []params.Value
	for _, item := range items {
		v, ok := l.chosen(axis, item, path, own)
		if ok && slices.Contains(out, v) {
			l.Out.Add(item.Pos, "", "%s occurs twice in the order", strings.TrimSpace(v.String()))
		}
		out = append(out, v)
	}
	return out
}

// kindMap reports whether what is given for a kind is a map, and tells which of the kind's keys it lacks and which
// others it has.
func (l *reader) kindMap(n *text.Node, path, kind string, keys, required []string) bool {
	if n.Shape != text.Map {
		l.Out.Add(n.Pos, "write "+kind+": {metric: name, ...}", "%s is %s; want a map", path, n.What())
		return false
	}
	l.Out.Keys(n, path, keys)
	for _, key := range required {
		if n.Get(key) == nil {
			l.Out.Add(n.Pos, "", "%s is missing in %s", key, path)
		}
	}
	return true
}
