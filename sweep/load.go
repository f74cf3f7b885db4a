package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
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

	limits limits // lower ones for a test
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
	dec := newDecoder(&sink{}, opt.HashFile)
	doc := readDocument(cat, dec, opt.ReadFile, name, data, opt.Set)
	if doc == nil {
		return nil, dec.out.err()
	}
	h := doc.header()
	rows := doc.layout(h.Replications)
	m := &Manifest{Name: h.Name, Title: h.Title, Seed: h.Seed, Replications: h.Replications, Metrics: h.Metrics, Axes: rows.axes}
	m.Analysis, m.Claims = readStudy(rows, m.Metrics)
	m.plan = newPlan(rows, m.Seed, opt.limits)
	if err := dec.out.err(); err != nil {
		return nil, err
	}
	m.resolved = emit(doc.root)
	m.hash = m.hashOf(doc)
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

// hash computes Manifest.Hash.
func (m *Manifest) hashOf(l *document) string {
	root := l.root
	for _, k := range []string{"name", "title", "metrics", "analysis", "claims"} {
		root = root.with(k, root.pos, nil)
	}
	for _, s := range l.cat.sections {
		if n := root.get(s.name); n != nil {
			root = root.with(s.name, root.pos, sorted(n))
		}
	}
	root = root.with("seed", root.pos, nil).with("replications", root.pos, nil)
	b := fmt.Appendf(nil, "schedsweep/manifest/1 version %d seed %d replications %d\n", l.cat.version, m.Seed, m.Replications)
	for _, path := range slices.Sorted(maps.Keys(l.dec.hashes)) {
		b = fmt.Appendf(b, "file %q %s\n", path, l.dec.hashes[path].hash)
	}
	for _, s := range l.cat.sections {
		for _, k := range s.kinds {
			d := newDecoder(&sink{}, nil)
			b = append(b, d.canonical(d.piece(&node{shape: mapNode}, s, k, nil))...)
		}
	}
	sum := sha256.Sum256(append(b, emit(sorted(root))...))
	return hex.EncodeToString(sum[:])
}

// sorted returns the node with the keys of its maps in order, except those of
// axes, whose order is that of the instances.
func sorted(n *node) *node {
	switch n.shape {
	case mapNode:
		out := &node{shape: mapNode, pos: n.pos}
		for _, e := range n.entries {
			if e.key != "axes" {
				e.value = sorted(e.value)
			}
			out.entries = append(out.entries, e)
		}
		slices.SortStableFunc(out.entries, func(a, b entry) int { return strings.Compare(a.key, b.key) })
		return out
	case listNode:
		out := &node{shape: listNode, pos: n.pos}
		for _, item := range n.items {
			out.items = append(out.items, sorted(item))
		}
		return out
	}
	return n
}
