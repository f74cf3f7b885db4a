package figure

import (
	"fmt"
	"math"
	"strings"
)

// display tells how an axis prints its values: v is shown as (v - offset) / factor, the rest in the axis's title.
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
			d.factor, unit = timeUnit(size)
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

// timeUnit picks the unit in which the largest time of an axis is a small number.
func timeUnit(size float64) (factor float64, unit string) {
	switch {
	case size == 0:
		return 1, "s"
	case size < 1e-3:
		return 1e-6, "µs"
	case size < 1:
		return 1e-3, "ms"
	case size < 600:
		return 1, "s"
	case size < 3*3600:
		return 60, "min"
	case size < 10*86400:
		return 3600, "h"
	default:
		return 86400, "days"
	}
}

func takesPrefix(unit string) bool {
	switch unit {
	case "B", "B/s", "flop", "flop/s", "bit/s", "W", "J", "Hz":
		return true
	}
	return false
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

var superscripts = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹", "-", "⁻")

// Superscript writes a whole number as raised digits, which the figures draw.
func Superscript(n int) string { return superscripts.Replace(fmt.Sprint(n)) }
