package store

import (
	"fmt"
	"hash/maphash"
	"math"
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
	for group := range slices.Chunk(columns, max(1, agreementCells/records)) {
		d, problem := x.compareTwins(twins, group, differ)
		if problem != nil {
			return problem
		}
		if first == nil {
			first = d
		}
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

// difference is a column in which two answers to one record differ.
type difference struct {
	column Column
	a, b   int32 // rows
}

// compareTwins marks the records whose answers differ in one of the columns and
// returns the first difference: by column, then by row.
func (x *Index) compareTwins(twins []twin, columns Schema, differ []bool) (*difference, *Problem) {
	type value struct {
		bits uint64
		row  int32 // that has it; -1: none yet
		null bool
	}
	seen := make([][]value, len(columns))
	found := make([]*difference, len(columns))
	for c := range seen {
		seen[c] = slices.Repeat([]value{{row: -1}}, len(differ))
	}
	seed := maphash.MakeSeed()
	start := int32(0)
	for _, p := range x.parts {
		end := start + int32(p.rows)
		var here []twin
		for len(twins) > 0 && twins[0].row < end {
			here, twins = append(here, twins[0]), twins[1:]
		}
		var present Schema
		var places []int // of the present among columns
		for c, column := range columns {
			if len(here) > 0 && p.schema.Index(column.Name) >= 0 {
				present, places = append(present, column), append(places, c)
			}
		}
		if len(present) > 0 {
			err := eachGroup(p, present, func(t *Table, first int) error {
				for ; len(here) > 0 && int(here[0].row-start) < first+t.Rows; here = here[1:] {
					i := int(here[0].row-start) - first
					for k, c := range places {
						v := &t.Columns[k]
						now := value{v.hash(seed, i), here[0].row, v.IsNull(i)}
						was := &seen[c][here[0].record]
						switch {
						case was.row < 0:
							*was = now
						case was.bits != now.bits || was.null != now.null:
							differ[here[0].record] = true
							if found[c] == nil {
								found[c] = &difference{columns[c], was.row, now.row}
							}
						}
					}
				}
				return nil
			})
			if problem, ok := err.(*Problem); ok { // the function returns none
				return nil, problem
			}
		}
		start = end
	}
	for _, d := range found {
		if d != nil {
			return d, nil
		}
	}
	return nil, nil
}

// hash tells the values of row i of a column apart; null is 0.
func (v *Vector) hash(seed maphash.Seed, i int) uint64 {
	switch {
	case v.IsNull(i):
		return 0
	case v.Type == Float64:
		return math.Float64bits(v.Floats[i])
	case v.Type == Int64, v.Type == Int32:
		return uint64(v.Ints[i])
	}
	return maphash.String(seed, v.Text(i))
}

// said is row i as messages have it.
func (v *Vector) said(i int) string {
	if v.IsNull(i) {
		return "null"
	}
	if v.Unit != "" && v.Unit != "1" {
		return v.Text(i) + " " + v.Unit
	}
	return v.Text(i)
}

// ValueDifference is a column in which two rows differ, and what they say there.
type ValueDifference struct{ Column, A, B string }

// Differs is the first of the columns in which row i of the table is not, bit for
// bit, what b says; nil where there is none. Table and row have them all.
func (t *Table) Differs(i int, b *Row, columns []string) *ValueDifference {
	seed := maphash.MakeSeed()
	for _, name := range columns {
		v, w := t.Column(name), b.vector(b.schema.Index(name))
		if v.Type != w.Type || v.IsNull(i) != w.IsNull(0) || v.hash(seed, i) != w.hash(seed, 0) {
			return &ValueDifference{name, v.said(i), w.said(0)}
		}
	}
	return nil
}

// describe names the two files, who wrote them, and the values that differ in the
// first of n records.
func (x *Index) describe(d *difference, n int, r Records) *Problem {
	to := slices.Repeat([]int32{-1}, x.rows)
	to[d.a], to[d.b] = 0, 1
	t, problems := readParts(x.parts, Schema{x.schema[x.schema.Index(r.Key)], d.column}, to, 2)
	if len(problems) > 0 {
		return problems[0]
	}
	said := func(i int) string { return t.Columns[1].said(i) }
	a, b := x.partOf(d.a), x.partOf(d.b)
	by := func(p *part) string {
		if program := p.meta[r.Writer]; program != "" {
			return "(written by " + strings.ReplaceAll(program, "\n", " or ") + ")" // a merged part may have several
		}
		return "(which does not say what program wrote it)"
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

// partOf is the part that holds a row.
func (x *Index) partOf(row int32) *part {
	for _, p := range x.parts {
		if row -= int32(p.rows); row < 0 {
			return p
		}
	}
	panic(fmt.Sprintf("store: no part holds row %d of %d", row, x.rows))
}
