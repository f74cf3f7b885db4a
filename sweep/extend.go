package sweep

import (
	"path"
	"strings"
)

// maxExtends bounds the chain of parents.
const maxExtends = 16

// reader reads a manifest and its parents.
type reader struct {
	cat      *catalog
	readFile func(string) ([]byte, error)
	out      *sink
	sources  int  // files read so far
	orphan   bool // a parent could not be read, so that fields may be missing
}

// read parses a manifest and merges it over its parents; trees are the files
// as they were, the manifest itself first.
func (l *reader) read(name string, data []byte) (root *node, trees []*node) {
	src := newSource(name, l.sources, data)
	l.sources++
	tree := parseYAML(src, data, l.out)
	if tree == nil {
		if len(l.out.found) == 0 {
			l.out.add(position{src, 1, 1}, "", "", "the manifest is empty")
		}
		return nil, nil
	}
	if tree.shape != mapNode {
		l.out.add(tree.pos, "", "write keys such as name: and workload:", "the manifest is %s; want a map", tree.what())
		return nil, nil
	}
	return l.extend(longhand(l.cat, tree), "", []string{path.Base(strings.ReplaceAll(name, "\\", "/"))})
}

// extend follows extends: from a tree. Names are relative to the folder of the
// file that has them; chain holds the files on the way, for cycles.
func (l *reader) extend(tree *node, folder string, chain []string) (root *node, trees []*node) {
	e := tree.get("extends")
	if e == nil {
		return tree, []*node{tree}
	}
	own := tree.with("extends", tree.pos, nil)
	if e.shape != scalarNode || e.isNull() {
		l.out.add(e.pos, "extends", "", "extends is %s; want the name of one manifest", e.what())
		return own, []*node{own}
	}
	name := e.text
	if !path.IsAbs(name) {
		name = path.Join(folder, name)
	}
	fail := func(hint, format string, args ...any) (*node, []*node) {
		l.orphan = true
		l.out.add(e.pos, "extends", hint, format, args...)
		return own, []*node{own}
	}
	for i, seen := range chain {
		if seen == name {
			return fail("", "manifests extend one another: %s", strings.Join(append(chain[i:len(chain):len(chain)], name), " -> "))
		}
	}
	switch {
	case len(chain) > maxExtends:
		return fail("", "more than %d parents in a row", maxExtends)
	case l.readFile == nil:
		return fail("", "this manifest cannot extend another: it was not read from a folder")
	}
	data, err := l.readFile(name)
	if err != nil {
		return fail("", "cannot read the parent: %v", err)
	}
	src := newSource(name, l.sources, data)
	l.sources++
	parent := parseYAML(src, data, l.out)
	if parent == nil || parent.shape != mapNode {
		return fail("", "the parent %s holds no map", name)
	}
	parent, trees = l.extend(longhand(l.cat, parent), path.Dir(name), append(chain, name))
	return merge(parent, own), append([]*node{own}, trees...)
}

// merge lays one map over another: maps are joined key by key, everything else
// is replaced, and a null takes the parent's key away. Axes and conditions are
// joined by path but each is replaced as a whole, for half a range of the parent
// makes no range of the child's.
func merge(base, over *node) *node {
	if base == nil || base.shape != mapNode || over.shape != mapNode {
		return over
	}
	out := base
	for _, e := range over.entries {
		was := out.get(e.key)
		switch {
		case e.value.isNull() && was != nil:
			out = out.with(e.key, e.pos, nil)
		case was == nil:
			out = out.with(e.key, e.pos, e.value)
		case e.key == "axes" || e.key == "when":
			out = out.with(e.key, e.pos, mergeFlat(was, e.value))
		default:
			out = out.with(e.key, e.pos, merge(was, e.value))
		}
	}
	return &node{shape: mapNode, pos: over.pos, entries: out.entries}
}

// mergeFlat joins two maps by key and replaces values as a whole.
func mergeFlat(base, over *node) *node {
	if base.shape != mapNode || over.shape != mapNode {
		return over
	}
	out := base
	for _, e := range over.entries {
		value := e.value
		if value.isNull() && out.get(e.key) != nil {
			value = nil
		}
		out = out.with(e.key, e.pos, value)
	}
	return &node{shape: mapNode, pos: over.pos, entries: out.entries}
}

// prune drops fields from the base and from blocks which only kinds have that
// were in play in a parent or before a --set, so that the resolved manifest
// stands on its own.
func (l *document) prune(before [][]*kindInfo) {
	root := l.root
	for i, s := range l.cat.sections {
		if s.single {
			continue
		}
		drop := func(n *node) *node {
			section := n.get(s.name)
			if section == nil || section.shape != mapNode {
				return n
			}
			for _, e := range section.entries {
				rel := []string{e.key}
				if e.key != kindKey && len(l.kindsWith(s, rel)) == 0 && len(haveField(before[i], rel)) > 0 {
					section = section.with(e.key, e.pos, nil)
				}
			}
			return n.with(s.name, n.entry(s.name).pos, section)
		}
		root = drop(root)
		root = eachBlock(root, drop)
	}
	l.root = root
}
