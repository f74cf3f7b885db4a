package compare

import (
	"fmt"
	"math"
	"slices"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
)

// Verdict is what a comparison tells.
type Verdict string

// The verdicts. Same stands where the mean is within the margin of the baseline's, though it may be told from it, and where
// not one pair differs; Better
// and Worse, or of a metric of which neither is better Higher and Lower, where it differs otherwise.
const (
	Better     Verdict = "better"
	Worse      Verdict = "worse"
	Higher     Verdict = "higher"
	Lower      Verdict = "lower"
	Same       Verdict = "same"
	CannotTell Verdict = "cannot tell"
	NoData     Verdict = "no data"
)

// Judged is what the p-values of a comparison come to among those of its family: the comparisons of one metric in a table.
type Judged struct {
	P, PHolm         float64 // that the means differ, by [stats.Paired.Tested]; NaN where nothing can be told
	PSame, PSameHolm float64 // that they are within the margin; NaN without a margin
	Equal            bool    // all pairs are equal, bit for bit
	Verdict          Verdict
	Needed           int // of CannotTell: about how many replications would do; 0 where none of use would
}

// mostNeeded is how many replications may be named as needed.
const mostNeeded = 1_000_000

// test compares the pairs.
func (c *Comparison) test(pairs []stats.Pair, d *frame.Design) {
	c.Paired = stats.ComparePaired(pairs, d.Confidence)
	c.Judged = Judged{P: math.NaN(), PSame: math.NaN()}
	c.Equal = c.N > 0 && !slices.ContainsFunc(pairs, func(p stats.Pair) bool {
		return stats.Finite(p.Base) && stats.Finite(p.Other) && p.Base != p.Other
	})
	if c.N < 2 {
		return
	}
	c.P = c.Tested.PNot(0)
	if margin := d.Margins[c.Metric]; margin.Given() {
		c.Equivalence = stats.EquivalenceOf(pairs, margin, &c.Paired)
		c.PSame = c.Equivalence.P()
	}
}

// Families are the p-values of each metric: those of all its comparisons, then what they make.
type Families struct {
	design       *frame.Design
	ps, sames    map[string][]float64
	differ, same map[string]stats.Family
}

func newFamilies(d *frame.Design) Families {
	return Families{d, map[string][]float64{}, map[string][]float64{}, map[string]stats.Family{}, map[string]stats.Family{}}
}

// add takes a comparison in.
func (f *Families) add(c *Comparison) {
	f.ps[c.Metric], f.sames[c.Metric] = append(f.ps[c.Metric], c.P), append(f.sames[c.Metric], c.PSame)
}

// complete ends the taking in.
func (f *Families) complete() {
	for m := range f.ps {
		f.differ[m], f.same[m] = stats.NewFamily(f.ps[m]), stats.NewFamily(f.sames[m])
	}
	clear(f.ps)
	clear(f.sames)
}

// Judge gives the comparison its verdict, once all have been taken in.
func (f *Families) Judge(c *Comparison) {
	alpha := 1 - f.design.Confidence
	differ, same := f.differ[c.Metric], f.same[c.Metric]
	c.PHolm, c.PSameHolm, c.Needed = differ.Adjusted(c.P), same.Adjusted(c.PSame), 0
	switch up := c.Difference.Estimate > 0; {
	case c.N == 0:
		c.Verdict = NoData
	case c.Equal || c.PSameHolm < alpha:
		c.Verdict = Same
	case !(c.PHolm < alpha):
		c.Verdict = CannotTell
		if n := c.Equivalence.Needed(c.Tested, c.N, 1-differ.Level(alpha)); c.P >= 0 && n <= mostNeeded {
			c.Needed = n
		}
	case f.design.Better[c.Metric] == "" && up:
		c.Verdict = Higher
	case f.design.Better[c.Metric] == "":
		c.Verdict = Lower
	case up == (f.design.Better[c.Metric] == "higher"):
		c.Verdict = Better
	default:
		c.Verdict = Worse
	}
}

// EachJudged calls fn with all comparisons of a contrast, judged as a table: after all have been seen, so that
// those that are too many to keep are made twice.
func EachJudged(f *frame.Frame, d frame.Design, c Contrast, fn func(Comparison)) (Families, error) {
	all := newFamilies(&d)
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

// Beyond tells that the difference is larger than the margin.
func (c *Comparison) Beyond(m stats.Margin) bool {
	return math.Abs(c.Difference.Estimate) > m.Value+m.Share*math.Abs(c.BaseMean)
}

// String is the comparison in a line.
func (c *Comparison) String() string {
	where := ""
	if len(c.By) > 0 {
		where = " at " + frame.List(frame.Assignments(c.By, c.Point))
	}
	return fmt.Sprintf("%s%s: %s, %.6g against %.6g %s (difference %.4g, %.4g to %.4g)", c.Metric, where, c.Verdict, c.OtherMean, c.BaseMean,
		c.Unit, c.Difference.Estimate, c.Difference.Low, c.Difference.High)
}

// MostKept is how many results of a kind are held in memory.
const MostKept = 20_000

// Keep appends the n-th of some results, and drops all where they are more than MostKept.
func Keep[T any](list []T, one T, n int) []T {
	if n > MostKept {
		return nil
	}
	return append(list, one)
}
