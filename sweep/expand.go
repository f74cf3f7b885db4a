package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// blocks reads the sub-sweeps; a manifest without blocks is one.
func (l *loader) blocks(root *node) []*block {
	for _, s := range l.cat.sections {
		if n := root.get(s.Name); n != nil && n.shape != mapNode && !n.isNull() {
			l.out.add(n.pos, s.Name, "write its fields as key: value", "%s is %s; want a map", s.Name, n.what())
		}
	}
	var out []*block
	n := root.get("blocks")
	if n == nil || n.isNull() {
		out = append(out, l.block(root, nil))
	} else {
		for _, item := range l.list(n, "blocks") {
			if item.shape != mapNode {
				l.out.add(item.pos, "blocks", "", "a block is %s; want a map", item.what())
				continue
			}
			out = append(out, l.block(root, item))
		}
		if n.shape == listNode && len(n.items) == 0 {
			l.out.add(n.pos, "blocks", "remove it, or give it blocks", "blocks is empty")
		}
	}
	for _, b := range out {
		if len(b.axes) > maxAxes {
			l.out.add(b.pos, "axes", "", "%d axes, more than %d", len(b.axes), maxAxes)
		}
		l.checkBase(b)
	}
	return out
}

// checkBase checks what is written in the base sections, whether or not an
// axis replaces it.
func (l *loader) checkBase(b *block) {
	for i, s := range l.cat.sections {
		kind, play := l.dec.kindOf(b.base[i], s, true), l.play[i]
		if kind == nil && b.base[i].get(kindKey) == nil && len(play) > 0 {
			kind = play[0]
		}
		if l.pinned[i] {
			play = s.kinds
		}
		if kind != nil {
			l.dec.piece(b.base[i], s, kind, play)
		}
	}
}

// columns sets the axes of the plan: those of all blocks.
func (l *loader) columns(blocks []*block) {
	for _, b := range blocks {
		for _, a := range b.axes {
			i := slices.IndexFunc(l.axes, func(x Axis) bool { return x.Path == a.path })
			if i < 0 {
				i = len(l.axes)
				l.axes = append(l.axes, Axis{Path: a.path, Type: a.typ, Unit: a.unit, Doc: a.doc, Labelled: a.labelled})
			}
			known := make(map[Value]bool, len(l.axes[i].Values))
			for _, v := range l.axes[i].Values {
				known[v] = true
			}
			for _, v := range a.values {
				if !known[v.value] {
					l.axes[i].Values = append(l.axes[i].Values, v.value)
				}
				l.name(&l.axes[i], v)
			}
			if l.axes[i].Labels != nil {
				l.axes[i].Labels = padded(l.axes[i].Labels, len(l.axes[i].Values))
			}
			l.axes[i].Count = len(l.axes[i].Values)
		}
	}
	l.unmistakable(blocks)
}

// columnsOf returns the columns that a section fills: their paths below it.
func (l *loader) columnsOf(s *sectionInfo) (rels [][]string, types []ColumnType) {
	for _, a := range l.axes {
		if segs := strings.Split(a.Path, "."); segs[0] == s.Name {
			rels, types = append(rels, segs[1:]), append(types, a.Type)
		}
	}
	return rels, types
}

// plan decodes the variants and lays the points out; it returns nil when there
// are mistakes that make this impossible.
func (l *loader) plan(m *Manifest, blocks []*block) *Plan {
	p := &Plan{version: l.cat.version, seed: m.Seed, axes: l.axes, workload: -1, sections: len(l.cat.sections)}
	c := &census{}
	skip := make([]bool, len(l.cat.sections))
	for i, s := range l.cat.sections {
		c.ids = append(c.ids, map[[32]byte]int32{})
		if s.Name == "workload" {
			p.workload = i
		}
		// What is missing may be what a broken axis or parent would have given.
		skip[i] = l.orphan
		for path := range l.broken {
			skip[i] = skip[i] || strings.Split(path, ".")[0] == s.Name
		}
	}
	for _, b := range blocks {
		if len(b.axes) > maxAxes || !l.product(b) || !l.expand(b, skip, c) {
			return nil
		}
	}
	if len(l.out.list) > 0 || len(blocks) == 0 {
		return nil
	}
	filtered := slices.ContainsFunc(blocks, (*block).filtered)
	if len(blocks) > 1 || c.repeated || filtered {
		if !l.dropRepeats(blocks, c) {
			return nil
		}
	}
	for _, b := range blocks {
		pb, count := planBlock{block: b, first: p.len}, b.points
		if b.kept != nil {
			count = b.kept.count
		}
		for i, a := range b.axes {
			if a.labelled {
				at := slices.IndexFunc(l.axes, func(x Axis) bool { return x.Path == a.path })
				pb.labels = append(pb.labels, labelColumn{at, i})
			}
		}
		if count > 0 {
			p.blocks = append(p.blocks, pb)
		}
		p.points += count
		p.len += count * b.replications
	}
	if p.points == 0 {
		l.out.add(blocks[0].pos, "exclude", "", "no point is left after exclude")
		return nil
	}
	if p.len > maxLen {
		l.out.add(blocks[0].pos, "axes", "use fewer values or replications", "the blocks have %d instances in all; at most %d are possible", p.len, maxLen)
		return nil
	}
	within := map[string]int{}
	for _, a := range l.axes {
		name := strings.Split(a.Path, ".")[0]
		p.owner = append(p.owner, l.cat.section(name).index)
		p.within = append(p.within, within[name])
		within[name]++
	}
	return p
}

// hash computes Manifest.Hash.
func (l *loader) hash(root *node, m *Manifest) string {
	for _, k := range []string{"name", "title", "metrics", "analysis", "claims"} {
		root = root.with(k, root.pos, nil)
	}
	for _, s := range l.cat.sections {
		if n := root.get(s.Name); n != nil {
			root = root.with(s.Name, root.pos, sorted(n))
		}
	}
	root = root.with("seed", root.pos, nil).with("replications", root.pos, nil)
	b := fmt.Appendf(nil, "schedsweep/manifest/1 version %d seed %d replications %d\n", l.cat.version, m.Seed, m.Replications)
	for _, path := range sortedKeys(l.dec.hashes) {
		b = fmt.Appendf(b, "file %q %s\n", path, l.dec.hashes[path].hash)
	}
	for _, s := range l.cat.sections {
		for _, k := range s.kinds {
			d := decoder{out: &sink{}}
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
