package batsim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"schedsweep/sim"
)

// ParseSpans reads an interval set of resources such as "0-3 7" or "0-3,7" to dst,
// in ascending order; each resource once.
func ParseSpans(text string, dst []sim.Span) ([]sim.Span, error) {
	from := len(dst)
	for len(text) > 0 {
		var item string
		if i := strings.IndexAny(text, " ,"); i >= 0 {
			item, text = text[:i], text[i+1:]
		} else {
			item, text = text, ""
		}
		if item == "" {
			continue
		}
		lo, hi, isRange := strings.Cut(item, "-")
		if !isRange {
			hi = lo
		}
		a, err := strconv.ParseUint(lo, 10, 31)
		b, err2 := strconv.ParseUint(hi, 10, 31)
		if err != nil || err2 != nil || b < a {
			return dst, fmt.Errorf("%q is no number or range of resources", item)
		}
		dst = append(dst, sim.Span{Lo: int32(a), Hi: int32(b)})
	}
	spans := dst[from:]
	slices.SortFunc(spans, func(a, b sim.Span) int { return int(a.Lo) - int(b.Lo) })
	n := 0
	for i, sp := range spans {
		switch {
		case i > 0 && sp.Lo <= spans[n-1].Hi:
			return dst, fmt.Errorf("resource %d occurs twice", sp.Lo)
		case i > 0 && sp.Lo == spans[n-1].Hi+1:
			spans[n-1].Hi = sp.Hi
		default:
			spans[n] = sp
			n++
		}
	}
	return dst[:from+n], nil
}
