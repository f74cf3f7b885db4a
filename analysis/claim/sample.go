package claim

import (
	"fmt"
	"maps"
	"slices"

	"schedsweep/analysis/frame"
	"schedsweep/analysis/stats"
	"schedsweep/sweep/text"
)

// sample is the rows of one run that one side of a statistic rests on.
type sample struct {
	run    *prepared
	chosen []int32 // rows that meet the terms, failed ones too
	points []int32 // of Run.Planned that meet the terms
	frame.Counts
	reason  string // the reason for an empty sample
	remarks []string
	obs     []observation // usable rows in an order that does not depend on that of the rows
	holes   []hole        // chosen rows that are not usable
	whole   []int         // of each replication how many rows were chosen
	active  map[int32]int // of each class of points the replications used; nil where they are as many at all points
	metric  string
	// cells are the values of a crossing's axis, rowCell that of each row of the run.
	cells   []frame.Value
	rowCell []int32
	// selected says in words which rows were chosen, and described does so term by term.
	selected  string
	described []string
	shared    *frame.Sharing // of the chosen rows, once it was requested
}

type observation struct {
	cell, replication, row int32
	x, y                   float64
}

// newSample selects rows of a run that ended well and have a finite metric; x may be "". cells, when not nil, gives each
// row a cell.
func newSample(run *prepared, terms []frame.Term, metric, x string, cells []int32) *sample {
	s := &sample{run: run, metric: metric}
	fail := func(format string, args ...any) *sample {
		s.reason = run.named(fmt.Sprintf(format, args...))
		return s
	}
	if run.Frame == nil || run.Frame.Rows == 0 {
		return fail("there are no rows; %s", run.Remedy)
	}
	rows, reason := run.found.Rows(terms)
	if reason != "" {
		return fail("%s", reason)
	}
	s.chosen = rows
	s.Counts = frame.Count(rows, run.ok, frame.Amount{})
	if run.Planned != nil {
		if s.points, reason = run.foundPoints.Rows(terms); reason != "" {
			return fail("%s", reason)
		}
		s.Planned = frame.Exactly(run.planned(s.points))
	}
	ys, err := run.Frame.NeedNumbers("metric", metric)
	if err != nil {
		return fail("the rows have no metric %s", metric)
	}
	var xs *frame.Column
	if x != "" {
		if xs, err = run.Frame.NeedNumbers("x", x); err != nil {
			return fail("the rows have no numbers %s", x)
		}
	}
	switch missing := s.Planned.N - len(rows); {
	case s.Planned.Known && missing > 0:
		return fail("%d of %d planned instances have no row yet; %s", missing, s.Planned.N, run.Remedy)
	case len(rows) == 0:
		return fail("no instance is selected by %s", frame.DescribeTerms(terms))
	}
	if slices.ContainsFunc(rows, func(r int32) bool { return run.classOf(r) < 0 }) {
		return fail("points with the same values of all axes have different numbers of replications: make what tells them apart an axis")
	}
	s.observe(rows, ys, xs, cells)
	s.selected = frame.DescribeTerms(terms)
	s.described = text.Each(terms, func(t frame.Term) string { return frame.DescribeTerms([]frame.Term{t}) })
	if run.Name != "" {
		s.selected = "run " + run.Name + ", " + s.selected
		s.described = append([]string{"run " + run.Name}, s.described...)
	}
	s.remarks = append(s.remarks, run.Remarks...)
	if len(s.obs) == 0 {
		return fail("no instance of %d that %s selects has a finite %s%s", len(rows), frame.DescribeTerms(terms), metric, s.tooShort())
	}
	return s
}

// observe takes the usable rows in; xs and cells may be nil.
func (s *sample) observe(rows []int32, ys, xs *frame.Column, cells []int32) {
	s.chosen, s.obs = rows, make([]observation, 0, len(rows))
	s.whole = make([]int, len(s.run.replication.Values))
	for _, r := range rows {
		o := observation{replication: s.run.replication.Codes[r], y: ys.Number(r) + 0}
		s.whole[o.replication]++
		if xs != nil {
			o.x = xs.Number(r) + 0
		}
		if cells != nil {
			o.cell = cells[r]
		}
		o.row = r
		if ok := s.run.ok == nil || s.run.ok[r]; !ok || !stats.Finite(o.y) {
			s.holes = append(s.holes, hole{o, !ok})
			continue
		}
		s.obs = append(s.obs, o)
	}
	s.inOrder()
}

// tooShort explains means of a steady state that are undefined, "" of other metrics.
func (s *sample) tooShort() string {
	if !frame.OfSteadyState(s.metric) || s.notFinite() == 0 {
		return ""
	}
	return ", as runs are too short for a steady state: give longer runs or use another metric"
}

// jobs is the degree to which the replications of the chosen rows share the jobs of a log.
func (s *sample) jobs() frame.Sharing {
	if s.shared == nil {
		sharing := s.run.shares.Of(s.chosen)
		s.shared = &sharing
	}
	return *s.shared
}

// drifts returns warnings where the sample's values depend on how long runs are.
func (s *sample) drifts() []stats.Warning {
	if s.reason != "" {
		return nil
	}
	return s.run.drifts.Of(s.metric, s.chosen)
}

// counting is the rows of several samples of a run, each counted once.
type counting map[*prepared]*counted

type counted struct {
	rows   []bool // by their numbers: there may be a million
	points map[int32]bool
}

func (c counting) add(samples []*sample) {
	for _, s := range samples {
		of := text.At(c, s.run)
		if of.points == nil {
			of.points = map[int32]bool{}
			if s.run.Frame != nil {
				of.rows = make([]bool, s.run.Frame.Rows)
			}
		}
		for _, r := range s.chosen {
			of.rows[r] = true
		}
		for _, p := range s.points {
			of.points[p] = true
		}
	}
}

func (c counting) counts() frame.Counts {
	sum := frame.Counts{Planned: frame.Amount{Known: len(c) > 0}}
	for run, of := range c {
		for r, chosen := range of.rows {
			if chosen && (run.ok == nil || run.ok[r]) {
				sum.OK++
			} else if chosen {
				sum.Failed++
			}
		}
		if run.Planned == nil {
			sum.Planned.Known = false
			continue
		}
		sum.Planned.N += run.planned(slices.Collect(maps.Keys(of.points)))
	}
	if !sum.Planned.Known {
		sum.Planned.N = 0
	}
	return sum
}

func countsOf(samples []*sample) frame.Counts {
	c := counting{}
	c.add(samples)
	return c.counts()
}

func (t *test) all(is func(*sample) bool) bool {
	return !slices.ContainsFunc(t.samples, func(s *sample) bool { return !is(s) })
}

// identical reports whether all replications that the test uses are the same, in what it reads and in every other metric of the
// study. It compares their means over the rows of each class of points. Their agreement is then no evidence.
func (s *sample) identical() bool {
	if !s.agree(func(o *observation) float64 { return o.y }) || !s.agree(func(o *observation) float64 { return o.x }) {
		return false // as nearly always, and without a look at the other metrics
	}
	for _, m := range s.run.Design.Metrics {
		c := s.run.Frame.Held(m)
		if c != nil && !c.IsText() && !s.agree(func(o *observation) float64 { return c.Number(o.row) }) {
			return false
		}
	}
	return true
}

// agree reports whether replications with as many others at their points have the same mean.
func (s *sample) agree(value func(*observation) float64) bool {
	classes := map[int32][][]float64{} // values by replication
	for i := range s.obs {
		o := &s.obs[i]
		class := s.run.classOf(o.row)
		if s.active == nil {
			class = 0
		}
		if classes[class] == nil {
			classes[class] = make([][]float64, len(s.whole))
		}
		classes[class][o.replication] = append(classes[class][o.replication], value(o))
	}
	for _, each := range classes {
		var a stats.Agreement
		if a.Add(len(each), func(rep int) float64 { return stats.TakeSample(each[rep]).Mean() }); a.Differ {
			return false
		}
	}
	return true
}
