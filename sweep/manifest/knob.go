package manifest

import (
	"reflect"
	"slices"
	"strings"

	"schedsweep/sweep/design"
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// Span is the range of a knob.
type Span struct {
	From  float64 `sweep:"from" required:"true" doc:"lower end of the range"`
	To    float64 `sweep:"to" required:"true" doc:"upper end of the range, included; above from"`
	Scale string  `sweep:"scale" enum:"linear: equal differences|log: equal ratios" default:"linear" doc:"steps that are equally likely"`
	Step  float64 `sweep:"step" above:"0" doc:"distance of the values, beginning with from; 1 of whole numbers, any value of others"`
	Base  float64 `sweep:"base" doc:"of one_at_a_time: value of the knob while others vary, within the range; the section's value when absent"`
}

const (
	baseKey = "base"          // of Span
	alone   = "one_at_a_time" // the method that has it
)

// knob is a path of over: with the values that it can take.
type knob struct {
	design.Knob
	entry text.Entry
	items []*text.Node // of a list
	at    func(place design.Place) float64
	base  *text.Node
	made  map[design.Place]*text.Node
}

func (l *Layout) knob(e text.Entry, method string) *knob {
	s, rel, ok := l.field(e.Key, e.Pos)
	if !ok || l.hidden(s, rel) {
		return nil
	}
	before := l.Out.Count
	k := &knob{entry: e, made: map[design.Place]*text.Node{}}
	fields := params.FieldsAt(l.kindsWith(s, rel), rel)
	number := len(fields) > 0 && fields[0].Scalar() && fields[0].Column() <= params.Int
	plain := func(n *text.Node) *text.Node { // the number as every manifest has it
		if !number || n.Shape != text.Scalar {
			return n
		}
		into := reflect.New(reflect.TypeFor[float64]()).Elem()
		l.Decoder.Scalar(n, &params.Field{Unit: fields[0].Unit, Type: into.Type()}, into, e.Key)
		return &text.Node{Text: params.FormatFloat(into.Float()), Pos: n.Pos}
	}
	switch {
	case len(fields) > 0 && fields[0].Unhashed:
		l.Out.Add(e.Pos, "put the value in its section", "knob %s changes no answer, so that instances that differ in it are one", e.Key)
	case e.Value.Shape == text.List:
		k.Knob = design.Knob{Values: len(e.Value.Items), Ordered: number && ladderOf(e.Value.Items)}
		for i, item := range e.Value.Items {
			item = plain(item)
			if slices.ContainsFunc(k.items, func(n *text.Node) bool { return sameText(n, item) }) {
				l.Out.Add(e.Value.Items[i].Pos, "", "knob %s has the value twice", e.Key)
			}
			k.items = append(k.items, item)
		}
		if k.Values < 2 {
			l.Out.Add(e.Value.Pos, "give it more, or put the value in its section", "knob %s needs two values or more", e.Key)
		}
	case e.Value.Shape != text.Map:
		l.Out.Add(e.Value.Pos, "write {from: 0, to: 1} or a list", "knob %s is %s; want a range or a list of values", e.Key, e.Value.What())
	case !number:
		l.Out.Add(e.Value.Pos, "write a list of its values", "knob %s is no number and has no range", e.Key)
	default:
		l.span(k, fields[0], method)
	}
	if k.base = e.Value.Get(baseKey); k.base == nil {
		k.base = l.Root.Find(strings.Split(e.Key, "."))
	}
	if k.base == nil && method == alone && before == l.Out.Count {
		l.Out.Add(e.Pos, "write it in its section, or base: in the knob's range", "knob %s has no base to stand at while others vary", e.Key)
	}
	if k.base != nil {
		k.base = k.listed(plain(k.base), plain)
	}
	if before != l.Out.Count {
		return nil
	}
	return k
}

// listed returns the item of the knob's list that gives a value a label, or the value.
func (k *knob) listed(value *text.Node, plain func(*text.Node) *text.Node) *text.Node {
	for _, item := range k.items {
		if of := item.Get("value"); of != nil && sameText(plain(of), value) {
			return item
		}
	}
	return value
}

// ladderOf reports whether numbers go up all along, or down: steps between them have a length then.
func ladderOf(items []*text.Node) bool {
	up, down := 0, 0
	for i, item := range items[1:] {
		a, _ := text.Number(items[i].Text)
		if b, _ := text.Number(item.Text); b > a {
			up++
		} else {
			down++
		}
	}
	return up == 0 || down == 0
}

// span reads a range; the field's bounds are checked at both ends.
func (l *Layout) span(k *knob, f *params.Field, method string) {
	path, n, before := k.entry.Key, k.entry.Value, l.Out.Count
	var r Span
	info := params.MustReflect(reflect.TypeFor[Span]()).InUnit(f.Unit, "from", "to", "step", baseKey)
	unknown := func(e text.Entry, _ string, fields *params.Struct) {
		l.Out.Add(e.Pos, text.DidYouMean(e.Key, fields.Names()), "unknown key %s in the range of knob %s", text.Quote(e.Key), path)
	}
	l.Decoder.Structure(n, info, reflect.ValueOf(&r).Elem(), params.Scope{Path: path, Unknown: unknown})
	if l.Out.Count > before {
		return
	}
	logarithmic := r.Scale == "log"
	if base := n.Entry(baseKey); base != nil && method != alone && method != "" {
		l.Out.Add(base.Pos, "leave it out", "the method %s has no base of knob %s: it moves all of them", method, path)
	} else if base != nil && r.From < r.To && !(r.From <= r.Base && r.Base <= r.To) {
		l.Out.Add(base.Value.Pos, "use a value in the range, or a wider range", "the base of knob %s is %s, outside its range from %s to %s",
			path, params.Decimal(r.Base), params.Decimal(r.From), params.Decimal(r.To))
	}
	switch {
	case r.From > r.To:
		l.Out.Add(n.Pos, "swap them", "the range of knob %s begins at %s, above its end %s", path, params.Decimal(r.From), params.Decimal(r.To))
	case r.From == r.To:
		l.Out.Add(n.Pos, "put the value in its section", "the range of knob %s has one value", path)
	case logarithmic && r.From <= 0:
		l.Out.Add(n.Pos, aboveZero, "both ends of a logarithmic range must be above 0")
	case logarithmic && r.Step > 0:
		l.Out.Add(n.Pos, "list the values", "a logarithmic range has no steps")
	}
	if l.Out.Count > before {
		return
	}
	l.places(k, r, f.Column() == params.Int)
	if l.Out.Count > before {
		return
	}
	for _, p := range []design.Place{0, 1, float64(max(k.Values-1, 1))} {
		if l.Out.Count == before {
			l.Decoder.Scalar(&text.Node{Text: params.FormatFloat(k.at(p)), Pos: n.Pos}, f, reflect.New(f.Type).Elem(), path)
		}
	}
}

// places returns the values at the places of a range.
func (l *Layout) places(k *knob, r Span, whole bool) {
	n, logarithmic := k.entry.Value, r.Scale == "log"
	if whole && r.Step == 0 && !logarithmic {
		r.Step = 1
	}
	if r.Step > 0 {
		if k.Knob = (design.Knob{Values: 1 + int(min(stepsTo(r.From, r.To, r.Step), 1e9)), Ordered: true}); k.Values < 2 {
			l.Out.Add(n.Pos, "use a smaller step", "no step of %s leads from %s to %s", params.Decimal(r.Step), params.Decimal(r.From),
				params.Decimal(r.To))
		}
		at := ladder(r.From, r.Step, 0, 1)
		k.at = func(p design.Place) float64 { return at(int(p)) }
	} else {
		k.at = func(p design.Place) float64 {
			v := between(r.From, r.To, p, logarithmic)
			if whole {
				v = float64(int64(v + 0.5))
			}
			return v
		}
	}
}

func (k *knob) node(p design.Place) *text.Node {
	if p != p {
		return k.base
	}
	if k.items != nil {
		return k.items[int(p)]
	}
	n := k.made[p]
	if n == nil {
		n = &text.Node{Text: params.FormatFloat(k.at(p)), Pos: k.entry.Value.Pos}
		k.made[p] = n
	}
	return n
}

// flowed returns the text that distinguishes a value from others.
func flowed(n *text.Node) string {
	if n.Shape == text.Scalar {
		return n.Text
	}
	return string(text.Emit(n))
}
