package sweep

import (
	"reflect"
	"slices"
	"strings"
)

// Statistic is what a claim computes from rows. Which fields mean something
// depends on Kind; see the package comment.
type Statistic struct {
	// Kind is mean, difference, ratio, improvement, slope, spread, crossing,
	// order, extreme, share or percentile.
	Kind   string `sweep:"-"`
	Metric string `sweep:"metric" doc:"metric"`
	// X is an axis of numbers or a metric; By is the axis whose values make the
	// points of a crossing's curves, X unless X is a metric.
	X  string `sweep:"x" doc:"axis of numbers, or metric"`
	By string `sweep:"by" doc:"axis whose values make the points of the curves, where x is a metric"`
	// As says how a slope or spread of two sides becomes one number.
	As string `sweep:"as" enum:"difference|ratio|improvement" doc:"how the two sides become one number"`
	// Pick says which of several crossings is meant.
	Pick string `sweep:"pick" enum:"only|first|last" doc:"which crossing: several are no answer (only), or the first or last along x"`
	// Scale says in what the curves of a crossing are straight between points.
	Scale string `sweep:"scale" enum:"linear|log" doc:"straight lines between the points of the means, or of their logarithms, as a figure with a logarithmic y axis has them"`
	// Axis is that of an order or extreme, Values its values in the order claimed;
	// an extreme has one.
	Axis   string  `sweep:"axis" doc:"axis whose values are ordered"`
	Values []Value `sweep:"-"`
	// Is is ascending or descending, largest or smallest, lower or higher.
	Is string `sweep:"is" doc:"which way"`
	// OrEqual lets equality satisfy an order, an extreme or a share; of a share
	// values are equal that differ by less than EqualWithin times the larger one.
	OrEqual     bool    `sweep:"or_equal" doc:"equality counts too"`
	EqualWithin float64 `sweep:"equal_within" min:"0" max:"1" doc:"relative difference below which values are equal"`
	// At is the value whose place in the distribution a percentile gives.
	At float64 `sweep:"at" doc:"value whose place in the distribution is wanted"`
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

// statisticKind says what a kind of statistic takes.
type statisticKind struct {
	name, doc string
	fields    []string // of Statistic
	required  []string // of fields and sides
	sides     []string // of "of", "to"
	is        []string // what is: may be
	values    string   // the key of axis values, "" for none
	joins     bool     // may be made of two statistics
	ordinal   bool     // says itself what is expected, and cannot be a part
}

var statisticKinds = []statisticKind{
	{name: "mean", doc: "mean of a metric", fields: []string{"metric"}, required: []string{"metric"}, sides: []string{"of"}},
	{name: "difference", doc: "difference of the means of a metric (of - to), or of two statistics", fields: []string{"metric"}, required: []string{"metric", "of", "to"}, sides: []string{"of", "to"}, joins: true},
	{name: "ratio", doc: "ratio of the means of a metric (of / to), or of two statistics", fields: []string{"metric"}, required: []string{"metric", "of", "to"}, sides: []string{"of", "to"}, joins: true},
	{name: "improvement", doc: "by how many percent the mean of a metric is smaller: 100 (1 - of / to), or that of two statistics", fields: []string{"metric"}, required: []string{"metric", "of", "to"}, sides: []string{"of", "to"}, joins: true},
	{name: "slope", doc: "slope of the least squares line of a metric over x; of two sides the difference unless as: says otherwise", fields: []string{"metric", "x", "as"}, required: []string{"metric", "x"}, sides: []string{"of", "to"}},
	{name: "spread", doc: "standard deviation of a metric around its least squares line over x; of two sides the ratio unless as: says otherwise", fields: []string{"metric", "x", "as"}, required: []string{"metric", "x"}, sides: []string{"of", "to"}},
	{name: "crossing", doc: "x at which the means of two sides cross, linear between the points unless scale: says otherwise", fields: []string{"metric", "x", "by", "pick", "scale"}, required: []string{"metric", "x", "of", "to"}, sides: []string{"of", "to"}},
	{name: "order", doc: "the means of a metric at values of an axis come in this order", fields: []string{"metric", "axis", "is", "or_equal"}, required: []string{"metric", "axis", "values", "is"}, sides: []string{"of"}, is: []string{"ascending", "descending"}, values: "values", ordinal: true},
	{name: "extreme", doc: "the mean of a metric at one value of an axis is the largest or smallest of all", fields: []string{"metric", "axis", "is", "or_equal"}, required: []string{"metric", "axis", "value", "is"}, sides: []string{"of"}, is: []string{"largest", "smallest"}, values: "value", ordinal: true},
	{name: "share", doc: "share of the instances of one side that are lower or higher than all their partners of the other", fields: []string{"metric", "is", "or_equal", "equal_within"}, required: []string{"metric", "is", "of", "to"}, sides: []string{"of", "to"}, is: []string{"lower", "higher"}},
	{name: "percentile", doc: "percent of the rows whose metric is below at, those equal to it by half", fields: []string{"metric", "at"}, required: []string{"metric", "at"}, sides: []string{"of"}},
}

func statisticNames() []string {
	var out []string
	for _, k := range statisticKinds {
		out = append(out, k.name)
	}
	return out
}

// partNames are the kinds that another statistic may be made of. A crossing has no standard error to go by.
func partNames() []string {
	var out []string
	for _, k := range statisticKinds {
		if !k.ordinal && k.name != "crossing" {
			out = append(out, k.name)
		}
	}
	return out
}

// maxParts bounds statistics made of statistics.
const maxParts = 4

// keys lists what the kind takes.
func (k *statisticKind) keys() []string {
	out := slices.Concat(k.fields, k.sides, []string{"where", runKey})
	if k.values != "" {
		out = append(out, k.values)
	}
	return out
}

// statistic reads a statistic of the kind.
func (l *studyReader) statistic(k *statisticKind, n *node, path string, depth int) Statistic {
	s := Statistic{Kind: k.name}
	if n.shape == listNode && k.joins {
		s.Parts = l.parts(k, n, path, depth)
		return s
	}
	if n.shape != mapNode {
		hint := "write " + k.name + ": {metric: name, ...}"
		l.out.add(n.pos, path, hint, "%s is %s; want a map", path, n.what())
		return s
	}
	l.out.keys(n, path, k.keys())
	for _, key := range k.required {
		if n.get(key) == nil {
			l.out.add(n.pos, path, "", "%s is missing in %s", key, path)
		}
	}
	info := mustReflect(reflect.TypeFor[Statistic]())
	for _, name := range k.fields {
		if v := n.get(name); v != nil {
			f := *info.byName[name]
			if name == "is" {
				f.enum = k.is
			}
			l.dec.field(v, &f, reflect.ValueOf(&s).Elem().FieldByIndex(f.index), scope{path: path + "." + name})
		}
	}
	run := ""
	if v := n.get(runKey); v != nil {
		run = l.runName(v, path)
	}
	s.Of = &Selection{Run: run}
	if v := n.get("of"); v != nil && slices.Contains(k.sides, "of") {
		s.Of = l.selection(v, path+".of", run)
	}
	if v := n.get("to"); v != nil && slices.Contains(k.sides, "to") {
		s.To = l.selection(v, path+".to", run)
	}
	own := s.Of.Run == "" || s.To != nil && s.To.Run == ""
	for _, e := range l.out.mapping(n.get("where"), path+".where") {
		if t, ok := l.term(e, path+".where", own); ok {
			s.Where = append(s.Where, t)
		}
	}
	l.finish(&s, k, n, path, own)
	return s
}

// parts reads the two statistics of a list.
func (l *studyReader) parts(k *statisticKind, n *node, path string, depth int) []Statistic {
	if len(n.items) != 2 {
		l.out.add(n.pos, path, "write "+k.name+": [{mean: {...}}, {mean: {...}}]", "%s is made of %d statistics; want two", path, len(n.items))
		return nil
	}
	if depth == maxParts {
		l.out.add(n.pos, path, "", "statistics are made of statistics more than %d deep", maxParts)
		return nil
	}
	var out []Statistic
	for _, item := range n.items {
		if item.shape != mapNode {
			l.out.add(item.pos, path, "write - mean: {...}", "a part of %s is %s; want a map", path, item.what())
			continue
		}
		l.out.keys(item, path, partNames())
		if kind, at := l.statisticOf(item, path, partNames()); kind != nil {
			out = append(out, l.statistic(kind, at, path+"."+kind.name, depth+1))
		}
	}
	return out
}

// finish checks names against each other and against the manifest, and fills
// in defaults.
func (l *studyReader) finish(s *Statistic, k *statisticKind, n *node, path string, own bool) {
	if v := n.get("metric"); v != nil {
		l.metric(v, path)
	}
	if v := n.get("x"); v != nil && slices.Contains(k.fields, "x") && own {
		l.axisOrMetric(v)
		l.numericAxis(v, path)
	}
	for _, key := range []string{"by", "axis"} {
		if v := n.get(key); v != nil && slices.Contains(k.fields, key) && own {
			l.axisName(v, path+"."+key)
		}
	}
	switch k.name {
	case "slope", "spread":
		switch {
		case s.As != "" && s.To == nil && n.get("to") == nil:
			l.out.add(n.get("as").pos, path, "add to:", "as: joins two sides, and there is one")
		case s.As == "" && s.To != nil:
			s.As = map[string]string{"slope": "difference", "spread": "ratio"}[k.name]
		}
	case "crossing":
		if s.Pick == "" {
			s.Pick = "only"
		}
		if s.Scale == "" {
			s.Scale = "linear"
		}
		metric := slices.Contains(l.cat.metrics, s.X)
		switch {
		case metric && s.By == "":
			l.out.add(n.pos, path, "add by: with the axis whose values make the points", "x is the metric %s, so that nothing says which rows make a point", s.X)
		case !metric && s.By == "":
			s.By = s.X
		}
	case "share":
		if s.To != nil && s.Of.Run != s.To.Run {
			l.out.add(n.pos, path, "compare means: ratio: {...}", "a share compares pairs, and rows of two runs are no pairs")
		}
		if n.get("equal_within") != nil && !s.OrEqual {
			l.out.add(n.get("equal_within").pos, path, "add or_equal: true", "equality does not count, so that equal_within means nothing")
		}
	}
	if k.values != "" {
		s.Values = l.axisValues(s.Axis, n.get(k.values), path, k, own)
	}
}

// numericAxis reports an axis of texts where numbers are needed.
func (l *studyReader) numericAxis(n *node, path string) {
	for _, a := range l.axes {
		if n.shape == scalarNode && a.Path == n.text && a.Type != Float && a.Type != Int {
			l.out.add(n.pos, path, "", "axis %s has no numbers", a.Path)
		}
	}
}

// axisValues reads value: or values: of an axis.
func (l *studyReader) axisValues(path string, n *node, where string, k *statisticKind, own bool) []Value {
	axis := slices.IndexFunc(l.axes, func(a Axis) bool { return a.Path == path })
	if n == nil || own && axis < 0 {
		return nil
	}
	items := []*node{n}
	if k.values == "values" {
		if items = l.out.list(n, where+".values"); n.shape == listNode && len(items) < 2 {
			l.out.add(n.pos, where, "", "an order needs two values or more; there are %d", len(items))
		}
	}
	var out []Value
	for _, item := range items {
		v, ok := l.chosen(axis, item, path, where, own)
		if ok && slices.Contains(out, v) {
			l.out.add(item.pos, where, "", "%s occurs twice in the order", strings.TrimSpace(v.String()))
		}
		out = append(out, v)
	}
	return out
}
