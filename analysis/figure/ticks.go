package figure

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"schedsweep/sweep/text"
)

// fewestTicks is the number of labels from which a reader can tell a logarithmic axis. Where none fits, of mostThinned one remains.
const fewestTicks, mostThinned = 3, 100

// logTicks gives the roundest numbers from lo to hi that are three or more and fit; where none do, most of the ones that fit.
func logTicks(lo, hi float64, d display, fits func([]tick) bool) []tick {
	ladders := numberLadders
	if d.readable != "" {
		ladders = timeLadders
	}
	var best []tick
	take := func(ts []tick) bool {
		if len(ts) > len(best) && fits(ts) {
			best = ts
		}
		return len(best) >= fewestTicks
	}
	all := ladders(lo, hi, d)
	for _, ts := range all {
		if take(ts) {
			return best
		}
	}
	for count := 8; count >= fewestTicks && hi/lo < 10; count-- {
		ts := narrowLogTicks(lo, hi, count, d)
		if take(ts) {
			return best
		}
		all = append(all, ts)
	}
	for every := 2; every == 2 || len(best) == 0 && every <= mostThinned; every++ {
		for _, ts := range all {
			var thin []tick
			for i := 0; i < len(ts); i += every {
				thin = append(thin, ts[i])
			}
			if take(thin) {
				return best
			}
		}
	}
	return best
}

// numberLadders are powers of ten, thinned where there are many, then with more and more of their multiples.
func numberLadders(lo, hi float64, _ display) [][]tick {
	first, last := int(math.Ceil(math.Log10(lo)-1e-9)), int(math.Floor(math.Log10(hi)+1e-9))
	write := func(m float64, e int) string { // one way of writing for the whole axis
		if m == 1 {
			return "10" + Superscript(e)
		}
		return plainNumber(m) + "×10" + Superscript(e)
	}
	if lo >= 0.999e-3 && (hi <= 1.001e4 || last-first < 2 && hi < 1e6) {
		write = func(m float64, e int) string { return plainNumber(m * math.Pow(10, float64(e))) }
	}
	var out [][]tick
	for every := 1; every <= (last-first)/2; every++ {
		var ts []tick
		for e := first; e <= last; e++ {
			if (e%every+every)%every == 0 {
				ts = append(ts, tick{math.Pow(10, float64(e)), write(1, e)})
			}
		}
		out = append(out, ts)
	}
	for _, multiples := range [][]float64{{1, 2, 5}, {1, 3}, {1, 1.5, 2, 3, 5, 7}} {
		var ts []tick
		for e := first - 1; e <= last+1; e++ {
			for _, m := range multiples {
				if v := m * math.Pow(10, float64(e)); v >= lo*(1-1e-9) && v <= hi*(1+1e-9) {
					ts = append(ts, tick{v, write(m, e)})
				}
			}
		}
		out = append(out, ts)
	}
	return out
}

// timeLadders are round times in the units in which people count them.
func timeLadders(lo, hi float64, d display) [][]tick {
	steps := []struct{ below, minutes, hours, days []float64 }{
		{[]float64{1}, []float64{1, 10}, []float64{1}, []float64{1}},
		{[]float64{1}, []float64{1}, []float64{1}, []float64{1}},
		{[]float64{1, 3}, []float64{1, 3, 10, 30}, []float64{1, 6}, []float64{1, 3}},
		{[]float64{1, 2, 5}, []float64{1, 2, 5, 10, 20, 30}, []float64{1, 2, 4, 8, 16}, []float64{1, 2, 5}},
	}
	var out [][]tick
	for _, s := range steps {
		var ts []tick
		add := func(factor float64, multiples []float64) {
			for _, m := range multiples {
				if v := m * factor; v >= lo*(1-1e-9) && v <= hi*(1+1e-9) {
					ts = append(ts, tick{v, Readable(v, d.readable)})
				}
			}
		}
		for e := math.Floor(math.Log10(lo)); e < 0; e++ {
			add(math.Pow(10, e), s.below)
		}
		add(1, s.minutes)
		add(60, s.minutes)
		add(3600, s.hours)
		for e := 0.0; e <= math.Log10(hi)-4; e++ {
			add(86400*math.Pow(10, e), s.days)
		}
		out = append(out, ts)
	}
	return out
}

// narrowLogTicks gives round numbers at even distances, as on a linear axis, for a range too narrow for powers of ten.
func narrowLogTicks(lo, hi float64, count int, d display) []tick {
	if d.readable != "" {
		factor, unit := wholeUnit(lo)
		ts := linearTicks(lo, hi, count, display{factor: factor})
		for i := range ts {
			ts[i].label += " " + unit
		}
		return ts
	}
	e := int(math.Floor(math.Log10(hi)))
	if e >= -3 && e < 5 {
		return linearTicks(lo, hi, count, d)
	}
	ts := linearTicks(lo, hi, count, display{factor: math.Pow(10, float64(e))})
	for i := range ts {
		ts[i].label += "×10" + Superscript(e)
	}
	return ts
}

// Readable prints a value in the unit or with the prefix in which it is short, such as "10 min", "100 s" and "1 GB/s".
func Readable(v float64, unit string) string {
	text := readable(v, unit, plainNumber)
	if own := plainNumber(v) + " s"; unit == "s" && len(text) > len("1234.56 min") && len(own) < len(text) {
		return own
	}
	return text
}

// Brief is [Readable] with five digits.
func Brief(v float64, unit string) string {
	return readable(v, unit, func(v float64) string { return minus(strconv.FormatFloat(v, 'g', 5, 64)) })
}

// Names prints values as [Readable] does, but long numbers with as few digits as tell the values apart, and four at least.
func Names(values []float64, unit string) []string {
	for digits := 4; ; digits++ {
		names := make([]string, len(values))
		for i, v := range values {
			names[i] = Readable(v, unit)
			if short := readable(v, unit, func(v float64) string { return rounded(v, digits) }); len(short) < len(names[i])-2 {
				names[i] = short
			}
		}
		if digits == 10 || len(slices.Compact(slices.Sorted(slices.Values(names)))) == len(names) {
			return names
		}
	}
}

// rounded prints a number with some digits, and whole numbers with all.
func rounded(v float64, digits int) string {
	if v == math.Trunc(v) {
		return plainNumber(v)
	}
	if size := math.Abs(v); size >= 1e-4 && size < 1e10 {
		decimals := max(0, digits-1-int(math.Floor(math.Log10(size))))
		return minus(strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(v, 'f', decimals, 64), "0"), "."))
	}
	return minus(strconv.FormatFloat(v, 'g', digits, 64))
}

func readable(v float64, unit string, number func(float64) string) string {
	factor := 1.0
	switch {
	case v == 0:
	case math.IsInf(v, 0):
		unit = ""
	case unit == "s":
		factor, unit = wholeUnit(v)
	case takesPrefix(unit):
		factor, unit = prefixed(unit, math.Abs(v))
	}
	return strings.TrimSpace(number(v/factor) + " " + unit)
}

// minorLog gives the unlabelled places 2..9 times a power of ten, or round times, none where they would be too dense.
func minorLog(lo, hi float64, d display, length float64) []float64 {
	var vs []float64
	if d.readable != "" {
		ladders := timeLadders(lo, hi, d)
		vs = text.Each(ladders[len(ladders)-1], func(t tick) float64 { return t.at })
		if float64(len(vs)) > length/8 {
			return nil
		}
		return vs
	}
	if math.Log10(hi/lo) > length/18 {
		return nil
	}
	for e := math.Floor(math.Log10(lo)); e <= math.Ceil(math.Log10(hi)); e++ {
		for m := 2.0; m < 10; m++ {
			if v := m * math.Pow(10, e); v > lo && v < hi {
				vs = append(vs, v)
			}
		}
	}
	return vs
}

// tick is a labelled place on an axis, in the axis's own values; minor ticks have no label.
type tick struct {
	at    float64
	label string
}

// mostDecimals is the number of decimals up to which labels are plain numbers.
const mostDecimals = 6

// linearTicks gives at most count round numbers (1, 2 or 5 times a power of ten in the displayed unit) from lo to hi. It gives
// none where the unit is so large that the numbers vanish in it: panels with axes of their own share one unit.
func linearTicks(lo, hi float64, count int, d display) []tick {
	a, b := (lo-d.offset)/d.factor, (hi-d.offset)/d.factor
	if !(b-a >= smallest) || count < 1 {
		return nil
	}
	step := roundStep((b - a) / float64(count))
	for math.Floor(b/step+1e-9)-math.Ceil(a/step-1e-9)+1 > float64(count) {
		step = roundStep(step * 1.01)
	}
	decimals := -int(math.Floor(math.Log10(step) + 1e-9))
	power, suffix := 1.0, ""
	if e := int(math.Floor(math.Log10(max(math.Abs(a), math.Abs(b))))); decimals > mostDecimals && e != 0 {
		power, suffix, decimals = math.Pow(10, float64(e)), "×10"+Superscript(e), decimals+e
	}
	var ts []tick
	for i := math.Ceil(a/step - 1e-9); i <= math.Floor(b/step+1e-9); i++ {
		label := minus(strconv.FormatFloat(i*step/power+0, 'f', max(0, decimals), 64))
		if i != 0 {
			label += suffix
		}
		ts = append(ts, tick{at: i*step*d.factor + d.offset, label: label})
	}
	return ts
}

// roundStep is the smallest of 1, 2, 5 times a power of ten that is not below v (up to rounding).
func roundStep(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= v*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

func plainNumber(v float64) string { return minus(strconv.FormatFloat(v, 'g', 10, 64)) }

// signs are those of a printed number as people write them.
var signs = strings.NewReplacer("-", "−", "+Inf", "∞", "Inf", "∞")

func minus(s string) string {
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-")
	}
	return signs.Replace(s)
}
