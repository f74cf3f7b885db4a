package question

import (
	"math"
	"strconv"

	"schedsweep/analysis/stats"
)

const (
	// crossingConfidence is that of the intervals that end the asking where 95 % are promised.
	crossingConfidence = 0.98
	// straight is the share of the half-width that curvature may cost.
	straight = 0.1
	// distant is how many half-widths the crossing may be from the anchor.
	distant = 2
	// early is the share of the wanted replications up to which an anchor stays that may be right:
	// moved early it is moved again, moved late it costs what it has.
	early = 0.125
	// told is the share of the slope that its interval may be where the ends are drawn together.
	told = 0.125
	// skewed is the share of the slope by which it may be another at the anchor.
	skewed = 0.25
	// recentred is how often points are moved at most.
	recentred = 30
)

// bearings are what a round looks at.
type bearings struct {
	at    [3]float64 // the ends and the anchor, on the axis that is chosen
	ends  int        // replications of each end
	n     int        // of the anchor
	moved int        // how often points were
	step  float64    // by which the anchor was moved last
}

// narrow puts an anchor where the crossing seems to be, and gives it replications until the
// interval is narrow enough. Two ends beside it tell the slope, which counts only as far as
// the crossing is from the anchor, so that few replications of them do.
func (d *decision) narrow(a, b place) {
	at := [3]float64{a.at, b.at, d.within(a.at + (b.at-a.at)*a.gap/(a.gap-b.gap))}
	now := bearings{at: at, ends: min(few, d.Most), n: min(few, d.Most)}
	low, high, rises := a.at, b.at, a.gap < 0
	d.base = max(d.base, now.ends)
	for {
		points, ok := d.look([]int{now.ends, now.ends, now.ends, now.n}, append(now.at[:], now.at[2])...)
		if !ok {
			return
		}
		a, b, c := points[0], points[1], points[3]
		bend, ok := d.bend(a, b, points[2], now.ends)
		if !ok {
			return
		}
		l := levered(a, b, c, bend)
		d.Interval, d.R2 = l.Interval, c.r2
		if l.off <= straight*d.HalfWidth && now.n >= d.Least && l.HalfWidth() <= d.HalfWidth {
			d.end(a, b)
			return
		}
		want := max(wanted(now.n, (l.HalfWidth()-l.off)/(d.HalfWidth-min(l.off, straight*d.HalfWidth))), d.Least)
		if d.More = more(now.n, want); d.Against && !d.Fixed {
			d.More *= 2
		}
		switch sign := c.sign(); {
		case sign < 0 == rises && sign != 0:
			low = c.at
		case sign != 0:
			high = c.at
		}
		to := d.within(c.at + (l.Estimate-c.x)*(b.at-a.at)/(b.x-a.x))
		if !(to >= low && to <= high) { // the slope here is not that at the crossing
			to = d.within((low + high) / 2)
		}
		after := d.steer(now, l, want, to)
		if after == now || now.n >= d.Most && l.noise > d.HalfWidth && l.away <= l.noise {
			d.State, d.Why = Undecided, exhausted(d.Most)
			return
		}
		now = after
		d.base = max(d.base, now.ends)
		d.pair(c, now.n)
	}
}

// steer chooses what the next round looks at, where the crossing seems to be at a value of the
// axis and the anchor wants so many replications; the same where nothing is left.
func (d *decision) steer(now bearings, l lever, want int, to float64) bearings {
	after := now
	much := straight / 2 * d.HalfWidth
	far := l.away > distant*d.HalfWidth || l.bend*l.away*l.away > much
	bent := !far && l.askew*l.away > much
	wrong := l.away > l.noise // where the anchor is
	sloping := math.Pow(l.steep*(l.away+l.noise), 2)
	switch {
	case far && now.moved < recentred && l.steep <= 1-told && (wrong || float64(now.n) > early*float64(want)):
		after.at[2], after.step = to, to-now.at[2]
	case l.steep > 1-told, bent && l.steep > told, !far && sloping/float64(2*now.ends) > l.noise*l.noise/float64(now.n):
		after.ends = min(2*now.ends, d.Most) // in the last case since a replication here takes more off the interval
	}
	outside := after.at[2] < now.at[0] || after.at[2] > now.at[1]
	errs := l.askew > skewed || now.step != 0 && after.at[2] != now.at[2] && math.Abs(after.step) > math.Abs(now.step)/2
	switch {
	case now.moved == recentred:
	case outside, l.steep <= told && (bent || errs):
		after.at[0], after.at[1] = d.around(now.at[0], now.at[1], after.at[2])
	case errs && wrong:
		after.ends = min(2*now.ends, d.Most)
	}
	moves := after.at != now.at
	if moves {
		after.moved++
	}
	if after == now || now.n < want && !(wrong && moves) {
		after.n = next(now.n, want, d.Most)
	}
	after.n = max(after.n, after.ends)
	return after
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

// bend is the curvature over the slope: half of the second derivative over the first, of the
// parabola through the ends and the anchor or, where that is close to one of them, their middle.
// Of neighbouring whole numbers there is none.
func (d *decision) bend(a, b, c place, n int) (float64, bool) {
	if d.Whole && math.Abs(b.at-a.at) <= 2 {
		return 0, true
	}
	if min(math.Abs(c.x-a.x), math.Abs(c.x-b.x)) < math.Abs(b.x-a.x)/5 {
		points, ok := d.look([]int{n}, d.within((a.at+b.at)/2))
		if !ok {
			return 0, false
		}
		c = points[0]
	}
	slope := (b.gap - a.gap) / (b.x - a.x)
	return math.Abs(((c.gap-b.gap)/(c.x-b.x) - slope) / (c.x - a.x) / slope), true
}

// around draws the ends nearer to an anchor or, where it is far from their middle, around it, as
// far as the range goes.
func (d *decision) around(a, b, at float64) (from, until float64) {
	half, first, last := math.Abs(b-a)/2, d.Lattice[0], d.Lattice[len(d.Lattice)-1]
	if math.Abs(at-(a+b)/2) < half/2 {
		half /= 2
	} else {
		half = max(half/2, min(half, at-first, last-at))
	}
	if d.Whole {
		half = max(half, 1)
	}
	middle := min(max(at, first+half), last-half)
	return d.within(middle - half), d.within(middle + half)
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

// lever is the place of a crossing on the line through an anchor with the slope between two ends.
type lever struct {
	stats.Interval
	bend  float64 // curvature over slope
	noise float64 // half-width by what the anchor's replications vary
	steep float64 // half-width of the slope, over the slope
	away  float64 // distance from the anchor
	askew float64 // what the slope may be another at the anchor, over the slope
	off   float64 // what curvature may cost
}

// levered finds the places at which the paired t-test accepts equal means, on the line through the
// anchor c with the slope between the ends a and b: their errors add as those of two means do that share
// the replications of the smaller one.
func levered(a, b, c place, bend float64) lever {
	slope := (b.gap - a.gap) / (b.x - a.x)
	estimate := c.x - c.gap/slope
	rises := make([]float64, len(a.gaps))
	for i := range rises {
		rises[i] = b.gapAt(i, slope) - a.gapAt(i, slope)
	}
	width := math.Abs(b.x - a.x)
	l := lever{Interval: stats.NoInterval(estimate), bend: bend, away: math.Abs(estimate - c.x)}
	l.steep = a.estimate(rises).Student(crossingConfidence).HalfWidth() / math.Abs(b.gap-a.gap)
	l.noise = c.halfWidth(slope, crossingConfidence) / math.Abs(slope)
	// That between a and b is the slope at c but for what c is aside of their middle, and for a third
	// derivative: that of 1/(1-x) is 3/2 of the second's square over the first.
	l.askew = bend*math.Abs(a.x+b.x-2*c.x) + bend*bend*width*width/4
	l.off = (bend*l.away + l.askew) * l.away
	if l.steep < 1 {
		both := math.Sqrt(float64(len(rises))/float64(len(c.gaps))) * l.noise * l.steep
		l.Low, l.High = c.x-l.reach(c.x-estimate, both)-l.off, c.x+l.reach(estimate-c.x, both)+l.off
	}
	return l
}

// reach is the largest z with (z - place)^2 <= noise^2 + 2 both |z| + steep^2 z^2: how far from the
// anchor the t-test accepts, where the slope's error grows with the distance. both is for the means of n
// replications and of the first k, which have a correlation of sqrt(k/n) at most.
func (l *lever) reach(place, both float64) float64 {
	rest := 1 - l.steep*l.steep
	root := func(p float64) float64 {
		return (p + math.Sqrt(p*p-rest*(place*place-l.noise*l.noise))) / rest
	}
	if z := root(place + both); z >= 0 {
		return z
	}
	return root(place - both)
}
