package claim

import (
	"fmt"
	"slices"
	"strconv"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/table"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

// Tables is the table of claims and, where some have several parts, that of the parts, and those of readings; none without claims.
func Tables(d frame.Design, all []Result) []*table.Table {
	if len(all) == 0 {
		return nil
	}
	tables := []*table.Table{claimsTable(d, all)}
	if parts := partsTable(d, all); parts != nil {
		tables = append(tables, parts)
	}
	return append(tables, readingsTables(d, all)...)
}

// claimsTable has one row a claim. Statements, and reasons for no verdict, are the notes below it.
func claimsTable(d frame.Design, all []Result) *table.Table {
	d = d.Filled()
	units := slices.ContainsFunc(all, func(r Result) bool { return r.ShownPart().Unit != "" })
	t := &table.Table{ID: "claims", Title: "Claims"}
	t.Columns = []table.Column{
		{Name: "claim", Key: true, Wrap: true}, {Name: "kind"}, {Name: "source", Extra: true}, table.CSVOnly("statement"),
		table.CSVOnly("statistic"), table.CSVOnly("metric"),
		{Name: "published", Extra: true},
	}
	t.Columns = slices.Concat(t.Columns, partColumns(d, units), []table.Column{table.CSVOnly("parts"), table.CSVOnly("parts_holding")},
		frame.CountColumns())
	t.Columns = append(t.Columns, table.Column{Name: "verdict"}, table.CSVOnly("reason"))
	for i := range all {
		r := &all[i]
		p, c := r.ShownPart(), &r.Claim
		cells := []table.Cell{
			table.Text(c.ID), table.Text(c.Kind), table.Text(table.Dash(c.Source)), table.Text(c.Statement), table.Text(c.Statistic.Kind),
			table.Text(c.Statistic.Metric),
			table.Text(table.Dash(c.Published)),
		}
		cells = slices.Concat(cells, partCells(p), []table.Cell{table.Count(len(r.Parts)), table.Count(r.Count(Holds))},
			frame.CountCells(r.Counts))
		cells = append(cells, verdictCell(r.Verdict), table.Text(p.Reason))
		t.Rows = append(t.Rows, table.Row{Cells: cells, Notes: r.notes()})
	}
	return t
}

// partsTable has one row for each part of the claims that have several; nil where none has.
func partsTable(d frame.Design, all []Result) *table.Table {
	d = d.Filled()
	t := &table.Table{ID: "claim-parts", Title: "Parts of claims"}
	t.Columns = slices.Concat([]table.Column{{Name: "claim", Key: true, Wrap: true}, {Name: "part", Key: true, Wrap: true}},
		partColumns(d, false), frame.CountColumns(), []table.Column{{Name: "verdict"}})
	for i := range all {
		r := &all[i]
		for k := range r.Parts {
			p := &r.Parts[k]
			if len(r.Parts) == 1 {
				continue
			}
			cells := slices.Concat([]table.Cell{table.Text(r.Claim.ID), table.Text(p.Label)}, partCells(p), frame.CountCells(p.Counts),
				[]table.Cell{verdictCell(p.Verdict)})
			t.Rows = append(t.Rows, table.Row{Cells: cells, Notes: p.Notes()})
		}
	}
	if t.Rows == nil {
		return nil
	}
	return t
}

func verdictCell(v Verdict) table.Cell {
	tones := map[Verdict]table.Tone{Holds: table.Good, DoesNotHold: table.Bad, CannotTell: table.Open}
	return table.Cell{Text: string(v), Shown: v.String(), Tone: tones[v]}
}

// partColumns keep the unit on a narrow terminal where it tells something that no other table does.
func partColumns(d frame.Design, unit bool) []table.Column {
	return []table.Column{{Name: "expected"}, {Name: "ours"}, {Name: "low", Head: table.Percent((1 - d.Confidence) / 2)},
		{Name: "high", Head: table.Percent((1 + d.Confidence) / 2)},
		table.CSVOnly("interval"), {Name: "unit", Extra: !unit}, {Name: "replications", Head: "n"}}
}

func partCells(p *Part) []table.Cell {
	interval := table.IntervalCells(p.Interval, table.SlopeDecimals(p.Interval))
	return slices.Concat([]table.Cell{table.Text(p.Expect.String())}, interval,
		[]table.Cell{table.Text(string(p.Rule)), table.Text(table.Dash(p.Unit)), table.Count(p.Replications)})
}

// Count returns the number of parts with the verdict.
func (r *Result) Count(v Verdict) int {
	return text.Count(r.Parts, func(p Part) bool { return p.Verdict == v })
}

func (r *Result) notes() []string {
	var out []string
	p := r.ShownPart()
	if r.Claim.Statement != "" {
		out = append(out, r.Claim.ID+": "+r.Claim.Statement)
	}
	if n := len(r.Parts); n > 1 {
		says := "one of " + strconv.Itoa(n) + " parts is shown, " + p.Label
		for _, v := range []Verdict{Holds, CannotTell, DoesNotHold} {
			if k := r.Count(v); k > 0 {
				says += fmt.Sprintf("; %d: %s", k, v)
			}
		}
		out = append(out, r.Claim.ID+": "+says)
	}
	out = append(out, p.Notes()...)
	if r.Claim.Note != "" {
		out = append(out, r.Claim.Note)
	}
	if r.Claim.Kind == study.KindArithmetic && r.Verdict == Holds {
		out = append(out, r.Claim.ID+": it is marked as impossible by arithmetic, and it holds: check the arithmetic")
	}
	return out
}

// Notes are the reason for a part without a verdict, and the remarks on it.
func (p *Part) Notes() []string {
	var out []string
	if p.Reason != "" {
		out = append(out, p.Reason)
	}
	return append(out, p.Remarks...)
}
