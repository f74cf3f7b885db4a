// Package manifest reads a manifest: the file over its parents under overrides is
// one tree ([Document]), its blocks with their axes and conditions are a [Layout].
package manifest

import (
	"cmp"

	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// Document is a manifest as one tree, after extends and overrides, with what has
// to be known of all of it before any part is read.
type Document struct {
	Root       *text.Node
	Catalog    *params.Catalog
	Decoder    *params.Decoder
	Out        *text.Sink           // the decoder's
	play       [][]*params.KindInfo // by section: kinds that occur
	open       []bool               // by section: a mistake hides which kinds occur, so that nothing is said of their fields
	pinned     []bool               // by section: an axis over its kind has one value
	labels     labels
	maxAxis    int      // values of an axis at most
	overridden []string // parts that --set changed
	JobClasses []Class
	Orphan     bool // a parent could not be read, so that fields may be missing
}

// Input is a manifest as it was written.
type Input struct {
	Name     string
	Data     []byte
	ReadFile func(name string) ([]byte, error) // reads parents; nil for none
	Set      []string                          // overrides path=value
	MaxAxis  int                               // values of an axis at most; 0 for [MaxAxis]
}

// Read reads a manifest with its parents and lays overrides over it. It
// returns nil where there is no map to go on with.
func Read(cat *params.Catalog, dec *params.Decoder, in Input) *Document {
	r := &reader{cat: cat, readFile: in.ReadFile, out: dec.Out}
	root, trees := r.read(in.Name, in.Data)
	if root == nil {
		return nil
	}
	before, _ := kindsInPlay(cat, append(trees, root)...)
	o := overrides{cat, dec.Out, labels{}}
	o.labels.note(cat, sampled(root))
	for i, arg := range in.Set {
		set := o.set(root, arg, r.sources+i)
		root = longhand(cat, noted(root, set, arg, r.sources+i))
	}
	o.labels.note(cat, sampled(root))
	root = families(dec.Out, root)
	play, open := kindsInPlay(cat, sampled(root))
	for i, s := range cat.Sections {
		if open[i] = open[i] || r.orphan && !s.Single; open[i] {
			play[i] = s.Kinds
		}
	}
	d := &Document{Root: root, Catalog: cat, Decoder: dec, Out: dec.Out, play: play, open: open, pinned: pinnedKinds(cat, root),
		labels: o.labels, overridden: root.Get(OverriddenKey).Texts(), Orphan: r.orphan, maxAxis: cmp.Or(in.MaxAxis, MaxAxis)}
	d.prune(before)
	return d
}

// Layout is a document's blocks and the columns that they have together.
type Layout struct {
	*Document
	Replications int     // of blocks that do not say
	Sample       *Sample // nil for none
	Blocks       []*Block
	Axes         []Axis
	Broken       map[string]bool // paths of axes that could not be read
}

// Layout reads the sample, and the blocks and their axes.
func (d *Document) Layout(h Header) *Layout {
	l := &Layout{Document: d, Replications: h.Replications, Broken: map[string]bool{}}
	root, s := l.sample(h.Seed)
	whole := *d
	whole.Root = longhand(d.Catalog, root)
	l.Document = &whole
	l.Blocks = l.readBlocks()
	l.columns()
	if s != nil && len(l.Blocks) > 0 {
		l.Sample = s.read(l.Blocks[0])
	}
	return l
}
