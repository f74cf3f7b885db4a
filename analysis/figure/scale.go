package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// scale maps the values of an axis to places in a panel of the given length.
type scale struct {
	lo, hi float64
	log    bool
	names  []string
	places []float64 // at which ticks had best be
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

func newScale(a *Axis, data extent) scale {
	s := scale{log: a.Log, names: slices.Clone(a.Categories)}
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
	s.show, s.places = chooseDisplay(a, s.lo, s.hi), a.Values
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

// longestLabel is the length of a label from which round numbers elsewhere are easier to read.
const longestLabel = 6

// labelPlaces puts ticks at the places, or at most of them, and reports whether enough labels fit.
func (s *scale) labelPlaces(fits func([]tick) bool) bool {
	var all []tick
	for _, v := range s.places {
		label := plainNumber((v - s.show.offset) / s.show.factor)
		if s.show.readable != "" {
			label = Readable(v, s.show.readable)
		}
		if utf8.RuneCountInString(label) > longestLabel || strings.Contains(label, "e") {
			return false
		}
		if at := s.at(v); at >= 0 && at <= 1 {
			all = append(all, tick{v, label})
		}
	}
	var some []tick
	add := func(t tick) {
		more := append(slices.Clone(some), t)
		slices.SortFunc(more, func(p, q tick) int { return cmp.Compare(p.at, q.at) })
		if fits(more) {
			some = more
		}
	}
	if len(all) > 0 {
		add(all[0])
	}
	for _, t := range slices.Backward(all) { // on a linear axis the places are often closest at the left
		add(t)
	}
	if 2*len(some) < len(all) || len(some) == 0 {
		return false
	}
	s.ticks = some
	if s.log {
		s.minor = nil
	}
	return true
}

func (s *scale) label(length float64, fits func([]tick) bool) {
	switch {
	case len(s.names) > 0 || s.bare || s.labelPlaces(fits):
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

// display is the form in which an axis prints its values: v is shown as (v - offset) / factor, the rest in the axis's title.
type display struct {
	factor   float64
	offset   float64
	title    string
	unit     string // in which values are printed, in 10^power of it; "" for plain numbers
	power    int
	readable string // the unit, where every value is printed in its own multiple of it
}

// chooseDisplay picks the unit or multiplier in which values of an axis from lo to hi are short to print.
func chooseDisplay(a *Axis, lo, hi float64) display {
	d := display{factor: 1}
	unit := a.Unit
	size := max(math.Abs(lo), math.Abs(hi))
	if !a.Log {
		// Values far from 0 and close together: print the distance from a round number.
		if span := hi - lo; span > 0 && span < 1e-4*size {
			step := math.Pow(10, math.Ceil(math.Log10(span)))
			d.offset = math.Round(lo/step) * step
			size = max(math.Abs(lo-d.offset), math.Abs(hi-d.offset))
		}
		switch {
		case unit == "s":
			d.factor, unit = TimeUnit(size)
		case takesPrefix(unit):
			d.factor, unit = prefixed(unit, size)
		}
		if k := thousands(size / d.factor); k != 0 {
			d.factor *= math.Pow(1000, float64(k))
			d.power = 3 * k
		}
	}
	d.title, d.unit = a.Label, unit
	if a.Log && unit == "s" {
		d.readable = unit
		return d
	}
	if d.power != 0 {
		unit = strings.TrimSpace("×10" + Superscript(d.power) + " " + unit)
	}
	if d.offset != 0 {
		d.title += " − " + strings.TrimSpace(minus(fmt.Sprintf("%.12g", d.offset))+" "+a.Unit)
	}
	if unit != "" {
		d.title = strings.TrimSpace(d.title + " (" + unit + ")")
	}
	return d
}

// thousands is the power of 1000 to take out of numbers of the given size: none between 0.01 and 100,000.
func thousands(size float64) int {
	if size == 0 || size >= 0.01 && size < 1e5 || math.IsInf(size, 0) {
		return 0
	}
	return int(math.Floor(math.Log10(size) * (1 + 1e-15) / 3))
}

// timeUnits are the units below a day, with their lengths in s. Times below value are in the unit by themselves, and those below axis
// where they are the largest of an axis.
var timeUnits = []struct {
	name                string
	length, value, axis float64
}{{"µs", 1e-6, 1e-3, 1e-3}, {"ms", 1e-3, 1, 1}, {"s", 1, 60, 600}, {"min", 60, 3600, 3 * 3600}, {"h", 3600, 86400, 10 * 86400}}

// TimeUnit returns the unit, and its length in s, of an axis of times whose largest has the given size.
func TimeUnit(size float64) (factor float64, unit string) {
	for _, u := range timeUnits {
		if size < u.axis && size != 0 || size == 0 && u.length == 1 {
			return u.length, u.name
		}
	}
	return 86400, "days"
}

// wholeUnit returns the unit, and its length in s, in which a time by itself is at least one, but for rounding.
func wholeUnit(v float64) (factor float64, unit string) {
	for _, u := range timeUnits {
		if math.Abs(v) < u.value*(1-1e-9) {
			return u.length, u.name
		}
	}
	return 86400, "d"
}

func takesPrefix(unit string) bool {
	return slices.Contains([]string{"B", "B/s", "flop", "flop/s", "bit/s", "W", "J", "Hz"}, unit)
}

// Prefixed returns the multiple of a unit in which values of the given size are short, and its length: the unit itself where it takes no
// prefix.
func Prefixed(unit string, size float64) (float64, string) {
	if !takesPrefix(unit) {
		return 1, unit
	}
	return prefixed(unit, size)
}

func prefixed(unit string, size float64) (float64, string) {
	factor := 1.0
	for _, p := range []string{"", "k", "M", "G", "T", "P"} {
		if size < factor*1000 || p == "P" {
			return factor, p + unit
		}
		factor *= 1000
	}
	return 1, unit
}

var superscripts = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹",
	"-", "⁻")

// Superscript writes a whole number as raised digits, which the figures draw.
func Superscript(n int) string { return superscripts.Replace(fmt.Sprint(n)) }
