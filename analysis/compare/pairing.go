package compare

import (
	"maps"
	"math"
	"slices"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/text"
)

// pairing holds the common parts of the comparisons of one contrast.
type pairing struct {
	frame        *frame.Frame
	design       *frame.Design
	contrast     Contrast
	along        frame.Grouping // by the contrast's axes
	base         int32          // the baseline's group
	ok           []bool
	replications *frame.Replications
	replication  []int32 // of each row, in the order of the replications
	shares       *frame.Sharers
	drifts       frame.Drifts
	cell         []int32 // of each row: rows of one cell in two levels are partners
	over         []int32 // of each row, its place on the axes averaged over; nil for none
	points       frame.Grouping
	place        []int32  // of each row in its group
	metrics      []string // those compared, and then the others of the design
}

// compare returns the comparisons by level and metric.
func (p *pairing) compare(g *frame.Group, values frame.ValuesOf) []Comparison {
	rows := make(map[int32][]int32)
	var present []int32
	for i, r := range g.Rows {
		p.place[r] = int32(i)
		level := p.along.Of[r]
		if rows[level] == nil {
			present = append(present, level)
		}
		rows[level] = append(rows[level], r)
	}
	slices.Sort(present)
	base := p.side(rows[p.base])
	baseCounts := frame.Count(rows[p.base], p.ok, p.planned(g.Key, p.along.Groups[p.base].Key))
	others := slices.DeleteFunc(present, func(level int32) bool { return level == p.base })
	matches, same := make([]matching, len(others)), make([]stats.Agreement, len(others))
	counts := make([]frame.Counts, len(others))
	expected := make([]int, len(others))
	for i, level := range others {
		matches[i] = p.match(base, p.side(rows[level]))
		matches[i].whole = p.whole(rows[p.base], rows[level])
		expected[i] = p.expected(rows[p.base], rows[level], baseCounts.Planned, p.planned(g.Key, p.along.Groups[level].Key))
		counts[i] = frame.Count(rows[level], p.ok, p.planned(g.Key, p.along.Groups[level].Key))
	}
	compared := len(p.contrast.Metrics)
	out := make([]Comparison, len(others)*compared)
	for k, metric := range p.metrics {
		if k >= compared && !slices.ContainsFunc(same, func(a stats.Agreement) bool { return !a.Differ }) {
			break // the others cannot change that
		}
		from := values(k)
		for i, level := range others {
			m := &matches[i]
			pairs := m.averaged(from)
			if slices.Contains(p.design.Metrics, metric) { // and not only compared
				same[i].Add(len(pairs), func(i int) float64 { return pairs[i].Base })
				same[i].Add(len(pairs), func(i int) float64 { return pairs[i].Other })
			}
			if k >= compared {
				continue
			}
			c := &out[i*compared+k]
			*c = Comparison{
				Axes: p.contrast.Axes, Level: p.along.Groups[level].Key, Baseline: p.along.Groups[p.base].Key, Point: g.Key,
				Confidence: p.design.Confidence,
				Metric:     metric, Unit: p.frame.Head(metric).Unit, Counts: counts[i], BaselineCounts: baseCounts, Unpaired: m.unpaired,
			}
			if p.contrast.Independent {
				value := func(r int32) float64 { return from[p.place[r]] }
				values, lost, repeats := p.unrelated(rows[level], rows[p.base], value)
				baseValues, baseLost, baseRepeats := p.unrelated(rows[p.base], rows[level], value)
				c.Independent, c.Unpaired = true, 0
				c.testIndependent(baseValues, values, p.design)
				c.Lost = max(expected[i]-c.N, lost+lostOf(c.Counts.Planned, values)+baseLost+lostOf(c.BaselineCounts.Planned, baseValues))
				c.warn("replications", countFinite(baseValues)+countFinite(values), repeats+baseRepeats)
			} else {
				c.test(pairs, p.design)
				c.Lost = max(0, expected[i]-c.N-undefined(pairs))
				c.warn("pairs", c.N, m.repeats)
			}
		}
	}
	ofBase := p.shares.Of(rows[p.base])
	for i, level := range others {
		sharing := p.shares.Of(rows[level])
		if sharing.Same() { // chance may still vary the baseline
			sharing = ofBase
		}
		identical, remarks := same[i].Whole() || sharing.Same(), sharing.Remarks()
		for _, w := range ofBase.Remarks() {
			if !slices.Contains(remarks, w) {
				remarks = append(remarks, stats.Warnf(w.Code, "the baseline: %s", w.Text))
			}
		}
		if identical { // they are about intervals
			remarks = nil
		}
		remarks = append(remarks, p.shares.OtherJobs(rows[level], rows[p.base])...)
		for k := range compared {
			c := &out[i*compared+k]
			c.Most = sharing.Most
			c.Warnings = slices.Concat(c.Warnings, remarks, p.drifts.Of(c.Metric, rows[level]))
			for _, w := range p.drifts.Of(c.Metric, rows[p.base]) {
				c.Warnings = append(c.Warnings, stats.Warnf(w.Code, "the baseline: %s", w.Text))
			}
			if identical && c.N > 1 {
				c.Difference, c.Ratio = stats.NoInterval(c.Difference.Estimate), stats.NoInterval(c.Ratio.Estimate)
				c.P, c.PSame, c.PWorse, c.PNotWorse = math.NaN(), math.NaN(), math.NaN(), math.NaN()
				c.Warnings = append(c.Warnings, frame.IdenticalRemark())
			}
		}
	}
	return out
}

// expected returns the expected number of pairs: as many as are planned of the level with fewer replications, where axes are averaged
// over at the place with the most. Where that is not known it is how many replications have a row.
func (p *pairing) expected(base, other []int32, plannedBase, planned frame.Amount) int {
	if plannedBase.Known && planned.Known {
		return min(plannedBase.N, planned.N)
	}
	if n := p.expectedOver(base, other); n.Known {
		return n.N
	}
	seen := map[int32]bool{}
	for _, r := range slices.Concat(base, other) {
		seen[p.replication[r]] = true
	}
	return len(seen)
}

// expectedOver is the expected number of pairs at the place of the axes averaged over that has the most; not known where neither side
// says how many are planned.
func (p *pairing) expectedOver(base, other []int32) (most frame.Amount) {
	if len(p.contrast.Over) == 0 {
		return most
	}
	planned := func(rows []int32) map[int32]frame.Amount { // by place
		all := map[int32]frame.Amount{}
		for _, r := range rows {
			if _, seen := all[p.over[r]]; !seen {
				all[p.over[r]] = p.design.PlannedAt(p.points.Groups[p.points.Of[r]].Key)
			}
		}
		return all
	}
	its := planned(base)
	for place, own := range planned(other) {
		if own.Known && its[place].Known {
			most = frame.Exactly(max(most.N, min(own.N, its[place].N)))
		}
	}
	return most
}

// lostOf is the number of planned values of one side that are missing, 0 where it is not known how many are planned.
func lostOf(planned frame.Amount, values []float64) int {
	if !planned.Known {
		return 0
	}
	return max(0, planned.N-countFinite(values))
}

func countFinite(values []float64) int { return text.Count(values, stats.Finite) }

// undefined counts the pairs that have a value on neither side, though both instances ended well: nothing is lost of them.
func undefined(pairs []stats.Pair) int {
	return text.Count(pairs, func(x stats.Pair) bool { return !stats.Finite(x.Base) && !stats.Finite(x.Other) })
}

// planned asks for the count of one point of the sweep; where axes are averaged over it is not known.
func (p *pairing) planned(point, level []frame.Value) frame.Amount {
	if len(p.contrast.Over) > 0 {
		return frame.Amount{}
	}
	full := make([]frame.Value, 0, len(p.design.Axes))
	for _, a := range p.design.Axes {
		if i := slices.Index(p.contrast.Axes, a); i >= 0 {
			full = append(full, level[i])
			continue
		}
		full = append(full, point[0])
		point = point[1:]
	}
	return p.design.PlannedAt(full)
}

// side is the rows of one level that ended well, by cell.
func (p *pairing) side(rows []int32) []int32 {
	keys := make([]int64, 0, len(rows)) // of cells and rows; they sort in a third of the time of rows by their cells
	for _, r := range rows {
		if p.ok == nil || p.ok[r] {
			keys = append(keys, int64(p.cell[r])<<32|int64(r))
		}
	}
	slices.Sort(keys)
	return text.Each(keys, func(key int64) int32 { return int32(key) })
}

// unrelated returns one value for each replication of a level that is no partner of another. Where axes are averaged over, it is the mean
// over the places that both levels have; lost is the number of replications without an answer at one of them. Rows that repeat an
// instance are left out, and counted.
func (p *pairing) unrelated(rows, others []int32, value func(row int32) float64) (values []float64, lost, repeats int) {
	n := map[int32]int{}
	for _, r := range p.side(rows) {
		n[p.cell[r]]++
	}
	once := text.Those(rows, func(r int32) bool { return n[p.cell[r]] <= 1 })
	repeats = len(rows) - len(once)
	if p.over == nil {
		return text.Each(p.side(once), value), 0, repeats
	}
	places := map[int32]bool{}
	for _, r := range others {
		places[p.over[r]] = true
	}
	once = text.Those(once, func(r int32) bool { return places[p.over[r]] })
	means := p.replications.Means(once, value)
	for _, code := range slices.Sorted(maps.Keys(means)) {
		values = append(values, means[code])
	}
	return values, p.replications.Distinct(once) - len(values), repeats
}

// matching is the partners of two levels, by replication: their places in the group.
type matching struct {
	partners          []partners
	unpaired, repeats int
	whole             int // partners of a replication that lacks none
}

type partners struct{ replication, base, other int32 }

// match walks both sides of a group by cell. Cells ascend with the replication, and so do the partners.
func (p *pairing) match(a, b []int32) matching {
	var m matching
	cellOf := func(rows []int32) int32 {
		if len(rows) == 0 {
			return math.MaxInt32
		}
		return p.cell[rows[0]]
	}
	for len(a) > 0 || len(b) > 0 {
		cell := min(cellOf(a), cellOf(b))
		na, nb := p.countCell(a, cell), p.countCell(b, cell)
		switch {
		case na == 1 && nb == 1:
			m.partners = append(m.partners, partners{p.replication[a[0]], p.place[a[0]], p.place[b[0]]})
		case na == 0 || nb == 0:
			m.unpaired += na + nb
		default:
			m.repeats += na + nb
		}
		a, b = a[na:], b[nb:]
	}
	return m
}

func (p *pairing) countCell(rows []int32, cell int32) int {
	n := 0
	for n < len(rows) && p.cell[rows[n]] == cell {
		n++
	}
	return n
}

// whole is the number of places that both sides have in some replication, also by rows of instances that failed.
func (p *pairing) whole(base, other []int32) int {
	if len(p.contrast.Over) == 0 {
		return 1
	}
	cells, places := map[int32]bool{}, map[int32]bool{}
	for _, r := range base {
		cells[p.cell[r]] = true
	}
	for _, r := range other {
		if cells[p.cell[r]] {
			places[p.over[r]] = true
		}
	}
	return len(places)
}

// averaged makes one pair of each replication that has all partners: the mean of others would be of something else. A value that is
// not finite makes its replication's pair not finite, which the statistics count and leave out. Partners of a replication
// come in the order of their cells, so that the sums do not depend on the order of the rows.
func (m *matching) averaged(values []float64) []stats.Pair {
	pairs := make([]stats.Pair, 0, len(m.partners))
	for from := 0; from < len(m.partners); {
		to, sum := from, stats.Pair{}
		for ; to < len(m.partners) && m.partners[to].replication == m.partners[from].replication; to++ {
			sum.Base += values[m.partners[to].base]
			sum.Other += values[m.partners[to].other]
		}
		if n := to - from; n >= m.whole {
			pairs = append(pairs, stats.Pair{Base: sum.Base / float64(n), Other: sum.Other / float64(n)})
		}
		from = to
	}
	return pairs
}

// warn adds warnings about the instances to the warnings of the statistics, which are of this number of pairs or replications.
func (c *Comparison) warn(units string, n, repeats int) {
	ws := append(c.Counts.Lost(), c.Warnings...)
	if b := c.BaselineCounts; b.Failed > 0 {
		ws = append(ws, stats.Warnf(stats.Failed, "%d of %d instances of the baseline failed", b.Failed, b.OK+b.Failed))
	}
	if b := c.BaselineCounts; b.OK+b.Failed == 0 {
		ws = append(ws, stats.Warnf(stats.NoBaseline, "the baseline does not occur at this point"))
	}
	if c.Lost > 0 {
		ws = append(ws, stats.Warnf(stats.Unpaired, "%d of %d %s are lost (an instance failed, has no row or no value), and the others may "+
			"differ from them: means and difference are of the other %d", c.Lost, c.Lost+n, units, n))
	} else if c.Unpaired > 0 {
		ws = append(ws, stats.Warnf(stats.Unpaired, "%d of the instances %s left out", c.Unpaired,
			text.Either(c.Unpaired, "has no partner and was", "have no partner and were")))
	}
	if repeats > 0 {
		ws = append(ws, stats.Warnf(stats.Duplicate, "%d %s left out", repeats,
			text.Either(repeats, "row repeats an instance, so that its value is ambiguous; it was",
				"rows repeat an instance, so that their values are ambiguous; they were")))
	}
	c.Warnings = ws
}
