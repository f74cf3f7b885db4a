package timeslice

import "math"

// slice returns when the slice of class c begins and ends, in seconds from the
// start of its interval.
func (p *Slicing) slice(c Class, withShort bool) (from, to float64) {
	short := 0.0
	if withShort {
		short = p.ShortSlice
	}
	medium := short + (p.Interval-short)*p.MediumShare
	switch c {
	case Short:
		return 0, short
	case Medium:
		return short, medium
	}
	return medium, p.Interval
}

// Real is when class c, medium or long, has had x more seconds of its own time,
// seen from time now, through slices without any for short jobs; +Inf for x +Inf.
func (p *Slicing) Real(c Class, now, x float64) float64 {
	if math.IsInf(x, 1) {
		return x // of a job without a walltime, or behind one
	}
	from, to := p.slice(c, false)
	from += p.Overhead
	base := math.Floor(now/p.Interval) * p.Interval
	at := math.Max(now, base+from)
	if left := base + to - at; left > 0 {
		if x <= left {
			return at + x
		}
		x -= left
	}
	whole := math.Max(0, math.Ceil(x/(to-from))-1)
	return base + (1+whole)*p.Interval + from + (x - whole*(to-from))
}
