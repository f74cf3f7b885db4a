package sweep

import "slices"

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
	Values   []Value
	Range    bool
	From, To float64
}

// runKey is the key of a selection, beside axes, that names another run.
const runKey = "run"

// selection reads a map of axis -> value, list of values or {from, to}. run is
// what the statistic around it says.
func (l *studyReader) selection(n *node, path, run string) *Selection {
	sel := &Selection{Run: run}
	entries := l.out.mapping(n, path)
	for _, e := range entries {
		if e.key == runKey {
			sel.Run = l.runName(e.value, path)
		}
	}
	for _, e := range entries {
		if e.key == runKey {
			continue
		}
		if t, ok := l.term(e, path, sel.Run == ""); ok {
			sel.Terms = append(sel.Terms, t)
		}
	}
	return sel
}

// runName reads the name of a run, which is a manifest's.
func (l *studyReader) runName(n *node, path string) string {
	if n.shape != scalarNode || n.isNull() || !namePattern.MatchString(n.text) {
		l.out.add(n.pos, path+"."+runKey, "give the name of its manifest", "%s cannot name a run", n.what())
		return ""
	}
	return n.text
}

// term reads one entry of a selection. Axes of other runs are known when their
// rows are read; their values are taken as they look.
func (l *studyReader) term(e entry, path string, own bool) (Term, bool) {
	t := Term{Path: e.key}
	axis := slices.IndexFunc(l.axes, func(a Axis) bool { return a.Path == e.key })
	if own && axis < 0 {
		l.axisName(&node{text: e.key, pos: e.pos, quoted: true}, path)
		return t, false
	}
	if e.value.shape == mapNode {
		if own && l.axes[axis].Type != Float && l.axes[axis].Type != Int {
			l.out.add(e.value.pos, path, "list the values", "%s has no numbers to lie in a range", e.key)
			return t, false
		}
		unit := ""
		if own {
			unit = l.axes[axis].Unit
		}
		ok := l.termRange(e, path, unit, &t)
		return t, ok
	}
	wanted := []*node{e.value}
	if e.value.shape == listNode {
		wanted = e.value.items
	}
	if len(wanted) == 0 {
		l.out.add(e.value.pos, path, "", "no value of %s is given", e.key)
		return t, false
	}
	for _, w := range wanted {
		v, ok := l.chosen(axis, w, e.key, path, own)
		if !ok {
			return t, false
		}
		t.Values = append(t.Values, v)
	}
	return t, true
}

// termRange reads {from: low, to: high}, both ends included, in the axis' unit.
func (l *studyReader) termRange(e entry, path, unit string, t *Term) bool {
	l.out.keys(e.value, e.key, []string{"from", "to"})
	read := func(key string) (float64, bool) {
		n := e.value.get(key)
		if n == nil {
			l.out.add(e.value.pos, path, "write {from: low, to: high}", "the range of %s has no %s", e.key, key)
			return 0, false
		}
		v, ok := parseNumber(n.text)
		if !ok && units[unit] != nil && looksLikeQuantity(n.text) {
			q, err := parseQuantity(n.text, unit)
			v, ok = q, err == nil
		}
		if n.shape != scalarNode || n.quoted || !ok {
			l.out.add(n.pos, path, "", "%s of %s is %s; want a number", key, e.key, n.what())
			return 0, false
		}
		return v, true
	}
	var ok1, ok2 bool
	t.From, ok1 = read("from")
	t.To, ok2 = read("to")
	t.Range = true
	if ok1 && ok2 && !(t.From <= t.To) {
		l.out.add(e.value.pos, path, "swap them", "the range of %s begins at %s, above its end %s", e.key, formatFloat(t.From), formatFloat(t.To))
		return false
	}
	return ok1 && ok2
}

// chosen reads one value of an axis.
func (l *studyReader) chosen(axis int, n *node, key, path string, own bool) (Value, bool) {
	switch {
	case n.shape != scalarNode:
		l.out.add(n.pos, path, "write a value of the axis", "%s is compared with %s", key, n.what())
		return Value{}, false
	case n.isNull():
		return Value{Null: true}, true
	case own:
		return l.wantedValue(l.axisDefOf(axis), n, Value{Null: true}, !l.overridden)
	}
	if v, ok := parseNumber(n.text); ok && !n.quoted {
		return Value{Kind: Float, F: v}, true
	}
	return Value{Kind: String, S: n.text}, true
}
