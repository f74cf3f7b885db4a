package store

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// agreementCells bounds the values that are held at once while answers are
// compared.
const agreementCells = 1 << 23

// disagreements compares the answers of records that have several, some columns
// at a time, and describes the first that differ. twins are in file order.
func (x *Index) disagreements(twins []twin, r Records) error {
	var columns Schema
	for _, c := range x.schema {
		if c.Name != r.Key && c.Name != r.Status && r.Answer(c) {
			columns = append(columns, c)
		}
	}
	records := int(slices.MaxFunc(twins, func(a, b twin) int { return int(a.record - b.record) }).record) + 1
	differ := make([]bool, records)
	var first *difference
	for group := range slices.Chunk(columns, max(1, agreementCells/len(twins))) {
		d, err := x.compareTwins(twins, group, r.Partial, differ)
		if err != nil {
			return err
		}
		first = cmp.Or(first, d)
	}
	if first == nil {
		return nil
	}
	n := 0
	for _, d := range differ {
		if d {
			n++
		}
	}
	return x.describe(first, n, r)
}

type difference struct {
	column Column
	a, b   int32 // rows
}

// compareTwins marks the records whose answers differ in one of the columns and
// returns the first difference: by column, then by row.
func (x *Index) compareTwins(twins []twin, columns Schema, partial string, differ []bool) (found *difference, err error) {
	to := slices.Repeat([]int32{-1}, x.rows)
	for k, answer := range twins {
		to[answer.row] = int32(k)
	}
	read := columns
	if at := x.schema.Index(partial); at >= 0 {
		read = append(slices.Clone(columns), x.schema[at])
	}
	t, problems := readParts(x.parts, read, to, len(twins))
	if len(problems) > 0 {
		return nil, problems[0]
	}
	for c := range columns {
		v := &t.Columns[c]
		first := slices.Repeat([]int{-1}, len(differ)) // of each record, among the twins
		part, end, has := -1, 0, false
		for k, answer := range twins {
			for int(answer.row) >= end {
				part++
				end += x.parts[part].rows
				has = x.parts[part].schema.Index(v.Name) >= 0
			}
			was := &first[answer.record]
			switch {
			case !has || len(read) > len(columns) && v.IsNull(k) && !t.Columns[len(columns)].IsNull(k):
			case *was < 0:
				*was = k
			case v.cell(*was) != v.cell(k):
				differ[answer.record] = true
				if found == nil {
					found = &difference{columns[c], twins[*was].row, answer.row}
				}
			}
		}
	}
	return found, nil
}

func (c *Column) said(of Cell) string {
	switch {
	case !of.Set:
		return "null"
	case c.Unit != "" && c.Unit != "1":
		return c.text(of) + " " + c.Unit
	}
	return c.text(of)
}

// ValueDifference is the first column in which two rows differ, with both values, and the names of the others.
type ValueDifference struct {
	Column, A, B string
	Others       []string
}

// Differs tells in which of the columns row i of the table is not, bit for bit, what b says; nil where there is none.
// Table and row have them all.
func (t *Table) Differs(i int, b *Row, columns []string) (d *ValueDifference) {
	for _, name := range columns {
		v, k := t.Column(name), b.schema.Index(name)
		switch c := &b.schema[k]; {
		case v.Type == c.Type && v.cell(i) == b.cells[k]:
		case d == nil:
			d = &ValueDifference{Column: name, A: v.said(v.cell(i)), B: c.said(b.cells[k])}
		default:
			d.Others = append(d.Others, name)
		}
	}
	return d
}

func (x *Index) describe(d *difference, n int, r Records) *Problem {
	to := slices.Repeat([]int32{-1}, x.rows)
	to[d.a], to[d.b] = 0, 1
	t, problems := readParts(x.parts, Schema{x.schema[x.schema.Index(r.Key)], d.column}, to, 2)
	if len(problems) > 0 {
		return problems[0]
	}
	said := func(i int) string { return t.Columns[1].said(t.Columns[1].cell(i)) }
	a, b := x.partOf(d.a), x.partOf(d.b)
	by := func(p *part) string {
		if program := p.meta[r.Writer]; program != "" {
			return "(written by " + strings.ReplaceAll(program, "\n", " or ") + ")" // a merged part may have several
		}
		return "(which does not name the program that wrote it)"
	}
	where := "in " + a.path
	if a == b {
		where = "here too"
	}
	more := ""
	if n > 1 {
		more = fmt.Sprintf(" (and %d more have)", n-1)
	}
	return &Problem{b.path, Disagreement, fmt.Errorf("%s %s has two answers%s: %s is %s here %s, but %s %s %s",
		r.Key, t.Columns[0].Text(0), more, d.column.Name, said(1), by(b), said(0), where, by(a))}
}

func (x *Index) partOf(row int32) *part {
	for _, p := range x.parts {
		if row -= int32(p.rows); row < 0 {
			return p
		}
	}
	panic(fmt.Sprintf("store: no part holds row %d of %d", row, x.rows))
}
