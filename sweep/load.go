package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

// Options are the inputs of Load beside the manifest.
type Options struct {
	Registry *params.Registry
	// ReadFile reads a parent named by extends:, relative to the manifest's
	// folder; nil refuses extends:.
	ReadFile func(name string) ([]byte, error)
	// HashFile returns the content hash of an input file; its error is shown at
	// the field that names the file. With nil the path takes the place of the content.
	HashFile func(path string) (string, error)
	// Set are overrides "path=value", the value in YAML, applied last and in
	// order. A path that is an axis pins the axis to the value, or to the label
	// where the axis has labels; "axes.PATH=..." gives an axis other values.
	// "replications=..." holds in all blocks, as all overrides do.
	Set []string

	// Limits bound the work of loading, below the usual ones.
	Limits Limits
}

type Manifest struct {
	// Header is the plain keys. Blocks may have replications of their own: see
	// [Plan.Replications].
	manifest.Header
	// Better is "lower" or "higher" for the metrics with a better direction.
	Better map[string]string
	// Sums are the metrics that add up over a run.
	Sums map[string]bool
	// Units are those of the metrics that have one, such as "s".
	Units map[string]string
	// Classes are classes of jobs; metrics by class are among the metrics.
	Classes  []manifest.Class
	Analysis study.Analysis
	Claims   []study.Claim
	// Sample is the sample whose points are among those of the plan; nil for none.
	Sample *manifest.Sample
	// Questions are the questions of the manifest; then its plan has the points among which they
	// choose, and [Manifest.Only] one with the chosen points.
	Questions []study.Question
	// Axes are the columns, as in the plan.
	Axes []manifest.Axis
	// LeftOut lists parts of the manifest's parents about axis values that the manifest lacks, such as "claim wait": none of it is above.
	LeftOut []string

	plan     *Plan
	sections map[string]*text.Node // as far as they are written outside axes
	resolved []byte
	hash     string
	space    *manifest.Layout // with questions
	limits   Limits
}

// Plan returns the plan of the manifest, which Load has made. It fails for a
// manifest that was not loaded.
func (m *Manifest) Plan() (*Plan, error) {
	if m.plan == nil {
		return nil, fmt.Errorf("sweep: manifest %q was not made by Load", m.Name)
	}
	return m.plan, nil
}

// First is the manifest whose plan has the first replications of every point, up to n. It is the same study: its name,
// text and hash, and the ids of what both have, are the manifest's.
func (m *Manifest) First(replications int) *Manifest {
	n := *m
	n.plan = m.plan.first(replications)
	return &n
}

// Resolved returns the manifest after extends and overrides as YAML. Loading it
// gives the same plan.
func (m *Manifest) Resolved() []byte { return slices.Clone(m.resolved) }

// Hash identifies the instances and their order: a hash of the resolved
// manifest without names, metrics, classes, datasets, analysis and claims, of the contents of
// input files, of defaults, and of the simulator's version.
func (m *Manifest) Hash() string { return m.hash }

// Load reads a manifest. Its error is of type *Errors and lists all mistakes;
// any other error is one of the registry, which is the program's.
func Load(name string, data []byte, opt Options) (*Manifest, error) {
	cat, err := params.NewCatalog(opt.Registry)
	if err != nil {
		return nil, err
	}
	if at := notText(data); at >= 0 {
		return nil, &text.Errors{{File: name, Message: fmt.Sprintf("this is no text: byte %d is %#02x; a manifest is YAML in UTF-8", at,
			data[at])}}
	}
	dec := params.NewDecoder(&text.Sink{}, opt.HashFile)
	doc := manifest.Read(cat, dec, manifest.Input{Name: name, Data: data, ReadFile: opt.ReadFile, Set: opt.Set, MaxAxis: opt.Limits.Axis})
	if doc == nil {
		return nil, dec.Out.Err()
	}
	classes := doc.Classes()
	h := doc.Header()
	space := *doc
	space.Root = study.Space(doc.Root)
	rows := space.Layout(h)
	m := &Manifest{Header: h, Better: cat.Better, Sums: cat.Sums, Units: cat.Units, Classes: classes, Axes: rows.Axes, Sample: rows.Sample}
	m.LeftOut, m.Replications = doc.LeftOut, rows.Replications
	m.Analysis, m.Claims, m.Questions = study.Read(rows, m.Metrics)
	m.plan = newPlan(rows, m.Seed, opt.Limits)
	if err := dec.Out.Err(); err != nil {
		return nil, err
	}
	if m.plan.classes = classes; m.OnlyNamed {
		m.plan.named = study.Named(rows, m.Questions)
	}
	m.sections = map[string]*text.Node{}
	for _, s := range opt.Registry.Sections {
		m.sections[s.Name] = doc.Root.Get(s.Name)
	}
	m.resolved = text.Emit(doc.Root)
	m.hash = m.hashOf(doc)
	if len(m.Questions) > 0 {
		m.space, m.limits = rows, opt.Limits
		if m.settle(dec.Out, doc.Overridden(manifest.OverriddenAxes)); dec.Out.Count > 0 {
			return nil, dec.Out.Err()
		}
	}
	return m, nil
}

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

func (m *Manifest) hashOf(l *manifest.Document) string {
	root := l.Root
	for _, k := range []string{"name", "title", "metrics", "classes", "datasets", "analysis", "claims", manifest.OverriddenKey} {
		root = root.With(k, root.Pos, nil)
	}
	for _, s := range l.Catalog.Sections {
		if n := root.Get(s.Name); n != nil {
			root = root.With(s.Name, root.Pos, sorted(n))
		}
	}
	root = root.With("seed", root.Pos, nil).With("replications", root.Pos, nil)
	b := fmt.Appendf(nil, "schedsweep/manifest/1 version %d seed %d replications %d\n", l.Catalog.Version, m.Seed, m.Replications)
	for _, path := range slices.Sorted(maps.Keys(l.Decoder.Hashes)) {
		b = fmt.Appendf(b, "file %q %s\n", path, l.Decoder.Hashes[path].Hash)
	}
	for _, s := range l.Catalog.Sections {
		for _, k := range s.Kinds {
			d := params.NewDecoder(&text.Sink{}, nil)
			b = append(b, d.Canonical(d.Partial(&text.Node{Shape: text.Map}, s, k, nil))...)
		}
	}
	sum := sha256.Sum256(append(b, text.Emit(sorted(root))...))
	return hex.EncodeToString(sum[:])
}

// sorted returns the node with the keys of its maps in order, except those of
// axes and of a sample's knobs, whose order is that of the instances.
func sorted(n *text.Node) *text.Node {
	out := n.Changed(func(key string, below *text.Node) *text.Node {
		if key == "axes" || key == manifest.OverKey {
			return below
		}
		return sorted(below)
	})
	slices.SortStableFunc(out.Entries, func(a, b text.Entry) int { return strings.Compare(a.Key, b.Key) })
	return out
}

// Only is a manifest with questions whose plan has these points, in this order, in place
// of the combinations of its axes. It is the same study: its name, text and hash, and the
// ids of what both have, are the manifest's.
func (m *Manifest) Only(points []manifest.Setting) (*Manifest, error) {
	if m.space == nil {
		return nil, fmt.Errorf("sweep: manifest %q asks no questions", m.Name)
	}
	doc := m.space.Only(points)
	rows := doc.Layout(manifest.Header{Seed: m.Seed, Replications: 1})
	n := *m
	if n.plan, n.Axes = newPlan(rows, m.Seed, m.limits), rows.Axes; n.plan != nil {
		n.plan.classes, n.plan.named = m.Classes, m.plan.named
	}
	return &n, doc.Out.Err()
}
