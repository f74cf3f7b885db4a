package claim

import (
	"fmt"
	"slices"
	"strings"

	"schedsweep/analysis/frame"
	"schedsweep/sweep/study"
	"schedsweep/sweep/text"
)

// unlike returns remarks on points of a side without a counterpart on the other: the sides then differ in more than the claim names. Axes
// that the sides choose differently, and that of x, may differ. So may an axis that a side has no value of, and one that has a single
// value on each side.
func unlike(s *study.Statistic, of, to side) (remarks []string) {
	axes := slices.DeleteFunc(slices.Clone(of.run.Design.Axes), func(a string) bool {
		return a == s.X || of.chooses(a, &to) || to.chooses(a, &of)
	})
	ours, theirs := of.columns(axes), to.columns(axes)
	for i := len(axes) - 1; i >= 0; i-- {
		if a, b := known(ours[i]), known(theirs[i]); a == 0 || b == 0 || a == 1 && b == 1 {
			axes, ours, theirs = slices.Delete(axes, i, i+1), slices.Delete(ours, i, i+1), slices.Delete(theirs, i, i+1)
		}
	}
	here, there := places(axes, ours), places(axes, theirs)
	add := func(side, other *side, own, others []string) {
		met := map[string]bool{}
		for _, p := range others {
			met[p] = true
		}
		only := slices.DeleteFunc(slices.Clone(own), func(p string) bool { return met[p] })
		if len(only) == 0 {
			return
		}
		remarks = append(remarks, fmt.Sprintf("%d of %d points of %s have no counterpart at %s: %s", len(only), len(own),
			side.besides(other), other.besides(side), firstOf(only)))
	}
	add(&of, &to, here, there)
	add(&to, &of, there, here)
	return remarks
}

// lackingPartners returns remarks on instances of a share that lack partners, as after exclude: rows of one cell are partners.
func lackingPartners(of, to *sample, cells []int32) (remarks []string) {
	if len(of.chosen) == 0 {
		return nil
	}
	partners := map[int32]int{}
	for _, row := range to.chosen {
		partners[cells[row]]++
	}
	points, at := of.run.points().Of, map[int32]int{} // at a point: some of its replications may lack them, which another remark says
	most, none, fewer := 0, 0, 0
	for _, row := range of.chosen {
		n := partners[cells[row]]
		most, at[points[row]] = max(most, n), max(at[points[row]], n)
	}
	for _, row := range of.chosen {
		switch n := at[points[row]]; {
		case most == 0: // there is no share, and its reason says so
		case n == 0:
			none++
		case n < most:
			fewer++
		}
	}
	add := func(n int, one, more string) {
		if n > 0 {
			remarks = append(remarks, fmt.Sprintf("%d of %d instances of %s %s", n, len(of.chosen), of.selected, text.Either(n, one, more)))
		}
	}
	add(none, "has no partner and is left out", "have no partner and are left out")
	add(fewer, "has fewer partners than others", "have fewer partners than others")
	return remarks
}

// chooses reports whether the side restricts an axis in another way than the other side.
func (s *side) chooses(axis string, other *side) bool {
	return slices.ContainsFunc(s.terms, func(t frame.Term) bool { return t.Path == axis && !other.has(t) })
}

func (s *side) has(term frame.Term) bool {
	return slices.ContainsFunc(s.terms, func(t frame.Term) bool {
		return frame.DescribeTerms([]frame.Term{t}) == frame.DescribeTerms([]frame.Term{term})
	})
}

// besides describes the rows of the side by what the other side does not have: its run, and terms.
func (s *side) besides(other *side) string {
	own := slices.DeleteFunc(slices.Clone(s.terms), func(t frame.Term) bool { return other.has(t) })
	switch {
	case s.run == other.run || s.run.Name == "":
		return frame.DescribeTerms(own)
	case len(own) == 0:
		return "run " + s.run.Name
	}
	return "run " + s.run.Name + ", " + frame.DescribeTerms(own)
}

// columns are the values of axes at the points of the side; none of an axis that its run does not have.
func (s *side) columns(axes []string) [][]frame.Value {
	out, f, found := make([][]frame.Value, len(axes)), s.frame(), s.run.found
	if s.run.Planned != nil {
		found = s.run.foundPoints
	}
	if f == nil {
		return out
	}
	rows, _ := found.Rows(s.terms) // where it selects none, the statistic has no value, and says why
	for i, c := range f.Columns(axes) {
		if c != nil {
			for _, row := range rows {
				out[i] = append(out[i], c.At(int(row)))
			}
		}
	}
	return out
}

// known counts the different values that are not null, up to 2.
func known(values []frame.Value) int {
	i := slices.IndexFunc(values, func(v frame.Value) bool { return !v.IsNull })
	switch {
	case i < 0:
		return 0
	case slices.ContainsFunc(values, func(v frame.Value) bool { return !v.IsNull && !v.Equal(values[i]) }):
		return 2
	}
	return 1
}

// places describes points by their values of axes, each once.
func places(axes []string, columns [][]frame.Value) (out []string) {
	if len(axes) == 0 {
		return nil
	}
	seen := map[string]bool{}
	for row := range columns[0] {
		values := text.Each(columns, func(c []frame.Value) frame.Value { return c[row] })
		if at := strings.Join(frame.Assignments(axes, frame.Printed(values)), ", "); !seen[at] {
			seen[at] = true
			out = append(out, at)
		}
	}
	return out
}
