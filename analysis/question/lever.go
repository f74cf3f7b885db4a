package question

import (
	"math"

	"schedsweep/analysis/stats"
)

// lever is the place of a crossing on a line or a parabola through an anchor.
type lever struct {
	stats.Interval
	noise float64 // half-width by what the anchor's replications vary
	steep float64 // half-width of the slope, over the slope
	away  float64 // distance from the anchor
	third float64 // a sixth of the third derivative over the slope, as the second lets expect it or four points show it
	askew float64 // error of the slope at the anchor, over the slope
	off   float64 // error by curvature
	width float64 // between the ends
	slope float64 // at the anchor
	bend  float64 // curvature there, over the slope
	kink  float64 // error because lines are straight between neighbouring whole numbers only
}

// lever finds the crossing from an anchor. Where the axis takes whole numbers only, the interval allows for lines that are straight
// between two of them only.
func (d *decision) lever(points [3]place, c place, confidence float64) lever {
	l, a, b := d.curve(points, c, confidence), points[0], points[1]
	if d.Whole {
		if step := math.Abs((b.x - a.x) / (b.at - a.at)); d.neighbours(a, b) {
			l.kink = max(0, l.away-step)
		} else {
			l.kink = math.Abs(l.bend) * step * step / 4
		}
		l.off, l.Low, l.High = l.off+l.kink, l.Low-l.kink, l.High+l.kink
	}
	return l
}

// curve finds the crossing by the slope at the anchor c, which is that of the line between the ends
// or that of the parabola through them and a third point: the first is known better, the second does
// not mind how the ends lie. Between neighbouring whole numbers there is no curvature.
func (d *decision) curve(points [3]place, c place, confidence float64) lever {
	a, b, p := points[0], points[1], points[2]
	width := b.x - a.x
	slope := (b.gap - a.gap) / width
	line := [3]float64{-1 / width, 1 / width} // weights of the gaps
	if d.neighbours(a, b) {
		inside := func(p place) bool { return min(a.at, b.at) < p.at && p.at < max(a.at, b.at) }
		if inside(c) {
			return kinked(points, c, confidence)
		}
		if inside(p) { // the line leads from there to the anchor, which is an end
			end := 0
			if c.at == b.at {
				end = 1
			}
			line = [3]float64{2: 1 / (p.x - points[end].x)}
			line[end] = -line[2]
		}
		return levered(points, line, c, 0, 0, 0, confidence)
	}
	bend := ((p.gap-b.gap)/(p.x-b.x) - slope) / (p.x - a.x)
	// The third derivative of a root is 3 times the second's square over the first, that of 1/(1-x) half of this.
	third := max(2*bend*bend/(slope*slope), d.shown(points, c)/math.Abs(slope))
	chord := levered(points, line, c, bend/slope, third, math.Abs(bend/slope*(a.x+b.x-2*c.x))+third*width*width/4,
		confidence)
	u, v, w := c.x-a.x, c.x-b.x, c.x-p.x
	parabola := [3]float64{
		(v + w) / ((a.x - b.x) * (a.x - p.x)),
		(u + w) / ((b.x - a.x) * (b.x - p.x)),
		(u + v) / ((p.x - a.x) * (p.x - b.x)),
	}
	there := slope + bend*(u+v) // the slope at c
	third *= slope / there
	tangent := levered(points, parabola, c, bend/there, third, third*(math.Abs(u*v)+math.Abs(u*w)+math.Abs(v*w)), confidence)
	l := chord
	if third >= 0 && math.Hypot(tangent.steep, tangent.askew) < math.Hypot(chord.steep, chord.askew) {
		l = tangent
	}
	return l
}

// kinked finds the crossing on the line between whole numbers on one side of the anchor, which is the third point: on the side to which
// the sign of its gap points, and on both while the sign is not sure.
func kinked(points [3]place, c place, confidence float64) lever {
	a, b, p := points[0], points[1], points[2]
	before, behind := 1/(p.x-a.x), 1/(b.x-p.x)
	l := levered(points, [3]float64{-before, 0, before}, c, 0, 0, 0, confidence)
	other := levered(points, [3]float64{0, behind, -behind}, c, 0, 0, 0, confidence)
	if (c.gap < 0) == (a.gap < 0) {
		l, other = other, l
	}
	if c.told.Low < 0 && c.told.High > 0 {
		l.Low, l.High = min(l.Low, other.Low), max(l.High, other.High)
	}
	return l
}

// shown is the sixth of a third derivative that the gaps of four points surely have: of the ends, the third
// point, and that which is closest to the anchor of what else is known.
func (d *decision) shown(points [3]place, c place) float64 {
	least := math.Abs(points[1].x-points[0].x) / 10
	var other *place
	for i := range d.known {
		q := &d.known[i]
		near := false
		for _, p := range points {
			near = near || math.Abs(p.x-q.x) < least || p.at == q.at
		}
		if !near && len(q.gaps) >= 2 && d.joins(*q) && (other == nil || math.Abs(q.x-c.x) < math.Abs(other.x-c.x)) {
			other = q
		}
	}
	if other == nil {
		return 0
	}
	four := []place{points[0], points[1], points[2], *other}
	values := make([]float64, min(len(points[0].gaps), len(other.gaps)))
	for k, p := range four {
		weight := 1.0
		for j, q := range four {
			if j != k {
				weight /= p.x - q.x
			}
		}
		for i := range values {
			values[i] += weight * p.gaps[i]
		}
	}
	e := points[0].estimate(values).Student(crossingConfidence)
	return max(0, e.Low, -e.High)
}

// levered finds the places at which the paired t-test accepts equal means. They lie on the parabola through the anchor c, with a
// curvature and the slope that three points have by their weights: their errors add as those of two means do that share the
// replications of the smaller one.
func levered(points [3]place, weights [3]float64, c place, bend, third, askew, confidence float64) lever {
	slope := 0.0
	for k, p := range points {
		slope += weights[k] * p.gap
	}
	slopes := make([]float64, len(points[0].gaps))
	for i := range slopes {
		for k, p := range points {
			slopes[i] += weights[k] * p.gapAt(i, slope)
		}
	}
	l := lever{third: third, askew: askew, width: math.Abs(points[1].x - points[0].x), slope: slope, bend: bend}
	place := -c.gap / slope
	l.Interval, l.away = stats.NoInterval(c.x+l.curved(place)), math.Abs(l.curved(place))
	l.steep = points[0].estimate(slopes).Student(confidence).HalfWidth() / math.Abs(slope)
	if slope == 0 { // all lie on a plateau, and the crossing anywhere
		l.steep = math.Inf(1)
	}
	l.noise = c.halfWidth(slope, confidence) / math.Abs(slope)
	l.off = skewed(third*l.away*l.away+askew) * l.away
	if l.steep < 1 {
		both := math.Sqrt(float64(len(slopes))/float64(len(c.gaps))) * l.noise * l.steep
		l.Low, l.High = c.x+l.curved(-l.reach(-place, both))-l.off, c.x+l.curved(l.reach(place, both))+l.off
	}
	return l
}

// curved is the distance from the anchor that the parabola has where the line there has one.
func (l *lever) curved(z float64) float64 {
	return 2 * z / (1 + math.Sqrt(max(0, 1+4*l.bend*z)))
}

// gathered returns the likely distance of the crossing from the anchor, by all points that are known
// where the parabola is right: anchors of before are as good as replications of this one.
func (l *lever) gathered(known []place, c place) float64 {
	gap, n := 0.0, 0.0
	for _, p := range known {
		away := p.x - c.x
		if c.log == p.log && math.Abs(away) <= l.width/2 && l.third*away*away <= straight {
			gap += float64(len(p.gaps)) * (p.gap - l.slope*(away+l.bend*away*away))
			n += float64(len(p.gaps))
		}
	}
	return l.curved(-gap / n / l.slope)
}

// skewed is the share of a distance that an error of the slope makes, given as a share of that.
func skewed(by float64) float64 { return by / (1 - min(by, 0.9)) }

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
