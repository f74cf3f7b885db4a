package scojo

import "slices"

// assign gives each running task its share of time: the reserved shares first, then the time left by them to tasks
// that have used up their reservations, then the idle time.
func (x *site) assign(now float64) {
	var firm, active []*task
	users := 0
	for _, r := range x.running {
		r.now = 0
		if r.position == kept {
			users++
		} else if !r.spent() {
			firm = append(firm, r)
		}
	}
	active = append(active, firm...)
	left := x.reserve(firm, active)
	if left < -slack { // by rounding, an agreed start comes before the end of a reservation that it follows
		firm = slices.DeleteFunc(firm, func(r *task) bool {
			r.now = 0
			return r.several == nil && !before(now, r.until(now))
		})
		active = append(active[:0], firm...)
		left = x.reserve(firm, active)
	}
	for _, r := range x.running {
		if slices.Contains(firm, r) {
			continue
		}
		with := append(active, r)
		rest := x.reserve(firm, with)
		share := x.p.Kept / float64(users)
		if r.position != kept {
			share = x.assigned(r, with)
		}
		// A task without time slows no other down.
		if r.now = min(share, rest); r.now > slack {
			active, left = with, rest-r.now
		} else {
			r.now = 0
			x.reserve(firm, active)
		}
	}
	x.hand(max(0, left))
	x.rates()
}

// rates gives each running task its progress at the shares that there are. A task without time slows no other down.
func (x *site) rates() {
	var active []*task
	for _, r := range x.running {
		if r.now > 0 {
			active = append(active, r)
		}
	}
	for _, r := range x.running {
		r.rate = r.now / x.slowdown(r, active)
	}
}

// reserve gives the firm tasks their promised shares while the active ones run, and returns the share left.
func (x *site) reserve(firm, active []*task) float64 {
	left := 1.0
	for _, r := range active {
		if slices.Contains(firm, r) {
			r.now = x.assigned(r, active)
		}
		left -= r.now
	}
	return left
}

// hand gives idle share out. Cross-site jobs gain nothing: their other parts would not
// keep up.
func (x *site) hand(idle float64) {
	if len(x.running) == 1 {
		if r := x.running[0]; !r.crossSite {
			r.now = max(r.now, x.p.Alone)
		}
		return
	}
	sum := 0.0
	for _, r := range x.running {
		if !r.crossSite {
			sum += r.now
		}
	}
	if x.p.Idle == "kept" || sum == 0 {
		return
	}
	for _, r := range x.running {
		if !r.crossSite {
			r.now += idle * (r.now / sum)
		}
	}
}
