package sweep

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"unicode/utf8"
)

// Options is what Load needs beside the manifest.
type Options struct {
	// Registry names what can be swept. It is required.
	Registry *Registry
	// ReadFile reads a parent named by extends:, relative to the manifest's
	// folder; nil refuses extends:.
	ReadFile func(name string) ([]byte, error)
	// HashFile returns the content hash of an input file; its error is shown at
	// the field that names the file. With nil the path stands for the content.
	HashFile func(path string) (string, error)
	// Set are overrides "path=value", the value in YAML, applied last and in
	// order. A path that is an axis pins the axis to the value, or to the label
	// where the axis has labels; "axes.PATH=..." gives an axis other values.
	// "replications=..." holds in all blocks, as all overrides do.
	Set []string

	filterLimit  int // maxFiltered unless a test lowers it
	variantLimit int // maxVariants likewise
}

// Manifest is a valid manifest.
type Manifest struct {
	// Name names the study's files: letters, digits, dots, dashes, underscores.
	Name string
	// Title is for people; it may be empty.
	Title string
	// Seed is the master seed, 0 unless given.
	Seed uint64
	// Replications is at least 1. Blocks may have their own: see
	// [Plan.Replications].
	Replications int
	// Metrics are the metrics asked for; empty means all.
	Metrics []string
	// Analysis says how the rows are analysed.
	Analysis Analysis
	// Claims are what a study published.
	Claims []Claim
	// Axes are the columns, as in the plan.
	Axes []Axis

	plan     *Plan
	resolved []byte
	hash     string
}

// Plan returns the plan of the manifest, which Load has made. It fails for a
// manifest that was not loaded.
func (m *Manifest) Plan() (*Plan, error) {
	if m.plan == nil {
		return nil, fmt.Errorf("sweep: manifest %q was not made by Load", m.Name)
	}
	return m.plan, nil
}

// Resolved returns the manifest after extends and overrides as YAML. Loading it
// gives the same plan.
func (m *Manifest) Resolved() []byte { return slices.Clone(m.resolved) }

// Hash identifies the instances and their order: a hash of the resolved
// manifest without names, metrics, analysis and claims, of the contents of
// input files, of defaults, and of the simulator's version.
func (m *Manifest) Hash() string { return m.hash }

// loader is the state of one Load.
type loader struct {
	cat                       *catalog
	readFile                  func(string) ([]byte, error)
	out                       *sink
	dec                       *decoder
	order                     int
	play                      [][]*kindInfo   // by section: kinds that occur
	pinned                    []bool          // by section: an axis over its kind has one value
	broken                    map[string]bool // paths of axes that could not be read
	axes                      []Axis
	replications              int                         // of blocks that do not say
	labels                    map[string]map[string]*node // by axis: what labels of plain values stand for
	relaxed                   bool                        // conditions may name values that the axis has not here
	overridden                bool                        // there are --set arguments
	orphan                    bool                        // a parent could not be read, so that fields may be missing
	filterLimit, variantLimit int
}

// Load reads a manifest. Its error is of type *Errors and lists all mistakes;
// any other error is one of the registry, which is the program's.
func Load(name string, data []byte, opt Options) (*Manifest, error) {
	cat, err := newCatalog(opt.Registry)
	if err != nil {
		return nil, err
	}
	if at := notText(data); at >= 0 {
		return nil, &Errors{{File: name, Message: fmt.Sprintf("this is no text: byte %d is %#02x; a manifest is YAML in UTF-8", at, data[at])}}
	}
	out := &sink{}
	l := &loader{cat: cat, readFile: opt.ReadFile, out: out, broken: map[string]bool{}, labels: map[string]map[string]*node{}, filterLimit: maxFiltered, variantLimit: maxVariants}
	if opt.filterLimit > 0 {
		l.filterLimit = opt.filterLimit
	}
	if opt.variantLimit > 0 {
		l.variantLimit = opt.variantLimit
	}
	l.dec = &decoder{out: out, hashFile: opt.HashFile, hashes: map[string]fileHash{}}
	root, trees := l.read(name, data)
	if root == nil {
		return nil, out.err()
	}
	before := cat.inPlay(append(trees, root)...)
	l.label(root)
	for _, arg := range opt.Set {
		root = cat.longhand(l.set(root, arg))
	}
	root = l.families(root)
	l.play, l.pinned = cat.inPlay(root), cat.pinnedKinds(root)
	l.label(root)
	l.overridden = len(opt.Set) > 0
	root = l.prune(root, before)

	m := l.manifest(root)
	blocks := l.blocks(root)
	l.columns(blocks)
	m.Axes = l.axes
	m.Analysis = l.analysis(root.get("analysis"), m.Metrics)
	// A claim about a value that --set takes off an axis is no mistake: it has no rows.
	l.relaxed = l.overridden
	m.Claims = l.claims(root.get("claims"))
	m.plan = l.plan(m, blocks)
	if err := out.err(); err != nil {
		return nil, err
	}
	m.resolved = emit(root)
	m.hash = l.hash(root, m)
	return m, nil
}

// namePattern is what a manifest's name may be, for it names files.
var namePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// header is the manifest's plain keys.
type header struct {
	Name         string   `sweep:"name" doc:"names the study's files: letters, digits, dots, dashes, underscores"`
	Title        string   `sweep:"title" doc:"what the study is, for people"`
	Seed         uint64   `sweep:"seed" doc:"master seed; every random stream derives from it"`
	Replications int      `sweep:"replications" min:"1" max:"1000000" doc:"instances of every point, with different random streams"`
	Metrics      []string `sweep:"metrics" doc:"the numbers that analyze shows, all when absent; rows hold all"`
}

var headerDefaults = header{Replications: 1}

// manifest reads the plain keys and checks that there are no others.
func (l *loader) manifest(root *node) *Manifest {
	l.keys(root, "a manifest", append(l.cat.names(), topLevelKeys...))
	h := headerDefaults
	info := mustReflect(reflect.TypeOf(h))
	for _, f := range info.fields {
		if n := root.get(f.name); n != nil {
			l.dec.field(n, f, reflect.ValueOf(&h).Elem().FieldByIndex(f.index), scope{path: f.name})
		}
	}
	h.Replications = max(h.Replications, 1)
	l.replications = h.Replications
	n := root.get("name")
	switch {
	case n == nil:
		l.out.add(root.pos, "name", "", "name is missing")
	case n.shape == scalarNode && !n.isNull() && h.Name == n.text && !namePattern.MatchString(h.Name):
		l.out.add(n.pos, "name", "use letters, digits, dots, dashes and underscores", "%s cannot name files", quote(h.Name))
	}
	if n := root.get("metrics"); n != nil && n.shape == listNode {
		for i, item := range n.items {
			l.metric(item, "metrics")
			if item.shape == scalarNode && slices.Contains(h.Metrics[:i], item.text) {
				l.out.add(item.pos, "metrics", "", "metric %s is listed twice", item.text)
			}
		}
	}
	return &Manifest{Name: h.Name, Title: h.Title, Seed: h.Seed, Replications: h.Replications, Metrics: h.Metrics}
}

// replicationsOf reads a block's own number of replications.
func (l *loader) replicationsOf(n *node) int {
	h := headerDefaults
	f := mustReflect(reflect.TypeOf(h)).byName["replications"]
	l.dec.field(n, f, reflect.ValueOf(&h).Elem().FieldByIndex(f.index), scope{path: "blocks.replications"})
	return max(h.Replications, 1)
}

// metric checks the name of a metric.
func (l *loader) metric(n *node, path string) {
	if n.shape == scalarNode && !n.isNull() && !slices.Contains(l.cat.metrics, n.text) {
		l.out.add(n.pos, path, didYouMean(n.text, l.cat.metrics), "there is no metric %s", quote(n.text))
	}
}

// keys reports keys that are not valid.
func (l *loader) keys(n *node, where string, valid []string) {
	for _, e := range n.entries {
		if !slices.Contains(valid, e.key) {
			l.out.add(e.pos, e.key, didYouMean(e.key, valid), "unknown key %s in %s", quote(e.key), where)
		}
	}
}

// mustReflect reads a struct of this package, whose tags tests cover.
func mustReflect(t reflect.Type) *structInfo {
	info, err := reflectStruct(t)
	if err != nil {
		panic(err)
	}
	return info
}

// stringInto makes a string a target of decoding.
func stringInto(s *string) reflect.Value { return reflect.ValueOf(s).Elem() }

// notText returns the position of the first byte that text does not have, or -1.
func notText(data []byte) int {
	for at := 0; at < len(data); {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size <= 1 || r < ' ' && r != '\t' && r != '\n' && r != '\r' {
			return at
		}
		at += size
	}
	return -1
}
