package sweep

import "schedsweep/sweep/text"

// count returns the number of points that stay.
func (b *block) count() int {
	if b.kept != nil {
		return len(b.kept)
	}
	return b.points
}

// point is the k-th of these, from 0.
func (b *block) point(k int) int {
	if b.kept != nil {
		return int(b.kept[k])
	}
	return k
}

// walk calls visit with the digits of every axis at every point that stays, in order; the
// digits already say where a when: holds an axis at the base.
func (b *block) walk(visit func(point int, digits []int)) {
	digits := make([]int, len(b.Axes))
	for k := range b.count() {
		p := b.point(k)
		b.digits(p, digits)
		visit(p, digits)
	}
}

// digits sets the digit of every axis at the point; the digit len(values) means the base.
func (b *block) digits(point int, digits []int) {
	for i := len(b.Dims) - 1; i >= 0; i-- {
		d := &b.Dims[i]
		digit := point % d.Size
		point /= d.Size
		for _, a := range d.Axes {
			digits[a] = digit
		}
	}
	for i := range b.Whens {
		w := &b.Whens[i]
		for c := range w.Conds {
			if !w.Conds[c].Holds(digits) {
				digits[w.Axis] = len(b.Axes[w.Axis].Values)
				break
			}
		}
	}
}

func (b *block) cut(digits []int) bool {
next:
	for _, conds := range b.Excludes {
		for i := range conds {
			if !conds[i].Holds(digits) {
				continue next
			}
		}
		return true
	}
	return false
}

// product multiplies the sizes of the dimensions, or reports that there are too
// many points.
func (l *planner) product(b *block) bool {
	count := 1.0 // exact as far as the limit
	for _, d := range b.Dims {
		count *= float64(d.Size)
	}
	if all := count * float64(b.Replications); all > maxLen {
		l.Out.Add(b.longest(), "use fewer values or replications", "the sweep has %.9g points with %s each, %.4g instances in "+
			"all; at most %d are possible", count, text.Counted(b.Replications, "replication"), all, maxLen)
		return false
	}
	b.points = int(count)
	if b.filtered() && b.points > l.limits.Points {
		l.Out.Add(b.Pos, "use blocks instead of cutting so much away", "a sweep with exclude: or when: may have %d points before cuts, "+
			"and there are %d", l.limits.Points, b.points)
		return false
	}
	return true
}

func (b *block) longest() text.Position {
	at, most := b.Pos, 1
	for _, a := range b.Axes {
		if len(a.Values) > most {
			at, most = a.Pos, len(a.Values)
		}
	}
	return at
}

func (b *block) filtered() bool { return len(b.Whens)+len(b.Excludes) > 0 }
