// Package claim tests published statements on the rows of runs: it takes a claim of a manifest apart into statistics of
// samples, estimates each over replications, and gives a verdict. Lines of trends are estimated here, too.
package claim

import (
	"fmt"
	"slices"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

// Verdict is the answer of the rows to a claim.
type Verdict string

// The closed list of verdicts.
const (
	Holds       Verdict = "holds"
	DoesNotHold Verdict = "does not hold"
	CannotTell  Verdict = "cannot tell" // inconclusive, for people
	Reported    Verdict = "reported"    // the claim expects nothing
)

// Verdicts are all of them, in the order in which people read them.
var Verdicts = []Verdict{Holds, DoesNotHold, CannotTell, Reported}

// String is the verdict as people read it. Files for programs have the value itself, which does not change.
func (v Verdict) String() string {
	if v == CannotTell {
		return "inconclusive"
	}
	return string(v)
}

func Tally(all []Result) map[Verdict]int {
	count := map[Verdict]int{}
	for i := range all {
		count[all[i].Verdict]++
	}
	return count
}

// Result is a claim with its verdict by the rows.
type Result struct {
	Claim   study.Claim
	Verdict Verdict
	// Parts are the tests that the claim is made of: one for each combination of its across axes and each link of an order.
	Parts        []Part
	Shown        int // the number of [Result.ShownPart]
	frame.Counts     // of all instances selected
}

// ShownPart represents the claim in a table: the weakest part, or the strongest where any part will do.
func (r *Result) ShownPart() *Part { return &r.Parts[r.Shown] }

// Part is one test of a claim.
type Part struct {
	Label string // its name among the others; "" where it is the only one
	Unit  string
	// Interval is the statistic at the design's confidence.
	stats.Interval
	Rule         stats.Rule // of the interval
	Replications int        // that the statistic rests on; of several runs the fewest
	Expect       study.Region
	Verdict      Verdict
	// Reason is the cause of an inconclusive verdict. Remarks are warnings about data that were left out.
	Reason  string
	Remarks []string
	frame.Counts

	at     []frame.Term // the values of the across axes
	combo  int          // the number of these values among the combinations
	most   int          // replications of a log that share no jobs; 0 where that is no bound
	margin float64      // distance of the estimate from the region's border in half-widths, negative outside
}

// Evaluate tests claims on the rows of their own run and of the other runs that they name.
//
// A part holds where the interval of its statistic lies inside the region that it expects, does not hold where it lies wholly
// outside, and is inconclusive otherwise. The reasons are an interval across the border, fewer than three replications, missing
// rows, and replications that are all the same. Further ones are a statistic that does not exist, and instances without a finite
// metric. Crossings leave such instances out, and so do other statistics where the claim says incomplete: drop. Intervals rest on
// replications, one rule for each statistic ([stats.Rule]): all rows of a replication leave together, so that comparisons are
// paired on common random numbers. A claim that says exact is about the single replication that there is, whose value is compared
// without an interval. Where points have unequal numbers of replications, all are used and each point weighs the same. A share, and
// a claim that says paired, uses the ones that all of its points have. Replications of different runs are taken as independent;
// where they share workloads the interval is wider than it need be, unless the claim says paired: then replications of equal number
// leave together, which is right whether or not they have anything in common.
//
// A claim of several parts holds where each holds, and does not hold where a part does not. Many tests go wrong more often than
// one. So a part must then fail at the level 1-(1-confidence)/parts (Bonferroni), while all that hold hold at the plain one (R. L.
// Berger 1982, Technometrics 24, 295-300). Where any combination will do, one holds where all of its parts do, and fails by any of
// them. Each part must then hold at the level of the combinations, and fail at that of the parts of its combination. Of several looks
// each has an equal share of the error, as those of comparisons.
func Evaluate(claims []study.Claim, own *frame.Run, others map[string]*frame.Run) []Result {
	e := evaluation{runs: map[string]*prepared{"": prepare(own)}}
	for name, r := range others {
		if r != nil {
			e.runs[name] = prepare(r)
		}
	}
	e.confidence = own.Design.Filled().Confidence
	return text.Refs(claims, e.claim)
}

type evaluation struct {
	runs       map[string]*prepared // "" is the claims' own
	confidence float64
}

// prepared is a run with its rows sorted out.
type prepared struct {
	*frame.Run
	ok          []bool
	replication frame.Levels
	shares      *frame.Sharers
	drifts      frame.Drifts
	log         *logItself
	class       []int32                  // of each row: the replications of its point; nil where all have as many
	found       *frame.Finder            // of Frame
	foundPoints *frame.Finder            // of Planned
	values      map[string][]frame.Value // of an axis on the points of a side, see [side.values]
}

func prepare(r *frame.Run) *prepared {
	own := *r
	own.Design = r.Design.Filled()
	if r.Frame != nil {
		own.Frame = r.Frame.WithoutShort(&own.Design)
	}
	own.Frame, own.Planned = own.Frame.Labelled(own.Design.Labels), own.Planned.Labelled(own.Design.Labels)
	c := &prepared{Run: &own}
	c.found, c.foundPoints, c.values = frame.NewFinder(c.Frame), frame.NewFinder(c.Planned), map[string][]frame.Value{}
	if r.Frame == nil {
		return c
	}
	if col := r.Frame.Held(c.Design.Outcome); col != nil && col.IsText() {
		c.ok = c.Design.Answered(r.Frame)
	}
	replications := frame.NewReplications(r.Frame, &c.Design)
	c.shares, c.drifts = frame.NewSharers(r.Frame, &c.Design, replications), frame.NewDrifts(r.Frame, &c.Design, replications)
	c.findLog()
	c.replication = frame.LevelsOf(r.Frame.Held(c.Design.Replication), nil)
	if r.Planned != nil {
		if planned := r.Planned.Column(frame.PlannedColumn); planned != nil && len(frame.LevelsOf(planned, nil).Values) > 1 {
			c.classify()
		}
	}
	return c
}

func (e *evaluation) claim(c *study.Claim) Result {
	r := Result{Claim: *c}
	tests, reason := e.tests(c)
	if reason != "" {
		r.Parts = []Part{{Expect: c.Expect, Interval: stats.NoInterval(nan), Reason: reason, Counts: countsOf(nil)}}
	}
	any, all := c.For == "any", counting{}
	for _, t := range tests {
		t.paired, t.drop, t.exact = c.Paired, c.Incomplete == dropIncomplete, c.Exact
		t.statistic, t.unit = t.make(e, &t.of, t.at)
		r.Parts = append(r.Parts, e.part(t, any, len(tests)))
		if all.add(t.samples); !any { // of a million rows only those of one test are in memory
			t.samples, t.statistic = nil, statistic{}
		}
	}
	r.Counts = all.counts()
	r.refuseSame(tests)
	r.judge()
	return r
}

// refuseSame refuses a claim that any part satisfies where all parts rest on the same values: their axes do not affect
// these rows, so that the parts are one test, and no choice among readings.
func (r *Result) refuseSame(tests []*test) {
	if r.Claim.For != "any" || len(tests) == 0 || tests[0].combinations < 2 || slices.ContainsFunc(tests, func(t *test) bool {
		return t.links != tests[0].links || !t.reads(tests[t.link])
	}) {
		return
	}
	for i := range r.Parts {
		p := &r.Parts[i]
		p.Verdict, p.margin = CannotTell, nan
		p.Reason = fmt.Sprintf("all %d parts rest on the same values, so that any of them is no choice: %s does not affect these rows; "+
			"leave for: any out, or choose axes that do", tests[0].combinations, frame.List(r.Claim.Across))
	}
}

// reads reports whether the test rests on the same values as the other.
func (t *test) reads(other *test) bool {
	return t.expect == other.expect && slices.EqualFunc(t.samples, other.samples, func(a, b *sample) bool {
		return a.reason == "" && b.reason == "" && slices.EqualFunc(a.obs, b.obs, func(x, y observation) bool {
			return x.cell == y.cell && x.replication == y.replication && x.x == y.x && x.y == y.y
		})
	})
}

const fewestReplications = 3

func (e *evaluation) part(t *test, any bool, tests int) Part {
	p := Part{Rule: t.statistic.rule, Label: t.label, Unit: t.unit, Expect: t.expect, at: t.at, combo: t.combination}
	est := t.estimate()
	p.Interval, p.Replications, p.Reason, p.Remarks = est.interval(e.confidence), est.replications, est.reason, est.remarks
	switch {
	case p.Reason != "":
	case t.exact && p.Replications > 1:
		p.Reason = fmt.Sprintf("exact is for a single replication without randomness; there are %d: leave it out", p.Replications)
	case !t.exact && p.Replications < fewestReplications:
		p.Reason = fmt.Sprintf("%d complete %s too few: a claim needs %d", p.Replications,
			text.Either(p.Replications, "replication is", "replications are"), fewestReplications)
	}
	p.Counts = countsOf(t.samples)
	p.Remarks = slices.Concat(p.Remarks, t.sharing(), t.farFromLog(p.Interval))
	if p.Failed > 0 {
		p.Remarks = append(p.Remarks, fmt.Sprintf("%d of %d instances failed", p.Failed, p.OK+p.Failed))
	}
	for _, s := range t.samples {
		if n := s.jobs().Most; s.reason == "" && n > 0 && (p.most == 0 || n < p.most) {
			p.most = n
		}
	}
	p.decide(e.confidence, t.tests(any, tests), t.looks(), est.interval, est.where)
	if t.exact {
		p.Low, p.High = nan, nan // there is no interval
	}
	return p
}
