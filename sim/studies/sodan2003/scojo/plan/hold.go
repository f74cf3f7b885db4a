package plan

import "math"

// Window is an interval of starts: a job may start at any instant of [First, Last], in
// seconds. Last may be +Inf.
type Window struct{ First, Last float64 }

// Windows appends to dst the windows on [from, until] in which the share is free for this number of seconds, at most
// most of them (at least 1): the first ones, and the last one. Where until is +Inf this is the end of the plan, unless
// another endless hold is on.
func (p *Plan) Windows(dst []Window, from, until float64, s Share, seconds float64, most int) []Window {
	n := len(dst)
	for {
		first := p.Earliest(from, s, seconds)
		if math.IsInf(first, 1) || first > until {
			return dst
		}
		end := p.Until(first, s)
		last := min(until, end-seconds)
		for last+seconds > end { // the difference was rounded up
			last = math.Nextafter(last, math.Inf(-1))
		}
		w := Window{first, max(first, last)}
		if len(dst)-n == most {
			dst[len(dst)-1] = w
		} else {
			dst = append(dst, w)
		}
		if math.IsInf(end, 1) {
			return dst
		}
		from = end
	}
}

// Hold keeps the share for a start in any of the windows, ascending and not before now,
// until it expires, is confirmed or released. It reports false, and does nothing, where
// there is less or there are no windows.
func (p *Plan) Hold(job int64, windows []Window, s Share, seconds, expires float64) (ID, bool) {
	if len(windows) == 0 || windows[0].First < p.now {
		return 0, false
	}
	for _, w := range windows {
		if p.Free(w.First, w.Last+seconds) < s {
			return 0, false
		}
	}
	end := windows[len(windows)-1].Last + seconds
	id := p.enter(Reservation{Job: job, Kind: Held, Share: s, Start: windows[0].First, End: end, Seconds: seconds, Expires: expires})
	held := p.slot(id)
	held.windows = append(held.windows[:0], windows...)
	p.take(held)
	p.holds = append(p.holds, id)
	return id, true
}

// Confirm turns a hold into a fixed reservation from start on and gives the rest back. It
// reports false, and does nothing, where id is no hold any more, or start is past or was
// not offered.
func (p *Plan) Confirm(id ID, start float64) bool {
	s := p.slot(id)
	if s == nil || s.Kind != Held || start < p.now {
		return false
	}
	offered := false
	for _, w := range s.windows {
		offered = offered || w.First <= start && start <= w.Last
	}
	if !offered {
		return false
	}
	p.give(s)
	p.unhold(id)
	s.Kind, s.Start, s.End = Fixed, start, start+s.Seconds
	p.take(s)
	return true
}

// Share is a part of a site, in millionths: whole numbers, so that sums of shares are
// exact and 40 + 40 + 20 % is exactly a site.
type Share int32

// Whole is the whole site.
const Whole Share = 1_000_000

// ShareOf is the least share that is not below the fraction of a site, in [0, 2000];
// what the fraction is off by rounding (1e-9 of it) is not rounded up.
func ShareOf(fraction float64) Share {
	return Share(math.Ceil(fraction * (1 - 1e-9) * float64(Whole)))
}

func (s Share) Fraction() float64 { return float64(s) / float64(Whole) }
