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
)

// read reads the rows of the test.
func (t *test) read(e *evaluation) { t.statistic, t.unit = t.make(e, &t.of, t.at) }

// make makes a statistic at one combination of the across axes and tells its unit.
func (t *test) make(e *evaluation, s *study.Statistic, combo []frame.Term) (statistic, string) {
	if s.Parts != nil {
		a, unit := t.make(e, &s.Parts[0], combo)
		b, _ := t.make(e, &s.Parts[1], combo)
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

func (s *sample) uses(o *observation, l left) bool {
	return s.usesOf(o.replication, s.run.classOf(o.row), l)
}

func (s *sample) usesOf(replication, class int32, l left) bool {
	if l.all {
		return s.run.replication.Values[replication].Number != l.number
	}
	return l.run != s.run || replication != l.replication || l.class != 0 && l.class != class
}

// meanOf is the mean over all observations; without a replication it follows from sums by class and replication, in time
// linear in the replications.
func meanOf(s *sample) valueOfLeft {
	var sums map[int32][]classSum
	total := func() (float64, string) {
		var values, weights []float64
		sums = map[int32][]classSum{}
		for i := range s.obs {
			o := &s.obs[i]
			values, weights = append(values, o.y), s.weigh(weights, o, left{})
			class := s.run.classOf(o.row)
			if sums[class] == nil {
				sums[class] = make([]classSum, len(s.run.replication.Values))
			}
			sums[class][o.replication].n++
			sums[class][o.replication].sum += o.y
		}
		if len(values) == 0 {
			return nan, "no observation is left"
		}
		return meanBy(values, weights), ""
	}
	return func(l left) (float64, string) {
		if l == (left{}) {
			return total()
		}
		if sums == nil {
			total()
		}
		var sum, n float64
		for _, class := range slices.Sorted(maps.Keys(sums)) {
			w := s.weightOf(class, l)
			for r, of := range sums[class] {
				if of.n > 0 && s.usesOf(int32(r), class, l) {
					sum += w * of.sum
					n += w * of.n
				}
			}
		}
		if n == 0 {
			return nan, "no observation is left"
		}
		return sum / n, ""
	}
}

type classSum struct{ n, sum float64 }

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
		for r := range of.byReplication {
			if !s.usesOf(int32(r), class, l) {
				rest.Plus(of.byReplication[r], -1)
			}
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
			return nan, fmt.Sprintf("there is no parabola through %d points with fewer than 3 different abscissas", line.N)
		}
		return nan, fmt.Sprintf("there is no line through %d points with fewer than 2 different abscissas or, for a spread, fewer than 3 points",
			line.N)
	}
}

// percentileOf is the percent of observations below a value, those equal to it by half.
func percentileOf(s *sample, at float64) valueOfLeft {
	return func(l left) (float64, string) {
		below, n := 0.0, 0.0
		for i := range s.obs {
			o := &s.obs[i]
			if !s.uses(o, l) {
				continue
			}
			w := s.weight(o, l)
			n += w
			switch {
			case o.y < at:
				below += w
			case o.y == at:
				below += w / 2
			}
		}
		if n == 0 {
			return nan, "no observation is left"
		}
		return 100 * below / n, ""
	}
}

func joined(as string, a, b statistic) statistic {
	out := statistic{rule: stats.MayBeNegative}
	switch {
	case as == "difference":
	case a.positive() && b.positive():
		out = statistic{rule: stats.Logarithm, percent: as == "improvement", of: &a, to: &b}
	default:
		out = statistic{rule: stats.Quotient, percent: as == "improvement", of: &a, to: &b}
	}
	out.value = func(l left) (float64, string) {
		x, reason := a.value(l)
		if reason != "" {
			return nan, reason
		}
		y, reason := b.value(l)
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

// share is the share of the observations of one side that are lower (or higher) than all their partners of the other:
// those of the same replication at the same values of all axes that neither side chooses by.
func (t *test) share(s *study.Statistic, of, to side) valueOfLeft {
	t.pairs = true
	cells := pairingCells(s, of.run)
	a, b := t.sample(of, s.Metric, "", cells), t.sample(to, s.Metric, "", cells)
	a.seek()
	b.seek()
	before := func(x, y float64) bool {
		if s.OrEqual && math.Abs(x-y) <= s.EqualWithin*max(math.Abs(x), math.Abs(y)) {
			return true
		}
		if s.Is == "lower" {
			return x < y
		}
		return x > y
	}
	return func(l left) (float64, string) {
		won, n := 0, 0
		others := b.obs
		for i := range a.obs {
			o := &a.obs[i]
			for len(others) > 0 && others[0].cell < o.cell {
				others = others[1:]
			}
			if !a.uses(o, l) {
				continue
			}
			wins, partners := true, 0
			for k := 0; k < len(others) && others[k].cell == o.cell; k++ {
				partners++
				wins = wins && before(o.y, others[k].y)
			}
			if partners == 0 {
				continue
			}
			n++
			if wins {
				won++
			}
		}
		if n == 0 {
			return nan, "no instance has a partner: the sides differ in more axes than the ones in their conditions"
		}
		return float64(won) / float64(n), ""
	}
}

// pairingCells numbers the rows of a run so that partners have the same number.
func pairingCells(s *study.Statistic, run *prepared) []int32 {
	if run.Frame == nil || run.replication.Codes == nil {
		return nil
	}
	var chosen []string
	for _, sel := range []*study.Selection{s.Of, s.To} {
		for _, t := range sel.Terms {
			chosen = append(chosen, t.Path)
		}
	}
	by := []string{run.Design.Replication}
	for _, a := range run.Design.Axes {
		if !slices.Contains(chosen, a) && run.Frame.Head(a) != nil {
			by = append(by, a)
		}
	}
	return frame.GroupBy(run.Frame, by, nil).Of
}
