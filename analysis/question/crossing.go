package question

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"schedsweep/analysis/stats"
)

// Crossing asks where the mean of a metric passes a constant, or that of another side,
// along an axis of which the question chooses the values.
type Crossing struct {
	// Lattice are the values that are looked at first, ascending, two at least: the range,
	// and how close to one another crossings may lie that are told apart.
	Lattice []float64
	// Bound is the constant; where Against is set it is side 1, at the same values or, if
	// Fixed, at one point.
	Bound          float64
	Against, Fixed bool
	// Log compares logarithms of means: straight lines are drawn between these.
	Log bool
	// Measured tells that the place is that on a metric, which rows have as X.
	Measured    bool
	HalfWidth   float64 // of the interval of the place
	Least, Most int     // replications
}

const (
	// few are the replications of a point of the lattice.
	few = 10
	// signConfidence is that of a point's being above or below.
	signConfidence = 0.998
	// crossingConfidence is that of the interval that ends the asking where 95 % are promised.
	crossingConfidence = 0.98
	// straight is the share of the half-width that the curvature between two points may cost.
	straight = 0.1
	// narrowest is the least distance of two points, in half-widths: a crossing in the
	// middle has its interval between them.
	narrowest = 4
	// slack is by how much wider than that a bracket may stay.
	slack = 1.25
	// noisy is the same in half-widths of the interval so far: what is told apart less has no place.
	noisy = 1.5
	// recentred is how often the points may be moved because the crossing has left them.
	recentred = 30
)

// decision is a crossing on its way.
type decision struct {
	Crossing
	Answer
	rows  Ask
	known []place // all that were looked at, with their latest rows
}

// Decide finds two neighbours on the lattice between which the gap changes its sign, draws
// them together until the straight line between them errs by less than a tenth of the
// half-width, and gives them replications until the interval is narrow enough.
func (c Crossing) Decide(ask Ask) Answer {
	d := &decision{Crossing: c, Answer: Answer{State: Open, Interval: stats.NoInterval(math.NaN())}, rows: ask}
	if a, b, ok := d.bracket(); ok {
		d.narrow(a, b)
	}
	return d.Answer
}

// look is a round at values of the axis.
func (d *decision) look(n func(i int) int, at ...float64) ([]place, bool) {
	var demands []Demand
	for i, v := range at {
		demands = append(demands, Demand{Point{0, v}, n(i)})
		if d.Against && !d.Fixed {
			demands = append(demands, Demand{Point{1, v}, n(i)})
		}
	}
	most := 0
	for _, m := range demands {
		most = max(most, m.Replications)
	}
	if d.Fixed {
		demands = append(demands, Demand{Point{1, 0}, most})
	}
	rows, ok := d.ask(d.rows, demands...)
	if !ok {
		return nil, false
	}
	var out []place
	for i, v := range at {
		of, to := rows[min(i, len(rows)-1)], []Row(nil)
		switch {
		case d.Fixed:
			to = rows[len(rows)-1]
		case d.Against:
			of, to = rows[2*i], rows[2*i+1]
		}
		p, ok := d.place(v, of, to)
		if !ok {
			d.State, d.Why = Undecided, "a mean is not above 0, so that it has no logarithm"
			return nil, false
		}
		out = append(out, p)
		if k := slices.IndexFunc(d.known, func(o place) bool { return o.at == v }); k >= 0 {
			d.known[k] = p
		} else {
			d.known = append(d.known, p)
		}
	}
	d.grid(most)
	return out, true
}

// grid counts the instances of a grid over the range, with so many replications.
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

// bracket finds the two points of the lattice that a crossing lies between.
func (d *decision) bracket() (a, b place, ok bool) {
	n := make([]int, len(d.Lattice))
	for i := range n {
		n[i] = min(few, d.Most)
	}
	for {
		points, ok := d.look(func(i int) int { return n[i] }, d.Lattice...)
		if !ok {
			return a, b, false
		}
		var changes [][2]int
		before := -1
		for i, p := range points {
			if p.sign() == 0 {
				continue
			}
			if before >= 0 && points[before].sign() != p.sign() {
				changes = append(changes, [2]int{before, i})
			}
			before = i
		}
		// A point between two signs is close to the crossing; what is not told apart elsewhere may hide another.
		more := false
		for i, p := range points {
			if grown := min(2*n[i], d.Most); len(changes) < 2 && p.sign() == 0 && n[i] < 64*few && grown > n[i] && (len(changes) == 0 || i < changes[0][0] || i > changes[0][1]) {
				n[i], more = grown, true
			}
		}
		switch {
		case more:
			continue
		case len(changes) == 1:
			return points[changes[0][0]], points[changes[0][1]], true
		case len(changes) > 1:
			d.State = Several
			for _, c := range changes {
				d.Places = append(d.Places, [2]float64{points[c[0]].x, points[c[1]].x})
			}
			return a, b, false
		case slices.ContainsFunc(points, func(p place) bool { return p.sign() == 0 }):
			d.State, d.Why = Undecided, fmt.Sprintf("%d replications do not tell the sides apart at %s", slices.Max(n), unclear(points))
		default:
			d.State, d.Why = None, "below all along"
			if points[0].sign() > 0 {
				d.Why = "above all along"
			}
		}
		return a, b, false
	}
}

// unclear lists where the sides are not told apart.
func unclear(points []place) string {
	text := ""
	for _, p := range points {
		if p.sign() == 0 {
			if text != "" {
				text += ", "
			}
			text += strconv.FormatFloat(p.x, 'g', 4, 64)
		}
	}
	return text
}

// narrow draws the two points together and gives them replications.
func (d *decision) narrow(a, b place) {
	moves := 0
	for n := min(few, d.Most); ; {
		both, ok := d.look(func(int) int { return n }, a.at, b.at)
		if !ok {
			return
		}
		a, b = both[0], both[1]
		d.Interval = crossed(a, b)
		width := math.Abs(b.x - a.x)
		bend := d.bend(a, b)
		need := max(math.Sqrt(4*straight*d.HalfWidth/bend), narrowest*d.HalfWidth)
		near := width <= slack*need
		off := min(bend*width*width/4, slack*slack*straight*d.HalfWidth)
		d.Low, d.High = d.Low-off, d.High+off
		half := d.Interval.HalfWidth()
		if d.Bounded() {
			along := (d.Estimate - a.x) / (b.x - a.x)
			outside := along < -0.25 || along > 1.25
			target := max(need, min(noisy*half, width))
			if outside && moves < recentred || !near && (target == need || target < width/1.5) {
				if outside {
					moves, target = moves+1, width
				}
				from, until := d.around(a, b, target)
				if moved := from != min(a.at, b.at) || until != max(a.at, b.at); moved {
					a.at, b.at = from, until
					continue
				}
				near = true // the values of the axis are no closer
			}
		}
		if near && n >= d.Least && half <= d.HalfWidth {
			d.end(a, b)
			return
		}
		want := wanted(n, half/d.HalfWidth)
		each := 2
		if d.Against {
			each = 4
			if d.Fixed {
				each = 3
			}
		}
		d.More = more(n, want) * each
		if n >= d.Most {
			d.State, d.Why = Undecided, exhausted(d.Most)
			return
		}
		n = next(n, max(want, d.Least), d.Most)
	}
}

// end is the answer, if the crossing lies in the range.
func (d *decision) end(a, b place) {
	d.State, d.More = Answered, 0
	first, last := d.x(a, b, d.Lattice[0]), d.x(a, b, d.Lattice[len(d.Lattice)-1])
	if d.High < min(first, last) || d.Low > max(first, last) {
		d.State, d.Why = None, "the lines cross beyond the range"
	}
}

// x is where a value of the axis lies on that which is asked about, on the line through two points.
func (d *decision) x(a, b place, at float64) float64 {
	return a.x + (b.x-a.x)*(at-a.at)/(b.at-a.at)
}

// bend is the curvature over the slope between two points: a straight line over a width w
// errs by up to w^2/4 times as much along x. The curvature is that of the parabola through
// them and a third point nearby; without one a line is not trusted over half of the width.
func (d *decision) bend(a, b place) float64 {
	width := math.Abs(b.x - a.x)
	var third *place
	far := func(p *place) float64 { return math.Abs(p.x - (a.x+b.x)/2) }
	for i := range d.known {
		p := &d.known[i]
		if min(math.Abs(p.x-a.x), math.Abs(p.x-b.x)) >= width/5 && (third == nil || far(p) < far(third)) {
			third = p
		}
	}
	if third == nil {
		return 16 * straight * d.HalfWidth / (width * width)
	}
	slope := (b.gap - a.gap) / (b.x - a.x)
	return math.Abs(((third.gap-b.gap)/(third.x-b.x) - slope) / (third.x - a.x) / slope)
}

// around are two values of the axis so far apart with the crossing in the middle, inside
// the range.
func (d *decision) around(a, b place, width float64) (from, until float64) {
	scale := (b.at - a.at) / (b.x - a.x)
	middle, half := a.at+(d.Estimate-a.x)*scale, math.Abs(width*scale)/2
	first, last := d.Lattice[0], d.Lattice[len(d.Lattice)-1]
	middle = min(max(middle, first+half), last-half)
	return max(d.rounded(middle-half), first), min(d.rounded(middle+half), last)
}

// rounded gives a value few digits, so that it is written as people write it: fiftieths of
// the half-width are as good as any, or of the distance of two points of the lattice.
func (d *decision) rounded(at float64) float64 {
	unit := d.HalfWidth
	if d.Measured {
		unit = (d.Lattice[len(d.Lattice)-1] - d.Lattice[0]) / float64(len(d.Lattice)-1) / 10
	}
	exponent := int(math.Floor(math.Log10(unit / 50)))
	digits := strconv.FormatFloat(math.Round(at/math.Pow10(exponent)), 'f', 0, 64)
	v, err := strconv.ParseFloat(digits+"e"+strconv.Itoa(exponent), 64)
	if err != nil {
		return at
	}
	return v
}
