package sweep

import "slices"

// drawable reports what a figure asks for and its x axis cannot give, which would
// else come out when the run is done.
func (l *studyReader) drawable(f Figure, n *node) {
	at := func(key string) position {
		if v := n.get(key); v != nil {
			return v.pos
		}
		return n.pos
	}
	if f.Series != "" && f.Series == f.Panels {
		l.out.add(at("panels"), "analysis.figures.panels", "leave one of them out", "series and panels are both %s", f.Series)
	}
	key := ""
	switch {
	case f.Trend:
		key = "trend"
	case f.XScale == "log":
		key = "x_scale"
	}
	if what := l.names(f.X); key != "" && what != "" {
		l.out.add(at(key), "analysis.figures."+key, "draw it over a metric or numbers without labels", "%s holds %s, which have neither a logarithmic axis nor a trend", f.X, what)
	}
}

// numbers reports an x that has no line, for it holds texts.
func (l *studyReader) numbers(n *node) {
	if n != nil && l.names(n.text) == texts {
		l.out.add(n.pos, "analysis.trends.x", "use a metric or an axis of numbers", "%s holds %s, which have no trend", n.text, texts)
	}
}

// texts is what names says of an axis of texts.
const texts = "texts"

// names tells what an axis shows in the place of numbers, or nothing.
func (l *studyReader) names(path string) string {
	i := slices.IndexFunc(l.axes, func(a Axis) bool { return a.Path == path })
	switch {
	case i < 0:
		return ""
	case l.axes[i].Type == String || l.axes[i].Type == Bool:
		return texts
	case l.axes[i].Labels != nil:
		return "numbers with labels"
	}
	return ""
}
