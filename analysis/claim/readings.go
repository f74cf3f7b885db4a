package claim

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/analysis/table"
	"schedsweep/sweep/text"
)

// mostReadings is the most readings that a table lists; the table of the parts has all of them.
const mostReadings = 25

// readings are claims that any of the same combinations of axes satisfies. One combination, a reading of what a source
// leaves open, may satisfy some of them and not others.
type readings struct {
	design frame.Design
	claims []*Result
	inside [][]bool // of claim and reading: does the estimate lie where it is expected
	count  []int    // of reading: the claims that it satisfies
}

// readingsTables has one table for each group of two claims or more that are for: any across the same axes: the readings
// that satisfy most of them first. A reading satisfies a claim where the estimate lies where it is expected.
func readingsTables(d frame.Design, all []Result) []*table.Table {
	var groups []*readings
	for i := range all {
		r := all[i].byCombination(&d)
		if r.Claim.For != "any" || len(r.Parts) < 2 || !r.Parts[0].Expect.Given {
			continue
		}
		k := slices.IndexFunc(groups, func(g *readings) bool { return g.fits(r) })
		if k < 0 {
			k, groups = len(groups), append(groups, &readings{design: d})
		}
		groups[k].claims = append(groups[k].claims, r)
	}
	var tables []*table.Table
	for _, g := range groups {
		if len(g.claims) > 1 {
			g.look()
			t := g.table()
			if t.ID = "readings"; len(tables) > 0 {
				t.ID += "-" + strconv.Itoa(len(tables)+1)
			}
			tables = append(tables, t)
		}
	}
	return tables
}

// byCombination is the claim with one part for each combination: of several the first that is not satisfied, or else the weakest.
func (r *Result) byCombination(d *frame.Design) *Result {
	out := *r
	out.Parts = nil
	for _, p := range r.Parts {
		n := len(out.Parts)
		if n == 0 || out.Parts[n-1].combo != p.combo {
			p.Label = labelOf(d, &r.Claim, p.at)
			out.Parts = append(out.Parts, p)
			continue
		}
		if weakest := &out.Parts[n-1]; weakest.satisfied() && (!p.satisfied() || p.margin < weakest.margin) {
			p.Label = weakest.Label
			*weakest = p
		}
	}
	return &out
}

// satisfied reports whether the estimate lies where it is expected.
func (p *Part) satisfied() bool {
	return inside(p.Expect, stats.Interval{Estimate: p.Estimate, Low: p.Estimate, High: p.Estimate})
}

// fits reports whether the claim has the same parts as those of the group.
func (g *readings) fits(r *Result) bool {
	first := g.claims[0]
	return slices.Equal(first.Claim.Across, r.Claim.Across) &&
		slices.EqualFunc(first.Parts, r.Parts, func(a, b Part) bool { return a.Label == b.Label })
}

func (g *readings) look() {
	g.count = make([]int, len(g.claims[0].Parts))
	for _, r := range g.claims {
		in := make([]bool, len(r.Parts))
		for i := range r.Parts {
			if in[i] = r.Parts[i].satisfied(); in[i] {
				g.count[i]++
			}
		}
		g.inside = append(g.inside, in)
	}
}

func (g *readings) table() *table.Table {
	t := &table.Table{Title: "Readings, by how many claims each satisfies"}
	label, others := g.axes()
	t.Columns = []table.Column{{Name: "reading", Head: label, Key: true}}
	for _, k := range others {
		t.Columns = append(t.Columns, table.Column{Name: g.design.Sample.Knobs[k], Extra: true})
	}
	t.Columns = append(t.Columns, table.Column{Name: "satisfied"})
	for _, r := range g.claims {
		t.Columns = append(t.Columns, table.CSVOnly(r.Claim.ID), table.Column{Name: r.Claim.ID + "_read", Head: r.Claim.ID, ReadOnly: true})
	}
	order := stats.Order(len(g.count), func(a, b int) int {
		return cmp.Or(cmp.Compare(g.count[b], g.count[a]), cmp.Compare(g.holding(b), g.holding(a)))
	})
	for n, i := range order[:min(len(order), mostReadings)] {
		cells := []table.Cell{table.Text(g.name(i))}
		for _, k := range others {
			cells = append(cells, table.Text(g.knob(i, k)))
		}
		cells = append(cells, table.Count(g.count[i]))
		for c, r := range g.claims {
			p := &r.Parts[i]
			read := table.Number(p.Estimate, table.SlopeDecimals(p.Interval)).Read()
			if g.inside[c][i] {
				read += " *"
			}
			cells = append(cells, table.Number(p.Estimate, -1), table.Text(read))
		}
		row := table.Row{Cells: cells}
		if n == 0 {
			row.Notes = g.notes()
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// axes returns the heading of the readings and, where one knob of a sample tells them apart, the other knobs.
func (g *readings) axes() (label string, others []int) {
	across := g.claims[0].Claim.Across
	s := g.design.Sample
	if len(across) > 1 {
		return "reading", nil
	}
	if s == nil || !slices.Contains(s.Knobs, across[0]) || len(s.Points) != len(g.count) {
		return across[0], nil
	}
	for k, knob := range s.Knobs {
		if knob != across[0] {
			others = append(others, k)
		}
	}
	return across[0], others
}

// name is the reading as a row is called: its value where one axis tells the readings apart.
func (g *readings) name(reading int) string {
	p := &g.claims[0].Parts[reading]
	if len(p.at) == 1 {
		return frame.List(frame.Printed(p.at[0].Values))
	}
	return p.Label
}

// knob is the value of another knob at the sample's point that the reading is.
func (g *readings) knob(reading, other int) string {
	s, own := g.design.Sample, slices.Index(g.design.Sample.Knobs, g.claims[0].Claim.Across[0])
	at := g.claims[0].Parts[reading].at[0]
	for _, point := range s.Points {
		if !at.Has(frame.ValueOf(point[own])) {
			continue
		}
		v := frame.ValueOf(point[other])
		for _, l := range g.design.Labels[s.Knobs[other]] {
			if (&frame.Term{Values: []frame.Value{v}}).Has(l.Value) {
				return l.Text
			}
		}
		return v.String()
	}
	return "-"
}

// holding returns the number of claims that hold at the reading beyond doubt.
func (g *readings) holding(reading int) int {
	return text.Count(g.claims, func(r *Result) bool { return r.Parts[reading].Verdict == Holds })
}

// notes name the claims that no reading satisfies, alone and together.
func (g *readings) notes() []string {
	all, most := len(g.count), slices.Max(g.count)
	best := text.Count(g.count, func(n int) bool { return n == most })
	out := []string{"* the value lies where it is expected"}
	if most == len(g.claims) {
		out = append(out, fmt.Sprintf("%d of %d readings satisfy all %d claims", best, all, most))
	} else {
		out = append(out, fmt.Sprintf("no reading of %d satisfies all %d claims: the best %d satisfy %d", all, len(g.claims), best, most))
	}
	if all > mostReadings {
		out = append(out, fmt.Sprintf("the first %d of %d readings are listed; the parts of the claims have all", mostReadings, all))
	}
	var never, apart []string
	for i, r := range g.claims {
		if !slices.Contains(g.inside[i], true) {
			never = append(never, r.Claim.ID)
			continue
		}
		for k := range i {
			if slices.Contains(g.inside[k], true) && !g.together(i, k) {
				apart = append(apart, g.claims[k].Claim.ID+" with "+r.Claim.ID)
			}
		}
	}
	if never != nil {
		out = append(out, "no reading satisfies "+frame.List(never))
	}
	if apart != nil {
		out = append(out, "each of two is satisfied by some reading, and both by none: "+strings.Join(apart, "; "))
	}
	return out
}

func (g *readings) together(i, k int) bool {
	for reading, in := range g.inside[i] {
		if in && g.inside[k][reading] {
			return true
		}
	}
	return false
}
