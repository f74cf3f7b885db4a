package claim

import (
	"fmt"
	"strconv"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/table"
)

// Tables is the table of claims and, where some have several parts, that of the parts; none without claims.
func Tables(d frame.Design, all []Result) []*table.Table {
	if len(all) == 0 {
		return nil
	}
	tables := []*table.Table{claimsTable(d, all)}
	if parts := partsTable(d, all); parts != nil {
		tables = append(tables, parts)
	}
	return tables
}

// claimsTable has one row a claim. Statements, and why one cannot tell, are the notes below it.
func claimsTable(d frame.Design, all []Result) *table.Table {
	d = d.Filled()
	t := &table.Table{ID: "claims", Title: "Claims"}
	t.Columns = []table.Column{
		{Name: "claim", Key: true}, {Name: "source", Extra: true}, table.CSVOnly("statement"), table.CSVOnly("statistic"), table.CSVOnly("metric"),
		{Name: "published", Extra: true}, {Name: "expected"}, {Name: "ours"}, {Name: "low", Head: table.Percent((1 - d.Confidence) / 2)}, {Name: "high", Head: table.Percent((1 + d.Confidence) / 2)}, table.CSVOnly("interval"), {Name: "unit", Extra: true},
		{Name: "replications", Head: "n"}, table.CSVOnly("parts"), table.CSVOnly("parts_holding"),
	}
	t.Columns = append(t.Columns, frame.CountColumns()...)
	t.Columns = append(t.Columns, table.Column{Name: "verdict"}, table.CSVOnly("reason"))
	for i := range all {
		r := &all[i]
		p, c := &r.Parts[r.Shown], &r.Claim
		cells := []table.Cell{
			table.Text(c.ID), table.Text(table.Dash(c.Source)), table.Text(c.Statement), table.Text(c.Statistic.Kind), table.Text(c.Statistic.Metric),
			table.Text(table.Dash(c.Published)), table.Text(p.Expect.String()),
		}
		cells = append(cells, partCells(p)...)
		cells = append(cells, table.Count(p.Replications), table.Count(len(r.Parts)), table.Count(r.count(Holds)))
		cells = append(cells, frame.CountCells(r.Counts)...)
		cells = append(cells, verdictCell(r.Verdict), table.Text(p.Reason))
		t.Rows = append(t.Rows, table.Row{Cells: cells, Notes: r.notes()})
	}
	return t
}

// partsTable has one row for each part of the claims that have several; nil where none has.
func partsTable(d frame.Design, all []Result) *table.Table {
	d = d.Filled()
	t := &table.Table{ID: "claim-parts", Title: "Parts of claims"}
	t.Columns = []table.Column{{Name: "claim", Key: true}, {Name: "part", Key: true}, {Name: "expected"}, {Name: "ours"}, {Name: "low", Head: table.Percent((1 - d.Confidence) / 2)}, {Name: "high", Head: table.Percent((1 + d.Confidence) / 2)}, table.CSVOnly("interval"), {Name: "unit", Extra: true}, {Name: "replications", Head: "n"}}
	t.Columns = append(t.Columns, frame.CountColumns()...)
	t.Columns = append(t.Columns, table.Column{Name: "verdict"})
	for i := range all {
		r := &all[i]
		for k := range r.Parts {
			p := &r.Parts[k]
			if len(r.Parts) == 1 {
				continue
			}
			cells := append([]table.Cell{table.Text(r.Claim.ID), table.Text(p.Label), table.Text(p.Expect.String())}, partCells(p)...)
			cells = append(cells, table.Count(p.Replications))
			cells = append(cells, frame.CountCells(p.Counts)...)
			cells = append(cells, verdictCell(p.Verdict))
			t.Rows = append(t.Rows, table.Row{Cells: cells, Notes: p.notes()})
		}
	}
	if t.Rows == nil {
		return nil
	}
	return t
}

// verdictCell is green where a claim holds, red where it does not.
func verdictCell(v Verdict) table.Cell {
	tones := map[Verdict]table.Tone{Holds: table.Good, DoesNotHold: table.Bad, CannotTell: table.Open}
	return table.Cell{Text: string(v), Tone: tones[v]}
}

// claimCells is the statistic, its interval with its rule, and its unit.
func partCells(p *Part) []table.Cell {
	k := table.SlopeDecimals(p.Interval)
	return append(table.IntervalCells(p.Interval, k), table.Text(string(p.Rule)), table.Text(table.Dash(p.Unit)))
}

func (r *Result) count(v Verdict) int {
	n := 0
	for i := range r.Parts {
		if r.Parts[i].Verdict == v {
			n++
		}
	}
	return n
}

// notes are the statement, what the parts say, why one cannot tell, and the manifest's own remark.
func (r *Result) notes() []string {
	var out []string
	p := &r.Parts[r.Shown]
	if r.Claim.Statement != "" {
		out = append(out, r.Claim.ID+": "+r.Claim.Statement)
	}
	if n := len(r.Parts); n > 1 {
		text := "one of " + strconv.Itoa(n) + " parts is shown, " + p.Label
		for _, v := range []Verdict{Holds, CannotTell, DoesNotHold} {
			if k := r.count(v); k > 0 {
				text += fmt.Sprintf("; %d: %s", k, v)
			}
		}
		out = append(out, r.Claim.ID+": "+text)
	}
	out = append(out, p.notes()...)
	if r.Claim.Note != "" {
		out = append(out, r.Claim.Note)
	}
	return out
}

func (p *Part) notes() []string {
	var out []string
	if p.Reason != "" {
		out = append(out, p.Reason)
	}
	return append(out, p.Remarks...)
}
