package sweep

import (
	"reflect"
	"slices"
	"strings"
)

// Claim is an observation that a study published, and how rows test it. Its
// evaluation is package analysis' matter.
type Claim struct {
	// ID is unique in the manifest.
	ID string `sweep:"id" required:"true" doc:"names the claim"`
	// Source says where it was published, Statement what it says.
	Source    string `sweep:"source" doc:"where it was published, such as Fig. 3"`
	Statement string `sweep:"statement" doc:"what was published, in words"`
	// Note is a remark of the manifest's author, shown below the table.
	Note string `sweep:"note" doc:"remark shown below the table"`
	// Across are axes; the statistic is computed for every combination of their
	// values by itself.
	Across []string `sweep:"across" doc:"axes: the claim is tested at every combination of their values"`
	// For says of how many of these combinations the claim speaks: each or any.
	For string `sweep:"for" enum:"each|any" doc:"must the claim hold at each combination of across:, or at any"`
	// Incomplete says what becomes of replications of which an instance failed or
	// has no finite metric: refuse lets nothing be told, as those that are left may
	// differ from them; drop goes on without them.
	Incomplete string `sweep:"incomplete" enum:"refuse|drop" doc:"replications that lost an instance: nothing can be told (refuse), or the claim is about the others (drop)"`
	// Paired tells that replications of equal number share their workloads in all
	// runs that the claim names; they are then compared in pairs, those that all
	// points have.
	Paired bool `sweep:"paired" doc:"compare replications of equal number in pairs across runs, those that all points have; they share their workloads where seed and workload agree"`
	// Published is the published value as text; "" when there is none.
	Published string `sweep:"-"`
	// Statistic is what is computed, Expect where it should lie.
	Statistic Statistic `sweep:"-"`
	Expect    Region    `sweep:"-"`
}

// claimDefaults are the values of what a claim does not say.
var claimDefaults = Claim{For: "each", Incomplete: "refuse"}

// Runs returns the names of the other runs whose rows the claim needs.
func (c *Claim) Runs() []string {
	var out []string
	c.Statistic.walk(func(s *Statistic) {
		for _, sel := range []*Selection{s.Of, s.To} {
			if sel != nil && sel.Run != "" && !slices.Contains(out, sel.Run) {
				out = append(out, sel.Run)
			}
		}
	})
	return out
}

// claims reads claims:, a list of maps.
func (l *studyReader) claims(n *node) []Claim {
	var out []Claim
	ids := map[string]position{}
	for _, item := range l.out.list(n, "claims") {
		if item.shape != mapNode {
			l.out.add(item.pos, "claims", "write - {id: name, ...}", "a claim is %s; want a map", item.what())
			continue
		}
		l.uniqueID(item.get("id"), "claim", ids)
		out = append(out, l.claim(item))
	}
	return out
}

// publishedKey takes a number or a text, and stands beside a claim's fields, its
// bounds and its statistic.
const (
	publishedKey = "published"
	publishedDoc = "the published value, shown in the table"
)

// claim reads one claim.
func (l *studyReader) claim(n *node) Claim {
	c := claimDefaults
	fields, bounds := mustReflect(reflect.TypeFor[Claim]()), mustReflect(reflect.TypeFor[bounds]())
	names := slices.Concat(fields.names(), bounds.names(), []string{publishedKey}, statisticNames())
	unknown := func(e entry, path string, _ *structInfo) {
		l.out.add(e.pos, path, didYouMean(e.key, names), "unknown key %s in a claim", quote(e.key))
	}
	l.dec.structure(n, fields, reflect.ValueOf(&c).Elem(), scope{path: "claims", unknown: unknown}, slices.Concat(bounds.names(), []string{publishedKey}, statisticNames())...)
	for _, e := range n.entries {
		if e.key != "across" || e.value.shape != listNode {
			continue
		}
		for _, item := range e.value.items {
			l.axisName(item, "claims.across")
		}
	}
	if p := n.get(publishedKey); p != nil {
		if p.shape != scalarNode || p.isNull() {
			l.out.add(p.pos, "claims.published", "", "claims.published is %s; want a number or text", p.what())
		} else {
			c.Published = p.text
		}
	}
	kind, at := l.statisticOf(n, "claims", statisticNames())
	if kind == nil {
		return c
	}
	c.Statistic = l.statistic(kind, at, "claims."+kind.name, 0)
	c.Expect = l.region(n, bounds)
	switch {
	case kind.ordinal && c.Expect.Given:
		l.out.add(at.pos, "claims."+kind.name, "leave the bounds out", "%s says itself what is expected", kind.name)
	case c.Published == "" && c.Expect.Value != nil:
		c.Published = formatFloat(*c.Expect.Value)
	}
	return c
}

// statisticOf finds the one key of a map that names a statistic of the kinds
// allowed.
func (l *studyReader) statisticOf(n *node, path string, allowed []string) (*statisticKind, *node) {
	var kind *statisticKind
	var at *node
	for _, e := range n.entries {
		i := slices.IndexFunc(statisticKinds, func(k statisticKind) bool { return k.name == e.key && slices.Contains(allowed, e.key) })
		switch {
		case i < 0:
		case kind != nil:
			l.out.add(e.pos, path, "make it a claim of its own, or combine them: "+`difference: [{...}, {...}]`, "two statistics, %s and %s, stand side by side", kind.name, e.key)
		default:
			kind, at = &statisticKinds[i], e.value
		}
	}
	if kind == nil {
		l.out.add(n.pos, path, "add one of "+strings.Join(allowed, ", "), "nothing is computed here")
	}
	return kind, at
}
