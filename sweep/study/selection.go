package study

import (
	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// Selection chooses rows: those of a run that have one of the values in every
// axis named. Without terms it is all rows.
type Selection struct {
	// Run names the run of another manifest; "" is the claim's own.
	Run   string
	Terms []Term
}

// Term restricts one axis: to Values, or to From <= value <= To where Range is
// set.
type Term struct {
	Path     string
	Values   []params.Value
	Range    bool
	From, To float64
}

// RunKey is the key of a selection, beside axes, that names another run.
const RunKey = "run"

// selection reads terms, beside which a run may stand. run is what the statistic around
// it says.
func (l *reader) selection(n *text.Node, path, run string) *Selection {
	sel := &Selection{Run: run}
	if named := n.Get(RunKey); named != nil {
		sel.Run = l.runName(named)
		n = n.With(RunKey, n.Pos, nil)
	}
	sel.Terms = l.terms(n, path, sel.Run == "")
	return sel
}

// terms reads a map of axis -> value, list of values or {from, to}; own tells that it is of this run.
func (l *reader) terms(n *text.Node, path string, own bool) []Term {
	var out []Term
	for _, e := range l.Out.Mapping(n, path) {
		if t, ok := l.term(e, own); ok {
			out = append(out, t)
		}
	}
	return out
}

func (l *reader) runName(n *text.Node) string {
	if n.Shape != text.Scalar || n.IsNull() || !manifest.NamePattern.MatchString(n.Text) {
		l.Out.Add(n.Pos, "give the name of its manifest", "%s cannot name a run", n.What())
		return ""
	}
	return n.Text
}

// term reads one entry of a selection. Axes of other runs are known when their
// rows are read; their values are taken as they look.
func (l *reader) term(e text.Entry, own bool) (Term, bool) {
	t := Term{Path: e.Key}
	axis := l.AxisIndex(e.Key)
	if own && axis < 0 {
		l.axisName(&text.Node{Text: e.Key, Pos: e.Pos, Quoted: true})
		return t, false
	}
	if e.Value.Shape == text.Map {
		if own && !l.Axes[axis].Numeric() {
			l.Out.Add(e.Value.Pos, "list the values", "%s has no numbers to lie in a range", e.Key)
			return t, false
		}
		unit := ""
		if own {
			unit = l.Axes[axis].Quantity
		}
		ok := l.termRange(e, unit, &t)
		return t, ok
	}
	wanted := []*text.Node{e.Value}
	if e.Value.Shape == text.List {
		wanted = e.Value.Items
	}
	if len(wanted) == 0 {
		l.Out.Add(e.Value.Pos, "", "no value of %s is given", e.Key)
		return t, false
	}
	for _, w := range wanted {
		v, ok := l.chosen(axis, w, e.Key, own)
		if !ok {
			return t, false
		}
		t.Values = append(t.Values, v)
	}
	return t, true
}

// termRange reads {from: low, to: high}, both ends included, in the axis' unit.
func (l *reader) termRange(e text.Entry, unit string, t *Term) bool {
	l.Out.Keys(e.Value, e.Key, []string{"from", "to"})
	read := func(key string) (float64, bool) {
		n := e.Value.Get(key)
		if n == nil {
			l.Out.Add(e.Value.Pos, "write {from: low, to: high}", "the range of %s has no %s", e.Key, key)
			return 0, false
		}
		v, ok := text.Number(n.Text)
		if !ok && text.Units[unit] != nil && params.LooksLikeQuantity(n.Text) {
			q, err := text.Quantity(n.Text, unit)
			v, ok = q, err == nil
		}
		if n.Shape != text.Scalar || n.Quoted || !ok {
			l.Out.Add(n.Pos, "", "%s of %s is %s; want a number", key, e.Key, n.What())
			return 0, false
		}
		return v, true
	}
	var ok1, ok2 bool
	t.From, ok1 = read("from")
	t.To, ok2 = read("to")
	t.Range = true
	if ok1 && ok2 && !(t.From <= t.To) {
		l.Out.Add(e.Value.Pos, "swap them", "the range of %s begins at %s, above its end %s", e.Key, params.FormatFloat(t.From),
			params.FormatFloat(t.To))
		return false
	}
	return ok1 && ok2
}

func (l *reader) chosen(axis int, n *text.Node, key string, own bool) (params.Value, bool) {
	switch {
	case n.Shape != text.Scalar:
		l.Out.Add(n.Pos, "write a value of the axis", "%s is compared with %s", key, n.What())
		return params.Value{}, false
	case n.IsNull():
		return params.Value{Null: true}, true
	case own:
		return l.WantedValue(l.AxisDefOf(axis), n, params.Value{Null: true}, !l.Overridden(manifest.OverriddenAxes))
	}
	if v, ok := text.Number(n.Text); ok && !n.Quoted {
		return params.Value{Kind: params.Float, F: v}, true
	}
	return params.Value{Kind: params.String, S: n.Text}, true
}
