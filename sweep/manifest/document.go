// Package manifest reads a manifest: the file over its parents under overrides is
// one tree ([Document]), its blocks with their axes and conditions are a [Layout].
package manifest

import (
	"cmp"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// Document is a manifest as one tree, after extends and overrides, with the
// knowledge of the whole that the reading of each part needs.
type Document struct {
	Root       *text.Node
	Catalog    *params.Catalog
	Decoder    *params.Decoder
	Out        *text.Sink           // the decoder's
	play       [][]*params.KindInfo // by section: kinds that occur
	open       []bool               // by section: a mistake hides which kinds occur, so that their fields are not checked
	pinned     []bool               // by section: an axis over its kind has one value
	labels     labels
	maxAxis    int      // values of an axis at most
	overridden []string // parts that --set changed
	JobClasses []Class
	Orphan     bool     // a parent could not be read, so that fields may be missing
	LeftOut    []string // the parents' parts on axis values that are gone, such as "claim wait"
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
		labels: o.labels, overridden: root.Get(OverriddenKey).Texts(), Orphan: r.orphan, LeftOut: r.leftOut, maxAxis: cmp.Or(in.MaxAxis, MaxAxis)}
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
	d.Decoder = d.Decoder.Trial()
	d.Out = d.Decoder.Out
	return &d
}

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

// NamePattern matches a manifest's name, which names files.
var NamePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// Header is the manifest's plain keys.
type Header struct {
	Name         string   `sweep:"name" doc:"names the study's files: letters, digits, dots, dashes, underscores"`
	Title        string   `sweep:"title" doc:"title of the study, for people"`
	Seed         uint64   `sweep:"seed" doc:"master seed; every random stream derives from it"`
	Replications int      `sweep:"replications" min:"1" max:"1000000" doc:"instances of every point, with different random streams"`
	Metrics      []string `sweep:"metrics" doc:"the numbers that analyze shows, all when absent; or show: and compute:"`
	OnlyNamed    bool     `sweep:"-"` // rows hold no metrics but the ones in the manifest
	Datasets     []string `sweep:"datasets" doc:"tables that a run writes beside the rows of instances, such as a row for each job; in no id"`
	Overridden   []string `sweep:"overridden" enum:"axes: an axis or its values|metrics: the metrics shown|datasets: the tables that a run writes" doc:"parts that --set changed, which the manifest of a run folder notes; selections may name values that are gone"`
}

// Chosen is metrics: as a map.
type Chosen struct {
	Show    []string `sweep:"show" doc:"the numbers that analyze shows; all of the rows when absent"`
	Compute string   `sweep:"compute" enum:"all: every metric|named: the metrics that the manifest names" doc:"the numbers that rows hold; in no id"`
}

const computeNamed = "named"

// HeaderDefaults are the values of absent keys.
var HeaderDefaults = Header{Replications: 1}

// Header reads the plain keys and checks that there are no others.
func (l *Document) Header() Header {
	root := l.Root
	fields := slices.DeleteFunc(AxisPaths(l.Catalog, l.play), func(path string) bool { return strings.Count(path, ".") > 1 })
	l.Out.Keys(root, "a manifest", append(l.Catalog.Names(), params.TopLevelKeys...), fields...)
	h := HeaderDefaults
	info := params.MustReflect(reflect.TypeOf(h))
	for _, f := range info.Fields {
		switch n := root.Get(f.Name); {
		case n != nil && f.Name == OverriddenMetrics && (n.Text == "all" || n.Get("show") != nil && n.Get("show").Text == "all"):
			l.Out.Add(n.Pos, showAll, `metrics are "all"; want a list`)
		case n != nil && f.Name == OverriddenMetrics && n.Shape == text.Map:
			var chosen Chosen
			l.Decoder.Map(n, &chosen, f.Name, f.Name)
			h.Metrics, h.OnlyNamed = chosen.Show, chosen.Compute == computeNamed
			l.named(n.Get("show"), "metric", l.Catalog.Metrics)
		case n != nil:
			l.Decoder.Field(n, f, reflect.ValueOf(&h).Elem().FieldByIndex(f.Index), params.Scope{Path: f.Name})
		}
	}
	h.Replications = max(h.Replications, 1)
	n := root.Get("name")
	switch {
	case n == nil:
		l.Out.Add(root.Pos, "write name: NAME, which names the run folder", "name is missing")
	case n.Shape == text.Scalar && !n.IsNull() && h.Name == n.Text && !NamePattern.MatchString(h.Name):
		l.Out.Add(n.Pos, "use letters, digits, dots, dashes and underscores", "%s cannot name files", text.Quote(h.Name))
	}
	l.named(root.Get(OverriddenMetrics), "metric", l.Catalog.Metrics)
	l.named(root.Get(OverriddenDatasets), "dataset", l.Catalog.Datasets)
	return h
}

const showAll = "leave the list out to show all metrics"

func (l *Document) named(n *text.Node, what string, valid []string) {
	if n == nil || n.Shape != text.List {
		return
	}
	for i, item := range n.Items {
		if what == "metric" && item.Text == "all" {
			l.Out.Add(item.Pos, showAll, `there is no metric "all"`)
			continue
		}
		l.known(item, what, valid)
		if item.Shape == text.Scalar && slices.ContainsFunc(n.Items[:i], func(o *text.Node) bool {
			return o.Shape == text.Scalar && o.Text == item.Text
		}) {
			l.Out.Add(item.Pos, "", "%s %s is listed twice", what, item.Text)
		}
	}
}

func (l *Document) replicationsOf(n *text.Node) int {
	h := HeaderDefaults
	f := params.MustReflect(reflect.TypeOf(h)).ByName["replications"]
	l.Decoder.Field(n, f, reflect.ValueOf(&h).Elem().FieldByIndex(f.Index), params.Scope{Path: "blocks.replications"})
	return max(h.Replications, 1)
}

func (l *Document) Metric(n *text.Node) { l.known(n, "metric", l.Catalog.Metrics) }

func (l *Document) wanted(name string, valid []string) string {
	metric, class, byClass := strings.Cut(name, ByClass("", ""))
	switch {
	case byClass && slices.Contains(valid, metric) && len(l.JobClasses) == 0:
		return "declare the class, such as classes: {" + class + ": processors <= 4}"
	case byClass && slices.ContainsFunc(l.JobClasses, func(c Class) bool { return c.Name == class }) && slices.Contains(valid, metric):
		return "no class has " + metric + "; schedsweep list metrics tells which metrics are by class"
	}
	return cmp.Or(text.DidYouMean(name, valid), "schedsweep list metrics shows them")
}

func (l *Document) known(n *text.Node, what string, valid []string) {
	if n == nil || n.Shape != text.Scalar || n.IsNull() {
		return
	}
	if !slices.Contains(valid, n.Text) {
		l.Out.Add(n.Pos, l.wanted(n.Text, valid), "there is no %s %s", what, text.Quote(n.Text))
		return
	}
	kinds := l.Catalog.KindsOf[n.Text]
	if what != "metric" || kinds == nil || slices.ContainsFunc(kinds, l.plays) {
		return
	}
	l.Out.Add(n.Pos, "choose such a kind, or drop the metric", "no run has %s, which is a metric of %s", n.Text,
		strings.Join(text.Each(kinds, func(of [2]string) string { return of[0] + "." + params.KindKey + ": " + of[1] }), ", "))
}

// plays reports whether a section, the first of the two, can be of a kind.
func (l *Document) plays(of [2]string) bool {
	can, _ := l.Plays(of[0], of[1])
	i := l.Catalog.Section(of[0]).Index
	return can || l.open[i] || l.pinned[i]
}
