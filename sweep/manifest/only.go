package manifest

import (
	"slices"
	"strconv"

	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// Setting is a point: a value of each axis of a layout, listed or, of a number, any, and
// how many replications it has.
type Setting struct {
	Values       []params.Value
	Replications int
}

// Only is the document with these points in place of the combinations of its axes; its
// mistakes go to a sink of its own.
func (l *Layout) Only(points []Setting) *Document {
	blocks := &text.Node{Shape: text.List, Pos: l.Root.Pos}
	for _, p := range points {
		axes := &text.Node{Shape: text.Map, Pos: l.Root.Pos}
		for i, v := range p.Values {
			one := &text.Node{Shape: text.List, Pos: l.Root.Pos, Items: []*text.Node{l.item(i, v)}}
			axes.Entries = append(axes.Entries, text.Entry{Key: l.Axes[i].Path, Pos: l.Root.Pos, Value: one})
		}
		blocks.Items = append(blocks.Items, &text.Node{Shape: text.Map, Pos: l.Root.Pos, Entries: []text.Entry{
			{Key: "replications", Pos: l.Root.Pos, Value: &text.Node{Text: strconv.Itoa(p.Replications), Pos: l.Root.Pos}},
			{Key: "axes", Pos: l.Root.Pos, Value: axes},
		}})
	}
	d := *l.Document
	d.Root = d.Root.With("axes", d.Root.Pos, nil).With("blocks", d.Root.Pos, blocks)
	d.Decoder = d.Decoder.Quiet()
	d.Out = d.Decoder.Out
	return &d
}

// item is a value of an axis as a manifest writes it.
func (l *Layout) item(axis int, v params.Value) *text.Node {
	for _, b := range l.Blocks {
		at := b.axisIndex(l.Axes[axis].Path)
		if at < 0 {
			continue
		}
		k := slices.IndexFunc(b.Axes[at].Values, func(o BlockValue) bool { return o.Value == v })
		if k < 0 {
			continue
		}
		item, label := b.Axes[at].Values[k].Tree, b.Axes[at].Values[k].label
		if b.Axes[at].Labelled {
			label = v.S
		}
		if label == "" {
			return item
		}
		return &text.Node{Shape: text.Map, Pos: item.Pos, Entries: []text.Entry{
			{Key: "label", Pos: item.Pos, Value: &text.Node{Text: label, Quoted: true, Pos: item.Pos}}, {Key: "value", Pos: item.Pos, Value: item}}}
	}
	return &text.Node{Text: v.String(), Pos: l.Root.Pos}
}
