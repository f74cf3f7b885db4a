package compare

import (
	"fmt"
	"math"
	"slices"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/text"
)

// Verdict is the verdict of a comparison.
type Verdict string

// The verdicts. Equivalent means that the mean is shown to be within the stated margin of the baseline's, though it may
// differ significantly. Identical says that not one pair differs: it is about these pairs, and no test.
// Better and Worse mean that the mean differs otherwise; for a metric without a better direction these are Higher and Lower.
const (
	Better     Verdict = "better"
	Worse      Verdict = "worse"
	Higher     Verdict = "higher"
	Lower      Verdict = "lower"
	Equivalent Verdict = "equivalent"
	Identical  Verdict = "identical"
	CannotTell Verdict = "cannot tell" // inconclusive, for people
	NoData     Verdict = "no data"
)

// String is the verdict as people read it. Files for programs have the value itself, which does not change.
func (v Verdict) String() string {
	if v == CannotTell {
		return "inconclusive"
	}
	return string(v)
}

// Judged holds the p-values of a comparison, adjusted for its family: the comparisons of one metric in a table, or all of
// a gate.
type Judged struct {
	P, PHolm         float64 // that the means differ, by [stats.Paired.Tested]; NaN where there is no verdict
	PSame, PSameHolm float64 // that they are within the margin; NaN without a margin
	PWorse           float64 // that it is worse by more than the margin, or at all without one: one-sided; NaN where nothing is better
	PWorseHolm       float64 // of a gate, among all its comparisons; else NaN
	PNotWorse        float64 // that it is not; NaN without a margin
	Equal            bool    // all pairs are equal, but for rounding
	Regressed        bool    // it is shown to be worse among all of its family, by more than the margin where there is one
	// NotWorse reports that it is shown not to be worse by more than the margin, is shown to be better, or has no pair that differs. A
	// metric without a better direction must be shown to be equivalent. Of a comparison with a lost pair nothing is shown.
	NotWorse bool
	Verdict  Verdict
	// Needed is, of CannotTell where there is a margin, about how many replications would decide, see
	// [stats.Equivalence.Needed]; 0 where none of use would, or the log has no more.
	Needed int
}

// mostNeeded is the largest number of replications that may be named as needed.
const mostNeeded = 1_000_000

// test compares the pairs. Pairs that differ by rounding only are equal: jobs that end in another order are added up in another order.
func (c *Comparison) test(pairs []stats.Pair, d *frame.Design) {
	pairs = slices.Clone(pairs)
	for i, p := range pairs {
		if stats.Finite(p.Base) && stats.Finite(p.Other) && stats.Change(p.Base, p.Other) == 0 {
			pairs[i].Other = p.Base
		}
	}
	c.Paired = stats.ComparePaired(pairs, d.Confidence)
	c.Equal = c.N > 0 && !slices.ContainsFunc(pairs, func(p stats.Pair) bool {
		return stats.Finite(p.Base) && stats.Finite(p.Other) && p.Base != p.Other
	})
	c.weigh(d, func(m stats.Margin) stats.Equivalence { return stats.EquivalenceOf(pairs, m, &c.Paired) })
}

// testIndependent compares two sets of replications that are no pairs. Values that differ from the first by rounding only are equal to it:
// two runs whose replications all have one value would differ without any error.
func (c *Comparison) testIndependent(base, other []float64, d *frame.Design) {
	if k := slices.IndexFunc(base, stats.Finite); k >= 0 {
		as := func(v float64) float64 {
			if stats.Finite(v) && stats.Change(base[k], v) == 0 {
				return base[k]
			}
			return v
		}
		base, other = text.Each(base, as), text.Each(other, as)
	}
	c.Paired = stats.CompareIndependent(base, other, d.Confidence)
	c.weigh(d, func(m stats.Margin) stats.Equivalence {
		return stats.EquivalenceOfIndependent(base, other, m, &c.Paired)
	})
}

func (c *Comparison) weigh(d *frame.Design, within func(stats.Margin) stats.Equivalence) {
	nan := math.NaN()
	c.P, c.PSame, c.PWorse, c.PNotWorse = nan, nan, nan, nan
	if c.N < 2 {
		return
	}
	c.P = c.Tested.PNot(0)
	low, high := c.Tested, c.Tested
	margin := d.Margins[c.Metric]
	if margin.Given() {
		c.Equivalence = within(margin)
		c.PSame, low, high = c.Equivalence.P(), c.Equivalence.Low, c.Equivalence.High
	}
	switch d.Better[c.Metric] {
	case "lower":
		c.PWorse, c.PNotWorse = high.PAbove(0)/2, high.PBelow(0)/2 // one-sided, half of what inverts both ends of an interval
	case "higher":
		c.PWorse, c.PNotWorse = low.PBelow(0)/2, low.PAbove(0)/2
	}
	if !margin.Given() {
		c.PNotWorse = nan
	}
}

// Families are the p-values of each metric, or of all metrics of a gate.
type Families struct {
	design     *frame.Design
	gate, drop bool
	all        map[string]*families
	before     map[string]decision // of earlier looks
	look       int                 // 0 where there is one
	looks      []int               // all of them
}

// families are the p-values of all comparisons of a metric, then what they make.
type families struct {
	ps, sames, worses  []float64
	differ, same, bads stats.Family
}

// decision is the verdict of a look.
type decision struct {
	verdict Verdict
	look    int
}

func newFamilies(d *frame.Design, c *Contrast) Families {
	return Families{design: d, gate: c.Gate, drop: c.DropLost, all: map[string]*families{}}
}

func (f *Families) of(c *Comparison) *families {
	metric := c.Metric
	if f.gate {
		metric = ""
	}
	return text.At(f.all, metric)
}

// add takes a comparison in.
func (f *Families) add(c *Comparison) {
	m := f.of(c)
	m.ps, m.sames, m.worses = append(m.ps, c.P), append(m.sames, c.PSame), append(m.worses, c.PWorse)
}

// complete ends the taking in.
func (f *Families) complete() {
	for _, m := range f.all {
		*m = families{differ: stats.NewFamily(m.ps), same: stats.NewFamily(m.sames), bads: stats.NewFamily(m.worses)}
	}
}

// Judge gives the comparison its verdict, once all have been taken in.
func (f *Families) Judge(c *Comparison) {
	alpha, m := 1-f.design.Confidence, f.of(c)
	c.PHolm, c.PSameHolm, c.PWorseHolm, c.Needed = m.differ.Adjusted(c.P), m.same.Adjusted(c.PSame), math.NaN(), 0
	if f.gate {
		c.PWorseHolm = m.bads.Adjusted(c.PWorse)
	}
	switch up := c.Difference.Estimate > 0; {
	case c.N == 0:
		c.Verdict = NoData
	case c.Lost > 0 && !f.drop:
		c.Verdict = CannotTell
	case c.Equal:
		c.Verdict = Identical
	case c.PWorseHolm < alpha:
		c.Verdict = Worse
	case c.PSameHolm < alpha:
		c.Verdict = Equivalent
	case !(c.PHolm < alpha):
		c.Verdict = CannotTell
		c.need(1 - m.differ.Level(alpha))
	case f.design.Better[c.Metric] == "" && up:
		c.Verdict = Higher
	case f.design.Better[c.Metric] == "":
		c.Verdict = Lower
	case up == (f.design.Better[c.Metric] == "higher"):
		c.Verdict = Better
	default:
		c.Verdict = Worse
	}
	if f.look > 0 {
		f.remember(c)
		c.Looks = f.looks
		c.Warnings = append(slices.Clip(c.Warnings), c.looked())
	}
	beyond := m.bads.Adjusted(c.PWorse) < alpha
	if c.Regressed = beyond; !f.gate {
		c.Regressed = c.Verdict == Worse && (beyond || !f.design.Margins[c.Metric].Given())
	}
	c.NotWorse = (c.Lost == 0 || f.drop) && (c.Equal || c.Verdict == Better || c.Verdict == Equivalent || c.PNotWorse < alpha)
}

// Design is that of the comparisons: of looks, at the level of each.
func (f *Families) Design() frame.Design { return *f.design }

// need sets the number of replications that would decide.
func (c *Comparison) need(confidence float64) {
	n := c.Equivalence.Needed(c.N, confidence)
	switch {
	case !(c.P >= 0) || n <= c.N || n > mostNeeded:
	case c.Most > 0 && n > c.Most:
		c.Warnings = append(slices.Clip(c.Warnings), stats.Warnf(stats.TooFew, "the log has room for %d replications that share no jobs, and "+
			"more would be needed to decide", c.Most))
	default:
		c.Needed = n
	}
}

// EachJudged calls fn with all comparisons of a contrast, judged as a table: after all have been seen, so that
// comparisons too many to keep are made twice.
func EachJudged(f *frame.Frame, d frame.Design, c Contrast, fn func(Comparison)) (Families, error) {
	if len(d.Looks) > 0 {
		return eachLook(f, d, c, fn)
	}
	return eachJudged(f, newFamilies(&d, &c), c, fn)
}

func eachJudged(f *frame.Frame, all Families, c Contrast, fn func(Comparison)) (Families, error) {
	d := *all.design
	var list []Comparison
	n := 0
	err := Each(f, d, c, func(one Comparison) {
		all.add(&one)
		n++
		list = Keep(list, one, n)
	})
	if err != nil {
		return all, err
	}
	all.complete()
	judge := func(one Comparison) {
		all.Judge(&one)
		fn(one)
	}
	if n > MostKept {
		return all, Each(f, d, c, judge)
	}
	for _, one := range list {
		judge(one)
	}
	return all, nil
}

// Decided reports that more replications are of no use to the verdict: there is one, or pairs are lost.
func (c *Comparison) Decided() bool {
	return c.Lost > 0 || c.Verdict != CannotTell && c.Verdict != Identical
}

// String is the comparison in a line.
func (c *Comparison) String() string {
	where := ""
	if len(c.By) > 0 {
		where = " at " + frame.List(frame.Assignments(c.By, (&frame.Design{Units: c.Units}).Printed(c.By, c.Point)))
	}
	unit := ""
	if c.Unit != "" {
		unit = " " + c.Unit
	}
	return fmt.Sprintf("%s%s: %s, %.6g against %.6g%s (difference %.4g, %.4g to %.4g)", c.Metric, where, c.Verdict, c.OtherMean, c.BaseMean,
		unit, c.Difference.Estimate, c.Difference.Low, c.Difference.High)
}

// MostKept is the number of results of a kind that are held in memory.
const MostKept = 20_000

// Keep appends the n-th of some results, and drops all where they are more than MostKept.
func Keep[T any](list []T, one T, n int) []T {
	if n > MostKept {
		return nil
	}
	return append(list, one)
}
