package report

import (
	"schedsweep/analysis/frame"
)

// Coverage is which of the planned instances have an answer.
type Coverage struct {
	Planned  int
	Outcomes []Outcome // of the rows that there are; "ok" the first
	Lacking  []Level   // levels of axes at which answers are missing
	Failures []Failure // the most frequent first
	Notes    []string
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

func (c *Coverage) OK() int {
	for _, o := range c.Outcomes {
		if o.Name == "ok" {
			return o.N
		}
	}
	return 0
}

func (c *Coverage) Rows() int {
	n := 0
	for _, o := range c.Outcomes {
		n += o.N
	}
	return n
}

func (c *Coverage) Missing() int { return c.Planned - c.Rows() }

// mostLevels is how many of those are listed that lack answers.
const mostLevels = 200

// Look finds the levels of axes that are not whole: rows needs the columns of the axes and of the outcome, planned is
// [frame.PlannedPoints].
func (c *Coverage) Look(rows, planned *frame.Frame, d *frame.Design) {
	ok := d.Answered(rows)
	replications := planned.Column(frame.PlannedColumn).Numbers
	for _, axis := range d.Axes {
		all := frame.LevelsOf(planned.Column(axis), d.Order[axis])
		levels := make([]Level, len(all.Values))
		for i, v := range all.Values {
			levels[i] = Level{Axis: axis, Value: v.String()}
		}
		for row, code := range all.Codes {
			levels[code].Planned += int(replications[row])
		}
		there := frame.LevelsOf(rows.Column(axis), d.Order[axis])
		to := make([]int, len(there.Values))
		for i, v := range there.Values {
			to[i] = all.Of(v)
		}
		for row, code := range there.Codes {
			l := to[code]
			switch {
			case l < 0:
			case ok == nil || ok[row]:
				levels[l].OK++
			default:
				levels[l].Failed++
			}
		}
		for _, l := range levels {
			if l.OK < l.Planned && len(c.Lacking) < mostLevels {
				c.Lacking = append(c.Lacking, l)
			}
		}
	}
}
