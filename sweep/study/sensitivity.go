package study

import (
	"slices"

	"schedsweep/sweep/manifest"
	"schedsweep/sweep/text"
)

// The kinds of figures that tell what the knobs of a sample do to a metric, which is X.
const (
	KindMorris  = "morris"
	KindIndices = "indices"
)

// Sensitivity tells whether the figure shows what the knobs of a sample do.
func (f *Figure) Sensitivity() bool { return f.Kind == KindMorris || f.Kind == KindIndices }

// sensitivity reports what a figure of a sample's knobs cannot show, or lacks.
func (l *reader) sensitivity(f Figure, n *text.Node) {
	switch s := l.Sample; {
	case s == nil && l.Root.Get(manifest.SampleKey) != nil: // which has a mistake of its own
	case s == nil:
		l.Out.Add(n.Place("kind"), "give the manifest a sample", "a figure of the kind %s is of the knobs of a sample, and there is none", f.Kind)
	case f.Kind == KindMorris && s.Method != KindMorris:
		l.Out.Add(n.Place("kind"), "use the kind indices", "the sample is of the method %s, and not morris", s.Method)
	case !s.Indexed():
		l.Out.Add(n.Place("kind"), "draw means over a knob", "a sample of the method %s has no indices", s.Method)
	default:
		for _, key := range []string{"panels", "rows"} {
			if v := n.Get(key); v != nil && slices.Contains(s.Knobs, v.Text) {
				l.Out.Add(v.Pos, "give another axis", "%s is %s, a knob of the sample", key, v.Text)
			}
		}
		for _, t := range f.Where {
			if slices.Contains(s.Knobs, t.Path) {
				l.Out.Add(n.Place(WhereKey), "", "where takes some values of %s, a knob of the sample, which needs all", t.Path)
			}
		}
	}
	if !slices.Contains(l.Catalog.Metrics, f.X) && l.isAxis(f.X) {
		l.Out.Add(n.Place("x"), "give a metric", "a figure of the kind %s is of a metric, and %s is an axis", f.Kind, f.X)
	}
	l.refuse(f, n, []refusal{{"y", n.Get("y") != nil}, {"series", f.Series != ""}, {"points", f.Points}, {"trend", f.Trend}, {"line", f.Line != "mean"}, {"band", f.Band}, {"paired", f.Paired != ""}, {"published", len(f.Published) > 0},
		{"x_scale", f.XScale == "log"}, {"x_limits", f.XLimits != nil && f.Kind == KindIndices}})
}
