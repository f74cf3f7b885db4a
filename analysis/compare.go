package analysis

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"schedsweep/analysis/stats"
)

// Contrast asks for a comparison of the values of some axes with a baseline: one combination of them.
type Contrast struct {
	Axes     []string
	Baseline []string // the baseline's values, one an axis, as [Value.String] prints them
	Metrics  []string // nil: all of the design
	// Over names axes that a comparison averages over. Pairs are still formed at equal values of them; within a
	// replication they are then averaged, because values that share a workload are not independent: n is the number of
	// replications.
	Over []string
}

// Comparison is one combination of the contrast's axes against the baseline in one metric, other axes fixed.
type Comparison struct {
	Axes            []string // of the contrast
	Level, Baseline []Value  // values of Axes
	By              []string // the other axes that are fixed
	Point           []Value  // their values
	Metric, Unit    string
	Counts          // of the level's instances
	BaselineCounts  Counts
	Unpaired        int // instances of either side without a partner
	stats.Paired        // N counts the pairs; warnings of all kinds are in Warnings
}

// NoBaselineError says that the baseline of a contrast has no row.
type NoBaselineError struct {
	Axes, Baseline []string
	Have           string // what occurs instead
}

// Error names the axes, the baseline and what there is.
func (e *NoBaselineError) Error() string {
	if e.Have == "" {
		return fmt.Sprintf("comparison along %s: the baseline %s does not occur; there are no rows", commas(e.Axes), commas(e.Baseline))
	}
	return fmt.Sprintf("comparison along %s: the baseline %s does not occur; there are %s", commas(e.Axes), commas(e.Baseline), e.Have)
}

// Compare pairs every level of the contrast's axes with the baseline: same replication, same other axes (common random
// numbers). The baseline itself is not compared. Results come by point, level and metric.
func Compare(f *Frame, d Design, c Contrast) ([]Comparison, error) {
	d, err := d.resolved(f)
	if err != nil {
		return nil, fmt.Errorf("comparison: %w", err)
	}
	if c.Metrics == nil {
		c.Metrics = d.Metrics
	}
	if err := c.check(f, d); err != nil {
		return nil, fmt.Errorf("comparison along %s: %w", commas(c.Axes), err)
	}
	along := groupBy(f, c.Axes, d.Order)
	base := slices.IndexFunc(along.groups, func(g group) bool { return slices.Equal(printed(g.key), c.Baseline) })
	if base < 0 {
		return nil, &NoBaselineError{Axes: c.Axes, Baseline: c.Baseline, Have: listed(along.groups)}
	}
	by := d.without(append(slices.Clone(c.Over), c.Axes...)...)
	p := pairing{
		frame: f, design: &d, contrast: c, along: along, base: int32(base), ok: d.ok(f),
		replication: levelsOf(f.Column(d.Replication), nil),
		cell:        groupBy(f, append([]string{d.Replication}, c.Over...), d.Order).of,
	}
	var out []Comparison
	g := groupBy(f, by, d.Order)
	for i := range g.groups {
		for _, r := range p.compare(&g.groups[i]) {
			r.By = by
			out = append(out, r)
		}
	}
	return out, nil
}

func (c *Contrast) check(f *Frame, d Design) error {
	var errs []error
	if len(c.Axes) == 0 || len(c.Axes) != len(c.Baseline) {
		errs = append(errs, fmt.Errorf("%d axes and %d values of the baseline: give one value for each axis", len(c.Axes), len(c.Baseline)))
	}
	for _, a := range c.Axes {
		if !slices.Contains(d.Axes, a) {
			errs = append(errs, fmt.Errorf("%q is no axis of the design", a))
		}
	}
	if d.Replication == "" {
		errs = append(errs, errors.New("the design has no replication column: nothing to pair by"))
	}
	for _, o := range c.Over {
		if !slices.Contains(d.Axes, o) || slices.Contains(c.Axes, o) {
			errs = append(errs, fmt.Errorf("cannot average over %q: it must be another axis of the design", o))
		}
	}
	for _, m := range c.Metrics {
		_, err := f.needNumbers("metric", m)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// pairing is what the comparisons of one contrast share.
type pairing struct {
	frame       *Frame
	design      *Design
	contrast    Contrast
	along       grouping // by the contrast's axes
	base        int32    // the baseline's group
	ok          []bool
	replication levels
	cell        []int32 // of each row: rows of one cell in two levels are partners
}

func (p *pairing) compare(g *group) []Comparison {
	rows := make([][]int32, len(p.along.groups))
	for _, r := range g.rows {
		rows[p.along.of[r]] = append(rows[p.along.of[r]], r)
	}
	var out []Comparison
	for level := range rows {
		if int32(level) == p.base || len(rows[level]) == 0 {
			continue
		}
		for _, metric := range p.contrast.Metrics {
			c := Comparison{
				Axes: p.contrast.Axes, Level: p.along.groups[level].key, Baseline: p.along.groups[p.base].key, Point: g.key,
				Metric: metric, Unit: p.frame.Column(metric).Unit,
				Counts:         counted(rows[level], p.ok, p.planned(g.key, p.along.groups[level].key)),
				BaselineCounts: counted(rows[p.base], p.ok, p.planned(g.key, p.along.groups[p.base].key)),
			}
			p.fill(&c, rows[p.base], rows[level])
			out = append(out, c)
		}
	}
	return out
}

// planned asks for the count of one point of the sweep; where axes are averaged over it is not known.
func (p *pairing) planned(point, level []Value) int {
	if len(p.contrast.Over) > 0 {
		return -1
	}
	full := make([]Value, 0, len(p.design.Axes))
	for _, a := range p.design.Axes {
		if i := slices.Index(p.contrast.Axes, a); i >= 0 {
			full = append(full, level[i])
			continue
		}
		full = append(full, point[0])
		point = point[1:]
	}
	return p.design.planned(full)
}

// side is the rows of one level that ended well, by cell.
func (p *pairing) side(rows []int32) []int32 {
	var out []int32
	for _, r := range rows {
		if p.ok == nil || p.ok[r] {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b int32) int { return cmp.Compare(p.cell[a], p.cell[b]) })
	return out
}

func (p *pairing) fill(c *Comparison, baseRows, otherRows []int32) {
	a, b := p.side(baseRows), p.side(otherRows)
	values := p.frame.Column(c.Metric).Numbers
	byReplication := map[int32][]stats.Pair{}
	repeats := 0
	for len(a) > 0 || len(b) > 0 {
		cell := p.firstCell(a, b)
		na, nb := p.countCell(a, cell), p.countCell(b, cell)
		switch {
		case na == 1 && nb == 1:
			rep := p.replication.codes[a[0]]
			byReplication[rep] = append(byReplication[rep], stats.Pair{Base: values[a[0]], Other: values[b[0]]})
		case na == 0 || nb == 0:
			c.Unpaired += na + nb
		default:
			repeats += na + nb
		}
		a, b = a[na:], b[nb:]
	}
	pairs, uneven := averaged(byReplication)
	c.Paired = stats.ComparePaired(pairs, p.design.Confidence)
	c.Warnings = append(c.Counts.warnings(), c.Warnings...)
	if c.BaselineCounts.Failed > 0 {
		c.Warnings = append(c.Warnings, stats.Warnf(stats.Failed, c.BaselineCounts.Failed, "%d of %d instances of the baseline failed", c.BaselineCounts.Failed, c.BaselineCounts.OK+c.BaselineCounts.Failed))
	}
	if len(baseRows) == 0 {
		c.Warnings = append(c.Warnings, stats.Warnf(stats.NoBaseline, c.OK, "the baseline does not occur at this point"))
	}
	if c.Unpaired > 0 {
		c.Warnings = append(c.Warnings, stats.Warnf(stats.Unpaired, c.Unpaired, "%d instances have no partner and were left out", c.Unpaired))
	}
	if repeats > 0 {
		c.Warnings = append(c.Warnings, stats.Warnf(stats.Duplicate, repeats, "%d rows repeat an instance, so that their partner is ambiguous; they were left out", repeats))
	}
	if uneven {
		c.Warnings = append(c.Warnings, stats.Warnf(stats.Pooled, len(pairs), "replications hold unequal numbers of pairs: their averages cover different points"))
	}
}

func (p *pairing) firstCell(a, b []int32) int32 {
	switch {
	case len(a) == 0:
		return p.cell[b[0]]
	case len(b) == 0:
		return p.cell[a[0]]
	default:
		return min(p.cell[a[0]], p.cell[b[0]])
	}
}

func (p *pairing) countCell(rows []int32, cell int32) int {
	n := 0
	for n < len(rows) && p.cell[rows[n]] == cell {
		n++
	}
	return n
}

// averaged makes one pair of each replication and tells whether they rest on unequal numbers of pairs. A pair that is not
// finite makes its replication's not finite, which the statistics count and leave out.
func averaged(by map[int32][]stats.Pair) (pairs []stats.Pair, uneven bool) {
	keys := make([]int32, 0, len(by))
	for k := range by {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		ps := by[k]
		uneven = uneven || len(ps) != len(by[keys[0]])
		base, other := make([]float64, len(ps)), make([]float64, len(ps))
		for i, p := range ps {
			base[i], other[i] = p.Base, p.Other
		}
		slices.Sort(base)
		slices.Sort(other)
		n := float64(len(ps))
		pairs = append(pairs, stats.Pair{Base: stats.Sum(base) / n, Other: stats.Sum(other) / n})
	}
	return pairs, uneven
}

func printed(values []Value) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = v.String()
	}
	return out
}

// listed prints the keys of the first groups for a message.
func listed(groups []group) string {
	s := ""
	for i, g := range groups {
		if i > 0 {
			s += "; "
		}
		if i == 20 {
			return s + fmt.Sprintf("... (%d in all)", len(groups))
		}
		s += commas(printed(g.key))
	}
	return s
}
