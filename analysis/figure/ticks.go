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

func plainNumber(v float64) string { return minus(strconv.FormatFloat(v, 'g', 10, 64)) }

func minus(s string) string {
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-")
	}
	return strings.ReplaceAll(s, "-", "−")
}
