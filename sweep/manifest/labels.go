package manifest

import (
	"maps"
	"reflect"
	"slices"

	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// labels are the values behind the labels, by the path of their axis.
type labels map[string]map[string]*text.Node

// note adds the labels of all axes of a manifest. It runs before and after --set, which may take a label's value off.
func (l labels) note(cat *params.Catalog, root *text.Node) {
	for _, n := range withBlocks(root) {
		for _, e := range n.Get("axes").Pairs() {
			if subtrees(cat, e.Key, e.Value) {
				continue
			}
			for _, item := range e.Value.Items {
				label, tree := item.Get("label"), unlabelled(item)
				if tree == item || label.Shape != text.Scalar {
					continue
				}
				if l[e.Key] == nil {
					l[e.Key] = map[string]*text.Node{}
				}
				l[e.Key][label.Text] = tree
			}
		}
	}
}

// meant returns the plain value that a label of the axis means, at the
// label's place, or the value itself.
func (l labels) meant(path string, value *text.Node) *text.Node {
	tree := l[path][value.Text]
	if value.Shape != text.Scalar || tree == nil {
		return value
	}
	out := *tree
	out.Pos = value.Pos
	return &out
}

// items puts labelled values in the place of their labels in a list of values.
func (l labels) items(path string, list *text.Node) *text.Node {
	if list.Shape != text.List || l[path] == nil {
		return list
	}
	return list.Changed(func(_ string, item *text.Node) *text.Node {
		if tree := l.meant(path, item); tree != item {
			return labelled(item, tree)
		}
		return item
	})
}

// noLabel reports a text where the axis has numbers with labels: it must be a
// label misspelt.
func (l *Layout) noLabel(a *BlockAxis, n *text.Node) bool {
	labels := l.labels[a.Path]
	_, number := text.Number(n.Text)
	if labels == nil || labels[n.Text] != nil || number || params.LooksLikeQuantity(n.Text) || a.Type != params.Float && a.Type != params.Int {
		return false
	}
	l.Out.Add(n.Pos, text.DidYouMean(n.Text, slices.Sorted(maps.Keys(labels))), "%s is no value or label of axis %s", text.Quote(n.Text),
		a.Path)
	return true
}

func labelled(label, value *text.Node) *text.Node {
	return text.NewMap(label.Pos).With("label", label.Pos, label).With("value", label.Pos, value)
}

// unlabelled returns the value of {label: name, value: ...}, and others as they
// are.
func unlabelled(n *text.Node) *text.Node {
	if tree := n.Get("value"); tree != nil && n.Get("label") != nil {
		return tree
	}
	return n
}

// padded returns the labels with empty ones for values that blocks have added.
func padded(labels []string, values int) []string {
	return append(labels, make([]string, values-len(labels))...)
}

// name notes the label of an axis' value, which must be the same in all blocks.
func (l *Layout) name(a *Axis, v BlockValue) {
	if v.label == "" {
		return
	}
	a.Labels = padded(a.Labels, len(a.Values))
	i, other := slices.Index(a.Values, v.Value), slices.Index(a.Labels, v.label)
	switch {
	case a.Labels[i] != "" && a.Labels[i] != v.label:
		l.Out.Add(v.pos, "use one label in all blocks", "%s has the labels %s and %s", v.Value, text.Quote(a.Labels[i]), text.Quote(v.label))
	case other >= 0 && other != i:
		l.Out.Add(v.pos, "use another label", "%s is the label of %s and of %s", text.Quote(v.label), a.Values[other], v.Value)
	default:
		a.Labels[i] = v.label
	}
}

// anotherValue reports a label that would also be read as a value of the axis,
// but not the one that it means: a condition could mean either. A text
// without a list of values is any text; those are compared by unmistakable.
func (l *Layout) anotherValue(v BlockValue, a *BlockAxis, fields []*params.Field, at text.Position) {
	label := &text.Node{Text: v.label, Pos: at}
	d := l.Decoder.Trial()
	var other params.Value
	switch {
	case len(fields) == 0:
		if a.Section.Kind(v.label) == nil {
			return
		}
		other = params.Value{Kind: params.String, S: v.label}
	case a.Type == params.String && len(fields[0].Enum) == 0:
		return
	default:
		into := reflect.New(fields[0].Type).Elem()
		d.Scalar(label, fields[0], into, a.Path)
		if d.Out.Count > 0 {
			return
		}
		other = params.ValueOf(into).As(a.Type)
	}
	if other != v.Value {
		l.Out.Add(at, "write another word", "the label %s of %s is another value of %s", text.Quote(v.label), v.Value, a.Path)
	}
}

// unmistakable reports labels that are texts which the column holds as well.
func (l *Layout) unmistakable() {
	for i, axis := range l.Axes {
		if axis.Labels == nil || axis.Type != params.String {
			continue
		}
		held := slices.Clone(axis.Values)
		a := l.AxisDefOf(i)
		held = append(held, text.Each(l.Blocks, func(b *Block) params.Value { return b.axisBase(a, l) })...)
		for _, b := range l.Blocks {
			for _, d := range b.Axes {
				for _, v := range d.Values {
					asText := params.Value{Kind: params.String, S: v.label}
					if d.Path == axis.Path && v.label != "" && v.Value != asText && slices.Contains(held, asText) {
						l.Out.Add(v.pos, "write another word", "the label %s of %s is another value of %s", text.Quote(v.label), v.Value, axis.Path)
					}
				}
			}
		}
	}
}
