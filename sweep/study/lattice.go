package study

import (
	"slices"

	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// Space is a manifest's root with an axis for each that its questions choose values of and
// that it does not list: the lattice of the first of these.
func Space(root *text.Node) *text.Node {
	for _, q := range root.Get(FindKey).All() {
		for _, name := range Names(QuestionKinds) {
			asked := q.Get(name)
			by, lattice := asked.Get("by"), latticeNode(asked)
			if by == nil || by.Shape != text.Scalar || lattice == nil || root.Get("axes").Get(by.Text) != nil {
				continue
			}
			root = root.With("axes", by.Pos, root.Get("axes").With(by.Text, by.Pos, lattice))
		}
	}
	return root
}

// latticeNode is a question's own lattice as an axis has it, nil where it has none.
func latticeNode(asked *text.Node) *text.Node {
	within, step := asked.Get(WithinKey), asked.Get(StepKey)
	if within == nil || within.Shape != text.Map || step == nil {
		return nil
	}
	return within.With(StepKey, step.Pos, step)
}

const fewest = 3

// lattice reads which values of an axis are looked at first.
func (l *reader) lattice(q *Question, n *text.Node) {
	by := n.Get("by")
	axis := l.AxisIndex(q.Asked.By)
	if axis < 0 {
		if n.Get(WithinKey) == nil || n.Get(StepKey) == nil {
			f, ok := l.FieldAt(by.Text, by.Pos)
			if !ok {
				return
			}
			if f == nil || !f.Scalar() || f.Column() > params.Int {
				l.noNumbers(by)
				return
			}
			hint := "write within: {from: 0.5, to: 0.9}, step: 0.1"
			if f.Column() == params.Int {
				hint = "write within: {from: 1000, to: 5000}, step: 1000"
			}
			l.Out.Add(by.Pos, hint, "the manifest lists no values of %s, so that the question has to say within what, and in which steps it "+
				"looks first", text.Quote(by.Text))
		} else {
			l.axisName(by) // Space has made an axis of what can be one
		}
		return
	}
	if !l.Axes[axis].Numeric() {
		l.noNumbers(by)
		return
	}
	var all []params.Value
	hint := "list more of them, or write within and step"
	span := Term{Path: by.Text}
	switch own := latticeNode(n); {
	case own != nil:
		hint = "use smaller steps"
		if a := l.Range(text.Entry{Key: by.Text, Pos: by.Pos, Value: own}); a != nil {
			all = text.Each(a.Values, func(v manifest.BlockValue) params.Value { return v.Value })
		}
	case n.Get(StepKey) != nil:
		l.Out.Add(n.Entry(StepKey).Pos, "write within: {from: 0.5, to: 0.9}", "steps lead nowhere without %s", WithinKey)
		return
	default:
		all = l.Axes[axis].Values
		within := n.Entry(WithinKey)
		if within == nil {
			break
		}
		hint = "make the range wider, or give a step for values of its own"
		if !l.termRange(text.Entry{Key: by.Text, Pos: within.Pos, Value: within.Value}, l.Axes[axis].Quantity, &span) {
			return
		}
	}
	for _, v := range all {
		if at := v.As(params.Float).F; !span.Range || at >= span.From && at <= span.To {
			q.Lattice = append(q.Lattice, at)
		}
	}
	slices.Sort(q.Lattice)
	q.Chosen = axis
	switch {
	case len(q.Lattice) >= fewest || len(all) == 0 || l.Overridden(manifest.OverriddenAxes):
	case len(q.Lattice) == 0:
		low, high := params.Ends(all)
		l.Out.Add(n.Get(WithinKey).Pos, hint, "the range holds none of the values of %s, which run from %s to %s", by.Text, low, high)
	default:
		l.Out.Add(by.Pos, hint, "a question looks at three values of %s or more first; there are %d", by.Text, len(q.Lattice))
	}
}

func (l *reader) noNumbers(by *text.Node) {
	l.Out.Add(by.Pos, "ask for the best of its values", "the values of axis %s are no numbers, so that there is none between two", by.Text)
}
