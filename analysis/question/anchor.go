package question

import (
	"math"
	"slices"
	"strconv"

	"schedsweep/analysis/stats"
)

const (
	// crossingConfidence is that of the intervals that end the asking where 95 % are promised.
	crossingConfidence = 0.98
	// straight is the share of the half-width that curvature may cost.
	straight = 0.1
)

// narrow puts an anchor where the crossing seems to be, and gives it replications until the
// interval, which holds both, is narrow enough. Two ends beside it tell the slope, which counts only as far as
// the crossing is from the anchor, so that few replications of them do.
func (d *decision) narrow(a, b place) {
	now := d.centred(bearings{at: [3]float64{a.at, b.at, d.within(d.seems())}, ends: min(few, d.Most), n: min(few, d.Most)})
	d.seen = map[bearings]bool{}
	d.base = max(d.base, now.ends)
	for {
		d.seen[now] = true
		points, ok := d.look([]int{now.ends, now.ends, now.ends, now.n}, append(now.at[:], now.at[2])...)
		if !ok {
			return
		}
		if nearer := d.nearer(now, points); nearer != now && !d.seen[nearer] {
			now = nearer
			continue
		}
		a, b, c := points[0], points[1], points[3]
		d.R2 = c.r2
		third, ok := d.third(a, b, points[2], now.ends)
		if !ok {
			return
		}
		for _, p := range []place{a, b, third, c} {
			if !d.joins(p) {
				d.State, d.More, d.Why = Undecided, 0, noLogarithm(p)
				return
			}
			if p.short {
				d.State, d.More, d.Why = Undecided, 0, tooShort(" at "+place4(p.x))
				return
			}
		}
		l := d.lever([3]place{a, b, third}, c, crossingConfidence)
		if !d.neighbours(a, b) { // where the curve is steeper at the crossing than between the ends, that is closer to the anchor
			l.Low, l.High = min(l.Low, c.x), max(l.High, c.x)
		}
		d.Interval = l.Interval
		low, high := d.between()
		d.Bracket = [2]float64{d.at(low), d.at(high)}
		if d.fine(l, now.n) {
			d.end(a, b)
			return
		}
		if is, ok := d.enclosed(low, high); !ok {
			return
		} else if is {
			d.end(a, b)
			return
		}
		want := max(wanted(now.n, (l.HalfWidth()-l.off)/(d.HalfWidth-min(l.off, straight*d.HalfWidth))), d.Least)
		if d.More = more(now.n, want); d.Against && !d.Fixed {
			d.More *= 2
		}
		after := d.steer(now, l, want, d.on(c.x+l.gathered(d.known, c), a, b))
		if after == now || now.n >= d.Most && l.noise > d.HalfWidth && l.away <= l.noise {
			d.State, d.Why = Undecided, exhausted(d.Most, d.Least)
			d.inRange()
			return
		}
		now = after
		d.base = max(d.base, now.ends)
		d.pair(c, now.n)
	}
}

// nearer moves ends through which no line goes half-way to the anchor.
func (d *decision) nearer(now bearings, points []place) bearings {
	for k, end := range points[:2] {
		if !d.joins(end) {
			now.at[k] = d.within((end.at + now.at[2]) / 2)
		}
	}
	return now
}

// fine reports whether the interval at an anchor with this many replications is as narrow as the question wants.
func (d *decision) fine(l lever, n int) bool {
	return l.off <= straight*d.HalfWidth && n >= d.Least && l.HalfWidth() <= d.HalfWidth
}

// enclosed reports whether the bracket is as narrow as the interval that is wanted, as it becomes where the curve jumps. It is the interval
// then, if its ends have their signs also with the least number of replications. Where the place is on a metric, the ends are means and no
// bounds. ok is false where replications are lacking.
func (d *decision) enclosed(low, high float64) (is, ok bool) {
	if d.Measured || d.Most < d.Least || high-low > 2*d.HalfWidth {
		return false, true
	}
	d.base = max(d.base, d.Least)
	if _, ok := d.look([]int{d.Least, d.Least}, low, high); !ok {
		return false, false
	}
	if from, until := d.between(); from != low || until != high {
		return false, true
	}
	d.Interval = stats.Interval{Estimate: (low + high) / 2, Low: low, High: high}
	return true, true
}

func (d *decision) end(a, b place) {
	d.State, d.More = Answered, 0
	first, last := d.x(a, b, d.Lattice[0]), d.x(a, b, d.Lattice[len(d.Lattice)-1])
	if d.High < min(first, last) || d.Low > max(first, last) {
		d.State, d.Sign, d.Bracket, d.Why = None, 0, unknown, "the lines cross beyond the range"
		return
	}
	d.inRange()
}

// inRange ends the interval with the range: the gap has different signs at its ends, so that the place is not beyond. Where the place is on
// a metric, the ends are means, and the interval stays.
func (d *decision) inRange() {
	if d.Measured {
		return
	}
	for _, v := range []*float64{&d.Estimate, &d.Low, &d.High} {
		*v = min(max(*v, d.Lattice[0]), d.Lattice[len(d.Lattice)-1])
	}
}

// at is the position of a known point on the axis of the question.
func (d *decision) at(v float64) float64 {
	return d.known[slices.IndexFunc(d.known, func(p place) bool { return p.at == v })].x
}

// x is the position of a value of the chosen axis on the axis of the question, on the line through two points.
func (d *decision) x(a, b place, at float64) float64 {
	return a.x + (b.x-a.x)*(at-a.at)/(b.at-a.at)
}

// on is the value of the chosen axis for a value of the question's axis. It lies on the line through the closest known points of
// either side, else through two.
func (d *decision) on(x float64, a, b place) float64 {
	below, above := place{x: math.Inf(-1)}, place{x: math.Inf(1)}
	for _, p := range d.known {
		if p.x <= x && p.x > below.x {
			below = p
		}
		if p.x >= x && p.x < above.x {
			above = p
		}
	}
	if below.x < above.x && !math.IsInf(above.x-below.x, 0) {
		a, b = below, above
	}
	return a.at + (b.at-a.at)*(x-a.x)/(b.x-a.x)
}

// neighbours reports whether there is nothing to see between two whole numbers but their middle.
func (d *decision) neighbours(a, b place) bool { return d.Whole && math.Abs(b.at-a.at) <= 2 }

// third is a point beside the ends that tells the curvature: the anchor or, where that is close to
// one of them, their middle.
func (d *decision) third(a, b, c place, n int) (place, bool) {
	if d.neighbours(a, b) || min(math.Abs(c.x-a.x), math.Abs(c.x-b.x)) >= math.Abs(b.x-a.x)/5 {
		return c, true
	}
	points, ok := d.look([]int{n}, d.within((a.at+b.at)/2))
	if !ok {
		return c, false
	}
	return points[0], true
}

// within gives a value in the range few digits, so that it is written as people write it: fiftieths
// of the half-width are as good as any, or of the distance of two points of the lattice.
func (d *decision) within(at float64) float64 {
	first, last := d.Lattice[0], d.Lattice[len(d.Lattice)-1]
	if d.Whole {
		return min(max(math.Round(at), first), last)
	}
	unit := d.HalfWidth
	if d.Measured {
		unit = (last - first) / float64(len(d.Lattice)-1) / 10
	}
	exponent := int(math.Floor(math.Log10(unit / 50)))
	digits := strconv.FormatFloat(math.Round(at/math.Pow10(exponent)), 'f', 0, 64)
	if v, err := strconv.ParseFloat(digits+"e"+strconv.Itoa(exponent), 64); err == nil {
		at = v
	}
	return min(max(at, first), last)
}
