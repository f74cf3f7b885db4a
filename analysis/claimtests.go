package analysis

import (
	"fmt"
	"math"
	"slices"

	"schedsweep/sweep/params"
	"schedsweep/sweep/study"
)

// tests takes a claim apart: one test for each combination of the across axes and, of an order or extreme, each pair of
// values. The reason says why there is none.
func (e *evaluation) tests(c *study.Claim) (tests []*test, reason string) {
	combinations, reason := e.combinations(c)
	if reason != "" {
		return nil, reason
	}
	for _, combo := range combinations {
		label := ""
		for i, t := range combo {
			if i > 0 {
				label += ", "
			}
			label += axisName(t.path, c.Across) + " = " + commas(printed(t.values))
		}
		switch c.Statistic.Kind {
		case "order", "extreme":
			links, reason := e.links(&c.Statistic, combo)
			if reason != "" {
				return nil, reason
			}
			for _, l := range links {
				t := e.compile(&l.statistic, combo)
				t.expect, t.label = l.expect, l.label
				if label != "" {
					t.label = label + ": " + t.label
				}
				tests = append(tests, t)
			}
		default:
			t := e.compile(&c.Statistic, combo)
			t.expect, t.label = c.Expect, label
			tests = append(tests, t)
		}
	}
	return tests, ""
}

// side is one selection of rows.
type side struct {
	run    *claimRun
	terms  []term
	reason string // why the side cannot stand in a comparison
}

// side returns the rows of a selection of the statistic; a run that there is not has no rows.
func (e *evaluation) side(s *study.Statistic, sel *study.Selection) side {
	run := e.runs[sel.Run]
	if run == nil {
		run = &claimRun{Run: &Run{Name: sel.Run, Remedy: "run its manifest"}}
	}
	return side{run: run, terms: append(termsOf(s.Where), termsOf(sel.Terms)...)}
}

// sides lists the selections of a statistic.
func (e *evaluation) sides(s *study.Statistic) []side {
	var out []side
	for i := range s.Parts {
		out = append(out, e.sides(&s.Parts[i])...)
	}
	for _, sel := range []*study.Selection{s.Of, s.To} {
		if sel != nil {
			out = append(out, e.side(s, sel))
		}
	}
	return out
}

// frame is where the side's points are: planned, or as far as there are rows.
func (s *side) frame() *Frame {
	if s.run.Run.Planned != nil {
		return s.run.Run.Planned
	}
	return s.run.Frame
}

// values lists the different values of an axis on the side, in their order of display.
func (s *side) values(axis string) []Value {
	f := s.frame()
	if f == nil || f.Column(axis) == nil {
		return nil
	}
	rows, reason := matchingRows(f, s.terms)
	if reason != "" {
		return nil
	}
	l := levelsOf(f.Column(axis), s.run.Design.Order[axis])
	seen := make([]bool, len(l.values))
	for _, r := range rows {
		seen[l.codes[r]] = true
	}
	var out []Value
	for i, v := range l.values {
		if seen[i] {
			out = append(out, v)
		}
	}
	return out
}

// named is a value of an axis with its label.
func (s *side) named(axis string, v params.Value) Value {
	if f := s.frame(); f != nil && f.Column(axis) != nil {
		return f.Column(axis).value(valueOf(v))
	}
	return valueOf(v)
}

// at adds the terms of a combination. A side that does not vary along an axis serves all of its values: a policy without
// the field that the axis varies is the same at each of them. Not so another run that happens to have one value only,
// unless the claim chooses it by name.
func (s side) at(combo []term) side {
	out := side{run: s.run, terms: slices.Clone(s.terms), reason: s.reason}
	for _, t := range combo {
		values := s.values(t.path)
		if len(values) > 1 {
			out.terms = append(out.terms, t)
			continue
		}
		chosen := slices.ContainsFunc(s.terms, func(own term) bool { return own.path == t.path && !own.ranged && len(own.values) == 1 })
		if s.run.Name != "" && len(values) == 1 && !values[0].IsNull && !chosen && !t.has(values[0]) {
			out.reason = fmt.Sprintf("run %s has rows at %s = %s only", s.run.Name, t.path, values[0])
		}
	}
	return out
}

// combinations lists the combinations of the across axes that occur on the side that varies along all axes that any side
// varies along.
func (e *evaluation) combinations(c *study.Claim) ([][]term, string) {
	if len(c.Across) == 0 {
		return [][]term{nil}, ""
	}
	all := e.sides(&c.Statistic)
	varied := func(s *side) (axes []string) {
		for _, a := range c.Across {
			if len(s.values(a)) > 1 {
				axes = append(axes, a)
			}
		}
		return axes
	}
	var widest []string
	var of *side
	for i := range all {
		if axes := varied(&all[i]); of == nil || len(axes) > len(widest) {
			of, widest = &all[i], axes
		}
	}
	for i := range all {
		for _, a := range varied(&all[i]) {
			if !slices.Contains(widest, a) {
				return nil, fmt.Sprintf("no side of the comparison varies along all of %s", commas(c.Across))
			}
		}
	}
	f := of.frame()
	if f == nil || len(widest) == 0 {
		return [][]term{nil}, ""
	}
	rows, _ := matchingRows(f, of.terms)
	g := groupBy(f, widest, of.run.Design.Order)
	seen := make([]bool, len(g.groups))
	for _, r := range rows {
		seen[g.of[r]] = true
	}
	var out [][]term
	for i, gr := range g.groups {
		if !seen[i] {
			continue
		}
		var combo []term
		for k, axis := range widest {
			combo = append(combo, term{path: axis, values: gr.key[k : k+1]})
		}
		out = append(out, combo)
	}
	return out, ""
}

// link is one comparison of an order or extreme.
type link struct {
	label     string
	statistic study.Statistic
	expect    study.Region
}

// links takes an order or extreme apart into differences that must be positive.
func (e *evaluation) links(s *study.Statistic, combo []term) ([]link, string) {
	expect := study.Region{Given: true, Low: 0, High: math.Inf(1), LowOpen: !s.OrEqual}
	choose := func(v params.Value) *study.Selection {
		terms := append(slices.Clone(s.Of.Terms), study.Term{Path: s.Axis, Values: []params.Value{v}})
		return &study.Selection{Run: s.Of.Run, Terms: terms}
	}
	here := e.side(s, s.Of).at(combo)
	var out []link
	add := func(more, less params.Value) {
		out = append(out, link{
			label:     here.named(s.Axis, more).String() + " - " + here.named(s.Axis, less).String(),
			statistic: study.Statistic{Kind: "difference", Metric: s.Metric, Where: s.Where, Of: choose(more), To: choose(less)},
			expect:    expect,
		})
	}
	if s.Kind == "order" {
		for i := 1; i < len(s.Values); i++ {
			if s.Is == "ascending" {
				add(s.Values[i], s.Values[i-1])
			} else {
				add(s.Values[i-1], s.Values[i])
			}
		}
		return out, ""
	}
	claimed := valueOf(s.Values[0])
	for _, v := range here.values(s.Axis) {
		if v.is(claimed) {
			continue
		}
		other := params.Value{Kind: params.String, S: v.plain(), Null: v.IsNull}
		if !v.IsText && !v.IsNull {
			other = params.Value{Kind: params.Float, F: v.Number}
		}
		if s.Is == "largest" {
			add(s.Values[0], other)
		} else {
			add(other, s.Values[0])
		}
	}
	if out == nil {
		return nil, fmt.Sprintf("there are no other values of %s to compare %s with", s.Axis, here.named(s.Axis, s.Values[0]))
	}
	return out, ""
}
