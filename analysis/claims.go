package analysis

import (
	"fmt"

	"schedsweep/analysis/stats"
	"schedsweep/sweep/study"
)

// Verdict is what the rows say of a claim.
type Verdict string

// The closed list of verdicts.
const (
	Holds       Verdict = "holds"
	DoesNotHold Verdict = "does not hold"
	CannotTell  Verdict = "cannot tell"
	Reported    Verdict = "reported" // the claim expects nothing
)

// Run is the rows of one run, for claims.
type Run struct {
	Name  string // of its manifest
	Frame *Frame // nil when there are no rows
	// Design needs Axes, Replication, Outcome and Confidence; PlannedPerPoint is the number of replications.
	Design Design
	// Planned has a row for each point of the sweep, with the axes as columns and, where points have unequal numbers of
	// replications, PlannedColumn; nil when unknown.
	Planned *Frame
	// Instances is how many instances the whole run should have; 0 when unknown. It is used where Planned is nil.
	Instances int
	// Remarks are warnings about the run as a whole, such as rows that are not its own.
	Remarks []string
	// Remedy says how the rows that are missing are made, such as a command.
	Remedy string
}

// ClaimResult is a claim with what the rows say of it.
type ClaimResult struct {
	Claim   study.Claim
	Verdict Verdict
	// Parts are the tests that the claim is made of: one for each combination of its across axes and each link of an order.
	Parts []ClaimPart
	// Shown is the part that stands for the claim in a table: the weakest, or the strongest where any part will do.
	Shown  int
	Counts // of all instances selected
}

// ClaimPart is one test of a claim.
type ClaimPart struct {
	Label string // what tells it from the others; "" where it is the only one
	Unit  string
	// Interval is the statistic at the design's confidence.
	stats.Interval
	Rule         stats.Rule // of the interval
	Replications int        // that the statistic rests on; of several runs the fewest
	Expect       study.Region
	Verdict      Verdict
	// Reason says why one cannot tell; Remarks are warnings about what was left out.
	Reason  string
	Remarks []string
	Counts

	margin float64 // distance of the estimate from the region's border in half-widths, negative outside
}

// EvaluateClaims tests claims on the rows of their own run and of the other runs that they name.
//
// A part holds where the interval of its statistic lies inside the region that it expects, does not hold where it lies
// wholly outside, and cannot be told otherwise: an interval across the border, fewer than three replications, missing
// rows, a statistic that does not exist, instances without a finite metric (which only crossings leave out, and other
// statistics where the claim says incomplete: drop), replications that are all the same. Intervals rest on replications,
// one rule for each statistic ([stats.Rule]): all rows of a replication leave together, so that comparisons are paired on
// common random numbers. Where points have unequal numbers of replications, all are used and each point weighs the same;
// a share, and a claim that says paired, uses those that all of its points have. Replications of different runs are taken
// as independent; where they share workloads the interval is wider than it need be, unless the claim says paired: then
// replications of equal number leave together, which is right whether or not they have anything in common.
//
// A claim of several parts holds where each holds, and does not where one does not. As many tests go wrong more often than
// one, a part must then fail at the level 1-(1-confidence)/parts (Bonferroni), while all that hold hold at the plain one
// (R. L. Berger 1982, Technometrics 24, 295-300). Where any part will do it is the other way round.
func EvaluateClaims(claims []study.Claim, own *Run, others map[string]*Run) []ClaimResult {
	e := evaluation{runs: map[string]*claimRun{"": prepare(own)}}
	for name, r := range others {
		if r != nil {
			e.runs[name] = prepare(r)
		}
	}
	e.confidence = own.Design.filled().Confidence
	out := make([]ClaimResult, len(claims))
	for i := range claims {
		out[i] = e.claim(&claims[i])
	}
	return out
}

// evaluation is what the claims of one manifest share.
type evaluation struct {
	runs       map[string]*claimRun // "" is the claims' own
	confidence float64
}

// claimRun is a run with its rows sorted out.
type claimRun struct {
	*Run
	ok          []bool
	replication levels
	shares      *sharers
	class       []int32 // of each row: the replications of its point; nil where all have as many
}

func prepare(r *Run) *claimRun {
	c := &claimRun{Run: r}
	c.Design = r.Design.filled()
	if r.Frame != nil || r.Planned != nil {
		own := *r
		own.Frame, own.Planned = r.Frame.labelled(r.Design.Labels), r.Planned.labelled(r.Design.Labels)
		c.Run = &own
	}
	if r.Frame == nil {
		return c
	}
	if col := r.Frame.Column(c.Design.Outcome); col != nil && col.IsText() {
		c.ok = c.Design.ok(r.Frame)
	}
	c.shares = newSharers(r.Frame, &c.Design)
	if col := r.Frame.Column(c.Design.Replication); col != nil {
		c.replication = levelsOf(col, nil)
		if c.unequal() {
			c.classify()
		}
	}
	return c
}

func (e *evaluation) claim(c *study.Claim) ClaimResult {
	r := ClaimResult{Claim: *c}
	tests, reason := e.tests(c)
	if reason != "" {
		r.Parts = []ClaimPart{{Expect: c.Expect, Interval: noInterval(nan), Reason: reason, Counts: Counts{Planned: -1}}}
		r.Counts = r.Parts[0].Counts
	}
	var all union
	for _, t := range tests {
		t.paired, t.drop = c.Paired, c.Incomplete == dropIncomplete
		r.Parts = append(r.Parts, e.part(t, c.For == "any", len(tests)))
		for _, s := range t.samples {
			all.add(s)
		}
	}
	if len(tests) > 0 {
		r.Counts = all.counts()
	}
	r.judge()
	return r
}

// fewestReplications is what a verdict needs at least.
const fewestReplications = 3

// part computes a test's statistic and compares it with its region.
func (e *evaluation) part(t *test, any bool, tests int) ClaimPart {
	p := ClaimPart{Rule: t.statistic.rule, Label: t.label, Unit: t.unit, Expect: t.expect}
	est := t.estimate()
	p.Interval, p.Replications, p.Reason, p.Remarks = est.interval(e.confidence), est.replications, est.reason, est.remarks
	if p.Reason == "" && p.Replications < fewestReplications {
		p.Reason = fmt.Sprintf("%d complete replications are too few: a claim needs %d", p.Replications, fewestReplications)
	}
	p.Counts = t.counts()
	p.Remarks = append(append(p.Remarks, t.sharing()...), failures(p.Counts)...)
	level := 1 - (1-e.confidence)/float64(max(tests, 1))
	p.decide(e.confidence, level, est.interval(level), any, est.where)
	return p
}

func failures(c Counts) []string {
	if c.Failed == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d of %d instances failed", c.Failed, c.OK+c.Failed)}
}
