package figure

import (
	"math"
	"strconv"
	"strings"
)

// tick is a labelled place on an axis, in the axis's own values; minor ticks have no label.
type tick struct {
	at    float64
	label string
}

// linearTicks gives at most count round numbers (1, 2 or 5 times a power of ten in the displayed unit) from lo to hi.
func linearTicks(lo, hi float64, count int, d display) []tick {
	a, b := (lo-d.offset)/d.factor, (hi-d.offset)/d.factor
	if !(b > a) || count < 1 {
		return nil
	}
	step := roundStep((b - a) / float64(count))
	for math.Floor(b/step+1e-9)-math.Ceil(a/step-1e-9)+1 > float64(count) {
		step = roundStep(step * 1.01)
	}
	decimals := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	var ts []tick
	for i := math.Ceil(a/step - 1e-9); i <= math.Floor(b/step+1e-9); i++ {
		ts = append(ts, tick{at: i*step*d.factor + d.offset, label: minus(strconv.FormatFloat(i*step+0, 'f', decimals, 64))})
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

// logTicks gives the powers of ten from lo to hi, thinned to at most count; within less than two decades also 2 and 5
// times them, and within a narrow range round numbers as on a linear axis.
func logTicks(lo, hi float64, count int, d display) []tick {
	first, last := int(math.Ceil(math.Log10(lo)-1e-9)), int(math.Floor(math.Log10(hi)+1e-9))
	decades := last - first + 1
	if decades >= 3 || decades == 2 && count < 4 {
		every := 1
		for (decades+every-1)/every > count {
			every++
		}
		plain := lo >= 0.999e-3 && hi <= 1.001e4
		var ts []tick
		for e := first; e <= last; e++ {
			if (e%every+every)%every != 0 {
				continue
			}
			label := "10" + Superscript(e)
			if plain {
				label = plainNumber(math.Pow(10, float64(e)))
			}
			ts = append(ts, tick{math.Pow(10, float64(e)), label})
		}
		return ts
	}
	// One way of writing for the whole axis.
	write := engineering
	if lo >= 0.999e-3 && hi < 1e6 {
		write = func(m float64, e int) string { return plainNumber(m * math.Pow(10, float64(e))) }
	}
	var ts []tick
	for e := first - 1; e <= last+1; e++ {
		for _, m := range []float64{1, 2, 5} {
			if v := m * math.Pow(10, float64(e)); v >= lo*(1-1e-9) && v <= hi*(1+1e-9) {
				ts = append(ts, tick{v, write(m, e)})
			}
		}
	}
	if len(ts) < 2 {
		return narrowLogTicks(lo, hi, count, d)
	}
	for len(ts) > max(count, 1) {
		// Drop every other: a crowded axis with the pattern 1, 5, 20 ... is still one of round numbers.
		kept := ts[:0]
		for i, t := range ts {
			if i%2 == 0 {
				kept = append(kept, t)
			}
		}
		ts = kept
	}
	return ts
}

// narrowLogTicks gives round numbers at even distances, as on a linear axis, for a range too narrow for powers of ten.
func narrowLogTicks(lo, hi float64, count int, d display) []tick {
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

// engineering prints m * 10^e.
func engineering(m float64, e int) string {
	if m == 1 {
		return "10" + Superscript(e)
	}
	return plainNumber(m) + "×10" + Superscript(e)
}

// minorLog gives the unlabelled places 2..9 times a power of ten, none where they would be too dense.
func minorLog(lo, hi, length float64) []float64 {
	if math.Log10(hi/lo) > length/18 {
		return nil
	}
	var vs []float64
	for e := math.Floor(math.Log10(lo)); e <= math.Ceil(math.Log10(hi)); e++ {
		for m := 2.0; m < 10; m++ {
			if v := m * math.Pow(10, e); v > lo && v < hi {
				vs = append(vs, v)
			}
		}
	}
	return vs
}

func plainNumber(v float64) string { return minus(strconv.FormatFloat(v, 'g', 10, 64)) }

func minus(s string) string {
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-")
	}
	return strings.ReplaceAll(s, "-", "−")
}
