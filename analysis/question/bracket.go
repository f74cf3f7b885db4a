package question

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"schedsweep/analysis/stats"
)

// early is the number of replications of an end of the range beyond which the crossing may be at this end: so far the
// question waits for a sign there.
const early = 64 * few

// bracket doubles the replications of points of the lattice until each is above, below or within the margin. It returns
// the points on both sides of the crossing; ok is false where the question ends without these.
func (d *decision) bracket() (a, b place, ok bool) {
	n := slices.Repeat([]int{min(few, d.Most)}, len(d.Lattice))
	d.base = n[0]
	for {
		points, ok := d.look(n, d.Lattice...)
		if !ok {
			return a, b, false
		}
		d.Interval, d.Bracket, d.Sign = unasked().Interval, unknown, 0
		changes := changesOf(points)
		if len(changes) > 1 {
			d.State = Several
			for _, c := range changes {
				d.Places = append(d.Places, [2]float64{points[c[0]].x, points[c[1]].x})
			}
			return a, b, false
		}
		unclear := d.unclear(points, changes)
		end := lastThree(points, changes)
		if len(changes) == 1 {
			a, b = points[changes[0][0]], points[changes[0][1]]
			d.low, d.high = a.at, b.at
			d.rising(a, b, a.gap < 0)
		}
		beside := 0
		if end != nil {
			if beside, ok = d.nears(points, n, end); !ok {
				return a, b, false
			}
		}
		switch {
		case d.State != Open || d.grow(n, points, unclear, end, beside):
		case len(changes) == 1:
			var more []int
			if a, b, more, ok = d.ends(n, points, changes[0]); more != nil {
				n = more
				continue
			}
			if !ok {
				return a, b, false
			}
			if len(unclear) > 0 {
				d.Why = d.untold(points, unclear) + ": there may be another crossing"
			}
			return a, b, true
		case len(unclear) > 0:
			d.State, d.Why = Undecided, d.untold(points, unclear)
		default:
			d.State, d.Sign, d.Within = None, nearest(points, 0), d.share(points)
			d.Interval, d.Bracket = unasked().Interval, unknown
		}
		if d.State != Open {
			return a, b, false
		}
	}
}

// ends are the outermost of a bracket's points through which lines go, if they seem to lie on either side of the crossing. Where they do
// not, it adds the middle between such a point and the one without a line beside it to the lattice. ok is false where the two are
// within the half-width.
func (d *decision) ends(n []int, points []place, change [2]int) (a, b place, more []int, ok bool) {
	i, j := change[0], change[1]
	for i < j && !d.joins(points[i]) {
		i++
	}
	for j > i && !d.joins(points[j]) {
		j--
	}
	below := points[change[0]].gap < 0
	switch {
	case (points[i].gap < 0) != below:
		j = i
	case (points[j].gap < 0) == below:
		j++
	default:
		return points[i], points[j], nil, true
	}
	a, b = points[j-1], points[j]
	at := d.within((a.at + b.at) / 2)
	if math.Abs(b.x-a.x) <= d.HalfWidth || at == a.at || at == b.at {
		if d.joins(a) {
			a = b
		}
		d.State, d.Why = Undecided, noLogarithm(a)
		return a, b, nil, false
	}
	d.Lattice = slices.Insert(slices.Clone(d.Lattice), j, at)
	return a, b, slices.Insert(n, j, min(few, d.Most)), true
}

// rising notes between which values the gap changes its sign, and in which direction.
func (d *decision) rising(a, b place, rises bool) {
	d.rises, d.Bracket, d.Sign = rises, [2]float64{a.x, b.x}, 1
	if rises != (a.x < b.x) {
		d.Sign = -1
	}
}

// changesOf are the pairs of neighbours, among the points with a sign, that have different ones.
func changesOf(points []place) [][2]int {
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
	return changes
}

// nearest is the sign of a point or else of the nearest one that has a sign, 0 where none has.
func nearest(points []place, i int) int {
	for far := range points {
		for _, k := range []int{i - far, i + far} {
			if k >= 0 && k < len(points) && points[k].sign() != 0 {
				return points[k].sign()
			}
		}
	}
	return 0
}

// unclear are the points without a sign whose gap may exceed the margin on the side where the others are not: these may hide
// a crossing. A point between two signs is close to the crossing, and may stay without.
func (d *decision) unclear(points []place, changes [][2]int) (out []int) {
	for i := range points {
		inside := len(changes) > 0 && i > changes[0][0] && i < changes[0][1]
		if points[i].sign() == 0 && !inside && !(d.across(points[i], nearest(points, i)) <= d.Margin) {
			out = append(out, i)
		}
	}
	return out
}

// across is the share of the other mean by which a gap may be on the side that is not of a sign, or on either where this is 0.
func (d *decision) across(p place, sign int) float64 {
	i := p.told
	below, above := -p.shareOf(i.Low), p.shareOf(i.High)
	switch {
	case sign > 0:
		return max(0, below)
	case sign < 0:
		return max(0, above)
	}
	return max(above, below)
}

// share is the largest of these shares, which are 0 of points with a sign.
func (d *decision) share(points []place) float64 {
	most := 0.0
	for i := range points {
		most = max(most, d.across(points[i], nearest(points, i)))
	}
	return most
}

// grow doubles the replications of the points that are unclear, or gives the two beside an unclear end as many as they must have. It
// reports whether any has more.
func (d *decision) grow(n []int, points []place, unclear, end []int, beside int) bool {
	more := false
	raise := func(i, to int) {
		if to = min(to, d.Most); to > n[i] {
			n[i], more = to, true
			d.pair(points[i], to)
		}
	}
	if beside > 0 {
		raise(end[1], beside)
		raise(end[2], beside)
		return more
	}
	for _, i := range unclear {
		if !points[i].short {
			raise(i, 2*n[i])
		}
	}
	return more
}

// lastThree are the end of the range beside which all unclear points lie and the two points next to it. It is nil where unclear
// points lie elsewhere too, or none has a sign.
func lastThree(points []place, changes [][2]int) []int {
	last := len(points) - 1
	first, behind := points[0].sign(), points[last].sign()
	if len(changes) > 0 || last < 2 || (first == 0) == (behind == 0) {
		return nil
	}
	open := 0 // changes between signs that are known and unknown
	for i := range last {
		if (points[i].sign() == 0) != (points[i+1].sign() == 0) {
			open++
		}
	}
	switch {
	case open > 1:
		return nil
	case first == 0:
		return []int{0, 1, 2}
	}
	return []int{last, last - 1, last - 2}
}

// nears notes between which values the crossing lies if the curve crosses near an end of the range, with its interval.
// The question ends where the interval is as narrow as required, or contains the end and, with the confidence of signs,
// no more of the range than that. beside is how many replications the points beside the end must have first: a quarter
// of its own, or as many where these do not tell the slope; else 0.
func (d *decision) nears(points []place, n, end []int) (beside int, ok bool) {
	e := points[end[0]]
	clear := e
	for k := 0; clear.sign() == 0; k++ {
		clear = points[end[0]+k*(end[1]-end[0])]
	}
	if e.at < clear.at {
		d.rising(e, clear, clear.gap > 0)
	} else {
		d.rising(clear, e, clear.gap < 0)
	}
	if n[end[0]] < early || e.short {
		return 0, true
	}
	known := min(n[end[0]], n[end[1]], n[end[2]])
	if known < n[end[0]]/4 {
		return n[end[0]] / 4, true
	}
	seen, ok := d.look([]int{known, known, known, n[end[0]]}, points[end[2]].at, e.at, points[end[1]].at, e.at)
	if !ok {
		return 0, false
	}
	if !d.joins(seen...) {
		return 0, true
	}
	three, anchor := [3]place(seen[:3]), seen[3]
	l, sure := d.lever(three, anchor, crossingConfidence), d.lever(three, anchor, signConfidence)
	if d.R2 = e.r2; l.Bounded() {
		d.Interval = l.Interval
	}
	beyond, inner, inside, open := l.High >= e.x, sure.Low, e.x-sure.Low, math.Inf(1)
	if e.x < seen[0].x {
		beyond, inner, inside, open = l.Low <= e.x, sure.High, sure.High-e.x, math.Inf(-1)
	}
	switch {
	case beyond && inside <= 2*d.HalfWidth:
		d.State, d.Estimate, d.Low, d.High = AtEnd, e.x, min(inner, open), max(inner, open)
	case !beyond && d.fine(l, n[end[0]]):
		d.State = Answered
	case l.steep > told && known < n[end[0]]:
		return n[end[0]], true
	}
	return 0, true
}

// place4 writes a place by four digits, without an exponent where it can: 14000 W and not 1.4e+04.
func place4(x float64) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	if err != nil {
		rounded = x
	}
	if size := math.Abs(rounded); size != 0 && (size < 1e-4 || size >= 1e15) {
		return strconv.FormatFloat(rounded, 'g', -1, 64)
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// untold names the points that are unclear, with the greatest distance of the sides there.
func (d *decision) untold(points []place, unclear []int) string {
	var at, short, skewed []string
	n := 0
	for _, i := range unclear {
		if x := place4(points[i].x); points[i].short {
			short = append(short, x)
		} else {
			at, n = append(at, x), max(n, len(points[i].gaps))
			if points[i].skewed() {
				skewed = append(skewed, x)
			}
		}
	}
	if short != nil {
		d.Within = math.NaN()
		return tooShort(" at " + strings.Join(short, ", "))
	}
	text := fmt.Sprintf("%d replications do not tell the sides apart at %s", n, strings.Join(at, ", "))
	if d.Within = d.share(points); !stats.Finite(d.Within) { // of 0 there is no share
		d.Within = math.NaN()
	} else if d.Within < 1 {
		text += fmt.Sprintf(", within %.2g %%", 100*d.Within)
	}
	if skewed != nil {
		text += "; a few of them are far from the others at " + strings.Join(skewed, ", ")
	}
	return text
}
