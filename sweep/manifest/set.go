package manifest

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

type overrides struct {
	cat    *params.Catalog
	out    *text.Sink
	labels labels
}

// set applies one argument path=value, which is source number order, to the
// merged tree.
func (l *overrides) set(root *text.Node, arg string, order int) *text.Node {
	src := text.NewOverride(arg, order)
	at := src.Start()
	path, yaml, ok := strings.Cut(arg, "=")
	path = strings.TrimSpace(path)
	if !ok || path == "" {
		l.out.Add(at, "such as replications=5", "want path=value")
		return root
	}
	value := cmp.Or(text.Parse(src, []byte(yaml), l.out), text.Null(at))
	segs := strings.Split(path, ".")
	if l.cat.Section(segs[0]) == nil && segs[0] != "axes" {
		if segs = l.named(root, segs, at); segs == nil {
			return root
		}
	}
	all := withBlocks(root)
	for n, part := range segs {
		holds := func(b *text.Node) bool { return b.Find(segs[:n+1]) != nil }
		if _, _, element := text.Element(part); element && segs[0] != "axes" && !slices.ContainsFunc(all, holds) {
			l.out.Add(at, cmp.Or(belowSection(l.cat, path), "elements count from 0"), "there is no element %s", strings.Join(segs[:n+1], "."))
			return root
		}
	}
	switch {
	case segs[0] == "extends":
		l.out.Add(at, "", "extends cannot be set")
		return root
	case segs[0] == "axes" && len(segs) > 1:
		key := strings.Join(segs[1:], ".")
		value = l.labels.items(key, value)
		return root.With("axes", at, root.Get("axes").With(key, at, value))
	case path == "replications":
		return withoutReplications(root, path, at).Replace(segs, at, value)
	case len(segs) > 2 && segs[0] == SampleKey && segs[1] == OverKey:
		sample := root.Get(SampleKey)
		if value.IsNull() { // a knob no more
			value = nil
		}
		return root.With(SampleKey, at, sample.With(OverKey, at, sample.Get(OverKey).With(strings.Join(segs[2:], "."), at, value)))
	case l.cat.Section(segs[0]) == nil:
		return root.Replace(segs, at, value)
	}
	return l.setField(root, all, path, at, l.labels.meant(path, value))
}

// withoutReplications lets blocks and the sample follow the root.
func withoutReplications(root *text.Node, path string, at text.Position) *text.Node {
	root = eachBlock(root, func(b *text.Node) *text.Node {
		if b.Get(path) == nil {
			return b
		}
		return b.With(path, b.Pos, nil)
	})
	sample := root.Get(SampleKey)
	if sample == nil || sample.Shape != text.Map {
		return root
	}
	for _, e := range sample.Entries {
		if e.Key != OverKey && e.Value.Get(path) != nil {
			sample = sample.With(e.Key, e.Pos, e.Value.With(path, at, nil))
		}
	}
	return root.With(SampleKey, at, sample)
}

// setField gives the field of a section the value in the base and in all blocks, or pins its axis.
func (l *overrides) setField(root *text.Node, all []*text.Node, path string, at text.Position, value *text.Node) *text.Node {
	segs := strings.Split(path, ".")
	others := text.NewMap(at).With("not", at, value)
	if root.Get(SampleKey).Get(OverKey).Get(path) != nil {
		return excluded(root, path, at, others) // the points stay what they are; those with the value are taken
	}
	trees := false // values are sub-trees, in the manifest or in a block
	own := slices.ContainsFunc(all, func(n *text.Node) bool { return n.Get("axes").Entry(path) != nil })
	for _, n := range all {
		for _, e := range n.Get("axes").Pairs() {
			switch {
			case e.Key == path:
				trees = trees || subtrees(l.cat, path, e.Value)
			case !own && (below(e.Key, path) || below(path, e.Key)):
				l.out.Add(at, "set "+e.Key+" to one of its values instead", "%s is an axis, so that %s is not one value", e.Key, path)
				return root
			}
		}
	}
	root, listed := l.pin(root, path, at, value, trees)
	switch {
	case trees && !listed:
		l.out.Add(at, "valid: "+strings.Join(treeLabels(root, path), ", "), "%s is no label of axis %s", value.What(), path)
		return root
	case trees:
		return root // a sub-tree's label is no value for the base
	case listed && slices.ContainsFunc(all, func(n *text.Node) bool { return n.Get("when").Get(path) != nil }):
		return excluded(root, path, at, others) // where the axis is not varied the base stays what it is
	case !listed:
		root = eachBlock(replaceAxis(root, path, at, value), func(b *text.Node) *text.Node { return replaceAxis(b, path, at, value) })
	}
	root = eachBlock(root, func(b *text.Node) *text.Node {
		if b.Find(segs) == nil {
			return b
		}
		return b.Replace(segs, at, value)
	})
	return root.Replace(segs, at, value)
}

// named puts the element of a list in the place of its id: find.wait.most is find[0].most where the
// first question has the id wait. It returns nil after a report where no element has the id.
func (l *overrides) named(root *text.Node, segs []string, at text.Position) []string {
	n := root
	for i := range segs[:len(segs)-1] {
		if n = n.Find(segs[i : i+1]); n == nil {
			break
		}
		rest, found := strings.Join(segs[i+1:], ".")+".", -1
		var ids []string
		for k, item := range n.Items {
			id := item.Get("id")
			if id == nil || id.Text == "" {
				continue
			}
			if ids = append(ids, id.Text); strings.HasPrefix(rest, id.Text+".") && (found < 0 || len(id.Text) > len(n.Items[found].Get("id").Text)) {
				found = k // ids may hold dots
			}
		}
		switch {
		case found >= 0:
			part := segs[i] + "[" + strconv.Itoa(found) + "]"
			return append(append(segs[:i:i], part), segs[i+2+strings.Count(n.Items[found].Get("id").Text, "."):]...)
		case len(ids) > 0:
			l.out.Add(at, text.MeantOneOf(segs[i+1], ids), "no element of %s has the id %s", strings.Join(segs[:i+1], "."), text.Quote(segs[i+1]))
			return nil
		}
	}
	return segs
}

// below reports whether a path leads to a part of the value at the other.
func below(path, other string) bool {
	rest, ok := strings.CutPrefix(path, other)
	return ok && rest != "" && (rest[0] == '.' || rest[0] == '[')
}

func treeLabels(root *text.Node, path string) (labels []string) {
	for _, n := range withBlocks(root) {
		for _, item := range n.Get("axes").Get(path).All() {
			if label := item.Get("label"); label != nil {
				labels = text.Once(labels, label.Text)
			}
		}
	}
	return labels
}

const OverriddenKey = "overridden"

// The parts of a manifest whose change by --set may leave what other parts say of them
// without an object: the values of axes, and two lists.
const (
	OverriddenAxes     = "axes"
	OverriddenMetrics  = "metrics"
	OverriddenDatasets = "datasets"
)

// noted notes the part that an argument changes, so that the resolved manifest may say
// what its file may. A pinned axis can take values off others: blocks go with it.
func noted(before, root *text.Node, arg string, order int) *text.Node {
	path, _, _ := strings.Cut(arg, "=")
	part, _, _ := text.Element(strings.Split(strings.TrimSpace(path), ".")[0])
	switch part {
	case OverriddenMetrics, OverriddenDatasets:
	case "axes", "zip", "blocks", "exclude", "when", SampleKey:
		part = OverriddenAxes
	default:
		related := func(n *text.Node) bool {
			return slices.ContainsFunc(n.Pairs(), func(e text.Entry) bool {
				return e.Key == path || below(e.Key, path) || below(path, e.Key)
			})
		}
		if !slices.ContainsFunc(withBlocks(before), func(b *text.Node) bool { return related(b.Get("axes")) }) &&
			!related(before.Get(SampleKey).Get(OverKey)) {
			return root
		}
		part = OverriddenAxes
	}
	parts := root.Get(OverriddenKey)
	if parts != nil && parts.Shape != text.List || slices.Contains(parts.Texts(), part) {
		return root
	}
	at := text.NewOverride(arg, order).Start()
	return root.With(OverriddenKey, at, text.NewList(at, append(slices.Clip(parts.All()), &text.Node{Text: part, Pos: at})...))
}

// Overridden reports whether --set changed a part, so that texts of the file on it may
// name removed values.
func (d *Document) Overridden(part string) bool { return slices.Contains(d.overridden, part) }
