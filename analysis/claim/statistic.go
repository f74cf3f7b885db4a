package claim

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

// make makes a statistic at one combination of the across axes and tells its unit.
func (t *test) make(e *evaluation, s *study.Statistic, combo []frame.Term) (statistic, string) {
	if s.Parts != nil {
		a, unit := t.make(e, &s.Parts[0], combo)
		b, _ := t.make(e, &s.Parts[1], combo)
		if x, y := &s.Parts[0], &s.Parts[1]; x.Of != nil && y.Of != nil && x.To == nil && y.To == nil && x.X == y.X {
			sm := t.samples[len(t.samples)-1]
			sm.remarks = append(sm.remarks, unlike(x, e.side(x, x.Of).at(combo), e.side(y, y.Of).at(combo))...)
		}
		return joined(s.Kind, a, b), joinedUnit(s.Kind, unit)
	}
	of := e.side(s, s.Of).at(combo)
	var to *side
	if s.To != nil {
		at := e.side(s, s.To).at(combo)
		to = &at
	}
	switch s.Kind {
	case "crossing":
		return t.crossing(s, of, *to)
	case "share":
		return statistic{value: t.share(s, of, *to), rule: stats.Share, top: 1}, ""
	}
	a, unit := t.single(s, of)
	if to == nil {
		return a, unit
	}
	b, _ := t.single(s, *to)
	sm := t.samples[len(t.samples)-1]
	sm.remarks = append(sm.remarks, unlike(s, of, *to)...)
	as := cmp.Or(s.As, s.Kind)
	return joined(as, a, b), joinedUnit(as, unit)
}

func (t *test) single(s *study.Statistic, from side) (statistic, string) {
	sm := t.sample(from, s.Metric, s.X, nil)
	if s.Kind == "slope" || s.Kind == "spread" {
		sm.finiteX(s.X)
	}
	sm.seek()
	switch s.Kind {
	case "slope":
		return statistic{value: newLines(sm).number(func(l stats.Line) float64 { return l.Slope }), rule: stats.MayBeNegative},
			frame.SlopeUnit(from.unit(s.Metric), from.unit(s.X))
	case "spread":
		return statistic{value: newLines(sm).number(func(l stats.Line) float64 { return l.ResidualSD }), rule: stats.Logarithm, average: 2},
			from.unit(s.Metric)
	case "percentile":
		return statistic{value: percentileOf(sm, s.At), rule: stats.Share, top: 100}, "%"
	}
	mean := statistic{value: meanOf(sm), rule: stats.NotNegative, average: 1}
	if slices.ContainsFunc(sm.obs, func(o observation) bool { return o.y < 0 }) {
		mean.rule, mean.average = stats.MayBeNegative, 0
	}
	return mean, from.unit(s.Metric)
}

func (t *test) sample(from side, metric, x string, cells []int32) *sample {
	s := newSample(from.run, from.terms, metric, x, cells)
	if from.reason != "" {
		s.reason = from.reason
	}
	t.samples = append(t.samples, s)
	return s
}

func (s *sample) usesOf(replication, class int32, l left) bool {
	if l.all {
		return s.run.replication.Values[replication].Number != l.number
	}
	return l.run != s.run || replication != l.replication || l.class != 0 && l.class != class
}

// omitted is the replication that is left out at a sample's points of a class; -1 for none. O(log replications).
func (s *sample) omitted(class int32, l left) int {
	r := l.replication
	if l.all {
		values := s.run.replication.Values
		at, _ := slices.BinarySearchFunc(values, l.number, func(v frame.Value, n float64) int { return cmp.Compare(v.Number, n) })
		r = int32(min(at, len(values)-1))
	}
	if s.usesOf(r, class, l) {
		return -1
	}
	return int(r)
}

// meanOf is the mean over all observations.
func meanOf(s *sample) valueOfLeft {
	sums := &classSums{sample: s, value: func(o *observation) (float64, bool) { return o.y, true }}
	return func(l left) (float64, string) {
		if l != (left{}) {
			sum, n := sums.without(l)
			if n == 0 {
				return nan, "no observation is left"
			}
			return sum / n, ""
		}
		var values, weights []float64
		for i := range s.obs {
			values, weights = append(values, s.obs[i].y), s.weigh(weights, &s.obs[i], l)
		}
		if len(values) == 0 {
			return nan, "no observation is left"
		}
		return meanBy(values, weights), ""
	}
}

// classSums are the sums over the observations of a sample, of all or without a replication: O(observations) once, and
// O(classes) for each replication left out where there are many.
type classSums struct {
	sample     *sample
	value      func(*observation) (v float64, counts bool)
	unweighted bool
	of         map[int32]*classSum
	classes    []int32 // in ascending order
}

// classSum is the sums of the points of a class: of each replication, or of all before it and of all after it.
type classSum struct {
	each, before, after []sumOfN
	all                 sumOfN
}

type sumOfN struct{ sum, n float64 }

func (s sumOfN) plus(t sumOfN) sumOfN { return sumOfN{s.sum + t.sum, s.n + t.n} }

// inOrder is the number of replications that are added up in their order: published numbers depend on that order in their last digits.
// With more, the sum without a replication is the sum before it plus the sum after it, which subtracts nothing.
const inOrder = 4096

func (c *classSums) fill() {
	s := c.sample
	c.of = map[int32]*classSum{}
	many := len(s.run.replication.Values)
	for i := range s.obs {
		o := &s.obs[i]
		class := s.run.classOf(o.row)
		if c.of[class] == nil {
			c.of[class] = &classSum{each: make([]sumOfN, many)}
		}
		if v, counts := c.value(o); counts {
			each := &c.of[class].each[o.replication]
			*each = each.plus(sumOfN{v, 1})
		}
	}
	c.classes = slices.Sorted(maps.Keys(c.of))
	if many <= inOrder {
		return
	}
	for _, of := range c.of {
		of.before, of.after = make([]sumOfN, many), make([]sumOfN, many)
		for r := 1; r < many; r++ {
			of.before[r] = of.before[r-1].plus(of.each[r-1])
			of.after[many-1-r] = of.after[many-r].plus(of.each[many-r])
		}
		of.all, of.each = of.after[0].plus(of.each[0]), nil
	}
}

func (c *classSums) without(l left) (sum, n float64) {
	if c.of == nil {
		c.fill() // not before: what the test cannot use has left the observations by now
	}
	for _, class := range c.classes {
		of, out, w := c.of[class], c.sample.omitted(class, l), 1.0
		if !c.unweighted {
			w = c.sample.weightOf(class, l)
		}
		for r, each := range of.each {
			if r != out {
				sum += w * each.sum
				n += w * each.n
			}
		}
		if of.each == nil {
			rest := of.all
			if out >= 0 {
				rest = of.before[out].plus(of.after[out])
			}
			sum += w * rest.sum
			n += w * rest.n
		}
	}
	return sum, n
}

// lines are the least squares lines through the observations of a sample: that of all, and from sums by replication those
// without one. O(observations) in all, and O(classes) a replication.
type lines struct {
	sample *sample
	bent   bool // they are parabolas
	all    *stats.Line
	sums   map[int32]*lineSums // by class of points
}

type lineSums struct {
	total         stats.LineSums
	byReplication []stats.LineSums
}

func newLines(s *sample) *lines { return &lines{sample: s} }

// fit computes what the lines without a replication follow from. The observations are the ones left by then.
func (ls *lines) fit() {
	s := ls.sample
	points := make([]stats.XY, len(s.obs))
	var weights []float64
	for i := range s.obs {
		points[i], weights = stats.XY{X: s.obs[i].x, Y: s.obs[i].y}, s.weigh(weights, &s.obs[i], left{})
	}
	line := stats.FitLine(points, weights)
	ls.all, ls.sums = &line, map[int32]*lineSums{}
	for i, p := range points {
		o := &s.obs[i]
		class := s.run.classOf(o.row)
		if ls.sums[class] == nil {
			ls.sums[class] = &lineSums{byReplication: make([]stats.LineSums, len(s.run.replication.Values))}
		}
		ls.sums[class].total.Add(&line, p)
		ls.sums[class].byReplication[o.replication].Add(&line, p)
	}
}

func (ls *lines) without(l left) stats.Line {
	s := ls.sample
	if ls.all == nil {
		ls.fit()
	}
	if l == (left{}) && !ls.bent {
		return *ls.all
	}
	var sums stats.LineSums
	for _, class := range slices.Sorted(maps.Keys(ls.sums)) {
		of := ls.sums[class]
		rest := of.total
		if out := s.omitted(class, l); out >= 0 {
			rest.Plus(of.byReplication[out], -1)
		}
		sums.Plus(rest, s.weightOf(class, l))
	}
	if ls.bent {
		return sums.Parabola(ls.all)
	}
	return sums.Line(ls.all)
}

func (ls *lines) number(of func(stats.Line) float64) valueOfLeft {
	return func(l left) (float64, string) {
		line := ls.without(l)
		if v := of(line); stats.Finite(v) {
			return v, ""
		}
		if ls.bent {
			return nan, fmt.Sprintf("there is no parabola through %s with fewer than 3 different abscissas", text.Counted(line.N, "point"))
		}
		return nan, fmt.Sprintf("there is no line through %s with fewer than 2 different abscissas or, for a spread, fewer than 3 points",
			text.Counted(line.N, "point"))
	}
}

// percentileOf is the percent of observations below a value, those equal to it by half.
func percentileOf(s *sample, at float64) valueOfLeft {
	sums := &classSums{sample: s, value: func(o *observation) (float64, bool) {
		switch {
		case o.y < at:
			return 1, true
		case o.y == at:
			return .5, true
		}
		return 0, true
	}}
	return func(l left) (float64, string) {
		below, n := sums.without(l)
		if n == 0 {
			return nan, "no observation is left"
		}
		return 100 * below / n, ""
	}
}

func joined(as string, a, b statistic) statistic {
	out := statistic{rule: stats.MayBeNegative, percent: as == "improvement", of: &a, to: &b}
	switch {
	case as == "difference":
	case a.positive() && b.positive():
		out.rule = stats.Logarithm
	default:
		out.rule = stats.Quotient
	}
	out.value = func(l left) (float64, string) {
		x, reason := a.value(l)
		if reason != "" {
			return nan, reason
		}
		y, reason := b.value(l)
		if stats.Change(y, x) == 0 { // they are the same but for rounding
			x = y
		}
		switch {
		case reason != "":
			return nan, reason
		case as == "difference":
			return x - y, ""
		case y == 0:
			return nan, "the denominator is 0"
		case as == "improvement":
			return 100 * (1 - x/y), ""
		}
		return x / y, ""
	}
	return out
}

func joinedUnit(as, unit string) string {
	switch as {
	case "difference":
		return unit
	case "improvement":
		return "%"
	}
	return ""
}

// share is the share of the observations of one side that are lower (or higher) by more than rounding than all their partners of the other:
// those of the same replication at the same values of all axes that neither side chooses by.
func (t *test) share(s *study.Statistic, of, to side) valueOfLeft {
	t.pairs = true
	cells := pairingCells(s, of.run)
	a, b := t.sample(of, s.Metric, "", cells), t.sample(to, s.Metric, "", cells)
	a.seek()
	b.seek()
	a.remarks = append(a.remarks, lackingPartners(a, b, cells)...)
	before := func(x, y float64) bool {
		d := stats.Change(y, x)
		if s.OrEqual && math.Abs(d) <= s.EqualWithin*max(math.Abs(x), math.Abs(y)) {
			return true
		}
		if s.Is == "lower" {
			return d < 0
		}
		return d > 0
	}
	next := 0 // of the other side's observations: both are in the order of their cells
	sums := &classSums{sample: a, unweighted: true, value: func(o *observation) (won float64, counts bool) {
		for next < len(b.obs) && b.obs[next].cell < o.cell {
			next++
		}
		won = 1
		for k := next; k < len(b.obs) && b.obs[k].cell == o.cell; k++ {
			counts = true
			if !before(o.y, b.obs[k].y) {
				won = 0
			}
		}
		return won, counts
	}}
	return func(l left) (float64, string) {
		won, n := sums.without(l)
		if n == 0 {
			return nan, "no instance has a partner: the sides differ in more axes than the ones in their conditions"
		}
		return won / n, ""
	}
}

// pairingCells numbers the rows of a run so that partners have the same number.
func pairingCells(s *study.Statistic, run *prepared) []int32 {
	if run.Frame == nil {
		return nil
	}
	var chosen []string
	for _, sel := range []*study.Selection{s.Of, s.To} {
		chosen = append(chosen, text.Each(sel.Terms, func(t study.Term) string { return t.Path })...)
	}
	by := []string{run.Design.Replication}
	for _, a := range run.Design.Axes {
		if !slices.Contains(chosen, a) && run.Frame.Head(a) != nil {
			by = append(by, a)
		}
	}
	return frame.GroupBy(run.Frame, by, nil).Of
}
