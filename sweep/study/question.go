package study

import (
	"slices"
	"strings"

	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// Question asks for one answer and how precisely it is wanted. Package analysis decides
// which instances that takes.
type Question struct {
	ID     string  `sweep:"id" required:"true" doc:"names the question"`
	Half   float64 `sweep:"half_width" above:"0" doc:"half-width of the 95 % confidence interval, at most: of a mean in the metric's unit, of a place in that of its axis, or of x"`
	Share  float64 `sweep:"relative_half_width" above:"0" below:"1" unit:"share" doc:"the same of a mean, as a share of it"`
	Margin float64 `sweep:"margin" min:"0" below:"1" unit:"share" doc:"of the best, the share of its mean up to which others are as good, unless shown to be worse. Of a place, the share of the bound or of the other mean up to which sides count as equal: a smaller difference is no crossing"`
	Least  int     `sweep:"least" min:"2" max:"1000000" doc:"replications before anything is decided: of a mean 30 or more, of the best 20 or more. Of a place those of the point that the answer rests on, 20 unless given, while points of the lattice begin with 8"`
	Most   int     `sweep:"most" min:"2" max:"1000000" doc:"replications of a point at most, as replications: is of all questions; of a log there are no more than it has different samples"`
	// Kind is mean, best, threshold or crossing; its fields are in the other.
	Kind  string `sweep:"-"`
	Asked Asked  `sweep:"-"`
	// Lattice are the values of the axis By that are looked at first, ascending.
	Lattice []float64 `sweep:"-"`
	// Sides are the points that are compared: a value for each axis of the manifest, null
	// for By where the question chooses it. Of the best they are the candidates, of a
	// crossing of and to.
	Sides [][]params.Value `sweep:"-"`
	// Chosen is the number of the axis By among the manifest's, -1 for none.
	Chosen int `sweep:"-"`
	// Upper reports that a threshold's bound is AtMost.
	Upper bool `sweep:"-"`
	// Open are the axes that nothing pins; the sides have their first value: a mistake
	// where another makes a difference.
	Open []Open        `sweep:"-"`
	Pos  text.Position `sweep:"-"`
}

// Open is an axis of a question's sides that nothing pins.
type Open struct {
	Axis        int
	From, Until int    // of the sides
	Values      int    // number of open values
	Key         string // of the sides
}

// At are the values of a side's point, where the axis By has a value that the question chooses.
func (q *Question) At(side int, at float64) []params.Value {
	values := slices.Clone(q.Sides[side])
	if q.Chosen < 0 || !values[q.Chosen].Null {
		return values
	}
	v := params.Value{Kind: params.Float, F: at}
	if values[q.Chosen].Kind == params.Int {
		v = params.Value{Kind: params.Int, I: int64(at)}
	}
	values[q.Chosen] = v
	return values
}

// Asked are the plain fields of the kinds of questions.
type Asked struct {
	Metric   string  `sweep:"metric" doc:"metric of the question"`
	Among    string  `sweep:"among" doc:"axis whose values are the candidates"`
	By       string  `sweep:"by" doc:"axis whose values the question chooses"`
	X        string  `sweep:"x" doc:"metric on which the place is wanted; default: the axis by"`
	AtMost   float64 `sweep:"at_most" doc:"bound of a threshold: the mean stays at this or below, in the metric's unit"`
	Growth   float64 `sweep:"growth" above:"-1" unit:"share" doc:"share by which the mean of the side of exceeds the one of the side to at the place; 0 when absent"`
	AtLeast  float64 `sweep:"at_least" doc:"bound of a threshold: the mean stays at this or above, in the metric's unit"`
	Controls string  `sweep:"controls" enum:"none: the means as they are|backlogs: the means corrected by backlog_excess and home_backlog_excess, for workloads of the kind poisson" doc:"control variates of the means"`
	Scale    string  `sweep:"scale" enum:"linear: of the means|log: of their logarithms, for means that grow by factors" doc:"straight lines between the points"`
}

// BacklogControls are the metrics of Controls: their expectation is 0.
var BacklogControls = []string{"backlog_excess", "home_backlog_excess"}

const controlledKind = "poisson"

// ControlBacklogs is the value of Controls that selects these.
const ControlBacklogs = "backlogs"

// Controlled are the metrics that control a question's means.
func (q *Question) Controlled() []string {
	if q.Asked.Controls == ControlBacklogs {
		return BacklogControls
	}
	return nil
}

// QuestionDefaults are the values of fields that a question leaves out.
var QuestionDefaults = Question{Most: 20000, Chosen: -1}

// QuestionKinds are all that a manifest can ask.
var QuestionKinds = []Kind{
	{Name: "mean", Doc: "the mean of a metric at one point", Fields: []string{"metric"}, Required: []string{"metric"}, Sides: []string{"of"},
		Precision: []string{"half_width", "relative_half_width"}},
	{Name: "best", Doc: "the value of an axis with the best mean of a metric", Fields: []string{"metric", "among"},
		Required: []string{"metric", "among"}, Sides: []string{"of"}, Precision: []string{"margin"}},
	{Name: "threshold", Doc: "the value of an axis up to which, or from which on, the mean of a metric keeps a bound",
		Fields: []string{"metric", "by", "x", "at_most", "at_least", "scale", "controls"}, Required: []string{"metric", "by"},
		Sides: []string{"of"}, Others: places, Precision: []string{"half_width"}, Margin: true},
	{Name: "crossing", Doc: "the value of an axis at which the means of two sides cross, or differ by a growth",
		Fields: []string{"metric", "by", "x", "growth", "scale", "controls"}, Required: []string{"metric", "by", "of", "to"},
		Sides: []string{"of", "to"}, Others: places, Precision: []string{"half_width"}, Margin: true},
}

// Keys of a question's kind beside its fields.
const (
	WithinKey = "within" // {from, to} of By
	StepKey   = "step"   // between the values looked at first
)

// places are the keys of kinds that ask for a value of an axis.
var places = []string{WithinKey, StepKey}

// FindKey is the manifest's key of questions.
const FindKey = "find"

func (l *reader) questions(n *text.Node) []Question {
	if n == nil || n.IsNull() {
		return nil
	}
	for _, key := range []string{manifest.SampleKey, "zip", "blocks", "exclude", "when"} {
		if other := l.Root.Get(key); other != nil && !other.IsNull() {
			l.Out.Add(l.Root.Entry(key).Pos, "ask in a manifest of its own", "find chooses points from all combinations of the axes, so that %s "+
				"cannot stand beside it", key)
		}
	}
	var out []Question
	l.withIDs(n, FindKey, "question", "{id: name, mean: {...}}", func(item *text.Node) {
		if q := l.question(item); len(q.Sides) > 0 {
			out = append(out, q)
		}
	})
	if n.Shape == text.List && len(n.Items) == 0 {
		l.Out.Add(n.Pos, "remove it, or ask something", "find is empty")
	}
	return out
}

// question reads one. It has no sides where there is a mistake, or where --set pins what
// it would choose.
func (l *reader) question(n *text.Node) Question {
	q := QuestionDefaults
	var kind *Kind
	for i, k := range QuestionKinds {
		e := n.Entry(k.Name)
		if e != nil && kind != nil {
			l.Out.Add(e.Pos, "make it a question of its own", "one question asks for %s and %s", kind.Name, k.Name)
		} else if e != nil {
			kind = &QuestionKinds[i]
		}
	}
	l.precision(&q, kind, n)
	if kind == nil {
		l.Out.Add(n.Pos, "add one of "+strings.Join(Names(QuestionKinds), ", "), "there is no question here")
		return q
	}
	q.Kind = kind.Name
	l.replications(&q, n)
	before := l.Out.Count
	asked := n.Get(kind.Name)
	q.Pos = asked.Pos
	l.asked(&q, kind, asked, FindKey+"."+kind.Name)
	if before == l.Out.Count && !(l.Overridden(manifest.OverriddenAxes) && kind.Others != nil && len(q.Lattice) < fewest) {
		l.tooWide(&q, n.Get(HalfKey))
		l.sides(&q, kind, asked, FindKey+"."+kind.Name)
	}
	return q
}

func (l *reader) asked(q *Question, k *Kind, n *text.Node, path string) {
	before := l.Out.Count
	if !l.kindMap(n, path, k, &q.Asked) {
		return
	}
	for _, key := range []string{"metric", "x"} {
		if v := n.Get(key); v != nil && !(key == "x" && v.Text == q.Asked.By) {
			l.Metric(v)
		}
	}
	read := before == l.Out.Count
	if q.Asked.X == q.Asked.By {
		q.Asked.X = ""
	}
	if q.Kind == "best" && l.Catalog.Better[q.Asked.Metric] == "" && slices.Contains(l.Catalog.Metrics, q.Asked.Metric) {
		l.Out.Add(n.Get("metric").Pos, "ask for a mean of each", "of %s neither low nor high values are better", q.Asked.Metric)
	}
	if q.Kind == "threshold" {
		l.bound(q, n, read)
	}
	if v := n.Get("controls"); v != nil && q.Asked.Controls == ControlBacklogs {
		if can, kinds := l.Plays("workload", controlledKind); !can {
			l.Out.Add(v.Pos, "leave controls out", "only workloads of the kind %s have the metrics %s, and here they are %s", controlledKind,
				strings.Join(BacklogControls, " and "), strings.Join(kinds, ", "))
		}
	}
	q.Upper = n.Get("at_most") != nil
	if v := n.Get("among"); v != nil {
		l.axisName(v)
	}
	if k.Others != nil && n.Get("by") != nil {
		l.lattice(q, n)
	}
}

func (l *reader) sides(q *Question, k *Kind, n *text.Node, path string) {
	for _, key := range k.Sides {
		var terms []Term
		for _, from := range []string{WhereKey, key} {
			terms = append(terms, l.terms(n.Get(from), path+"."+from, true)...)
		}
		among, candidates := -1, []params.Value(nil)
		side := make([]params.Value, len(l.Axes))
		for i, axis := range l.Axes {
			var open []params.Value
			pinned := false
			for _, v := range axis.Values {
				if admitted, named := admits(terms, axis.Path, v); admitted {
					open, pinned = append(open, v), pinned || named
				}
			}
			if len(open) == 0 && l.Overridden(manifest.OverriddenAxes) && len(axis.Values) == 1 {
				open, pinned = axis.Values, true // --set pins the axis to what the question does not name
			}
			switch {
			case i == q.Chosen && !(pinned && key == "to"):
				if pinned {
					l.Out.Add(n.Pos, "leave it out of "+key, "the question chooses %s itself", axis.Path)
				}
				side[i] = params.Value{Kind: axis.Type, Null: true}
			case axis.Path == q.Asked.Among:
				among, candidates = i, open
				if len(open) < 2 && l.Overridden(manifest.OverriddenAxes) {
					return
				}
				if len(open) < 2 {
					l.Out.Add(n.Pos, "let where and "+key+" leave two or more", "fewer than two values of %s are left: there is nothing to compare",
						axis.Path)
				}
			case len(open) == 0:
				l.Out.Add(n.Pos, "let where and "+key+" agree on one", "no value of %s is left", axis.Path)
			default:
				if side[i] = open[0]; len(open) > 1 {
					q.Open = append(q.Open, Open{Axis: i, From: len(q.Sides), Until: len(q.Sides) + 1, Values: len(open), Key: key})
				}
			}
		}
		if among < 0 {
			q.Sides = append(q.Sides, side)
			continue
		}
		for _, v := range candidates {
			side[among] = v
			q.Sides = append(q.Sides, slices.Clone(side))
		}
		for i := range q.Open {
			q.Open[i].Until = len(q.Sides)
		}
	}
}

func admits(terms []Term, path string, v params.Value) (admitted, named bool) {
	for _, t := range terms {
		if t.Path != path {
			continue
		}
		named = true
		number := v.As(params.Float).F
		if t.Range && !(number >= t.From && number <= t.To) || !t.Range && !slices.Contains(t.Values, v) {
			return false, true
		}
	}
	return true, named
}
