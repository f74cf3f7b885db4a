package sweep

import "slices"

// walk calls visit with the digits of every axis at every point, in order; the
// digits already say where a when: holds an axis at the base.
func (b *block) walk(visit func(point int, digits []int)) {
	digits := make([]int, len(b.axes))
	for p := range b.points {
		b.digits(p, digits)
		visit(p, digits)
	}
}

// digits sets the digit of every axis at the point; the digit len(values)
// stands for the base.
func (b *block) digits(point int, digits []int) {
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
func (b *block) cut(digits []int) bool {
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
func (l *loader) product(b *block) bool {
	count := 1.0 // exact as far as the limit
	for _, d := range b.dims {
		count *= float64(d.size)
	}
	if all := count * float64(b.replications); all > maxLen {
		l.out.add(b.longest(), "axes", "use fewer values or replications", "the sweep has %.9g points with %d replications each, %.4g instances in all; at most %d are possible", count, b.replications, all, maxLen)
		return false
	}
	b.points = int(count)
	if b.filtered() && b.points > l.filterLimit {
		l.out.add(b.pos, "axes", "use blocks instead of cutting so much away", "a sweep with exclude: or when: may have %d points before cuts, this one has %d", l.filterLimit, b.points)
		return false
	}
	return true
}

// longest is where the axis with the most values stands.
func (b *block) longest() position {
	at, most := b.pos, 1
	for _, a := range b.axes {
		if len(a.values) > most {
			at, most = a.pos, len(a.values)
		}
	}
	return at
}

// filtered tells whether points have to be looked at one by one.
func (b *block) filtered() bool { return len(b.whens)+len(b.excludes) > 0 }

// expand finds the points that stay and decodes the variants they use.
func (l *loader) expand(b *block, skip []bool, c *census) bool {
	for _, s := range l.cat.sections {
		t := l.newVariantTable(b, s)
		if t == nil {
			return false
		}
		t.columns, t.types = l.columnsOf(s)
		b.tables = append(b.tables, t)
	}
	used := make([]*bitmap, len(b.tables))
	if b.filtered() {
		for i, t := range b.tables {
			used[i] = newBitmap(t.size)
		}
		b.kept = newBitmap(b.points)
		b.walk(func(p int, digits []int) {
			if b.cut(digits) {
				return
			}
			b.kept.set(p)
			for i, t := range b.tables {
				used[i].set(t.number(digits))
			}
		})
		b.kept.index()
	}
	for i, t := range b.tables {
		if !skip[i] {
			t.fill(l, used[i], c)
		}
	}
	return true
}

// dropRepeats takes points away whose sections all have the hashes of another
// point's, for these are the same instances. The point stays in the block that
// gives it the most replications, the first of several.
func (l *loader) dropRepeats(blocks []*block, c *census) bool {
	total := 0
	for _, b := range blocks {
		total += b.points
	}
	if total > l.filterLimit {
		l.out.add(blocks[0].pos, "axes", "make every point differ, in one block", "a sweep with repeated points or several blocks may have %d points, this one has %d", l.filterLimit, total)
		return false
	}
	seen := make(map[[maxSections]int32]struct{}, min(total, 1<<20))
	claiming := slices.Clone(blocks)
	slices.SortStableFunc(claiming, func(x, y *block) int { return y.replications - x.replications })
	for _, b := range claiming {
		if b.kept == nil {
			b.kept = newBitmap(b.points)
			for p := range b.points {
				b.kept.set(p)
			}
		}
		b.walk(func(p int, digits []int) {
			if !b.kept.has(p) {
				return
			}
			var key [maxSections]int32
			for i, t := range b.tables {
				key[i] = c.id(i, t.get(t.number(digits)))
			}
			if _, repeat := seen[key]; repeat {
				b.kept.clear(p)
				return
			}
			seen[key] = struct{}{}
		})
		b.kept.index()
	}
	return true
}
