package report

import (
	"fmt"
	"strconv"

	"schedsweep/analysis/claim"
	"schedsweep/analysis/compare"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/table"
	"schedsweep/sweep/text"
)

type card struct {
	Name  string
	Value string
	Chips []chip
}

type chip struct {
	Text, Class string
	N           int
}

var claimClass = map[claim.Verdict]string{claim.Holds: "good", claim.DoesNotHold: "bad", claim.CannotTell: "open", claim.Reported: "plain"}

func counted(v claim.Verdict, n int) string {
	if n == 1 {
		return v.String()
	}
	return map[claim.Verdict]string{claim.Holds: "hold", claim.DoesNotHold: "do not hold", claim.CannotTell: "inconclusive",
		claim.Reported: "reported"}[v]
}

// ours is a part's statistic, between the ends of its interval, "" where there is none.
func ours(p *claim.Part) string {
	return table.Number(p.Estimate, table.SlopeDecimals(p.Interval)).Read()
}

func between(p *claim.Part) string {
	if !p.Bounded() {
		return ""
	}
	k := table.SlopeDecimals(p.Interval)
	return table.Number(p.Low, k).Read() + " to " + table.Number(p.High, k).Read()
}

var comparisonClass = []struct {
	verdict compare.Verdict
	class   string
}{{compare.Better, "good"}, {compare.Worse, "bad"}, {compare.Higher, "plain"}, {compare.Lower, "plain"}, {compare.Equivalent, "plain"},
	{compare.Identical, "plain"}, {compare.CannotTell, "open"}, {compare.NoData, "plain"}}

func (s *shown) comparisons() {
	for _, c := range comparisonClass {
		if n := s.Result.Verdicts[c.verdict]; n > 0 {
			s.Verdicts, s.Compared = append(s.Verdicts, chip{c.verdict.String(), c.class, n}), s.Compared+n
		}
	}
	for i := range s.Result.Regressions {
		c := &s.Result.Regressions[i]
		s.Regressions = append(s.Regressions, frame.List((&frame.Design{Units: c.Units}).Printed(c.Axes, c.Level))+": "+c.String())
	}
	s.More = s.Result.Regressed - len(s.Regressions)
}

func (s *shown) cards() {
	c := &s.Coverage
	instances := card{Name: "Instances", Value: fmt.Sprintf("%d of %d", c.OK, c.Planned)}
	for _, o := range c.Outcomes {
		class := "bad"
		if o.Name == "ok" {
			class = "good"
		}
		instances.Chips = append(instances.Chips, chip{o.Name, class, o.N})
	}
	if n := c.Missing(); n > 0 {
		instances.Chips = append(instances.Chips, chip{"missing", "open", n})
	}
	s.Cards = append(s.Cards, instances)
	if all := s.Result.Claims; len(all) > 0 {
		count, claims := claim.Tally(all), card{Name: "Claims", Value: strconv.Itoa(len(all))}
		for _, v := range claim.Verdicts {
			if count[v] > 0 {
				claims.Chips = append(claims.Chips, chip{counted(v, count[v]), claimClass[v], count[v]})
			}
		}
		s.Cards = append(s.Cards, claims)
	}
	if s.Compared > 0 {
		s.Cards = append(s.Cards, card{"Comparisons", strconv.Itoa(s.Compared), s.Verdicts})
	}
}

// Coverage counts the planned instances that have an answer.
type Coverage struct {
	Planned, Rows, OK int
	Outcomes          []Outcome // of the rows that there are; "ok" the first
	Lacking           []Level   // levels of axes at which answers are missing
	Left              int       // further ones
	Failures          []Failure // the most frequent first
	Notes             []string
}

type Outcome struct {
	Name string
	N    int
}

type Level struct {
	Axis, Value         string
	Planned, OK, Failed int
}

func (l Level) Missing() int { return l.Planned - l.OK - l.Failed }

type Failure struct {
	N    int    // instances
	ID   string // of the first; "" where that says nothing
	Text string
}

func (c *Coverage) Missing() int { return c.Planned - c.Rows }

const mostLevels = 200

// Look finds the levels of axes that are not whole: rows needs the columns of the axes and of the outcome, planned is
// [frame.PlannedPoints].
func (c *Coverage) Look(rows, planned *frame.Frame, d *frame.Design) {
	ok := d.Answered(rows)
	replications := planned.Column(frame.PlannedColumn).Numbers
	for _, axis := range d.Axes {
		all := frame.LevelsOf(planned.Held(axis), d.Order[axis])
		levels := text.Each(all.Values, func(v frame.Value) Level { return Level{Axis: axis, Value: v.String()} })
		for row, code := range all.Codes {
			levels[code].Planned += int(replications[row])
		}
		for row, l := range all.Places(frame.LevelsOf(rows.Held(axis), nil)) {
			switch {
			case l < 0:
			case ok == nil || ok[row]:
				levels[l].OK++
			default:
				levels[l].Failed++
			}
		}
		for _, l := range levels {
			switch {
			case l.OK >= l.Planned:
			case len(c.Lacking) < mostLevels:
				c.Lacking = append(c.Lacking, l)
			default:
				c.Left++
			}
		}
	}
}
