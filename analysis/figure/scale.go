package figure

import "math"

// scale maps the values of an axis to places in a panel of the given length.
type scale struct {
	lo, hi float64
	log    bool
	names  []string
	show   display
	ticks  []tick
	minor  []float64
	bare   bool // without ticks
}

// at is the place of v as a share of the axis (0 at lo, 1 at hi); it may lie outside, and is huge for infinities.
func (s *scale) at(v float64) float64 {
	lo, hi := s.lo, s.hi
	if s.log {
		if v <= 0 {
			return -1e6
		}
		v, lo, hi = math.Log10(v), math.Log10(lo), math.Log10(hi)
	}
	return min(max((v-lo)/(hi-lo), -1e6), 1e6)
}

type extent struct{ lo, hi float64 }

func newExtent() extent { return extent{math.Inf(1), math.Inf(-1)} }

func (e *extent) add(v float64) { e.lo, e.hi = min(e.lo, v), max(e.hi, v) }

func (e *extent) empty() bool { return e.lo > e.hi }

// newScale chooses the shared range of an axis from the extent of its data.
func newScale(a *Axis, data extent) scale {
	s := scale{log: a.Log, names: a.Categories}
	if len(a.Categories) > 0 {
		s.lo, s.hi, s.log = -0.5, float64(len(a.Categories))-0.5, false
		s.show = display{factor: 1, title: a.Label}
		for i, name := range a.Categories {
			s.ticks = append(s.ticks, tick{float64(i), name})
		}
		return s
	}
	s.lo, s.hi = data.lo, data.hi
	if data.empty() {
		s.lo, s.hi = 0, 1
		if s.log {
			s.lo, s.hi = 1, 10
		}
	}
	switch {
	case a.Limits != nil:
		s.lo, s.hi = a.Limits[0], a.Limits[1]
	case s.log:
		s.padLog()
	default:
		s.padLinear(a.Zero)
	}
	s.show = chooseDisplay(a, s.lo, s.hi)
	return s
}

// padding keeps marks off the frame, as a share of the range.
const padding = 0.035

func (s *scale) padLog() {
	a, b := math.Log10(s.lo), math.Log10(s.hi)
	if b-a < 1e-3 {
		a, b = a-0.2, b+0.2
	}
	pad := padding * (b - a)
	s.lo, s.hi = math.Pow(10, max(a-pad, -307)), math.Pow(10, min(b+pad, 308))
}

func (s *scale) padLinear(zero bool) {
	nonNegative, nonPositive := s.lo >= 0, s.hi <= 0
	if zero {
		s.lo, s.hi = min(s.lo, 0), max(s.hi, 0)
	}
	span := s.hi - s.lo
	if size := max(math.Abs(s.lo), math.Abs(s.hi)); span <= 1e-12*size || span < smallest {
		half := size / 4
		if half < smallest {
			half = 1
		}
		s.lo, s.hi = s.lo-half, s.hi+half
		return
	}
	lo, hi := s.lo-padding*span, s.hi+padding*span
	// Marks close above 0 make an axis that starts at 0: a distance from 0 is what a reader compares.
	if nonNegative && s.lo > 0 && s.lo < 0.3*s.hi {
		lo = 0
	}
	if nonPositive && s.hi < 0 && s.hi > 0.3*s.lo {
		hi = 0
	}
	if zero && nonNegative && s.lo == 0 {
		lo = 0
	}
	s.lo, s.hi = lo, hi
}

func (s *scale) labelHorizontally(length float64) {
	s.label(length, func(ts []tick) bool {
		widest := 0.0
		for _, t := range ts {
			widest = max(widest, textWidth(t.label, tickSize, false))
		}
		return s.apart(ts, length, widest+10)
	})
}

func (s *scale) labelVertically(length float64) {
	s.label(length, func(ts []tick) bool { return s.apart(ts, length, tickSize*1.6) })
}

func (s *scale) label(length float64, fits func([]tick) bool) {
	switch {
	case len(s.names) > 0 || s.bare:
	case s.log:
		s.ticks, s.minor = logTicks(s.lo, s.hi, s.show, fits), minorLog(s.lo, s.hi, s.show, length)
	default:
		for count := max(2, int(length/20)); count >= 1; count-- {
			if s.ticks = linearTicks(s.lo, s.hi, count, s.show); fits(s.ticks) {
				return
			}
		}
	}
}

func (s *scale) apart(ts []tick, length, distance float64) bool {
	for i := 1; i < len(ts); i++ {
		if (s.at(ts[i].at)-s.at(ts[i-1].at))*length < distance {
			return false
		}
	}
	return true
}
