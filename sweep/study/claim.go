package study

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// Claim is a statement that rows test: one that a study published, or one of our own. Its
// evaluation is package analysis' matter.
type Claim struct {
	ID string `sweep:"id" required:"true" doc:"names the claim"`
	// Kind is the origin of the claim. Unless the manifest says so, a claim with a source or a published value is
	// published, and any other is a question.
	Kind      string   `sweep:"kind" enum:"published: a source states it|question: our own, stated before the run|regression: bounds drawn around a result, to detect change|arithmetic: published, and impossible by the source's own numbers" doc:"origin of the claim; default: published if there is a source, a published value or a value expected, else question"`
	Source    string   `sweep:"source" doc:"place of the publication, such as Fig. 3"`
	Statement string   `sweep:"statement" doc:"the published result, in words"`
	Note      string   `sweep:"note" doc:"remark shown below the table"`
	Across    []string `sweep:"across" doc:"axes: the claim is tested at every combination of their values"`
	For       string   `sweep:"for" enum:"each: all of them|any: at least one" doc:"combinations of across at which the claim must hold"`
	// Incomplete is the treatment of replications with an instance that failed or has no finite metric: refuse gives
	// no verdict, as the other replications may differ from them; drop goes on without them.
	Incomplete string `sweep:"incomplete" enum:"refuse: the claim is not decided|drop: the claim is about the others" doc:"replications that lost an instance"`
	Paired     bool   `sweep:"paired" doc:"pair replications of equal number across runs, if all points have them; they share their workloads where seed and workload agree"`
	Exact      bool   `sweep:"exact" doc:"the claim is about the only replication, such as a log: its value is compared as it is, without an interval"`
	// Published is the published value as text; "" when there is none.
	Published string `sweep:"-"`
	// Statistic is the computed value, Expect the region in which it should lie.
	Statistic Statistic `sweep:"-"`
	Expect    Region    `sweep:"-"`
}

// ClaimDefaults are the values of fields that a claim leaves out.
var ClaimDefaults = Claim{For: "each", Incomplete: "refuse"}

// Runs returns the names of the other runs whose rows the claim needs.
func (c *Claim) Runs() []string {
	var out []string
	c.Statistic.Walk(func(s *Statistic) {
		for _, sel := range []*Selection{s.Of, s.To} {
			if sel != nil && sel.Run != "" {
				out = text.Once(out, sel.Run)
			}
		}
	})
	return out
}

func (l *reader) claims(n *text.Node) []Claim {
	var out []Claim
	l.withIDs(n, "claims", "claim", "{id: name, ...}", func(item *text.Node) { out = append(out, l.claim(item)) })
	return out
}

// PublishedKey takes a number or a text, and is beside a claim's fields, its
// bounds and its statistic.
const (
	PublishedKey = "published"
	PublishedDoc = "the published value, shown in the table; only for claims that a source states"
)

func (l *reader) claim(n *text.Node) Claim {
	c := ClaimDefaults
	bounds := params.MustReflect(reflect.TypeFor[Bounds]())
	l.Decoder.Map(n, &c, "claims", "a claim", slices.Concat(bounds.Names(), []string{PublishedKey}, Names(StatisticKinds))...)
	for _, item := range n.Get("across").All() {
		l.axisName(item)
	}
	if p := n.Get(PublishedKey); p != nil {
		if p.Shape != text.Scalar || p.IsNull() {
			l.Out.Add(p.Pos, "", "claims.published is %s; want a number or text", p.What())
		} else {
			c.Published = p.Text
		}
	}
	kind, at := l.statisticOf(n, StatisticKinds)
	if kind == nil {
		return c
	}
	c.Statistic = l.statistic(kind, at, "claims."+kind.Name, 0)
	unit, known := l.unitOf(&c.Statistic)
	if !known {
		return c // the metric is a mistake, which says enough
	}
	fields := bounds.InUnit(unit, BoundsInUnit...)
	if c.Statistic.Kind == "mean" && l.Catalog.Shares[c.Statistic.Metric] {
		fields = bounds.InUnit("share", BoundsInUnit...).InUnit("", "tolerance")
	}
	c.Expect = l.region(n, fields)
	switch {
	case kind.ordinal && c.Expect.Given:
		l.Out.Add(at.Pos, "leave the bounds out", "%s states the expected result itself", kind.Name)
	case kind.whole > 0 && !c.Exact && (c.Expect.Low >= kind.whole || c.Expect.High <= 0):
		// The interval of n successes in n trials ends below the whole, so that no number of replications shows all.
		remedy := fmt.Sprintf("say how many exceptions still count, for example at_least: %v or at_most: %v", .95*kind.whole, .05*kind.whole)
		l.Out.Add(at.Pos, remedy, "%s is expected to be %s, and no interval lies there: n replications without an exception leave up to 3.7 / n "+
			"of them possible", kind.Name, c.Expect)
	case c.Published == "" && c.Expect.Value != nil && c.Kind != KindQuestion && c.Kind != KindRegression:
		c.Published = params.FormatFloat(*c.Expect.Value)
	}
	l.kindOfClaim(n, &c)
	if c.For == "any" && len(c.Across) == 0 {
		l.Out.Add(n.Entry("for").Pos, "add across: [AXIS, ...], or leave for: out", "the claim has one part, so that any and each are the same")
	}
	return c
}

// The kinds of claims.
const (
	KindPublished  = "published"
	KindQuestion   = "question"
	KindRegression = "regression"
	KindArithmetic = "arithmetic"
)

// FromSource reports whether a source states the claim.
func (c *Claim) FromSource() bool { return c.Kind == KindPublished || c.Kind == KindArithmetic }

// kindOfClaim fills in the kind and checks it against the rest of the claim.
func (l *reader) kindOfClaim(n *text.Node, c *Claim) {
	sourced := c.Source != "" || c.Published != ""
	switch {
	case c.Kind == "" && sourced:
		c.Kind = KindPublished
	case c.Kind == "":
		c.Kind = KindQuestion
	case c.FromSource() && !sourced:
		l.Out.Add(n.Get("kind").Pos, "add source: with the place, such as Fig. 3", "the claim does not name the place of its publication")
	case !c.FromSource() && c.Published != "":
		l.Out.Add(n.Get(PublishedKey).Pos, "leave it out, or say kind: published", "a claim of kind %s has no published value", c.Kind)
	case c.Kind == KindArithmetic && !c.Expect.Given:
		l.Out.Add(n.Get("kind").Pos, "give the published bounds", "nothing is expected, so that nothing is impossible")
	case c.Kind == KindArithmetic && c.Note == "":
		l.Out.Add(n.Get("kind").Pos, "add note: with the numbers that exclude it", "the claim gives no reason why it is impossible")
	}
}

// statisticOf finds the one key of a map that names a statistic of the kinds
// allowed.
func (l *reader) statisticOf(n *text.Node, allowed []Kind) (*Kind, *text.Node) {
	var kind *Kind
	var at *text.Node
	for _, e := range n.Entries {
		i := slices.IndexFunc(allowed, func(k Kind) bool { return k.Name == e.Key })
		switch {
		case i < 0:
		case kind != nil:
			l.Out.Add(e.Pos, "make it a claim of its own, or combine them: "+`difference: [{...}, {...}]`,
				"two statistics, %s and %s, stand side by side", kind.Name, e.Key)
		default:
			kind, at = &allowed[i], e.Value
		}
	}
	if kind == nil {
		l.Out.Add(n.Pos, "add one of "+strings.Join(Names(allowed), ", "), "nothing is computed here")
	}
	return kind, at
}
