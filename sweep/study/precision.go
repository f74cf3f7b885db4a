package study

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// BoundKeys are the fields of a threshold in the unit of its metric.
var BoundKeys = []string{"at_most", "at_least"}

// Keys that say how precisely an answer is wanted.
const (
	HalfKey   = "half_width"
	shareKey  = "relative_half_width"
	marginKey = "margin"
)

// precision reads the plain fields of a question, one of them says how precise the answer must be; kind is nil where
// there is no question.
func (l *reader) precision(q *Question, kind *Kind, n *text.Node) {
	unit, known := "", false
	if kind != nil {
		unit, known = l.halfUnit(kind, n.Get(kind.Name))
	}
	fields := params.MustReflect(reflect.TypeFor[Question]()).InUnit(unit, HalfKey)
	read, half := n, n.Get(HalfKey)
	if half != nil && !known { // its metric is a mistake, which is reported already
		read = n.With(HalfKey, n.Pos, nil)
	} else if half != nil && half.Shape == text.Scalar && strings.HasSuffix(half.Text, "%") && unit != "share" {
		hint := "give it in the unit of the answer; only a mean has a share, " + shareKey
		if kind != nil && slices.Contains(kind.Precision, shareKey) {
			hint = "write " + shareKey + ": " + half.Text
		}
		l.Out.Add(half.Pos, hint, "%s.%s is %s, a share", FindKey, HalfKey, half.What())
		read = n.With(HalfKey, n.Pos, nil)
	}
	l.Decoder.MapAs(read, fields, q, FindKey, "a question", Names(QuestionKinds)...)
	if kind == nil {
		return
	}
	var given []string
	for _, key := range []string{HalfKey, shareKey, marginKey} {
		switch e := n.Entry(key); {
		case e == nil || key == marginKey && kind.Margin:
		case !slices.Contains(kind.Precision, key):
			l.Out.Add(e.Pos, "give "+strings.Join(kind.Precision, " or "), "a question for %s has no %s", kind.Name, key)
		default:
			given = append(given, key)
		}
	}
	if len(given) > 1 {
		l.Out.Add(n.Pos, "leave one of them out", "%s both set the precision of the answer", strings.Join(given, " and by "))
	} else if len(given) == 0 {
		l.Out.Add(n.Pos, "give "+strings.Join(kind.Precision, " or "), "the question sets no precision of the answer")
	}
}

// halfUnit returns the unit of a question's half-width: that of its metric or of the axis by. known is
// false where the question has neither.
func (l *reader) halfUnit(k *Kind, asked *text.Node) (unit string, known bool) {
	by, x := asked.Get("by"), asked.Get("x")
	switch {
	case k.Others == nil:
		return l.metricUnit(asked.Get("metric"))
	case x != nil && (by == nil || x.Text != by.Text):
		return l.metricUnit(x)
	case by != nil:
		if i := l.AxisIndex(by.Text); i >= 0 {
			return l.Axes[i].Quantity, true
		}
	}
	return "", false
}

// metricUnit is the unit of the metric of that name, "" where quantities cannot be written in
// it, if there is such a metric.
func (l *reader) metricUnit(n *text.Node) (unit string, known bool) {
	if n == nil || !slices.Contains(l.Catalog.Metrics, n.Text) {
		return "", false
	}
	if unit = l.Catalog.Units[n.Text]; text.Units[unit] == nil {
		unit = ""
	}
	return unit, true
}

// floors are the replications on which the promise of 95 % rests: fewer make intervals that
// hold the truth less often.
var floors = map[string]int{"mean": 30, "best": 20}

// usual is the least of places, unless given.
const usual = 20

// replications sees to it that a question has as many as its promise takes.
func (l *reader) replications(q *Question, n *text.Node) {
	least, most := n.Get("least"), n.Get("most")
	switch floor := floors[q.Kind]; {
	case q.Least == 0:
		q.Least = max(floor, usual)
	case q.Least < floor:
		l.Out.Add(least.Pos, fmt.Sprintf("use %d or more, or leave it out", floor), "%s.least is %d, and the promise of 95 %% for %s rests on "+
			"%d replications or more", FindKey, q.Least, q.Kind, floor)
		return
	}
	enough := fmt.Sprintf("use %d or more", q.Least)
	switch {
	case q.Most < q.Least && most != nil && least != nil:
		l.Out.Add(most.Pos, enough+", or a smaller least", "%s.most is %d, below least, which is %d", FindKey, q.Most, q.Least)
	case q.Most < q.Least && most != nil:
		l.Out.Add(most.Pos, enough, "%s.most is %d, below least, which is %d for %s unless given", FindKey, q.Most, q.Least, q.Kind)
	case q.Most < q.Least:
		l.Out.Add(least.Pos, fmt.Sprintf("use %d or less, or give most", q.Most), "%s.least is %d, above most, which is %d unless given", FindKey,
			q.Least, q.Most)
	}
	if l.Root.Get("replications") != nil { // fewer than least leave the question undecided
		q.Most = min(q.Most, l.Replications)
	}
}

func (l *reader) bound(q *Question, n *text.Node, read bool) {
	most, least := n.Entry(BoundKeys[0]), n.Entry(BoundKeys[1])
	switch {
	case most == nil && least == nil:
		l.Out.Add(n.Pos, "add one of them", "a threshold keeps a bound, at_most or at_least, and none is given")
	case most != nil && least != nil:
		l.Out.Add(least.Pos, "leave one of them out", "a threshold keeps one bound, and at_most and at_least are given")
	case read:
		e, value := most, q.Asked.AtMost
		if most == nil {
			e, value = least, q.Asked.AtLeast
		}
		if q.Asked.Scale == "log" && value <= 0 {
			l.Out.Add(e.Value.Pos, "use a bound above 0, or leave scale: log out", "%s is %s, which has no logarithm", e.Key, e.Value.Text)
		} else if value == 0 && q.Margin > 0 {
			l.Out.Add(e.Value.Pos, "leave margin out, or use another bound", "%s is 0, and %s cannot be a share of 0", e.Key, marginKey)
		}
	}
}

func (l *reader) tooWide(q *Question, half *text.Node) {
	if len(q.Lattice) < fewest || q.Asked.X != "" || half == nil {
		return
	}
	low, high := q.Lattice[0], q.Lattice[len(q.Lattice)-1]
	if wide := (high - low) / 2; q.Half > wide {
		limit := strings.TrimSpace(params.Decimal(wide) + " " + l.Axes[q.Chosen].Unit)
		l.Out.Add(half.Pos, "use less than "+limit, "%s.%s is %s, more than half of the range of %s in the question, so that any value "+
			"would do", FindKey, HalfKey, half.Text, q.Asked.By)
	}
}
