package sweep

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// Limits bound the work of loading a manifest; 0 is the usual limit.
type Limits struct {
	Axis     int // values of an axis; usually 1,000,000
	Points   int // points of a sweep with cuts or repeats, which are looked at one by one; usually 2^27
	Variants int // variants of a section in a block; usually 2^20
}

type planner struct {
	*manifest.Layout
	limits Limits
}

// newPlan decodes the variants and lays the points out; it returns nil when there
// are mistakes that make this impossible.
func newPlan(from *manifest.Layout, seed uint64, limits Limits) *Plan {
	limits.Points, limits.Variants = cmp.Or(limits.Points, maxFiltered), cmp.Or(limits.Variants, maxVariants)
	l := &planner{Layout: from, limits: limits}
	blocks := text.Each(from.Blocks, func(b *manifest.Block) *block { return &block{Block: b} })
	p := &Plan{ids: new(keptIDs), version: l.Catalog.Version, seed: seed, axes: l.Axes, workload: -1,
		sections: len(l.Catalog.Sections)}
	l.Decoder.Axes = l.AxisNames()
	c := &census{}
	skip := make([]bool, len(l.Catalog.Sections))
	for i, s := range l.Catalog.Sections {
		c.ids = append(c.ids, map[[32]byte]int32{})
		if s.Name == "workload" {
			p.workload = i
		}
		// A broken axis or parent may be the cause of missing values. An axis of a section without a kind is broken
		// before anybody has reported that, and the section does.
		if l.Out.Count == 0 {
			continue
		}
		skip[i] = l.Orphan
		for path := range l.Broken {
			name, _ := manifest.SplitPath(path)
			skip[i] = skip[i] || name == s.Name
		}
	}
	for _, b := range blocks {
		if len(b.Axes) > manifest.MaxAxes || !l.product(b) || !l.expand(b, skip, c) {
			return nil
		}
	}
	if len(l.Out.Found) > 0 || len(blocks) == 0 {
		return nil
	}
	filtered := slices.ContainsFunc(blocks, (*block).filtered)
	if (len(blocks) > 1 || c.repeated || filtered) && !l.dropRepeats(blocks, c) {
		return nil
	}
	for _, b := range blocks {
		for i, a := range b.Axes {
			if a.Labelled {
				at := slices.IndexFunc(l.Axes, func(x manifest.Axis) bool { return x.Path == a.Path })
				b.labels = append(b.labels, labelColumn{at, i})
			}
		}
		p.append(b)
	}
	if p.len == 0 {
		l.Out.Add(blocks[0].Pos, "", "no point is left after exclude")
		return nil
	}
	if p.len > maxLen {
		l.Out.Add(blocks[0].Pos, "use fewer values or replications", "the blocks have %d instances in all; at most %d are possible", p.len,
			maxLen)
		return nil
	}
	within := map[string]int{}
	for _, a := range l.Axes {
		name, _ := manifest.SplitPath(a.Path)
		p.owner = append(p.owner, l.Catalog.Section(name).Index)
		p.within = append(p.within, within[name])
		within[name]++
	}
	return l.distinct(p)
}

// distinct returns the plan, and nil where two points of its blocks have the same values on all axes: no table could tell them apart.
func (l *planner) distinct(p *Plan) *Plan {
	if len(p.blocks) == 1 {
		return p
	}
	seed, seen := maphash.MakeSeed(), map[uint64]int{}
	var in, other Instance
	for _, b := range p.blocks {
		for k := range b.count() {
			p.setPoint(b.first+k*b.Replications, &in)
			var values maphash.Hash
			values.SetSeed(seed)
			for _, v := range in.Values {
				maphash.WriteComparable(&values, v)
			}
			at, had := seen[values.Sum64()]
			if !had {
				seen[values.Sum64()] = in.Index
				continue
			}
			if p.setPoint(at, &other); !slices.Equal(in.Values, other.Values) {
				continue
			}
			for s, r := range in.Sections {
				for _, d := range other.Sections[s].Differences(r) {
					value := func(v string) string { kind, _, _ := strings.Cut(v, " (version"); return kind }
					l.Out.Add(b.Pos, fmt.Sprintf("make %s an axis of the block, with this one value, which changes no id", d.Field),
						"has a point that no axis tells from one of an earlier block, so that tables would average the two: %s is %s here and %s there",
						d.Field, value(d.B), value(d.A))
					return nil
				}
			}
		}
	}
	return p
}

func (l *planner) columnsOf(s *params.SectionInfo) (rels [][]string, types []params.ColumnType) {
	for _, a := range l.Axes {
		if section, rel := manifest.SplitPath(a.Path); section == s.Name {
			rels, types = append(rels, rel), append(types, a.Type)
		}
	}
	return rels, types
}

// expand finds the points that stay and decodes the variants they use.
func (l *planner) expand(b *block, skip []bool, c *census) bool {
	for _, s := range l.Catalog.Sections {
		t := l.newVariantTable(b, s)
		if t == nil {
			return false
		}
		t.columns, t.types = l.columnsOf(s)
		b.tables = append(b.tables, t)
	}
	used := make([][]bool, len(b.tables))
	if b.filtered() {
		for i, t := range b.tables {
			used[i] = make([]bool, t.size)
		}
		kept := []int32{}
		b.walk(func(p int, digits []int) {
			if b.cut(digits) {
				return
			}
			kept = append(kept, int32(p))
			for i, t := range b.tables {
				used[i][t.number(digits)] = true
			}
		})
		b.kept = kept
	}
	for i, t := range b.tables {
		if !skip[i] {
			t.fill(l, used[i], c)
		}
	}
	return true
}

// dropRepeats takes points away whose sections all have the hashes of another
// point's, for these are the same instances. The point stays in the block that
// gives it the most replications, the first of several.
func (l *planner) dropRepeats(blocks []*block, c *census) bool {
	total := 0
	for _, b := range blocks {
		total += b.points
	}
	if total > l.limits.Points {
		l.Out.Add(blocks[0].Pos, "make every point differ, in one block", "a sweep with repeated points or several blocks may have %d points, "+
			"and there are %d", l.limits.Points, total)
		return false
	}
	seen := make(map[[params.MaxSections]int32]struct{}, min(total, 1<<20))
	claiming := slices.Clone(blocks)
	slices.SortStableFunc(claiming, func(x, y *block) int { return y.Replications - x.Replications })
	for _, b := range claiming {
		kept := []int32{}
		b.walk(func(p int, digits []int) {
			var key [params.MaxSections]int32
			for i, t := range b.tables {
				key[i] = c.id(i, t.get(t.number(digits)))
			}
			if _, repeat := seen[key]; !repeat {
				seen[key] = struct{}{}
				kept = append(kept, int32(p))
			}
		})
		b.kept = kept
	}
	return true
}
