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
	at := l.Root.Pos
	blocks := text.NewList(at)
	for _, p := range points {
		axes := text.NewMap(at)
		for i, v := range p.Values {
			axes = axes.With(l.Axes[i].Path, at, text.NewList(at, l.item(i, v)))
		}
		replications := &text.Node{Text: strconv.Itoa(p.Replications), Pos: at}
		blocks.Items = append(blocks.Items, text.NewMap(at).With("replications", at, replications).With("axes", at, axes))
	}
	d := *l.Document
	d.Root = d.Root.With("axes", at, nil).With("blocks", at, blocks)
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
		return labelled(&text.Node{Text: label, Quoted: true, Pos: item.Pos}, item)
	}
	return &text.Node{Text: v.String(), Pos: l.Root.Pos}
}
