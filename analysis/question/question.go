// Package question decides, round by round, how many replications a question about a
// sweep needs at each point, and when they answer it: the mean of a metric, the best
// of several, the place where two curves cross or one passes a bound. It knows samples
// only.
//
// A decider is written as if all replications were there. It requests replications, a round at a time, and uses nothing
// else: when some is lacking it ends, open, and is begun anew with more. So its demands are a function of the rows that
// it requested before, and of neither time nor order.
package question

import (
	"fmt"
	"math"
	"slices"

	"schedsweep/analysis/stats"
	"schedsweep/sweep/text"
)

// Point is a place of wanted replications: on one of the sides that a question compares, at a place
// where the question chooses one, else 0.
type Point struct {
	Side int
	At   float64
}

// Demand requests the first replications of a point.
type Demand struct {
	Point
	Replications int
}

// Row is a replication of a point: the metric in question and, where the x axis is a
// metric too, that one. NaN is of a row without the value. Controls are properties of the
// replication whose expectation is 0. Growth is what [stats.Transient] judges; 0 of metrics that need no steady state.
type Row struct {
	Y, X, Growth float64
	Controls     []float64
}

// Ask gives the rows of each demand, or tells that some are lacking. A round is one call.
type Ask func(demands ...Demand) (rows [][]Row, ok bool)

// State is the state of a question.
type State string

const (
	Open      State = "open"      // rows are lacking
	Answered  State = "answered"  // as precisely as required
	Alike     State = "alike"     // several are the best within the margin
	Several   State = "several"   // there is more than one crossing
	None      State = "none"      // there is no crossing in the range
	AtEnd     State = "at-end"    // the crossing is at an end of the range, or beyond it
	Undecided State = "undecided" // the replications that there may be do not tell
)

// Answer is the state of a question after the last round that is complete.
type Answer struct {
	State State
	// Interval is that of the mean or of the place, with a confidence of 95 % once answered. Of a place at an end of the
	// range it is infinite beyond.
	stats.Interval
	// Sides are the candidates for the best, the one with the best mean first.
	Sides []int
	// Places are the intervals that hold crossings, if there are several.
	Places [][2]float64
	// Bracket are two values between which the crossing lies, if there is one: all that were looked at on either side of them
	// have one sign. Both are NaN where no sign is known.
	Bracket [2]float64
	// Within is the share of the mean compared with by which the sides may differ where that is inconclusive, 0 where
	// they differ all along. It is NaN unless there is no crossing, or a point may hide one. Of the best it is the share of
	// its mean by which the remaining sides may differ, 0 where one is left.
	Within float64
	// R2 is the share of the metric's variance that controls explain where it is known best, NaN without any.
	R2 float64
	// Sign is 1 where the gap rises along the place's axis or, where there is no place, is above 0 all along. It is -1 where the
	// gap falls or is below 0, and 0 where that is not known.
	Sign   int
	Why    string
	Rounds int
	// More is about how many instances an answer wants beyond the last round; 0 where that is unknown.
	More int
	// Grid is the number of instances of a grid with the same precision: all sides, at places two
	// half-widths apart, each with the most replications of a point.
	Grid int

	short  map[Point]bool // points whose mean is undefined, at any number of replications
	longer map[Point]int  // replications that points need besides to show a steady state
}

// unknown is the bracket of an unknown crossing.
var unknown = [2]float64{math.NaN(), math.NaN()}

func unasked() Answer {
	return Answer{short: map[Point]bool{}, longer: map[Point]int{},
		State: Open, R2: math.NaN(), Interval: stats.NoInterval(math.NaN()), Bracket: unknown, Within: math.NaN()}
}

type Decider interface {
	// Decide returns the answer that the rows give.
	Decide(ask Ask) Answer
}

// ask is a round, and further ones with up to most replications of points whose mean is undefined so far. It notes rows without a
// value, which leave the question undecided: what remains may differ from them.
func (a *Answer) ask(ask Ask, most int, demands ...Demand) ([][]Row, bool) {
	longer := slices.Clone(demands)
	for i, d := range demands {
		longer[i].Replications = max(d.Replications, a.longer[d.Point])
	}
	rows, ok := ask(longer...)
	if !ok {
		return nil, false
	}
	a.Rounds++
	lost, all, whole := 0, 0, slices.Clone(rows)
	for i, d := range demands {
		rows[i] = rows[i][:d.Replications]
		all += d.Replications
		for _, r := range rows[i] {
			if !stats.Finite(r.Y) || !stats.Finite(r.X) {
				lost++
			}
		}
	}
	more, short := a.lengthen(longer, whole, most)
	switch {
	case lost == 0 && more:
		return a.ask(ask, most, demands...)
	case lost > 0:
		a.State, a.More = Undecided, 0
		a.Why = fmt.Sprintf("%d of %d replications have no value, and the others may differ from them", lost, all)
		if more || short {
			a.Why += "; " + tooShort("")
		}
	}
	return rows, lost == 0
}

// wait is the number of replications from which on their growth tells how many would show a steady state.
const wait = 8 * few

// lengthen reports whether points need more replications to show a steady state, and whether points will not show it.
func (a *Answer) lengthen(demands []Demand, rows [][]Row, most int) (more, short bool) {
	all := map[Point][]Row{}
	for i, d := range demands {
		if len(rows[i]) > len(all[d.Point]) {
			all[d.Point] = rows[i]
		}
	}
	for p, of := range all {
		by, spread := stats.Transient(text.Refs(of, growth))
		n, left := len(of), stats.MostTransient-by
		long := spread > left
		need := float64(n) * math.Pow(spread/max(left, 0), 2)
		a.short[p] = long && (spread < -left || n >= most || n >= wait && need > max(early, 2*float64(n)))
		if long && !a.short[p] {
			a.longer[p], more = min(2*n, most), true
		}
		short = short || a.short[p]
	}
	return more, short
}

// tooShort explains that undefined means decide nothing.
func tooShort(of string) string {
	return "the runs" + of + " are too short for a steady state (give longer runs or use another metric)"
}

func wanted(n int, ratio float64) int {
	need := 1.05 * float64(n) * ratio * ratio
	if !(need < 1e9) {
		return 1e9
	}
	return int(math.Ceil(need))
}

// more returns the number of missing replications, 0 where that is unknown or more would not help.
func more(n, want int) int {
	if want >= 1e9 {
		return 0
	}
	return max(want-n, 0)
}

// next is the number of replications of the round after n: the wanted number, but at least
// an eighth more and at most twice as many, for it was estimated.
func next(n, want, most int) int {
	return min(max(min(want, 2*n), n+n/8+1), most)
}

// exhausted reports that there are no more replications, and where they are fewer than any answer takes.
func exhausted(most, least int) string {
	if most < least {
		return fmt.Sprintf("%s, the most there may be, %s fewer than the %d that an answer takes", text.Counted(most, "replication"),
			text.Either(most, "is", "are"), least)
	}
	return fmt.Sprintf("%d replications, the most there may be, do not tell", most)
}

func growth(r *Row) float64 { return r.Growth }

func metric(rows []Row) []float64 { return text.Refs(rows, func(r *Row) float64 { return r.Y }) }
