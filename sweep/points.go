package sweep

// walk calls visit with the digits of every axis at every point, in order; the
// digits already say where a when: holds an axis at the base.
func (b *planBlock) walk(visit func(point int, digits []int)) {
	digits := make([]int, len(b.axes))
	for p := range b.points {
		b.digits(p, digits)
		visit(p, digits)
	}
}

// digits sets the digit of every axis at the point; the digit len(values)
// stands for the base.
func (b *planBlock) digits(point int, digits []int) {
	for i := len(b.dims) - 1; i >= 0; i-- {
		d := &b.dims[i]
		digit := point % d.size
		point /= d.size
		for _, a := range d.axes {
			digits[a] = digit
		}
	}
	for i := range b.whens {
		w := &b.whens[i]
		for c := range w.conds {
			if !w.conds[c].holds(digits) {
				digits[w.axis] = len(b.axes[w.axis].values)
				break
			}
		}
	}
}

// cut tells whether an exclusion takes the point away.
func (b *planBlock) cut(digits []int) bool {
next:
	for _, conds := range b.excludes {
		for i := range conds {
			if !conds[i].holds(digits) {
				continue next
			}
		}
		return true
	}
	return false
}

// product multiplies the sizes of the dimensions, or reports that there are too
// many points.
func (l *planner) product(b *planBlock) bool {
	count := 1.0 // exact as far as the limit
	for _, d := range b.dims {
		count *= float64(d.size)
	}
	if all := count * float64(b.replications); all > maxLen {
		l.out.add(b.longest(), "axes", "use fewer values or replications", "the sweep has %.9g points with %d replications each, %.4g instances in all; at most %d are possible", count, b.replications, all, maxLen)
		return false
	}
	b.points = int(count)
	if b.filtered() && b.points > l.limits.points {
		l.out.add(b.pos, "axes", "use blocks instead of cutting so much away", "a sweep with exclude: or when: may have %d points before cuts, this one has %d", l.limits.points, b.points)
		return false
	}
	return true
}

// longest is where the axis with the most values stands.
func (b *planBlock) longest() position {
	at, most := b.pos, 1
	for _, a := range b.axes {
		if len(a.values) > most {
			at, most = a.pos, len(a.values)
		}
	}
	return at
}

// filtered tells whether points have to be looked at one by one.
func (b *planBlock) filtered() bool { return len(b.whens)+len(b.excludes) > 0 }
