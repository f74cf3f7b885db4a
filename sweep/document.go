package sweep

// document is a manifest as one tree, after extends and overrides, with what has
// to be known of all of it before any part is read.
type document struct {
	root       *node
	cat        *catalog
	dec        *decoder
	out        *sink         // the decoder's
	play       [][]*kindInfo // by section: kinds that occur
	pinned     []bool        // by section: an axis over its kind has one value
	labels     labels
	overridden bool // there are --set arguments
	orphan     bool // a parent could not be read, so that fields may be missing
}

// readDocument reads a manifest with its parents and lays overrides over it. It
// returns nil where there is no map to go on with.
func readDocument(cat *catalog, dec *decoder, readFile func(string) ([]byte, error), name string, data []byte, set []string) *document {
	r := &reader{cat: cat, readFile: readFile, out: dec.out}
	root, trees := r.read(name, data)
	if root == nil {
		return nil
	}
	before := kindsInPlay(cat, append(trees, root)...)
	o := overrides{cat, dec.out, labels{}}
	o.labels.note(cat, root)
	for i, arg := range set {
		root = longhand(cat, o.set(root, arg, r.sources+i))
	}
	o.labels.note(cat, root)
	root = families(dec.out, root)
	d := &document{root: root, cat: cat, dec: dec, out: dec.out, play: kindsInPlay(cat, root), pinned: pinnedKinds(cat, root),
		labels: o.labels, overridden: len(set) > 0, orphan: r.orphan}
	d.prune(before)
	return d
}

// layout is a document's blocks and the columns that they have together.
type layout struct {
	*document
	replications int // of blocks that do not say
	blocks       []*block
	axes         []Axis
	broken       map[string]bool // paths of axes that could not be read
}

// layout reads the blocks and their axes.
func (d *document) layout(replications int) *layout {
	l := &layout{document: d, replications: replications, broken: map[string]bool{}}
	l.blocks = l.readBlocks()
	l.columns()
	return l
}
