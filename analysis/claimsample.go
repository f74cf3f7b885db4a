package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"schedsweep/sweep/study"
)

// term restricts a column.
type term struct {
	path     string
	values   []Value
	ranged   bool
	from, to float64
}

func termsOf(from []study.Term) []term {
	out := make([]term, len(from))
	for i, t := range from {
		out[i] = term{path: t.Path, ranged: t.Range, from: t.From, to: t.To}
		for _, v := range t.Values {
			out[i].values = append(out[i].values, valueOf(v))
		}
	}
	return out
}

func (t *term) has(v Value) bool {
	if t.ranged {
		return v.Number >= t.from && v.Number <= t.to
	}
	return slices.ContainsFunc(t.values, v.is)
}

// matchingRows lists the rows that meet all terms; its reason names a column that there is not.
func matchingRows(f *Frame, terms []term) (rows []int32, reason string) {
	for _, t := range terms {
		if f.Column(t.path) == nil {
			return nil, fmt.Sprintf("there is no axis %s", t.path)
		}
	}
	keep := make([]bool, f.Rows)
	for i := range keep {
		keep[i] = true
	}
	for _, t := range terms {
		l := levelsOf(f.Column(t.path), nil)
		has := make([]bool, len(l.values))
		for i, v := range l.values {
			has[i] = t.has(v)
		}
		for i, code := range l.codes {
			keep[i] = keep[i] && has[code]
		}
	}
	for i, k := range keep {
		if k {
			rows = append(rows, int32(i))
		}
	}
	return rows, ""
}

// claimSample is the rows of one run that one side of a statistic rests on.
type claimSample struct {
	run    *claimRun
	chosen []int32 // rows that meet the terms, failed ones too
	points []int32 // of Run.Planned that meet the terms
	Counts
	reason  string // why there is nothing
	remarks []string
	obs     []observation // usable rows in an order that does not depend on that of the rows
	holes   []hole        // chosen rows that are not usable
	whole   []int         // of each replication how many rows were chosen
	active  map[int32]int // of each class of points the replications used; nil where they are as many at all points
	metric  string
	// cells are the values of a crossing's axis, rowCell that of each row of the run.
	cells   []Value
	rowCell []int32
	// selected says in words which rows were chosen.
	selected string
	shared   *Sharing // of the chosen rows, once it was asked for
}

// observation is what one row brings to a statistic.
type observation struct {
	cell, replication, row int32
	x, y                   float64
}

// newSample selects rows of a run that ended well and have a finite metric; x may be "". cells, when not nil, gives each
// row a cell.
func newSample(run *claimRun, terms []term, metric, x string, cells []int32) *claimSample {
	s := &claimSample{run: run, Counts: Counts{Planned: -1}, metric: metric}
	fail := func(format string, args ...any) *claimSample {
		s.reason = fmt.Sprintf(format, args...)
		if run.Name != "" {
			s.reason = "run " + run.Name + ": " + s.reason
		}
		return s
	}
	if run.Frame == nil {
		return fail("there are no rows; %s", run.Remedy)
	}
	if run.replication.codes == nil {
		return fail("there are no rows with replications")
	}
	rows, reason := matchingRows(run.Frame, terms)
	if reason != "" {
		return fail("%s", reason)
	}
	s.chosen = rows
	s.Counts = counted(rows, run.ok, -1)
	if run.Planned != nil {
		if s.points, reason = matchingRows(run.Planned, terms); reason != "" {
			return fail("%s", reason)
		}
		s.Planned = run.planned(s.points)
	}
	ys, err := run.Frame.needNumbers("metric", metric)
	if err != nil {
		return fail("the rows have no metric %s", metric)
	}
	var xs *Column
	if x != "" {
		if xs, err = run.Frame.needNumbers("x", x); err != nil {
			return fail("the rows have no numbers %s", x)
		}
	}
	switch missing := s.Planned - len(rows); {
	case s.Planned >= 0 && missing > 0:
		return fail("%d of %d planned instances have no row yet; %s", missing, s.Planned, run.Remedy)
	case s.Planned < 0 && run.Frame.Rows < run.Instances:
		return fail("%d of %d planned instances have no row yet; %s", run.Instances-run.Frame.Rows, run.Instances, run.Remedy)
	case len(rows) == 0:
		return fail("no instance is selected by %s", describeTerms(terms))
	}
	if slices.ContainsFunc(rows, func(r int32) bool { return run.classOf(r) < 0 }) {
		return fail("points with the same values of all axes have different numbers of replications: make what tells them apart an axis")
	}
	s.observe(rows, ys, xs, cells)
	s.selected = describeTerms(terms)
	if run.Name != "" {
		s.selected = "run " + run.Name + ", " + s.selected
	}
	s.remarks = append(s.remarks, run.Remarks...)
	if len(s.obs) == 0 {
		return fail("none of the %d instances selected by %s has a finite %s", len(rows), describeTerms(terms), metric)
	}
	return s
}

// observe takes the usable rows in; xs and cells may be nil.
func (s *claimSample) observe(rows []int32, ys, xs *Column, cells []int32) {
	s.chosen = rows
	s.whole = make([]int, len(s.run.replication.values))
	for _, r := range rows {
		o := observation{replication: s.run.replication.codes[r], y: ys.Numbers[r] + 0}
		s.whole[o.replication]++
		if xs != nil {
			o.x = xs.Numbers[r] + 0
		}
		if cells != nil {
			o.cell = cells[r]
		}
		o.row = r
		if ok := s.run.ok == nil || s.run.ok[r]; !ok || !finite(o.y) {
			s.holes = append(s.holes, hole{o, !ok})
			continue
		}
		s.obs = append(s.obs, o)
	}
	slices.SortFunc(s.obs, func(a, b observation) int {
		return cmp.Or(cmp.Compare(a.cell, b.cell), cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y), cmp.Compare(a.replication, b.replication), cmp.Compare(s.run.classOf(a.row), s.run.classOf(b.row)))
	})
}

// jobs says how far the replications of the chosen rows share the jobs of a log.
func (s *claimSample) jobs() Sharing {
	if s.shared == nil {
		sharing := s.run.shares.of(s.chosen)
		s.shared = &sharing
	}
	return *s.shared
}

func finite(v float64) bool { return v-v == 0 }

// describeTerms writes a selection as a person would.
func describeTerms(terms []term) string {
	if len(terms) == 0 {
		return "all"
	}
	s := ""
	for i, t := range terms {
		if i > 0 {
			s += ", "
		}
		if t.ranged {
			s += fmt.Sprintf("%s from %s to %s", t.path, Number(t.from), Number(t.to))
			continue
		}
		s += t.path + " = " + commas(printed(t.values))
	}
	return s
}

// union counts the instances of several samples once each.
type union struct {
	rows, points map[*claimRun]map[int32]bool
	unknown      bool
}

func (u *union) add(s *claimSample) {
	if u.rows == nil {
		u.rows, u.points = map[*claimRun]map[int32]bool{}, map[*claimRun]map[int32]bool{}
	}
	if u.rows[s.run] == nil {
		u.rows[s.run], u.points[s.run] = map[int32]bool{}, map[int32]bool{}
	}
	for _, r := range s.chosen {
		u.rows[s.run][r] = true
	}
	for _, p := range s.points {
		u.points[s.run][p] = true
	}
	u.unknown = u.unknown || s.run.Planned == nil
}

func (u *union) counts() Counts {
	var c Counts
	for run, rows := range u.rows {
		for r := range rows {
			if run.ok == nil || run.ok[r] {
				c.OK++
			} else {
				c.Failed++
			}
		}
		if run.Planned != nil {
			c.Planned += run.planned(slices.Collect(maps.Keys(u.points[run])))
		}
	}
	if u.unknown {
		c.Planned = -1
	}
	return c
}
