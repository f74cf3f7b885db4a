package claim

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"schedsweep/analysis/frame"
	"schedsweep/sweep/params"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

// tests takes a claim apart: one test for each combination of the across axes and, of an order or extreme, each pair of
// values, which are the links of the combination. The reason says why there is none.
func (e *evaluation) tests(c *study.Claim) (tests []*test, reason string) {
	combinations, reason := e.combinations(c)
	if reason != "" {
		return nil, reason
	}
	for i, combo := range combinations {
		label, links := labelOf(&e.runs[""].Design, c, combo), []link{{statistic: c.Statistic, expect: c.Expect}}
		if k := c.Statistic.Kind; k == "order" || k == "extreme" {
			if links, reason = e.links(&c.Statistic, combo); reason != "" {
				return nil, reason
			}
			if label != "" {
				label += ": "
			}
		}
		for k, l := range links {
			tests = append(tests, &test{expect: l.expect, label: label + l.label, at: combo, of: l.statistic, combination: i, link: k,
				links: len(links), combinations: len(combinations)})
		}
	}
	return tests, ""
}

// labelOf names a combination of the across axes.
func labelOf(d *frame.Design, c *study.Claim, combo []frame.Term) string {
	return strings.Join(text.Each(combo, func(t frame.Term) string {
		return frame.AxisName(t.Path, c.Across) + " = " + frame.List(d.Printed([]string{t.Path}, t.Values))
	}), ", ")
}

type side struct {
	run    *prepared
	terms  []frame.Term
	reason string // the reason why a comparison cannot use the side
}

// side returns the rows of a selection of the statistic; a run that there is not has no rows.
func (e *evaluation) side(s *study.Statistic, sel *study.Selection) side {
	run := cmp.Or(e.runs[sel.Run], &prepared{Run: &frame.Run{Name: sel.Run, Remedy: "run its manifest"}})
	return side{run: run, terms: append(frame.TermsOf(s.Where), frame.TermsOf(sel.Terms)...)}
}

// frame holds the side's points: planned, or as far as there are rows.
func (s *side) frame() *frame.Frame {
	if s.run.Run.Planned != nil {
		return s.run.Run.Planned
	}
	return s.run.Frame
}

func (s *side) unit(column string) string {
	if s.run.Frame == nil || s.run.Frame.Head(column) == nil {
		return ""
	}
	return s.run.Frame.Head(column).Unit
}

func (s *side) values(axis string) []frame.Value {
	f := s.frame()
	if f == nil || f.Head(axis) == nil {
		return nil
	}
	key := fmt.Sprintf("%#v %q", s.terms, axis)
	out, known := s.run.values[key]
	if known {
		return out
	}
	rows, reason := frame.MatchingRows(f, s.terms)
	if reason != "" {
		return nil
	}
	l := frame.LevelsOf(f.Held(axis), s.run.Design.Order[axis])
	seen := make([]bool, len(l.Values))
	for _, r := range rows {
		seen[l.Codes[r]] = true
	}
	for i, v := range l.Values {
		if seen[i] {
			out = append(out, v)
		}
	}
	s.run.values[key] = out
	return out
}

func (s *side) named(axis string, v params.Value) frame.Value {
	if f := s.frame(); f != nil && f.Head(axis) != nil {
		return f.Column(axis).Labelled(frame.ValueOf(v))
	}
	return frame.ValueOf(v)
}

// at adds the terms of a combination. A side that does not have an axis serves all of its values: a policy without the field that the
// axis varies is the same at each of them. Not so rows that happen to have one value only, unless the claim chooses it by name.
func (s side) at(combo []frame.Term) side {
	out := side{run: s.run, terms: slices.Clone(s.terms), reason: s.reason}
	for _, t := range combo {
		values := s.values(t.Path)
		if len(values) > 1 {
			out.terms = append(out.terms, t)
			continue
		}
		chosen := slices.ContainsFunc(s.terms, func(own frame.Term) bool { return own.Path == t.Path && !own.Ranged && len(own.Values) == 1 })
		if len(values) != 1 || values[0].IsNull || chosen || t.Has(values[0]) {
			continue
		}
		if out.reason = fmt.Sprintf("run %s has rows at %s = %s only", s.run.Name, t.Path, values[0]); s.run.Name == "" {
			out.reason = fmt.Sprintf("%s has rows at %s = %s only; if it is meant at each value of %s, name it in the claim",
				frame.DescribeTerms(s.terms), t.Path, values[0], t.Path)
		}
	}
	return out
}

// combinations lists the combinations of the across axes that occur on the side that varies along all axes that any side
// varies along.
func (e *evaluation) combinations(c *study.Claim) ([][]frame.Term, string) {
	if len(c.Across) == 0 {
		return [][]frame.Term{nil}, ""
	}
	var all []side
	c.Statistic.Walk(func(s *study.Statistic) {
		for _, sel := range []*study.Selection{s.Of, s.To} {
			if sel != nil {
				all = append(all, e.side(s, sel))
			}
		}
	})
	varied := func(s *side) []string {
		return slices.DeleteFunc(slices.Clone(c.Across), func(a string) bool { return len(s.values(a)) < 2 })
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
				return nil, fmt.Sprintf("no side of the comparison varies along all of %s", frame.List(c.Across))
			}
		}
	}
	f := of.frame()
	if f == nil || len(widest) == 0 {
		return [][]frame.Term{nil}, ""
	}
	rows, _ := frame.MatchingRows(f, of.terms)
	g := frame.GroupBy(f, widest, of.run.Design.Order)
	seen := make([]bool, len(g.Groups))
	for _, r := range rows {
		seen[g.Of[r]] = true
	}
	var out [][]frame.Term
	for i, gr := range g.Groups {
		if !seen[i] {
			continue
		}
		var combo []frame.Term
		for k, axis := range widest {
			combo = append(combo, frame.Term{Path: axis, Values: gr.Key[k : k+1]})
		}
		out = append(out, combo)
	}
	return out, ""
}

// link is a statistic of a claim and its expected region: the claim's own, or one comparison of an order or extreme.
type link struct {
	label     string
	statistic study.Statistic
	expect    study.Region
}

// links takes an order or extreme apart into differences that must be positive.
func (e *evaluation) links(s *study.Statistic, combo []frame.Term) ([]link, string) {
	expect := study.Region{Given: true, Low: 0, High: math.Inf(1), LowOpen: !s.OrEqual}
	choose := func(v params.Value) *study.Selection {
		terms := append(slices.Clone(s.Of.Terms), study.Term{Path: s.Axis, Values: []params.Value{v}})
		return &study.Selection{Run: s.Of.Run, Terms: terms}
	}
	here := e.side(s, s.Of).at(combo)
	var out []link
	add := func(more, less params.Value) {
		out = append(out, link{
			label: strings.Join(text.Each([]params.Value{more, less}, func(v params.Value) string {
				return frame.List(here.run.Design.Printed([]string{s.Axis}, []frame.Value{here.named(s.Axis, v)}))
			}), " - "),
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
	claimed := frame.ValueOf(s.Values[0])
	for _, v := range here.values(s.Axis) {
		if v.Is(claimed) {
			continue
		}
		other := params.Value{Kind: params.String, S: v.Plain(), Null: v.IsNull}
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
