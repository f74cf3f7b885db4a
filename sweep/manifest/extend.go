package manifest

import (
	"path"
	"strings"

	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

const maxExtends = 16

type reader struct {
	cat      *params.Catalog
	readFile func(string) ([]byte, error)
	out      *text.Sink
	folder   string   // of the manifest, as its name has it: names of parents in positions begin with it
	sources  int      // files read so far
	orphan   bool     // a parent could not be read, so that fields may be missing
	leftOut  []string // parts that withoutGone left out, such as "claim wait"
}

// read parses a manifest and merges it over its parents; trees are the files
// as they were, the manifest itself first.
func (l *reader) read(name string, data []byte) (root *text.Node, trees []*text.Node) {
	src := text.NewSource(name, l.sources, data)
	l.sources++
	tree := text.Parse(src, data, l.out)
	if tree == nil {
		if len(l.out.Found) == 0 {
			l.out.Add(src.Start(), "schedsweep init writes one to begin with", "the manifest is empty")
		}
		return nil, nil
	}
	if tree.Shape != text.Map {
		l.out.Add(tree.Pos, "write keys such as name: and workload:", "the manifest is %s; want a map", tree.What())
		return nil, nil
	}
	folder, base := path.Split(strings.ReplaceAll(name, "\\", "/"))
	l.folder = folder
	return l.extend(longhand(l.cat, tree), "", []string{base})
}

// extend follows extends: from a tree. Names are relative to the folder of the
// file that has them; chain holds the files on the way, for cycles.
func (l *reader) extend(tree *text.Node, folder string, chain []string) (root *text.Node, trees []*text.Node) {
	e := tree.Get("extends")
	if e == nil {
		return tree, []*text.Node{tree}
	}
	own := tree.With("extends", tree.Pos, nil)
	if e.Shape != text.Scalar || e.IsNull() {
		l.out.Add(e.Pos, "", "extends is %s; want the name of one manifest", e.What())
		return own, []*text.Node{own}
	}
	name := e.Text
	if !path.IsAbs(name) {
		name = path.Join(folder, name)
	}
	fail := func(format string, args ...any) (*text.Node, []*text.Node) {
		l.orphan = true
		l.out.Add(e.Pos, "", format, args...)
		return own, []*text.Node{own}
	}
	for i, seen := range chain {
		if seen == name {
			return fail("manifests extend one another: %s", strings.Join(append(chain[i:len(chain):len(chain)], name), " -> "))
		}
	}
	switch {
	case len(chain) > maxExtends:
		return fail("more than %d parents in a row", maxExtends)
	case l.readFile == nil:
		return fail("this manifest cannot extend another: it was not read from a folder")
	}
	data, err := l.readFile(name)
	if err != nil {
		return fail("cannot read the parent, a file named from the folder of this manifest: %v", err)
	}
	at := name
	if !path.IsAbs(name) {
		at = path.Join(l.folder, name)
	}
	src := text.NewSource(at, l.sources, data)
	l.sources++
	parent := text.Parse(src, data, l.out)
	if parent == nil || parent.Shape != text.Map {
		return fail("the parent %s holds no map", name)
	}
	parent, trees = l.extend(longhand(l.cat, parent), path.Dir(name), append(chain, name))
	return l.withoutGone(parent, own, merge(parent, own, false)), append([]*text.Node{own}, trees...)
}

// merge lays one map over another: maps are joined key by key, everything else
// is replaced, and a null takes the parent's key away. The values of a map that is
// flat are replaced as a whole. Axes and conditions are, by path, for half a range of
// the parent makes no range of the child's.
func merge(base, over *text.Node, flat bool) *text.Node {
	if base == nil || base.Shape != text.Map || over.Shape != text.Map {
		return over
	}
	out := base
	for _, e := range over.Entries {
		was, value := out.Get(e.Key), e.Value
		switch {
		case was == nil:
		case value.IsNull():
			value = nil
		case !flat:
			value = merge(was, value, e.Key == "axes" || e.Key == "when")
		}
		out = out.With(e.Key, e.Pos, value)
	}
	return &text.Node{Shape: text.Map, Pos: over.Pos, Entries: out.Entries}
}

// prune drops fields from the base and from blocks which only kinds have that were in play in a parent or before a
// --set, so that the resolved manifest is self-contained.
func (l *Document) prune(before [][]*params.KindInfo) {
	root := l.Root
	for i, s := range l.Catalog.Sections {
		if s.Single {
			continue
		}
		drop := func(n *text.Node) *text.Node {
			section := n.Get(s.Name)
			if section == nil || section.Shape != text.Map {
				return n
			}
			for _, e := range section.Entries {
				rel := []string{e.Key}
				if e.Key != params.KindKey && len(l.kindsWith(s, rel)) == 0 && len(params.KindsWith(before[i], rel)) > 0 {
					section = section.With(e.Key, e.Pos, nil)
				}
			}
			return n.With(s.Name, n.Entry(s.Name).Pos, section)
		}
		root = drop(root)
		root = eachBlock(root, drop)
	}
	l.Root = root
}
