package analysis

import (
	"fmt"
	"strconv"
	"strings"

	"schedsweep/analysis/question"
	"schedsweep/sweep/params"
)

// String tells a person how far the question is.
func (q *Inquired) String() string {
	text := q.ID + ": " + q.Says()
	if q.Why != "" {
		text += ": " + q.Why
	}
	text += fmt.Sprintf(" (%d instances in %d rounds", q.Instances, q.Rounds)
	if q.Grid > 0 && q.Kind != "mean" {
		text += fmt.Sprintf("; a grid as precise has %d", q.Grid)
	}
	if q.More > 0 && (q.State == question.Open || q.State == question.Undecided) {
		text += fmt.Sprintf("; an answer takes about %d more", q.More)
	}
	return text + ")"
}

// Says is the answer in words, without how it was found.
func (q *Inquired) Says() string {
	metric := q.Asked.Metric
	switch q.State {
	case question.Several:
		var places []string
		for _, p := range q.Places {
			places = append(places, number(p[0])+" and "+number(p[1]))
		}
		return "several crossings: between " + strings.Join(places, ", between ")
	case question.None:
		return "no crossing in the range"
	}
	begins := map[question.State]string{question.Open: "open", question.Undecided: "undecided"}[q.State]
	if begins != "" && q.Rounds == 0 {
		return begins
	}
	if begins != "" {
		begins += ", so far "
	}
	switch q.Kind {
	case "mean":
		return fmt.Sprintf("%s%s is %s", begins, metric, q.interval())
	case "best":
		names := q.candidates()
		switch {
		case q.State == question.Alike:
			return fmt.Sprintf("%s are alike in %s within %s %%", strings.Join(names, ", "), metric, number(100*q.Margin))
		case len(names) == 1:
			return fmt.Sprintf("%s has the best %s", names[0], metric)
		}
		return fmt.Sprintf("%sthe best %s is one of %s", begins, metric, strings.Join(names, ", "))
	}
	on := q.Asked.By
	if q.Asked.X != "" {
		on = q.Asked.X
	}
	return fmt.Sprintf("%s%s is %s where %s crosses", begins, on, q.interval(), metric)
}

// interval is the estimate with its interval.
func (q *Inquired) interval() string {
	return fmt.Sprintf("%s [%s, %s]", number(q.Estimate), number(q.Low), number(q.High))
}

// candidates name the sides that are left of a question for the best.
func (q *Inquired) candidates() []string {
	var names []string
	for _, s := range q.Answer.Sides {
		names = append(names, q.SideName(s))
	}
	return names
}

// SideName is the value of the axis by which a candidate differs from the others.
func (q *Inquired) SideName(side int) string {
	for i, v := range q.Question.Sides[side] {
		for _, other := range q.Question.Sides {
			if other[i] != v {
				return v.String()
			}
		}
	}
	return params.FormatFloat(float64(side + 1))
}

// number writes a number with six digits.
func number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
