package frame

import (
	"fmt"
	"slices"

	"schedsweep/sweep/study"
)

// Term restricts a column.
type Term struct {
	Path     string
	Values   []Value
	Ranged   bool
	from, to float64
}

// TermsOf makes the terms of a manifest ones of values as rows hold them.
func TermsOf(from []study.Term) []Term {
	out := make([]Term, len(from))
	for i, t := range from {
		out[i] = Term{Path: t.Path, Ranged: t.Range, from: t.From, to: t.To}
		for _, v := range t.Values {
			out[i].Values = append(out[i].Values, ValueOf(v))
		}
	}
	return out
}

// Has tells whether the term lets a value pass.
func (t *Term) Has(v Value) bool {
	if t.Ranged {
		return v.Number >= t.from && v.Number <= t.to
	}
	return slices.ContainsFunc(t.Values, v.Is)
}

// MatchingRows lists the rows that meet all terms; its reason names a column that there is not.
func MatchingRows(f *Frame, terms []Term) (rows []int32, reason string) {
	for _, t := range terms {
		if f.Column(t.Path) == nil {
			return nil, fmt.Sprintf("there is no axis %s", t.Path)
		}
	}
	rows = Every(f)
	for _, t := range terms {
		l := LevelsOf(f.Column(t.Path), nil)
		has := make([]bool, len(l.Values))
		for i, v := range l.Values {
			has[i] = t.Has(v)
		}
		rows = slices.DeleteFunc(rows, func(row int32) bool { return !has[l.Codes[row]] })
	}
	return rows, ""
}

// DescribeTerms writes a selection as a person would.
func DescribeTerms(terms []Term) string {
	if len(terms) == 0 {
		return "all"
	}
	var all []string
	for _, t := range terms {
		if t.Ranged {
			all = append(all, fmt.Sprintf("%s from %s to %s", t.Path, Number(t.from), Number(t.to)))
		} else {
			all = append(all, t.Path+" = "+List(Printed(t.Values)))
		}
	}
	return List(all)
}
