package analysis

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"schedsweep/analysis/figure"
	"schedsweep/analysis/frame"
	"schedsweep/analysis/question"
	"schedsweep/analysis/table"
	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// String tells a person how far the question is.
func (q *Inquired) String() string {
	told := q.ID + ": " + q.Says()
	if q.Why != "" {
		told += ": " + q.Why
	}
	for _, note := range append(q.notes(), q.controls()) {
		if note != "" {
			told += "; " + note
		}
	}
	told += fmt.Sprintf(" (%s in %s", text.Counted(q.Instances, "instance"), text.Counted(q.Rounds, "round"))
	if q.Grid > 0 && q.Kind != "mean" {
		told += fmt.Sprintf("; a grid as precise has %d", q.Grid)
	}
	switch open := q.State == question.Open; {
	case q.More > 0 && (open || q.State == question.Undecided):
		told += fmt.Sprintf("; an answer takes about %d more", q.More)
	case open && q.Lacking > 0:
		told += fmt.Sprintf("; the next round has %d more", q.Lacking)
	}
	return told + ")"
}

func (q *Inquired) controls() string {
	switch names := strings.Join(q.Controlled(), " and "); {
	case names == "" || q.Rounds == 0:
		return ""
	case math.IsNaN(q.R2) && q.hasControls:
		return fmt.Sprintf("there is no anchor, at which the share that %s explain is measured", names)
	case math.IsNaN(q.R2):
		return "no controls, for the rows have no " + names
	case q.R2 < 0.005:
		return fmt.Sprintf("%s explain nothing of the variance of %s", names, q.Asked.Metric)
	default:
		return fmt.Sprintf("%s explain %.2f of the variance of %s", names, q.R2, q.Asked.Metric)
	}
}

// Says is the answer in words, without how it was found.
func (q *Inquired) Says() string {
	shared := q.shared()
	metric := q.Asked.Metric + shared
	on, unit := q.Asked.By, ""
	if q.Asked.X != "" {
		on, unit = q.Asked.X, q.units[q.Asked.X]
	} else if q.Chosen >= 0 {
		unit = q.axes[q.Chosen].Unit
	}
	switch q.State {
	case question.Several:
		places := text.Each(q.Places, func(p [2]float64) string { return withUnit(p[0], unit) + " and " + withUnit(p[1], unit) })
		return "several crossings: between " + strings.Join(places, ", between ")
	case question.None:
		return q.saysNone(metric)
	}
	begins := map[question.State]string{question.Open: "open", question.Undecided: "undecided"}[q.State]
	if b := q.Bracket; begins != "" && b[0] != b[1] && !math.IsNaN(b[0]) {
		begins += fmt.Sprintf(", between %s and %s", withUnit(min(b[0], b[1]), unit), withUnit(max(b[0], b[1]), unit))
	}
	if begins != "" && (math.IsNaN(q.Estimate) || q.Chosen >= 0 && !q.Bounded()) {
		return begins
	}
	if begins != "" {
		begins += ", so far "
	}
	switch q.Kind {
	case "mean":
		return fmt.Sprintf("%s%s is %s", begins, metric, q.interval(q.units[q.Asked.Metric]))
	case "best":
		names := text.Each(q.Answer.Sides, q.SideName) // of the ones that are left
		switch {
		case q.State == question.Alike:
			return fmt.Sprintf("%s are alike in %s within %s %%", strings.Join(names, ", "), metric, number(100*q.Margin))
		case len(names) == 1 && q.Within > 0:
			return fmt.Sprintf("%s has the best %s, or one within %s %% of the best", names[0], metric, number(100*q.Margin))
		case len(names) == 1:
			return fmt.Sprintf("%s has the best %s", names[0], metric)
		}
		told := fmt.Sprintf("%sthe best %s is one of %s", begins, metric, strings.Join(names, ", "))
		if q.Within > 0 && !math.IsInf(q.Within, 1) {
			told += fmt.Sprintf(", which differ by at most %.2g %%", 100*q.Within)
		}
		return told
	}
	switch {
	case len(q.Question.Sides) > 1:
		if shared != "" {
			shared = ", both" + shared
		}
		return fmt.Sprintf("%s%s is %s where %s equals that of %s%s", begins, on, q.interval(unit), q.first(), q.target(), shared)
	case (q.Sign > 0) == q.Upper:
		return fmt.Sprintf("%s%s is %s up to %s of %s", begins, metric, q.bound(), on, q.interval(unit))
	}
	return fmt.Sprintf("%s%s is %s from %s of %s on", begins, metric, q.bound(), on, q.interval(unit))
}

// saysNone is the answer that there is no crossing.
func (q *Inquired) saysNone(metric string) string {
	kept, within := (q.Sign < 0) == q.Upper, ""
	if q.Within > 0 {
		within = fmt.Sprintf(", within %.2g %%", 100*q.Within)
	}
	switch {
	case q.Sign == 0 && within == "":
		return "no crossing in the range"
	case q.Sign == 0 && q.Kind == "threshold":
		return fmt.Sprintf("%s is %s all along%s", metric, withUnit(q.Asked.AtMost+q.Asked.AtLeast, q.units[q.Asked.Metric]), within)
	case q.Kind == "threshold" && kept:
		return fmt.Sprintf("%s is %s all along%s", metric, q.bound(), within)
	case q.Kind == "threshold":
		return fmt.Sprintf("%s is nowhere %s in the range%s", metric, q.bound(), within)
	}
	how := map[int]string{-1: "below", 0: "equal to", 1: "above"}[q.Sign]
	return fmt.Sprintf("no crossing in the range: %s is %s that of %s all along%s", q.first(), how, q.target(), within)
}

// first names the metric and the first side of a crossing, which has no name where the sides differ in the chosen axis alone.
func (q *Inquired) first() string {
	if name := q.SideName(0); name != "" {
		return q.Asked.Metric + " of " + name
	}
	return q.Asked.Metric
}

// target names the second side of a crossing, with the growth.
func (q *Inquired) target() string {
	name := q.SideName(1)
	switch g := 100 * q.Asked.Growth; {
	case g > 0:
		name += " + " + number(g) + " %"
	case g < 0:
		name += " - " + number(-g) + " %"
	}
	return name
}

func (q *Inquired) bound() string {
	unit := q.units[q.Asked.Metric]
	if q.Upper {
		return "at most " + withUnit(q.Asked.AtMost, unit)
	}
	return "at least " + withUnit(q.Asked.AtLeast, unit)
}

// shared names the values that all sides have of the axes with several.
func (q *Inquired) shared() string {
	var names []string
	for i, v := range q.Question.Sides[0] {
		other := func(side []params.Value) bool { return side[i] != v }
		absent := func(values []params.Value) bool { return values[i].Null }
		if len(q.axes[i].Values) > 1 && !v.Null && !slices.ContainsFunc(q.values, absent) && !slices.ContainsFunc(q.Question.Sides, other) {
			names = append(names, q.valueName(i, v))
		}
	}
	if names == nil {
		return ""
	}
	return " of " + strings.Join(names, ", ")
}

func (q *Inquired) interval(unit string) string {
	each := unit
	if unit == "s" { // of all three alike
		each = ""
	}
	switch estimate := withUnit(q.Estimate, unit); {
	case q.State == question.AtEnd && math.IsInf(q.High, 1):
		return fmt.Sprintf("%s, the end of the range, or above [%s or above]", estimate, withUnit(q.Low, each))
	case q.State == question.AtEnd:
		return fmt.Sprintf("%s, the end of the range, or below [%s or below]", estimate, withUnit(q.High, each))
	default:
		return fmt.Sprintf("%s [%s, %s]", estimate, withUnit(q.Low, each), withUnit(q.High, each))
	}
}

// SideName returns the values in which a side differs from another, on the axes that both have values of.
func (q *Inquired) SideName(side int) string {
	var differ []string
	has := func(side, axis int) bool { return !q.values[side][axis].Null }
	for i, v := range q.Question.Sides[side] {
		for o, other := range q.Question.Sides {
			if !v.Null && has(side, i) && has(o, i) && other[i] != v {
				differ = append(differ, q.valueName(i, v))
				break
			}
		}
	}
	return strings.Join(differ, ", ")
}

// valueName is a value of an axis: a number without a unit has the axis' name before it.
func (q *Inquired) valueName(axis int, v params.Value) string {
	a := &q.axes[axis]
	number, ok := v.As(params.Float), a.Type == params.Float || a.Type == params.Int
	switch {
	case !ok:
		return v.String()
	case a.Unit != "":
		return figure.Readable(number.F, a.Unit)
	}
	return q.axisName(axis) + " = " + v.String()
}

// axisName is the path of an axis in words, as short as others allow.
func (q *Inquired) axisName(axis int) string {
	paths := text.Each(q.axes, func(a manifest.Axis) string { return a.Path })
	return frame.Words(frame.AxisName(q.axes[axis].Path, paths))
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// withUnit writes a number with its unit: times in seconds, other units with the prefix that makes it short.
func withUnit(v float64, unit string) string {
	if unit == "s" || unit == "" {
		return strings.TrimSpace(number(v) + " " + unit)
	}
	return figure.Brief(v, unit)
}

func questionTables(all []Inquired) []*table.Table {
	if len(all) == 0 {
		return nil
	}
	answers := &table.Table{ID: "questions", Title: "Questions", Columns: []table.Column{
		{Name: "question", Key: true}, table.CSVOnly("kind"), table.CSVOnly("metric"), {Name: "state"}, {Name: "answer", Wrap: true},
		table.CSVOnly("estimate"), table.CSVOnly("low"), table.CSVOnly("high"),
		table.CSVOnly("bracket_from"), table.CSVOnly("bracket_to"), table.CSVOnly("within"),
		{Name: "rounds", Extra: true}, {Name: "instances"}, {Name: "grid"}, {Name: "more", Extra: true}}}
	points := &table.Table{ID: "question-points", Title: "Where the instances of questions are",
		Columns: []table.Column{{Name: "question", Key: true}, {Name: "side", Key: true}, {Name: "at", Key: true}, {Name: "replications"}}}
	for i := range all {
		q := &all[i]
		row := table.Row{Cells: []table.Cell{table.Text(q.ID), table.Text(q.Kind), table.Text(q.Asked.Metric), table.Text(string(q.State)),
			table.Text(q.Says()),
			table.Number(q.Estimate, -1), table.Number(q.Low, -1), table.Number(q.High, -1),
			table.Number(q.Bracket[0], -1), table.Number(q.Bracket[1], -1), table.Number(q.Within, -1),
			table.Count(q.Rounds), table.Count(q.Instances), table.Count(q.Grid), table.Count(q.More)}}
		for _, note := range append(q.notes(), q.Why, q.controls()) {
			if note != "" {
				row.Notes = append(row.Notes, q.ID+": "+note)
			}
		}
		answers.Rows = append(answers.Rows, row)
		for _, p := range q.Points {
			at := table.Text("-")
			if q.Chosen >= 0 && q.Question.Sides[p.Side][q.Chosen].Null {
				at = table.Number(p.At, -1)
			}
			points.Rows = append(points.Rows, table.Row{
				Cells: []table.Cell{table.Text(q.ID), table.Text(table.Dash(q.SideName(p.Side))), at, table.Count(p.Replications)}})
		}
	}
	return []*table.Table{answers, points}
}

// Ask puts the questions of a manifest into a result.
func (r *Result) Ask(q *Inquiry) {
	r.Questions = q.Questions
	for i := range r.Questions {
		if d := r.Questions[i].figure(); d != nil {
			r.Figures = append(r.Figures, d)
		}
	}
}
