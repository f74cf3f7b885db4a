package question

import (
	"fmt"
	"math"
	"slices"
)

// Crossing asks where the mean of a metric passes a constant, or that of another side,
// along an axis whose values the question chooses.
type Crossing struct {
	// Lattice are the values that are looked at first, ascending, two at least: the range,
	// and the least distance between distinct crossings.
	Lattice []float64
	// Bound is the constant; where Against is set it is side 1, at the same values or, if
	// Fixed, at one point.
	Bound          float64
	Against, Fixed bool
	// Growth is the share by which the mean of side 0 exceeds the mean of side 1 at the place; above -1.
	Growth float64
	// Log compares logarithms of means: straight lines are drawn between these.
	Log bool
	// Whole reports that the axis takes whole numbers only. Between two the line is straight.
	Whole bool
	// Measured reports that the place is that on a metric, which rows have as X.
	Measured  bool
	HalfWidth float64 // of the interval of the place
	// Margin is the share of the constant, or of the other mean, up to which two sides count as equal; 0 for none.
	Margin      float64
	Least, Most int // replications
}

const (
	few = 8
	// signConfidence is that of a point's being above or below.
	signConfidence = 0.998
)

type decision struct {
	Crossing
	Answer
	rows  Ask
	base  int     // replications of the point that is Fixed
	known []place // all that were looked at, with the most rows
	// low and high are where the gap changes its sign surely, upwards if it rises.
	low, high float64
	rises     bool
	seen      map[bearings]bool // the bearings seen so far
	moved     int               // number of times that points were moved
}

// Decide finds two neighbours on the lattice between which the gap changes its sign. It puts an anchor where the line between them
// passes 0, and gives it replications until the interval is narrow enough.
func (c Crossing) Decide(ask Ask) Answer {
	d := &decision{Crossing: c, Answer: unasked(), rows: ask}
	if a, b, ok := d.bracket(); ok {
		d.narrow(a, b)
	}
	return d.Answer
}

// look is a round at values of the axis, with n replications each.
func (d *decision) look(n []int, at ...float64) ([]place, bool) {
	var demands []Demand
	for i, v := range at {
		demands = append(demands, Demand{Point{0, v}, n[i]})
		if d.Against && !d.Fixed {
			demands = append(demands, Demand{Point{1, v}, n[i]})
		}
	}
	if d.Fixed {
		demands = append(demands, Demand{Point{1, 0}, d.base})
	}
	rows, ok := d.ask(d.rows, d.Most, demands...)
	if !ok {
		return nil, false
	}
	var out []place
	most := 0
	for i, v := range at {
		of, to := rows[min(i, len(rows)-1)], []Row(nil)
		switch {
		case d.Fixed:
			to = rows[len(rows)-1]
		case d.Against:
			of, to = rows[2*i], rows[2*i+1]
		}
		p := d.place(v, of, to)
		if p.short = d.short[Point{0, v}] || d.short[Point{1, v}] || d.Fixed && d.short[Point{1, 0}]; p.short {
			p.told.Low, p.told.High = math.Inf(-1), math.Inf(1)
		}
		most = max(most, n[i])
		out = append(out, p)
		switch k := slices.IndexFunc(d.known, func(o place) bool { return o.at == v }); {
		case k < 0:
			d.known = append(d.known, p)
		case len(d.known[k].gaps) <= len(p.gaps):
			d.known[k] = p
		}
	}
	d.grid(most)
	return out, true
}

// pair gives the point that is fixed as many replications as n of a point want beside them.
func (d *decision) pair(p place, n int) {
	if d.base = max(d.base, int(math.Ceil(p.even*float64(n)))); n-d.base < few {
		d.base = max(d.base, n) // a few without a partner are no sample
	}
}

// grid counts the instances of a grid over the range, with n replications.
func (d *decision) grid(replications int) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range d.known {
		low, high = min(low, p.x), max(high, p.x)
	}
	points := int(math.Ceil((high-low)/(2*d.HalfWidth))) + 1
	switch {
	case d.Fixed:
		points++
	case d.Against:
		points *= 2
	}
	d.Grid = max(d.Grid, points*replications)
}

// seems returns the likely crossing between the two points of the lattice that surely enclose it: on the
// line between neighbours that differ most, or amid the two where no line is.
func (d *decision) seems() float64 {
	at, most := (d.low+d.high)/2, math.Inf(-1)
	var before *place
	for _, v := range d.Lattice {
		p := &d.known[slices.IndexFunc(d.known, func(o place) bool { return o.at == v })]
		if v > d.low && v <= d.high && d.joins(*before, *p) && (before.gap < 0) == d.rises && (p.gap < 0) != d.rises &&
			math.Abs(p.gap-before.gap) > most {
			at, most = before.at-before.gap*(p.at-before.at)/(p.gap-before.gap), math.Abs(p.gap-before.gap)
		}
		before = p
	}
	return at
}

// joins reports whether the lines of the question go through points: those of logarithms go through no mean of 0.
func (d *decision) joins(points ...place) bool {
	return !slices.ContainsFunc(points, func(p place) bool { return p.log != d.Log })
}

// noLogarithm explains that no line of logarithms goes through a point.
func noLogarithm(p place) string {
	return fmt.Sprintf("a mean at %s is not above 0, so that it has no logarithm (leave scale: log out, or choose a range without such means)",
		place4(p.x))
}
