package question

import "math"

const (
	// unsure is the share of the slope that its interval may be where a place is gone by.
	unsure = 0.875
	// told is the limit at which ends are drawn nearer: beyond it curvature is hidden by noise.
	told = 0.3
	// bent is the number of additional replications, as a share of the anchor's, that are reckoned for
	// where curvature leaves no answer.
	bent      = 0.3
	recentred = 30
	quantile  = 2.326 // of crossingConfidence, by which the noise is a half-width
)

// bearings are the points that a round may look at.
type bearings struct {
	at   [3]float64 // the ends and the anchor, on the axis that is chosen
	ends int        // replications of each end
	n    int        // of the anchor
}

// course holds the next bearings to look at: the cheapest of the remaining ones.
type course struct {
	bearings
	cost float64
}

// try takes bearings instead if they cost less: now in replications of this round, and later in replications that the anchor
// would need were the interval its noise alone.
func (c *course) try(d *decision, b bearings, now int, later float64) {
	b = d.centred(b)
	if cost := float64(now) + later; cost < c.cost && !d.seen[b] {
		c.bearings, c.cost = b, cost
	}
}

// centred puts ends around an anchor that is one of them, where they have one whole number between them: a line leads from the anchor
// to its neighbours only.
func (d *decision) centred(b bearings) bearings {
	if from, to := b.at[0], b.at[1]; d.Whole && to-from == 2 && (b.at[2] == from || b.at[2] == to) {
		b.at[0], b.at[1] = d.within(b.at[2]-1), d.within(b.at[2]+1)
	}
	return b
}

// steer chooses what the next round looks at, where the crossing seems to be at a value of the
// axis and the anchor wants a number of replications. It is the same where nothing is left. Half-widths by
// the anchor's noise and by the slope add as squares, what curvature may cost adds to them: so much
// more, as a share, the anchor must have for these. The interval holds the anchor: where the crossing is farther away than the half-width,
// which has a probability, the anchor moves and must have as many again.
func (d *decision) steer(now bearings, l lever, want int, to float64) bearings {
	later := func(steep, askew, away float64) float64 {
		off := skewed(l.third*away*away+askew) * away / d.HalfWidth
		share := math.Pow(steep*(away+l.noise)/d.HalfWidth, 2) + 2*off
		if off > straight {
			share += bent
		}
		moves := math.Erfc((d.HalfWidth-away)/l.noise*quantile/math.Sqrt2) / 2
		return (share + moves) * float64(want)
	}
	if l.kink > straight*d.HalfWidth && l.steep <= unsure { // the numbers beside the crossing tell more than any others
		low, high := d.between()
		beside := now
		beside.at[2] = min(max(d.within(to), low), high)
		if beside.at[0], beside.at[1] = d.within(beside.at[2]-1), d.within(beside.at[2]+1); !d.seen[beside] {
			d.moved++
			return beside
		}
	}
	best := course{now, math.Inf(1)}
	if now.n < min(want, d.Most) { // else more of the anchor is no help, or there is none
		if cost := later(l.steep, l.askew, l.away); !math.IsNaN(cost) {
			best.cost = cost
		}
	}
	more := now
	more.ends = min(2*now.ends, d.Most)
	best.try(d, more, 2*now.ends, later(l.steep/math.Sqrt2, l.askew, l.away))
	if d.moved < recentred {
		d.move(&best, now, l, to, later)
	}
	if l.steep <= unsure {
		d.draw(&best, now, l, want, later)
	}
	after := best.bearings
	if after == now || now.n < want && !(l.away > l.noise && after.at != now.at) {
		after.n = next(now.n, want, d.Most)
	}
	if after.n = max(after.n, after.ends); after.at != now.at {
		d.moved++
	}
	return after
}

// move tries to put the anchor where the crossing seems to be, or amid the bracket where the slope is not known.
func (d *decision) move(best *course, now bearings, l lever, to float64, later func(steep, askew, away float64) float64) {
	low, high := d.between()
	if to = d.within(to); !(to >= low && to <= high) { // the slope here is not that at the crossing
		to = d.within((low + high) / 2)
	}
	half := math.Abs(now.at[1]-now.at[0]) / 2
	there := now
	if l.steep > unsure {
		if there.at = [3]float64{low, high, d.within((low + high) / 2)}; low < now.at[0] || high > now.at[1] {
			best.try(d, there, now.n, 0)
		}
		return
	}
	if there.at[2] = to; to < now.at[0] || to > now.at[1] {
		there.at[0], there.at[1] = d.around(to, half)
	}
	// There it is as far away as the slope is wrong and the noise's standard deviation.
	best.try(d, there, now.n, later(l.steep, l.askew, math.Hypot(l.away*min(0.5, l.askew+l.steep), l.noise/3)))
}

// draw tries to put the ends nearer to the anchor, and around it. It does so however often points have moved: ends come no nearer than
// the interval is wide.
func (d *decision) draw(best *course, now bearings, l lever, want int, later func(steep, askew, away float64) float64) {
	half := math.Abs(now.at[1]-now.at[0]) / 2
	for _, part := range []float64{1, 0.5} {
		// Nearer ends need more replications to estimate the slope.
		raise := max(1, math.Pow(l.steep/(part*told), 2))
		there := bearings{n: now.n, ends: int(math.Ceil(raise * float64(now.ends)))}
		there.at[0], there.at[1] = d.around(now.at[2], part*half)
		there.at[2] = now.at[2]
		if part*l.width >= d.HalfWidth && (raise == 1 || 2*now.n >= want && there.ends <= d.Most) {
			best.try(d, there, 2*there.ends, later(l.steep/part/math.Sqrt(raise), l.third*math.Pow(part*l.width/2, 2), l.away))
		}
	}
}

// between is the range in which the gap changes its sign, by all that is known.
func (d *decision) between() (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	for _, p := range d.known {
		switch sign := p.sign(); {
		case sign < 0 == d.rises && sign != 0:
			low = max(low, p.at)
		case sign != 0:
			high = min(high, p.at)
		}
	}
	if low >= high || math.IsInf(high-low, 0) { // one seems to be what it is not
		return d.low, d.high
	}
	return low, high
}

// around are ends so far from an anchor, or nearer to it where the range ends.
func (d *decision) around(at, half float64) (from, until float64) {
	first, last := d.Lattice[0], d.Lattice[len(d.Lattice)-1]
	if half = min(half, max(at-first, last-at)/2); d.Whole {
		half = max(half, 1)
	}
	middle := min(max(at, first+half), last-half)
	return d.within(middle - half), d.within(middle + half)
}
