package study

import (
	"slices"

	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// drawable reports what a figure asks for and its x axis cannot give, which would
// else come out when the run is done.
func (l *reader) drawable(f Figure, n *text.Node) {
	at := func(key string) text.Position {
		if v := n.Get(key); v != nil {
			return v.Pos
		}
		return n.Pos
	}
	if f.Series != "" && f.Series == f.Panels {
		l.Out.Add(at("panels"), "analysis.figures.panels", "leave one of them out", "series and panels are both %s", f.Series)
	}
	key := ""
	switch {
	case f.Trend:
		key = "trend"
	case f.XScale == "log":
		key = "x_scale"
	}
	if what := l.names(f.X); key != "" && what != "" {
		l.Out.Add(at(key), "analysis.figures."+key, "draw it over a metric or numbers without labels", "%s holds %s, which have neither a logarithmic axis nor a trend", f.X, what)
	}
}

// numbers reports an x that has no line, for it holds texts.
func (l *reader) numbers(n *text.Node) {
	if n != nil && l.names(n.Text) == texts {
		l.Out.Add(n.Pos, "analysis.trends.x", "use a metric or an axis of numbers", "%s holds %s, which have no trend", n.Text, texts)
	}
}

// texts is what names says of an axis of texts.
const texts = "texts"

// names tells what an axis shows in the place of numbers, or nothing.
func (l *reader) names(path string) string {
	i := slices.IndexFunc(l.Axes, func(a manifest.Axis) bool { return a.Path == path })
	switch {
	case i < 0:
		return ""
	case l.Axes[i].Type == params.String || l.Axes[i].Type == params.Bool:
		return texts
	case l.Axes[i].Labels != nil:
		return "numbers with labels"
	}
	return ""
}
