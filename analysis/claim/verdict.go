package claim

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"schedsweep/analysis/stats"
	"schedsweep/analysis/table"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

var nan = math.NaN()

// onBorders moves numbers that differ from a border of the region by rounding only onto it: 100 (1 - 90/100) is 10, and .7 + .1 is .8.
func onBorders(r study.Region, i stats.Interval) stats.Interval {
	for _, v := range []*float64{&i.Estimate, &i.Low, &i.High} {
		for _, border := range []float64{r.Low, r.High} {
			if stats.Finite(border) && stats.Finite(*v) && stats.Change(border, *v) == 0 {
				*v = border
			}
		}
	}
	return i
}

func inside(r study.Region, i stats.Interval) bool {
	i = onBorders(r, i)
	low := i.Low > r.Low || i.Low == r.Low && !r.LowOpen || math.IsInf(r.Low, -1)
	high := i.High < r.High || i.High == r.High && !r.HighOpen || math.IsInf(r.High, 1)
	return low && high && !math.IsNaN(i.Estimate)
}

func outside(r study.Region, i stats.Interval) bool {
	i = onBorders(r, i)
	return i.High < r.Low || i.High == r.Low && r.LowOpen || i.Low > r.High || i.Low == r.High && r.HighOpen
}

// margin is the distance of the estimate from the nearest border of the region, negative outside the region. Its unit is
// the arm of the interval that must not reach across the border. It is infinite where the arm has no length or the
// region no border.
func margin(r study.Region, i stats.Interval) float64 {
	i = onBorders(r, i)
	in := func(d, inside, outside float64) float64 {
		switch {
		case d == 0 || math.IsInf(d, 1):
			return d
		case d > 0:
			return d / inside
		}
		return d / outside
	}
	below, above := i.Estimate-i.Low, i.High-i.Estimate
	return min(in(i.Estimate-r.Low, below, above), in(r.High-i.Estimate, above, below))
}

// together holds the number of tests that share the error of a verdict, and their name.
type together struct {
	n    int
	what string
}

// tests returns the tests that share the error of a part that holds, and those of a part that fails.
func (t *test) tests(any bool, all int) [2]together {
	switch {
	case !any:
		return [2]together{{1, ""}, {all, "parts"}}
	case t.links == 1:
		return [2]together{{t.combinations, "parts"}, {1, ""}}
	}
	return [2]together{{t.combinations, "combinations"}, {t.links, "parts of each combination"}}
}

// decide compares the interval, at a confidence level, with the region. A verdict that one of several tests alone decides must
// stand at the level of all of them together, and any verdict at the level of its look. where names the points or runs that have
// numbers of replications of their own, and is "" for a single number.
func (p *Part) decide(plain float64, tests [2]together, looks []int, interval func(confidence float64) stats.Interval, where string) {
	at := func(confidence float64) stats.Interval {
		if confidence == plain {
			return p.Interval
		}
		return interval(confidence)
	}
	level := 1 - plain
	var said []string
	for _, n := range looks {
		level /= float64(n)
		said = append(said, strconv.Itoa(n))
	}
	level = 1 - level
	var levels [2]float64
	for i, of := range tests {
		if levels[i] = level; of.n > 1 {
			levels[i] = 1 - (1-level)/float64(of.n)
		}
	}
	holding, failing := at(levels[0]), at(levels[1])
	p.margin = margin(p.Expect, p.Interval)
	switch {
	case p.Reason != "":
		p.Verdict, p.margin = CannotTell, nan
	case !p.Expect.Given:
		p.Verdict, p.margin = Reported, nan
	case inside(p.Expect, holding):
		p.Verdict = Holds
	case outside(p.Expect, failing):
		p.Verdict = DoesNotHold
	default:
		p.Verdict = CannotTell
		if p.margin > 0 {
			p.Reason = p.needed(where, holding, levels[0])
		} else {
			p.Reason = p.needed(where, failing, levels[1])
		}
	}
	by, confidence, of := holding, levels[0], tests[0]
	if p.Verdict == DoesNotHold || p.Verdict == CannotTell && !(p.margin > 0) {
		by, confidence, of = failing, levels[1], tests[1]
	}
	var why []string
	if of.n > 1 {
		why = append(why, fmt.Sprintf("%d %s", of.n, of.what))
	}
	if said != nil {
		why = append(why, strings.Join(said, " x ")+" looks")
	}
	if why != nil && !math.IsNaN(p.margin) {
		cells := table.IntervalCells(by, table.SlopeDecimals(by))
		p.Remarks = append(p.Remarks, fmt.Sprintf("decided by the interval of %.3g%%, because there are %s: [%s, %s]", 100*confidence,
			strings.Join(why, " and "), cells[1].Read(), cells[2].Read()))
	}
}

// manyReplications is the number from which on counting them is of no use.
const manyReplications = 1e5

// needed is a remark with the number of replications that would decide. It takes the value for the truth.
// The value may be far from it: the number is no plan.
func (p *Part) needed(where string, i stats.Interval, confidence float64) string {
	m := math.Abs(margin(p.Expect, i))
	n := stats.ReplicationsFor(p.Replications, m, confidence)
	switch {
	case p.most > 0 && max(n, p.Replications+1) > p.most:
		return fmt.Sprintf("the interval reaches across the border, and more replications would be needed to decide than the %d that share no "+
			"jobs of the log", p.most)
	case m == 0 && !i.Bounded():
		return "the replications do not bound the interval: more are needed before it can be said how many would decide"
	case n > manyReplications:
		return "the interval reaches across the border and the value lies almost on it: more replications will hardly decide"
	}
	more, have := fmt.Sprintf("%d replications", max(n, p.Replications+1)), fmt.Sprintf(" (there are %d)", p.Replications)
	if where != "" {
		more, have = fmt.Sprintf("%.1f times as many replications %s", math.Max(float64(n)/float64(p.Replications), 1.1), where), ""
	}
	return fmt.Sprintf("the interval reaches across the border: about %s would decide if the value stayed the same%s", more, have)
}

// judge makes one verdict of those of the parts and chooses the part to show: the weakest, or where any combination will do the
// weakest of the strongest combination.
func (r *Result) judge() {
	any := r.Claim.For == "any"
	var combinations [][]*Part
	for i := range r.Parts {
		p := &r.Parts[i]
		if n := len(combinations); n == 0 || any && p.combo != combinations[n-1][0].combo {
			combinations = append(combinations, nil)
		}
		last := &combinations[len(combinations)-1]
		*last = append(*last, p)
	}
	var shown []*Part
	var verdicts []Verdict
	for _, parts := range combinations {
		v := joint(text.Each(parts, func(p *Part) Verdict { return p.Verdict }), Holds, DoesNotHold)
		verdicts = append(verdicts, v)
		shown = append(shown, slices.MinFunc(parts, func(a, b *Part) int { return shownFirst(a, b, v, 1) }))
	}
	r.Verdict = verdicts[0]
	if any {
		r.Verdict = joint(verdicts, DoesNotHold, Holds)
	}
	p := slices.MinFunc(shown, func(a, b *Part) int { return shownFirst(a, b, r.Verdict, -1) })
	for i := range r.Parts {
		if &r.Parts[i] == p {
			r.Shown = i
		}
	}
}

// joint is the verdict of several: one of them decides, or all do.
func joint(verdicts []Verdict, all, one Verdict) Verdict {
	count := func(v Verdict) int { return text.Count(verdicts, func(of Verdict) bool { return of == v }) }
	switch n := len(verdicts); {
	case count(Reported) == n:
		return Reported
	case count(one) > 0:
		return one
	case count(all) == n:
		return all
	}
	return CannotTell
}

// shownFirst orders parts by how they represent a verdict: first by having it, then by their margins times a sign, unknown ones first.
func shownFirst(a, b *Part, v Verdict, sign float64) int {
	if has := a.Verdict == v; has != (b.Verdict == v) {
		if has {
			return -1
		}
		return 1
	}
	return cmp.Compare(sign*a.margin, sign*b.margin) // NaN comes first
}
